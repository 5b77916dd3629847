"""The costs of the arcs that skims add up, from what a caller names or gives."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp._types import JsonObject
from apsp.errors import DtypeRangeError, GraphError, RequestError, shown
from apsp.graph.arrays import arc_weight_array
from apsp.graph.costs import Costs
from apsp.graph.equality import same_arcs
from apsp.graph.links import Links, best_links, rows_of
from apsp.graph.model import Graph
from apsp.graph.places import Places
from apsp.graph.places.placed import with_places
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.methods.skims.skims import MOST_COSTS
from apsp.system.arguments import name_fault

__all__ = ["SkimCosts", "check_names", "costs_along", "costs_of", "costs_with_places"]

_WEIGHTS = "cost"
"""Name of the weights of the graph."""

_EXACT = 2**53
"""float64 holds every integer up to here."""


class SkimCosts(NamedTuple):
    """Costs of every arc.

    Attributes
    ----------
    names : tuple of str
        The cost that the paths minimise, then the others.
    columns : (m, K) float64
    integers : tuple of bool
        Which of them are integers: their sums are exact.
    """

    names: tuple[str, ...]
    columns: npt.NDArray[np.float64]
    integers: tuple[bool, ...]

    @property
    def are_exact(self) -> bool:
        """All of them are integers."""
        return all(self.integers)

    def hashes(self) -> JsonObject:
        """Return hashes of the costs beside the one that the paths minimise, for the identity of a stored request."""
        columns = np.ascontiguousarray(self.columns.T[1:], dtype="<f8")
        pairs = zip(self.names[1:], columns, strict=True)
        return {f"values of {name}": hashlib.sha256(column).hexdigest() for name, column in pairs}


def costs_of(graph: Graph, along: object, cost: object) -> tuple[Graph, SkimCosts]:
    """Return the graph with the cost that the paths minimise as its weights, and all costs.

    Parameters
    ----------
    along, cost
        As of `apsp.skim`, whose errors this raises.
    """
    along = {} if along is None else along
    if graph._turned is not None:
        return graph, _costs_with_turns(graph, graph._turned.whole, along, _name(cost))
    graph, others, name = _by_name(graph, along, _name(cost))
    costs = _columns(graph, others, name)
    _check_range(graph, name, graph.arc_weights(_weights_dtype(graph)))
    return graph, costs


def costs_with_places(graph: Graph, costs: SkimCosts, sources: object, targets: object) -> tuple[Graph, SkimCosts]:
    """Return the graph and the costs of its arcs, with places as vertices if sources or targets are places."""
    if not isinstance(sources, Places) and not isinstance(targets, Places):
        return graph, costs
    found = with_places(graph, leaving=(sources,), entering=(targets,), rows=sources)
    columns = np.stack([found.extended(column) for column in costs.columns.T], axis=1)
    columns[:, 0] = found.graph.arc_weights(np.float64)
    return found.graph, costs._replace(columns=columns, integers=(False,) * len(costs.names))


def costs_along(graph: Graph, along: object, name: str) -> SkimCosts:
    """Return the weights of the graph, which paths minimise, under a name, and other costs.

    Parameters
    ----------
    along
        As of `apsp.skim`, whose errors this raises.
    """
    if graph._turned is not None:
        return _costs_with_turns(graph, graph._turned.whole, along, None, name)
    return _columns(graph, _by_name(graph, along, None)[1], name)


def _costs_with_turns(
    graph: Graph, whole: TurnGraph, along: object, cost: str | None, called: str | None = None
) -> SkimCosts:
    """The costs of the arcs of an expanded graph: those of the links, which also decide between equally good ones."""
    plain, rows = whole.graph, rows_of(whole.graph)
    if isinstance(along, Iterable) and not isinstance(along, (Mapping, Graph, np.ndarray)):
        along = [along] if isinstance(along, str) else list(along)
    weighed, others, name = _by_name(plain, along, cost)
    if weighed is not plain and weighed != plain:
        raise RequestError(
            f"cost={shown(name)}: penalties of turns are in the unit of the weights, which skims of a graph with turns "
            f"minimise: turned.with_weights({shown(name)}) has weights of this cost, and the same penalties"
        )
    name = called or name
    arcs = _columns(plain, others, name)
    if isinstance(along, Mapping):
        values = {each: _of_links(plain, _along(plain, each, given)) for each, given in others.items()}
    else:
        values = {each: rows.costs[each] for each in arcs.names[1:]}
    found = _columns(graph, whole._costs_of_arcs(Costs(values)), name)
    _check_range(graph, name, graph.arc_weights(_weights_dtype(graph)))
    return found


def _of_links(graph: Graph, values: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    """Numbers of the arcs as those of the links, in the order of `rows_of`."""
    if graph.links is not None:
        return graph.links.of_arcs(graph, values)
    return values if graph.directed else values[graph.tails() <= graph.indices]


def _by_name(graph: Graph, along: object, cost: str | None) -> tuple[Graph, Mapping[str, object], str]:
    """The graph with the cost that the paths minimise as its weights, the arrays of the others, and its name."""
    given, by_name = graph, None
    if isinstance(along, str):
        along = [along]
    if isinstance(along, Iterable) and not isinstance(along, (Mapping, Graph, np.ndarray)):
        along = list(along)
        known = ", ".join(map(repr, graph.costs)) if graph.costs else "no costs beside its weights"
        for name in along:
            if not isinstance(name, str) or name not in graph.costs:
                raise RequestError(f"along names {shown(name)}, but the graph has {known}")
        if len(set(along)) < len(along):
            raise RequestError(f"along names a cost twice: {', '.join(along)}")
        by_name = along = {name: graph.costs[name] for name in along}
    if not isinstance(along, Mapping):
        raise RequestError(
            f"along must be names of costs of the graph, or map names to costs of the arcs, not {shown(along)}"
        )
    if cost is None:
        cost = _WEIGHTS
    elif cost in graph.costs:
        graph = graph.with_weights(cost)
    elif graph.costs and cost != _WEIGHTS:
        raise RequestError(
            f"cost={shown(cost)}: the graph has {', '.join(map(repr, graph.costs))}, and {_WEIGHTS!r} are its weights; "
            f"graph.with_costs({_naming(graph, cost)}) names them"
        )
    if graph.links is None or given.links is None:
        return graph, along, cost
    if by_name is not None:
        return graph, _of_best_links(graph, graph.links, list(by_name)), cost
    if not np.array_equal(graph.links.chosen, given.links.chosen) and along:
        raise RequestError(
            f"along has numbers of arcs, but of parallel links {cost!r} takes others than the arcs: give along= names"
            " of costs, which graph.with_costs(links=True, name=numbers of the links) adds"
        )
    return graph, along, cost


def _naming(graph: Graph, cost: str) -> str:
    """The arguments of `with_costs` that give the weights a name."""
    name = cost if cost.isidentifier() else "name"
    return f"{name}=graph.weights" if graph.links is None else f"links=True, {name}=graph.links.weights"


def _of_best_links(graph: Graph, links: Links, names: list[str]) -> dict[str, npt.NDArray[np.generic]]:
    """Costs of the arcs, where these costs decide in their order between equally good links."""
    columns = [links.costs[name] for name in names]
    keys = columns if links.weights is None else [links.weights, *columns]
    chosen = best_links(graph.n, links, keys, directed=graph.directed)[2]
    return {name: column[chosen] for name, column in zip(names, columns, strict=True)}


def check_names(names: Sequence[str]) -> None:
    """Refuse names that are none, and one of the costs that the paths minimise and of others, too.

    Raises RequestError.
    """
    for name in names:
        _name(name)
    if len(set(names)) < len(names):
        raise RequestError(
            f"along has the name {names[0]!r} of the cost that the paths minimise: leave it out, or rename it"
        )


def _name(name: object) -> str:
    fault = name_fault(name)
    if fault is not None:
        raise RequestError(f"the name of a cost {fault}")
    return str(name)


def _columns(graph: Graph, along: Mapping[str, object], cost: str) -> SkimCosts:
    names = (cost, *along)
    check_names(names)
    if len(names) > MOST_COSTS:
        raise RequestError(f"along has {len(along)} costs: at most {MOST_COSTS - 1} are summed up in one call")
    if graph.has_negative_arc:
        raise GraphError("the graph has negative weights: skims need costs of 0 and more")
    columns = [graph.arc_weights(_weights_dtype(graph))]
    columns += [_along(graph, name, given) for name, given in along.items()]
    for name, column in zip(names[1:], columns[1:], strict=True):
        _check_range(graph, name, column)
        bad = np.flatnonzero((column < 0) & (columns[0] == 0))
        if len(bad):
            tail, head = graph.word(graph.tails()[bad[0]]), graph.word(graph.indices[bad[0]])
            raise GraphError(
                f"{name!r} is negative on the arc from vertex {tail} to {head}, whose weight is 0: cycles of such arcs "
                "may have no least cost"
            )
    table = np.empty((graph.m, len(columns)))
    for k, column in enumerate(columns):
        table[:, k] = column
    return SkimCosts(names, table, tuple(column.dtype.kind in "biu" for column in columns))


def _weights_dtype(graph: Graph) -> np.dtype[Any]:
    return np.dtype(np.int64) if graph.weights is None else graph.weights.dtype


def _along(graph: Graph, name: str, given: object) -> npt.NDArray[np.generic]:
    if isinstance(given, Graph):
        same = same_arcs(given, graph)
        if not same:
            raise GraphError(f"along[{name!r}] is a graph with other arcs: its weights are not costs of the same arcs")
        chosen = [each.links.chosen for each in (given, graph) if each.links is not None]
        if len(chosen) == 2 and not np.array_equal(chosen[0], chosen[1]):
            raise GraphError(
                f"along[{name!r}] is a graph whose arcs are other links: give along= names of costs of the graph"
            )
        return given.arc_weights(_weights_dtype(given))
    try:
        return arc_weight_array(given, graph.tails(), graph.indices, graph.labels)
    except GraphError as error:
        raise GraphError(f"along[{name!r}]: {error}") from None


def _check_range(graph: Graph, name: str, column: npt.NDArray[np.generic]) -> None:
    """Raise unless sums along any path of the graph are exact, if the costs are integers."""
    if column.dtype.kind == "f" or not len(column):
        return
    largest = max(abs(int(column.max())), abs(int(column.min())))
    if largest * max(graph.n - 1, 1) > _EXACT:
        raise DtypeRangeError(
            f"{name!r}: sums of up to {graph.n - 1:,} arcs of {largest:,} may exceed 2^53, so float64 may round them; "
            "divide the costs, or give them as floats"
        )
