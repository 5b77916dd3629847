"""Edges without the attribute with the lengths: refused, counted, or given the length that the caller says."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

import apsp


def of_networkx(values: list[Any], kind: Any = nx.Graph) -> Any:
    made = kind()
    made.add_nodes_from("abcd")
    for (u, v), value in zip(["ab", "bc", "cd"], values, strict=True):
        made.add_edge(u, v, **({} if value is None else {"km": value}))
    return made


def of_multigraph(values: list[Any]) -> Any:
    return of_networkx(values, nx.MultiDiGraph)


def of_igraph(values: list[Any]) -> Any:
    made = pytest.importorskip("igraph").Graph(n=4, edges=[(0, 1), (1, 2), (2, 3)])
    made.vs["name"] = list("abcd")
    if values != [None] * 3:
        made.es["km"] = values
    return made


def of_rustworkx(values: list[Any]) -> Any:
    made = pytest.importorskip("rustworkx").PyGraph()
    made.add_nodes_from("abcd")
    made.add_edges_from([(k, k + 1, {} if value is None else {"km": value}) for k, value in enumerate(values)])
    return made


MAKERS = [of_networkx, of_multigraph, of_igraph, of_rustworkx]


@pytest.mark.parametrize("make", MAKERS)
def test_an_attribute_that_no_edge_has_is_refused_with_those_that_exist(make: Any) -> None:
    with pytest.raises(apsp.RequestError, match=r"no edge attribute 'lenght': the edges have km; weight=None"):
        apsp.as_graph(make([5, 7, 9]), weight="lenght")
    with pytest.raises(apsp.RequestError, match=r"no edge attribute 'km': the edges have no attributes"):
        apsp.as_graph(make([None, None, None]), weight="km")
    with pytest.raises(apsp.RequestError, match=r"no edge attribute 'lenght'"):
        apsp.as_graph(make([5, 7, 9]), weight="lenght", missing=1)
    assert apsp.as_graph(make([None, None, None])).weights is None  # none named: hops
    assert apsp.as_graph(make([5, 7, 9])).weights is None


@pytest.mark.parametrize("make", MAKERS)
def test_edges_without_the_attribute_that_others_have_are_counted_and_named(make: Any) -> None:
    graph = make([5, None, None])
    with pytest.raises(
        apsp.GraphError, match=r"2 of 3 edges lack .*'km', the first is edge '?[b1]'? - '?[c2]'?: missing=1"
    ):
        apsp.as_graph(graph, weight="km")
    made = apsp.as_graph(graph, weight="km", missing=2)
    a, d = made.labels[0], made.labels[3]
    assert apsp.solve(made).distance(a, d) == 9
    assert apsp.solve(apsp.as_graph(graph, weight="km", missing=0.5)).distance(a, d) == 6.0
    with pytest.raises(apsp.GraphError, match="1 of 3 edges lacks"):
        apsp.as_graph(make([5, None, 1]), weight="km")


@pytest.mark.parametrize("make", MAKERS)
def test_the_usual_attribute_that_some_edges_lack_is_refused_too(make: Any) -> None:
    graph = make([1, 1, 1])
    if isinstance(graph, nx.Graph):
        nx.set_edge_attributes(
            graph, {next(iter(graph.edges(keys=True) if graph.is_multigraph() else graph.edges)): 4}, "weight"
        )
    elif hasattr(graph, "es"):
        graph.es["weight"] = [4, None, None]
    else:
        graph.update_edge(0, 1, {"weight": 4})
    with pytest.raises(apsp.GraphError, match="2 of 3 edges lack"):
        apsp.solve(graph)
    made = apsp.as_graph(graph, missing=1)
    assert apsp.solve(made).distance(made.labels[0], made.labels[3]) == 6


def test_functions_of_networkx_graphs_and_hidden_edges_stay_as_they_are() -> None:
    graph = of_networkx([5, None, None])
    found = apsp.from_networkx(graph, lambda _u, _v, data: data.get("km"))
    assert found.m == 2
    with pytest.raises(apsp.RequestError, match="missing must be a finite number"):
        apsp.from_networkx(graph, "km", missing=float("inf"))
    assert apsp.from_networkx(graph, "km", missing=1).m == 6
    assert apsp.from_networkx(nx.Graph(), "km").n == 0


@pytest.mark.parametrize(
    "graph", [np.eye(3), apsp.from_edges([0], [1], [3]), {"source": [0], "target": [1], "weight": [2]}],
    ids=["matrix", "apsp", "table"],
)  # fmt: skip
def test_missing_is_refused_where_no_edge_can_lack_its_length(graph: Any) -> None:
    with pytest.raises(apsp.RequestError, match="missing= is for edges without an attribute"):
        apsp.as_graph(graph, missing=1)


def test_the_backend_of_networkx_counts_one_as_networkx_does() -> None:
    graph = of_networkx([5, None, None])
    assert nx.shortest_path_length(graph, "a", "d", weight="km", backend="apsp") == 7
    assert nx.shortest_path_length(graph, "a", "d", weight="lenght", backend="apsp") == 3
