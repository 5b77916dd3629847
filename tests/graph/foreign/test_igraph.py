from __future__ import annotations

import numpy as np
import pytest

import apsp
from outside import edges, every_kind, found

igraph = pytest.importorskip("igraph")


def graph(directed: bool, weighted: bool) -> igraph.Graph:
    given = edges()
    made = igraph.Graph(n=given.n, edges=given.ends, directed=directed)
    if weighted:
        made.es["weight"] = given.weights
    return made


@every_kind
def test_distances_are_those_of_igraph(directed: bool, weighted: bool) -> None:
    given = graph(directed, weighted)
    own = given.distances(weights="weight" if weighted else None)
    assert found(given).tolist() == own


def test_names_are_labels_and_x_and_y_coordinates() -> None:
    given = graph(True, True)
    given.vs["name"] = [f"v{place}" for place in range(given.vcount())]
    given.vs["x"], given.vs["y"] = range(12), [0.5] * 12
    made = apsp.as_graph(given)
    assert list(made.labels) == given.vs["name"]
    assert made.coordinates.tolist() == [[x, 0.5] for x in range(12)]
    assert apsp.solve(given).distance("v0", "v1") == given.distances("v0", "v1", weights="weight")[0][0]
    given.vs["x"] = [None] * 12
    assert apsp.as_graph(given).coordinates is None


def test_another_attribute_and_lengths_in_an_array() -> None:
    given = graph(False, True)
    given.es["minutes"] = list(range(1, 25))
    assert apsp.as_graph(given, weight="minutes").has_integer_weights
    own = given.distances(weights="minutes")
    assert found(given, weight="minutes").tolist() == own
    assert found(given, weight=list(range(1, 25))).tolist() == own
    assert found(given, weight=np.arange(1, 25)).tolist() == own
    assert found(given, weight=None).tolist() == given.distances()


def test_errors_name_the_edge_and_the_attributes() -> None:
    given = graph(True, True)
    with pytest.raises(apsp.RequestError, match="no edge attribute 'minutes': the edges have weight"):
        apsp.as_graph(given, weight="minutes")
    given.vs["name"] = [f"v{place}" for place in range(12)]
    given.es[20]["weight"] = None
    with pytest.raises(
        apsp.GraphError, match="1 of 24 edges lacks the attribute 'weight', the first is edge 'v0' - 'v1'"
    ):
        apsp.diameter(given)
    with pytest.raises(apsp.RequestError, match="functions of edges are for"):
        apsp.as_graph(given, weight=len)
    with pytest.raises(apsp.GraphError, match="vector of 24 numbers"):
        apsp.as_graph(given, weight=[1, 2])
    given = graph(True, False)
    given.vs["name"] = ["same"] * 12
    with pytest.raises(apsp.GraphError, match="'same' occurs twice"):
        apsp.solve(given)


def test_names_that_are_no_labels() -> None:
    """Streets and stops may share names; igraph allows it."""
    graph = igraph.Graph(n=3, edges=[(0, 1), (1, 2)])
    for names, problem in (
        (["a", "b", "a"], "'a' occurs twice"),
        (["a", None, "b"], "None"),
        ([[1], [2], [3]], "hash"),
    ):
        graph.vs["name"] = names
        with pytest.raises(apsp.GraphError, match=rf"the vertex attribute 'name'.*{problem}.*del graph.vs\['name'\]"):
            apsp.as_graph(graph)
    del graph.vs["name"]
    assert apsp.solve(graph).distance(0, 2) == 2
    graph.vs["x"], graph.vs["y"] = [1, 2, 10**400], [0, 0, 0]
    assert apsp.as_graph(graph).coordinates is None


def test_no_vertices_and_no_edges() -> None:
    assert apsp.as_graph(igraph.Graph()).n == 0
    assert apsp.as_graph(igraph.Graph(n=3)).m == 0
