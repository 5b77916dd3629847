"""Chains: sequences of vertices with at most two neighbours, and the core: the graph without them.

Input: a graph without negative arcs and zones, integer lengths. Output: the position of every vertex in its chain, and
a smaller graph between the ends of chains with the same distances. Cost: O(m) operations of NumPy and SciPy.

The idea: a path enters and leaves a chain by its ends, or stays inside; so all distances follow from those of the core
and a few sums. Rings and dead ends are chains too; one vertex of a ring is in the core.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.graph.convert import from_edges
from apsp.graph.model import Graph
from apsp.methods.label_correcting.chain_rows import ChainRows, rows_of_chains

__all__ = ["Chains", "find_chains"]

Array = npt.NDArray[Any]
_LEAST_SHARE = 0.25
"""Share of the vertices in chains from which on this is faster."""


@dataclass(frozen=True)
class Chains:
    """The chains and the core of a graph.

    Attributes
    ----------
    core : (c,) int32
        Vertices of the core, ascending.
    graph : Graph
        The graph of these vertices, directed, with an arc for every path through a chain.
    vertices : (k,) int
        The other vertices, chain by chain, each in order; the arrays below refer to them.
    ends : (k, 2) int32
        Both ends of the vertex's chain, numbered in the core; -1 where there is none.
    into, out : (k, 2) int64
        Length of the path inside the chain from each end, and to it; `none` where there is none.
    runs : (k, 2) int
        Vertices of a chain with the same number reach each other by its arcs alone: the later ones from the earlier
        ones, and the other way round.
    sums : (k, 2) int64
        The distance from one vertex of a run to another is the difference of their sums.
    """

    core: npt.NDArray[np.int32]
    graph: Graph
    vertices: Array
    ends: npt.NDArray[np.int32]
    into: Array
    out: Array
    runs: Array
    sums: Array


def find_chains(graph: Graph, none: int) -> Chains | None:
    """Return the chains; None if there are too few.

    Parameters
    ----------
    none : int
        Larger than any distance; longer arcs are ignored.
    """
    if graph.n == 0 or graph.has_zones:  # (a path may not continue where an end is one)
        return None
    rows = rows_of_chains(graph, _LEAST_SHARE)
    if rows is None:
        return None
    links = _links(graph, rows, none)
    runs, sums = _runs(np.roll(links.onward, 1), links.back, rows, none)
    if sums.size and int(sums.max()) >= none:
        return None  # differences would not fit
    begins, finishes = rows.begins, rows.finishes
    into = np.column_stack(
        [_sums(links.from_before, begins, none), _sums(links.from_after[::-1], finishes[::-1], none)[::-1]]
    )
    out = into
    if graph.directed:
        out = np.column_stack([_sums(links.back, begins, none), _sums(links.onward[::-1], finishes[::-1], none)[::-1]])
    core = np.flatnonzero(~rows.inner).astype(np.int32)
    number = np.full(graph.n + 1, -1, dtype=np.int32)  # the last one stands for missing ends
    number[core] = np.arange(len(core), dtype=np.int32)
    ends = number[np.column_stack([rows.first[begins], rows.last[finishes]])][rows.chain]
    smaller = _core_graph(graph, core, number, rows, _ways(ends, into, rows, links, none), none)
    return Chains(core, smaller, rows.vertices, ends, into, out, runs, sums)


class _Links(NamedTuple):
    """Lengths (k,) of the arcs along chains: to the next vertex and to the one before, and from both."""

    onward: Array
    back: Array
    from_before: Array
    from_after: Array


def _links(graph: Graph, rows: ChainRows, none: int) -> _Links:
    n, vertices, begins, finishes = graph.n, rows.vertices, rows.begins, rows.finishes
    keys: list[Array] = []
    lengths = np.minimum(graph.arc_weights(np.int64), none)

    def length(tails: Array, heads: Array) -> Array:
        """Return lengths by searching for the arcs among all."""
        if not keys:
            keys.append(graph.tails().astype(np.int64) * n + graph.indices)
        wanted = tails.astype(np.int64) * n + heads
        at = np.minimum(np.searchsorted(keys[0], wanted), len(keys[0]) - 1)
        return np.where((tails >= 0) & (heads >= 0) & (keys[0][at] == wanted), lengths[at], none)

    def length_along(heads: Array) -> Array:
        """Return lengths from the vertices of chains, which have at most three arcs."""
        found = np.full(len(heads), none)
        starts, stops = graph.indptr[vertices], graph.indptr[vertices + 1]
        for _ in range(int((stops - starts).max(initial=0))):
            at = np.minimum(starts, graph.m - 1)
            found = np.where((starts < stops) & (graph.indices[at] == heads), lengths[at], found)
            starts = starts + 1
        return found

    after = np.where(finishes, rows.last, np.roll(vertices, -1))
    onward = length_along(after)
    if not graph.directed:
        back = np.roll(onward, 1)
        back[begins] = length(vertices[begins], rows.first[begins])
        return _Links(onward, back, back, onward)
    back = length_along(np.where(begins, rows.first, np.roll(vertices, 1)))
    from_before, from_after = np.roll(onward, 1), np.roll(back, -1)
    from_before[begins] = length(rows.first[begins], vertices[begins])
    from_after[finishes] = length(rows.last[finishes], vertices[finishes])
    return _Links(onward, back, from_before, from_after)


def _sums(lengths: Array, begins: Array, none: int) -> Array:
    """Sums from the beginning of each chain; `none` from where an arc is missing."""
    missing = lengths >= none
    total, gaps = np.cumsum(np.where(missing, 0, lengths)), np.cumsum(missing)
    starts, chain = np.flatnonzero(begins), np.cumsum(begins) - 1
    before, gaps_before = (np.append(0, values)[starts][chain] for values in (total, gaps))
    return np.where(gaps > gaps_before, none, np.minimum(total - before, none))


def _runs(from_before: Array, back: Array, rows: ChainRows, none: int) -> tuple[Array, Array]:
    """`Chains.runs` and `Chains.sums` along all chains."""
    starts, runs, sums = np.flatnonzero(rows.begins), [], []
    for lengths in (from_before, back):
        breaks = rows.begins | (lengths >= none)
        total = np.cumsum(np.where(breaks, 0, lengths))
        runs.append(np.cumsum(breaks))
        sums.append(total - total[starts][rows.chain])
    return np.column_stack(runs), np.column_stack(sums)


def _ways(ends: Array, into: Array, rows: ChainRows, links: _Links, none: int) -> tuple[Array, Array, Array]:
    """Arcs of the core for paths through whole chains: tails, heads, lengths."""
    begins, finishes = rows.begins, rows.finishes
    tails = np.append(ends[finishes, 0], ends[begins, 1])
    heads = np.append(ends[finishes, 1], ends[begins, 0])
    lengths = np.append(into[finishes, 0] + links.onward[finishes], into[begins, 1] + links.back[begins])
    real = (tails >= 0) & (heads >= 0) & (lengths < none)
    return tails[real], heads[real], lengths[real]


def _core_graph(
    graph: Graph, core: Array, number: Array, rows: ChainRows, ways: tuple[Array, Array, Array], none: int
) -> Graph:
    degrees = np.diff(graph.indptr)
    arcs = np.flatnonzero(np.repeat(~rows.inner, degrees))
    tails, heads = np.repeat(number[core], degrees[core]), number[graph.indices[arcs]]
    lengths = graph.arc_weights(np.int64)[arcs]
    kept = (heads >= 0) & (lengths < none)
    return from_edges(
        np.append(tails[kept], ways[0]),
        np.append(heads[kept], ways[1]),
        np.append(lengths[kept], ways[2]),
        n=len(core),
    )
