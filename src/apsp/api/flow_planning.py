"""`apsp.plan(for_="flows")`: what betweenness and flows of arcs would run, by this process or by workers."""

from __future__ import annotations

import numpy as np

from apsp._types import ExecutorLike, GraphLike, VerticesLike
from apsp.errors import RequestError
from apsp.facts.result_bytes import Bytes
from apsp.facts.statistics import statistics_of
from apsp.graph.accept import as_graph
from apsp.graph.model import Graph
from apsp.methods.flows.blocks import METHOD_WORDS, bytes_of_sums, flow_plan
from apsp.methods.flows.flows import Demand
from apsp.methods.problem import IntArray
from apsp.methods.source_plan import SourcePlan
from apsp.planning.plan import Plan
from apsp.planning.shared import SharedWork
from apsp.planning.words import duration, graph_words, memory_words
from apsp.running.arguments import positions_of
from apsp.semiring import MIN_PLUS
from apsp.system.arguments import longest_distance
from apsp.system.machine import Machine, threads_from

__all__ = ["plan_flows"]

_UNSET = ("auto", MIN_PLUS.name)


def plan_flows(
    graph: GraphLike,
    sources: VerticesLike | None,
    targets: VerticesLike | None,
    *,
    cutoff: float | None,
    device: str,
    threads: int | None,
    executor: ExecutorLike | None,
    **others: object,
) -> Plan:
    """Plan flows with ties divided, those of arcs included; parameters and errors are those of `apsp.plan`.

    Parameters
    ----------
    **others
        What flows do not have, with the values that `apsp.plan` has by default.
    """
    for name, given in others.items():
        if not any(given is default for default in (None, False)) and not (isinstance(given, str) and given in _UNSET):
            raise RequestError(f"for_='flows' plans betweenness and arc_flows, which have no {name}: leave it out")
    graph = as_graph(graph)
    rows = positions_of(graph, sources, "sources")
    positions_of(graph, targets, "targets")
    starts = np.arange(graph.n, dtype=np.int32) if rows is None else rows
    bound = None if cutoff is None else longest_distance(cutoff)
    if executor is None:
        decided = flow_plan(
            graph, len(starts), cutoff=bound, threads=threads_from(threads), device=device, split=True
        )  # fmt: skip
        where = f"on {decided.threads} thread{'s' if decided.threads != 1 else ''} of the CPU"
        where = where if decided.device == "cpu" else f"on a GPU ({decided.device})"
        seconds = decided.seconds_once + decided.seconds
        words = (f"It runs {where}.", f"Expected time: about {duration(seconds)} on the CPU.")
        return _plan(graph, len(starts), decided, seconds, words, None)
    decided, shared = _shared(executor, graph, starts, bound, device, threads)
    return _plan(graph, len(starts), decided, shared.seconds_in_all, shared.words(decided.device), shared)


def _shared(
    executor: ExecutorLike, graph: Graph, starts: IntArray, cutoff: float | None, device: str, threads: int | None
) -> tuple[SourcePlan, SharedWork]:
    from apsp.api.flow_job import FlowJob
    from apsp.api.worker_planning import OF_A_TASK, WORKERS_IF_UNKNOWN, size_of
    from apsp.facts.request import Request
    from apsp.running.workers.distribution import check_job, engine_for, gpus_to_claim, threads_of

    options = Request(device=device, threads=threads, executor=executor)
    demand = Demand(starts, np.ones(graph.n))
    job = FlowJob(graph, demand, options, {}, cutoff=cutoff)
    check_job(job)
    engine = engine_for(options)
    with engine.owned:
        each = threads_of(engine, options)
    decided = job.plan(each)
    workers, count = engine.workers or WORKERS_IF_UNKNOWN, len(starts)
    tasks = -(-count // decided.block_rows)
    back = tasks * (bytes_of_sums(graph) + OF_A_TASK) + 8 * count
    return decided, SharedWork(
        engine.name, workers, each, tasks, decided.block_rows, decided.seconds_once,
        False, decided.seconds_block, size_of(job), not engine.is_local, back, 0,
        gpus_to_claim(decided.device, options),
    )  # fmt: skip


def _plan(
    graph: Graph, count: int, decided: SourcePlan, seconds: float, words: tuple[str, ...], shared: SharedWork | None
) -> Plan:
    statistics, machine = statistics_of(graph), Machine.detect()
    size = Bytes(bytes_of_sums(graph) + 8 * count, decided.bytes_work)
    reasons = (
        graph_words(statistics),
        f"Planned for betweenness and apsp.arc_flows: sums over {count:,} sources.",
        METHOD_WORDS[decided.method], memory_words(size, machine), *words,
    )  # fmt: skip
    return Plan(
        decided.method, decided.device, decided.dtype, decided.threads, decided.block_rows, seconds, size.output,
        size.work, machine.memory_available, statistics.bound, reasons, (), purpose="flows", shared=shared,
    )  # fmt: skip
