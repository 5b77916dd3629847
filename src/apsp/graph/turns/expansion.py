"""The expansion of a graph around the vertices through which movements are forbidden or cost something.

Such a vertex becomes several: one copy for each use of a link that enters it and some of whose movements are
restricted, one for all other uses that enter it, and one per sequence of links that is forbidden and of which a part
has been passed. The vertex itself becomes a zone: paths begin there along any link, and end there after any. So the
distances between the vertices are those of the restricted movements, and every method that takes zones computes them.
All other vertices and links stay as they are.

Sequences are followed as by the automaton of Aho and Corasick, "Efficient string matching", CACM 1975: the state is the
longest part of a path so far that begins a sequence. U-turns and other movements of two links are that of length one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray
from apsp.errors import GraphError
from apsp.graph.costs import Costs
from apsp.graph.links import Rows, best_links
from apsp.graph.model import Graph
from apsp.graph.turns.references import Named
from apsp.graph.turns.rules import Rules
from apsp.graph.turns.uses import Movements, Uses, uses_of

__all__ = ["Expansion", "Ways", "costs_of_arcs", "expanded", "of_arcs", "ways_of"]

Ints = npt.NDArray[np.int64]

_EXACT = 2.0**53
"""Whole penalties up to this number are exact."""


class Expansion(NamedTuple):
    """An expanded graph.

    Attributes
    ----------
    graph : Graph
        The n vertices of the original first, then the copies.
    links : (m',) int64
        The link of each arc; -1 for those from a copy to its vertex.
    """

    graph: Graph
    links: Ints


class Ways(NamedTuple):
    """How paths may go on: from each state along each use of a link that leaves it, unless that is forbidden.

    They do not depend on the weights of the links.

    Attributes
    ----------
    vertices : (n',) int64
        The vertex of each state: of the vertices themselves, then of the copies.
    into : (k,) int64
        The state in which each use of a link ends where a path begins with it.
    tails, heads : (w,) int64
        States.
    uses : (w,) int64
    penalties : (w,) float64
    """

    vertices: Ints
    into: Ints
    tails: Ints
    heads: Ints
    uses: Ints
    penalties: npt.NDArray[np.float64]


class _States(NamedTuple):
    """What a path may have arrived as: the vertices, then the copies.

    Attributes
    ----------
    vertices : (n',) int64
        Where each is.
    last : (n',) int64
        The use whose movements decide how a path goes on; -1: it is free.
    of_uses : (k,) int64
        The state in which each use of a link ends, unless a sequence has begun before.
    of_prefixes : dict of tuple of int to int
        The state of each beginning of a sequence.
    """

    vertices: Ints
    last: Ints
    of_uses: Ints
    of_prefixes: dict[tuple[int, ...], int]


def ways_of(
    graph: Graph, uses: Uses, named: Named, sequences: list[tuple[int, ...]], rules: Rules, crs: str | None
) -> Ways:
    """How paths may go on in a graph.

    Raises
    ------
    GraphError
        For angles, if there are no coordinates.
    """
    through = np.full(graph.n, rules.are_any)
    through[uses.tails[named.after]] = True
    for sequence in sequences:
        through[uses.heads[list(sequence[:-1])]] = True
    if graph.zones is not None:
        through &= ~graph.zones
    movements = uses.movements(through)
    penalties = rules.penalties(graph, uses, movements, crs) if rules.are_any else np.zeros(len(movements.before))
    some = through[uses.heads[named.before]]  # no path leads through a zone in any way
    penalties[movements.number(uses, named.before[some], named.after[some])] = named.penalties[some]
    sequences = [each for each in sequences if through[uses.heads[list(each[:-1])]].all()]
    states = _states(graph, uses, movements, penalties, sequences)
    return _ways(uses, movements, states, penalties, set(sequences))


def expanded(graph: Graph, uses: Uses, ways: Ways) -> Expansion:
    """Expand a graph.

    Raises
    ------
    GraphError
        If a penalty is too large to be exact.
    """
    rows, links = _rows(graph, uses, ways, uses.rows.costs)
    indptr, indices, chosen = best_links(len(ways.vertices), rows, rows.keys, directed=True)
    assert rows.weights is not None
    found = of_arcs(graph, indptr, indices, rows.weights[chosen], ways.vertices, rows.costs.of_arcs(chosen))
    return Expansion(found, links[chosen])


def costs_of_arcs(graph: Graph, ways: Ways, costs: Costs) -> dict[str, NumPyArray]:
    """Costs of the arcs of the expanded graph from (L,) costs of the links: these decide between equally good links."""
    rows, _ = _rows(graph, uses_of(graph), ways, costs)
    chosen = best_links(len(ways.vertices), rows, rows.keys, directed=True)[2]
    return dict(rows.costs.of_arcs(chosen))


def _rows(graph: Graph, uses: Uses, ways: Ways, costs: Costs) -> tuple[Rows, Ints]:
    """The ways as links with costs, then those from copies to their vertices; and the link of each, -1 for none."""
    weights, taken = _exact(uses, ways.penalties), ways.uses
    lengths = weights[taken] + ways.penalties.astype(weights.dtype)
    copies = np.arange(graph.n, len(ways.vertices))
    links = np.concatenate([uses.links[taken], np.full(len(copies), -1)])
    of_ways = Costs({name: _with_zeros(array[uses.links[taken]], len(copies)) for name, array in costs.items()})
    rows = Rows(
        np.concatenate([ways.tails, copies]), np.concatenate([ways.heads, ways.vertices[copies]]),
        _with_zeros(lengths, len(copies)), of_ways,
    )  # fmt: skip
    return rows, links


def of_arcs(
    graph: Graph, indptr: Ints, indices: npt.NDArray[np.int32], weights: NumPyArray, vertices: Ints, costs: Costs
) -> Graph:
    """The expanded graph with these arcs, whose vertices are where those of the original are."""
    zones = np.zeros(len(vertices), bool)
    zones[: graph.n] = False if graph.zones is None else graph.zones
    zones[vertices[graph.n :]] = True
    return Graph._made(
        indptr, indices, weights, directed=True,
        coordinates=None if graph.coordinates is None else graph.coordinates[vertices],
        zones=zones if zones.any() else None, costs=costs, crs=graph.crs,
    )  # fmt: skip


def _exact(uses: Uses, penalties: npt.NDArray[np.float64]) -> NumPyArray:
    """The weights in a dtype to which penalties are added exactly, or as floats."""
    largest, longest = float(penalties.max(initial=0)), uses.weights.max(initial=0).item()
    whole = uses.weights.dtype.kind == "i" and bool((penalties == np.floor(penalties)).all())
    if whole and largest > _EXACT:
        raise GraphError(f"the penalty {largest:g} is more than 2^53, the largest that is exact")
    dtype = np.dtype(np.int64 if whole else np.float64 if uses.weights.dtype.kind == "i" else uses.weights.dtype)
    together = longest + (int(largest) if whole else largest)
    if together > (np.iinfo(dtype).max if whole else float(np.finfo(dtype).max)):
        raise GraphError(f"the penalty {largest:g} and the weight {longest} are together beyond {dtype}")
    return uses.weights.astype(dtype, copy=False)


def _states(
    graph: Graph, uses: Uses, movements: Movements, penalties: npt.NDArray[np.float64],
    sequences: list[tuple[int, ...]],
) -> _States:  # fmt: skip
    restricted = np.zeros(len(uses), bool)
    restricted[movements.before[penalties > 0]] = True
    prefixes = dict.fromkeys(each[:length] for each in sequences for length in range(1, len(each)))
    restricted[[each[0] for each in prefixes]] = True
    longer = [each for each in prefixes if len(each) > 1]
    is_split = np.zeros(graph.n, bool)
    is_split[uses.heads[restricted]] = True
    is_split[[uses.heads[each[-1]] for each in longer]] = True
    is_free = np.zeros(graph.n, bool)
    is_free[uses.heads[~restricted]] = True
    free = np.flatnonzero(is_split & is_free)
    own = np.flatnonzero(restricted)
    of_uses = uses.heads.copy()
    copy = np.full(graph.n, -1)
    copy[free] = graph.n + np.arange(len(free))
    into = copy[uses.heads] >= 0
    of_uses[into] = copy[uses.heads[into]]
    of_uses[own] = graph.n + len(free) + np.arange(len(own))
    ends = np.array([each[-1] for each in longer], dtype=np.int64)
    last = np.concatenate([np.full(graph.n + len(free), -1), own, ends])
    vertices = np.concatenate([np.arange(graph.n), free, uses.heads[own], uses.heads[ends]])
    deep = dict(zip(longer, range(len(vertices) - len(longer), len(vertices)), strict=True))
    of_prefixes = {each: deep[each] if len(each) > 1 else int(of_uses[each[0]]) for each in prefixes}
    return _States(vertices, last, of_uses, of_prefixes)


def _ways(
    uses: Uses, movements: Movements, states: _States, penalties: npt.NDArray[np.float64],
    sequences: set[tuple[int, ...]],
) -> Ways:  # fmt: skip
    count = np.diff(uses.indptr)[states.vertices]
    first = np.concatenate([[0], np.cumsum(count)])
    tails = np.repeat(np.arange(len(states.vertices)), count)
    taken = uses.indptr[states.vertices[tails]] + np.arange(first[-1]) - first[:-1][tails]
    heads = states.of_uses[taken]
    last = states.last[tails]
    added = np.zeros(len(taken))
    held = last >= 0
    added[held] = penalties[movements.number(uses, last[held], taken[held])]
    for prefix, state in states.of_prefixes.items():
        for use in range(*uses.indptr[[states.vertices[state], states.vertices[state] + 1]].tolist()):
            arc = first[state] + use - uses.indptr[states.vertices[state]]
            ends = [(*prefix[begin:], use) for begin in range(len(prefix))]
            if not sequences.isdisjoint(ends):
                added[arc] = np.inf
            heads[arc] = next((states.of_prefixes[end] for end in ends if end in states.of_prefixes), heads[arc])
    open_ = np.isfinite(added)
    return Ways(states.vertices, states.of_uses, tails[open_], heads[open_], taken[open_], added[open_])


def _with_zeros(numbers: NumPyArray, count: int) -> NumPyArray:
    found: NumPyArray = np.concatenate([numbers, np.zeros(count, numbers.dtype)])
    return found
