"""The layout of elimination on GPUs, its driver and its kernels: run on this CPU, where there is no GPU."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import apsp
from apsp.errors import DtypeRangeError, MemoryLimitError
from apsp.gpu import jit
from apsp.methods.elimination.factor_on_gpu import FactorOnGpu
from apsp.methods.elimination.tree import elimination_tree
from apsp.running import planned_rows
from contract import GRAPHS, assert_same_distances, graph_of, shifted
from emulation import Launches, emulated_gpus
from sweeps import (
    DTYPES,
    SHAPES,
    check_layout,
    check_oracle,
    check_solved,
    check_sweeps,
    climb_of,
    factor_of,
    grid_and_ways,
    random_graph,
)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_layout_of_a_tree(shape: str) -> None:
    check_layout(SHAPES[shape]())


def test_the_supernodes_above_few_places_of_a_large_tree() -> None:
    tree = elimination_tree(graph_of(14_400, grid_and_ways(120, 0, 0)))
    assert tree is not None
    layout = tree.layout
    places = np.array([3, 9_000, 3, 14_399], dtype=np.int32)
    assert 3 * layout.levels < layout.count // 8
    nodes, low, high = layout.above(places)
    assert set(nodes.tolist()) == {t for p in places for t in climb_of(tree.parent, layout.owner[p])}
    assert (np.diff(layout.depth[nodes]) >= 0).all()
    for s, start, end in zip(nodes.tolist(), low.tolist(), high.tolist(), strict=True):
        assert [p for p in sorted(places) if s in climb_of(tree.parent, layout.owner[p])] == sorted(places)[start:end]


@pytest.fixture
def gpu_of_cpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[Launches]:
    with emulated_gpus(monkeypatch) as launches:
        yield launches


@pytest.mark.few(12)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_sweeps(gpu_of_cpu: Launches, shape: str, dtype: str) -> None:
    check_sweeps(SHAPES[shape](), dtype)


@pytest.mark.parametrize("dtype", ["int32", "float32", "int64"])
def test_sweeps_with_negative_arcs(gpu_of_cpu: Launches, dtype: str) -> None:
    for seed in range(3):
        edges = shifted(121, grid_and_ways(11, 4, seed), seed, 40)
        check_sweeps(graph_of(121, edges, dtype="int64"), dtype, seed)


@pytest.mark.parametrize("dtype", ["uint16", "int32", "float64"])
def test_sweeps_from_zones(gpu_of_cpu: Launches, dtype: str) -> None:
    for seed in range(3):
        closed = np.arange(100) % 4 == seed
        check_sweeps(graph_of(100, grid_and_ways(10, 30, seed), zones=closed), dtype, seed)


@pytest.mark.few(5)
@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("weights", ["int32", "float32"])
def test_the_contract(gpu_of_cpu: Launches, name: str, weights: str) -> None:
    graph = GRAPHS[name](weights)
    wide = "int64" if graph.has_integer_weights else "float64"
    expected = apsp.solve(graph, method="reference", dtype=wide).distances
    check_solved(graph, expected)


@pytest.mark.parametrize("dtype", ["uint16", "int32", "float64"])
def test_oracles(gpu_of_cpu: Launches, tmp_path: Path, dtype: str) -> None:
    graph = graph_of(81, grid_and_ways(9, 4, 1))
    check_oracle(graph, dtype)
    check_oracle(graph_of(81, grid_and_ways(9, 4, 2), zones=np.arange(81) % 5 == 0), dtype)
    apsp.prepare(graph, dtype=dtype).save(tmp_path / "kept")
    again = apsp.Oracle.load(tmp_path / "kept", device="cuda")
    assert_same_distances(again.rows([3]), apsp.prepare(graph, dtype=dtype).rows([3]))


def test_a_gpu_holds_no_long_distances_in_16_bits(gpu_of_cpu: Launches, tmp_path: Path) -> None:
    graph = graph_of(3, [(0, 1, 40_000), (1, 2, 9)])
    with pytest.raises(DtypeRangeError):
        apsp.prepare(graph, dtype="uint16", device="cuda")
    apsp.prepare(graph, dtype="uint16").save(tmp_path / "kept")
    with pytest.raises(DtypeRangeError):
        apsp.Oracle.load(tmp_path / "kept", device="cuda")


def test_random_graphs_on_this_cpu(gpu_of_cpu: Launches) -> None:
    for seed in (*range(24), 51, 91, 261):  # in the last ones reciprocals of negative distances cancel
        graph, dtype = random_graph(seed)
        if graph.n < 120 or seed > 24:
            check_sweeps(graph, dtype, seed)


def test_graphs_of_at_most_one_vertex(gpu_of_cpu: Launches) -> None:
    for n in (0, 1):
        graph = graph_of(n, [(0, 0, 3)] * n)
        for options in ({}, {"cutoff": 5}, {"sources": [0] * n, "targets": [0] * n}):
            result = apsp.solve(graph, method="elimination", device="cuda", **options)
            np.testing.assert_array_equal(result.to_numpy(), np.zeros((n, n)))
        assert (
            apsp.closeness_centrality(graph, direction="out", method="elimination", device="cuda").tolist() == [0.0] * n
        )
        oracle = apsp.prepare(graph, device="cuda")
        assert oracle.rows().shape == (n, n)
        assert oracle.matrix([0] * n, []).shape == (n, 0)
        assert oracle.summary().closeness_centrality("out").tolist() == [0.0] * n


def test_a_terminal_with_many_arcs(gpu_of_cpu: Launches) -> None:
    edges = [(0, v, v) for v in range(1, 200)] + [(v, v + 1, 3) for v in range(1, 199)] + [(v, 0, 1) for v in (9, 99)]
    graph = graph_of(200, edges, zones=np.arange(200) % 50 == 0)
    check_sweeps(graph, "int32")


def test_measures_of_floats(gpu_of_cpu: Launches) -> None:
    graph = graph_of(100, [(u, v, w / 7) for u, v, w in grid_and_ways(10, 4, 3)], dtype="float64")
    expected, asked = apsp.summary(graph, device="cpu"), {"method": "elimination", "device": "cuda"}
    for found in (apsp.summary(graph, **asked), apsp.prepare(graph, device="cuda").summary()):
        np.testing.assert_allclose(found.closeness_centrality("out"), expected.closeness_centrality("out"), rtol=1e-12)
        np.testing.assert_array_equal(found.farthest, expected.farthest)
    assert gpu_of_cpu.of("tally_lines")
    assert not gpu_of_cpu.of("turn_lines"), "no row is made"


def test_an_oracle_answers_after_a_range_was_left(gpu_of_cpu: Launches) -> None:
    edges = [(v, v + 1, -200_000_000) for v in range(3)] + [(v, v + 1, 1) for v in range(3, 39)]
    on_gpu = FactorOnGpu(factor_of(graph_of(40, edges), "int32"), None)
    dist = jit.cupy().empty((1, 40), dtype=np.int32)
    with pytest.raises(DtypeRangeError):
        on_gpu.rows(np.array([0], np.int32), dist, None)
    on_gpu.rows(np.array([5], np.int32), dist, None)
    assert dist[0, 39] == 34


def test_room_that_a_gpu_does_not_have(gpu_of_cpu: Launches, monkeypatch: pytest.MonkeyPatch) -> None:
    oracle = apsp.prepare(graph_of(81, grid_and_ways(9, 4, 1)), device="cuda")
    monkeypatch.setattr("apsp.methods.elimination.oracle_on_gpu.free_bytes", lambda _: 1000)
    with pytest.raises(MemoryLimitError, match=r"81 x 81 distances .* on GPU 0.*oracle.stream"):
        oracle.rows()


@pytest.mark.slow
def test_sums_go_on_without_a_gpu_that_nobody_asked_for(gpu_of_cpu: Launches, monkeypatch: pytest.MonkeyPatch) -> None:
    from apsp.gpu.emulated.module import OutOfMemoryError

    graph = graph_of(81, grid_and_ways(9, 4, 1))
    decided = apsp.plan(graph, method="elimination", device="cuda", dtype="int32")
    plan_for = planned_rows.plan_for
    monkeypatch.setattr(planned_rows, "plan_for", lambda g, r: decided if r.device == "auto" else plan_for(g, r))

    def used_up(*_: object) -> None:
        raise OutOfMemoryError("Out of memory allocating 5,000,000,000 bytes")

    monkeypatch.setattr(FactorOnGpu, "_found", used_up)
    expected = apsp.closeness_centrality(graph, direction="out", device="cpu")
    np.testing.assert_array_equal(
        apsp.closeness_centrality(graph, direction="out", dtype="int32", method="elimination"), expected
    )
    with pytest.raises(MemoryLimitError):
        apsp.closeness_centrality(graph, direction="out", dtype="int32", method="elimination", device="cuda")
