"""Vertices within a cutoff on a GPU beside the searches of the CPU, to the last bit; the kernels without a GPU too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.gpu import nvrtc
from apsp.methods.label_correcting.kernels.labels import KINDS
from apsp.methods.label_correcting.kernels.near_pairs import join_expression, near_expression, weigh_expression
from apsp.methods.label_correcting.near_on_gpu import NearSearchesOnGpu
from apsp.methods.searches.near import NearRows, near_searches
from apsp.reductions.weighing import Weighing
from compiling import ARCHITECTURES, needs_compiler
from contract import graph_of, random_edges
from emulation import emulated_gpus

LABELS = {
    "uint16": ("int32",), "int32": ("int32", "int64"), "int64": ("int64",), "float32": ("float32",),
    "float64": ("float64",),
}  # fmt: skip


@pytest.fixture(params=["emulated", pytest.param("cuda", marks=pytest.mark.gpu)])
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    if request.param == "cuda":
        request.getfixturevalue("cupy")
        yield "cuda"
        return
    with emulated_gpus(monkeypatch):
        yield "emulated"


def some_graph(dtype: str, n: int = 200) -> apsp.Graph:
    """Random arcs, loops, parallel arcs, and arcs of length 0."""
    graph = graph_of(n, random_edges(n, 4 * n, 0, 9, 5), dtype="int32")
    if dtype.startswith("float"):
        weights = (np.random.default_rng(1).random(graph.m) * graph.arc_weights("float64")).astype(dtype)
        return apsp.from_edges(graph.tails(), graph.indices, weights, n=n)
    return graph


def check_hops(graph: apsp.Graph, sources: Any, rows: NearRows, whole: Any) -> None:
    """Each next hop begins a shortest path: the arc to it, and the distance from there."""
    lengths = {}
    for tail, head, length in zip(graph.tails(), graph.indices, graph.arc_weights("int64"), strict=True):
        lengths[tail, head] = min(length, lengths.get((tail, head), length))
    assert rows.next_hops is not None
    for i, source in enumerate(sources):
        row = slice(rows.starts[i], rows.starts[i + 1])
        for target, distance, hop in zip(rows.targets[row], rows.distances[row], rows.next_hops[row], strict=True):
            if hop == -1:
                assert target == source
            else:
                assert lengths[source, hop] + whole[hop, target] == distance


@pytest.mark.parametrize("dtype", LABELS)
@pytest.mark.parametrize("cutoff", [0, 3, 11, None])
def test_the_rows_of_the_searches(device: str, dtype: str, cutoff: float | None) -> None:
    graph, dtype_ = some_graph(dtype), np.dtype(dtype)
    random = np.random.default_rng(3)
    sources = random.integers(0, graph.n, 30).astype(np.int32)
    here, there = near_searches(graph, dtype_, len(sources)), NearSearchesOnGpu(graph, dtype_)
    requests: list[dict[str, Any]] = [
        {}, {"k": 5}, {"hops": True}, {"own": False, "by_target": True, "is_target": random.random(graph.n) < 0.3},
    ]  # fmt: skip
    for request in requests:
        expected, found = here.find(sources, cutoff, **request), there.find(sources, cutoff, **request)
        assert expected is not None
        assert found is not None
        for name in ("starts", "targets", "distances"):
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
            assert getattr(found, name).dtype == getattr(expected, name).dtype
        if request.get("hops") and not dtype.startswith("float"):
            check_hops(graph, sources, found, apsp.solve(graph, dtype="int64", device="cpu").distances)


@pytest.mark.parametrize("most", [10_000, 100_000])
def test_what_no_table_can_hold_is_searched_on_the_cpu(device: str, most: int) -> None:
    leaves = 34_000  # of a star: more than the slots of the largest table
    tails, heads = np.zeros(leaves, dtype=np.int32), np.arange(1, leaves + 1)
    graph = apsp.from_edges(tails, heads, np.arange(leaves) % 7, directed=False)
    sources = np.array([1, 0, 2], dtype=np.int32)
    seen: list[int] = []
    searches = NearSearchesOnGpu(graph, np.dtype(np.int32))
    found = searches.find(sources, 3, hops=True, most=most, progress=seen.append)
    expected = near_searches(graph, np.dtype(np.int32), 3).find(sources, 3, hops=True, most=most)
    assert (found is None, expected is None) == (most < leaves, most < leaves)
    if found is None or expected is None:
        return
    assert seen == [3]
    for name in ("starts", "targets", "distances", "next_hops"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    assert not searches.has_room(3)
    amounts = np.random.default_rng(0).integers(0, 9, (graph.n, 2)).astype(float)
    weighing = Weighing(amounts, (1, 3))
    sums = searches.weigh(sources, weighing)
    near = [expected.distances <= cutoff for cutoff in weighing.cutoffs]
    for i in range(3):
        row = np.arange(expected.starts[i], expected.starts[i + 1])
        for which, within in enumerate(near):
            np.testing.assert_array_equal(sums[i, which], amounts[expected.targets[row[within[row]]]].sum(axis=0))


@pytest.mark.parametrize("kinds", [1, 3, 6])
@pytest.mark.parametrize("dtype", ["uint16", "int32", "float64"])
def test_sums_are_those_of_rows(device: str, dtype: str, kinds: int) -> None:
    graph = some_graph(dtype)
    amounts = np.random.default_rng(2).integers(0, 100, (graph.n, kinds)).astype(float)
    cutoffs = (0.0, 2.0, 2.5, 4.0, 7.0)
    sources = np.arange(0, graph.n, 5, dtype=np.int32)
    found = NearSearchesOnGpu(graph, np.dtype(dtype)).weigh(sources, Weighing(amounts, cutoffs))
    expected = apsp.accessibility(graph, amounts, cutoffs=list(cutoffs), sources=sources, device="cpu")
    np.testing.assert_array_equal(found, expected.values.reshape(found.shape[0], kinds, -1).transpose(0, 2, 1))


def test_zones_are_not_passed(device: str) -> None:
    n = 60
    graph = some_graph("int32", n)
    zones = np.arange(n) < 10
    graph = apsp.from_edges(graph.tails(), graph.indices, graph.arc_weights("int64"), n=n, zones=zones)
    sources = np.arange(n, dtype=np.int32)
    found = NearSearchesOnGpu(graph, np.dtype(np.int32)).find(sources, 9, hops=True)
    expected = near_searches(graph, np.dtype(np.int32), n).find(sources, 9)
    assert found is not None
    assert expected is not None
    for name in ("starts", "targets", "distances"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    assert found.next_hops is not None
    passed = found.next_hops != found.targets
    assert not zones[found.next_hops[passed & (found.next_hops >= 0)]].any()


def test_accessibility_by_tables(device: str) -> None:
    city = apsp.generate("city", 3000, seed=2)
    amounts = np.random.default_rng(2).integers(0, 100, (city.n, 2)).astype(float)
    options: dict[str, Any] = {"cutoffs": [40, 90], "sources": np.arange(0, city.n, 60)}
    found = apsp.accessibility(city, amounts, device="cuda", method="label-correcting", **options)
    np.testing.assert_array_equal(found.values, apsp.accessibility(city, amounts, device="cpu", **options).values)


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_kernels_compile_without_spills(capability: tuple[int, int]) -> None:
    wanted = [join_expression(dtype) for dtype in LABELS]
    wanted += [weigh_expression(dtype, kinds) for dtype in LABELS for kinds in (1, 4)]
    wanted += [near_expression(KINDS[name], dtype) for dtype, names in LABELS.items() for name in names]
    compiled = nvrtc.compile_for("near_pairs.cu", sorted(wanted), capability)
    assert set(compiled.spilled_bytes) == set(wanted)
    assert not any(compiled.spilled_bytes.values())
    assert max(compiled.registers.values()) <= 128
