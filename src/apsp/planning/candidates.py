"""Candidates of a plan: every method on every device that accepts the request, with its seconds and bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from apsp.facts.devices import chosen_gpus
from apsp.facts.dtypes import holds
from apsp.facts.facts import Facts
from apsp.facts.gpu_rates import GpuRates
from apsp.facts.placement import Placement
from apsp.facts.request import Request
from apsp.facts.result_bytes import Bytes, block_rows
from apsp.facts.statistics import GraphStatistics
from apsp.facts.work import Work
from apsp.methods import registry
from apsp.methods.cost import result_bytes, stays_there
from apsp.methods.registry import Method
from apsp.planning.cost import seconds_of
from apsp.planning.memory import bytes_of
from apsp.planning.reason import Reason, reason
from apsp.system.machine import Machine, usable

__all__ = ["WAKING", "Candidate", "all_candidates", "candidate", "gpus_could", "refusal", "threads_that_pay"]


WAKING = 1.2e-4
"""Seconds to start a thread and to end it, in one call: 0.1 to 0.4 ms on virtual machines, less on others."""


@dataclass(frozen=True)
class Candidate:
    """A method on a device.

    Attributes
    ----------
    method : Method
    device : 'cpu', 'cuda' or 'emulated'
    seconds : float
    threads : int
        Threads of the CPU. Without a requested number, at most as many as reduce the run time.
    bytes : Bytes
        Host memory; it includes the memory of emulated GPUs.
    placement : Placement or None
        Where the matrix is stored on GPUs; None on the CPU, and if it does not fit.
    rates : GpuRates or None
        Of a real GPU.
    origin : str or None
        Origin of the estimate of seconds, if it is not the constants of the CPU.
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
        """The name of the method, with the GPU if it runs on one."""
        if self.device == "cpu":
            return self.method.name
        numbers = "" if self.placement is None else ":" + ",".join(map(str, self.placement.gpus))
        return f"{self.method.name} on {self.device}{numbers}"

    def fits(self, machine: Machine) -> bool:
        """Whether the candidate fits in host memory, and on a GPU in its memory."""
        return self.bytes.total <= usable(machine) and (self.device == "cpu" or self.placement is not None)


def all_candidates(facts: Facts) -> tuple[list[Candidate], list[tuple[str, Reason]]]:
    """Return the methods that accept the request, with their costs, and the others, with the reasons."""
    accepted, rejected = [], []
    request = facts.request
    for method in registry.considered(request.method):
        for device in _devices(facts, method):
            label = f"{method.name} on {device}" if request.device == "auto" and device != "cpu" else method.name
            refused = refusal(method, facts.statistics, request, facts.dtype, device)
            if refused is not None:
                rejected.append((label, reason("refused", why=refused)))
            elif request.method == "auto" and (why := _unneeded(method, facts, device)) is not None:
                rejected.append((label, reason("unneeded", why=why)))
            else:
                accepted.append(candidate(method, facts, device))
    return accepted, rejected


def candidate(method: Method, facts: Facts, device: str) -> Candidate:
    """Return the candidate of a method that accepts the request, with its cost on a device."""
    if device == "cpu":
        return _on_cpu(method, facts)
    return _emulated(method, facts) if device == "emulated" else _on_gpus(method, facts)


def refusal(method: Method, statistics: GraphStatistics, request: Request, dtype: str, device: str) -> str | None:
    """Return why a method cannot be used on a device; None if it can."""
    refused = registry.refusal(
        method,
        statistics,
        np.dtype(dtype),
        semiring=request.semiring,
        device=device,
        by_rows=request.by_rows,
        in_file=request.pages_file is not None,
    )
    if refused is None and len(request.gpus) > 1 and not method.several_gpus:
        return f"it runs on one GPU, but {len(request.gpus)} are requested"
    if refused is None and device != "cpu" and dtype == "uint16" and not holds(dtype, statistics, request, device):
        return "in uint16, GPUs hold distances below 32,767 only (use dtype='int32')"
    return refused or registry.costs(method).refuses(statistics, request, dtype, device)


def gpus_could(statistics: GraphStatistics, request: Request, dtype: str) -> bool:
    """Whether some method accepts the request on a GPU."""
    return any(
        refusal(method, statistics, request, dtype, "cuda") is None for method in registry.considered(request.method)
    )


