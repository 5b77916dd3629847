"""Measures of graphs that fall into components, whose rows are as long as the component: those of whole rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import apsp
from apsp.graph import weak_parts as parts_of_graphs
from apsp.graph.weak_parts import SMALL, TOGETHER, weak_parts
from apsp.semiring import is_unreachable
from apsp.system.progress import ProgressReport

Sizes = tuple[int, ...]
SHAPES: dict[str, Sizes] = {
    "pairs": (2,) * 300,
    "single vertices": (1,) * 600,
    "small": tuple(1 + k % (SMALL + 2) for k in range(60)),
    "of several kinds": (1, 40, 2, 300, TOGETHER, 3, TOGETHER + 1, 31, 32, 33, 1, 1, 150),
    "two equal": (300, 300),
}


def fallen(sizes: Sizes, kind: str, *, directed: bool, seed: int = 0) -> apsp.Graph:
    """A graph of components of these sizes, whose vertices are mixed; a few arcs beyond trees."""
    rng = np.random.default_rng(seed)
    number = rng.permutation(sum(sizes))
    tails, heads, first = [], [], 0
    for size in sizes:
        own = number[first : first + size]
        first += size
        later = np.arange(1, size)
        before = (rng.random(len(later)) * later).astype(int)
        more = rng.integers(0, size, (2, size // 2))
        turned = rng.random(len(later)) < 0.5
        tails += [own[np.where(turned, later, before)], own[more[0]]]
        heads += [own[np.where(turned, before, later)], own[more[1]]]
    tail, head = np.concatenate(tails), np.concatenate(heads)
    weights: npt.NDArray[Any] | None = {
        "hops": None,
        "int": rng.integers(1, 50, len(tail)),
        "zeros": rng.integers(0, 3, len(tail)),
        "wide": rng.integers(0, 2**40, len(tail)),
        "float32": rng.random(len(tail)).astype(np.float32),
        "float64": rng.random(len(tail)) * 10.0 ** rng.integers(-8, 8, len(tail)),
    }[kind]
    arguments = (tail, head) if weights is None else (tail, head, weights)
    return apsp.from_edges(*arguments, n=len(number), directed=directed)


KINDS = ("hops", "int", "zeros", "wide", "float32", "float64")


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Any]], Any]:
    """Call something with whole rows."""

    def call(function: Callable[[], Any]) -> Any:
        with monkeypatch.context() as patch:
            patch.setattr(parts_of_graphs, "_found", lambda _: None)
            return function()

    return call


def matrix_of(graph: apsp.Graph, **options: Any) -> npt.NDArray[np.float64]:
    """All distances as float64, infinite where there is no path."""
    dist = apsp.solve(graph, method="reference", **options).distances
    return np.where(is_unreachable(dist), np.inf, dist.astype(np.float64))


@pytest.mark.few(4)
@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_sums_and_extremes_are_those_of_the_matrix(shape: str, kind: str, directed: bool) -> None:
    graph = fallen(SHAPES[shape], kind, directed=directed)
    assert weak_parts(graph) is not None or shape == "two equal"
    found = apsp.summary(graph)
    dist = matrix_of(graph)
    reached = np.isfinite(dist)
    near = np.where(reached, dist, 0)
    exact = kind not in ("float32", "float64")
    rtol = 0 if exact else 1e-5 if kind == "float32" else 1e-12
    assert np.array_equal(found.reachable, reached.sum(axis=1) - 1)
    np.testing.assert_allclose(found.farness(), near.sum(axis=1), rtol=rtol)
    np.testing.assert_allclose(found.eccentricity, near.max(axis=1), rtol=rtol)
    with np.errstate(divide="ignore"):
        reciprocals = np.where((dist > 0) & reached, 1 / dist, 0).sum(axis=1)
    np.testing.assert_allclose(found.harmonic_centrality("out"), reciprocals, rtol=max(rtol, 1e-13))
    if exact:
        assert np.array_equal(found._totals.farthest, np.where(reached, dist, -1).argmax(axis=1))


@pytest.mark.few(4)
@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("kind", ["hops", "int", "wide", "float64"])
@pytest.mark.parametrize("shape", ["pairs", "small", "of several kinds"])
def test_all_reductions_are_those_of_whole_rows(
    shape: str, kind: str, directed: bool, whole: Callable[[Callable[[], Any]], Any]
) -> None:
    sizes = SHAPES[shape]

    def numbers(**options: Any) -> dict[str, Any]:
        graph = fallen(sizes, kind, directed=directed)
        n = graph.n
        groups = np.arange(n) % 3 - 1
        named = [None if group < 0 else int(group) for group in groups]
        found: dict[str, Any] = {}
        nearest = apsp.k_nearest(graph, 4, **options)
        found["nearest"] = nearest.positions
        found["near distances"] = nearest.distances
        for per in ("group", "source"):
            statistics = apsp.distance_statistics(graph, named, per=per, quantiles=[0.5, 0.9], bins=8, **options)
            for name in ("pairs", "total", "smallest", "largest", "quantiles", "counts"):
                if hasattr(statistics, name):
                    found[f"{name} per {per}"] = getattr(statistics, name)
        found["counts"] = apsp.distance_histogram(graph, bins=16, **options).counts
        found["edges"] = apsp.distance_histogram(graph, edges=[0, 1, 2, 7, 1e9], **options).counts
        found["closeness"] = apsp.closeness_centrality(graph, **options)
        found["within"] = apsp.accessibility(graph, np.arange(n) % 5, cutoffs=[1, 3.5], **options).values
        found["decay"] = apsp.accessibility(graph, np.arange(n) % 5, decay="power", beta=1, **options).values
        found["columns"] = apsp.summary(graph, columns=True, **options).closeness_centrality("in")
        found["cut off"] = apsp.farness(graph, cutoff=2.5, **options)
        found["some"] = apsp.farness(graph, vertices=np.arange(n - 1, 0, -3), **options)
        if not directed:
            found["hyper"] = np.array(float(apsp.summary(graph, measures="hyper_wiener_index")._moments.squares or 0))
            found["schultz"] = np.array(float(apsp.summary(graph, measures="gutman_index")._moments.products or 0))
        return found

    found, expected = numbers(), whole(numbers)
    for name, value in expected.items():
        rtol = 0 if kind != "float64" and name not in ("decay", "columns", "closeness") else 1e-11
        np.testing.assert_allclose(found[name], value, rtol=rtol, err_msg=name)


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["int", "float64"])
def test_methods_that_are_named_compute_all_parts(kind: str) -> None:
    graph = fallen(SHAPES["of several kinds"], kind, directed=True)
    expected = np.where(np.isinf(dist := matrix_of(graph)), 0, dist).sum(axis=1)
    for method in ("dijkstra", "label-correcting", "johnson", "elimination"):
        np.testing.assert_allclose(apsp.farness(graph, method=method), expected, rtol=1e-12, err_msg=method)


@pytest.mark.parametrize("kind", ["hops", "int"])
def test_emulated_gpus_compute_and_reduce_parts(kind: str, whole: Callable[[Callable[[], Any]], Any]) -> None:
    def numbers() -> list[npt.NDArray[Any]]:
        graph = fallen((300, 2, 1, 2, 3, 250), kind, directed=True)
        found = apsp.summary(graph, columns=True, bins=8, device="emulated")
        nearest = apsp.k_nearest(graph, 3, device="emulated")
        weighed = apsp.accessibility(graph, np.ones(graph.n), cutoffs=3, device="emulated")
        return [
            found.farness(), found.eccentricity, found._totals.farthest, found.farness("in"), found.histogram().counts,
            nearest.positions, nearest.distances, weighed.values,
        ]  # fmt: skip

    for own, other in zip(numbers(), whole(numbers), strict=True):
        np.testing.assert_array_equal(own, other)


def test_zones_are_not_passed_through() -> None:
    graph = fallen((3,) * 200, "int", directed=False)
    zones = np.arange(graph.n) % 4 == 0
    zoned = apsp.Graph(graph.indptr, graph.indices, graph.weights, directed=False, zones=zones)
    dist = matrix_of(zoned)
    assert np.array_equal(apsp.farness(zoned), np.where(np.isinf(dist), 0, dist).sum(axis=1))


def test_negative_arcs() -> None:
    rng = np.random.default_rng(1)
    graph = fallen((5,) * 150, "int", directed=True)
    height = rng.integers(0, 30, graph.n)
    signed = graph.with_weights(graph.weights + height[graph.tails()] - height[graph.indices])
    dist = matrix_of(signed)
    assert signed.has_negative_arc
    assert np.array_equal(apsp.farness(signed), np.where(np.isinf(dist), 0, dist).sum(axis=1))


@pytest.mark.parametrize("method", ["auto", "johnson", "label-correcting"])
def test_a_negative_cycle_is_named_in_the_whole_graph(method: str) -> None:
    pairs = np.arange(600).reshape(-1, 2)
    tails, heads = np.concatenate([pairs, pairs[:, ::-1]]).T
    weights = np.ones(600, dtype=np.int64)
    weights[150], weights[450] = -3, 2  # between 300 and 301
    graph = apsp.from_edges(tails, heads, weights, labels=[f"v{k}" for k in range(600)])
    with pytest.raises(apsp.NegativeCycleError) as caught:
        apsp.farness(graph, method=method)
    assert set(caught.value.cycle) == {"v300", "v301"}
    others = [f"v{k}" for k in range(200)]
    assert apsp.farness(graph, vertices=others, method=method).tolist() == [1] * 200


def test_parts_share_a_dtype() -> None:
    tails = np.arange(0, 1200, 2)
    weights = np.ones(600, dtype=np.int64)
    weights[7] = 100_000
    graph = apsp.from_edges(tails, tails + 1, weights, directed=False)
    assert apsp.plan(graph, for_="summary").dtype == np.int32
    assert apsp.k_nearest(graph, 1).distances.ravel()[:18].tolist() == [1] * 14 + [100_000] * 2 + [1] * 2


def test_a_sum_that_does_not_fit_is_an_error() -> None:
    arms = np.arange(1, 5)
    tails, heads = np.zeros(4, dtype=np.int64), arms
    far = np.arange(5, 605)
    graph = apsp.from_edges(
        np.concatenate([tails, far[::2]]), np.concatenate([heads, far[1::2]]),
        np.concatenate([np.full(4, 2**58), np.ones(300, dtype=np.int64)]), directed=False,
    )  # fmt: skip
    assert apsp.farness(graph, vertices=range(100)).max() == 7 * 2**58
    many = apsp.from_edges([0] * 20, range(1, 21), [2**58] * 20, n=1000, directed=False)
    with pytest.raises(apsp.RequestError, match="int64"):
        apsp.farness(many)


def test_the_plan_names_the_components() -> None:
    graph = fallen(SHAPES["of several kinds"], "int", directed=False)
    words = apsp.plan(graph, for_="summary").explain()
    assert f"The graph has {graph.n:,} vertices" in words
    assert "It has 13 components" in words
    assert "components" not in apsp.plan(graph, for_="stream").explain()


def test_progress_ends_with_all_rows() -> None:
    told: list[tuple[str, int, int]] = []
    report: ProgressReport = lambda stage, done, total: told.append((stage, done, total))  # noqa: E731
    graph = fallen(SHAPES["of several kinds"], "int", directed=False)
    apsp.summary(graph, progress=report)
    assert told[-1][1:] == (graph.n, graph.n)
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
    told.clear()
    apsp.k_nearest(graph, 1, progress=report)
    assert told[-1][1:] == (graph.n, graph.n)


@pytest.fixture
def graphs() -> tuple[apsp.Graph, npt.NDArray[np.float64]]:
    graph = fallen(SHAPES["of several kinds"], "int", directed=True)
    dist = matrix_of(graph)
    return graph, np.where(np.isinf(dist), 0, dist)


@pytest.mark.slow
def test_workers_and_stores(tmp_path: Path, graphs: tuple[apsp.Graph, npt.NDArray[np.float64]]) -> None:
    pytest.importorskip("zarr")
    graph, dist = graphs
    nearest = apsp.k_nearest(graph, 3)
    amounts = np.arange(graph.n) % 7
    weighed = apsp.accessibility(graph, amounts, cutoffs=20).values
    for k, options in enumerate(({"store": True}, {"store": True, "executor": "processes"})):

        def kept(name: str) -> dict[str, Any]:
            return options | ({"store": tmp_path / f"{name}{k}.zarr"} if "store" in options else {})  # noqa: B023

        assert np.array_equal(apsp.farness(graph, threads=1, **kept("sums")), dist.sum(axis=1))
        assert np.array_equal(apsp.eccentricity(graph, threads=1, **kept("ends")), dist.max(axis=1))
        found = apsp.k_nearest(graph, 3, threads=1, **kept("near"))
        assert np.array_equal(found.positions, nearest.positions)
        assert np.array_equal(apsp.accessibility(graph, amounts, cutoffs=20, threads=1, **kept("a")).values, weighed)
        statistics = apsp.distance_statistics(graph, per="source", bins=4, threads=1, **kept("sets"))
        assert np.array_equal(statistics.total[:, 0], dist.sum(axis=1))


@pytest.mark.parametrize("odd", [(-1.0, 3.0), (1e35, 3.0)])
def test_a_small_part_may_have_what_the_method_of_the_largest_refuses(odd: tuple[float, float]) -> None:
    """Arcs that are negative, or far longer than all others, in another part than the largest."""
    rng = np.random.default_rng(1)
    tails, heads = (rng.random(299) * np.arange(1, 300)).astype(int), np.arange(1, 300)  # a tree, and another one
    lengths = np.concatenate([rng.integers(1, 20, 299), rng.integers(1, 20, 289), odd]).astype(float)
    graph = apsp.from_edges(
        np.concatenate([tails, 300 + tails[:289], [590, 591]]),
        np.concatenate([heads, 300 + heads[:289], [591, 592]]), lengths, n=600,
    )  # fmt: skip
    assert weak_parts(graph) is not None
    expected = apsp.solve(graph, method="reference").distances
    found = apsp.accessibility(graph, np.ones(600), cutoffs=[20])
    np.testing.assert_array_equal(found.values.reshape(600), (expected <= 20).sum(axis=1))


def test_sums_beyond_the_range_of_floats_are_infinite() -> None:
    graph = apsp.from_edges([0, 1, 2], [3, 3, 3], [1.6e308, 1.7e308, 1.5e308], n=4)
    assert apsp.closeness_centrality(graph)[3] == 0
