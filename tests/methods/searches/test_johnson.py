from __future__ import annotations

import csv
import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apsp import _cpu
from apsp.errors import DtypeRangeError, NegativeCycleError
from apsp.facts.potentials import potentials
from apsp.graph.convert import from_edges
from apsp.graph.csr import arc_arrays
from apsp.graph.dense import from_dense
from apsp.graph.model import Graph
from apsp.result import paths
from examples import examples


def signed_dimacs(path: Path) -> Graph:
    arcs = [line.split()[1:] for line in path.read_text().splitlines() if line.startswith("a")]
    tails, heads, weights = (np.array([int(arc[k]) for arc in arcs]) for k in range(3))
    return from_edges(tails - 1, heads - 1, weights)


def length_of(graph: Graph, cycle: list[Any]) -> float:
    return math.fsum(paths.replay(graph, arc) for arc in zip(cycle, [*cycle[1:], cycle[0]], strict=True))


def assert_is_negative_cycle(graph: Graph, error: NegativeCycleError) -> None:
    assert len(set(error.cycle)) == len(error.cycle) > 0
    assert error.length == length_of(graph, error.cycle) < 0


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_random_negative_arcs(rows: Any, scipy_distances: Any, as_float: Any, dtype: str) -> None:
    rng = np.random.default_rng(1)
    tails, heads, height = rng.integers(0, 300, 1200), rng.integers(0, 300, 1200), rng.integers(-500, 500, 300)
    weights = rng.integers(0, 1000, 1200) + height[tails] - height[heads]
    graph = from_edges(tails, heads, weights.astype(dtype), n=300)
    np.testing.assert_array_equal(as_float(rows(graph, "johnson", dtype)[0]), scipy_distances(graph))


@pytest.mark.parametrize("stem", ["s27.T3", "s298.T3", "s1423.T39", "s5378.T16"])
def test_circuits_with_a_negative_cycle(shared_data: Path, stem: str) -> None:
    graph = signed_dimacs(shared_data / "negative" / "iscas89" / f"{stem}.negcycle.gr")
    for dtype in ("int64", "float64"):
        typed = graph._with(weights=graph.weights.astype(dtype))
        with pytest.raises(NegativeCycleError) as caught:
            potentials(typed)
        assert_is_negative_cycle(typed, caught.value)


@pytest.mark.parametrize(
    ("stem", "golden"),
    [
        ("s27.T4", (149, -60, -5, 6)),
        ("s298.T4", (6401, -9798, -9, 6)),
        ("s1423.T40", (391025, 12062710, -58, 171)),
        ("s5378.T17", (5138394, 99372702, -24, 171)),
    ],
)
def test_circuits_without_one(rows: Any, shared_data: Path, stem: str, golden: tuple[int, ...]) -> None:
    graph = signed_dimacs(shared_data / "negative" / "iscas89" / f"{stem}.ok.gr")
    dist, pred = rows(graph, "johnson", "int32")
    other = (dist != np.iinfo(np.int32).max) & ~np.eye(graph.n, dtype=bool)
    finite = dist[other]
    assert (other.sum(), finite.sum(dtype=np.int64), finite.min(), finite.max()) == golden
    assert (np.diagonal(dist) == 0).all()
    everyone = np.arange(graph.n, dtype=np.int32)
    arcs = arc_arrays(graph, graph.arc_weights(np.int64))
    assert _cpu.verify_rows(arcs, everyone, dist, pred, None, 0.0, 0.0, 2) == (-1, -1)


def logarithms(rates: np.ndarray) -> Graph:
    lengths = -np.log(rates)
    np.fill_diagonal(lengths, np.inf)
    return from_dense(lengths)


