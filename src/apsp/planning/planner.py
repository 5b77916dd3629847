"""The choice: (graph statistics, machine, request, constants) -> Plan. A pure function; `plan_for` gathers its inputs.

The order of decisions: GPUs, threads, dtype (by proof), the methods and devices that accept the request, the cheapest
of them in seconds that fits into memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from apsp.errors import ApspError, DeviceError, MemoryLimitError, MethodRefusedError
from apsp.facts.constants import Constants, load_constants
from apsp.facts.depth import pays_to_probe, with_depth
from apsp.facts.devices import chosen_gpus, gpu_memory_from
from apsp.facts.dtypes import bound_of
from apsp.facts.facts import Facts
from apsp.facts.gpu_rates import rates_of
from apsp.facts.placement import usable_on
from apsp.facts.request import Request
from apsp.facts.result_bytes import block_rows
from apsp.facts.statistics import GraphStatistics, statistics_of
from apsp.gpu.gpus import with_gpus
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.cost import SoFar
from apsp.planning.candidates import Candidate, all_candidates, candidate, gpus_could
from apsp.planning.dtype_choice import decide_dtype
from apsp.planning.explanation import reasons_of, why_lost
from apsp.planning.plan import Plan
from apsp.planning.refusals import refuse, refuse_size
from apsp.planning.small import Choice, small_choice
from apsp.system.machine import Machine, threads_named
from apsp.system.thread_limit import threads_by_default

__all__ = ["Plan", "Request", "make_plan", "plan_for", "plan_on"]

LOOK_FROM = 3.0
"""Seconds on the CPU from which on GPUs are detected, which takes about one second."""


def plan_for(graph: Graph, request: Request | None = None) -> Plan:
    """Plan a request on a graph, on this machine, with the constants in force.

    With device='auto', GPUs are detected only if the CPU would take long, since detection takes a second.

    Raises
    ------
    RequestError, DtypeRangeError, MethodRefusedError, UnknownMethodError, DeviceError, MemoryLimitError
        As `make_plan`, and if APSP_NUM_THREADS or APSP_GPU_MEMORY is not a number.
    NegativeCycleError
        If the proof of the distance bound meets a negative cycle.
    """
    request = Request() if request is None else request
    machine = Machine.detect()
    if request.device == "cuda":
        machine = with_gpus(machine)
    return plan_on(graph, request, machine, load_constants(machine.isa), look=with_gpus)


def plan_on(
    graph: Graph,
    request: Request,
    machine: Machine,
    constants: Constants,
    look: Callable[[Machine], Machine] | None = None,
) -> Plan:
    """Plan a request on a graph, on this or another machine.

    Parameters
    ----------
    look : callable, optional
        Detects the GPUs of the machine; called if the CPU would take long and no device is named.
    """
    request = replace(
        request,
        threads=threads_named(request.threads),
        gpu_memory=gpu_memory_from(request.gpu_memory),
    )
    if request.method != "auto":
        registry.get(request.method)  # a misspelt name is an error before the arcs are read
    sums = request.semiring.join == "add"
    statistics = statistics_of(graph, sums=sums)
    small = small_choice(graph, statistics, request)
    if small is not None:
        return make_plan(statistics, machine, request, constants, small=small)
    decided, refused = _tried(statistics, machine, request, constants)
    if decided is not None and decided.device != "emulated" and pays_to_probe(statistics, decided.seconds):
        statistics = with_depth(statistics, graph, sums=sums)
        decided, refused = _tried(statistics, machine, request, constants)
    for model in registry.probing():
        dtype, _ = decide_dtype(statistics, request)
        facts = _facts(statistics, machine, request, constants, dtype)
        closer = model.probe(graph, facts, _so_far(decided, machine))
        if closer is not statistics:
            statistics = closer
            decided, refused = _tried(statistics, machine, request, constants)
    slow = decided is None or decided.device == "emulated" or decided.seconds >= LOOK_FROM
    if (
        look is not None
        and slow
        and request.device == "auto"
        and gpus_could(statistics, request, decide_dtype(statistics, request)[0])
    ):
        return make_plan(statistics, look(machine), request, constants)
    if decided is None:
        assert refused is not None
        raise refused
    return decided


def _facts(statistics: GraphStatistics, machine: Machine, request: Request, constants: Constants, dtype: str) -> Facts:
    return Facts(statistics, machine, request, constants, dtype, request.threads or threads_by_default(machine.cores))


def _so_far(decided: Plan | None, machine: Machine) -> SoFar | None:
    """The best plan so far, for methods that examine the graph."""
    if decided is None:
        return None
    on_gpu = decided.device == "cuda" and decided.gpus
    started = rates_of(machine.gpus[decided.gpus[0]]).start if on_gpu else None
    in_lanes = registry.costs(registry.get(decided.method)).in_lanes
    return SoFar(decided.seconds, started, in_lanes, decided.dtype.itemsize)


def _tried(
    statistics: GraphStatistics, machine: Machine, request: Request, constants: Constants
) -> tuple[Plan | None, ApspError | None]:
    """Return a plan, or the error without one; later steps (GPU detection, probes) may still find one."""
    try:
        return make_plan(statistics, machine, request, constants), None
    except (MemoryLimitError, MethodRefusedError) as error:
        return None, error


def make_plan(
    statistics: GraphStatistics,
    machine: Machine,
    request: Request,
    constants: Constants,
    *,
    small: Choice | None = None,
) -> Plan:
    """Decide what runs. No graph, no clock, no files: the same inputs give the same plan.

    Parameters
    ----------
    small : Choice, optional
        The method that does small work without a comparison, and its device.

    Raises
    ------
    DeviceError
        If a GPU is requested that the machine does not have.
    UnknownMethodError, MethodRefusedError
        If the named method does not exist or cannot be used, or if no method can.
    DtypeRangeError
        If the dtype cannot be proven to hold every distance.
    MemoryLimitError
        If no choice fits into the available memory; the message lists what would fit.
    """
    if request.device == "cuda":
        if not machine.gpus:
            why = machine.no_gpu or "this machine has no GPU"
            raise DeviceError(f"device='cuda': {why}; {_without_gpus(request.method)}")
        chosen_gpus(request.gpus, machine.gpus)
    if request.method != "auto":
        registry.get(request.method)
    dtype, why_dtype = decide_dtype(statistics, request)
    facts = _facts(statistics, machine, request, constants, dtype)
    candidates, rejected = (
        all_candidates(facts) if small is None else ([candidate(small.method, facts, small.device)], [])
    )
    if not candidates:
        refuse(facts, rejected)
    fitting = [each for each in candidates if each.fits(machine)]
    if not fitting:
        refuse_size(facts, min(candidates, key=lambda each: each.bytes.total))
    best = min(fitting, key=lambda each: each.seconds)
    rejected += [(c.name, why_lost(c, best, facts)) for c in candidates if c is not best]
    rows = block_rows(statistics, machine, request, dtype, facts.threads)
    placement = best.placement
    gpu_memory = None if placement is None else request.gpu_memory
    if best.device == "emulated" and gpu_memory is None:
        gpu_memory = usable_on(facts.on("emulated").machine.gpus[0], None)
    return Plan(
        method=best.method.name,
        device=best.device,
        dtype=np.dtype(dtype),
        threads=best.threads,
        block_rows=facts.rows if rows is None else rows,
        seconds=best.seconds,
        bytes_output=best.bytes.output,
        bytes_work=best.bytes.work,
        bytes_available=machine.memory_available,
        bound=bound_of(statistics, request),
        reasons=reasons_of(facts, best, len(fitting) if small is None else None, why_dtype, rows),
        rejected=tuple(rejected),
        gpus=() if placement is None else placement.gpus,
        gpu_memory=gpu_memory,
        pages_file=request.pages_file,
        matrix_in=_matrix_in(best, request),
        bytes_on_gpu=0 if placement is None else placement.bytes_on_gpu,
        purpose=request.mode if request.by_rows else "solve",
    )


def _without_gpus(method: str) -> str:
    """Return the remedy without a GPU; an unknown method raises an error later."""
    row = registry.METHODS.get(method)
    if row is not None and "cpu" not in row.devices:
        return f"{method} runs on GPUs only: device='emulated' runs its kernels on this CPU"
    return "use device='cpu' (or leave device out)"


def _matrix_in(best: Candidate, request: Request) -> str:
    if best.placement is not None:
        return best.placement.where
    return "host" if request.pages_file is None else "file"
