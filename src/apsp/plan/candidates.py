"""What could run: every method on every device that accepts the request, with its seconds and bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from apsp.plan.constants import Constants
from apsp.plan.cost import seconds_of
from apsp.plan.devices import chosen_gpus
from apsp.plan.dtypes import holds
from apsp.plan.emulated import with_emulated_gpus
from apsp.plan.gpu_cost import GpuRates, rates_of, seconds_on_gpus
from apsp.plan.gpu_memory import Placement, placement_of
from apsp.plan.gpu_rows import placement_of_rows, seconds_of_rows
from apsp.plan.machine import Machine
from apsp.plan.memory import Bytes, block_rows, bytes_of, bytes_of_result, usable
from apsp.plan.published_cost import ORIGIN, seconds_of_published
from apsp.plan.published_memory import place_published
from apsp.plan.request import Request
from apsp.plan.statistics import GraphStatistics
from apsp.plan.work import Work
from apsp.solvers import registry
from apsp.solvers.registry import Method

__all__ = ["Asked", "Candidate", "all_candidates", "candidate", "gpus_could", "hands_over_paths", "refusal"]


_WAKING = 1.2e-4
"""Seconds to start a thread and to end it, in one call: 0.1 to 0.4 ms on virtual machines, less on others."""


@dataclass(frozen=True)
class Asked:
    """Everything that decides, and the dtype that follows from it; `threads` are at most to be used."""

    statistics: GraphStatistics
    machine: Machine
    request: Request
    constants: Constants
    dtype: str
    threads: int

    @property
    def rows(self) -> int:
        """Rows of the result."""
        return self.statistics.n if self.request.sources is None else self.request.sources

    def on(self, device: str) -> Asked:
        """The same with the GPUs that the machine has on this device."""
        if device != "emulated":
            return self
        return replace(self, machine=with_emulated_gpus(self.machine, self.request))


@dataclass(frozen=True)
class Candidate:
    """A method on a device.

    Attributes
    ----------
    method : Method
    device : 'cpu', 'cuda' or 'emulated'
    seconds : float
    threads : int
        Of the CPU. Where nobody asked for a number, no more than are worth their start.
    bytes : Bytes
        Of host memory; the memory of emulated GPUs is a part of it.
    placement : Placement or None
        Where the matrix lies on GPUs; None on the CPU, and where it fits nowhere.
    rates : GpuRates or None
        Of a real GPU.
    origin : str or None
        Where the seconds come from, where that is not the constants of the CPU.
    """

    method: Method
    device: str
    seconds: float
    threads: int
    bytes: Bytes
    placement: Placement | None = None
    rates: GpuRates | None = None
    origin: str | None = None

    @property
    def name(self) -> str:
        """The method, and the GPU where it is one."""
        if self.device == "cpu":
            return self.method.name
        numbers = "" if self.placement is None else ":" + ",".join(map(str, self.placement.gpus))
        return f"{self.method.name} on {self.device}{numbers}"

    def fits(self, machine: Machine) -> bool:
        """Into host memory, and on a GPU into its memory."""
        return self.bytes.total <= usable(machine) and (self.device == "cpu" or self.placement is not None)


def all_candidates(asked: Asked) -> tuple[list[Candidate], list[tuple[str, str]]]:
    """The methods that accept the request, with their costs; and the others, with their reasons."""
    accepted, rejected = [], []
    request = asked.request
    for method in registry.METHODS.values():
        if request.method not in ("auto", method.name) or (request.method == "auto" and not method.automatic):
            continue
        for device in _devices(asked, method):
            label = f"{method.name} on {device}" if request.device == "auto" and device != "cpu" else method.name
            reason = refusal(method, asked.statistics, request, asked.dtype, device)
            if reason is not None:
                rejected.append((label, f"refused: {reason}"))
            elif request.method == "auto" and (why := _superfluous(method, asked, device)) is not None:
                rejected.append((label, f"not needed: {why}"))
            else:
                accepted.append(candidate(method, asked, device))
    return accepted, rejected


def candidate(method: Method, asked: Asked, device: str) -> Candidate:
    """A method that accepts the request, with what it costs on a device."""
    if device == "cpu":
        return _on_cpu(method, asked)
    return _emulated(method, asked) if device == "emulated" else _on_gpus(method, asked)


def refusal(method: Method, statistics: GraphStatistics, request: Request, dtype: str, device: str) -> str | None:
    """Why a method cannot do this on a device; None if it can."""
    reason = registry.refusal(
        method,
        statistics,
        np.dtype(dtype),
        semiring=request.semiring,
        device=device,
        by_rows=request.by_rows,
        in_file=request.pages_file is not None,
    )
    if reason is None and len(request.gpus) > 1 and not method.several_gpus:
        return f"it runs on one GPU, and {len(request.gpus)} are asked for"
    if reason is None and device == "emulated" and method.family == "dense" and len(request.gpus) > 1:
        return f"it runs on one emulated GPU, and {len(request.gpus)} are asked for"
    if reason is None and device != "cpu" and dtype == "uint16" and not holds(dtype, statistics, request, device):
        return "in uint16, GPUs hold distances below 32,767 only (dtype='int32' would do)"
    if reason is None and request.pages_file is not None and hands_over_paths(method, statistics, request, dtype):
        return "with negative floats johnson finds the paths, which keeps nothing in a file (solve without paths=True)"
    return reason


def gpus_could(statistics: GraphStatistics, request: Request, dtype: str) -> bool:
    """Whether some method would take the request on a GPU."""
    return any(
        refusal(method, statistics, request, dtype, "cuda") is None
        for method in registry.METHODS.values()
        if request.method == method.name or (request.method == "auto" and method.automatic)
    )


def hands_over_paths(method: Method, statistics: GraphStatistics, request: Request, dtype: str) -> bool:
    """Whether Floyd-Warshall lets Johnson's method find paths: sums of floats that cancel blur which arcs are tight."""
    return (
        method.name == "floyd-warshall"
        and request.paths
        and request.semiring.join == "add"
        and statistics.has_negative_arc
        and dtype.startswith("float")
    )


