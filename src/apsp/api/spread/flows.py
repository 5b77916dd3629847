"""What betweenness and flows of arcs call if they are given an executor."""

from __future__ import annotations

from apsp.api.spread.flow_job import FlowBlocks, FlowJob
from apsp.api.spread.job import Fixed
from apsp.api.spread.spread import Spread, checked_job, fixed_by, threads_of
from apsp.api.streaming import RowOptions
from apsp.graph.model import Graph
from apsp.methods.flows.blocks import FlowPlan, FlowSums
from apsp.methods.flows.flows import Demand, Flows
from apsp.system.progress import Progress, reporting

__all__ = ["spread_flows"]


def spread_flows(
    executor: object,
    graph: Graph,
    demand: Demand,
    *,
    along: bool,
    cutoff: float | None = None,
    split: bool = True,
    device: str,
    threads: int | None,
    progress: Progress,
) -> tuple[Flows, int]:
    """The flows of a demand, from blocks of sources that workers compute, and the threads of each worker.

    Other parameters and errors are those of `flows`.
    """
    job = FlowJob(graph, demand, along, cutoff, split, RowOptions(device=device, threads=threads))
    count = len(demand.sources)
    found = FlowSums(graph, count, along=along)
    with Spread(checked_job(executor, job), executor, count).opened() as tasks, reporting(progress) as report:
        each = threads_of(tasks.engine, job.options)
        decided = tasks.plan(each)
        assert isinstance(decided, FlowPlan)
        tasks.fixed = Fixed(fixed_by(decided, tasks.engine, job.options))
        height = decided.block_rows
        parts = [(start, min(start + height, count)) for start in range(0, count, height)]
        for start, stop, part in tasks.run(FlowBlocks(), parts, in_order=True):
            found.add(start, part)
            if report is not None:
                report("sources", stop, count)
    return found.flows(), each
