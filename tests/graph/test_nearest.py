"""Nearest lines beside the distances to all lines in NumPy: the same numbers, fractions and points, to the last bit."""

from __future__ import annotations

import math
import signal
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp import _cpu
from apsp.graph.places.nearest import Lines

Floats = np.ndarray[Any, np.dtype[np.float64]]


def nearest_of_all(begins: Floats, ends: Floats, points: Floats, limit: float) -> tuple[Any, Floats, Floats]:
    """The first of the nearest lines, by the distances to all."""
    along = ends - begins
    squares = (along**2).sum(axis=1)
    from_begin = points[:, None, :] - begins
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        at = np.where(squares > 0, (from_begin * along).sum(axis=2) / squares, 0.0)
        at = np.clip(at, 0.0, 1.0)
        away = np.linalg.norm(from_begin - at[..., None] * along, axis=2)
    away = np.where(np.isfinite(away), away, math.inf)
    lines, rows = away.argmin(axis=1), np.arange(len(points))
    near = (away[rows, lines] <= limit) & np.isfinite(away[rows, lines])
    fractions = np.where(near, at[rows, lines], 0.0)
    there = begins[lines] + fractions[:, None] * along[lines]
    return np.where(near, lines, -1), fractions, np.where(near[:, None], there, points)


def check(begins: Floats, ends: Floats, points: Floats, limit: float = math.inf) -> None:
    found = Lines(begins, ends).nearest(points, limit)
    for ours, theirs in zip(found, nearest_of_all(begins, ends, points, limit), strict=True):
        np.testing.assert_array_equal(ours.view(np.int64), theirs.view(np.int64))


def on_a_line(rng: np.random.Generator, count: int, d: int) -> tuple[Floats, Floats]:
    direction = rng.normal(size=d)
    begins, ends = (rng.integers(-20, 21, (count, 1)) * direction for _ in range(2))
    return begins, ends


LINES = {
    "anywhere": lambda rng, count, d: (rng.normal(size=(count, d)), rng.normal(size=(count, d))),
    "short": lambda rng, count, d: ((begins := rng.normal(size=(count, d))), begins + rng.normal(size=(count, d)) / 50),
    "of a grid": lambda rng, count, d: (*rng.integers(-4, 5, (2, count, d)).astype(np.float64),),
    "on a line": on_a_line,
    "in a plane": lambda rng, count, d: (*(rng.normal(size=(2, count, d)) * (np.arange(d) > 0)),),
    "points": lambda rng, count, d: (rng.normal(size=(count, d)),) * 2,
    "at one point": lambda rng, count, d: (np.repeat(rng.normal(size=(1, d)), count, axis=0),) * 2,
    "repeated": lambda rng, count, d: (*rng.normal(size=(2, 3, d))[:, rng.integers(0, 3, count)],),
    "far away": lambda rng, count, d: (*(1e9 + rng.normal(size=(2, count, d))),),
    "at two ends of the world": lambda rng, count, d: (
        (begins := rng.normal(size=(count, d)) + 1e12 * rng.integers(0, 2, (count, 1))), begins + 0.25,
    ),
}  # fmt: skip


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("kind", LINES)
def test_as_all_distances(kind: str, d: int) -> None:
    rng = np.random.default_rng(len(kind) + d)
    for count in (1, 2, 8, 9, 17, 100, 700):
        begins, ends = LINES[kind](rng, count, d)
        near = begins[rng.integers(0, count, 30)] + np.round(rng.normal(size=(30, d)), 1) / rng.choice([1, 8])
        points = np.concatenate([near, begins[:9], ends[:9], (begins[:9] + ends[:9]) / 2])
        for scale in (1.0, 1e-3, 1e7, 1e120, 1e-150, 1e-162, 1e-300, 1e-310):
            for limit in (math.inf, 0.0, 0.3 * scale, 1e300):
                check(begins * scale, ends * scale, points * scale, limit)


def numbers(d: int) -> Any:
    whole = st.integers(-5, 5).map(float)
    return st.lists(st.tuples(*[whole | st.floats(-1e150, 1e150)] * d), min_size=1, max_size=40)


@settings(deadline=None)
@given(st.data(), st.sampled_from([2, 3]))
def test_any_lines(data: Any, d: int) -> None:
    begins = np.array(data.draw(numbers(d)))
    ends = np.array(data.draw(st.permutations(begins.tolist()))) if data.draw(st.booleans()) else begins.copy()
    points = np.array(data.draw(numbers(d)))
    check(begins, ends, points, data.draw(st.sampled_from([math.inf, 0.0, 1.0, 1e-200]) | st.floats(0, 1e200)))


@pytest.mark.parametrize("scale", [1e160, 1e300])
def test_lengths_that_are_no_floats_are_beyond_every_limit(scale: float) -> None:
    begins, points = np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([[3.0, 4.0], [0.0, 0.0]])
    found, _, there = Lines(begins * scale, begins * scale).nearest(points * scale, math.inf)
    assert found.tolist() == [-1, 0]
    np.testing.assert_array_equal(there, points * scale)


def circle(count: int) -> Floats:
    angles = np.linspace(0, 2 * math.pi, count, endpoint=False)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def test_many_points_as_near_to_all_lines() -> None:
    """More steps than are done at once with the lock of Python."""
    rng, around = np.random.default_rng(3), circle(500)
    points = np.concatenate([np.zeros((700, 2)), rng.normal(size=(700, 2)) * rng.choice([1e-17, 1.0], (700, 1))])
    check(around, around, points)
    assert (Lines(around, around).nearest(np.zeros((1, 2)), math.inf)[0] >= 0).all()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such timers")
def test_a_long_search_is_interrupted() -> None:
    def ring(*_: object) -> None:
        raise InterruptedError

    count = 100_000
    tree = _cpu.LineTree(around := circle(20_000), around)
    lines, fractions, there = np.full(count, -2), np.empty(count), np.empty((count, 2))
    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(InterruptedError):
            tree.nearest(np.zeros((count, 2)), math.inf, lines=lines, fractions=fractions, places=there)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert lines[0] >= 0
    assert lines[-1] == -2


def test_arrays_that_do_not_fit_are_refused() -> None:
    two, three = np.zeros((4, 2)), np.zeros((4, 3))
    for begins, ends in ((two, three), (two, two[:3]), (two[:0], two[:0]), (np.zeros((4, 1)),) * 2):
        with pytest.raises(ValueError, match=r"lines? ha"):
            _cpu.LineTree(begins, ends)
    tree = _cpu.LineTree(two, two)
    assert tree.nbytes >= 4 * 48
    for points, lines, fractions, there in (
        (three, 4, 4, three), (two, 3, 4, two), (two, 4, 5, two), (two, 4, 4, three), (two, 4, 4, two[:3]),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="must have"):
            tree.nearest(
                points, 1.0, lines=np.empty(lines, np.int64), fractions=np.empty(fractions), places=there.copy()
            )


def test_a_point_at_a_vertex_is_within_a_limit_of_zero() -> None:
    street = apsp.from_edges([0, 2], [1, 3], coordinates=[[0, 0], [10, 0], [5, 5], [5, 5]])
    for to in ("edge", "vertex"):
        found = street.snap([[10, 0], [5, 5], [0, 1]], crs="plane", to=to, limit=0)
        assert found.vertices.tolist() == [1, 2, -1]
    one = apsp.from_edges([0], [1], coordinates=[[3, 3], [3, 3]])
    assert one.snap([[3, 3]], crs="plane", limit=0).snapped.all()