def _devices(asked: Asked, method: Method) -> Iterator[str]:
    """Where to consider a method: for 'auto', on GPUs only if the machine has some and the method runs there.

    A method that does not run on the CPU is emulated there where the machine has none, or none was looked for yet.
    """
    if asked.request.device != "auto":
        yield asked.request.device
        return
    on_gpus = bool(asked.machine.gpus) and "cuda" in method.devices
    if "cpu" in method.devices:
        yield "cpu"
    elif not on_gpus:
        yield "emulated" if "emulated" in method.devices else "cpu"
    if on_gpus:
        yield "cuda"


def _superfluous(method: Method, asked: Asked, device: str) -> str | None:
    """Why the choice is better made without a method that could run."""
    statistics, request = asked.statistics, asked.request
    if method.name == "elimination":
        return _no_elimination(asked)
    if method.name == "johnson" and not statistics.has_negative_arc:
        return "the graph has no negative arcs"
    if method.name == "label-correcting" and statistics.has_negative_arc and asked.dtype.startswith("float"):
        return "it leaves negative floats to johnson"
    johnson = registry.METHODS["johnson"]
    hands_over = hands_over_paths(method, statistics, request, asked.dtype)
    if hands_over and (device != request.device or refusal(johnson, statistics, request, asked.dtype, device) is None):
        return "with negative floats, johnson finds the paths"
    return None


def _no_elimination(asked: Asked) -> str | None:
    """Why elimination is no choice; None if it is one."""
    statistics = asked.statistics
    if statistics.fill is None:
        return "no small separators were found" if statistics.separators_sought else "the work is soon done without"
    if asked.request.paths and statistics.has_negative_arc and asked.dtype.startswith("float"):
        return "with negative floats, johnson finds the paths"
    return None


def _on_cpu(method: Method, asked: Asked) -> Candidate:
    statistics, request = asked.statistics, asked.request
    size = bytes_of(method, statistics, asked.machine, request, asked.dtype, asked.threads)
    size = replace(size, output=size.output - _bytes_in_file(asked))
    work = _work(asked, size.output)
    runs = registry.get("johnson") if hands_over_paths(method, statistics, request, asked.dtype) else method

    def seconds_with(threads: int) -> float:
        here = replace(work, threads=min(threads, asked.machine.cores))
        return seconds_of(runs, statistics, here, asked.constants) + _WAKING * (threads - 1)

    most = method.threads_of(asked.threads)
    threads = most if asked.request.threads is not None else 1
    seconds = seconds_with(threads)
    while threads < most:  # twice as many, as long as that saves time
        doubled = min(2 * threads, most)
        if (less := seconds_with(doubled)) >= seconds:
            break
        threads, seconds = doubled, less
    return Candidate(method, "cpu", seconds, threads, size)


