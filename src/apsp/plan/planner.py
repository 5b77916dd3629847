"""The choice: (graph statistics, machine, request, constants) -> Plan. A pure function; `plan_for` gathers its inputs.

The order of decisions: device, threads, dtype (by proof), the methods that accept the request, the cheapest of them
in seconds that fits into memory.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from apsp.cuda import jit
from apsp.errors import DeviceError, DtypeRangeError, MemoryLimitError, MethodRefusedError
from apsp.graph.model import Graph
from apsp.plan.constants import Constants, load_constants
from apsp.plan.cost import Work, seconds_of, seconds_on_gpu
from apsp.plan.devices import chosen_gpus, gpu_memory_from
from apsp.plan.dtypes import INTEGER_DTYPES, bound_of, choose_dtype, holds
from apsp.plan.machine import Machine, detect_gpus, threads_from
from apsp.plan.memory import HEADROOM, Bytes, block_rows, bytes_of, bytes_on_gpu, remedies, usable
from apsp.plan.plan import Plan
from apsp.plan.request import Request
from apsp.plan.statistics import GraphStatistics, statistics_of
from apsp.plan.words import duration, graph_words, memory_words, request_words
from apsp.solvers import registry
from apsp.solvers.registry import Method

__all__ = ["Plan", "Request", "make_plan", "plan_for"]


def plan_for(graph: Graph, request: Request | None = None) -> Plan:
    """Plan a request on a graph, on this machine, with the constants in force.

    Raises
    ------
    RequestError, DtypeRangeError, MethodRefusedError, UnknownMethodError, DeviceError, MemoryLimitError
        As `make_plan`, and if APSP_NUM_THREADS is no number.
    NegativeCycleError
        If the proof of the distance bound meets a negative cycle.
    """
    request = Request() if request is None else request
    machine = Machine.detect()
    if request.device == "cuda":
        jit.cupy()  # says what is missing, if something is
        machine = replace(machine, gpus=detect_gpus())
    request = replace(
        request,
        threads=threads_from(request.threads, machine.cores),
        gpu_memory=gpu_memory_from(request.gpu_memory),
    )
    if request.method != "auto":
        registry.get(request.method)  # a misspelt name is told before the arcs are looked at
    statistics = statistics_of(graph, sums=request.semiring.join == "add")
    return make_plan(statistics, machine, request, load_constants(machine.isa))


def make_plan(statistics: GraphStatistics, machine: Machine, request: Request, constants: Constants) -> Plan:
    """Decide what runs. No graph, no clock, no files: the same inputs give the same plan.

    Raises
    ------
    DeviceError
        If a GPU is asked for and the machine has none.
    UnknownMethodError, MethodRefusedError
        If the named method does not exist, or cannot do this; or if no method can.
    DtypeRangeError
        If the dtype cannot be proven to hold every distance.
    MemoryLimitError
        If no choice fits into the available memory; the message lists what would fit.
    """
    device = _device(request, machine)
    gpus = chosen_gpus(request.gpus, machine.gpus) if device == "cuda" else ()
    threads = request.threads or machine.cores
    if request.method != "auto":
        registry.get(request.method)
    dtype, why_dtype = _dtype(statistics, request)
    candidates, rejected = _candidates(statistics, machine, request, constants, dtype, threads)
    if not candidates:
        _refuse(statistics, request, dtype, rejected)
    fitting = [candidate for candidate in candidates if candidate.bytes.total <= usable(machine)]
    if not fitting:
        _too_large(statistics, machine, request, dtype, threads, min(candidates, key=lambda c: c.bytes.total))
    best = min(fitting, key=lambda candidate: candidate.seconds)
    rejected += [(c.method.name, _lost(c, best, machine)) for c in candidates if c is not best]
    if device == "cuda":
        _check_gpu_memory(statistics, machine, dtype)
    rows = block_rows(statistics, machine, request, dtype, threads)
    return Plan(
        method=best.method.name,
        device=device,
        dtype=np.dtype(dtype),
        threads=threads,
        block_rows=_rows(statistics, request) if rows is None else rows,
        seconds=best.seconds,
        bytes_output=best.bytes.output,
        bytes_work=best.bytes.work,
        bytes_available=machine.memory_available,
        bound=bound_of(statistics, request),
        reasons=(
            graph_words(statistics),
            *request_words(statistics, request, rows),
            _why_method(best, fitting, request),
            _where(device, machine, threads),
            why_dtype,
            memory_words(best.bytes, machine),
            _expected(best, request, constants),
            *([f"Note: {constants.note}."] if constants.note else []),
        ),
        rejected=tuple(rejected),
        gpus=gpus,
        gpu_memory=request.gpu_memory if gpus else None,
        pages_file=request.pages_file,
    )


@dataclass(frozen=True)
class _Candidate:
    method: Method
    seconds: float
    bytes: Bytes


def _device(request: Request, machine: Machine) -> str:
    if request.device == "cuda" and not machine.gpus:
        raise DeviceError("device='cuda': this machine has no GPU; use device='cpu' (or leave device out)")
    return "cuda" if request.device == "cuda" else "cpu"


def _where(device: str, machine: Machine, threads: int) -> str:
    on_cpu = f"{threads} thread{'s' if threads != 1 else ''} of the CPU with {machine.isa} kernels"
    if device == "cpu":
        return f"It runs on {on_cpu}."
    return (
        f"It runs on GPU 0, {machine.gpus[0].name}; the result is copied to the host, and paths are found on {on_cpu}."
    )


def _check_gpu_memory(statistics: GraphStatistics, machine: Machine, dtype: str) -> None:
    needed, free = bytes_on_gpu(statistics, dtype), machine.gpus[0].memory_free
    if needed > free * (1 - HEADROOM):
        largest = math.isqrt(int(free * (1 - HEADROOM) / np.dtype(dtype).itemsize)) * 31 // 32
        raise MemoryLimitError(
            f"{statistics.n:,} x {statistics.n:,} distances in {dtype} on {machine.gpus[0].name}",
            needed, free, ["device='cpu'", f"a dense graph of at most {largest:,} vertices"],
        )  # fmt: skip


def _dtype(statistics: GraphStatistics, request: Request) -> tuple[str, str]:
    """Choose the dtype; a method named without a dtype gets the narrowest proven one that it computes in."""
    dtype, why = choose_dtype(statistics, request)
    if request.method == "auto" or request.dtype != "auto" or dtype not in INTEGER_DTYPES:
        return dtype, why
    accepted = registry.get(request.method).dtypes
    for name in INTEGER_DTYPES[INTEGER_DTYPES.index(dtype) :]:
        if name in accepted and holds(name, statistics, request):
            return (dtype, why) if name == dtype else (name, why.replace(dtype, f"{name} (as {request.method} needs)"))
    return dtype, why


def _candidates(
    statistics: GraphStatistics, machine: Machine, request: Request, constants: Constants, dtype: str, threads: int
) -> tuple[list[_Candidate], list[tuple[str, str]]]:
    """The methods that accept the request, with their costs; and the others, with their reasons."""
    accepted, rejected = [], []
    for method in registry.METHODS.values():
        if request.method == "auto" and not method.automatic:
            continue
        if request.method not in ("auto", method.name):
            continue
        reason = _refusal(method, statistics, request, dtype)
        if reason is not None:
            rejected.append((method.name, f"refused: {reason}"))
            continue
        if request.method == "auto" and _is_superfluous(method, statistics):
            rejected.append((method.name, "not needed: the graph has no negative arcs"))
            continue
        size = bytes_of(method, statistics, machine, request, dtype, threads)
        work = Work(
            rows=_rows(statistics, request),
            threads=min(threads, machine.cores),
            dtype=dtype,
            paths=request.paths,
            output_bytes=size.output,
        )
        on_gpu = request.device == "cuda"
        seconds = (
            seconds_on_gpu(statistics, work, constants) if on_gpu else seconds_of(method, statistics, work, constants)
        )
        accepted.append(_Candidate(method, seconds, size))
    return accepted, rejected


def _refusal(method: Method, statistics: GraphStatistics, request: Request, dtype: str) -> str | None:
    return registry.refusal(
        method,
        statistics,
        np.dtype(dtype),
        semiring=request.semiring,
        device="cuda" if request.device == "cuda" else "cpu",
        by_rows=request.by_rows,
        in_file=request.pages_file is not None,
    )


def _is_superfluous(method: Method, statistics: GraphStatistics) -> bool:
    """Row methods for negative arcs only add a step to the others where there are none."""
    return method.family == "sparse" and method.negative and not statistics.has_negative_arc


def _refuse(statistics: GraphStatistics, request: Request, dtype: str, rejected: list[tuple[str, str]]) -> None:
    accepting = [
        method.name
        for method in registry.METHODS.values()
        if method.automatic and _refusal(method, statistics, request, dtype) is None
    ]
    if request.method == "auto":
        reason = "; ".join(f"{name}: {why.removeprefix('refused: ')}" for name, why in rejected)
        raise MethodRefusedError("auto", reason, accepting)
    raise MethodRefusedError(request.method, rejected[0][1].removeprefix("refused: "), accepting)


def _too_large(
    statistics: GraphStatistics, machine: Machine, request: Request, dtype: str, threads: int, smallest: _Candidate
) -> None:
    def size_of(changed: Request) -> Bytes | None:
        """Of the method that needs least memory; a changed way to ask may need another method than the named one."""
        try:
            kind, _ = choose_dtype(statistics, changed)
        except DtypeRangeError:
            return None
        sizes = [
            bytes_of(method, statistics, machine, changed, kind, threads)
            for method in registry.METHODS.values()
            if (method.automatic or method.name == changed.method)
            and (changed.method in ("auto", method.name) or changed.by_rows)
            and _refusal(method, statistics, changed, kind) is None
        ]
        return min(sizes, key=lambda size: size.total, default=None)

    rows = _rows(statistics, request)
    columns = statistics.n if request.targets is None else request.targets
    paths = " with predecessors" if request.paths else ""
    block = block_rows(statistics, machine, request, dtype, threads)
    what = f"{rows:,} x {columns:,}" if block is None else f"a stream of blocks of {block:,} x {columns:,}"
    raise MemoryLimitError(
        f"{what} distances in {dtype}{paths} by {smallest.method.name}",
        smallest.bytes.total,
        machine.memory_available,
        remedies(size_of, statistics, machine, request, dtype),
    )


def _expected(best: _Candidate, request: Request, constants: Constants) -> str:
    limit = "about" if request.cutoff is None else "at most"
    return f"Expected time: {limit} {duration(best.seconds)} ({constants.origin})."


def _rows(statistics: GraphStatistics, request: Request) -> int:
    return statistics.n if request.sources is None else request.sources


def _lost(candidate: _Candidate, best: _Candidate, machine: Machine) -> str:
    if candidate.bytes.total > usable(machine):
        return f"too large: it needs {memory_words(candidate.bytes)}"
    return f"slower: about {duration(candidate.seconds)}, {candidate.seconds / best.seconds:.1f} times as long"


def _why_method(best: _Candidate, fitting: list[_Candidate], request: Request) -> str:
    name, summary = best.method.name, best.method.summary
    if request.method != "auto":
        return f"Method: {name}, as asked ({summary})."
    if len(fitting) == 1:
        return f"Method: {name} ({summary}), the only one that accepts this request and fits into memory."
    return (
        f"Method: {name} ({summary}), the fastest of the {len(fitting)} that accept this request and fit into memory."
    )
