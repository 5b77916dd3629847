"""How many rounds of searches a GPU may spend on bounds, compared with all rows there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from apsp.errors import DeviceError, MemoryLimitError, MethodRefusedError
from apsp.facts.devices import parse_device
from apsp.facts.placement import usable_on
from apsp.facts.request import Request
from apsp.graph.model import Graph
from apsp.planning.decision import Decision, decide
from apsp.planning.planner import decision_for
from apsp.running.options import RunOptions

__all__ = ["Rounds", "rounds_on_gpu"]

_AT_ONCE = 64
"""Vertices of a round: on a large GPU, searches from one take as long."""

_LEAST_AT_ONCE = 8
_MEMORY = 1 / 4
_PAGES = 4
"""The least of them, and the share of the free memory for their rows: from and to the vertices of this round, and the
first."""

_MOST, _FEWEST = 12, 3
"""Rounds to spend at most, and those that are usually enough: with less, all rows are computed at once."""

_SHARE = 1 / 10
"""Share of the seconds of all rows that bounds may take."""

_LAUNCHES, _OF_VERTEX = 5e-4, 3e-8
"""Seconds of a round beside the searches: launches, and the copy and the choice on the host, per vertex."""


class Rounds(NamedTuple):
    """Rounds of searches on a GPU.

    Attributes
    ----------
    request : Request
    decision : Decision
        The method of the searches, on one GPU.
    at_once : int
        Vertices of a round.
    most : int
        Rounds that may be spent.
    rest : int
        The number of rows that take as long as a round.
    """

    request: Request
    decision: Decision
    at_once: int
    most: int
    rest: int


def rounds_on_gpu(graph: Graph, dtype: np.dtype[Any], options: RunOptions) -> Rounds | None:
    """Return the rounds that may be spent on the GPU of the options, or the first of several.

    None if all rows take about as long, or if no GPU can search: the computation of all rows then raises the error.
    """
    kind, gpus = parse_device(options.device)
    request = Request(
        sources=_AT_ONCE, dtype=dtype.name, device=f"{kind}:{gpus[0]}" if gpus else kind,
        threads=options.threads, mode="stream", rows=_AT_ONCE,
    )  # fmt: skip
    try:
        few = decision_for(graph, request, coarse=True)
        every = decide(few.facts.statistics, few.facts.machine, _all_of(request), few.facts.constants)
    except (DeviceError, MemoryLimitError, MethodRefusedError):
        return None
    if few.best.placement is None:
        return None
    at_once = min(_AT_ONCE, _most_vertices(few, graph, dtype))
    if at_once < _LEAST_AT_ONCE:
        return None
    round_seconds = few.seconds_of(at_once) * _ways(graph) + _LAUNCHES + _OF_VERTEX * graph.n
    all_seconds = every.seconds_of(graph.n)
    most = min(_MOST, int(_SHARE * all_seconds / round_seconds))
    if most < _FEWEST:
        return None
    return Rounds(request, few, at_once, most, int(graph.n * round_seconds / all_seconds))


def _most_vertices(few: Decision, graph: Graph, dtype: np.dtype[Any]) -> int:
    """The vertices of a round whose rows fit on the GPU, beside the searches from vertices and to them."""
    placement = few.best.placement
    assert placement is not None
    facts = few.facts.on(few.best.device)
    usable = usable_on(facts.machine.gpus[placement.gpus[0]], facts.request.gpu_memory)
    left = min(int(_MEMORY * usable), usable - _ways(graph) * placement.bytes_on_gpu)
    return left // (_PAGES * graph.n * dtype.itemsize)


def _ways(graph: Graph) -> int:
    """The searches per vertex: from it and to it, which are one in an undirected graph."""
    return 2 if graph.directed else 1


def _all_of(request: Request) -> Request:
    return replace(request, sources=None, rows=None)
