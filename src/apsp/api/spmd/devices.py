"""How the processes are connected, and which GPU each of them uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apsp.api.spmd.together import together
from apsp.errors import DeviceError
from apsp.facts.gpu_rates import GpuRates, rates_of
from apsp.gpu import jit
from apsp.gpu.gpus import with_gpus
from apsp.methods.distributed import Connection
from apsp.methods.mpi import MpiConnection
from apsp.methods.nccl import NcclConnection
from apsp.system.arguments import one_of
from apsp.system.machine import Gpu, Machine

__all__ = ["DEVICES", "connected", "device_of", "rates"]

DEVICES = ("cpu", "cuda")

_MODEL = Gpu("NVIDIA H200", 0, 0, (9, 0), multiprocessors=132)
"""The GPU for which a plan is made on a machine without one."""


def device_of(device: Any) -> str:
    """Return the validated device."""
    return one_of(device, "device", DEVICES)


def connected(comm: Any, device: str) -> tuple[Connection, int | None]:
    """Connect the processes; the number of the GPU of this one, if they compute on GPUs. All call this.

    Raises
    ------
    DeviceError
        If a machine has fewer GPUs than processes, or CuPy or NCCL is missing.
    """
    if device == "cpu":
        return MpiConnection(comm), None
    from mpi4py import MPI

    names = together(comm, _names)
    host = comm.Split_type(MPI.COMM_TYPE_SHARED)
    try:
        everywhere, place = host.allgather(names), host.Get_rank()
    finally:
        host.Free()
    gpu = together(comm, lambda: _own(everywhere, place))
    return together(comm, lambda: NcclConnection(MpiConnection(comm, share=False), gpu)), gpu


def rates() -> GpuRates:
    """Return the rates of the GPUs of this machine; without one, those of a measured GPU."""
    gpus = [gpu for gpu in with_gpus(Machine.detect()).gpus if gpu.unusable is None]
    return rates_of(gpus[0] if gpus else _MODEL)


def _names() -> list[str | None]:
    """The names of the GPUs that this process may use, by which all processes know them; None for the others."""
    runtime = jit.cupy().cuda.runtime
    gpus = with_gpus(Machine.detect()).gpus
    names = (str(runtime.getDeviceProperties(number).get("uuid", number)) for number in range(len(gpus)))
    return [name if gpu.unusable is None else None for name, gpu in zip(names, gpus, strict=True)]


def _own(everywhere: Sequence[Sequence[str | None]], place: int) -> int:
    """The number of the first GPU that no process before this one of the machine takes."""
    taken: set[str] = set()
    for seen in everywhere[: place + 1]:
        own = next((name for name in seen if name is not None and name not in taken), None)
        if own is None:
            count = len({name for names in everywhere for name in names if name is not None})
            raise DeviceError(
                f"{len(everywhere)} processes of one machine share {count} GPU{'s' if count != 1 else ''}: start one "
                "process per GPU, or use device='cpu'"
            )
        taken.add(own)
    return everywhere[place].index(own)
