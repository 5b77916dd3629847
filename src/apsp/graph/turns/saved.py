"""Conversion of a graph with turns to named arrays for files, and back."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError
from apsp.graph.costs import Costs
from apsp.graph.links import rows_of
from apsp.graph.model import Graph
from apsp.graph.turns.expansion import of_arcs
from apsp.graph.turns.rules import Rules
from apsp.graph.turns.turn_graph import TurnGraph

__all__ = ["are_turns", "arrays_of_recipe", "arrays_of_turns", "recipe_of_arrays", "turned_of_arrays"]

_ARCS = ("indptr", "indices", "weights")
_LINKS = ("from_link", "to_link", "penalty")


def arrays_of_turns(turned: TurnGraph, *, is_reversed: bool) -> dict[str, npt.NDArray[Any]]:
    """The arrays of the expansion, the movements, sequences and rules; those of the graph itself are saved elsewhere.

    Whether the graph is directed, and the expanded one reversed, are among them.
    """
    found = {name: getattr(turned.expanded, name) for name in _ARCS}
    found |= {"vertices": turned.vertices, "links": turned.links, "directed": np.array([turned.graph.directed])}
    found["is_reversed"] = np.array([is_reversed])
    return {f"turn_{name}": np.asarray(array) for name, array in found.items()} | arrays_of_recipe(turned)


def arrays_of_recipe(turned: TurnGraph) -> dict[str, npt.NDArray[Any]]:
    """The arrays of the movements, sequences and rules, of which `with_turns` makes the graph with turns again."""
    rules = Rules(**{name: value for name, value in turned.rules.items() if name != "crs"})
    found: dict[str, Any] = {}
    if turned.movements:
        found |= {name: turned.movements[name] for name in _LINKS}
        found["via"] = turned.graph.labels.positions(turned.movements["via"])
    found["sequence_ends"] = np.cumsum([len(each) for each in turned.forbidden], dtype=np.int64)
    found["sequences"] = np.array(list(itertools.chain(*turned.forbidden)), dtype=np.int64)
    found["rules"] = np.array(rules, dtype=np.float64)
    found["crs"] = np.frombuffer((turned.rules.get("crs") or "").encode(), dtype=np.uint8)
    return {f"turn_{name}": np.asarray(array) for name, array in found.items()}


def are_turns(arrays: Mapping[str, Any]) -> bool:
    """Whether the arrays of a graph are those of one with turns."""
    return "turn_indptr" in arrays


def turned_of_arrays(graph: Graph, arrays: Mapping[str, npt.NDArray[Any]]) -> TurnGraph:
    """The graph with turns, after checks that the arrays fit the graph.

    Raises
    ------
    KeyError, GraphError
        If an array is missing, or they do not fit.
    """
    given = {name.removeprefix("turn_"): array for name, array in arrays.items() if name.startswith("turn_")}
    vertices, links, rows = given["vertices"], given["links"], rows_of(graph)
    arcs = Graph(*(given[name] for name in _ARCS))
    if not (
        arcs.n == len(vertices) >= graph.n
        and np.array_equal(vertices[: graph.n], np.arange(graph.n))
        and _within(vertices, 0, graph.n)
        and len(links) == arcs.m
        and _within(links, -1, len(rows))
    ):
        raise GraphError("its turns do not fit its graph")
    on = links >= 0
    costs = {name: np.zeros(arcs.m, array.dtype) for name, array in rows.costs.items()}
    for name, array in rows.costs.items():
        costs[name][on] = array[links[on]]
    assert arcs.weights is not None
    made = of_arcs(graph, arcs.indptr, arcs.indices, arcs.weights, vertices, Costs(costs))
    return TurnGraph(graph, made, vertices, links, *recipe_of_arrays(graph, arrays))


def recipe_of_arrays(
    graph: Graph, arrays: Mapping[str, npt.NDArray[Any]]
) -> tuple[dict[str, npt.NDArray[Any]] | None, tuple[tuple[int, ...], ...], dict[str, Any]]:
    """The movements, sequences and rules, after checks that they fit the graph.

    Raises
    ------
    KeyError, GraphError
        If an array is missing, or they do not fit.
    """
    given = {name.removeprefix("turn_"): array for name, array in arrays.items() if name.startswith("turn_")}
    ends, count = [0, *given["sequence_ends"].tolist()], len(rows_of(graph))
    named = [given["sequences"], *(given[name] for name in _LINKS[:2] if name in given)]
    if not all(_within(numbers, 0, count) for numbers in named):
        raise GraphError("its movements do not fit its links")
    if ends[-1] != len(given["sequences"]) or sorted(ends) != ends or given["rules"].shape != (len(Rules._fields),):
        raise GraphError("its turns are damaged")
    forbidden = tuple(tuple(given["sequences"][a:b].tolist()) for a, b in itertools.pairwise(ends))
    movements = None
    if "via" in given:
        movements = {name: given[name] for name in _LINKS} | {"via": graph.labels.take(given["via"])}
    rules = dict(Rules(*given["rules"].tolist())._asdict(), crs=given["crs"].tobytes().decode() or None)
    return movements, forbidden, rules


def _within(numbers: npt.NDArray[Any], least: int, most: int) -> bool:
    return numbers.dtype.kind == "i" and (not len(numbers) or bool(numbers.min() >= least and numbers.max() < most))
