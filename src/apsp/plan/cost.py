"""Seconds of each method, as small pure functions of the graph's statistics, the request and calibrated constants.

Every constant is seconds on one core, and every model is linear in them. They are named after what they multiply:

    call       a call of the method               pair.*     one (add, min) pair of a dense method, by dtype
    entry.*    an entry of an n x n matrix        pred       an entry of the predecessors
    arc        relaxing an arc, once a source (breadth-first search, label correcting: once a batch of sources)
    vertex     visiting a vertex, once a source   heap       a vertex times log2 n, once a source
    build      a vertex or an arc, once a call    potential  an arc times log2 n, where some are negative
    round, arc (reference) a round over all arcs; an arc of a round
    byte       first touch of a byte of output
    tree       an arc, for the elimination tree; node: a supernode, once a source; entry: a value of the factor

The models are upper bounds where a request can stop early (cutoff) or a graph falls apart (sources that reach little).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from apsp.plan.constants import Constants
from apsp.plan.statistics import Fill, GraphStatistics
from apsp.solvers.registry import Method

__all__ = ["MODELS", "Work", "pair_name", "seconds_of"]

_LABELS_16, _LABELS_32 = 2**16 - 1, 2**31 - 1
_BITS = 512
_BATCH = 64
"""Sources that breadth-first search works on at once."""

_LANES = 16
"""Sources that elimination works on at least."""


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
    threads = 1 if method.one_thread else work.threads
    return MODELS[name](values, statistics, replace(work, threads=threads)) + touch


def _floyd_warshall(values: Values, statistics: GraphStatistics, work: Work) -> float:
    n = statistics.n
    entry = values[f"entry.{work.dtype}"] + (values["pred"] if work.paths else 0.0)
    pair = values[pair_name(work.dtype, statistics.has_negative_arc)]
    return values["call"] + (pair * n**3 + entry * n**2) / work.threads


def _dijkstra(values: Values, statistics: GraphStatistics, work: Work) -> float:
    row = values["arc"] * statistics.m + values["heap"] * statistics.n * _log2(statistics.n)
    return values["call"] + (row + _pred(values, statistics, work)) * _rounds(work)


def _buckets(values: Values, statistics: GraphStatistics, work: Work) -> float:
    row = values["arc"] * statistics.m + values["vertex"] * statistics.n * _misses(statistics.n)
    return values["call"] + (row + _pred(values, statistics, work)) * _rounds(work)


def _bfs(values: Values, statistics: GraphStatistics, work: Work) -> float:
    batches = -(-work.rows // _BATCH)
    rounds = -(-batches // work.threads)
    row = values["vertex"] * statistics.n * _misses(statistics.n) + _pred(values, statistics, work)
    return values["call"] + row * min(work.rows, rounds * _BATCH) + values["arc"] * statistics.m * rounds


def _johnson(values: Values, statistics: GraphStatistics, work: Work) -> float:
    """Potentials, then buckets for integers and a heap for floats."""
    rows = _dijkstra if work.dtype.startswith("float") else _buckets
    return _potentials(values, statistics) + rows(values, statistics, work)


def _potentials(values: Values, statistics: GraphStatistics) -> float:
    return values["potential"] * statistics.m * _log2(statistics.n) if statistics.has_negative_arc else 0.0


def _bit_bfs(values: Values, statistics: GraphStatistics, work: Work) -> float:
    lanes = min(_BITS, max(-(-work.rows // (64 * work.threads)), 1) * 64)
    return _batches(values, statistics, work, lanes)


def _label_correcting(values: Values, statistics: GraphStatistics, work: Work) -> float:
    """Batches after Johnson's potentials, where some arcs are negative."""
    return _potentials(values, statistics) + _batches(values, statistics, work, label_lanes(statistics, work.dtype))


def _batches(values: Values, statistics: GraphStatistics, work: Work, lanes: int) -> float:
    """Batches of `lanes` sources that share each arc; one that is not full costs as much."""
    n, m = statistics.n, statistics.m
    pred = values["pred"] * (n + m) if work.paths else 0.0
    batch = values["arc"] * m * _misses(n) + (values["vertex"] * n + pred) * lanes
    batches = -(-work.rows // min(lanes, max(work.rows // work.threads, 1)))
    return values["call"] + values["build"] * (n + m) + batch * -(-batches // work.threads)


def label_lanes(statistics: GraphStatistics, dtype: str) -> int:
    """Sources that label correcting works on at once: as many as labels fit 128 bytes, in the narrowest type."""
    if dtype.startswith("float"):
        return 32 if dtype == "float32" else 16
    size = statistics.bound.high - min(statistics.bound.low, 0) + statistics.largest_weight
    return 64 if size < _LABELS_16 else 32 if size < _LABELS_32 else 16


def _reference(values: Values, statistics: GraphStatistics, work: Work) -> float:
    rounds = min(statistics.n, 2 * _log2(statistics.n) + 2)  # of a random graph; a path graph takes n
    return values["call"] + rounds * (values["round"] + values["arc"] * statistics.m) * work.rows


def _elimination(values: Values, statistics: GraphStatistics, work: Work) -> float:
    """The tree, the factor, and rows: down the tree and up, and into the order of the vertices."""
    fill = statistics.fill or Fill(60 * statistics.n, statistics.n // 4, 4e3 * statistics.n, 25.0 * statistics.n, 0.0)
    pair = values[f"pair.{work.dtype}"]
    line = values["vertex"] * statistics.n * _bytes_of(work.dtype) / 4 * _lines_out_of_cache(statistics.n)
    row = pair * (fill.row_pairs + fill.climb_pairs) + line + values["node"] * fill.nodes
    row += values["arc"] * statistics.m if work.paths else 0.0
    rows = max(work.rows, _LANES * work.threads)  # half a batch takes as long as a whole one
    factor = pair * fill.factor_pairs + values["entry"] * fill.entries
    once = values["call"] + values["tree"] * statistics.m + factor / work.threads
    return once + row * rows / work.threads


MODELS: dict[str, Model] = {
    "floyd-warshall": _floyd_warshall,
    "dijkstra": _dijkstra,
    "dijkstra-buckets": _buckets,
    "bfs": _bfs,
    "elimination": _elimination,
    "bit-bfs": _bit_bfs,
    "johnson": _johnson,
    "fw-sequential": _floyd_warshall,
    "fw-blocked": _floyd_warshall,
    "label-correcting": _label_correcting,
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


def _lines_out_of_cache(n: int) -> float:
    """How much slower the lines of a batch are written and read when they outgrow the caches."""
    return 1 + 0.9 * max(0.0, math.log2(max(n, 1) / 16384))


def _bytes_of(dtype: str) -> int:
    return int(np.dtype(dtype).itemsize)


def _log2(n: int) -> float:
    return math.log2(max(n, 2))


def _rounds(work: Work) -> int:
    """Sources that the busiest thread works through."""
    return -(-work.rows // work.threads)
