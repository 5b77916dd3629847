"""Predecessors that the device reads off the distances: replayed, never compared cell by cell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import apsp
from apsp.gpu import nvrtc
from apsp.methods.rows.kernels import predecessors
from compiling import ARCHITECTURES, needs_compiler
from contract import GRAPHS, assert_paths_replay, graph_of, random_edges, ring, shifted

DTYPES = ("uint16", "int32", "int64", "float32", "float64")
SIZES = (0, 1, 2, 31, 32, 33, 127, 128, 129, 1000)


def solved(graph: apsp.Graph, **options: Any) -> apsp.Result:
    return apsp.solve(graph, method="floyd-warshall", device="cuda", paths=True, **options)


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", SIZES)
def test_sizes(cupy: Any, n: int, dtype: str) -> None:
    graph = graph_of(n, random_edges(n, 6 * n, 0, 20, n) if n else [], dtype="int32")
    assert_paths_replay(solved(graph, dtype=dtype))


@pytest.mark.gpu
@pytest.mark.parametrize("weights", ["int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("name", GRAPHS)
def test_every_graph(cupy: Any, name: str, weights: str) -> None:
    graph = GRAPHS[name](weights)
    result = solved(graph)
    assert result.info["device"] == ("cpu" if graph.has_negative_arc and "float" in weights else "cuda")
    assert_paths_replay(result)


@pytest.mark.gpu
@pytest.mark.parametrize("low", [0, 1])
def test_zero_arcs_and_cycles_with_negative_arcs(cupy: Any, low: int) -> None:
    edges = shifted(400, [*ring(400, 0), *random_edges(400, 3000, low, 3, 5)], 5, 50)
    assert_paths_replay(solved(graph_of(400, edges, dtype="int32")))


@pytest.mark.gpu
def test_rounded_sums(cupy: Any) -> None:
    rng = np.random.default_rng(1)
    for dtype, tolerance in (("float32", 1e-5), ("float64", 1e-13)):
        weights = rng.random((700, 700)).astype(dtype) ** 8  # many orders of magnitude: small ones are lost
        weights[rng.random((700, 700)) < 0.01] = 0
        assert_paths_replay(solved(apsp.from_dense(weights)), tolerance)


@pytest.mark.gpu
def test_more_tight_arcs_than_expected(cupy: Any) -> None:
    graph = apsp.from_dense(np.ones((300, 300), dtype=np.int32))
    assert_paths_replay(solved(graph))
    assert_paths_replay(solved(graph.unweighted()))


@pytest.mark.gpu
def test_rows_in_pieces(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(predecessors, "_LINES_BYTES", 300 * 4 * 64)
    graph = GRAPHS["several panels"]("int32")
    assert_paths_replay(solved(graph))
    assert_paths_replay(solved(graph, sources=list(range(290, 120, -1))))
    host = np.empty((300, 300), dtype=np.int32)
    result = solved(graph, dtype="int32", out=host)
    assert isinstance(result.predecessors, np.ndarray)
    assert_paths_replay(result)


@pytest.mark.gpu
def test_runs_are_identical(cupy: Any) -> None:
    graph = graph_of(500, random_edges(500, 20_000, 0, 9, 2), dtype="int32")
    first, second = (solved(graph).predecessors.get() for _ in range(2))
    np.testing.assert_array_equal(first, second)


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_kernels_compile_without_spills(capability: tuple[int, int]) -> None:
    lengths = ("int", "long long", "float", "double")
    tight = [
        name
        for dtype in DTYPES
        for length in (None, *lengths)
        for name in predecessors.tight_expressions(dtype, length)
    ]
    tight += [predecessors.sums_expression(dtype) for dtype in DTYPES[:3]]
    trees = [name for dtype in DTYPES for name in predecessors.tree_expressions(dtype)]
    for source, wanted in (("tight_arcs.cu", sorted(set(tight))), ("predecessors.cu", trees)):
        compiled = nvrtc.compile_for(source, wanted, capability)
        assert set(compiled.spilled_bytes) == set(wanted)
        assert not any(compiled.spilled_bytes.values())