def _on_gpus(method: Method, asked: Asked) -> Candidate:
    statistics, machine, request = asked.statistics, asked.machine, asked.request
    gpus = chosen_gpus(request.gpus, machine.gpus)
    if method.family == "sparse":
        return _rows_on_gpu(method, asked, gpus)
    if method.family == "published":
        placement = place_published(method.name, statistics, machine, request, asked.dtype, gpus)
    else:
        placement = placement_of(statistics, machine, request, asked.dtype, gpus)
    rates = rates_of(machine.gpus[gpus[0]])
    stays = request.device == "cuda" and placement is not None and placement.where == "device"
    result = bytes_of_result(statistics, machine, request, asked.dtype, asked.threads) - _bytes_in_file(asked)
    size = Bytes(0 if stays else result, 0 if placement is None else placement.bytes_on_host)
    if method.family == "published":
        assumed = placement or Placement("device", gpus, 0)
        work, rates = _work(asked, result), replace(rates, origin=ORIGIN)
        seconds = seconds_of_published(method.name, statistics, work, rates, assumed, to_host=not stays)
    elif hands_over_paths(method, statistics, request, asked.dtype):
        seconds = seconds_of(registry.get("johnson"), statistics, _work(asked, result), asked.constants)
    else:
        assumed = placement or Placement("device", gpus, 0)
        sums = request.semiring.join == "add"
        seconds = seconds_on_gpus(statistics, _work(asked, result), rates, assumed, sums=sums, to_host=not stays)
    return Candidate(method, "cuda", seconds, method.threads_of(asked.threads), size, placement, rates, rates.origin)


def _emulated(method: Method, asked: Asked) -> Candidate:
    """As on real GPUs, in host memory."""
    from apsp.plan.emulated_cost import seconds_emulated

    asked = asked.on("emulated")
    statistics, machine, request = asked.statistics, asked.machine, asked.request
    gpus = chosen_gpus(request.gpus, machine.gpus)
    result = bytes_of_result(statistics, machine, request, asked.dtype, asked.threads)
    if method.family == "sparse":
        placement = placement_of_rows(method.name, statistics, machine, request, asked.dtype, gpus, result)
    elif method.family == "published":
        placement = place_published(method.name, statistics, machine, request, asked.dtype, gpus)
    else:
        placement = placement_of(statistics, machine, request, asked.dtype, gpus)
        if placement is not None and placement.where != "device":  # strips of it are for real GPUs
            placement = None
    result -= _bytes_in_file(asked)
    on_gpus = 0 if placement is None else placement.bytes_on_host + placement.bytes_on_gpu * len(gpus)
    seconds, origin = seconds_emulated(method, statistics, _work(asked, result), placement)
    threads = method.threads_of(asked.threads)
    return Candidate(method, "emulated", seconds, threads, Bytes(result, on_gpus), placement, origin=origin)


def _rows_on_gpu(method: Method, asked: Asked, gpus: tuple[int, ...]) -> Candidate:
    statistics, machine, request = asked.statistics, asked.machine, asked.request
    rates = rates_of(machine.gpus[gpus[0]])
    result = bytes_of_result(statistics, machine, request, asked.dtype, asked.threads)
    placement = placement_of_rows(method.name, statistics, machine, request, asked.dtype, gpus, result)
    stays = placement is not None and placement.where == "device"
    seconds = seconds_of_rows(
        method.name, statistics, _work(asked, result), request, rates, asked.constants, to_host=not stays,
        gpus=len(gpus),
    )  # fmt: skip
    host = Bytes(0 if stays else result, 0 if placement is None else placement.bytes_on_host)
    return Candidate(method, "cuda", seconds, method.threads_of(asked.threads), host, placement, rates, rates.origin)


def _bytes_in_file(asked: Asked) -> int:
    """Of the result, where the matrix in the file of pages is the result."""
    request, n = asked.request, asked.statistics.n
    whole = request.sources is None and request.targets is None and not request.out_given
    return n * n * np.dtype(asked.dtype).itemsize if request.pages_file is not None and whole else 0


def _work(asked: Asked, output_bytes: int) -> Work:
    statistics, machine, request = asked.statistics, asked.machine, asked.request
    return Work(
        rows=asked.rows,
        threads=min(asked.threads, machine.cores),
        dtype=asked.dtype,
        paths=request.paths,
        output_bytes=output_bytes,
        physical=machine.physical,
        block=block_rows(statistics, machine, request, asked.dtype, asked.threads),
    )
