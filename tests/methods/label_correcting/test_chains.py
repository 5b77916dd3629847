"""Distances put together from those of the core, in NumPy, beside Dijkstra's method on the whole graph."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.gpu import nvrtc
from apsp.methods.label_correcting import through_core
from apsp.methods.label_correcting.chains import Chains, find_chains
from apsp.methods.label_correcting.kernels import chains as on_gpu
from apsp.semiring import unreachable
from compiling import ARCHITECTURES, needs_compiler
from contract import graph_of, ring
from emulation import emulated_gpus

NONE = 1 << 29


def distances(graph: apsp.Graph) -> Any:
    found = apsp.solve(graph, method="dijkstra", dtype="int32", device="cpu").distances.astype(np.int64)
    return np.where(found == unreachable("int32"), NONE, found)


def put_together(chains: Chains) -> Any:
    """The formula of methods/label_correcting/kernels/chains.cu, all entries at once."""
    size, n = len(chains.core), len(chains.core) + len(chains.vertices)

    def everywhere(values: Any, in_core: Any) -> Any:
        found = np.empty((n, 2), dtype=np.int64)
        found[chains.vertices], found[chains.core] = values, in_core
        return found

    ends = everywhere(chains.ends, np.column_stack([np.arange(size), np.full(size, -1)]))
    into, out = everywhere(chains.into, (0, NONE)), everywhere(chains.out, (0, NONE))
    all_runs, all_sums = everywhere(chains.runs, -1), everywhere(chains.sums, 0)
    place = everywhere(np.arange(len(chains.vertices))[:, None], -1)[:, 0]
    core = np.full((size + 1, size + 1), NONE)  # the last row and column are for ends that are not there
    core[:size, :size] = distances(chains.graph)
    best = np.full((n, n), NONE)
    for a in (0, 1):
        for b in (0, 1):
            between = core[ends[:, a]][:, ends[:, b]]
            best = np.minimum(best, out[:, a, None] + between + into[:, b])
    for side, later in ((0, 1), (1, -1)):
        runs, sums = all_runs[:, side], all_sums[:, side]
        same = (runs[:, None] == runs) & (runs >= 0) & (later * (place - place[:, None]) >= 0)
        best = np.where(same, np.minimum(best, later * (sums - sums[:, None])), best)
    return np.minimum(best, NONE)


@pytest.mark.few(40)
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("seed", range(60))
def test_random_graphs(seed: int, directed: bool) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 40))
    if seed % 3 == 0:
        kept = rng.random(n) < 0.9
        tails, heads = np.arange(n)[kept], (np.arange(n)[kept] + 1) % n
    else:
        tails, heads = rng.integers(0, n, (2, int(rng.integers(0, n + n // 4 + 1))))
    graph = apsp.from_edges(tails, heads, rng.integers(0, 9, len(tails)), n=n, directed=directed)
    for candidate in (graph, graph.unweighted()):
        chains = find_chains(candidate, NONE)
        if chains is not None:
            np.testing.assert_array_equal(put_together(chains), distances(candidate))


def test_rings_trees_and_what_is_not_worth_it() -> None:
    chains = find_chains(graph_of(50, ring(50, 3), dtype="int32", directed=False), NONE)
    assert chains is not None
    assert chains.core.tolist() == [0]
    line = find_chains(graph_of(50, ring(50, 3)[:-1], dtype="int32"), NONE)
    assert line is not None
    assert len(line.core) == 0
    assert find_chains(apsp.generate("random", 200), NONE) is None
    assert find_chains(apsp.generate("grid", 400), NONE) is None
    assert find_chains(graph_of(0, []), NONE) is None
    assert find_chains(graph_of(9, ring(9, 1), zones=np.arange(9) < 1), NONE) is None
    assert find_chains(graph_of(9, ring(9, NONE // 4), dtype="int64"), NONE) is None, "sums would not fit"


def test_many_short_chains_are_found_in_linear_time() -> None:
    legs = np.arange(100_000)  # vertex 0, and paths of two vertices from it
    graph = apsp.from_edges(
        np.append(0 * legs, 2 * legs + 1), np.append(2 * legs + 1, 2 * legs + 2), np.append(legs, legs),
        directed=False,
    )  # fmt: skip
    started = time.process_time()
    chains = find_chains(graph, NONE)
    assert time.process_time() - started < 3, "quadratic time is a quarter of a minute"
    assert chains is not None
    assert chains.core.tolist() == [0]
    pairs = np.sort(chains.vertices.reshape(-1, 2), axis=1)
    assert (pairs[:, 1] - pairs[:, 0] == 1).all()
    assert (pairs[:, 0] % 2 == 1).all()


def test_few_rows_of_a_road_network_look_for_no_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(through_core, "find_chains", None)
    grid = apsp.generate("grid", 400)
    sources = np.arange(5, dtype=np.int32)
    with emulated_gpus(monkeypatch):
        found = apsp.solve(grid, sources=sources, method="label-correcting", device="cuda", dtype="int32")
        rows = found.distances.get()
    np.testing.assert_array_equal(rows, apsp.solve(grid, sources=sources, dtype="int32").distances)


def test_arcs_that_are_too_long_are_none() -> None:
    chains = find_chains(graph_of(9, [*ring(8, 1), (7, 8, NONE)], dtype="int64"), NONE)
    assert chains is not None
    assert (put_together(chains)[:8, 8] == NONE).all()


@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_kernels_compile_without_spills(capability: tuple[int, int]) -> None:
    wanted = [on_gpu.expand_expression(dtype) for dtype in ("uint16", "int32", "int64")]
    compiled = nvrtc.compile_for("chains.cu", wanted, capability)
    assert set(compiled.spilled_bytes) == set(wanted)
    assert not any(compiled.spilled_bytes.values())
