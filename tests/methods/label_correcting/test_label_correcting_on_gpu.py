"""Label correcting on a GPU beside Dijkstra's method on the CPU, to the last bit; its kernels without a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import apsp
from apsp.errors import NegativeCycleError
from apsp.gpu import nvrtc
from apsp.methods.label_correcting import on_gpu as label_correcting_gpu
from apsp.methods.label_correcting.kernels import label_correcting
from apsp.methods.label_correcting.kernels.label_correcting import bucket_width
from apsp.methods.label_correcting.kernels.labels import KINDS, expression, pack_expression
from apsp.system.array_device import is_on_gpu
from compiling import ARCHITECTURES, needs_compiler
from contract import assert_paths_replay, assert_same_distances, graph_of, random_edges, ring, shifted

gpu = pytest.mark.gpu


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """No detour by way of the core: all vertices are searched from."""
    monkeypatch.setattr(label_correcting_gpu, "may_have_chains", lambda _: False)


def solved(graph: apsp.Graph, **options: Any) -> apsp.Result:
    return apsp.solve(graph, method="label-correcting", device="cuda", **options)


def expected(graph: apsp.Graph, **options: Any) -> Any:
    method = "johnson" if graph.has_negative_arc else "dijkstra"
    return apsp.solve(graph, method=method, device="cpu", **options).distances


def check(graph: apsp.Graph, **options: Any) -> apsp.Result:
    result = solved(graph, **options)
    assert result.info["device"] == "cuda"
    assert is_on_gpu(result.distances)
    assert_same_distances(result.distances, expected(graph, dtype=result.distances.dtype.name))
    return result


@gpu
@pytest.mark.parametrize("kind", ["ring", "grid", "city"])
def test_narrow_fronts(cupy: Any, searched: None, kind: str) -> None:
    check(apsp.generate(kind, 900, seed=3))


@gpu
@pytest.mark.parametrize("dtype", ["uint16", "int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("n", [1, 2, 31, 33, 257, 1000])
def test_sizes(cupy: Any, n: int, dtype: str) -> None:
    check(graph_of(n, random_edges(n, 5 * n, 0, 20, n), dtype="int32"), dtype=dtype)


@gpu
@pytest.mark.parametrize("kind", ["random", "rmat", "grid", "ring", "dag", "complete"])
@pytest.mark.parametrize("weights", [(1, 1000), (0, 3), (1, 100_000), (0.0, 1.0)])
def test_kinds_of_graphs(cupy: Any, kind: str, weights: Any) -> None:
    check(apsp.generate(kind, 700, weights=weights, seed=3))


@gpu
def test_floats_of_many_sizes(cupy: Any) -> None:
    rng = np.random.default_rng(2)
    tails, heads = rng.integers(0, 900, (2, 5000))
    for dtype in ("float32", "float64"):
        lengths = (rng.random(5000) ** 12).astype(dtype)
        check(apsp.from_edges(tails, heads, lengths, n=900))


@gpu
def test_hubs(cupy: Any) -> None:
    hubs = [(u, v, 1 + (u * v) % 50) for u in range(70) for v in range(70, 1800)]
    back = [(v, (v * 7) % 70, 1 + v % 9) for v in range(70, 1800)]
    check(graph_of(1800, [*hubs, *back], dtype="int32"))


@gpu
def test_labels_too_narrow_for_some_rows(cupy: Any, searched: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(label_correcting.LabelCorrecting, "_kinds", lambda *_: ["narrow", "packed"])
    check(graph_of(3000, [*ring(1000, 60), *random_edges(1000, 100, 60, 99, 1)], dtype="int32"), dtype="int32")
    check(graph_of(300, [(v, v + 1, 400) for v in range(299)], dtype="int32"), dtype="int32")
    check(graph_of(3000, ring(3000, 20), dtype="int32"), dtype="int32")  # found out by the first rows


@gpu
@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_labels_outside_of_shared_memory(
    cupy: Any, searched: None, monkeypatch: pytest.MonkeyPatch, dtype: str
) -> None:
    monkeypatch.setattr(label_correcting, "_LISTS_LEAST", 1 << 20)
    check(graph_of(1500, random_edges(1500, 9000, 0, 1000, 4), dtype="int32"), dtype=dtype)


@gpu
def test_lists_that_are_too_short(cupy: Any, searched: None, monkeypatch: pytest.MonkeyPatch) -> None:
    real = label_correcting._launch
    monkeypatch.setattr(label_correcting, "_launch", lambda *given: real(*given)._replace(capacity=64))
    check(graph_of(1500, random_edges(1500, 9000, 0, 10, 4), dtype="int32"))
    check(graph_of(1500, random_edges(1500, 9000, 0, 10, 4), dtype="int32").unweighted())
    check(graph_of(500, shifted(500, random_edges(500, 3000, 0, 9, 4), 4, 30), dtype="int32"))


@gpu
def test_large_graphs(cupy: Any) -> None:
    for kind, n in (("random", 20_000), ("rmat", 40_000), ("random", 120_000)):
        graph = apsp.generate(kind, n, seed=5)
        sources = list(range(0, n, n // 40))
        result = solved(graph, sources=sources)
        assert_same_distances(result.distances, expected(graph, sources=sources))


@gpu
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_negative_arcs(cupy: Any, dtype: str) -> None:
    graph = graph_of(600, shifted(600, random_edges(600, 3000, 0, 50, 12), 12, 40), dtype=dtype)
    assert_paths_replay(check(graph, dtype=dtype, paths=True))
    with pytest.raises(NegativeCycleError):
        solved(graph_of(600, [*random_edges(600, 3000, 5, 50, 1), (3, 4, -3), (4, 3, 2)], dtype=dtype))


@gpu
def test_negative_floats_are_left_to_johnson(cupy: Any) -> None:
    graph = graph_of(80, shifted(80, random_edges(80, 400, 0, 50, 12), 12, 40), dtype="float64")
    result = solved(graph, paths=True)
    assert result.info["device"] == "cpu"
    assert_paths_replay(result)


@gpu
def test_paths(cupy: Any) -> None:
    for low in (0, 1):
        graph = graph_of(900, random_edges(900, 4000, low, 20, 3), dtype="int32")
        assert_paths_replay(check(graph, paths=True))
        assert_paths_replay(solved(graph, paths=True, sources=[7, 0, 899], cutoff=30))


@gpu
def test_rows_to_the_host(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from apsp.methods.rows import rows_on_gpu

    monkeypatch.setattr(rows_on_gpu, "BLOCK_BYTES", 40_000)
    graph = graph_of(300, random_edges(300, 1500, 1, 50, 3), dtype="int32")
    out = np.full((300, 300), -7, dtype=np.int32)
    told: list[int] = []
    result = solved(graph, out=out, dtype="int32", paths=True, progress=lambda _, done, __: told.append(done))
    assert result.distances is out
    assert told == sorted(told)
    assert len(told) > 3
    assert_same_distances(out, expected(graph))
    assert_paths_replay(result)


@gpu
def test_blocks_stay_on_the_device(cupy: Any) -> None:
    graph = graph_of(300, random_edges(300, 1500, 1, 50, 3), dtype="int32")
    want = expected(graph)
    for block in apsp.stream(graph, device="cuda", rows=77, targets=[5, 0, 5]):
        assert is_on_gpu(block.distances)
        assert_same_distances(block.distances, want[block.sources][:, [5, 0, 5]])
    for block in apsp.stream(graph, device="cuda", rows=100, paths=True, reuse=True, method="label-correcting"):
        assert_same_distances(block.distances, want[block.sources])


@gpu
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("dtype", ["uint16", "int32", "int64"])
def test_chains(cupy: Any, dtype: str, directed: bool) -> None:
    for seed in range(6):
        ways = [(v, v + 1 if v % 50 else seed * 40, v % 7) for v in range(399)]
        graph = graph_of(400, [*ways, *random_edges(400, 20 * seed, 0, 9, seed)], directed=directed, dtype="int32")
        check(graph, dtype=dtype)
        assert_paths_replay(solved(graph, dtype=dtype, paths=True, cutoff=40))
        some = solved(graph, dtype=dtype, sources=list(range(1, 400, 2)), targets=[5, 399, 0, 5])
        assert_same_distances(some.distances, expected(graph)[1::2][:, [5, 399, 0, 5]])
    check(apsp.generate("ring", 10_000, seed=1), dtype="int32")


@gpu
def test_chains_around_a_large_core(cupy: Any) -> None:
    steps = [(v, (v + step) % 7000, 1 + v * step % 90) for v in range(7000) for step in (1, 37, 601, 2503)]
    tails = [(v, 7000 + v, 5) for v in range(3000)]
    graph = graph_of(10_000, [*steps, *tails, *[(v, u, w) for u, v, w in tails]], dtype="int32")
    check(graph)


@gpu
def test_runs_are_identical(cupy: Any) -> None:
    graph = apsp.generate("rmat", 2000, seed=1, weights=(0, 5))
    first, second = (solved(graph, paths=True) for _ in range(2))
    np.testing.assert_array_equal(first.distances.get(), second.distances.get())
    np.testing.assert_array_equal(first.predecessors.get(), second.predecessors.get())


@pytest.mark.parametrize("order", ["forward", "backward", "random"])
@pytest.mark.parametrize("seed", [6, 7])
def test_no_thread_sees_the_hubs_of_the_next_round(seed: int, order: Any) -> None:
    # A warp that ran ahead once listed a hub of the next round before another had read that this round has none.
    rng, n = np.random.default_rng(seed), 4096
    tails = np.concatenate([np.repeat(rng.choice(n, 8, replace=False), 600), rng.integers(0, n, 4 * n)])
    graph = apsp.from_edges(tails, rng.integers(0, n, len(tails)), rng.integers(1, 100, len(tails)), n=n)
    found = apsp.profile(graph, method="label-correcting", sources=[0, 1, 2], order=order, dtype="int32").result
    assert_same_distances(found.distances, expected(graph, sources=[0, 1, 2], dtype="int32"))


def test_the_width_of_a_bucket() -> None:
    assert bucket_width(np.array([1, 3]), np.array([0])) == 1
    assert bucket_width(np.array([500, 500]), np.array([1, 1])) == 3000
    assert bucket_width(np.array([500.0] * 4), np.array([4, 0])) == 1500
    assert bucket_width(np.array([500.0] * 9), np.array([9, 0])) == pytest.approx(1000 / 3)
    assert bucket_width(np.array([1e308] * 4), np.array([16] * 4)) == pytest.approx(5e307)


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_kernels_compile_without_spills(capability: tuple[int, int]) -> None:
    dtypes = {"narrow": ("uint16", "int32"), "packed": ("uint16", "int32"), "int32": ("uint16", "int32")}
    wanted = []
    for name, labels in KINDS.items():
        for dtype in dtypes.get(name, (name,)):
            wanted += [pack_expression(labels, dtype), expression(labels, dtype, in_shared=True)]
            if name != "narrow":
                wanted.append(expression(labels, dtype, in_shared=False))
    compiled = nvrtc.compile_for("label_correcting.cu", sorted(set(wanted)), capability)
    assert set(compiled.spilled_bytes) == set(wanted)
    assert not any(compiled.spilled_bytes.values())
    assert max(compiled.registers.values()) <= 64
