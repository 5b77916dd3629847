"""Breadth-first search from 1,024 sources at once beside that of the CPU; its kernels without a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import apsp
from apsp.errors import MethodRefusedError
from apsp.gpu import nvrtc
from apsp.methods.bit_bfs.kernels import bit_bfs
from compiling import ARCHITECTURES, needs_compiler
from contract import assert_paths_replay, assert_same_distances, graph_of, random_edges

gpu = pytest.mark.gpu


def solved(graph: apsp.Graph, **options: Any) -> apsp.Result:
    result = apsp.solve(graph, method="bit-bfs", device="cuda", **options)
    assert result.info["device"] == "cuda"
    return result


def check(graph: apsp.Graph, **options: Any) -> apsp.Result:
    result = solved(graph, **options)
    options.pop("paths", None)
    assert_same_distances(result.distances, apsp.solve(graph, method="bfs", device="cpu", **options).distances)
    return result


@gpu
@pytest.mark.parametrize("dtype", ["uint16", "int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("n", [1, 2, 31, 33, 1023, 1025, 2500])
def test_sizes(cupy: Any, n: int, dtype: str) -> None:
    check(graph_of(n, random_edges(n, 3 * n, 1, 1, n)).unweighted(), dtype=dtype)


@gpu
@pytest.mark.parametrize("kind", ["random", "rmat", "grid", "ring", "dag", "complete"])
@pytest.mark.parametrize("directed", [True, False])
def test_kinds_of_graphs(cupy: Any, kind: str, directed: bool) -> None:
    check(apsp.generate(kind, 900, weights=None, seed=3, directed=directed or kind == "dag"))


@gpu
def test_long_paths(cupy: Any) -> None:
    check(apsp.generate("ring", 3000, weights=None, directed=True))
    check(
        graph_of(70_000, [(v, v + 1, 1) for v in range(69_999)]).unweighted(), sources=[0, 69_998], targets=[69_999, 0]
    )


@gpu
def test_some_sources_targets_and_cutoff(cupy: Any) -> None:
    graph = apsp.generate("grid", 2000, weights=None)
    check(graph, sources=[5, 0, 5, 1999], targets=[7, 7, 0])
    for cutoff in (0, 1, 7, 8, 20.5):
        check(graph, cutoff=cutoff)


@gpu
def test_zones(cupy: Any) -> None:
    graph = graph_of(300, random_edges(300, 1200, 1, 1, 3), zones=np.arange(300) % 3 == 0).unweighted()
    assert_paths_replay(check(graph, paths=True))


@gpu
def test_paths(cupy: Any) -> None:
    assert_paths_replay(check(apsp.generate("rmat", 1500, weights=None), paths=True))
    assert_paths_replay(solved(apsp.generate("rmat", 1500, weights=None), paths=True, sources=[9, 3], cutoff=2))


@gpu
def test_weights_are_refused(cupy: Any) -> None:
    with pytest.raises(MethodRefusedError, match="counts hops"):
        solved(apsp.generate("random", 20))


def test_planes_and_bytes() -> None:
    assert [bit_bfs.planes_of(n, None) for n in (1, 2, 5, 1025)] == [1, 1, 3, 11]
    assert bit_bfs.planes_of(1000, 0) == 0
    assert bit_bfs.planes_of(1000, 8.5) == 4
    assert bit_bfs.state_bytes(1000, 8.5) >= 7 * 128 * 1000


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_kernels_compile_without_spills(capability: tuple[int, int]) -> None:
    dtypes = ("uint16", "int32", "int64", "float32", "float64")
    wanted = [bit_bfs.SEARCH, *map(bit_bfs.expand_expression, dtypes)]
    compiled = nvrtc.compile_for("bit_bfs.cu", wanted, capability)
    assert set(compiled.spilled_bytes) == set(wanted)
    assert not any(compiled.spilled_bytes.values())
