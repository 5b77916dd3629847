"""Earliest arrivals, against all simple paths in exact arithmetic."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from departing import arrivals_along, cases, periods_of, weight_at
from examples import examples


@settings(deadline=None, max_examples=examples(200))
@given(cases())
def test_against_all_simple_paths(case: Any) -> None:
    arcs, times, cycle, quarter, departures, zones = case
    day = periods_of(arcs, len(times), quarter, zones)
    found = apsp.earliest_arrivals(day, departures, times=times, cycle=cycle, threads=2)
    assert found.arrivals.shape == (len(departures), 5, 5)
    for number, departure in enumerate(departures):
        for source in range(5):
            expected = [np.inf] * 5
            for end, arrival in arrivals_along(arcs, times, cycle, zones, [source], Fraction(departure)):
                expected[end] = min(expected[end], arrival)
            expected = [float(each) for each in expected]
            np.testing.assert_allclose(found.arrivals[number, source], expected, rtol=1e-12, atol=1e-12)
            for target in range(5):
                if np.isinf(expected[target]):
                    with pytest.raises(apsp.NoPathError):
                        found.path(source, target, departure=departure)
                    continue
                path, now = found.path(source, target, departure=departure), Fraction(departure)
                for pair in itertools.pairwise(path):
                    now += weight_at(arcs[pair], times, cycle, now)
                assert path[0] == source
                np.testing.assert_allclose(expected[target], float(now), rtol=1e-12, atol=1e-12)
    some = apsp.earliest_arrivals(
        day, departures, times=dict(zip(day, times, strict=True)), cycle=cycle, sources=[3, 0, 3], targets=[4, 1, 4, 3]
    )
    np.testing.assert_array_equal(some.arrivals, found.arrivals[:, [3, 0, 3]][:, :, [4, 1, 4, 3]])


@settings(deadline=None, max_examples=examples(100))
@given(
    st.lists(st.integers(0, 20), min_size=2, max_size=4),
    st.sets(st.integers(0, 30), min_size=4, max_size=4),
    st.none() | st.integers(31, 45),
)
def test_an_edge_that_is_left_earlier_by_entering_it_later_is_refused(
    weights: list[int], moments: set[int], cycle: int | None
) -> None:
    times = sorted(moments)[: len(weights)]
    day = apsp.from_edges([("a", "b", 1)]).with_periods([[weight] for weight in weights])
    ends = [time + weight for time, weight in zip(times, weights, strict=True)]
    if cycle:
        ends.append(times[0] + cycle + weights[0])
    if ends == sorted(ends):
        apsp.earliest_arrivals(day, 0, times=times, cycle=cycle)
    else:
        with pytest.raises(apsp.GraphError, match=r"the edge 'a' -> 'b' takes .* left earlier"):
            apsp.earliest_arrivals(day, 0, times=times, cycle=cycle)


def test_weights_that_stay_give_the_distances() -> None:
    city = apsp.generate("city", 300, seed=2)
    day = city.with_periods([city.weights, city.weights])
    for cycle in (None, 100):
        found = apsp.earliest_arrivals(day, [-7, 1e6], times=[0, 60], cycle=cycle, sources=range(20))
        expected = apsp.solve(city, sources=range(20)).to_numpy()
        np.testing.assert_array_equal(found.durations, [expected, expected])


def test_labels_shapes_and_tables() -> None:
    roads = apsp.from_edges([("a", "b", 4), ("b", "c", 5), ("a", "c", 14)])
    day = roads.with_periods({"am": [24, 16, 15], 7: [24, 16, 15]})
    found = apsp.earliest_arrivals(day, 3, times={7: 10, "am": 2}, sources="a", targets=["c", "b"])
    assert found.arrivals.tolist() == [[[19.0, 27.0]]]
    assert (found.sources.tolist(), found.targets.tolist(), found.departures.tolist()) == (["a"], ["c", "b"], [3.0])
    assert found.periods is day
    assert repr(found) == "Arrivals(1 departures x 1 x 2)"
    pandas = pytest.importorskip("pandas")
    table = found.to_pandas()
    assert isinstance(table, pandas.DataFrame)
    assert table.duration.tolist() == [16.0, 24.0]
    empty = apsp.earliest_arrivals(day, [], times=[0, 1], sources=[])
    assert empty.arrivals.shape == (0, 0, 3)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"times": [0]}, "one per period"),
        ({"times": [0, 0]}, "ascend"),
        ({"times": [5, 1]}, "ascend"),
        ({"times": [0, np.nan]}, "finite"),
        ({"times": {"am": 0}}, "name the periods"),
        ({"times": [0, 60], "cycle": 60}, "within a cycle"),
        ({"cycle": 0}, "above 0"),
        ({"cycle": np.inf}, "finite"),
        ({"departures": "08:00"}, "departures"),
        ({"departures": [[1, 2]]}, "departures"),
        ({"departures": np.inf}, "finite"),
        ({"periods": apsp.generate("city", 20)}, "with_periods"),
        ({"sources": 99}, "99"),
    ],
)
def test_what_is_refused(changed: dict[str, Any], words: str) -> None:
    city = apsp.generate("city", 20, seed=1)
    right: dict[str, Any] = {
        "periods": city.with_periods({"am": city.weights, "pm": city.weights}), "departures": 0, "times": [0, 60],
    }  # fmt: skip
    with pytest.raises((apsp.RequestError, apsp.GraphError), match=words):
        apsp.earliest_arrivals(**(right | changed))


def test_weights_that_are_refused() -> None:
    roads = apsp.from_edges([0, 1], [1, 2], [4, 5])
    with pytest.raises(apsp.RequestError, match="period 1 has negative"):
        apsp.earliest_arrivals(roads.with_periods([[4, 5], [4, -5]]), 0, times=[0, 60])
    with pytest.raises(apsp.DtypeRangeError, match="divide the weights"):
        apsp.earliest_arrivals(roads.with_periods([[4.0, 1e308], [4.0, 1e308]]), 0, times=[0, 60])
    large = roads.with_periods([[2**40, 5], [2**40, 5]])
    assert apsp.earliest_arrivals(large, 0, times=[0, 60], sources=0).arrivals.tolist() == [[[0, 2**40, 2**40 + 5]]]


def test_arrivals_that_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    roads = apsp.from_edges([0, 1], [1, 2], [4, 5])
    monkeypatch.setattr("apsp.system.machine.usable", lambda _: 100)
    with pytest.raises(apsp.MemoryLimitError, match="2 departures x 3 x 3 arrivals"):
        apsp.earliest_arrivals(roads.with_periods([[4, 5]]), [0, 1], times=[0])
