"""Seconds of each method, as small pure functions of the graph's statistics, the request and calibrated constants.

Every constant is seconds on one core, named after what it multiplies:

    call       a call of the method               pair.*     one (add, min) pair of a dense method, by dtype
    entry      an entry of an n x n matrix        arc        relaxing an arc, once a source
    vertex     visiting a vertex, once a source   heap       a vertex times log2 n, once a source
    potential  an arc, for Johnson's potentials   round, arc (reference) a round over all arcs; an arc of a round
    byte       first touch of a byte of output    *_share    a share of the time before it

The models are upper bounds where a request can stop early (cutoff) or a graph falls apart (sources that reach little).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from apsp.plan.constants import Constants
from apsp.plan.statistics import GraphStatistics
from apsp.solvers.registry import Method

__all__ = ["MODELS", "Work", "seconds_of"]


@dataclass(frozen=True)
class Work:
    """What a method has to do, beside the graph.

    Attributes
    ----------
    rows : int
        Sources asked for (a matrix method computes all n whatever this says).
    threads : int
        That really run at once: no more than the machine has cores.
    dtype : str
    paths : bool
    output_bytes : int
        Memory that is written for the first time.
    """

    rows: int
    threads: int
    dtype: str
    paths: bool
    output_bytes: int


Values = Mapping[str, float]
Model = Callable[[Values, GraphStatistics, Work], float]


def seconds_of(method: Method, statistics: GraphStatistics, work: Work, constants: Constants) -> float:
    """Seconds that `method` is expected to take.

    Parameters
    ----------
    method : Method
        A row of the registry. One that has no model of its own is costed like the simplest of its family.
    statistics, work, constants
        See their classes.
    """
    name = method.name if method.name in MODELS else _FAMILY_MODEL[method.family]
    values = constants.values.get(method.name) or constants.values[name]
    touch = constants.values["output"]["byte"] * work.output_bytes / work.threads
    return MODELS[name](values, statistics, work) + touch


def _floyd_warshall(values: Values, statistics: GraphStatistics, work: Work) -> float:
    n = statistics.n
    non_negative = f"pair.{work.dtype}.non-negative"
    pair = values.get(non_negative, values[f"pair.{work.dtype}"])
    if statistics.has_negative_arc:
        pair = values[f"pair.{work.dtype}"]
    seconds = (pair * n**3 + values["entry"] * n**2) / work.threads
    return values["call"] + seconds * (1 + (values["paths_share"] if work.paths else 0))


def _dijkstra(values: Values, statistics: GraphStatistics, work: Work) -> float:
    row = values["arc"] * statistics.m + values["heap"] * statistics.n * _log2(statistics.n)
    return values["call"] + row * _rounds(work)


def _queue(values: Values, statistics: GraphStatistics, work: Work) -> float:
    """Breadth-first search and bucket queues: constant work an arc and a vertex."""
    row = values["arc"] * statistics.m + values["vertex"] * statistics.n
    return values["call"] + row * _rounds(work)


def _johnson(values: Values, statistics: GraphStatistics, work: Work) -> float:
    potentials = values["potential"] * statistics.m * _log2(statistics.n) if statistics.has_negative_arc else 0.0
    return potentials + _dijkstra(values, statistics, work)


def _reference(values: Values, statistics: GraphStatistics, work: Work) -> float:
    rounds = min(statistics.n, 2 * _log2(statistics.n) + 2)  # of a random graph; a path graph takes n
    return values["call"] + rounds * (values["round"] + values["arc"] * statistics.m) * work.rows


MODELS: dict[str, Model] = {
    "floyd-warshall": _floyd_warshall,
    "dijkstra": _dijkstra,
    "dijkstra-buckets": _queue,
    "bfs": _queue,
    "johnson": _johnson,
    "reference": _reference,
}

_FAMILY_MODEL = {"dense": "floyd-warshall", "sparse": "dijkstra", "published": "dijkstra", "reference": "reference"}


def _log2(n: int) -> float:
    return math.log2(max(n, 2))


def _rounds(work: Work) -> int:
    """Sources that the busiest thread works through."""
    return -(-work.rows // work.threads)
