"""The layout of elimination on GPUs, its driver and its kernels: run on this CPU, where there is no GPU."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import apsp
import cuda_on_cpu
from apsp.errors import DtypeRangeError
from contract import GRAPHS, assert_same_distances, graph_of, shifted
from sweeps import DTYPES, SHAPES, check_layout, check_oracle, check_solved, check_sweeps, grid_and_ways, random_graph


@pytest.mark.parametrize("shape", SHAPES)
def test_the_layout_of_a_tree(shape: str) -> None:
    check_layout(SHAPES[shape]())


@pytest.fixture
def gpu_of_cpu(monkeypatch: pytest.MonkeyPatch) -> cuda_on_cpu.Launches:
    return cuda_on_cpu.install(monkeypatch)


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


def test_random_graphs_on_this_cpu(gpu_of_cpu: cuda_on_cpu.Launches) -> None:
    for seed in (*range(24), 51, 91, 261):  # in the last ones reciprocals of negative distances cancel
        graph, dtype = random_graph(seed)
        if graph.n < 120 or seed > 24:
            check_sweeps(graph, dtype, seed)