def test_rates_without_arbitrage_are_no_negative_cycle(rows: Any, shared_data: Path) -> None:
    with (shared_data / "negative" / "fx" / "eurofxref.csv").open() as file:
        _, values = list(csv.reader(file))[:2]
    euro = np.array([1.0, *(float(value) for value in values[1:] if value.strip())])
    for dtype in (np.float64, np.float32):
        graph = logarithms((euro[None, :] / euro[:, None]).astype(dtype))
        dist, pred = rows(graph, "johnson", np.dtype(dtype).name)
        direct = -np.log(euro[None, :] / euro[:, None])
        np.testing.assert_allclose(dist, direct, atol=200 * np.finfo(dtype).eps)
        for u, v in itertools.product(range(5), range(len(euro))):
            assert paths.replay(graph, paths.walk(pred[u], u, v)) == pytest.approx(dist[u, v], abs=1e-5)


def test_arbitrage_is_found(shared_data: Path) -> None:
    quotes = json.loads((shared_data / "negative" / "fx" / "2023-11-18.json").read_text())["rate"]
    names = sorted(quote["base"] for quote in quotes)
    rates = np.ones((len(names), len(names)))
    for quote in quotes:
        for name in set(names) - {quote["base"]}:
            rates[names.index(quote["base"]), names.index(name)] = quote[name]
    graph = logarithms(rates)._with(labels=names)
    with pytest.raises(NegativeCycleError) as caught:
        potentials(graph)
    assert caught.value.cycle[0] in names
    assert repr(caught.value.cycle[0]) in str(caught.value)
    assert_is_negative_cycle(graph, caught.value)


@pytest.mark.parametrize("tiny", [1e-3, 1e-9, 1e-14])
def test_small_but_real_negative_cycles_are_found(tiny: float) -> None:
    graph = from_edges([0, 1, 2], [1, 2, 0], [1.0, 1.0, -2.0 - tiny])
    with pytest.raises(NegativeCycleError) as caught:
        potentials(graph)
    assert_is_negative_cycle(graph, caught.value)


def test_float_distances_do_not_lose_digits_to_the_heights(rows: Any) -> None:
    graph = from_edges([0, 1, 2, 3], [1, 2, 3, 0], [1e9, -1e9, 1e-7, 5.0])
    dist = rows(graph, "johnson", "float64")[0]
    assert dist[0, 3] == 1e-7
    assert dist[2, 3] == 1e-7


def test_integers_beyond_int64_are_an_error() -> None:
    big = 2**62
    with pytest.raises(DtypeRangeError, match="too large"):
        potentials(from_edges([0, 1, 2, 3], [1, 2, 3, 4], [-big] * 4))
    with pytest.raises(NegativeCycleError):
        potentials(from_edges([0, 1, 2], [1, 2, 0], [-big] * 3))


@settings(deadline=None, max_examples=examples(200))
@given(
    st.integers(1, 12).flatmap(
        lambda n: st.tuples(
            st.just(n),
            st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.integers(-9, 12)), max_size=3 * n),
            st.sampled_from(["int32", "int64", "float32", "float64"]),
        )
    )
)
def test_potentials_or_a_cycle(case: tuple[int, list[tuple[int, int, int]], str]) -> None:
    n, arcs, dtype = case
    tails, heads, weights = (np.array([arc[k] for arc in arcs], dtype=np.int64) for k in range(3))
    graph = from_edges(tails, heads, weights.astype(dtype), n=n)
    dense = np.full((n, n), np.inf)
    dense[graph.tails(), graph.indices] = graph.weights
    for k in range(n):
        dense = np.minimum(dense, dense[:, k : k + 1] + dense[k])
    has_cycle = bool((np.diagonal(dense) < 0).any())
    try:
        found = potentials(graph)
    except NegativeCycleError as error:
        assert has_cycle
        assert_is_negative_cycle(graph, error)
        return
    assert not has_cycle
    exact = graph.weights + found.height[graph.tails()] - found.height[graph.indices]
    np.testing.assert_array_equal(found.reduced, exact)
    assert (found.reduced >= 0).all()
    assert (found.height <= 0).all()