def _devices(facts: Facts, method: Method) -> Iterator[str]:
    """Yield the devices to consider for a method; for 'auto', GPUs only if the method runs on one of them.

    A method that does not run on the CPU is emulated if the machine has no GPU, or GPUs have not been detected yet.
    """
    if facts.request.device != "auto":
        yield facts.request.device
        return
    on_gpus = bool(facts.machine.gpus) and "cuda" in method.devices
    if "cpu" in method.devices:
        yield "cpu"
    elif not on_gpus:
        yield "emulated" if "emulated" in method.devices else "cpu"
    if on_gpus:
        yield "cuda"


def _unneeded(method: Method, facts: Facts, device: str) -> str | None:
    """Return why a method is not considered although it could run; None if it is."""

    def accepts(name: str, where: str) -> bool:
        return refusal(registry.METHODS[name], facts.statistics, facts.request, facts.dtype, where) is None

    return registry.costs(method).unneeded(facts, device, accepts)


def _runs(method: Method, facts: Facts) -> Method | None:
    """Return the method that does the work instead, if any."""
    name = registry.costs(method).stand_in(facts.statistics, facts.request, facts.dtype)
    return None if name is None else registry.get(name)


def _on_cpu(method: Method, facts: Facts) -> Candidate:
    statistics = facts.statistics
    size = bytes_of(method, facts)
    if in_file := _bytes_in_file(facts):
        size = replace(size, output=size.output - in_file)
    work = _work(facts, size.output)
    runs = _runs(method, facts) or method

    def seconds_with(threads: int) -> float:
        at_once = min(threads, facts.machine.cores)
        return seconds_of(runs, statistics, work, facts.constants, at_once) + WAKING * (threads - 1)

    most = method.threads_of(facts.threads)
    threads, seconds = threads_that_pay(seconds_with, most if facts.request.threads is not None else 1, most)
    return Candidate(method, "cpu", seconds, threads, size)


def threads_that_pay(seconds_with: Callable[[int], float], least: int, most: int) -> tuple[int, float]:
    """Return a number of threads, and its seconds: the number is doubled as long as that saves time."""
    threads, seconds = least, seconds_with(least)
    while threads < most:
        doubled = min(2 * threads, most)
        if (less := seconds_with(doubled)) >= seconds:
            break
        threads, seconds = doubled, less
    return threads, seconds


def _on_gpus(method: Method, facts: Facts) -> Candidate:
    statistics, machine, request = facts.statistics, facts.machine, facts.request
    gpus, model = chosen_gpus(request.gpus, machine.gpus), registry.costs(method)
    placement = model.place(facts, gpus)
    result = result_bytes(facts) - _bytes_in_file(facts)
    size = Bytes(0 if stays_there(facts, placement) else result, 0 if placement is None else placement.bytes_on_host)
    work, other = _work(facts, result), _runs(method, facts)
    found = model.on_gpus(facts, work, placement, gpus)
    seconds = found.seconds if other is None else seconds_of(other, statistics, work, facts.constants)
    rates, threads = found.rates, method.threads_of(facts.threads)
    return Candidate(method, "cuda", seconds, threads, size, placement, rates, rates.origin)


def _emulated(method: Method, facts: Facts) -> Candidate:
    """Return the candidate on emulated GPUs, which use host memory."""
    from apsp.planning.emulated_cost import seconds_emulated

    facts = facts.on("emulated")
    statistics, machine, request = facts.statistics, facts.machine, facts.request
    gpus = chosen_gpus(request.gpus, machine.gpus)
    placement = registry.costs(method).place(facts, gpus)
    result = result_bytes(facts) - _bytes_in_file(facts)
    on_gpus = 0 if placement is None else placement.bytes_on_host + placement.bytes_on_gpu * len(gpus)
    seconds, origin = seconds_emulated(method, statistics, _work(facts, result), placement)
    threads = method.threads_of(facts.threads)
    return Candidate(method, "emulated", seconds, threads, Bytes(result, on_gpus), placement, origin=origin)


def _bytes_in_file(facts: Facts) -> int:
    """Return the bytes of the result that are stored in the file of pages."""
    request, n = facts.request, facts.statistics.n
    whole = request.sources is None and request.targets is None and not request.out_given and not request.by_rows
    return n * n * np.dtype(facts.dtype).itemsize if request.pages_file is not None and whole else 0


def _work(facts: Facts, output_bytes: int) -> Work:
    statistics, machine, request = facts.statistics, facts.machine, facts.request
    return Work(
        rows=facts.rows,
        threads=min(facts.threads, machine.cores),
        dtype=facts.dtype,
        paths=request.paths,
        output_bytes=output_bytes,
        physical=machine.physical,
        block=block_rows(statistics, machine, request, facts.dtype, facts.threads),
        share=request.share,
    )
