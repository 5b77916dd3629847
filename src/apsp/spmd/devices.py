"""How the processes are connected, and which GPU each of them uses."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from apsp.errors import DeviceError
from apsp.facts.gpu_rates import GpuRates, rates_of
from apsp.gpu.gpus import names_of_gpus, with_gpus
from apsp.methods.communicator import Communicator
from apsp.methods.gpu_connection import GpuConnection, Member
from apsp.methods.host_connection import HostConnection
from apsp.spmd.together import together
from apsp.system.arguments import one_of
from apsp.system.host import host_identity
from apsp.system.machine import Gpu, Machine

__all__ = ["DEVICES", "connected", "device_of", "rates"]

DEVICES = ("cpu", "cuda")

_MODEL = Gpu("NVIDIA H200", 0, 0, (9, 0), multiprocessors=132)
"""The GPU for which a plan is made on a machine without one."""

_process = uuid.uuid4().hex
"""The name of this process; no child of a process that uses GPUs computes on them (jit.py)."""


def device_of(device: Any) -> str:
    """Return the validated device."""
    return one_of(device, "device", DEVICES)


@contextlib.contextmanager
def connected(comm: Communicator, device: str) -> Iterator[tuple[HostConnection | GpuConnection, int | None]]:
    """Connect the processes in a grid for the time of the context; the number of the GPU of this one, if they compute
    on GPUs. All call this.

    Raises DeviceError if a machine has fewer GPUs than processes, or CuPy is missing, or NCCL on several machines.
    """
    gpu, members = (None, []) if device == "cpu" else _gpu(comm)
    connection = together(comm, lambda: _connection(comm, gpu, members))
    try:
        yield connection, gpu
    finally:
        connection.release()


def rates() -> GpuRates:
    """Return the rates of the GPUs of this machine; without one, those of a measured GPU."""
    gpus = [gpu for gpu in with_gpus(Machine.detect()).gpus if gpu.unusable is None]
    return rates_of(gpus[0] if gpus else _MODEL)


def _connection(comm: Communicator, gpu: int | None, members: Sequence[Member]) -> HostConnection | GpuConnection:
    control = HostConnection(comm)
    return control if gpu is None else GpuConnection(control, gpu, members)


def _gpu(comm: Communicator) -> tuple[int, list[Member]]:
    """Choose a GPU per process, of those of its machine; also return where all processes run."""
    names, host = together(comm, names_of_gpus), host_identity()
    on_hosts = comm.allgather((host, _process, names))
    everywhere = [found for other, _, found in on_hosts if other == host]
    place = sum(other == host for other, *_ in on_hosts[: comm.rank])
    members = [Member(other, name) for other, name, _ in on_hosts]
    return together(comm, lambda: _own(everywhere, place)), members


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
