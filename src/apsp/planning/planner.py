"""The choice: (graph statistics, machine, request, constants) -> Plan. A pure function; `plan_for` gathers its inputs.

The order of decisions: GPUs, threads, dtype (by proof), the methods and devices that accept the request, the cheapest
of them in seconds that fits into memory.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import numpy as np

from apsp.errors import ApspError, MemoryLimitError, MethodRefusedError
from apsp.facts.constants import Constants, load_constants
from apsp.facts.depth import pays_in_any_case, pays_to_probe, with_depth
from apsp.facts.devices import gpu_memory_from
from apsp.facts.gpu_rates import rates_of
from apsp.facts.one_gpu import LOOK_FROM
from apsp.facts.request import Request
from apsp.facts.statistics import GraphStatistics, statistics_of
from apsp.gpu.gpus import with_gpus
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.cost import SoFar
from apsp.planning.candidates import gpus_could
from apsp.planning.decision import Decision, decide, facts_for
from apsp.planning.dtype_choice import decide_dtype
from apsp.planning.plan import Plan
from apsp.planning.small import SmallChoice, small_choice
from apsp.system.machine import Machine, threads_named
from apsp.system.threads import Threads

__all__ = ["Plan", "Request", "decision_for", "make_plan", "plan_for", "plan_on"]

_ARCS_TO_EXAMINE = 1 << 17
"""From which on it takes longer to examine a graph than to start a thread."""


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
    return decision_for(graph, Request() if request is None else request).plan()


def decision_for(graph: Graph, request: Request, *, coarse: bool = False) -> Decision:
    """Decide a request as `plan_for`, which adds sentences.

    Parameters
    ----------
    coarse : bool
        As of `statistics_of`.
    """
    machine = Machine.detect()
    if request.device == "cuda":
        machine = _with_gpus_started(machine, graph, request, coarse=coarse)
    return _decision_on(graph, request, machine, load_constants(machine.isa), with_gpus, coarse=coarse)


def _with_gpus_started(machine: Machine, graph: Graph, request: Request, *, coarse: bool) -> Machine:
    """Detect the GPUs; the first call of a process on a large graph starts CUDA while the graph is examined."""
    if "cupy" in sys.modules or graph.m < _ARCS_TO_EXAMINE:
        return with_gpus(machine)
    with Threads(1, "apsp-cuda") as threads:
        detected = threads.submit(with_gpus, machine)
        with suppress(ApspError):  # raised again, after an error of the request
            statistics_of(graph, sums=request.semiring.join == "add", coarse=coarse)  # kept with the graph
        return detected.result()


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
    return _decision_on(graph, request, machine, constants, look).plan()


def _decision_on(
    graph: Graph, request: Request, machine: Machine, constants: Constants,
    look: Callable[[Machine], Machine] | None, *, coarse: bool = False,
) -> Decision:  # fmt: skip
    request = replace(
        request,
        threads=threads_named(request.threads),
        gpu_memory=gpu_memory_from(request.gpu_memory),
    )
    if request.method != "auto":
        registry.get(request.method)  # a misspelt name is an error before the arcs are read
    sums = request.semiring.join == "add"
    statistics = statistics_of(graph, sums=sums, coarse=coarse)
    small = small_choice(graph, statistics, request)
    if small is not None:
        return decide(statistics, machine, request, constants, small=small)
    if (
        request.method == "auto"
        and request.device in ("auto", "cpu")
        and pays_in_any_case(statistics, graph.n * (graph.n if request.sources is None else request.sources))
    ):
        statistics = with_depth(statistics, graph, sums=sums)
    decision, refused = _tried(statistics, machine, request, constants)
    if decision is not None and decision.best.device != "emulated" and pays_to_probe(statistics, decision.best.seconds):
        statistics = with_depth(statistics, graph, sums=sums)
        decision, refused = _tried(statistics, machine, request, constants)
    for model in registry.probing():
        dtype, _ = decide_dtype(statistics, request)
        facts = facts_for(statistics, machine, request, constants, dtype)
        closer = model.probe(graph, facts, _so_far(decision))
        if closer is not statistics:
            statistics = closer
            decision, refused = _tried(statistics, machine, request, constants)
    slow = decision is None or decision.best.device == "emulated" or decision.best.seconds >= LOOK_FROM
    if (
        look is not None
        and slow
        and request.device == "auto"
        and gpus_could(statistics, request, decide_dtype(statistics, request)[0])
    ):
        return decide(statistics, look(machine), request, constants)
    if decision is None:
        assert refused is not None
        raise refused
    return decision


def _so_far(decision: Decision | None) -> SoFar | None:
    """The best decision so far, for methods that examine the graph."""
    if decision is None:
        return None
    facts, best = decision.facts, decision.best
    on_gpu = best.device == "cuda" and best.placement is not None and best.placement.gpus
    started = rates_of(facts.machine.gpus[on_gpu[0]]).start if on_gpu else None
    return SoFar(best.seconds, started, registry.costs(best.method).in_lanes, np.dtype(facts.dtype).itemsize)


def _tried(
    statistics: GraphStatistics, machine: Machine, request: Request, constants: Constants
) -> tuple[Decision | None, ApspError | None]:
    """Return a decision, or the error without one; later steps (GPU detection, probes) may still find one."""
    try:
        return decide(statistics, machine, request, constants), None
    except (MemoryLimitError, MethodRefusedError) as error:
        return None, error


def make_plan(
    statistics: GraphStatistics,
    machine: Machine,
    request: Request,
    constants: Constants,
    *,
    small: SmallChoice | None = None,
) -> Plan:
    """Decide what runs. No graph, no clock, no files: the same inputs give the same plan.

    Parameters
    ----------
    small : SmallChoice, optional
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
    return decide(statistics, machine, request, constants, small=small).plan()
