"""Arrivals by all departures, against searches of single departures and all simple paths in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import apsp
from departing import arrivals_along, cases, periods_of
from examples import examples


def check_points(found: apsp.ArrivalProfiles, first: float, last: float) -> None:
    """All points of a pair ascend, from the first departure to the last one; arrivals never fall."""
    assert np.array_equal(found.offsets, np.sort(found.offsets))
    assert found.offsets[-1] == len(found.departures) == len(found.arrivals)
    for source in found.sources.tolist():
        for target in found.targets.tolist():
            departures, arrivals = found.points(source, target)
            if len(departures):
                assert (departures[0], departures[-1]) == (first, last)
                assert (np.diff(departures) > 0).all()
                assert (np.diff(arrivals) >= -1e-9).all()
                assert (arrivals >= departures).all()
            else:
                assert np.isinf(found.at(first)[0]).any()


@settings(deadline=None, max_examples=examples(150))
@given(cases())
def test_against_all_simple_paths(case: Any) -> None:
    arcs, times, cycle, quarter, departures, zones = case
    day = periods_of(arcs, len(times), quarter, zones)
    first, last = min(departures), max(departures) + 17
    found = apsp.arrival_profiles(day, (first, last), times=times, cycle=cycle, threads=2)
    check_points(found, first, last)
    checked = sorted({first, last, *departures, *np.linspace(first, last, 9).tolist(), *found.departures.tolist()[:30]})
    arrivals = found.at(checked)
    assert arrivals.shape == (len(checked), 5, 5)
    expected = apsp.earliest_arrivals(day, checked, times=times, cycle=cycle).arrivals
    np.testing.assert_allclose(arrivals, expected, rtol=1e-9, atol=1e-9)
    for number, departure in enumerate(checked[:4]):
        for source in range(5):
            exact = [np.inf] * 5
            for end, arrival in arrivals_along(arcs, times, cycle, zones, [source], Fraction(departure)):
                exact[end] = min(exact[end], arrival)
            np.testing.assert_allclose(arrivals[number, source], [float(each) for each in exact], rtol=1e-9, atol=1e-9)
    some = apsp.arrival_profiles(day, (first, last), times=times, cycle=cycle, sources=[3, 0, 3], targets=[4, 1, 4, 3])
    np.testing.assert_allclose(some.at(checked), arrivals[:, [3, 0, 3]][:, :, [4, 1, 4, 3]], rtol=1e-9, atol=1e-9)


def rush_hour(n: int, seed: int, whole: bool = True) -> tuple[apsp.Periods, dict[str, float]]:
    """A city whose streets take up to three times as long at 8 and at 17 o'clock."""
    city = apsp.generate("city", n, seed=seed)
    busy = np.random.default_rng(seed).uniform(0, 2, city.m)

    def weights(hour: int) -> np.ndarray:
        peak = np.exp(-(((hour - 8) / 1.5) ** 2)) + 0.8 * np.exp(-(((hour - 17) / 2) ** 2))
        found = city.weights * (1 + busy * peak)
        return np.rint(found).astype(int) if whole else found

    day = city.with_periods({f"{hour:02}:00": weights(hour) for hour in range(24)})
    return day, {name: 3600.0 * hour for hour, name in enumerate(day)}


