"""Skims where movements are forbidden or cost something: paths minimise weights and penalties."""

from __future__ import annotations

import math

import numpy as np
import pytest

import apsp
from turns_truth import check_skims, random_case

ROADS = apsp.from_edges(
    ["a", "b", "b", "c"], ["b", "c", "d", "d"], [5, 7, 9, 1], costs={"km": [1, 2, 3, 4]}, links=True
)  # fmt: skip
TURNED = apsp.with_turns(ROADS, [("a", "b", "c", 20), ("a", "b", "d", 2)])


@pytest.mark.few(2)
@pytest.mark.parametrize("block", range(4))
def test_they_agree_with_a_search_on_links(block: int) -> None:
    """Also the costs of near pairs, along the same paths; ties are broken by the costs."""
    for seed in range(5000 + 25 * block, 5025 + 25 * block):
        rng = np.random.default_rng(seed)
        case = random_case(rng)
        check_skims(case, case.turned(), rng)


def test_penalties_are_part_of_the_weights_alone() -> None:
    skims = apsp.skim(TURNED, ["km"], zones=["a", "b"], targets=["c", "d"])
    assert skims["cost"].tolist() == [[32, 16], [7, 8]]
    assert skims["km"].tolist() == [[3, 4], [2, 6]]
    assert apsp.skim(TURNED, {"km": ROADS.costs["km"]}, zones=["a"], targets=["c"])["km"].tolist() == [[3]]
    half = apsp.skim(TURNED, zones=["b", "c", "d"], intrazonal="half_nearest")
    assert half["cost"].tolist() == [[3.5, 7, 8], [math.inf, 0.5, 1], [math.inf, math.inf, 0]]


def test_all_vertices_are_zones_if_there_are_none() -> None:
    """Expanded vertices are zones of the graph that is searched."""
    assert apsp.skim(TURNED)["cost"].shape == (4, 4)
    zones = apsp.with_turns(
        apsp.from_edges([0, 1, 1], [1, 2, 3], [1, 1, 1], zones=[True, False, True, False]), [(0, 1, 2, 5)]
    )  # fmt: skip
    assert apsp.skim(zones)["cost"].tolist() == [[0, 7], [math.inf, 0]]


def test_numbers_of_arcs_are_those_of_the_graph_without_turns() -> None:
    edges = apsp.from_edges([0, 1, 0], [1, 2, 2], [1, 1, 9], directed=False)
    turned = apsp.with_turns(edges, [(0, 1, 2, 5)])
    tolls = 10 * (edges.tails() + edges.indices)
    assert apsp.skim(turned, {"toll": tolls}, zones=[0, 2])["toll"].tolist() == [[0, 40], [40, 0]]
    assert apsp.skim(turned, {"toll": edges.with_weights(tolls)}, zones=[0])["toll"].tolist() == [[0]]
    with pytest.raises(apsp.GraphError, match="toll"):
        apsp.skim(turned, {"toll": np.arange(turned.expanded.m)})
    parallel = apsp.from_edges([0, 0, 1], [1, 1, 2], [3, 5, 7], links=True)
    with pytest.raises(apsp.GraphError, match="numbers of the arcs do not say which of the parallel links"):
        apsp.skim(apsp.with_turns(parallel, {"from_link": [0], "to_link": [2]}), {"toll": [1, 2]})


def test_other_costs_have_no_penalties() -> None:
    with pytest.raises(apsp.RequestError, match=r"turned\.with_weights\('km'\) has weights of this cost"):
        apsp.skim(TURNED, cost="km")
    assert apsp.skim(TURNED.with_weights("km"), zones=["a"], targets=["c"])["cost"].tolist() == [[23]]
    named = apsp.with_turns(ROADS.with_weights("km"), [("a", "b", "c", 20)])
    assert apsp.skim(named, cost="km", zones=["a"], targets=["c"])["km"].tolist() == [[23]]
