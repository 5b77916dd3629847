"""A few links or edges of a graph: others weights for them, or the graph without them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray
from apsp.errors import GraphError, RequestError, shown
from apsp.graph.arc_positions import arcs_between
from apsp.graph.arrays import arc_weight_array, number_array
from apsp.graph.equality import shared
from apsp.graph.links import kept_links
from apsp.system.arguments import is_flag

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = [
    "SomeWeights",
    "Whole",
    "arcs_of_links",
    "closed_or_opened",
    "exact",
    "facts_without",
    "replaced",
    "rows_of_edges",
    "some_of_rows",
    "some_weights",
    "weights_by_link",
    "weights_by_row",
    "weights_with_edges",
    "weights_with_links",
    "with_some_weights",
]

Ints = npt.NDArray[np.int64]

_SHARED = ("indptr", "indices", "directed", "labels", "coordinates", "zones", "crs", "costs", "links")
"""What does not depend on the weights of the arcs."""

_FOUND = ("_reverse", "_crowded_links")
"""And what is found at its first use."""


_REMEDY = ": no weight adds an edge; build the graph with it, and close it in an oracle by the weight inf"


def weights_with_links(graph: Graph, numbers: Any, weights: Any) -> NumPyArray:
    """The weights (L,) of all links, with those of the links with these numbers replaced.

    Raises
    ------
    GraphError, RequestError
        If the graph keeps no links, a number is no link's or occurs twice, or the weights are not one per number.
    """
    links = kept_links(graph)
    return replaced(links.weights, len(links), *weights_by_link(graph, numbers, weights))


def weights_by_link(graph: Graph, numbers: Any, weights: Any, *, closing: bool = False) -> tuple[Ints, NumPyArray]:
    """The links with these numbers, and their weights."""
    links, chosen = kept_links(graph), _link_numbers(graph, numbers)
    order = np.sort(chosen)
    twice = order[1:][order[1:] == order[:-1]]
    if len(twice):
        raise GraphError(f"link {twice[0]} is named twice: give one weight per link")
    if isinstance(weights, Mapping):
        raise RequestError("weights by edge need no links: with_weights({(tail, head): weight})")
    return chosen, arc_weight_array(weights, links.tails[chosen], links.heads[chosen], graph.labels, closing=closing)


def weights_with_edges(graph: Graph, weights: Mapping[Any, Any]) -> NumPyArray:
    """The weights of all arcs (m,), or links (L,) if the graph keeps them, with those of some edges replaced.

    Raises
    ------
    GraphError
        If there is no such edge, or there are several links, or an edge has two weights.
    """
    rows, given = weights_by_row(graph, weights)
    if graph.links is None:
        return replaced(graph.weights, graph.m, rows, given)
    return replaced(graph.links.weights, len(graph.links), rows, given)


class SomeWeights(NamedTuple):
    """Weights of some arcs of a graph, of the dtype of its weights; some of the arcs may be closed, or have been.

    Attributes
    ----------
    arcs : (k,) int64
        Their positions; in the graph that has all of them.
    tails, heads : (k,) integers
    weights, before : (k,) numbers
        The new ones and the old ones, of arcs that are open.
    shut, was_shut : (k,) bool
        Which arcs are closed now, and were closed before.
    of_links : ((c,) int64, (c,) numbers) or None
        Which links these are, and their weights; None if the graph keeps none.
    """

    arcs: Ints
    tails: Ints
    heads: npt.NDArray[Any]
    weights: NumPyArray
    before: NumPyArray
    shut: npt.NDArray[np.bool_]
    was_shut: npt.NDArray[np.bool_]
    of_links: tuple[Ints, NumPyArray] | None = None

    @property
    def have_paths(self) -> bool:
        """Whether all arcs are open, and were open before."""
        return not self.shut.any() and not self.was_shut.any()

    @property
    def are_closed(self) -> bool:
        """Whether all arcs are closed, and were open before."""
        return bool(self.shut.all()) and not self.was_shut.any()


class Whole(NamedTuple):
    """What `Graph.without_edges` was called of, and the arcs that it left out."""

    indices: npt.NDArray[np.int32]
    weights: NumPyArray | None
    arcs: Ints
    tails: Ints

    def is_of(self, graph: Graph) -> bool:
        """Whether a graph has these arcs and weights; False if they are only equal."""
        if not shared(self.indices, graph.indices):
            return False
        if self.weights is None or graph.weights is None:
            return self.weights is graph.weights
        return self.weights.dtype == graph.weights.dtype and shared(self.weights, graph.weights)


def closed_or_opened(old: Graph, new: Graph) -> SomeWeights | None:
    """In what two graphs differ if one is `without_edges` of the other; None if it is not known to be."""
    whole: Whole | None = new.__dict__.get("_whole")
    if whole is not None and whole.is_of(old):
        return _shut_or_opened(old, whole, are_shut=True)
    whole = old.__dict__.get("_whole")
    if whole is not None and whole.is_of(new):
        return _shut_or_opened(new, whole, are_shut=False)
    return None


def _shut_or_opened(graph: Graph, whole: Whole, *, are_shut: bool) -> SomeWeights:
    weights = np.ones(len(whole.arcs), np.int32) if graph.weights is None else graph.weights[whole.arcs]
    shut, was_shut = (np.full(len(whole.arcs), each) for each in (are_shut, not are_shut))
    return SomeWeights(whole.arcs, whole.tails, whole.indices[whole.arcs], weights, weights, shut, was_shut)


def some_weights(graph: Graph, weights: Any, links: Any = False) -> SomeWeights | None:
    """The weights of some edges or links, each arc once.

    None if the graph has no weights, if it would get a wider dtype, if some weights are negative, or if other links
    join the ends of some of these, which might take their place.

    Parameters
    ----------
    weights : mapping of pairs to numbers, or (k,) numbers
    links : False or (k,) ints
        The numbers of the links; False: the weights are by edge.

    Raises
    ------
    GraphError, RequestError
        As `weights_with_edges` and `weights_with_links`.
    """
    if graph.weights is None or graph.has_negative_arc:
        return None
    if not is_flag(links):
        rows, given = weights_by_link(graph, links, weights)
    else:
        rows, given = weights_by_row(graph, weights)
    narrow = exact(given, graph.weights.dtype)
    if narrow is None or (narrow < 0).any():
        return None
    rows, first = np.unique(rows, return_index=True)
    return some_of_rows(graph, rows, narrow[first])


def some_of_rows(graph: Graph, rows: Ints, weights: NumPyArray) -> SomeWeights | None:
    """New weights of some arcs, or of some links if the graph keeps them; None if others join their ends."""
    assert graph.weights is not None
    if graph.links is None:
        tails, heads = np.searchsorted(graph.indptr, rows, "right") - 1, graph.indices[rows].astype(np.int64)
        arcs, ends, new, of_links = rows, (tails, heads), weights, None
    elif graph._crowded_links[rows].any():
        return None
    else:
        arcs, ends, of = arcs_of_links(graph, rows)
        new, of_links = weights[of], (rows, weights)
    open_ = np.zeros(len(arcs), dtype=bool)
    return SomeWeights(arcs, *ends, new, graph.weights[arcs], open_, open_, of_links)


def arcs_of_links(graph: Graph, links: Ints) -> tuple[Ints, tuple[Ints, Ints], Ints]:
    """The arcs that links are which are the only ones between their ends, the tails and heads of these, and which of
    the links each is of.
    """
    assert graph.links is not None
    tails, heads = (each[links].astype(np.int64) for each in (graph.links.tails, graph.links.heads))
    one_way = graph.links.one_way
    back = tails != heads
    back &= ~one_way[links] if one_way is not None else not graph.directed
    ends = np.concatenate([tails, heads[back]]), np.concatenate([heads, tails[back]])
    of = np.concatenate([np.arange(len(links)), np.flatnonzero(back)])
    return arcs_between(graph.indptr, graph.indices, *ends), ends, of


def with_some_weights(graph: Graph, some: SomeWeights, weights: NumPyArray) -> Graph:
    """The graph with other weights (m,), which differ from its own as `some` does; nothing is checked or copied.

    The facts about its weights follow from those of the old ones, as a rule without a pass over them.
    """
    made = object.__new__(type(graph))
    for name in _SHARED:
        setattr(made, name, getattr(graph, name))
    weights.flags.writeable = False
    made.weights = weights.view()
    for name in _FOUND:
        if name in graph.__dict__:
            made.__dict__[name] = graph.__dict__[name]
    if some.of_links is not None and graph.links is not None:
        of_links = np.array(graph.links.weights)
        of_links[some.of_links[0]] = some.of_links[1]
        made.links = graph.links.with_weights(of_links)
    facts = _facts_after(graph, some)
    if facts is not None:
        made.__dict__["_arc_facts"], made.__dict__["_extreme_arcs"] = facts
    return made


def _facts_after(graph: Graph, some: SomeWeights) -> tuple[tuple[Any, Any, float, bool], tuple[int, int]] | None:
    """The facts about the weights of a graph after a change, and how many arcs are the shortest and the longest.

    None if a pass over all arcs is needed: if no arc is left that was the shortest, the longest, or zero.
    """
    if graph.weights is None or not len(some.arcs) or not some.have_paths:
        return None
    smallest, largest, mean, has_zero = graph._arc_facts
    counts = _extreme_arcs(graph)
    low, high = some.weights.min().item(), some.weights.max().item()
    joined = [int(np.count_nonzero(some.weights == each)) for each in (min(low, smallest), max(high, largest))]
    left = [int(np.count_nonzero(some.before == each)) for each in (smallest, largest)]
    least = joined[0] + (0 if low < smallest else counts[0] - left[0])
    most = joined[1] + (0 if high > largest else counts[1] - left[1])
    if not least or not most:
        return None
    joins = some.tails != some.heads
    if ((some.weights == 0) & joins).any():
        has_zero = True
    elif has_zero and ((some.before == 0) & joins).any():
        return None
    grown = _absolute_sum(some.weights) - _absolute_sum(some.before)
    if not math.isfinite(grown):
        return None
    return (min(low, smallest), max(high, largest), mean + grown / graph.m, has_zero), (least, most)


def _absolute_sum(weights: NumPyArray) -> float:
    with np.errstate(over="ignore"):
        return float(np.abs(weights.astype(np.float64)).sum())


def _extreme_arcs(graph: Graph) -> tuple[int, int]:
    """How many arcs are the shortest and the longest; stored with the graph."""
    if "_extreme_arcs" not in graph.__dict__:
        smallest, largest, _, _ = graph._arc_facts
        counts = (int(np.count_nonzero(graph.weights == each)) for each in (smallest, largest))
        graph.__dict__["_extreme_arcs"] = tuple(counts)
    found: tuple[int, int] = graph.__dict__["_extreme_arcs"]
    return found


def facts_without(graph: Graph, arcs: Ints, tails: Ints) -> dict[str, Any]:
    """What is stored about the weights of a graph without some arcs; nothing if a pass over the others is needed."""
    if graph.weights is None or graph.m == len(arcs) or "_arc_facts" not in graph.__dict__:
        return {}
    smallest, largest, mean, has_zero = graph._arc_facts
    weights = graph.weights[arcs]
    least, most = (
        count - int(np.count_nonzero(weights == each))
        for count, each in zip(_extreme_arcs(graph), (smallest, largest), strict=True)
    )
    if not least or not most or (has_zero and ((weights == 0) & (tails != graph.indices[arcs])).any()):
        return {}
    total = mean * graph.m - _absolute_sum(weights)
    if not math.isfinite(total):
        return {}
    return {
        "_arc_facts": (smallest, largest, total / (graph.m - len(arcs)), has_zero), "_extreme_arcs": (least, most),
    }  # fmt: skip


def weights_by_row(graph: Graph, weights: Mapping[Any, Any], *, closing: bool = False) -> tuple[Ints, NumPyArray]:
    """The arcs or links of some edges, and their weights."""
    tails, heads = _ends(graph, list(weights))
    rows, edges = _rows_of(graph, tails, heads, _REMEDY)
    given = arc_weight_array(list(weights.values()), tails, heads, graph.labels, closing=closing)[edges]
    order = np.argsort(rows, kind="stable")
    same = rows[order][1:] == rows[order][:-1]
    differs = np.flatnonzero(same & (given[order][1:] != given[order][:-1]))
    if len(differs):
        edge = edges[order[differs[0]]]
        raise GraphError(
            f"the edge between {graph.word(int(tails[edge]))} and {graph.word(int(heads[edge]))} has two weights: it "
            "is the same in both directions"
        )
    return rows, given


def rows_of_edges(graph: Graph, edges: Any, *, links: bool) -> Ints:
    """The positions of the arcs of some edges, or the numbers of their links if the graph keeps them; each once.

    Parameters
    ----------
    edges : sequence of pairs, or of numbers of links
    links : bool
        They are numbers.

    Raises
    ------
    GraphError, RequestError
        If an edge or a link does not exist, or there are several links.
    """
    if links:
        return np.unique(_link_numbers(graph, edges))
    if isinstance(edges, (str, bytes)) or not hasattr(edges, "__iter__"):
        raise RequestError(f"edges must be a sequence of pairs (tail, head), not {shown(edges)}")
    pairs = edges.tolist() if isinstance(edges, np.ndarray) else list(edges)
    ends = _ends(graph, [tuple(each) if isinstance(each, list) else each for each in pairs])
    return np.unique(_rows_of(graph, *ends)[0])


def _link_numbers(graph: Graph, numbers: Any) -> Ints:
    links, chosen = kept_links(graph), number_array(numbers, "links")
    if chosen.size == 0:
        chosen = chosen.astype(np.int64)
    if chosen.ndim != 1 or chosen.dtype.kind not in "iu":
        raise RequestError(
            f"links must be numbers of links, not {shown(numbers)}: numpy.flatnonzero(mask) has those of a mask"
        )
    wrong = np.flatnonzero((chosen < 0) | (chosen >= len(links)))
    if len(wrong):
        raise GraphError(f"there is no link {chosen[wrong[0]]}: the graph has {len(links):,} links, numbered from 0")
    return chosen.astype(np.int64)


def _ends(graph: Graph, pairs: list[Any]) -> tuple[Ints, Ints]:
    """The positions of the ends of edges."""
    for each in pairs:
        if not (isinstance(each, tuple) and len(each) == 2):
            raise GraphError(f"edges are pairs (tail, head), not {shown(each)}")
    tails, heads = (graph.labels.positions([pair[side] for pair in pairs]).astype(np.int64) for side in (0, 1))
    return tails, heads


def _rows_of(graph: Graph, tails: Ints, heads: Ints, remedy: str = "") -> tuple[Ints, Ints]:
    """The arcs, both of each edge if the graph is undirected, or the links if the graph keeps them; and which of the
    edges each is of.
    """
    edges = np.arange(len(tails))
    if not graph.directed and graph.links is None:
        edges = np.concatenate([edges, np.flatnonzero(tails != heads)])
    back = edges[len(tails) :]
    starts, ends = np.concatenate([tails, heads[back]]), np.concatenate([heads, tails[back]])
    arcs = arcs_between(graph.indptr, graph.indices, starts, ends)
    wrong = np.flatnonzero(arcs < 0)
    if len(wrong):
        edge = edges[wrong[0]]
        raise GraphError(
            f"there is no edge from {graph.word(int(tails[edge]))} to {graph.word(int(heads[edge]))} in this graph"
            f"{remedy}"
        )
    if graph.links is None:
        return arcs, edges
    graph.links.check_single(graph, tails, heads)
    return graph.links.chosen[arcs].astype(np.int64), edges


def replaced(old: NumPyArray | None, count: int, places: Ints, given: NumPyArray) -> NumPyArray:
    """A copy of some weights with others in some places; its dtype is that of the old ones if it holds all exactly."""
    base = np.ones(count, dtype=np.int32) if old is None else old
    if not len(given):
        return base
    narrow = exact(given, base.dtype)
    changed = base.copy() if narrow is not None else base.astype(np.result_type(base.dtype, given.dtype))
    changed[places] = given if narrow is None else narrow
    return changed


def exact(given: NumPyArray, dtype: np.dtype[Any]) -> NumPyArray | None:
    """Weights in another dtype, if it holds all exactly."""
    with np.errstate(all="ignore"):
        narrow = given.astype(dtype)
    is_exact = not (given.dtype.kind == "f" and dtype.kind != "f") and (narrow.astype(given.dtype) == given).all()
    return narrow if is_exact else None
