"""`apsp.plan(for_="flows")`: what betweenness and flows of arcs would run, by this process or by workers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from apsp._types import GraphLike, VerticesLike
from apsp.api.flow_job import FlowJob
from apsp.facts.request import Request
from apsp.facts.statistics import statistics_of
from apsp.graph.accept import as_graph
from apsp.graph.model import Graph
from apsp.methods.flows.cost import COSTS, bytes_of_sums
from apsp.methods.flows.flows import Demand
from apsp.planning.plan import Plan
from apsp.planning.reason import Reason, reason
from apsp.planning.shared import SharedWork
from apsp.running.arguments import positions_of
from apsp.system.machine import Machine

__all__ = ["plan_flows"]


def plan_flows(
    graph: GraphLike, sources: VerticesLike | None, targets: VerticesLike | None, options: Request
) -> Plan:  # fmt: skip
    """Plan flows with ties divided, those of arcs included; parameters and errors are those of `apsp.plan`."""
    graph = as_graph(graph)
    rows = positions_of(graph, sources, "sources")
    positions_of(graph, targets, "targets")
    starts = np.arange(graph.n, dtype=np.int32) if rows is None else rows
    own = Request(device=options.named_device, threads=options.threads, executor=options.executor)
    job = FlowJob(graph, Demand(starts, np.ones(graph.n)), own, {}, cutoff=options.cutoff)
    if options.executor is None:
        plan = job.plan(job.cores)
        where = reason("cpu", threads=plan.threads, most=plan.threads, isa=None)
        if plan.device != "cpu":
            where = reason("a_gpu", device=plan.device)
        return _explained(graph, len(starts), plan, where, reason("expected", seconds=plan.seconds, origin=None))
    plan, shared = _shared(job)
    return replace(_explained(graph, len(starts), plan), seconds=shared.seconds_in_all, shared=shared)


def _shared(job: FlowJob) -> tuple[Plan, SharedWork]:
    from apsp.api.worker_planning import OF_A_TASK, size_of, workers_of  # with the first executor
    from apsp.running.workers.distribution import gpus_to_claim

    engine, workers, each = workers_of(job)
    plan = job.plan(each)
    cost = plan.per_source
    assert cost is not None
    count = len(job.sources)
    tasks = -(-count // plan.block_rows)
    back = tasks * (bytes_of_sums(job.graph) + OF_A_TASK) + 8 * count
    return plan, SharedWork(
        engine.name, workers, each, tasks, plan.block_rows, cost.seconds_once,
        False, cost.seconds_block, size_of(job), not engine.is_local, back, 0, gpus_to_claim(plan.device, job.options),
    )  # fmt: skip


def _explained(graph: Graph, count: int, plan: Plan, *where: Reason) -> Plan:
    """The plan with its reasons, and with the memory of the result."""
    statistics, machine = statistics_of(graph), Machine.detect()
    output, free = bytes_of_sums(graph) + 8 * count, machine.memory_available
    why = (
        reason("graph", statistics=statistics),
        reason("purpose", purpose="flows", sources=count),
        reason("about_method", words=COSTS[plan.method].words),
        reason("memory", output=output, work=plan.bytes_work, available=free),
        *where,
    )
    return replace(plan, bytes_output=output, bytes_available=free, bound=statistics.bound, why=why)
