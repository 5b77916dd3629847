"""Graphs with weights per period: each is the graph that `with_weights` makes, and all share their arrays."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import apsp
from apsp import GraphError, RequestError

ROADS = apsp.from_edges([0, 1, 0, 2], [1, 2, 2, 3], [4, 5, 12, 1], labels=list("abcd"), costs={"rain": [6, 9, 13, 2]})


def test_each_period_is_the_graph_with_its_weights() -> None:
    day = ROADS.with_periods({"am": [9, 12, 5, 1], "rain": "rain", 7: np.array([1.5, 2, 3, 4])})
    assert (list(day), len(day), day.names) == (["am", "rain", 7], 3, ("am", "rain", 7))
    assert day["am"] == ROADS.with_weights([9, 12, 5, 1])
    assert day["rain"] == ROADS.with_weights("rain")
    assert day[7] == ROADS.with_weights([1.5, 2, 3, 4])
    assert dict(day.items()) == dict(zip(day.keys(), day.values(), strict=True))
    assert ("am" in day, "noon" in day) == (True, False)
    assert repr(day) == "Periods(am, rain, 7; n=4, m=4, directed)"
    assert day.base is ROADS
    assert pickle.loads(pickle.dumps(day)) == day
    assert (day == 3, day == ROADS.with_periods({"am": "rain"})) == (False, False)


def test_periods_share_the_arcs() -> None:
    day = ROADS.with_periods(np.ones((96, 4)))
    assert all(np.shares_memory(graph.indices, ROADS.indices) for graph in day.values())
    assert all(graph.labels is ROADS.labels for graph in day.values())
    assert day.names == tuple(range(96))
    assert repr(day) == "Periods(0, 1, 2, 3, ... 96 periods; n=4, m=4, directed)"


def test_weights_of_links_and_of_named_costs() -> None:
    streets = apsp.from_edges([0, 0, 1], [1, 1, 2], [10, 12, 5], costs={"km": [30, 9, 2]})
    day = streets.with_periods({"am": [20, 12, 5], "short": "km"}, links=True)
    assert [apsp.distance(graph, 0, 2) for graph in day.values()] == [17, 11]
    with pytest.raises(GraphError, match=r"period 'am': .*parallel links from 0 to 1 .*links=True"):
        streets.with_periods({"am": [20, 5]})
    with pytest.raises(RequestError, match=r"period 0: .*keeps no links"):
        apsp.from_edges([0], [1], [1]).with_periods([[1]], links=True)


def test_weights_of_some_edges_keep_the_others() -> None:
    day = ROADS.with_periods({"am": {("a", "b"): 7}, "pm": {}})
    assert day["am"] == ROADS.with_weights({("a", "b"): 7})
    assert day["pm"] == ROADS
    assert ROADS.with_periods({"am": {("b", "c"): 7}}, links=True)["am"] == ROADS.with_weights({("b", "c"): 7})
    with pytest.raises(GraphError, match=r"period 'pm': .*'d'"):
        ROADS.with_periods({"pm": {("d", "a"): 1}})


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ({"am": [1, 2, 3]}, "period 'am': weights must be a vector of 4 numbers"),
        ({"am": [1, 2, 3, 4], "pm": [1, 2, np.nan, 4]}, "period 'pm': arc 2, from vertex 'b' to 'c', has weight nan"),
        ({"am": [1, 2, 3, np.inf]}, "period 'am': arc 3, from vertex 'c' to 'd', has weight inf"),
        ({"am": "snow"}, "period 'am': .*snow"),
        ({}, "at least one period"),
        ([], r"not of shape \(0,\)"),
        ([1, 2, 3, 4], r"an array \(periods, links\), not of shape \(4,\)"),
        (np.ones((3, 5)), "period 0: weights must be a vector of 4 numbers"),
        ({1: [1, 2, 3, 4], "1": [1, 2, 3, 4]}, "two periods have the name '1'"),
        ({2.5: [1, 2, 3, 4]}, "name of a period must be text, not 2.5"),
        ({"": [1, 2, 3, 4]}, "name of a period must be text, not ''"),
        ("rain", "weights"),
        (None, "weights"),
    ],
)
def test_bad_weights_name_the_period_and_the_remedy(weights: object, words: str) -> None:
    with pytest.raises((GraphError, RequestError), match=words):
        ROADS.with_periods(weights)  # type: ignore[arg-type]


def test_there_is_no_other_period() -> None:
    day = ROADS.with_periods({"am": "rain", 1: "rain"})
    for name in ("noon", "1", True, 1.0, None, ["am"]):
        with pytest.raises(RequestError, match=r"there is no period .*; there are 'am', 1"):
            day[name]  # type: ignore[index]
