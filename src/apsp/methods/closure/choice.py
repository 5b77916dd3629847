"""The choice of the device for a transitive closure, and the check that its n^2 bits fit; weights are ignored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from apsp.errors import DeviceError, MemoryLimitError, MethodRefusedError, UnknownMethodError
from apsp.facts.devices import chosen_gpus, parse_device
from apsp.facts.emulated import with_emulated_gpus
from apsp.facts.placement import usable_on
from apsp.facts.request import Request
from apsp.gpu import jit
from apsp.gpu.gpus import with_gpus
from apsp.gpu.memory import free_on_failure
from apsp.graph.model import Graph
from apsp.methods.registry import closures
from apsp.system.machine import Machine, threads_from, usable

if TYPE_CHECKING:
    from apsp.methods.closure.closure import Reachability

__all__ = [
    "CLOSURE_DEVICES", "check_closure_memory", "closure_by_name", "closure_gpus", "is_emulated_by_itself",
]  # fmt: skip

CLOSURE_DEVICES = ("cuda", "emulated")

_CELL_BYTES = 4

_GPU_PAYS_FROM = 16384
"""Number of vertices from which on 'auto' looks for a GPU: below it, starting CUDA takes longer than the closure on the
CPU."""


def closure_gpus(n: int, device: str) -> tuple[int, ...]:
    """Return the GPUs that compute the closure of n vertices; none means the CPU.

    Parameters
    ----------
    n : int
    device : str
        'auto', 'cpu', 'cuda' or 'cuda:0,1'.

    Raises
    ------
    RequestError, DeviceError
        If the device is unknown or cannot be used.
    MethodRefusedError
        If the device is emulated.
    """
    kind, numbers = parse_device(device)
    if kind == "emulated":
        raise MethodRefusedError(
            "auto", "no method is chosen automatically for an emulated GPU: name one", list(closures())
        )
    if kind == "cpu" or (kind == "auto" and (n < _GPU_PAYS_FROM or jit.why_no_gpu() is not None)):
        return ()
    machine = with_gpus(Machine.detect())
    if kind == "auto" and not machine.gpus:
        return ()
    jit.cupy()  # raises an error that names what is missing
    if not machine.gpus:
        raise DeviceError(f"device={device!r}: {machine.no_gpu}; use device='cpu' (or leave device out)")
    return chosen_gpus(numbers, machine.gpus)


def is_emulated_by_itself(method: str, device: str) -> bool:
    """Whether a closure runs on an emulated GPU because there is no real one."""
    return (
        method != "auto" and method in closures() and parse_device(device)[0] == "auto" and jit.why_no_gpu() is not None
    )


def check_closure_memory(n: int, machine: Machine | None = None) -> int:
    """Return the bytes of the bit-packed closure of n vertices, if they fit.

    Parameters
    ----------
    n : int
    machine : Machine, optional
        This one by default.

    Raises
    ------
    MemoryLimitError
        If n rows of n bits (in whole 64-bit words) do not fit; the message states the number of vertices that would
        fit.
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


def closure_by_name(
    graph: Graph,
    method: str,
    device: str,
    gpu_memory: int | None,
    progress: Callable[[int], None] | None,
    *,
    in_file: bool = False,
    timings: dict[str, float] | None = None,
    threads: int | None = None,
) -> Reachability:
    """Compute the closure by a method of `closures()`, on GPUs; the bits are returned on the host.

    With device='auto' it runs on an emulated GPU if there is no real one. `timings` receives 'kernels'.

    Raises
    ------
    UnknownMethodError, MethodRefusedError, DeviceError
        If there is no such method, or it cannot do this, or there is no GPU.
    MemoryLimitError
        Before the work, if host memory does not hold the cells.
    """
    if not isinstance(method, str) or method not in closures():
        raise UnknownMethodError(method, ["auto", *closures()])
    kind, _ = parse_device(device)
    if kind == "cpu":
        raise MethodRefusedError(method, f"it runs on {' or '.join(CLOSURE_DEVICES)}, not on cpu", ["auto"])
    if in_file:
        raise MethodRefusedError(method, "it cannot keep its cells in a file while it computes (pages_file)", ["auto"])
    if kind == "emulated" or is_emulated_by_itself(method, device):
        with _emulated(graph.n, method, device, gpu_memory, threads) as (gpus, limit):
            return _closed(graph, method, gpus, limit, progress, timings)
    gpus = closure_gpus(graph.n, device if kind == "cuda" else "cuda")
    _check_cells(graph.n, method, 0)
    with free_on_failure(gpus):
        return _closed(graph, method, gpus, gpu_memory, progress, timings)


@contextmanager
def _emulated(
    n: int, method: str, device: str, gpu_memory: int | None, threads: int | None
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Work on emulated GPUs, which use host memory; return their numbers and the bytes of each."""
    from apsp.gpu.emulated.run import entered

    request = Request(device=device, gpu_memory=gpu_memory)
    machine = with_emulated_gpus(Machine.detect(), request)
    gpus = chosen_gpus(request.gpus, machine.gpus)
    limit = usable_on(machine.gpus[0], gpu_memory)
    _check_cells(n, method, min(n**2 * _CELL_BYTES, len(gpus) * limit))
    with entered(len(machine.gpus), limit, threads_from(threads)):
        yield gpus, limit


def _check_cells(n: int, method: str, on_gpus: int) -> None:
    """Raise MemoryLimitError if the cells, the bits and these bytes of emulated GPUs do not fit in host memory."""
    needed, limit = n**2 * _CELL_BYTES + n * -(-n // 64) * 8 + on_gpus, usable(Machine.detect())
    if needed > limit:
        raise MemoryLimitError(
            f"the cells of {n:,} x {n:,} pairs by {method}",
            needed, limit, ["method='auto' with device='auto', which takes one bit per pair"],
        )  # fmt: skip


def _closed(
    graph: Graph,
    method: str,
    gpus: tuple[int, ...],
    gpu_memory: int | None,
    progress: Callable[[int], None] | None,
    timings: dict[str, float] | None,
) -> Reachability:
    module = closures()[method].load()
    found: Reachability = module.closure(graph, gpus=gpus, gpu_memory=gpu_memory, progress=progress, timings=timings)
    return found
