"""Sweeps of elimination beside those of the CPU, to the last bit: on a GPU, and their kernels on this CPU."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
import cuda_on_cpu
from apsp.cuda import nvrtc
from apsp.cuda.elimination import expressions
from apsp.cuda.elimination_layout import Layout
from apsp.errors import DtypeRangeError
from apsp.solvers.sparse.elimination_tree import elimination_tree
from apsp.solvers.sparse.factor import Factor, factorise
from apsp.solvers.sparse.factor_on_gpu import FactorOnGpu
from compiling import ARCHITECTURES, needs_compiler
from contract import GRAPHS, EdgeList, assert_paths_replay, assert_same_distances, graph_of, random_edges, ring, shifted

gpu = pytest.mark.gpu
DTYPES = ("uint16", "int32", "int64", "float32", "float64")


def factor_of(graph: apsp.Graph, dtype: str) -> Factor:
    tree = elimination_tree(graph)
    assert tree is not None
    factor = factorise(graph, np.dtype(dtype), tree)
    assert factor is not None
    return factor


def rows_of(factor: Factor, sources: np.ndarray, targets: np.ndarray | None = None) -> np.ndarray:
    width = factor.graph.n if targets is None else len(targets)
    dist = np.empty((len(sources), width), dtype=factor.dtype)
    factor.rows(sources, targets, dist)
    return dist


def grid_and_ways(side: int, ways: int, seed: int, low: int = 0) -> EdgeList:
    """Directed streets, some of them closed, and some long arcs."""
    rng = np.random.default_rng(seed)
    at = np.arange(side * side).reshape(side, side)
    pairs = np.concatenate([np.stack([at[:, 1:], at[:, :-1]], 2), np.stack([at[1:], at[:-1]], 2).reshape(side, -1, 2)])
    pairs = pairs.reshape(-1, 2)
    pairs = np.concatenate([pairs, pairs[:, ::-1], rng.integers(0, side * side, (ways, 2))])
    pairs = pairs[rng.random(len(pairs)) < 0.9]
    return [(u, v, w) for (u, v), w in zip(pairs.tolist(), rng.integers(low, 60, len(pairs)).tolist(), strict=True)]


SHAPES: dict[str, Callable[[], apsp.Graph]] = {
    "streets": lambda: graph_of(169, grid_and_ways(13, 6, 1)),
    "chain": lambda: graph_of(40, [(v, v + 1, v % 5) for v in range(39)]),
    "ring": lambda: graph_of(150, ring(150, 7)),
    "star": lambda: graph_of(70, [(0, v, v) for v in range(1, 70)] + [(v, 0, 1) for v in range(1, 50)]),
    "no arc": lambda: graph_of(5, []),
    "dense": lambda: graph_of(45, random_edges(45, 900, 0, 99, 4)),
    "components": lambda: graph_of(90, random_edges(80, 70, 0, 9, 5)),
}


def check_layout(graph: apsp.Graph) -> None:
    tree = elimination_tree(graph)
    assert tree is not None
    layout = Layout(tree)
    for s, parent in enumerate(tree.parent.tolist()):
        assert layout.depth[s] == (0 if parent < 0 else layout.depth[parent] + 1)
    for s in range(layout.count):
        below = [t for t in range(layout.count) if s in climb_of(tree.parent, t)]
        assert layout.lowest[s] == min(tree.first[t] for t in below)
    places = layout.place[np.array([0, graph.n - 1, graph.n // 2, 0], dtype=np.int32)]
    labels = layout.labels(places, 2)
    np.testing.assert_array_equal(labels.places[labels.position], places)
    for s, span in enumerate(labels.spans):
        inside = [p for p in sorted(set(places.tolist())) if s in climb_of(tree.parent, layout.owner[p])]
        assert inside == labels.places[span["low"] : span["high"]].tolist()
    assert int(layout.needed_for(places).sum()) == len(
        {t for p in places for t in climb_of(tree.parent, layout.owner[p])}
    )


def climb_of(parent: np.ndarray, s: int) -> list[int]:
    found = []
    while s >= 0:
        found.append(int(s))
        s = parent[s]
    return found


@pytest.mark.parametrize("shape", SHAPES)
def test_the_layout_of_a_tree(shape: str) -> None:
    check_layout(SHAPES[shape]())


# -- the kernels, on this CPU ------------------------------------------------------------------------------------------


@pytest.fixture
def gpu_of_cpu(monkeypatch: pytest.MonkeyPatch) -> cuda_on_cpu.Launches:
    return cuda_on_cpu.install(monkeypatch)


def check_sweeps(graph: apsp.Graph, dtype: str, seed: int = 0) -> None:
    """A whole matrix in two parts, all rows, some rows, and some rows to some targets."""
    from apsp.cuda import jit

    cupy, n = jit.cupy(), graph.n
    factor = factor_of(graph, dtype)
    expected = rows_of(factor, np.arange(n, dtype=np.int32))
    on_gpu = FactorOnGpu(factor, None)
    if graph.terminals is None:
        whole = cupy.empty((n, n), dtype=factor.dtype)
        for first, last in ((0, n // 3), (n // 3, n)):
            if first < last:
                on_gpu.sweeps.matrix(whole, first, last, None)
        np.testing.assert_array_equal(whole.get(), expected)
    rng = np.random.default_rng(seed)
    for count in (n, 3):
        sources = rng.integers(0, n, count).astype(np.int32)
        dist = cupy.empty((count, n), dtype=factor.dtype)
        on_gpu.rows(sources, dist, None)
        np.testing.assert_array_equal(dist.get(), expected[sources])
        targets = rng.integers(0, n, 4).astype(np.int32)
        dist = cupy.empty((count, 4), dtype=factor.dtype)
        on_gpu.rows(sources, dist, targets)
        np.testing.assert_array_equal(dist.get(), expected[sources][:, targets])
        if dtype in ("uint16", "int32"):
            check_sums(factor, on_gpu, sources)


def check_sums(factor: Factor, on_gpu: FactorOnGpu, sources: np.ndarray) -> None:
    expected, actual = factor.measure(sources), on_gpu.measure(sources, 64)
    assert expected is not None
    for name, values in vars(expected).items():
        slack = 1e-12 if name == "reciprocals" else 0  # those of negative distances cancel
        np.testing.assert_allclose(getattr(actual, name), values, rtol=slack, atol=slack)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_sweeps(gpu_of_cpu: cuda_on_cpu.Launches, shape: str, dtype: str) -> None:
    check_sweeps(SHAPES[shape](), dtype)


@pytest.mark.parametrize("dtype", ["int32", "float32", "int64"])
def test_sweeps_with_negative_arcs(gpu_of_cpu: cuda_on_cpu.Launches, dtype: str) -> None:
    for seed in range(3):
        edges = shifted(121, grid_and_ways(11, 4, seed), seed, 40)
        check_sweeps(graph_of(121, edges, dtype="int64"), dtype, seed)


@pytest.mark.parametrize("dtype", ["uint16", "int32", "float64"])
def test_sweeps_from_terminals(gpu_of_cpu: cuda_on_cpu.Launches, dtype: str) -> None:
    for seed in range(3):
        closed = np.arange(100) % 4 == seed
        check_sweeps(graph_of(100, grid_and_ways(10, 30, seed), terminals=closed), dtype, seed)


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("weights", ["int32", "float32"])
def test_the_contract(gpu_of_cpu: cuda_on_cpu.Launches, name: str, weights: str) -> None:
    graph = GRAPHS[name](weights)
    wide = "int64" if graph.has_integer_weights else "float64"
    expected = apsp.solve(graph, method="reference", dtype=wide).distances
    check_solved(graph, expected)


def check_solved(graph: apsp.Graph, expected: np.ndarray) -> None:
    asked = {"method": "elimination", "device": "cuda"}
    result = apsp.solve(graph, **asked)
    assert result.info["device"] == "cuda"
    assert_same_distances(result.distances, expected)
    if graph.n < 3:
        return
    sources, targets = [0, 2, 2], [1, 0, 1]
    result = apsp.solve(graph, sources=sources, targets=targets, **asked)
    assert_same_distances(result.distances, expected[np.ix_(sources, targets)])
    found = expected[expected != apsp.unreachable(expected.dtype)]
    cutoff = max(float(np.median(found)), 0)
    cut = np.where(expected > cutoff, apsp.unreachable(expected.dtype), expected)
    assert_same_distances(apsp.solve(graph, cutoff=cutoff, **asked).distances, cut)


def check_oracle(graph: apsp.Graph, dtype: str) -> None:
    """All that an oracle computes on a GPU, beside one of the CPU."""
    here, there = (apsp.prepare(graph, dtype=dtype, device=device) for device in ("cpu", "cuda"))
    expected = here.rows()
    assert_same_distances(there.rows(), expected)
    sources, targets = [5, 0, 7, 5], [1, 9, 1]
    assert_same_distances(there.matrix(sources, targets), expected[np.ix_(sources, targets)])
    out = np.empty((4, graph.n), dtype=dtype)
    assert there.rows(sources, out=out) is out
    np.testing.assert_array_equal(out, expected[sources])
    for block in there.stream(rows=31, reuse=True):
        assert_same_distances(block.dist, expected[block.sources])
    if dtype in ("uint16", "int32"):
        np.testing.assert_array_equal(there.summary().eccentricity, here.summary().eccentricity)
        np.testing.assert_array_equal(there.summary(rows=33).closeness(), here.summary().closeness())
    assert there.distance(0, 9) == here.distance(0, 9)
    weights = None if graph.weights is None else graph.weights // 2
    for oracle in (here, there):
        oracle.update(weights)
    assert_same_distances(there.rows(sources), here.rows(sources))
    if here.distance(0, 9) < np.inf:
        assert there.path(0, 9)[-1] == 9


@pytest.mark.parametrize("dtype", ["uint16", "int32", "float64"])
def test_oracles(gpu_of_cpu: cuda_on_cpu.Launches, tmp_path: Path, dtype: str) -> None:
    graph = graph_of(81, grid_and_ways(9, 4, 1))
    check_oracle(graph, dtype)
    check_oracle(graph_of(81, grid_and_ways(9, 4, 2), terminals=np.arange(81) % 5 == 0), dtype)
    apsp.prepare(graph, dtype=dtype).save(tmp_path / "kept")
    again = apsp.Oracle.load(tmp_path / "kept", device="cuda")
    assert_same_distances(again.rows([3]), apsp.prepare(graph, dtype=dtype).rows([3]))


def test_a_gpu_holds_no_long_distances_in_16_bits(gpu_of_cpu: cuda_on_cpu.Launches, tmp_path: Path) -> None:
    graph = graph_of(3, [(0, 1, 40_000), (1, 2, 9)])
    with pytest.raises(DtypeRangeError):
        apsp.prepare(graph, dtype="uint16", device="cuda")
    apsp.prepare(graph, dtype="uint16").save(tmp_path / "kept")
    with pytest.raises(DtypeRangeError):
        apsp.Oracle.load(tmp_path / "kept", device="cuda")


# -- a GPU -------------------------------------------------------------------------------------------------------------


def random_graph(seed: int) -> tuple[apsp.Graph, str]:
    """A directed graph of any kind, and a dtype for its distances."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 400))
    low = int(rng.integers(0, 2))
    kind = seed % 6
    if kind == 0:
        edges = random_edges(n, int(rng.integers(0, 2 * n + 1)), low, 50, seed)
    elif kind == 1:
        side = max(int(n**0.5), 1)
        n, edges = side * side, grid_and_ways(side, n // 40, seed, low)
    elif kind == 2:
        edges = [(v, v + 1, int(w)) for v, w in zip(range(n - 1), rng.integers(low, 9, n), strict=False)]
        edges += random_edges(n, n // 9, low, 99, seed)
    elif kind == 3:
        edges = [(0, v, v % 7) for v in range(1, n)] + [(v, 0, v % 5) for v in range(1, n, 2)]
    elif kind == 4:
        edges = [(int(rng.integers(0, v)), v, v % 11) for v in range(1, n)]
        edges += [(v, u, w) for u, v, w in edges if rng.random() < 0.7]
    else:
        edges = random_edges(n, 5 * n, low, 50, seed)
    dtype = DTYPES[seed % 5]
    negative = dtype != "uint16" and seed % 7 < 3
    if negative:
        edges = shifted(n, edges, seed, 60)
    closed = rng.random(n) < 0.2 if seed % 4 == 0 else None
    if dtype == "uint16":  # distances are proven to fit
        edges = [(u, v, w * 32_000 // (99 * n)) for u, v, w in edges]
    return graph_of(n, edges, dtype="int64", **({} if closed is None else {"terminals": closed})), dtype


@gpu
@pytest.mark.parametrize("first", range(0, 400, 25))
def test_hundreds_of_random_graphs(cupy: Any, first: int) -> None:
    for seed in range(first, first + 25):
        graph, dtype = random_graph(seed)
        check_sweeps(graph, dtype, seed)
        options = {"method": "elimination", "dtype": dtype}
        results = [apsp.solve(graph, device="cuda", **options) for _ in range(2)]
        assert_same_distances(results[0].distances, apsp.solve(graph, device="cpu", **options).distances)
        np.testing.assert_array_equal(results[0].to_numpy(), results[1].to_numpy())


@gpu
@pytest.mark.parametrize("dtype", DTYPES)
def test_oracles_of_a_gpu(cupy: Any, dtype: str) -> None:
    check_oracle(graph_of(400, grid_and_ways(20, 9, 1)), dtype)


@gpu
@pytest.mark.parametrize("dtype", ["uint16", "int32", "float32"])
def test_grids(cupy: Any, dtype: str) -> None:
    for n in (2_500, 2_401):
        graph = apsp.generate("grid", n, seed=1, weights=(1, 9))
        expected = apsp.solve(graph, method="dijkstra-buckets", device="cpu", dtype=dtype).distances
        asked = {"method": "elimination", "device": "cuda", "dtype": dtype}
        assert_same_distances(apsp.solve(graph, **asked).distances, expected)
        for block in apsp.stream(graph, rows=700, **asked):
            assert_same_distances(block.dist, expected[block.sources])
        np.testing.assert_array_equal(apsp.eccentricity(graph, **asked), expected.max(axis=1))


@gpu
def test_paths_and_the_host(cupy: Any) -> None:
    graph = apsp.generate("city", 900, seed=3, weights=(1, 100))
    asked = {"method": "elimination", "device": "cuda", "dtype": "int32"}
    assert_paths_replay(apsp.solve(graph, paths=True, **asked))
    assert_paths_replay(apsp.solve(graph, paths=True, sources=[5, 899], cutoff=400, **asked))
    out = np.empty((900, 900), dtype=np.int32)
    assert_paths_replay(apsp.solve(graph, paths=True, out=out, **asked))


@gpu
def test_columns_by_parts(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from apsp.cuda import elimination

    monkeypatch.setattr(elimination, "LABEL_BYTES", 1)
    graph, told = apsp.generate("grid", 2_500, seed=1), []
    result = apsp.solve(
        graph, method="elimination", device="cuda", dtype="int32", progress=lambda _, done, __: told.append(done)
    )
    assert len(set(told)) >= 3
    assert_same_distances(result.distances, apsp.solve(graph, method="dijkstra", device="cpu").distances)


def test_random_graphs_on_this_cpu(gpu_of_cpu: cuda_on_cpu.Launches) -> None:
    for seed in range(24):
        graph, dtype = random_graph(seed)
        if graph.n < 120:
            check_sweeps(graph, dtype, seed)


@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_kernels_compile_without_spills(capability: tuple[int, int], dtype: str) -> None:
    wanted = sorted({name for sign in (True, False) for name in expressions(dtype, nonnegative=sign)})
    compiled = nvrtc.compile_for("elimination.cu", wanted, capability)
    assert set(compiled.spilled_bytes) == set(wanted)
    assert not any(compiled.spilled_bytes.values()), compiled.spilled_bytes