@pytest.mark.parametrize("whole", [True, False])
def test_a_city_with_rush_hours(whole: bool) -> None:
    day, clock = rush_hour(800, 3, whole)
    first, last = 5 * 3600, 20 * 3600 + 1800
    found = apsp.arrival_profiles(day, [first, last], times=clock, cycle=86400, sources=[0, 17, 400], targets=[799, 3])
    check_points(found, first, last)
    leaving = np.random.default_rng(0).uniform(first, last, 60)
    leaving = np.concatenate([leaving, found.departures[:: max(len(found.departures) // 40, 1)]])
    expected = apsp.earliest_arrivals(
        day, leaving, times=clock, cycle=86400, sources=[0, 17, 400], targets=[799, 3]
    ).arrivals
    np.testing.assert_allclose(found.at(leaving), expected, rtol=0, atol=1e-6)
    assert len(found.departures) > 6 * 20  # there is more than one line per hour
    durations, departures = found.shortest()
    for row, source in enumerate((0, 17, 400)):
        for column, target in enumerate((799, 3)):
            starts, ends = found.points(source, target)
            assert durations[row, column] == (ends - starts).min()
            assert departures[row, column] in starts[(ends - starts) == durations[row, column]]
    alone = apsp.arrival_profiles(day, (first, last), times=clock, cycle=86400, sources=17)
    np.testing.assert_allclose(alone.at(leaving)[:, 0, [799, 3]], expected[:, 1], rtol=0, atol=1e-6)


def test_equal_ways_make_no_points() -> None:
    """Two ways of the same length: their sums are rounded in other ways, which are no crossings."""
    side = 7
    tails, heads = [], []
    for row in range(side):
        for column in range(side):
            here = row * side + column
            tails += [here] * ((column + 1 < side) + (row + 1 < side))
            heads += [here + 1] * (column + 1 < side) + [here + side] * (row + 1 < side)
    base = apsp.from_edges(tails, heads, np.full(len(tails), 0.1))
    day = base.with_periods([np.full(base.m, 0.1), np.full(base.m, 0.3), np.full(base.m, 0.1)])
    found = apsp.arrival_profiles(day, (0, 2), times=[0, 1, 2], sources=0, targets=side * side - 1)
    departures, arrivals = found.points(0, side * side - 1)
    assert len(departures) <= 40  # a bend where an arc is entered at time 1 or 2: at most two per arc of a path
    expected = apsp.earliest_arrivals(day, departures, times=[0, 1, 2], sources=0, targets=side * side - 1)
    np.testing.assert_allclose(arrivals, expected.arrivals[:, 0, 0], rtol=1e-11)


def test_no_path_and_a_table() -> None:
    day = apsp.from_edges([("a", "b", 4)], n=None).with_periods([[4], [24]])
    found = apsp.arrival_profiles(day, (0, 60), times=[0, 60])
    assert found.points("b", "a")[0].shape == (0,)
    assert np.isinf(found.at(5)[0, 1, 0])
    durations, departures = found.shortest()
    assert np.isinf(durations[1, 0])
    assert np.isnan(departures[1, 0])
    table = found.to_long()
    assert list(zip(table["source"], table["target"], table["arrival"].tolist(), strict=True)) == [
        ("a", "a", 0), ("a", "a", 60), ("a", "b", 4), ("a", "b", 84), ("b", "b", 0), ("b", "b", 60),
    ]  # fmt: skip
    assert repr(found) == "ArrivalProfiles(0 to 60, 2 x 2, 6 points)"
    with pytest.raises(apsp.RequestError, match="outside of the profiles, from 0 to 60"):
        found.at([3, 61])
    few = apsp.arrival_profiles(day, (0, 60), times=[0, 60], sources="a", targets="b")
    with pytest.raises(apsp.RequestError, match="'b' is none of the sources"):
        few.points("b", "b")
    empty = apsp.arrival_profiles(day, (0, 60), times=[0, 60], sources=[], targets="b")
    assert empty.at([1, 2]).shape == (2, 0, 1)
    assert empty.shortest()[0].shape == (0, 1)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"between": 5}, "between must be the first and a later last departure, not 5.0; for one departure there is"),
        ({"between": (5, 5)}, r"not \[5.0, 5.0\]"),
        ({"between": (6, 5)}, r"not \[6.0, 5.0\]"),
        ({"between": (0, np.inf)}, "between"),
        ({"times": [0]}, "one per period"),
        ({"periods": apsp.from_edges([0], [1], [1])}, "the graph of several periods"),
    ],
)
def test_what_is_refused(changed: dict[str, Any], words: str) -> None:
    day = apsp.from_edges([0], [1], [4]).with_periods([[4], [24]])
    given: dict[str, Any] = {"periods": day, "between": (0, 60), "times": [0, 60]} | changed
    with pytest.raises(apsp.ApspError, match=words):
        apsp.arrival_profiles(given.pop("periods"), given.pop("between"), **given)


def test_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    day, clock = rush_hour(2000, 5)
    monkeypatch.setattr("apsp.methods.departures.timetable.usable", lambda _: 60 * day.base.m + 100 * day.base.n + 9999)
    with pytest.raises(apsp.MemoryLimitError, match="fewer sources or targets"):
        apsp.arrival_profiles(day, (0, 86400), times=clock, cycle=86400, sources=0, threads=1)


def test_an_interrupted_search_leaves_nothing() -> None:
    day, clock = rush_hour(500, 6)

    def stop(_: str, done: int, __: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        apsp.arrival_profiles(day, (0, 9000), times=clock, sources=range(40), targets=[0], progress=stop)
    found = apsp.arrival_profiles(day, (0, 9000), times=clock, sources=[3], targets=[0])
    expected = apsp.earliest_arrivals(day, [0, 4000, 9000], times=clock, sources=3, targets=0).arrivals
    np.testing.assert_allclose(found.at([0, 4000, 9000]), expected, atol=1e-7)
