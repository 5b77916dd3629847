"""Orders of elimination: the best one is better than the fast one, given ones are used, and answers are the same."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pytest

import apsp
from apsp.methods.elimination.preparation import factor_of_problem, keep, prepared_for_others
from apsp.methods.elimination.tree import elimination_tree, order_for
from apsp.methods.problem import Problem

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


@pytest.mark.parametrize("before", ["quick", "fast", "best", "given"])
def test_an_order_found_with_less_effort_is_replaced(before: Any) -> None:
    graph = apsp.generate("city", 3000, seed=4)
    given = np.arange(graph.n, dtype=np.int32)
    tree = elimination_tree(graph, order=given if before == "given" else before)
    wanted: list[Literal["quick", "fast", "best"]] = ["quick", "fast", "best"]
    better = wanted[2:] if before == "given" else wanted[wanted.index(before) + 1 :]
    for order in (order for order in wanted if order not in better):
        assert elimination_tree(graph, order=order) is tree
    for order in better:
        found = elimination_tree(graph, order=order)
        assert found is not None
        assert tree is not None
        assert found is not tree
        assert found.climb_pairs < tree.climb_pairs
        tree = found


def test_orders_for_many_rows_take_more_effort() -> None:
    assert [order_for(rows, on_gpu=False) for rows in (1000, 100_000)] == ["quick", "fast"]
    assert [order_for(rows, on_gpu=True) for rows in (100_000, 1_000_000)] == ["quick", "fast"]


def test_the_factor_of_another_process_belongs_to_its_tree() -> None:
    graph, other = (apsp.generate("city", 2000, seed=4) for _ in range(2))
    problem = Problem(graph, np.dtype(np.int32))
    keep(graph, prepared_for_others(other, factor_of_problem(replace(problem, graph=other)), np.inf))
    sent = factor_of_problem(problem)
    assert sent is not None
    tree = elimination_tree(graph, order="best")
    found = factor_of_problem(problem)
    assert found is not None
    assert found.tree is tree
    assert sent.tree is not tree
    assert len(found.values) == found.tree.entries
