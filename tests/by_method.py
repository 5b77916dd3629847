"""Skims and flows by a named method on a named device."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.graph.model import Graph
from apsp.methods.flows.cost import FlowWork
from apsp.methods.flows.flows import Demand, Flows
from apsp.methods.flows.flows import flows as flows_of
from apsp.methods.skims.cost import SkimWork
from apsp.methods.skims.skims import SkimSolver
from apsp.planning.sources import choose


def fill_skims(
    graph: Graph,
    costs: npt.NDArray[np.float64],
    sources: npt.NDArray[np.int32],
    targets: npt.NDArray[np.int32],
    out: npt.NDArray[np.float64],
    *,
    by: str | None = None,
    device: str = "cpu",
    threads: int = 1,
    progress: Any = None,
) -> None:
    work = SkimWork(graph, (len(out), len(sources), len(targets)))
    choice = choose("skims", work, device=device, threads=threads, by=by)
    SkimSolver(graph, costs, targets, choice, threads).fill(sources, out, progress)


def flows(
    graph: Graph,
    demand: Demand,
    *,
    along: bool,
    threads: int,
    device: str = "cpu",
    cutoff: float | None = None,
    split: bool = True,
    by: str | None = None,
    of_sources: int | None = None,
    gpu_memory: int | None = None,
    **options: Any,
) -> Flows:
    work = FlowWork(graph, of_sources or len(demand.sources), cutoff, split)
    choice = choose("flows", work, device=device, threads=threads, by=by)
    if gpu_memory is not None:
        assert choice.gpu is not None
        choice = replace(choice, gpu=choice.gpu._replace(memory=gpu_memory))
    return flows_of(graph, demand, choice, along=along, threads=threads, cutoff=cutoff, split=split, **options)
