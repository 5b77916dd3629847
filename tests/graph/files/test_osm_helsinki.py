"""The streets of Helsinki: what another program found, which walks the elements and knows no graph of this package.

It reads the blocks of the file one number at a time, splits ways at nodes that are used twice, adds up haversines,
decides by the tags as the documents say, and searches over links and the last links of forbidden sequences.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp

pytest.importorskip("osmium")

FILE = Path(__file__).parents[3] / "docs" / "examples" / "helsinki.osm.pbf"

STREETS = {
    # mode: vertices, links, metres, seconds, streets that are cut
    "car": (920, 1541, 42101.932, 7008.526, 57),
    "bike": (1186, 2181, 62099.103, 16462.289, 75),
    "foot": (3323, 9182, 194908.296, 141401.628, 175),
}

RESTRICTIONS: dict[str, tuple[int, int, dict[str, list[int]]]] = {
    # mode: restrictions, forbidden movements, what is not applied
    "car": (45, 37, {
        "not in the file, or no streets": [12993],
        "at certain times are not considered": [57347],
        "closed for the mode": [67551, 68861, 423033, 423034, 2439330],
    }),
    "bike": (44, 18, {
        "not in the file, or no streets": [12993],
        "at certain times are not considered": [57347],
        "closed for the mode": [
            9833, 53472, 53473, 55895, 56949, 63153, 67551, 67552, 69254, 423033, 423034, 9112926,
        ],
    }),
    "foot": (0, 0, {}),
}  # fmt: skip

TIMES = {
    # mode: from, to, seconds with all turns, and without those that are forbidden
    "car": [
        (411855387, 3227213250, 183.2388, 203.7892), (3228733112, 337282876, 115.8969, 140.0369),
        (296250736, 176237857, 168.3524, 183.0762), (25291564, 314761698, 173.7294, 183.8381),
        (897182371, 900408158, 164.0854, 190.3957), (289550530, 1851458387, 164.1455, 164.1455),
        (900132065, 3237232002, 197.1324, 197.1324), (1371750095, 915595794, 93.779, 93.779),
    ],
    "bike": [
        (3228706314, 313781303, 465.8397, 547.3101), (672367125, 401357766, 667.0849, 702.5829),
        (3237232006, 247335167, 459.2052, 540.6756), (3395239429, 426911767, 277.5875, 277.5875),
    ],
    "foot": [(256258040, 922394982, 735.8364, 735.8364), (314761699, 313554824, 583.9434, 583.9434)],
}  # fmt: skip


@pytest.fixture(scope="module", params=STREETS)
def city(request: pytest.FixtureRequest) -> tuple[str, Any, list[str]]:
    notes: list[str] = []
    return request.param, apsp.read(FILE, mode=request.param, turns=True, notes=notes), notes


def test_streets(city: tuple[str, Any, list[str]]) -> None:
    mode, turned, notes = city
    vertices, links, metres, seconds, cut = STREETS[mode]
    found = turned.graph.links
    assert (turned.n, len(found.tails)) == (vertices, links)
    assert found.costs["length"].sum() == pytest.approx(metres, rel=1e-8)
    assert found.weights.sum() == pytest.approx(seconds, rel=1e-7)
    assert notes[:2] == [
        f"streets for {mode}; arcs are seconds long", f"{cut} streets are cut where nodes are not in the file"
    ]  # fmt: skip


def test_restrictions(city: tuple[str, Any, list[str]]) -> None:
    mode, turned, notes = city
    count, movements, reasons = RESTRICTIONS[mode]
    assert len(turned.movements["from_link"]) + len(turned.forbidden) == movements
    assert (f"{count} turn restrictions; movements forbidden: {movements}" in notes) == (count > 0)
    assert len(notes) == 2 + (count > 0) + len(reasons)
    for reason, relations in reasons.items():
        (note,) = (each for each in notes if reason in each)
        listed = note.partition("(relation")[2].lstrip("s ").rstrip(")")
        more = f" and {len(relations) - 10} more" if len(relations) > 10 else ""
        assert listed == ", ".join(map(str, relations[:10])) + more


@pytest.mark.parametrize("with_turns", [False, True])
def test_times(city: tuple[str, Any, list[str]], with_turns: bool) -> None:
    mode, turned, _ = city
    graph = turned if with_turns else apsp.read(FILE, mode=mode)
    pairs = [each[:2] for each in TIMES[mode]]
    expected = [each[3 if with_turns else 2] for each in TIMES[mode]]
    np.testing.assert_allclose([apsp.distance(graph, *pair) for pair in pairs], expected, atol=1e-4)


def test_a_crossing_that_restrictions_cut_off() -> None:
    """Cars could reach it, but not by the movements that are allowed within the extract."""
    assert np.isfinite(apsp.distance(apsp.read(FILE), 299968469, 313981058))
    assert apsp.distance(apsp.read(FILE, turns=True), 299968469, 313981058) == np.inf
