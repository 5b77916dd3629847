"""Accessibility against sums in NumPy over all distances."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import apsp
from apsp.errors import GraphError, RequestError
from examples import examples
from odd_graphs import graphs

METHODS = ["auto", "dijkstra", "dijkstra-buckets", "elimination", "label-correcting", "johnson"]
DECAYS: dict[str | None, Any] = {
    None: lambda d: np.ones_like(d),
    "exponential": lambda d: np.exp(-0.3 * d),
    "gaussian": lambda d: np.exp(-0.3 * d**2),
    "logistic": lambda d: (1 + np.exp(-0.3 * 4)) / (1 + np.exp(0.3 * (d - 4))),
    "power": lambda d: np.maximum(d, 1) ** -0.3,
    "linear": lambda d: np.maximum(0, 1 - 0.3 * d),
}


def wanted(graph: apsp.Graph, amounts: np.ndarray, cutoffs: list[float], decay: str | None, *, inwards: bool) -> Any:
    """(n, w, c)."""
    found = apsp.solve(graph, method="reference").distances
    dist = np.where(found == apsp.unreachable(found.dtype), np.inf, found)
    dist = dist.T if inwards else dist
    factors = np.where(np.isfinite(dist), DECAYS[decay](np.where(np.isfinite(dist), dist, 0)), 0)
    return np.stack([(factors * (dist <= cutoff)) @ amounts for cutoff in cutoffs], axis=2)


@settings(max_examples=examples(60))
@given(
    graphs(), st.sampled_from(METHODS), st.sampled_from(list(DECAYS)), st.booleans(), st.integers(1, 5),
    st.lists(st.integers(0, 30), min_size=1, max_size=6, unique=True), st.sampled_from(["auto", "int32", "float64"]),
)  # fmt: skip
def test_sums_are_those_of_all_distances(
    graph: apsp.Graph, method: str, decay: str | None, inwards: bool, kinds: int, cutoffs: list[float], dtype: str
) -> None:
    if dtype == "int32" and graph.weights is not None and graph.weights.dtype.kind == "f":
        dtype = "auto"
    amounts = np.arange(graph.n * kinds).reshape(graph.n, kinds) % 7
    cutoffs = sorted(cutoffs)
    options: dict[str, Any] = {} if decay is None else {"decay": decay, "beta": 0.3}
    options |= {"midpoint": 4} if decay == "logistic" else {}
    found = apsp.accessibility(
        graph, amounts, cutoffs=cutoffs, method=method, dtype=dtype, direction="in" if inwards else "out", **options
    )
    assert found.values.shape == (graph.n, kinds, len(cutoffs))
    expected = wanted(graph, amounts, cutoffs, decay, inwards=inwards) if graph.n else found.values
    if decay is None:
        np.testing.assert_array_equal(found.values, expected)
    else:
        np.testing.assert_allclose(found.values, expected, rtol=1e-12)


def city(n: int = 3000) -> apsp.Graph:
    return apsp.generate("city", n, seed=2)


def test_pruned_sweeps_and_searches_agree_with_rows_and_any_number_of_threads() -> None:
    graph, rng = city(), np.random.default_rng(0)
    amounts = rng.random((graph.n, 4))
    sources = rng.permutation(graph.n)[:300]
    rows = apsp.solve(graph, sources=sources, dtype="int32").distances
    expected = np.stack([(rows <= cutoff) @ amounts for cutoff in (60, 150, 400)], axis=2)
    kept = {}
    for method in ("elimination", "dijkstra", "dijkstra-buckets"):
        for threads in (1, 3):
            found = apsp.accessibility(
                graph, amounts, cutoffs=[60, 150, 400], sources=sources, method=method, threads=threads
            ).values
            np.testing.assert_allclose(found, expected, rtol=1e-12)
            assert (kept.setdefault(method, found) == found).all()
    one = apsp.accessibility(graph, amounts, cutoffs=[60, 150, 400], sources=sources[7:8], method="elimination")
    assert (one.values[0] == kept["elimination"][7]).all()  # other sources of a batch change nothing


def test_a_decay_without_a_cutoff_reaches_everything_with_a_path() -> None:
    graph = city(500)
    amounts = np.arange(graph.n)
    for method in METHODS:
        found = apsp.accessibility(graph, amounts, decay="exponential", beta=0.01, method=method)
        np.testing.assert_allclose(found.values, np.exp(-0.01 * apsp.solve(graph).distances) @ amounts, rtol=1e-12)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_the_cutoff_itself_counts(dtype: str) -> None:
    graph = apsp.from_edges([0, 1], [1, 2], np.array([3, 4], dtype=dtype))
    for method in ("dijkstra", "label-correcting"):
        found = apsp.accessibility(graph, [1, 10, 100], cutoffs=[2.5, 3, 6.9, 7], method=method)
        assert found.values[0].tolist() == [1, 11, 11, 111]


def test_negative_arcs() -> None:
    graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [5, -3, 4])
    assert apsp.accessibility(graph, [1, 10, 100], cutoffs=[2, 5]).values.tolist() == [
        [101, 111],
        [110, 110],
        [100, 100],
    ]


def test_competition_is_the_two_step_floating_catchment_area() -> None:
    graph, rng = city(400), np.random.default_rng(1)
    supply = np.where(rng.random((graph.n, 2)) < 0.05, rng.integers(1, 9, (graph.n, 2)), 0)
    people = rng.integers(0, 50, graph.n)
    dist = apsp.solve(graph).distances
    found = apsp.accessibility(graph, supply, cutoffs=[40, 90], competition=people)
    decayed = apsp.accessibility(graph, supply, cutoffs=90, decay="gaussian", beta=1e-4, competition=people)
    inwards = apsp.accessibility(graph, supply, cutoffs=[40, 90], competition=people, direction="in", sources=[5, 3, 5])
    for c, cutoff in enumerate((40, 90)):
        within = (dist <= cutoff).astype(float)
        demand = within.T @ people
        ratios = np.divide(supply, demand[:, None], where=demand[:, None] > 0, out=np.zeros(supply.shape))
        np.testing.assert_allclose(found.values[:, :, c], within @ ratios, rtol=1e-12)
        demand = within @ people
        ratios = np.divide(supply, demand[:, None], where=demand[:, None] > 0, out=np.zeros(supply.shape))
        np.testing.assert_allclose(inwards.values[:, :, c], (within.T @ ratios)[[5, 3, 5]], rtol=1e-12)
    factors = within * np.exp(-1e-4 * dist.astype(float) ** 2)
    demand = factors.T @ people
    ratios = np.divide(supply, demand[:, None], where=demand[:, None] > 0, out=np.zeros(supply.shape))
    np.testing.assert_allclose(decayed.values, factors @ ratios, rtol=1e-11)


def test_what_is_given_back() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [4, 3], labels=["a", "b", "c"])
    one = apsp.accessibility(graph, [10, 20, 30], cutoffs=4)
    assert one.values.shape == (3,)
    assert one["weights"].tolist() == [30, 50, 30]
    assert np.asarray(one).sum() == 110
    several = apsp.accessibility(
        graph, {"jobs": {"a": 10, "c": 30}, "shops": [0, 1, 0]}, cutoffs=(4,), sources=["c", "a"]
    )
    assert several.names == ("jobs", "shops")
    assert several.values.tolist() == [[[30], [0]], [[10], [1]]]
    assert several.sources.tolist() == ["c", "a"]
    assert several["jobs"].tolist() == [[30], [10]]
    assert list(several.to_dict()) == ["vertex", "jobs_4", "shops_4"]
    assert repr(several) == "Accessibility(2 kinds, 1 cutoff, 2 sources)"
    with pytest.raises(RequestError, match="no amounts are called 'jbs'; there are: jobs, shops"):
        several["jbs"]
    assert apsp.accessibility(graph, [1, 2, 3], cutoffs=[1, 2], sources=[]).values.shape == (0, 2)


def test_tables_of_amounts() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    graph = apsp.from_edges([0, 1], [1, 2], [4, 3], labels=["a", "b", "c"])
    frame = pandas.DataFrame({"jobs": [30, 10], "shops": [0.5, 1]}, index=["c", "a"])
    tables = [
        frame,
        frame.reset_index(names="vertex"),
        polars.DataFrame(frame.reset_index(names="vertex").to_dict("list")),
    ]
    for table in tables:
        found = apsp.accessibility(graph, table, cutoffs=7)
        assert found.names == ("jobs", "shops")
        assert found["jobs"].tolist() == [40, 30, 30]
    series = apsp.accessibility(graph, frame["jobs"], cutoffs=7)
    assert series.values.tolist() == [40, 30, 30]
    assert found.to_pandas().columns.tolist() == ["vertex", "jobs", "shops"]
    assert found.to_polars().rows()[0] == ("a", 40, 1.5)
    pytest.importorskip("pyarrow")
    assert found.to_arrow().to_pylist()[2] == {"vertex": "c", "jobs": 30.0, "shops": 0.5}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"weights": [1, 2, np.nan], "cutoffs": 1}, "weights: the amount of vertex 'c' is nan; amounts must be finite"),
        (
            {"weights": {"jobs": [1, np.inf, 0], "shops": [1, 2, 3]}, "cutoffs": 1},
            r"weights\['jobs'\]: the amount of vertex 'b' is inf",
        ),
        ({"weights": [1e308, 1e308, 0], "cutoffs": 1}, "the sum of column 'weights' is beyond float64"),
        ({"weights": [1, 2], "cutoffs": 1}, r"weights must have shape \(3,\) or \(3, w\), one row per vertex"),
        ({"weights": {"d": 1}, "cutoffs": 1}, "'d'"),
        ({"weights": ["x", "y", "z"], "cutoffs": 1}, "weights must be numbers"),
        ({"weights": [1, 2, 3]}, "needs cutoffs, or a decay, or both"),
        ({"weights": [1, 2, 3], "cutoffs": []}, "cutoffs must hold at least one number"),
        ({"weights": [1, 2, 3], "cutoffs": [2, 2]}, "cutoffs must increase, not 2, 2"),
        ({"weights": [1, 2, 3], "cutoffs": -1}, "cutoffs must be a number of at least 0, not -1"),
        ({"weights": [1, 2, 3], "decay": "exponential"}, "needs beta"),
        ({"weights": [1, 2, 3], "decay": "power", "beta": 0}, "greater than 0, not 0"),
        ({"weights": [1, 2, 3], "decay": "logistic", "beta": 1}, "needs a midpoint"),
        ({"weights": [1, 2, 3], "decay": "cubic", "beta": 1}, "decay must be one of exponential"),
        ({"weights": [1, 2, 3], "cutoffs": 1, "beta": 1}, "beta and midpoint are parameters of a decay"),
        ({"weights": [1, 2, 3], "cutoffs": 1, "direction": "both"}, "direction must be one of out, in"),
        ({"weights": [1, 2, 3], "cutoffs": 1, "competition": [1, -1, 0]}, "one number of at least 0 per vertex"),
    ],
)  # fmt: skip
def test_errors_name_the_place(arguments: dict[str, Any], message: str) -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [4, 3], labels=["a", "b", "c"])
    with pytest.raises((RequestError, GraphError), match=message):
        apsp.accessibility(graph, **arguments)


def test_a_table_with_a_vertex_twice() -> None:
    pandas = pytest.importorskip("pandas")
    graph = apsp.from_edges([0], [1], labels=["a", "b"])
    with pytest.raises(RequestError, match=r"weights\['jobs'\] has two numbers for vertex 'b'"):
        apsp.accessibility(graph, pandas.DataFrame({"jobs": [1, 2]}, index=["b", "b"]), cutoffs=1)


def test_a_large_graph_of_which_little_is_near() -> None:
    graph = city(20_000)
    jobs = np.ones(graph.n)
    found = apsp.accessibility(graph, jobs, cutoffs=30, sources=range(0, graph.n, 100))
    rows = apsp.solve(graph, sources=range(0, graph.n, 100), cutoff=30).distances
    assert (found.values == (rows != apsp.unreachable(rows.dtype)).sum(axis=1)).all()
