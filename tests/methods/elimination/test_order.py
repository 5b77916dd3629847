"""Orders of elimination: the best one is better than the fast one, given ones are used, and answers are the same."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.methods.elimination.tree import elimination_tree

STREETS = apsp.generate("city", 3_000, seed=3)


def fresh(graph: apsp.Graph = STREETS) -> apsp.Graph:
    """The same graph without anything that is stored with it."""
    return apsp.Graph(graph.indptr, graph.indices, graph.weights, directed=graph.directed)


def entries(graph: apsp.Graph) -> int:
    tree = elimination_tree(graph)
    assert tree is not None
    return tree.entries


def test_the_best_order_has_a_smaller_factor() -> None:
    fast, best = fresh(), fresh()
    apsp.prepare(fast)
    apsp.prepare(best, order="best")
    assert entries(best) < entries(fast)


@pytest.mark.parametrize("order", ["fast", "best", "reverse"])
def test_answers_do_not_depend_on_the_order(order: Any) -> None:
    graph = apsp.generate("city", 300, seed=2)
    expected = apsp.solve(graph, method="dijkstra").distances
    oracle = apsp.prepare(graph, order=range(299, -1, -1) if order == "reverse" else order)
    np.testing.assert_array_equal(oracle.rows(), expected)
    assert sorted(oracle.order.tolist()) == list(range(300))


def test_a_given_order_is_used_and_comes_back() -> None:
    best, other = fresh(), fresh()
    order = apsp.prepare(best, order="best").order
    again = apsp.prepare(other, order=order)
    assert again.nbytes <= 1.05 * apsp.prepare(best).nbytes
    assert pickle.loads(pickle.dumps(again)).order.tolist() == again.order.tolist()


def test_the_best_order_stays_with_the_graph() -> None:
    graph = fresh()
    apsp.prepare(graph)
    apsp.prepare(graph, order="best")
    tree = elimination_tree(graph)
    apsp.prepare(graph)
    apsp.prepare(graph, order="best")
    assert elimination_tree(graph) is tree


def test_labels_name_the_vertices_of_an_order() -> None:
    graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False, labels=["a", "b", "c", "d"])
    oracle = apsp.prepare(graph, order=["d", "a", "c", "b"])
    assert set(oracle.order.tolist()) == {"a", "b", "c", "d"}
    assert oracle.distance("a", "d") == 7


@pytest.mark.parametrize(
    "order", ["quick", None, [0, 1, 2], [0, 1, 2, 2], [0, 1, 2, 3, 3], 3, [0, 1, 2, 4], [0.5, 1, 2, 3], [[0, 1, 2, 3]]]
)
def test_other_orders_are_refused(order: Any) -> None:
    graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    with pytest.raises((apsp.RequestError, apsp.GraphError)):
        apsp.prepare(graph, order=order)
    assert apsp.prepare(graph).distance(0, 3) == 7


def test_graphs_without_short_separators_have_orders_too() -> None:
    graph = apsp.generate("random", 700, seed=1)
    for order in ("fast", "best"):
        oracle = apsp.prepare(fresh(graph), order=order)  # type: ignore[arg-type]
        np.testing.assert_array_equal(oracle.rows([5]), apsp.solve(graph, sources=[5]).distances)
