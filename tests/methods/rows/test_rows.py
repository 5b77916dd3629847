"""All row methods against the reference solver, on every option they take."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apsp.graph.convert import from_edges
from apsp.graph.model import Graph
from apsp.result import paths
from apsp.semiring import is_unreachable
from examples import examples

INTEGERS = ("uint16", "int32", "int64")
HOP_METHODS = ("bfs", "bit-bfs")
METHODS = ("dijkstra", "dijkstra-buckets", "johnson", "label-correcting", "near-pairs", *HOP_METHODS)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 20))
    kind = draw(st.sampled_from(["hops", "positive", "zero", "wide", "negative"]))
    high = {"zero": 1, "wide": 10**6}.get(kind, 60)
    vertex = st.integers(0, n - 1)
    arcs = draw(st.lists(st.tuples(vertex, vertex, st.integers(kind == "positive", high)), max_size=5 * n))
    tails, heads, weights = (np.array([arc[k] for arc in arcs], dtype=np.int64) for k in range(3))
    if kind == "negative":
        height = np.array(draw(st.lists(st.integers(-40, 40), min_size=n, max_size=n)))
        weights = weights + height[tails] - height[heads]
    dtype = draw(st.sampled_from(["int32", "int64", "float32", "float64"]))
    zones = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n))) if draw(st.booleans()) else None
    lengths = None if kind == "hops" else weights.astype(dtype)
    return from_edges(tails, heads, lengths, n=n, zones=zones)


@st.composite
def requests(draw: st.DrawFn) -> tuple[Graph, dict[str, Any]]:
    graph = draw(graphs())
    vertices = st.lists(st.integers(0, graph.n - 1), max_size=2 * graph.n)
    options: dict[str, Any] = {"sources": draw(vertices), "threads": draw(st.integers(1, 3))}
    if draw(st.booleans()):
        options["targets"] = np.array(draw(vertices), dtype=np.int32)
    if draw(st.booleans()):
        options["cutoff"] = draw(st.integers(-50, 150))
    return graph, options


def methods_for(graph: Graph) -> list[tuple[str, str]]:
    names = ["johnson", "label-correcting"]
    if not graph.has_negative_arc:
        names += ["dijkstra", "dijkstra-buckets", "near-pairs"]
    if not graph.is_weighted:
        names += ["bfs", "bit-bfs"]
    dtypes = ["float64", "float32"]
    if graph.has_integer_weights:
        small = not graph.has_negative_arc and (not graph.is_weighted or graph.weights.max(initial=0) <= 60)
        dtypes += INTEGERS if small else INTEGERS[1:]
    return [(name, dtype) for name in names for dtype in dtypes]


@settings(deadline=None, max_examples=examples(150))
@given(requests())
def test_distances_are_those_of_the_reference(rows: Any, as_float: Any, request_: tuple[Graph, dict[str, Any]]) -> None:
    graph, options = request_
    expected = as_float(rows(graph, "reference", "float64", **options)[0])
    for method, dtype in methods_for(graph):
        for pred in (False, True):
            dist, _ = rows(graph, method, dtype, pred=pred, **options)
            np.testing.assert_array_equal(as_float(dist), expected, err_msg=f"{method} {dtype}")


@settings(deadline=None, max_examples=examples(100))
@given(requests())
def test_every_path_has_its_distance(rows: Any, request_: tuple[Graph, dict[str, Any]]) -> None:
    graph, options = request_
    sources = options["sources"]
    whole = {key: value for key, value in options.items() if key != "targets"}
    for method, dtype in methods_for(graph):
        _, pred = rows(graph, method, dtype, **options)
        dist, same = rows(graph, method, dtype, **whole)
        np.testing.assert_array_equal(pred, same, err_msg="targets leave predecessors as they are")
        for row, source in enumerate(sources):
            for v in range(graph.n):
                if v == source:
                    assert pred[row, v] == -1
                elif not is_unreachable(dist)[row, v]:
                    assert paths.replay(graph, paths.walk(pred[row], source, v)) == dist[row, v]
                elif not (graph.has_negative_arc and "cutoff" in options):
                    assert pred[row, v] == -1


@pytest.mark.parametrize("dtype", [*INTEGERS, "float32", "float64"])
@pytest.mark.parametrize("method", ["dijkstra", "dijkstra-buckets", "johnson", "label-correcting", "near-pairs"])
def test_weights_beyond_the_dtype_never_wrap(rows: Any, as_float: Any, method: str, dtype: str) -> None:
    top = {"uint16": 2**16, "int32": 2**31, "int64": 2**63, "float32": 2**100, "float64": 2**100}[dtype]
    long = min(top, 2**63) - 2
    weights = np.array([long, long, 1, long, 3], dtype=np.int64)
    graph = from_edges([0, 1, 0, 3, 3], [1, 2, 3, 1, 2], weights, n=4)
    if method == "johnson" and dtype == "int64":
        return  # no distance is proven to fit, and potentials of such weights need not either
    dist, pred = rows(graph, method, dtype, sources=[0])
    assert as_float(dist)[0].tolist() == [float(np.dtype(dtype).type(value)) for value in (0, long, 4, 1)]
    assert pred.tolist() == [[-1, 0, 3, 0]]


@pytest.mark.parametrize("method", METHODS)
def test_a_wider_output_is_not_touched_outside(rows: Any, random_graph: Any, method: str) -> None:
    from apsp.methods import registry
    from apsp.methods.problem import Problem

    graph = random_graph(40, 160, 1, 9, 1)
    graph = graph.unweighted() if method in HOP_METHODS else graph
    whole, before = np.full((50, 60), 7, dtype=np.int32), np.full((50, 60), 7, dtype=np.int32)
    problem = Problem(graph, np.dtype(np.int32), threads=2)
    sources = np.arange(40, dtype=np.int32)
    solver = registry.prepare(registry.get(method))(problem)
    solver.fill(sources, whole[5:45, 10:50], before[5:45, 10:50])
    dist, pred = rows(graph, method, "int32")
    np.testing.assert_array_equal(whole[5:45, 10:50], dist)
    np.testing.assert_array_equal(before[5:45, 10:50], pred)
    for array in (whole, before):
        array[5:45, 10:50] = 7
        assert (array == 7).all()


@pytest.mark.few(2)
@pytest.mark.parametrize("method", METHODS)
def test_progress_counts_rows_and_may_stop_the_work(random_graph: Any, method: str) -> None:
    from apsp.methods import registry
    from apsp.methods.problem import Problem

    graph = random_graph(3000, 12000, 1, 100, 2)
    graph = graph.unweighted() if method in HOP_METHODS else graph
    solver = registry.prepare(registry.get(method))(Problem(graph, np.dtype(np.int32), threads=2))
    sources = np.arange(graph.n, dtype=np.int32)
    dist = np.empty((graph.n, graph.n), dtype=np.int32)
    seen: list[int] = []
    solver.fill(sources, dist, None, seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == graph.n

    def stop(done: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        solver.fill(sources, dist, None, stop)
