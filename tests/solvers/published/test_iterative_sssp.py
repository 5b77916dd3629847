"""The published single-source iteration on the CPU: the driver, with kernels simulated in NumPy as they are built."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import apsp
from apsp import MemoryLimitError, MethodRefusedError, RequestError, Result
from apsp.solvers.problem import Problem
from apsp.solvers.published.iterative_sssp import IterativeSssp
from apsp.solvers.published.task_size import check_tasks, determine_tasks, device_bytes
from contract import GRAPHS, assert_paths_replay, assert_same_distances, graph_of, random_edges

DTYPES = ("int32", "int64", "float32", "float64")


class Simulated:
    """The kernels of okuyama.cu and recording.cu, block after block, with adjacencies in pieces of N."""

    module = np

    def __init__(self, tasks: int, vertices: int = 4, *, rng: np.random.Generator | None = None) -> None:
        self.tasks, self.vertices, self.rng = tasks, vertices, rng
        self.recordings = 0

    def here(self) -> Any:
        return nullcontext()

    def order(self, n: int) -> Any:
        """Blocks run in any order."""
        blocks = np.arange(-(-n // self.vertices))
        return blocks if self.rng is None else self.rng.permutation(blocks)

    def scatter(self, arcs: Any, modified: np.ndarray, costs: np.ndarray, updates: np.ndarray) -> None:
        start, heads, lengths = arcs
        n = len(costs)
        for block in self.order(n):
            for vertex in range(block * self.vertices, min((block + 1) * self.vertices, n)):
                active = modified[vertex] != 0
                if not active.any():
                    continue
                modified[vertex, active] = 0
                for first in range(start[vertex], start[vertex + 1], self.tasks):
                    last = min(first + self.tasks, start[vertex + 1])
                    es, ws = heads[first:last].copy(), lengths[first:last].copy()
                    for head, length in zip(es, ws, strict=True):
                        offer = costs[vertex, active] + length
                        assert (offer >= 0).all(), "a sum has wrapped"
                        updates[head, active] = np.minimum(updates[head, active], offer)

    def check(self, modified: np.ndarray, costs: np.ndarray, updates: np.ndarray, flag: np.ndarray) -> None:
        lower = costs > updates
        costs[lower] = updates[lower]
        modified[lower] = 1
        flag[0] |= int(lower.any())

    def record(
        self, inverse: Any, first: np.ndarray, costs: np.ndarray, no_path: Any, parents: np.ndarray, flag: np.ndarray
    ) -> None:
        start, tails, lengths = inverse
        self.recordings += 1
        entries = np.arange(costs.size) if self.rng is None else self.rng.permutation(costs.size)
        for v, s in zip(*np.divmod(entries, self.tasks), strict=True):
            cost, source = costs[v, s], first[s]
            if parents[v, s] >= 0 or v == source or cost == no_path:
                continue
            for arc in range(start[v], start[v + 1]):
                u = tails[arc]
                before = costs[u, s]
                if before + lengths[arc] != cost or before == no_path:
                    continue
                if before < cost or u == source or parents[u, s] >= 0:
                    parents[v, s] = u
                    break
            else:
                flag[0] = 1


def solved(
    graph: apsp.Graph, dtype: str, *, tasks: int = 32, sources: Any = None, paths: bool = True, seed: int | None = None,
    **options: Any,
) -> tuple[Result, IterativeSssp]:  # fmt: skip
    problem = Problem(graph, np.dtype(dtype), **options)
    kernels = Simulated(tasks, rng=None if seed is None else np.random.default_rng(seed))
    solver = IterativeSssp("okuyama", problem, kernels, tasks=tasks)
    rows = np.arange(graph.n, dtype=np.int32) if sources is None else np.array(sources, dtype=np.int32)
    dist = np.empty((len(rows), problem.columns), dtype=dtype)
    pred = np.empty((len(rows), graph.n), dtype=np.int32) if paths else None
    told: list[int] = []
    solver.fill(rows, dist, pred, told.append)
    assert told == [min(done, len(rows)) for done in range(tasks, len(rows) + tasks, tasks)][: len(told)]
    result = Result(graph, dist, sources=rows, targets=problem.targets, pred=pred, cutoff=problem.cutoff)
    return result, solver


def expected(graph: apsp.Graph, **options: Any) -> np.ndarray:
    return apsp.solve(graph, method="reference", dtype="int64", **options).distances


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [name for name in GRAPHS if "negative" not in name and name != "several panels"])
def test_every_graph(name: str, dtype: str) -> None:
    graph = GRAPHS[name](dtype)
    result, _ = solved(graph, dtype, seed=3)
    assert_same_distances(result.distances, expected(GRAPHS[name]("int64")))
    assert_paths_replay(result)


@pytest.mark.parametrize("tasks", [1, 2, 32, 64])
def test_tasks_and_degrees_beyond_them(tasks: int) -> None:
    graph = graph_of(70, random_edges(70, 3000, 0, 30, 4))
    assert graph.max_out_degree > tasks or tasks >= 64
    result, solver = solved(graph, "int32", tasks=tasks, seed=1)
    assert_same_distances(result.distances, expected(graph))
    assert_paths_replay(result)
    assert solver.timings["launches"] >= 2 * solver.timings["rounds"] + -(-70 // tasks)
    assert solver.timings["recording_share"] == solver.timings["recording"] / solver.timings["costs"] > 0


def test_one_recording_where_arcs_are_longer_than_zero() -> None:
    _, solver = solved(GRAPHS["a tile and one"]("int32"), "int32")
    assert solver.kernels.recordings == 3  # type: ignore[attr-defined]
    _, solver = solved(GRAPHS["a tile and one"]("int32"), "int32", paths=False)
    assert solver.timings["recording"] < solver.timings["costs"]
    assert solver.kernels.recordings == 0  # type: ignore[attr-defined]


def test_some_sources_targets_and_cutoff() -> None:
    graph = GRAPHS["not a multiple of anything"]("int32")
    sources, targets = [5, 0, 130, 5], np.array([130, 2, 64], dtype=np.int32)
    full = expected(graph)
    cutoff = int(np.median(full[full < 10_000]))
    want = full[np.ix_(sources, targets)]
    want = np.where(want > cutoff, apsp.unreachable("int64"), want)
    result, _ = solved(graph, "int32", sources=sources, targets=targets, cutoff=cutoff, paths=False)
    assert_same_distances(result.distances, want)
    assert_paths_replay(solved(graph, "int32", sources=sources, cutoff=cutoff)[0])
    below, _ = solved(graph, "int32", sources=sources, cutoff=-1)
    assert (below.distances == apsp.unreachable("int32")).all()


@pytest.mark.parametrize(("dtype", "limit"), [("int32", 2**29 - 1), ("int64", 2**61 - 1)])
def test_near_overflow(dtype: str, limit: int) -> None:
    for last in (7, limit):
        graph = graph_of(4, [(0, 1, limit - 7), (1, 2, last), (0, 3, 2**62)], dtype="int64")
        row, _ = solved(graph, dtype, sources=[0])
        assert row.distances[0, 1] == limit - 7


def test_lost_in_rounding() -> None:
    graph = graph_of(5, [(0, 1, 2**30), (1, 2, 1), (2, 3, 1), (3, 1, 1), (2, 4, 1), (4, 2, 1)], dtype="float32")
    result, _ = solved(graph, "float32", seed=0)
    assert_paths_replay(result, tolerance=1e-6)


def test_negative_arcs_are_refused() -> None:
    with pytest.raises(MethodRefusedError, match="negative arcs"):
        solved(GRAPHS["negative arcs"]("int32"), "int32")


def test_task_size_from_device_memory() -> None:
    """The paper: with N = 32 and 512 MB, 1.2 million vertices with four arcs each do not fit."""
    n, m = 1_200_000, 4_800_000
    assert device_bytes(n, m, 4, 32) > 12 * 32 * n
    with pytest.raises(MemoryLimitError, match="harish-sssp"):
        determine_tasks(n, m, 4, 512_000_000)
    assert determine_tasks(n, m, 4, 1 << 30) == 32
    assert determine_tasks(n, m, 4, 2 << 30, asked=256, vertices=2) == 128
    assert determine_tasks(1000, 4000, 4, 2 << 30, asked=None) == 256
    assert determine_tasks(1000, 4000, 4, 2 << 30, asked=None, vertices=1) == 512


@pytest.mark.parametrize(("tasks", "vertices"), [(0, 4), (33, 4), (544, 1), (32, 0), (32, 33), (512, 4), (None, 64)])
def test_impossible_blocks(tasks: int | None, vertices: int) -> None:
    with pytest.raises(RequestError, match="the paper's"):
        check_tasks(tasks, vertices)
