"""Links that an infinite weight closes, and that a finite one opens again.

A graph has no infinite weights: a link that does not exist is left out. What is prepared for a graph may go on without
some of its links, though, and with them again. The graph with all links is kept for that, so that a closed link keeps
its number, its ends and its place in arrays of weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray
from apsp.errors import GraphError, RequestError
from apsp.graph.arc_positions import left_of
from apsp.graph.arrays import arc_weight_array, number_array
from apsp.graph.checks import check_same_weights
from apsp.graph.equality import same_arcs
from apsp.graph.links import Links
from apsp.graph.model import Graph
from apsp.graph.places import Places
from apsp.graph.places.ends import check_places
from apsp.graph.places.moved import on_open_streets
from apsp.graph.some_edges import (
    SomeWeights,
    arcs_of_links,
    closed_or_opened,
    exact,
    replaced,
    some_of_rows,
    some_weights,
    weights_by_link,
    weights_by_row,
    with_some_weights,
)
from apsp.graph.turns.changes import checked_turns
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.system.arguments import flag, is_flag
from apsp.system.cached import cached_property

__all__ = ["Change", "Closed", "changed_graph", "changed_weights"]

Ints = npt.NDArray[np.int64]

_NO_ROWS: Ints = np.empty(0, dtype=np.int64)

_EXACT = 2**53
"""Whole floats up to this number are exact."""


class Closed:
    """A graph of which some links are closed.

    Parameters
    ----------
    whole : Graph or TurnGraph
        With all links. The weights of those that are closed count for nothing.
    rows : (k,) int64
        The closed links if the graph keeps its links, otherwise the closed arcs; they ascend.

    Raises
    ------
    GraphError
        If there are no such links.
    """

    def __init__(self, whole: Graph | TurnGraph, rows: Ints) -> None:
        self.whole, self.rows = whole, rows
        base = self.base
        count = base.m if base.links is None else len(base.links)
        ascend = rows.dtype == np.int64 and rows.ndim == 1 and bool((np.diff(rows) > 0).all())
        if not ascend or (len(rows) and not 0 <= int(rows[0]) <= int(rows[-1]) < count):
            raise GraphError("the closed links do not fit the graph")

    @classmethod
    def of(cls, searched: Graph, rows: Ints | None) -> Closed | None:
        """The graph that is `searched`, as an oracle has it, without some links; None for None.

        Raises
        ------
        GraphError
            If there are no such links.
        """
        if rows is None:
            return None
        return cls(searched if searched._turned is None else searched._turned.whole, rows)

    @property
    def base(self) -> Graph:
        """The graph with all links, without turns."""
        return self.whole.graph if isinstance(self.whole, TurnGraph) else self.whole

    @property
    def searched(self) -> Graph:
        """The whole graph, as an oracle has it."""
        return _searched(self.whole)

    @cached_property
    def left(self) -> Graph:
        """The graph without the closed links, in which the others are numbered from 0 without gaps."""
        return self.graph if isinstance(self.whole, TurnGraph) else self.whole._without_rows(self.rows)

    @cached_property
    def graph(self) -> Graph:
        """The same graph, whose links have the numbers that they have in the whole one."""
        if isinstance(self.whole, TurnGraph):
            return self.whole._without_links(self._is_closed())._searched
        left, links = self.left, self.whole.links
        if left.links is None or links is None:
            return left
        numbers = left_of(np.arange(len(links)), self.rows)
        return left._with_links(Links(links, numbers[left.links.chosen].astype(left.links.chosen.dtype)))

    def _is_closed(self) -> npt.NDArray[np.bool_]:
        """(L,) whether each link is closed; of a graph that keeps none, each edge."""
        base = self.base
        found = np.zeros(base.m if base.links is None else len(base.links), dtype=bool)
        found[self.rows] = True
        return found if base.links is not None or base.directed else found[base.tails() <= base.indices]

    def moved(self, chosen: Any) -> Any:
        """Places of the whole graph as those of the graph without the closed links; what is of this as it is."""
        if isinstance(chosen, Places) and self.graph._turned is not None:
            check_places(self.base, chosen, "places")
            return self.graph._turned.whole._places.on_open_streets(chosen)
        if not isinstance(chosen, Places) or same_arcs(chosen.graph, self.left):
            return chosen
        return on_open_streets(self.base, self.left, chosen)


class Change(NamedTuple):
    """What a graph is changed to.

    Attributes
    ----------
    graph : Graph or None
        None: that which `some` makes of the graph of before.
    some : SomeWeights or None
        In what it differs from the graph of before, if it is known.
    closed : Closed or None
        If some links are closed.
    """

    graph: Graph | None
    some: SomeWeights | None
    closed: Closed | None = None


def changed_graph(now: Graph, given: Graph | TurnGraph, links: Any) -> Change:
    """The change to another graph, in which no link is closed.

    Raises
    ------
    GraphError, RequestError
        If it does not fit that of an oracle; if `links` are given.
    """
    if not is_flag(links) or flag(links, "links"):
        raise RequestError("links belong to weights: a graph has those of its own links")
    if isinstance(given, TurnGraph) or now._turned is not None:
        return Change(checked_turns(now, given)._searched, None)
    return Change(given, closed_or_opened(now, given))


def changed_weights(now: Graph, closed: Closed | None, weights: Any, links: Any) -> Change:
    """The change to other weights of all links, or of some; infinite ones close them, and finite ones open them.

    Parameters
    ----------
    now : Graph
        That of an oracle.
    closed : Closed or None
        If some of its links are closed.
    weights, links
        As for `Graph.with_weights`, of the whole graph; or infinite.

    Raises
    ------
    GraphError, RequestError
        As `Graph.with_weights`.
    """
    if not isinstance(weights, (str, Mapping)):
        weights = number_array(weights, "weights")
    turned = None if now._turned is None else now._turned.whole
    if closed is None and not _has_infinite(weights):
        if turned is not None:
            return Change(turned.with_weights(weights, links=links)._searched, None)
        is_some = not is_flag(links) or (isinstance(weights, Mapping) and not flag(links, "links"))
        some = some_weights(now, weights, links) if is_some and not isinstance(weights, str) else None
        return Change(now.with_weights(weights, links=links) if some is None else None, some)
    whole: Graph | TurnGraph = now if turned is None else turned
    whole = whole if closed is None else closed.whole
    base = whole.graph if isinstance(whole, TurnGraph) else whole
    rows, given = _by_row(base, weights, links)
    if rows is not None:
        rows, first = np.unique(rows, return_index=True)
        given = given[first]
    shut = np.isposinf(given)
    changed = base if shut.all() else _with_open(base, rows, given, shut)
    whole = _on(whole, base, changed)
    before = _NO_ROWS if closed is None else closed.rows
    after = np.flatnonzero(shut) if rows is None else np.union1d(np.setdiff1d(before, rows[~shut]), rows[shut])
    made = Closed(whole, after.astype(np.int64)) if len(after) else None
    some = None if rows is None or turned is not None else _difference(base, changed, rows, np.isin(rows, before), shut)
    return Change(_searched(whole) if made is None else made.graph, some, made)


def _on(whole: Graph | TurnGraph, base: Graph, changed: Graph) -> Graph | TurnGraph:
    if not isinstance(whole, TurnGraph):
        return changed
    return whole if changed is base else whole._with_graph(changed)


def _searched(whole: Graph | TurnGraph) -> Graph:
    return whole._searched if isinstance(whole, TurnGraph) else whole


def _difference(
    before: Graph, after: Graph, rows: Any, was_shut: npt.NDArray[np.bool_], shut: npt.NDArray[np.bool_]
) -> SomeWeights | None:
    """In what two graphs with the same arcs differ; None if they have other dtypes, or parallel links."""
    if before.weights is not None and after.weights is not None and before.weights.dtype != after.weights.dtype:
        return None
    if before.links is None:
        tails = np.searchsorted(before.indptr, rows, "right") - 1
        arcs, ends, of = rows, (tails, before.indices[rows]), np.arange(len(rows))
    elif before._crowded_links[rows].any():
        return None
    else:
        arcs, ends, of = arcs_of_links(before, rows)
    new, old = (
        np.ones(len(arcs), np.int32) if each is None else each[arcs] for each in (after.weights, before.weights)
    )
    return SomeWeights(arcs, *ends, new, old, shut[of], was_shut[of])


def _has_infinite(weights: Any) -> bool:
    if isinstance(weights, Mapping):
        numbers = (each for each in weights.values() if isinstance(each, (float, np.floating, np.ndarray)))
        return any(np.ndim(each) == 0 and each == np.inf for each in numbers)
    return isinstance(weights, np.ndarray) and weights.dtype.kind == "f" and bool(np.isposinf(weights).any())


def _by_row(graph: Graph, weights: Any, links: Any) -> tuple[Ints | None, NumPyArray]:
    """The links or arcs of weights, None for all in their order, and the weights, of which some may be infinite."""
    if isinstance(weights, str):
        made = graph.with_weights(weights)
        found = (made.links or made).weights
        assert found is not None
        return None, found
    if not is_flag(links):
        return weights_by_link(graph, links, weights, closing=True)
    by_link = flag(links, "links")
    if isinstance(weights, Mapping):
        if by_link:
            raise RequestError("weights by edge need no links: update({(tail, head): weight})")
        return weights_by_row(graph, weights, closing=True)
    given = graph._by_row(arc_weight_array(weights, *graph._ends(by_link), graph.labels, closing=True), by_link)
    if graph.links is None and not graph.directed:
        check_same_weights(graph._reverse, given)
    return None, given


def _with_open(graph: Graph, rows: Ints | None, given: NumPyArray, shut: npt.NDArray[np.bool_]) -> Graph:
    """The graph with the finite weights; integers stay integers if all of these are whole."""
    if rows is None and not shut.any():
        return graph._with(weights=given)
    count, old = (graph.m, graph.weights) if graph.links is None else (len(graph.links), graph.links.weights)
    finite, places = given[~shut], np.flatnonzero(~shut) if rows is None else rows[~shut]
    if shut.any() and given.dtype.kind == "f" and (old is None or old.dtype.kind != "f"):
        finite = _whole(finite)
    if rows is None and finite.dtype.kind == "f":
        old = np.ones(count, dtype=finite.dtype) if old is None else old.astype(finite.dtype)
    if rows is not None and old is not None:
        narrow = exact(finite, old.dtype)
        if narrow is not None and np.array_equal(narrow, old[places]):
            return graph
        if narrow is not None and not (narrow < 0).any() and not graph.has_negative_arc:
            some = some_of_rows(graph, places, narrow)
            if some is not None and graph.weights is not None:
                weights = np.array(graph.weights)
                weights[some.arcs] = some.weights
                return with_some_weights(graph, some, weights)
    return graph._with(weights=replaced(old, count, places, finite))


def _whole(weights: NumPyArray) -> NumPyArray:
    """Floats beside infinity as integers, if all are whole."""
    if (weights != np.floor(weights)).any():
        return weights
    if len(weights) and np.abs(weights).max() > _EXACT:
        raise GraphError(
            "beside infinity weights are floats, which hold whole numbers up to 2^53, and some are larger: update "
            "those links by themselves"
        )
    return weights.astype(np.int64)
