"""Where the transitive closure runs, and whether its n^2 bits fit; weights do not matter."""

from __future__ import annotations

from apsp.cuda import jit
from apsp.errors import DeviceError, MemoryLimitError
from apsp.plan.devices import chosen_gpus, parse_device
from apsp.plan.gpus import with_gpus
from apsp.plan.machine import Machine
from apsp.plan.memory import usable

__all__ = ["check_closure_memory", "closure_gpus"]

_GPU_PAYS_FROM = 16384
"""Vertices from which a GPU is looked for unasked: below, starting CUDA takes longer than the closure on the CPU."""


def closure_gpus(n: int, device: str) -> tuple[int, ...]:
    """The GPUs that compute the closure of n vertices; none means the CPU.

    Parameters
    ----------
    n : int
    device : str
        'auto', 'cpu', 'cuda' or 'cuda:0,1'.

    Raises
    ------
    RequestError, DeviceError
        If the device is no such word, or cannot be used.
    """
    kind, numbers = parse_device(device)
    if kind == "cpu" or (kind == "auto" and (n < _GPU_PAYS_FROM or jit.why_no_gpu() is not None)):
        return ()
    machine = with_gpus(Machine.detect())
    if kind == "auto" and not machine.gpus:
        return ()
    jit.cupy()  # says what is missing, if something is
    if not machine.gpus:
        raise DeviceError(f"device={device!r}: {machine.no_gpu}; use device='cpu' (or leave device out)")
    return chosen_gpus(numbers, machine.gpus)


def check_closure_memory(n: int, machine: Machine | None = None) -> int:
    """Bytes of the bit-packed closure of n vertices, if they fit.

    Parameters
    ----------
    n : int
    machine : Machine, optional
        This one by default.

    Raises
    ------
    MemoryLimitError
        If n rows of n bits (in whole 64-bit words) do not fit; the message says how many vertices would.
    """
    machine = Machine.detect() if machine is None else machine
    needed = n * -(-n // 64) * 8
    limit = usable(machine)
    if needed > limit:
        fitting = int((8 * limit) ** 0.5) // 64 * 64
        raise MemoryLimitError(
            f"the reachability of {n:,} x {n:,} pairs at one bit each",
            needed,
            machine.memory_available,
            [
                "pages_file='FILE', the bits in a file",
                f"a part of the graph of at most {fitting:,} vertices",
                "apsp.stream with rows of the vertices of interest",
            ],
        )
    return needed
