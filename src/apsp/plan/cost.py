"""Seconds of each method, as small pure functions of the graph's statistics, the request and calibrated constants.

Every constant is seconds on one core, and every model is linear in them. They are named after what they multiply:

    call       a call of the method               pair.*     one (add, min) pair of a dense method, by dtype
    entry.*    an entry of an n x n matrix        pred       an entry of the predecessors
    arc        relaxing an arc, once a source (bfs, label correcting: once a batch of sources; bit-bfs: a level of one)
    vertex     visiting a vertex, once a source   heap       a vertex times log2 n, once a source
    build      a vertex or an arc, once a call    potential  an arc times log2 n, where some are negative
    round, arc (reference) a round over all arcs; an arc of a round
    byte       first touch of a byte of output
    tree       an arc, for the elimination tree; node: a supernode, once a source; entry: a value of the factor
    sibling    what a second thread of a core adds, as a share of the core (no seconds); of all methods, or of one

The models are upper bounds where a request can stop early (cutoff) or a graph falls apart (sources that reach little).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

from apsp.plan.batch_cost import (
    bit_bfs_seconds,
    elimination_seconds,
    label_correcting_seconds,
    potentials_seconds,
)
from apsp.plan.constants import Constants
from apsp.plan.statistics import GraphStatistics
from apsp.plan.work import Work
from apsp.solvers.registry import Method

__all__ = ["MODELS", "pair_name", "seconds_of", "sibling_of"]

_BATCH = 64
"""Sources that breadth-first search works on at once."""

_FEW_BUCKETS = 0.4
"""What is left of the time with buckets where few vertices wait at a time, or all in one."""


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
    work = replace(work, sibling=sibling_of(method.name if method.name in constants.values else name, constants))
    touch = constants.values["output"]["byte"] * work.output_bytes / work.cores
    work = replace(work, threads=method.threads_of(work.threads))
    return MODELS[name](values, statistics, work) + touch


def sibling_of(name: str, constants: Constants) -> float:
    """What the second thread of a core adds to a method, as a share of a core."""
    everywhere = constants.values.get("threads", {}).get("sibling", 1.0)
    return constants.values.get(name, {}).get("sibling", everywhere)


def _floyd_warshall(values: Values, statistics: GraphStatistics, work: Work) -> float:
    n = statistics.n
    entry = values[f"entry.{work.dtype}"] + (values["pred"] if work.paths else 0.0)
    pair = values[pair_name(work.dtype, statistics.has_negative_arc)]
    return values["call"] + (pair * n**3 + entry * n**2) / work.cores


def _dijkstra(values: Values, statistics: GraphStatistics, work: Work) -> float:
    row = values["arc"] * statistics.reached_arcs + values["heap"] * statistics.reached_vertices * _log2(statistics.n)
    return values["call"] + (row + _pred(values, statistics, work)) * _rounds(work)


def _buckets(values: Values, statistics: GraphStatistics, work: Work) -> float:
    row = values["vertex"] * statistics.reached_vertices * _misses(statistics.n)
    row += values["arc"] * statistics.reached_arcs
    row *= _FEW_BUCKETS if statistics.has_equal_weights or statistics.is_chain else 1.0
    return values["call"] + (row + _pred(values, statistics, work)) * _rounds(work)


def _bfs(values: Values, statistics: GraphStatistics, work: Work) -> float:
    batches = -(-work.rows // _BATCH)
    rounds = -(-batches // work.threads)
    row = values["vertex"] * statistics.n * _misses(statistics.n) * (0.5 if statistics.has_hubs else 1.0)
    row += _pred(values, statistics, work)
    batches_of_one = row * min(work.rows, rounds * _BATCH) + values["arc"] * statistics.reached_arcs * rounds
    return values["call"] + batches_of_one * work.slower


def _johnson(values: Values, statistics: GraphStatistics, work: Work) -> float:
    """Potentials, then buckets for integers and a heap for floats."""
    rows = _dijkstra if work.dtype.startswith("float") else _buckets
    return potentials_seconds(values, statistics) + rows(values, statistics, work)


def _reference(values: Values, statistics: GraphStatistics, work: Work) -> float:
    rounds = min(statistics.n, 2 * _log2(statistics.n) + 2)  # of a random graph; a path graph takes n
    return values["call"] + rounds * (values["round"] + values["arc"] * statistics.m) * work.rows


MODELS: dict[str, Model] = {
    "floyd-warshall": _floyd_warshall,
    "dijkstra": _dijkstra,
    "dijkstra-buckets": _buckets,
    "bfs": _bfs,
    "elimination": elimination_seconds,
    "bit-bfs": bit_bfs_seconds,
    "johnson": _johnson,
    "fw-sequential": _floyd_warshall,
    "fw-blocked": _floyd_warshall,
    "label-correcting": label_correcting_seconds,
    "reference": _reference,
}

_FAMILY_MODEL = {"dense": "floyd-warshall", "sparse": "dijkstra", "published": "dijkstra", "reference": "reference"}


def pair_name(dtype: str, has_negative_arc: bool) -> str:
    """The constant of one (add, min) pair: floats that are not negative may be compared as integers."""
    return f"pair.{dtype}" if has_negative_arc or not dtype.startswith("float") else f"pair.{dtype}.non-negative"


def _pred(values: Values, statistics: GraphStatistics, work: Work) -> float:
    return values["pred"] * statistics.n if work.paths else 0.0


def _misses(n: int) -> float:
    """How much slower visiting a vertex gets when the arrays of a source outgrow the inner caches."""
    return 1 + max(0.0, math.log2(max(n, 1) / 8192)) / 8


def _log2(n: int) -> float:
    return math.log2(max(n, 2))


def _rounds(work: Work) -> float:
    """Sources that the busiest thread works through, times how much slower it is than a core of its own."""
    return -(-work.rows // work.threads) * work.slower
