"""Flows in hops on a GPU beside those of the CPU, emulated and real; its kernels without a GPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp.gpu import nvrtc
from apsp.gpu.emulated.run import entered
from apsp.gpu.recorder import recording
from apsp.methods.flows.demand import Demand, Flows
from apsp.methods.flows.kernels.hop_flows import EXPRESSIONS, batch_bytes, hop_arcs
from by_method import flows
from compiling import ARCHITECTURES, needs_compiler
from examples import examples

gpu = pytest.mark.gpu
NAMES = ("through", "arrived", "served", "along")


def random_graph(n: int, m: int, seed: int, kind: str = "random", **properties: Any) -> apsp.Graph:
    rng = np.random.default_rng(seed)
    tails, heads = rng.integers(0, n, (2, m))
    if kind == "in hub":
        heads[: m // 2] = 0
    if kind == "out hub":
        tails[: m // 2] = n // 2
    if kind == "zones":
        properties["zones"] = rng.random(n) < 0.2
    return apsp.from_edges(tails, heads, n=n, **properties)


def to_all(graph: apsp.Graph, sources: int, seed: int) -> Demand:
    rng = np.random.default_rng(seed)
    return Demand(rng.integers(0, graph.n, sources).astype(np.int32), rng.random(graph.n) * (rng.random(graph.n) < 0.7))


def by_rows(graph: apsp.Graph, sources: int, seed: int) -> Demand:
    rng = np.random.default_rng(seed)
    ends = [rng.choice(graph.n, rng.integers(0, min(graph.n, 9)), replace=False) for _ in range(sources)]
    start = np.cumsum([0, *map(len, ends)]).astype(np.int64)
    targets = np.concatenate(ends).astype(np.int32)
    return Demand(
        rng.integers(0, graph.n, sources).astype(np.int32), None, start, targets, rng.random(len(targets))
    )  # fmt: skip


def same(found: Flows, expected: Flows) -> None:
    for name in NAMES:
        ours, theirs = getattr(found, name), getattr(expected, name)
        if theirs is None:
            assert ours is None
            continue
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12 * max(theirs.max(initial=0), 1), err_msg=name)


def check(graph: apsp.Graph, demand: Demand, device: str = "emulated", cutoff: float | None = None) -> None:
    for along in (False, True):
        expected = flows(graph, demand, along=along, threads=1, cutoff=cutoff)
        found = flows(graph, demand, along=along, threads=2, cutoff=cutoff, device=device)
        same(found, expected)
        again = flows(graph, demand, along=along, threads=1, cutoff=cutoff, device=device)
        for name in NAMES:
            np.testing.assert_array_equal(getattr(again, name), getattr(found, name))


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["random", "in hub", "out hub", "zones"])
@pytest.mark.parametrize("directed", [True, False])
def test_flows_are_those_of_the_cpu(kind: str, directed: bool) -> None:
    graph = random_graph(400, 1500, 3, kind, directed=directed)
    check(graph, to_all(graph, 70, 1))
    check(graph, by_rows(graph, 70, 2), cutoff=3)


@settings(max_examples=examples(25), deadline=None)
@given(st.data())
def test_small_graphs(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 9))
    vertex = st.integers(0, n - 1)
    pairs = data.draw(st.lists(st.tuples(vertex, vertex), max_size=20))
    zones = data.draw(st.none() | st.lists(st.booleans(), min_size=n, max_size=n))
    tails, heads = [u for u, _ in pairs], [v for _, v in pairs]
    graph = apsp.from_edges(tails, heads, n=n, directed=data.draw(st.booleans()), zones=zones)
    cutoff = data.draw(st.sampled_from([None, 0, 1, 2, 3.5]))
    make = data.draw(st.sampled_from([to_all, by_rows]))
    check(graph, make(graph, data.draw(st.integers(1, 40)), n), cutoff=cutoff)


def test_long_paths_and_several_batches() -> None:
    ring = apsp.generate("ring", 90, weights=None, directed=True)
    told: list[int] = []
    demand = to_all(ring, 70, 5)
    expected = flows(ring, demand, along=True, threads=1)
    found = flows(
        ring, demand, along=True, threads=1, device="emulated", progress=told.append, gpu_memory=130_000
    )  # fmt: skip
    same(found, expected)
    assert told == [32, 64, 70]
    check(ring, by_rows(ring, 40, 6))


@pytest.mark.parametrize("order", ["forward", "random"])
def test_no_races(order: str) -> None:
    graph = random_graph(150, 900, 4, "in hub", directed=False)
    with entered(), recording(order, 1) as recorder:
        found = flows(graph, to_all(graph, 40, 1), along=True, threads=1, device="emulated")
    same(found, flows(graph, to_all(graph, 40, 1), along=True, threads=1))
    assert {"hop_forward", "hop_backward"} <= set(recorder.kernels)
    assert not recorder.races


def test_public_functions() -> None:
    graph = random_graph(60, 150, 8, directed=False)
    options: list[dict[str, Any]] = [{}, {"sources": [1, 2, 40], "targets": [3, 4]}, {"cutoff": 2}]
    for each in options:
        for function in (apsp.betweenness_centrality, apsp.edge_betweenness_centrality):
            found, expected = (function(graph, device=device, **each) for device in ("emulated", "cpu"))
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15)
    demand = np.random.default_rng(1).random((60, 60))
    one, other = (apsp.arc_flows(graph, demand, device=device) for device in ("emulated", "cpu"))
    np.testing.assert_allclose(one.arcs, other.arcs, rtol=1e-12)
    np.testing.assert_allclose(one.served, other.served, rtol=1e-12)
    values, sampled = (
        apsp.approximate_betweenness_centrality(graph, 9, seed=1, device=device).values
        for device in ("emulated", "cpu")
    )
    np.testing.assert_allclose(values, sampled, rtol=1e-12, atol=1e-15)


def test_refusals() -> None:
    graph = apsp.generate("random", 20)
    with pytest.raises(apsp.RequestError, match="ties are split"):
        apsp.arc_flows(graph.unweighted(), np.ones((20, 20)), ties="first", device="emulated")
    with pytest.raises(apsp.RequestError, match="one GPU"):
        apsp.betweenness_centrality(graph.unweighted(), device="emulated:0,1")
    with pytest.raises(apsp.RequestError, match="unknown device"):
        apsp.betweenness_centrality(graph, device="gpu")


def test_too_many_paths() -> None:
    tails, heads, last = [], [], 0
    for _ in range(1100):  # 2^1100 paths
        tails += [last, last, last + 1, last + 2]
        heads += [last + 1, last + 2, last + 3, last + 3]
        last += 3
    graph = apsp.from_edges(tails, heads)
    with pytest.raises(apsp.RequestError, match="from vertex 0"):
        apsp.betweenness_centrality(graph, sources=[0, last], device="emulated")


def test_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = apsp.generate("grid", 10_000, weights=None)
    arcs = hop_arcs(graph)
    assert batch_bytes(graph.n, arcs, 2, graph.n, rows=False, along=True) > 2 * 512 * graph.n
    monkeypatch.setenv("APSP_GPU_MEMORY", "3 MB")
    monkeypatch.setattr("apsp.facts.one_gpu.memory_of_each", lambda *_: 3_000_000)
    with pytest.raises(apsp.MemoryLimitError, match="32 sources at once"):
        apsp.betweenness_centrality(graph, device="emulated")


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_kernels_compile_without_spills(capability: tuple[int, int]) -> None:
    compiled = nvrtc.compile_for("hop_flows.cu", EXPRESSIONS, capability)
    assert set(compiled.spilled_bytes) == set(EXPRESSIONS)
    assert not any(compiled.spilled_bytes.values())


def large() -> Iterator[apsp.Graph]:
    for kind in ("random", "rmat", "grid", "ring"):
        yield apsp.generate(kind, 3000, weights=None, seed=3)
    yield random_graph(20_000, 80_000, 5, "in hub", directed=False)
    yield random_graph(5000, 60_000, 6, "out hub", directed=True)
    yield random_graph(3000, 20_000, 7, "zones", directed=True)


@gpu
@pytest.mark.parametrize("number", range(7))
def test_on_a_gpu(cupy: Any, number: int) -> None:
    graph = list(large())[number]
    check(graph, to_all(graph, 1500, 1), "cuda")
    check(graph, by_rows(graph, 1500, 2), "cuda", cutoff=7)


@gpu
def test_all_sources_of_a_social_graph(cupy: Any) -> None:
    graph = random_graph(9000, 40_000, 9, "in hub", directed=False)
    check(graph, Demand(np.arange(graph.n, dtype=np.int32), np.ones(graph.n)), "cuda")


@gpu
def test_more_vertices_and_arcs_than_threads(cupy: Any) -> None:
    graph = random_graph(700_000, 1_500_000, 10, "random", directed=True)
    check(graph, to_all(graph, 40, 1), "cuda")


@gpu
def test_memory_of_a_gpu_is_freed(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = apsp.generate("grid", 100_000, weights=None)
    monkeypatch.setenv("APSP_GPU_MEMORY", "20 MB")
    with pytest.raises(apsp.MemoryLimitError, match="32 sources at once"):
        apsp.betweenness_centrality(graph, device="cuda")
