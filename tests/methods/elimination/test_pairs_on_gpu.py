"""Distances of many pairs from a factor on a GPU, beside those of the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.gpu import jit, nvrtc
from apsp.methods.elimination import oracle_on_gpu as on_gpu
from apsp.methods.elimination import pairs_on_gpu
from apsp.methods.elimination.kernels import label_rows
from apsp.methods.elimination.kernels.layout import Layout
from apsp.methods.elimination.kernels.pairs import expression
from apsp.methods.elimination.tree import elimination_tree
from apsp.system.array_device import is_on_gpu, to_host
from compiling import ARCHITECTURES, needs_compiler
from emulation import emulated_gpus

DTYPES = ("uint16", "int32", "int64", "float32", "float64")


@pytest.fixture(params=["on this CPU", pytest.param("on a GPU", marks=pytest.mark.gpu)])
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """CuPy, or what stands for it."""
    monkeypatch.setattr(on_gpu, "_PAIRS_FROM", 1)
    monkeypatch.setattr(on_gpu, "_KEPT_PAIRS_FROM", 1)
    if request.param == "on a GPU":
        yield request.getfixturevalue("cupy")
        return
    with emulated_gpus(monkeypatch):
        yield jit.cupy()


def check(graph: apsp.Graph, count: int, dtype: str = "auto", rtol: float = 0.0, labels: bool = False) -> None:
    rng = np.random.default_rng(count)
    starts, ends = rng.integers(0, graph.n, (2, count))
    ends[: count // 9] = starts[: count // 9]
    expected = apsp.prepare(graph, dtype=dtype).distances(starts, ends)
    oracle = apsp.prepare(graph, dtype=dtype, device="cuda", labels=labels)
    told: list[int] = []
    for _ in range(2):
        found = oracle.distances(starts, ends, progress=lambda _, done, __: told.append(done))
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=rtol)
    assert told[-1] == count


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("count", [1, 30, 500])
def test_dtypes(device: Any, dtype: str, count: int) -> None:
    check(apsp.generate("grid", 225, weights=(1, 9), seed=2), count, dtype)


@pytest.mark.parametrize("n", [0, 2])
def test_no_arcs(device: Any, n: int) -> None:
    oracle = apsp.prepare(apsp.from_edges([], [], [], n=n), device="cuda", labels=True)
    for again in range(2):
        assert oracle.distances([], []).shape == (0,)
        found = to_host(oracle.rows())
        assert np.array_equal(found, np.where(np.eye(n, dtype=bool), 0, apsp.unreachable(found.dtype)))
        if not again:
            oracle.update(np.empty(0, dtype=np.int32))


def test_parts_without_a_path_and_negative_arcs(device: Any) -> None:
    check(apsp.from_edges([0, 1, 5], [1, 2, 6], [4, 1, 2], n=9), 100)
    tails, heads, weights = apsp.generate("grid", 100, weights=(1, 9), directed=True, seed=4).to_edges()
    height = np.random.default_rng(1).integers(0, 20, 100)
    check(apsp.from_edges(tails, heads, weights + height[tails] - height[heads], n=100), 300)


def test_several_launches(device: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = apsp.generate("city", 300, seed=3)
    monkeypatch.setattr(pairs_on_gpu, "_AT_ONCE", 64)
    check(graph, 200)
    monkeypatch.setattr(pairs_on_gpu, "_KEPT_SHARE", 1e-9)  # labels of the pairs of a launch
    check(graph, 20)
    monkeypatch.setattr(pairs_on_gpu, "_KEPT_SHARE", 1e-3)
    check(graph, 200)


def test_other_weights(device: Any) -> None:
    graph = apsp.generate("grid", 100, weights=(1, 9), seed=2)
    oracle = apsp.prepare(graph, device="cuda", dtype="int32")
    starts, ends = np.arange(100), np.arange(100)[::-1]
    before = oracle.distances(starts, ends)
    oracle.update(graph.weights * 3)
    np.testing.assert_array_equal(oracle.distances(starts, ends), 3 * before)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("dtype", ["uint16", "int32", "float64"])
def test_kept_labels(device: Any, dtype: str, directed: bool) -> None:
    graph = apsp.generate("grid", 441, weights=(1, 9), directed=True, seed=5)
    if not directed:
        tails, heads, weights = graph.to_edges()
        graph = apsp.from_edges(tails, heads, weights, n=graph.n, directed=False)
    expected = apsp.solve(graph, method="dijkstra", device="cpu", dtype=dtype).distances
    oracle = apsp.prepare(graph, labels=True, device="cuda", dtype=dtype)
    starts, ends = (each.ravel() for each in np.meshgrid(np.arange(graph.n), np.arange(0, graph.n, 7), indexing="ij"))
    np.testing.assert_array_equal(oracle.distances(starts, ends), expected[starts, ends])
    oracle.update(graph.weights * 2)
    assert oracle.distances(starts[:9], ends[:9]).tolist() == (2 * expected[starts[:9], ends[:9]]).tolist()


@pytest.mark.parametrize("seed", range(3))
def test_the_columns_above_two_supernodes(seed: int) -> None:
    graph = apsp.generate("random", 150, m=170 + 20 * seed, seed=seed)
    tree = elimination_tree(graph, most=1 << 30, order="fast", threads=1)
    assert tree is not None
    layout = Layout(tree)

    def above(node: int) -> list[int]:
        found = []
        while node >= 0:
            found.append(node)
            node = int(layout.parent[node])
        return found

    for one in range(layout.count):
        assert layout.tops[one] == sum(layout.columns[node] for node in above(one))
        for other in range(one):
            shared = sum(layout.columns[node] for node in set(above(one)) & set(above(other)))
            level = (one - other).bit_length() - 1
            row = layout.least_above[level]
            assert min(row[other], row[one - (1 << level)]) == shared


def test_vertices_on_the_gpu(device: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_gpu, "lies_on_gpu", is_on_gpu)  # arrays of an emulated GPU count, too
    graph = apsp.generate("grid", 225, weights=(1, 9), seed=2)
    oracle = apsp.prepare(graph, device="cuda", labels=True)
    starts, ends = np.random.default_rng(0).integers(0, graph.n, (2, 50))
    expected = apsp.prepare(graph).distances(starts, ends)
    for dtype in (np.int64, np.int32, np.uint8):
        found = oracle.distances(device.asarray(starts.astype(dtype)), device.asarray(ends.astype(dtype)))
        assert is_on_gpu(found)
        np.testing.assert_array_equal(to_host(found), expected)
    on_device = device.asarray(starts)
    np.testing.assert_array_equal(oracle.distances(on_device, ends), expected)
    np.testing.assert_array_equal(oracle.distances(on_device, [3]), oracle.distances(starts, 3))
    with pytest.raises(apsp.GraphError, match="225"):
        oracle.distances(on_device, device.asarray(np.where(ends == ends[0], 225, ends)))
    with pytest.raises(apsp.RequestError, match="50 sources and 49 targets"):
        oracle.distances(on_device, device.asarray(ends[1:]))


def test_zones_are_left_to_the_cpu(device: Any) -> None:
    tails, heads, weights = apsp.generate("grid", 100, seed=2).to_edges()
    check(apsp.from_edges(tails, heads, weights, n=100, zones=np.arange(100) % 5 == 0), 60, "int32")


@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
@pytest.mark.parametrize("source", ["pairs.cu", "label_rows.cu"])
def test_the_kernels_compile_without_spills(source: str, capability: tuple[int, int]) -> None:
    if source == "pairs.cu":
        wanted = [expression(dtype) for dtype in DTYPES]
    else:
        wanted = [name for dtype in DTYPES for name in label_rows.expressions(dtype)]
    compiled = nvrtc.compile_for(source, wanted, capability)
    assert set(compiled.spilled_bytes) == set(wanted)
    assert not any(compiled.spilled_bytes.values())


@pytest.mark.gpu
@pytest.mark.parametrize("labels", [False, True])
def test_a_million_pairs(cupy: Any, labels: bool) -> None:
    check(apsp.generate("city", 60_000, seed=1), 1_000_000, labels=labels)
