"""The choice for a transitive closure, by the cost models of its methods, and its plan.

The order of decisions: the cheapest method on the CPU, unless a GPU is named; a GPU if the CPU would take long; what
fits into memory.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

import numpy as np

from apsp.errors import DeviceError, MemoryLimitError, MethodRefusedError
from apsp.facts.bounds import DistanceBound
from apsp.facts.devices import chosen_gpus, gpu_memory_from
from apsp.facts.emulated import with_emulated_gpus
from apsp.facts.placement import Placement, usable_on
from apsp.facts.request import Request
from apsp.facts.result_bytes import Bytes
from apsp.facts.statistics import statistics_of
from apsp.gpu.gpus import with_gpus
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.closure_cost import ClosureWork
from apsp.methods.method import Method
from apsp.planning.candidates import WAKING, Candidate, threads_that_pay
from apsp.planning.decision import without_gpus
from apsp.planning.explanation import on_cpu, on_gpus, why_lost
from apsp.planning.plan import Plan
from apsp.planning.reason import Reason, reason
from apsp.semiring import OR_AND
from apsp.system.limits import allowed_cores
from apsp.system.machine import Machine, threads_named, usable
from apsp.system.thread_limit import threads_by_default

__all__ = ["ClosureChoice", "choose_closure", "plan_closure", "work_of"]

_BITS = np.dtype(np.bool_)
_BOUND = DistanceBound(0, 1, "a bit is 0 or 1")

_UNCHECKED_BYTES = 4 << 20
"""Bits that are so small are not compared with the memory of the machine, which takes longer to look up than they do to
compute."""

_DENSE = 256
"""Vertices without arcs are counted where there are at least n^2 / 256 arcs: there the choice may depend on them."""

_DETECTION, _DETECTION_AGAIN = 1.2, 0.01
"""Seconds that the detection of GPUs takes: about one, and 0.2 for the start of CUDA; and if this process has started
CUDA already. GPUs are detected where the CPU takes as long. That is sooner than for distances
(`apsp.facts.one_gpu.LOOK_FROM`): a GPU closes in milliseconds what takes the CPU a second."""


@dataclass(frozen=True)
class ClosureChoice:
    """The cheapest way that fits into memory, and what it was compared with.

    Attributes
    ----------
    request : Request
    work : ClosureWork
    machine : Machine or None
        None if the work is so small that nothing about the machine matters.
    best : Candidate
    compared : int
        Number of ways that fit.
    others : list of Candidate
    rejected : list of (str, Reason)
        Methods that do not accept the request, and why.
    """

    request: Request
    work: ClosureWork
    machine: Machine | None
    best: Candidate
    compared: int
    others: list[Candidate]
    rejected: list[tuple[str, Reason]]


def plan_closure(graph: Graph, request: Request, *, explained: bool = True) -> Plan:
    """Plan the reachability of all pairs, a bit each, on this machine.

    Parameters
    ----------
    graph : Graph
    request : Request
        Method, device, gpu_memory, pages_file and threads.
    explained : bool
        With reasons, which take longer than small work.

    Raises
    ------
    UnknownMethodError, MethodRefusedError
        If the named method does not exist or cannot be used, or if no method can.
    DeviceError
        If a GPU is named that the machine does not have.
    MemoryLimitError
        If nothing fits into memory; the message lists what would fit.
    RequestError
        If APSP_NUM_THREADS or APSP_GPU_MEMORY is not a number.
    """
    limit, threads = gpu_memory_from(request.gpu_memory), threads_named(request.threads)
    if limit != request.gpu_memory or threads != request.threads:
        request = replace(request, gpu_memory=limit, threads=threads)
    work = work_of(graph, request)
    small = request.method == "auto" and request.device in ("auto", "cpu") and request.pages_file is None
    small = small and work.bytes_bits < _UNCHECKED_BYTES
    choice = choose_closure(work, request, None if small and not explained else Machine.detect(), with_gpus)
    return _plan_of(choice, graph if explained else None)


def work_of(graph: Graph, request: Request) -> ClosureWork:
    """Return what the cost depends on."""
    n, m = graph.n, graph.m
    counted = graph.directed and m * _DENSE > n * n
    sinks = int(np.count_nonzero(graph.indptr[1:] == graph.indptr[:-1])) if counted else None
    return ClosureWork(
        n, m, sinks, graph.directed, graph.has_zones, request.pages_file is not None,
        request.device == "cuda" and len(request.gpus) <= 1, request.gpu_memory, "cupy" in sys.modules,
    )  # fmt: skip


def choose_closure(
    work: ClosureWork, request: Request, machine: Machine | None, look: Callable[[Machine], Machine]
) -> ClosureChoice:
    """Choose the method and the device: the same arguments give the same choice. Errors are those of `plan_closure`.

    Parameters
    ----------
    machine : Machine or None
        None if nothing about it matters unless the CPU takes long.
    look : callable
        Returns the machine with its GPUs; called if the CPU would take long, or a GPU is named.
    """
    rows = tuple(registry.considered(request.method, registry.CLOSURES))
    without_cpu = not any("cpu" in row.devices for row in rows)
    if request.device == "cuda" or (request.device == "auto" and without_cpu):
        assert machine is not None
        machine = look(machine)
        if request.device == "cuda" and not machine.gpus:
            why = machine.no_gpu or "this machine has no GPU"
            remedy = without_gpus(None if request.method == "auto" else rows[0])
            raise DeviceError(f"device={request.named_device!r}: {why}; {remedy}")
    if request.device != "auto":
        devices: tuple[str, ...] = (request.device,)
    elif without_cpu:
        devices = ("cuda",) if machine is not None and machine.gpus else ("emulated",)
    else:
        devices = ("cpu",)
    candidates, rejected = _candidates(rows, devices, work, request, machine)
    slow = min((each.seconds for each in candidates if _fits(each, machine)), default=0.0)
    detection = _DETECTION_AGAIN if work.started else _DETECTION
    if devices == ("cpu",) and request.device == "auto" and slow >= detection:
        machine = look(machine or Machine.detect())
        if machine.gpus:
            more = _candidates(rows, ("cuda",), work, request, machine)
            candidates, rejected = candidates + more[0], rejected + more[1]
    if not candidates:
        _refuse(work, request, rejected)
    fitting = [each for each in candidates if _fits(each, machine)]
    if not fitting:
        assert machine is not None
        _refuse_size(work, request, machine, candidates)
    best = min(fitting, key=lambda each: each.seconds)
    others = [each for each in candidates if each is not best]
    return ClosureChoice(request, work, machine, best, len(fitting), others, rejected)


def _candidates(
    rows: Sequence[Method], devices: Sequence[str], work: ClosureWork, request: Request, machine: Machine | None
) -> tuple[list[Candidate], list[tuple[str, Reason]]]:
    """Return the methods that accept the request on these devices, with costs, and the others, with reasons."""
    accepted, rejected = [], []
    for row in rows:
        for device in devices:
            refused = _refusal(row, work, device)
            if refused is not None:
                label = f"{row.name} on {device}" if request.device == "auto" and device != "cpu" else row.name
                rejected.append((label, reason("refused", why=refused)))
            elif device == "cpu":
                accepted.append(_on_cpu(row, work, request, None if machine is None else usable(machine)))
            else:
                assert machine is not None
                accepted.append(_on_gpus(row, device, work, request, machine))
    return accepted, rejected


def _refusal(row: Method, work: ClosureWork, device: str) -> str | None:
    refused = registry.refusal(row, _ANY, _BITS, semiring=OR_AND, device=device, in_file=work.in_file)
    return refused or registry.closure_costs(row).refuses(work)


class _AnyGraph:
    """Weights are ignored."""

    is_weighted = has_negative_arc = False


_ANY = _AnyGraph()


def _on_cpu(row: Method, work: ClosureWork, request: Request, free: int | None) -> Candidate:
    model = registry.closure_costs(row)

    def seconds_with(threads: int) -> float:
        return model.on_cpu(work, threads, free).seconds + WAKING * (threads - 1)

    threads = request.threads or 1
    seconds = seconds_with(threads)
    if request.threads is None and seconds > WAKING:
        threads, seconds = threads_that_pay(seconds_with, 1, threads_by_default(allowed_cores()))
    output = 0 if work.in_file else work.bytes_bits
    return Candidate(row, "cpu", seconds, threads, Bytes(output, model.on_cpu(work, threads, free).bytes_work))


def _on_gpus(row: Method, device: str, work: ClosureWork, request: Request, machine: Machine) -> Candidate:
    """Return the candidate on real or emulated GPUs; the memory of the latter is host memory."""
    machine = _with_emulated(machine, request, device)
    cost = registry.closure_costs(row).on_gpus(work, machine, chosen_gpus(request.gpus, machine.gpus))
    placement, on_host = cost.placement, cost.bytes_work
    if device == "emulated" and placement is not None:
        on_host += placement.bytes_on_gpu * len(placement.gpus)
    stays = work.in_file or _stays(work, placement)
    threads = request.threads or threads_by_default(allowed_cores())
    size = Bytes(0 if stays else work.bytes_bits, on_host)
    return Candidate(row, device, cost.seconds, threads, size, placement, origin=cost.origin)


def _with_emulated(machine: Machine, request: Request, device: str) -> Machine:
    return with_emulated_gpus(machine, request) if device == "emulated" else machine


def _stays(work: ClosureWork, placement: Placement | None) -> bool:
    """Whether the bits stay on the GPU."""
    return work.stays and placement is not None and placement.where == "device"


def _fits(candidate: Candidate, machine: Machine | None) -> bool:
    return machine is None or candidate.fits(machine)


# -- errors -----------------------------------------------------------------------------------------------------------


def _refuse(work: ClosureWork, request: Request, rejected: Sequence[tuple[str, Reason]]) -> NoReturn:
    """Raise MethodRefusedError with the reasons, and the methods that accept the request."""
    device = "cpu" if request.device == "auto" else request.device
    rows = registry.CLOSURES.values() if device == "emulated" else registry.CLOSURES.automatic()
    accepting = [row.name for row in rows if _refusal(row, work, device) is None]
    why = "; ".join(str(each.values["why"]) for _, each in rejected)
    if request.method == "auto" and device == "emulated" and accepting:
        why = "no method is chosen automatically for an emulated GPU: name one"
    elif not accepting:
        why += f", and no other method does this on {device} (leave device out)"
        accepting = [row.name for row in registry.CLOSURES.automatic() if _refusal(row, work, "cpu") is None]
    raise MethodRefusedError(request.method, why, accepting)


def _refuse_size(work: ClosureWork, request: Request, machine: Machine, candidates: list[Candidate]) -> NoReturn:
    """Raise MemoryLimitError with what would fit."""
    smallest = min(candidates, key=lambda each: each.bytes.total)
    how, free = "at one bit each" if request.method == "auto" else f"by {request.method}", usable(machine)
    what = f"the reachability of {work.n:,} x {work.n:,} pairs {how}"
    if smallest.device != "cpu" and smallest.placement is None:
        machine = _with_emulated(machine, request, smallest.device)
        gpus = chosen_gpus(request.gpus, machine.gpus)
        cost = registry.closure_costs(smallest.method).on_gpus(work, machine, gpus)
        named = ", ".join(f"GPU {number} ({machine.gpus[number].words})" for number in gpus)
        limit = min(usable_on(machine.gpus[number], request.gpu_memory) for number in gpus)
        remedies = ["more gpu_memory", "more GPUs", "device='cpu'"]
        raise MemoryLimitError(f"{what} on {named} ({cost.beyond})", cost.bytes_one_gpu, limit, remedies)
    remedies = []
    if "cpu" not in smallest.method.devices and work.bytes_bits <= free:
        remedies.append("method='auto' with device='auto', which takes one bit per pair")
    if request.method == "auto" and not work.in_file:
        remedies.append("pages_file='FILE', the bits in a file")
    largest = int(work.n * (free / max(smallest.bytes.total, 1)) ** 0.5) // 64 * 64
    remedies += [
        f"a part of the graph of at most {largest:,} vertices",
        "apsp.stream with rows of the vertices of interest",
    ]
    raise MemoryLimitError(what, smallest.bytes.total, machine.memory_available, remedies)


# -- the plan ---------------------------------------------------------------------------------------------------------


def _plan_of(choice: ClosureChoice, graph: Graph | None) -> Plan:
    """Return the plan, with reasons if the graph is given."""
    request, work, machine, best = choice.request, choice.work, choice.machine, choice.best
    placement = best.placement
    gpu_memory = None if placement is None else request.gpu_memory
    why: tuple[Reason, ...] = ()
    why_not: tuple[tuple[str, Reason], ...] = ()
    if machine is not None:
        if best.device == "emulated" and gpu_memory is None:
            gpu_memory = usable_on(with_emulated_gpus(machine, request).gpus[0], None)
        if graph is not None:
            why = tuple(_reasons(graph, choice, machine))
            why_not = (*choice.rejected, *((each.name, why_lost(each, best, machine)) for each in choice.others))
    return Plan(
        method=best.method.name, device=best.device, dtype=_BITS, threads=best.threads, block_rows=work.n,
        seconds=best.seconds, bytes_output=best.bytes.output, bytes_work=best.bytes.work,
        bytes_available=0 if machine is None else machine.memory_available, bound=_BOUND, why=why, why_not=why_not,
        gpus=() if placement is None else placement.gpus, gpu_memory=gpu_memory, pages_file=request.pages_file,
        matrix_in=placement.where if placement is not None else "file" if work.in_file else "host",
        bytes_on_gpu=0 if placement is None else placement.bytes_on_gpu, purpose="reachable",
    )  # fmt: skip


def _reasons(graph: Graph, choice: ClosureChoice, machine: Machine) -> Iterator[Reason]:
    request, work, best = choice.request, choice.work, choice.best
    emulated, named = best.device == "emulated", request.method != "auto"
    yield reason("graph", statistics=statistics_of(graph, sums=False))
    yield reason("purpose", purpose="reachable")
    yield reason("method", name=best.method.name, summary=best.method.summary, compared=choice.compared, is_named=named)
    if best.placement is None:
        most = request.threads or threads_by_default(machine.cores)
        yield from on_cpu(best.threads, most, machine, request, lambda: "cuda" in best.method.devices)
    else:
        stays = _stays(work, best.placement)
        yield from on_gpus(best, _with_emulated(machine, request, best.device), request, stays=stays)
    yield reason(
        "memory", output=best.bytes.output, work=best.bytes.work, available=machine.memory_available,
        on_gpus=best.placement is not None and not emulated, emulated=emulated,
    )  # fmt: skip
    yield reason("expected", seconds=best.seconds, origin=best.origin)
