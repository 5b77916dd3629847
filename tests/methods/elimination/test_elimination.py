"""Elimination: the tree against a plain symbolic elimination, distances against Dijkstra's, faults."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp import Graph, _cpu
from apsp.methods.elimination.factor import factorise
from apsp.methods.elimination.tree import EliminationTree, elimination_tree
from contract import GRAPHS, assert_same_distances, graph_of, random_edges, ring
from examples import examples

SHAPES = {
    "grid": lambda: apsp.generate("grid", 900, seed=1, weights=(1, 100)),
    "ring": lambda: graph_of(3000, ring(3000, 3)),
    "star": lambda: graph_of(2000, [(0, v, v) for v in range(1, 2000)], directed=False),
    "long path": lambda: graph_of(2000, [(v, v + 1, 2) for v in range(1999)]),
    "tree": lambda: graph_of(1500, [(v, 7919 % v, v % 13 + 1) for v in range(1, 1500)], directed=False),
    "two hubs": lambda: graph_of(800, [arc for v in range(2, 800) for arc in ((v % 2, v, 1), (v, 1 - v % 2, 2))]),
    "random": lambda: graph_of(700, random_edges(700, 2800, 1, 1000, 3)),
    "city": lambda: apsp.generate("city", 1200, seed=2, weights=(1, 50)),
}


def tree_of(graph: Graph) -> EliminationTree:
    tree = elimination_tree(graph)
    assert tree is not None
    return tree


def rows_by_definition(graph: Graph, tree: EliminationTree) -> list[set[int]]:
    """Eliminates place by place in sets: the later places that each one sees."""
    place = np.empty(graph.n, dtype=np.int64)
    place[tree.order] = np.arange(graph.n)
    sees: list[set[int]] = [set() for _ in range(graph.n)]
    for u, v in zip(place[graph.tails()].tolist(), place[graph.indices].tolist(), strict=True):
        if u != v:
            sees[min(u, v)].add(max(u, v))
    for i in range(graph.n):
        if sees[i]:
            first = min(sees[i])
            sees[first] |= sees[i] - {first}
    return sees


@pytest.mark.parametrize("shape", SHAPES)
def test_tree_holds_all_fill(shape: str) -> None:
    graph = SHAPES[shape]()
    tree = tree_of(graph)
    tree.check()
    for s in range(len(tree.parent)):
        columns = range(int(tree.first[s]), int(tree.first[s + 1]))
        allowed = {*columns, *tree.rows[tree.row_start[s] : tree.row_start[s + 1]].tolist()}
        if s == 0:
            sees = rows_by_definition(graph, tree)
        for column in columns:
            assert sees[column] <= allowed


@pytest.mark.few(6)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", ["uint16", "int32", "int64", "float32", "float64"])
def test_same_as_dijkstra(shape: str, dtype: str) -> None:
    graph = SHAPES[shape]()
    try:
        expected = apsp.solve(graph, method="dijkstra", dtype=dtype).distances
    except apsp.DtypeRangeError:
        pytest.skip("the distances do not fit")
    np.testing.assert_array_equal(apsp.solve(graph, method="elimination", dtype=dtype).distances, expected)
    some = [5, 3, 3, graph.n - 1]
    part = apsp.solve(graph, method="elimination", dtype=dtype, sources=some, targets=[7, 0, 7]).distances
    np.testing.assert_array_equal(part, expected[np.ix_(some, [7, 0, 7])])


def test_separators_are_small() -> None:
    grid = tree_of(apsp.generate("grid", 64 * 64, seed=1, weights=(1, 9)))
    assert grid.row_pairs < 25 * 64 * 64, "n log2 n would be 12 n"
    assert grid.largest < 3 * 64
    line = tree_of(graph_of(1 << 15, ring(1 << 15, 1)))
    assert line.entries < 100 << 15
    depth = np.zeros(len(line.parent), dtype=int)
    for s in range(len(line.parent) - 2, -1, -1):
        depth[s] = 0 if line.parent[s] < 0 else depth[line.parent[s]] + 1
    assert depth.max() < 64, "chains are compressed, not walked"


def test_tree_gives_up_in_time() -> None:
    graph = graph_of(700, random_edges(700, 2800, 1, 1000, 3))
    assert elimination_tree(graph, most=1000) is None
    whole = tree_of(graph)
    assert elimination_tree(graph, most=whole.entries) is whole, "it is kept with the graph"
    assert elimination_tree(graph, most=whole.entries - 1) is None


def test_a_search_in_vain_is_not_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, searches = graph_of(700, random_edges(700, 2800, 1, 1000, 3)), []
    search = _cpu.elimination_tree

    def counted(*arcs: Any, **options: Any) -> Any:
        searches.append(options)
        return search(*arcs, **options)

    monkeypatch.setattr(_cpu, "elimination_tree", counted)
    asked = ((1000, None, 1), (1000, None, 1), (900, 50, 1), (2000, None, 2), (None, 5, 3), (None, 5, 3))
    for most, widest, done in asked:
        assert elimination_tree(graph, most=most, widest=widest) is None
        assert len(searches) == done
    assert elimination_tree(graph) is not None


def test_large_fronts_on_all_threads() -> None:
    """Fronts beyond the sizes from which tile kernels and all threads are used."""
    for low, dtype in ((1, "int32"), (-40, "int32"), (1, "float32")):
        edges = random_edges(900, 20_000, max(low, 0), 1000, 5)
        if low < 0:
            edges = [(u, v, w + u % 37 - v % 37) for u, v, w in edges]
        graph = graph_of(900, edges, dtype=dtype)
        expected = apsp.solve(graph, method="floyd-warshall").distances
        assert_same_distances(apsp.solve(graph, method="elimination", threads=2).distances, expected)


def test_thread_counts_agree() -> None:
    graph = SHAPES["city"]()
    one, two = (apsp.solve(graph, method="elimination", threads=threads).distances for threads in (1, 2))
    np.testing.assert_array_equal(one, two)


def test_tree_of_another_graph_is_refused() -> None:
    tree = tree_of(graph_of(30, ring(30, 1)))
    with pytest.raises(ValueError, match="another graph"):
        factorise(graph_of(30, random_edges(30, 90, 1, 9, 1)), np.dtype("int32"), tree)
    with pytest.raises(ValueError, match="another size"):
        factorise(graph_of(31, ring(31, 1)), np.dtype("int32"), tree)


@pytest.mark.parametrize("name", ["order", "first", "parent", "row_start", "rows", "panel_start"])
def test_damaged_trees_are_refused(name: str) -> None:
    tree = tree_of(apsp.generate("grid", 400, seed=1, weights=(1, 9)))
    rng = np.random.default_rng(1)
    for _ in range(50):
        array = getattr(tree, name).copy()
        at = rng.integers(len(array))
        array[at] += rng.choice([-1000, 1000] if name == "rows" else [-3, -1, 1, 1000])
        with pytest.raises(ValueError, match="damaged"):
            replace(tree, **{name: array}).check()


def test_cancelled_by_progress() -> None:
    graph = SHAPES["city"]()
    factor = factorise(graph, np.dtype("int32"), tree_of(graph))
    assert factor is not None

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    everyone = np.arange(graph.n, dtype=np.int32)
    with pytest.raises(KeyboardInterrupt):
        factor.rows(everyone, None, np.empty((graph.n, graph.n), dtype=np.int32), progress=stop)


def test_wrong_arguments() -> None:
    graph = graph_of(5, ring(5, 1))
    factor = factorise(graph, np.dtype("int32"), tree_of(graph))
    assert factor is not None
    with pytest.raises(ValueError, match="sources"):
        factor.rows(np.array([5], dtype=np.int32), None, np.empty((1, 5), dtype=np.int32))
    with pytest.raises(ValueError, match="dist must have shape"):
        factor.rows(np.array([1], dtype=np.int32), None, np.empty((2, 5), dtype=np.int32))
    with pytest.raises(ValueError, match="dtype of the lengths"):
        factor.rows(np.array([1], dtype=np.int32), None, np.empty((1, 5), dtype=np.int64))
    with pytest.raises(ValueError, match="no such vertex"):
        _cpu.PairSearch(factor.arrays).distance(0, 5)


@st.composite
def sparse_graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(2, 60))
    arcs = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(1, 7), st.integers(0, 40)), max_size=3 * n))
    edges = [(u, (u + step) % n, w) for u, step, w in arcs]
    kind = draw(st.sampled_from(["plain", "negative", "zones"]))
    if kind == "negative":
        height = draw(st.lists(st.integers(-30, 30), min_size=n, max_size=n))
        return graph_of(n, [(u, v, w + height[u] - height[v]) for u, v, w in edges])
    closed = np.arange(n) % 3 == 0 if kind == "zones" else None
    return graph_of(n, edges, directed=kind == "zones" or draw(st.booleans()), zones=closed)


@settings(deadline=None, max_examples=examples(200))
@given(sparse_graphs())
def test_pairs_and_rows_agree_with_the_reference(graph: Graph) -> None:
    expected = apsp.solve(graph, method="reference", dtype="int64").distances
    assert_same_distances(apsp.solve(graph, method="elimination", dtype="int32").distances, expected)
    oracle = apsp.prepare(graph)
    for source in range(graph.n):
        for target in range(graph.n):
            found = expected[source, target]
            assert oracle.distance(source, target) == (np.inf if found == np.iinfo(np.int64).max else found)


@pytest.mark.few(10)
@pytest.mark.parametrize("name", GRAPHS)
def test_pairs_of_awkward_graphs(name: str) -> None:
    for weights in ("int32", "float64"):
        graph = GRAPHS[name](weights)
        expected = apsp.solve(graph, method="reference", dtype="int64" if weights == "int32" else "float64")
        oracle = apsp.prepare(graph)
        for source in range(0, graph.n, 7):
            for target in range(graph.n):
                assert oracle.distance(source, target) == expected.distance(source, target)


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["rome99.gr", "cal.cedge.gz"])
def test_roads(shared_data: Path, name: str) -> None:
    graph = apsp.read(shared_data / "roads" / name)
    sources = graph.labels.take(np.arange(0, graph.n, max(graph.n // 300, 1)))
    expected = apsp.solve(graph, method="dijkstra", sources=sources).distances
    found = apsp.solve(graph, method="elimination", sources=sources, paths=True)
    if graph.has_integer_weights:
        np.testing.assert_array_equal(found.distances, expected)
    else:
        np.testing.assert_allclose(found.distances, expected, rtol=1e-12)
    found.verify()


@pytest.mark.parametrize("n", [1000, 20_000, 200_000])
def test_chains_of_any_length_have_small_factors(n: int) -> None:
    tree = elimination_tree(apsp.generate("ring", n, seed=1))
    assert tree is not None
    assert tree.entries < 50 * n


@pytest.mark.parametrize("dtype", ["uint16", "int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("zones", [False, True])
def test_predecessors_of_batches(dtype: str, zones: bool) -> None:
    """Rows in any order, repeated ones, cycles of length zero, sources that are zones, and some of the columns."""
    rng = np.random.default_rng(4)
    edges = [(u, v, w % 3) for u, v, w in random_edges(150, 600, 1, 1000, 4)]
    closed = rng.random(150) < 0.2 if zones else None
    graph = graph_of(150, edges, dtype=dtype if dtype != "uint16" else "int32", zones=closed)
    sources = rng.integers(0, 150, 70)
    whole = apsp.solve(graph, method="elimination", dtype=dtype, sources=sources, paths=True)
    whole.verify()
    targets = [3, 3, 149, 0]
    some = apsp.solve(graph, method="elimination", dtype=dtype, sources=sources, targets=targets, paths=True)
    np.testing.assert_array_equal(some.distances, whole.distances[:, targets])
    np.testing.assert_array_equal(some.predecessors, whole.predecessors)
    near = apsp.solve(graph, method="elimination", dtype=dtype, sources=sources, cutoff=2, paths=True)
    near.verify()
    beyond = whole.distances > 2
    assert (near.predecessors[beyond] == -1).all()


def test_paths_do_not_lose_elimination() -> None:
    graph = apsp.generate("city", 20_000, seed=1)
    assert apsp.plan(graph, paths=True, dtype="int32").method == "elimination"
