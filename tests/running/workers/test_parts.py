"""Tasks cover all sources, and end at about the same time."""

import heapq
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apsp.methods import registry
from apsp.running.workers.parts import TASKS_PER_WORKER, parts_of, rows_per_task

METHODS = ("dijkstra", "label-correcting", "bit-bfs")


def plan_of(method="dijkstra", seconds=16.0):
    return SimpleNamespace(method=method, seconds=seconds)


@given(
    count=st.integers(0, 100_000), workers=st.integers(1, 300), seconds=st.floats(0, 1e5),
    method=st.sampled_from(METHODS),
)  # fmt: skip
@settings(deadline=None)
def test_all_sources_once(count, workers, seconds, method):
    plan = plan_of(method, seconds)
    height = rows_per_task(count, plan, workers)
    parts = parts_of(count, height, plan, workers)
    assert [row for part in parts for row in part[:1]] == [0, *(stop for _, stop in parts[:-1])][: len(parts)]
    assert (parts[-1][1] if parts else 0) == count
    assert all(0 < stop - start <= height for start, stop in parts)


def end_of(parts, speeds):
    """When the last worker ends, if each takes the next task when it is free; speeds in rows per second."""
    free = [(0.0, worker) for worker in range(len(speeds))]
    for start, stop in parts:
        now, worker = heapq.heappop(free)
        heapq.heappush(free, (now + (stop - start) / speeds[worker], worker))
    return max(free)[0]


@pytest.mark.parametrize("speeds", [(1.0, 0.9), (1.0, 0.75), (1.0, 1.0, 0.6)])
def test_workers_that_are_not_equally_fast_end_together(speeds):
    count, plan = 60_000, plan_of()
    height = rows_per_task(count, plan, len(speeds))
    best = count / sum(speeds)
    assert end_of(parts_of(count, height, plan, len(speeds)), speeds) < 1.015 * best
    equal = [(start, min(start + height, count)) for start in range(0, count, height)]
    assert end_of(equal, speeds) > 1.02 * best


@pytest.mark.parametrize(("workers", "seconds"), [(1, 16.0), (2, 0.0)])
def test_one_worker_and_an_unknown_time_need_no_small_tasks(workers, seconds):
    plan = plan_of(seconds=seconds)
    height = rows_per_task(60_000, plan, workers)
    parts = parts_of(60_000, height, plan, workers)
    assert len(parts) == TASKS_PER_WORKER * workers
    assert {stop - start for start, stop in parts[:-1]} == {height}


@pytest.mark.parametrize("method", METHODS)
def test_large_tasks_are_whole_batches(method):
    plan = plan_of(method)
    height = rows_per_task(100_000, plan, 2)
    together = registry.get(method).rows_at_once
    assert height % together == 0
    assert all((stop - start) % together == 0 for start, stop in parts_of(100_000, height, plan, 2)[:-1])


def test_small_tasks_take_some_time():
    plan = plan_of(seconds=0.3)
    parts = parts_of(10_000, rows_per_task(10_000, plan, 2), plan, 2)
    assert all(0.3 * (stop - start) / 10_000 > 0.015 for start, stop in parts[:-1])
