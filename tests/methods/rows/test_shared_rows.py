"""Rows shared between devices: the driver, with devices that are invented."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.methods.problem import Problem
from apsp.methods.rows.rows_on_gpus import RowsOnGpus
from apsp.methods.rows.shared_rows import Parts, share
from apsp.reductions.row_sums import RowSums


def test_every_row_is_handed_out_once() -> None:
    taken: list[slice] = []
    parts = Parts(1003, 10)
    threads = [threading.Thread(target=lambda: taken.extend(parts)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rows = np.concatenate([np.arange(1003)[part] for part in taken])
    np.testing.assert_array_equal(np.sort(rows), np.arange(1003))
    assert max(part.stop - part.start for part in taken) == 10


def test_a_slow_device_draws_fewer_blocks() -> None:
    drawn = {"slow": 0, "fast": 0}

    def work(name: str, nap: float) -> Callable[[Iterator[slice], Callable[[int], None]], None]:
        def run(parts: Iterator[slice], done: Callable[[int], None]) -> None:
            for part in parts:
                time.sleep(nap)
                drawn[name] += 1
                done(part.stop - part.start)

        return run

    told: list[int] = []
    share([work("slow", 0.05), work("fast", 0.001)], Parts(100, 2), told.append)
    assert sum(drawn.values()) == 50
    assert drawn["fast"] > 3 * drawn["slow"]
    assert told == sorted(told)
    assert (len(told), told[-1]) == (50, 100)


def test_a_failure_of_one_device_stops_all() -> None:
    done_by_other: list[slice] = []

    def fails(parts: Iterator[slice], done: Callable[[int], None]) -> None:
        next(parts)
        raise ValueError("this one is broken")

    def works(parts: Iterator[slice], done: Callable[[int], None]) -> None:
        for part in parts:
            time.sleep(0.01)
            done_by_other.append(part)

    with pytest.raises(ValueError, match="this one is broken"):
        share([fails, works], Parts(100_000, 1))
    assert len(done_by_other) < 1000


def test_progress_may_stop_the_work() -> None:
    def works(parts: Iterator[slice], done: Callable[[int], None]) -> None:
        for part in parts:
            time.sleep(0.002)
            done(part.stop - part.start)

    def stop(rows: int) -> None:
        raise KeyboardInterrupt

    parts = Parts(100_000, 1)
    with pytest.raises(KeyboardInterrupt):
        share([works, works], parts, stop)
    assert next(parts, None) is None


class FakeRows:
    """A GPU that is the CPU; see RowsOnGpu."""

    made: list[FakeRows] = []  # noqa: RUF012

    def __init__(self, problem: Problem) -> None:
        self.problem, self.drawn, self.waited = problem, 0, False
        self.nothing_within_cutoff = problem.cutoff is not None and problem.cutoff < 0
        FakeRows.made.append(self)

    def height(self, arrays: tuple[Any, ...]) -> int:
        return 7 if arrays else 11

    def fill_parts(
        self, parts: Iterator[slice], sources: Any, arrays: tuple[Any, ...], done: Callable[[int], None]
    ) -> None:
        for part in parts:
            found = apsp.solve(
                self.problem.graph, sources=sources[part], targets=self.problem.targets, dtype="int32",
                paths=len(arrays) > 1, method="dijkstra",
            )  # fmt: skip
            arrays[0][part] = found.distances
            if len(arrays) > 1:
                arrays[1][part] = found.predecessors
            self.drawn += 1
            done(part.stop - part.start)

    def wait(self) -> None:
        self.waited = True

    def measure_parts(self, parts: Iterator[slice], sums: RowSums, done: Callable[[int], None]) -> None:
        for part in parts:
            rows = apsp.solve(self.problem.graph, sources=sums.sources[part], dtype="int32").distances
            sums.reached[part] = rows.shape[1]
            sums.total[part] = rows.sum(axis=1)
            sums.reciprocals[part] = np.divide(1.0, rows, out=np.zeros(rows.shape), where=rows > 0).sum(axis=1)
            sums.largest[part], sums.farthest[part] = rows.max(axis=1), rows.argmax(axis=1)
            done(part.stop - part.start)


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> Callable[..., RowsOnGpus]:
    monkeypatch.setattr(FakeRows, "made", [])
    graph = apsp.generate("random", 200, seed=3)

    def make(**changes: Any) -> RowsOnGpus:
        return RowsOnGpus(Problem(graph, np.dtype(np.int32), gpus=(0, 2), threads=5, **changes), FakeRows)

    return make


def test_rows_of_several_gpus(shared: Callable[..., RowsOnGpus]) -> None:
    solver, told = shared(), []
    graph, sources = solver.problem.graph, np.arange(199, -1, -1, dtype=np.int32)
    dist, pred = np.empty((200, 200), dtype=np.int32), np.empty((200, 200), dtype=np.int32)
    solver.fill(sources, dist, pred, told.append)
    expected = apsp.solve(graph, sources=sources, dtype="int32", paths=True, method="dijkstra")
    np.testing.assert_array_equal(dist, expected.distances)
    np.testing.assert_array_equal(pred, expected.predecessors)
    assert told[-1] == 200
    assert [(one.problem.gpus, one.problem.threads) for one in FakeRows.made] == [((0,), 2), ((2,), 2)]
    assert sum(one.drawn for one in FakeRows.made) == -(-200 // 7)
    assert all(one.waited for one in FakeRows.made)
    shared(cutoff=-1).fill(sources, dist, None)
    assert (dist == apsp.unreachable("int32")).all()
    solver.fill(sources[:0], dist[:0], None)


def test_gpus_that_would_get_no_block_are_not_prepared(shared: Callable[..., RowsOnGpus]) -> None:
    solver, sources = shared(), np.arange(5, dtype=np.int32)
    dist = np.empty((5, 200), dtype=np.int32)
    solver.fill(sources, dist, None)
    np.testing.assert_array_equal(dist, apsp.solve(solver.problem.graph, sources=sources, dtype="int32").distances)
    assert [(one.drawn, one.waited) for one in FakeRows.made] == [(1, True), (0, False)]


def test_sums_of_several_gpus(shared: Callable[..., RowsOnGpus]) -> None:
    solver = shared()
    sources = np.random.default_rng(0).permutation(200).astype(np.int32)
    sums = solver.measure(sources)
    summary = apsp.reductions.Summary(200)
    summary.add_sums(sums)
    expected = apsp.summary(solver.problem.graph, dtype="int32")
    np.testing.assert_array_equal(summary.closeness_centrality("out"), expected.closeness_centrality("out"))
    np.testing.assert_array_equal(summary.farthest, expected.farthest)
    assert summary.diameter == expected.diameter
    assert len(solver.measure(sources[:0]).total) == 0
    assert not shared(targets=sources[:3]).can_measure
