"""Isochrones where movements are forbidden or cost something: a street begins after the penalty of the movement."""

from __future__ import annotations

import math

import numpy as np
import pytest

import apsp
from turns_truth import check_isochrones, random_case


@pytest.mark.few(2)
@pytest.mark.parametrize("block", range(4))
def test_they_agree_with_a_search_on_links(block: int) -> None:
    found = 0
    for seed in range(2000 + 25 * block, 2025 + 25 * block):
        rng = np.random.default_rng(seed)
        case = random_case(rng)
        found += check_isochrones(case, case.turned(), rng)
    assert found > 500


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(3000, 3008))
def test_whole_rows_agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    case = random_case(rng)
    check_isochrones(case, case.turned(), rng, method="dijkstra")


def test_a_penalty_is_waited_for_before_the_street() -> None:
    streets = apsp.from_edges([0, 1], [1, 2], [10, 10], coordinates=[[0, 0], [10, 0], [10, 10]])
    turned = apsp.with_turns(streets, [(0, 1, 2, 6)])
    found = apsp.isochrone(turned, 0, [10, 14, 18, math.inf])
    parts = [found.arcs(cutoff=cutoff).fractions.tolist() for cutoff in found.cutoffs]
    assert parts == [[1.0], [1.0], [1.0, 0.2], [1.0, 1.0]]
    assert found.to_long()["vertex"].tolist() == [0, 1, 2]
    assert found.polygon(cutoff=18).tolist() != found.polygon().tolist()


def test_the_narrowest_distances_and_penalties_beyond_them() -> None:
    """Distances are uint16, and the street begins later than these hold."""
    streets = apsp.from_edges([0, 1], [1, 2], [10, 10])
    for penalty in (65_530, 70_000, 2**40):
        found = apsp.isochrone(apsp.with_turns(streets, [(0, 1, 2, penalty)]), 0, [20, penalty + 15])
        assert found.arcs(cutoff=20).fractions.tolist() == [1.0]
        assert found.arcs().fractions.tolist() == [1.0, 0.5]


def test_areas_are_around_the_parts_that_are_reached() -> None:
    shapely = pytest.importorskip("shapely")
    city = apsp.generate("city", 150, seed=3)
    slow = apsp.with_turns(city, u_turns=math.inf, left=15, right=5, crs="plane")
    sources, cutoffs = [5, 77], [60, 140]
    found = apsp.isochrone(slow, sources, cutoffs)
    areas = found.areas(width=12, crs="plane")
    (streamed,) = apsp.stream_isochrones(slow, sources, cutoffs, width=12, crs="plane")
    places = city.coordinates
    assert places is not None
    for row, source in enumerate(sources):
        for column, cutoff in enumerate(cutoffs):
            tails, heads, fractions = found.arcs(source, cutoff)
            ends = places[tails] + fractions[:, None] * (places[heads] - places[tails])
            lines = shapely.linestrings(np.stack([places[tails], ends], axis=1))
            wanted = shapely.buffer(shapely.union_all([*lines, shapely.Point(places[source])]), 12, quad_segs=4)
            area = areas.polygons[row, column]
            assert area.symmetric_difference(wanted).area < 0.05 * wanted.area
            assert shapely.buffer(area, 1e-6).contains(shapely.union_all(lines))
            assert streamed.polygons[row, column].equals(area)
    plain = apsp.isochrone(city, sources, cutoffs).areas(width=12, crs="plane")
    assert areas.polygons[0, 1].area < plain.polygons[0, 1].area


def test_parallel_links_are_drawn_where_the_best_one_is() -> None:
    """The best link from b to c may not be entered from a, and the other one may."""
    shapely = pytest.importorskip("shapely")
    streets = apsp.from_edges(
        [0, 1, 1], [1, 2, 2], [10, 10, 40], links=True, coordinates=[[0, 0], [10, 0], [20, 0]]
    )  # fmt: skip
    turned = apsp.with_turns(streets, {"from_link": [0], "to_link": [1]})
    found = apsp.isochrone(turned, 0, 20)
    assert found.arcs().fractions.tolist() == [1.0, 0.25]
    (area,) = found.areas(width=1, crs="plane").polygons[0]
    assert area.bounds == pytest.approx((-1, -1, 13.5, 1), abs=0.02)
    assert shapely.get_num_geometries(area) == 1


def test_reversed_graphs_with_turns_are_refused() -> None:
    turned = apsp.with_turns(apsp.from_edges([0, 1], [1, 2], [10, 10]), [(0, 1, 2, 6)])
    with pytest.raises(apsp.RequestError, match="streets are reached along their direction where there are turns"):
        apsp.isochrone(turned._searched.reversed(), 0, 5)


def test_places_are_within_themselves_by_every_method() -> None:
    city = apsp.generate("city", 400, seed=1)
    homes = city.snap([[300, 300]], crs="plane", speed=1)
    searched, whole = (apsp.isochrone(city, homes, [60], **options) for options in ({}, {"method": "dijkstra"}))
    assert searched.arcs().fractions.tolist() == whole.arcs().fractions.tolist()
    assert searched.positions.tolist() == whole.positions.tolist()
