"""How the sources are cut into tasks.

Source: Polychronopoulos, Kuck 1987, "Guided self-scheduling: a practical scheduling scheme for parallel
supercomputers", section 3 (a task takes a share of what remains).
Input: the number of sources, the plan, the number of workers. Output: (start, stop) of each task, in order.

The idea: large tasks cost little to send, small ones let all workers end at about the same time. So tasks take about
two seconds, but the last ones of each worker take less and less.
"""

from __future__ import annotations

import math

from apsp.methods import registry
from apsp.planning.plan import Plan

__all__ = ["TASKS_PER_WORKER", "parts_of", "rows_per_task"]

TASKS_PER_WORKER = 8
"""Fewest tasks per worker, besides those that are smaller."""

_SECONDS, _FEWEST_SECONDS = 2.0, 0.05
"""Planned time of a task, and of the smallest one."""

_SMALLEST = 8
"""The smallest task has one of so many parts of the rows of a large one."""

_BATCHES = 4
"""Fewest batches of a large task."""


def rows_per_task(count: int, plan: Plan, workers: int) -> int:
    """Most sources of a task."""
    height = math.ceil(count / (TASKS_PER_WORKER * workers))
    if plan.seconds > 0:
        height = min(height, math.ceil(count * min(_SECONDS / plan.seconds, 1.0)))
    batch = _batch(height, plan)
    return max((height + batch // 2) // batch * batch, 1)


def parts_of(count: int, height: int, plan: Plan, workers: int) -> list[tuple[int, int]]:
    """The parts: most have this height, the last ones of several workers less.

    Parameters
    ----------
    count : int
        Number of sources.
    height : int
        `rows_per_task`.
    plan : Plan
        Without an estimate of the time, all parts have the same height.
    workers : int
        Tasks that run at a time.
    """
    least = height
    if workers > 1 and plan.seconds > 0:
        least = max(math.ceil(height / _SMALLEST), math.ceil(count * min(_FEWEST_SECONDS / plan.seconds, 1.0)))
    batch = _batch(height, plan)
    parts, start = [], 0
    while start < count:
        share = max(math.ceil((count - start) / (2 * workers)), least)
        stop = min(start + min(-(-share // batch) * batch, height), count)
        parts.append((start, stop))
        start = stop
    return parts


def _batch(height: int, plan: Plan) -> int:
    """Rows that a task should have a multiple of; fewer than the method computes at once if tasks are small."""
    batch = registry.get(plan.method).rows_at_once
    while batch > 1 and height < _BATCHES * batch:
        batch //= 2
    return batch
