"""Sums straight from labels, without rows: for closeness, eccentricities and the like of graphs with many vertices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.graph.generate import generate
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.label_correcting import label_correcting
from apsp.methods.problem import Problem, Solver
from apsp.reductions.row_sums import RowSums
from sweeps import sums_of


@pytest.fixture(autouse=True)
def few_vertices_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(label_correcting, "_LEAST_SUMMED", 0)


def solver_of(graph: Graph, dtype: str, **options: Any) -> Solver:
    return registry.prepare(registry.get("label-correcting"))(Problem(graph, np.dtype(dtype), **options))


def assert_same_sums(found: RowSums, expected: RowSums) -> None:
    for name, values in vars(expected).items():
        slack = 1e-14 if name == "reciprocals" else 0
        np.testing.assert_allclose(getattr(found, name), values, rtol=slack, err_msg=name)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("cutoff", [None, 0, 60])
@pytest.mark.parametrize(
    ("dtype", "most"),
    [("uint16", 3), ("uint16", 200), ("int32", 3), ("int32", 200), ("int32", 40_000), ("int32", 10**6)],
)
def test_against_rows(
    rows: Any, random_graph: Any, as_float: Any, dtype: str, most: int, cutoff: int | None, threads: int
) -> None:
    """Labels of one byte, of two and of four; some sources twice, more than a batch holds."""
    for seed, properties in enumerate([{}, {"zones": np.arange(300) % 7 == 0}, {"directed": False}]):
        graph = random_graph(300, 700, 0, most, seed, **properties)
        sources = np.random.default_rng(seed).integers(0, 300, 700).astype(np.int32)
        dist = as_float(rows(graph, "dijkstra", dtype, sources=sources, pred=False, cutoff=cutoff)[0])
        found = solver_of(graph, dtype, cutoff=cutoff, threads=threads).measure(sources)
        assert_same_sums(found, sums_of(sources, dist))


@pytest.mark.parametrize("dtype", ["uint16", "int32"])
@pytest.mark.parametrize("arcs", [253, 254, 255, 300])
def test_distances_around_255(dtype: str, arcs: int, as_float: Any, rows: Any) -> None:
    """Labels of one byte are in use before a distance appears that does not fit."""
    around = np.arange(700)
    tails = np.concatenate([np.tile(around, 9), 700 + np.arange(arcs)])
    heads = np.concatenate([*((around + step) % 700 for step in range(1, 10)), 701 + np.arange(arcs)])
    graph = apsp.from_edges(tails, heads, n=701 + arcs, directed=False)
    solver, sources = solver_of(graph, dtype), np.arange(graph.n, dtype=np.int32)
    expected = sums_of(sources, as_float(rows(graph, "dijkstra", dtype, pred=False)[0]))
    for _ in range(2):
        assert_same_sums(solver.measure(sources), expected)


def test_progress_and_no_sources() -> None:
    told: list[int] = []
    graph = generate("random", 500, seed=1)
    solver_of(graph, "int32").measure(np.arange(500, dtype=np.int32), told.append)
    assert told == sorted(told)
    assert told[-1] == 500
    assert len(solver_of(graph, "int32").measure(np.empty(0, dtype=np.int32)).total) == 0


def test_a_cancelled_call_leaves_a_solver_that_works() -> None:
    """The search is stopped while vertices are queued."""

    class StoppedError(Exception):
        pass

    def stop(done: int) -> None:
        raise StoppedError

    graph, sources = generate("grid", 160_000, seed=1), np.arange(64, dtype=np.int32)
    solver = solver_of(graph, "int32", threads=1)
    with pytest.raises(StoppedError):
        solver.measure(sources, stop)
    assert_same_sums(solver.measure(sources), solver_of(graph, "int32").measure(sources))


@pytest.mark.parametrize(
    ("dtype", "low", "options"),
    [
        ("int64", 0, {}), ("float32", 0, {}), ("int32", -1, {}), ("int32", 0, {"cutoff": -1}),
        ("int32", 0, {"targets": np.array([3], dtype=np.int32)}),
    ],
)  # fmt: skip
def test_what_is_summed_up_in_blocks(random_graph: Any, dtype: str, low: int, options: Any) -> None:
    graph = random_graph(50, 60, low + 2, 9, 4) if low == 0 else generate("dag", 50, seed=4, weights=(-3, 9))
    assert not solver_of(graph, dtype, **options).can_measure


@pytest.mark.parametrize(
    "measure",
    [apsp.closeness_centrality, apsp.harmonic_centrality, apsp.eccentricity, apsp.average_shortest_path_length],
    ids=lambda one: one.__name__,
)
def test_measures(monkeypatch: pytest.MonkeyPatch, measure: Callable[..., Any]) -> None:
    graph, asked = generate("random", 700, seed=3), {"method": "label-correcting", "device": "cpu"}
    with monkeypatch.context() as changed:
        changed.setattr(label_correcting, "_LEAST_SUMMED", graph.n + 1)
        expected = measure(graph, **asked)
    np.testing.assert_allclose(measure(graph, **asked), expected, rtol=1e-13)
