"""What notebooks and consoles show of everything public, and that it survives being pickled."""

from __future__ import annotations

import copy
import functools
import inspect
import pickle
import re
import tempfile
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp


@functools.cache
def graph() -> apsp.Graph:
    """Labels with a line break, as a user may have them, and coordinates."""
    names = ["Rome", "<b>Milan</b>", "Flo\nrence", "Como"]
    return apsp.from_edges(
        [0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False, labels=names, coordinates=[[0, 0], [1, 0], [1, 1], [2, 1]]
    )


MADE: dict[str, Callable[[], Any]] = {
    "ArrivalProfiles": lambda: apsp.arrival_profiles(
        graph().with_periods([graph().weights, graph().weights]), (0, 2), times=[0, 9], sources=["Rome", "Como"]
    ),
    "Arrivals": lambda: apsp.earliest_arrivals(
        graph().with_periods([graph().weights, graph().weights]), [0, 2], times=[0, 9], sources=["Rome", "Como"]
    ),
    "ArcFlows": lambda: apsp.arc_flows(graph(), np.ones((4, 4))),
    "BatchPaths": lambda: apsp.solve_batch([graph(), graph()], paths=True),
    "Accessibility": lambda: apsp.accessibility(graph(), {"jobs": [1, 2, 3, 4]}, cutoffs=[3, 5]),
    "BetweennessEstimate": lambda: apsp.approximate_betweenness_centrality(graph(), 2, seed=1),
    "Block": lambda: next(apsp.stream(graph(), paths=True, targets=["Como", "Rome"])),
    "Components": lambda: apsp.components(graph()),
    "DistanceStatistics": lambda: apsp.distance_statistics(graph(), ["a", "b", "a", "b"]),
    "Extreme": lambda: apsp.summary(graph()).farthest_pair,
    "Extremes": lambda: apsp.extremes(graph()),
    "Graph": graph,
    "Histogram": lambda: apsp.distance_histogram(graph(), bins=4),
    "Isochrones": lambda: apsp.isochrone(graph(), ["Rome", "Como"], [3, 5]),
    "Features": lambda: graph().features({"jobs": [1, 2, 3, 4]}, crs="plane"),
    "IsochroneAreas": lambda: apsp.isochrone(graph(), ["Rome"], [3, 5]).areas(width=0.1, crs="plane"),
    "IsochroneBlocks": lambda: apsp.stream_isochrones(graph(), ["Rome"], [3, 5], width=0.1, crs="plane"),
    "LineGraph": lambda: apsp.line_graph(graph()),
    "Map": lambda: graph().explore(title="<b>Four</b> vertices of a graph with quite a long title"),
    "ManyPaths": lambda: apsp.prepare(graph()).paths(["Rome", "Como"], "Rome"),
    "ParetoPaths": lambda: apsp.pareto(graph().with_costs(toll=graph().weights), "toll", ["Rome", "Como"], "Rome"),
    "Method": lambda: apsp.list_methods()[0],
    "MostCentral": lambda: apsp.closeness_centrality(graph(), top=2),
    "NearPairBlocks": lambda: apsp.stream_within(graph(), 5),
    "NearPairs": lambda: apsp.within(graph(), 5, next_hop=True),
    "Nearest": lambda: apsp.k_nearest(graph(), 2),
    "NearestFacilities": lambda: apsp.nearest(graph(), "Rome"),
    "Oracle": lambda: apsp.prepare(graph()),
    "PeriodOracle": lambda: apsp.prepare(graph().with_periods([graph().weights, graph().weights])),
    "PeriodSkims": lambda: apsp.skim(graph().with_periods([graph().weights, graph().weights])),
    "Periods": lambda: graph().with_periods({name: graph().weights for name in ("am", "noon", "pm", "night", "snow")}),
    "PlaceMatrix": lambda: apsp.table(graph(), {"home": (0, 0)}, {"shop": (1, 0.5)}, crs="plane", speed=1),
    "Places": lambda: graph().snap({"home": (0, 0), "shop": (1, 0.5)}, crs="plane", speed=1),
    "Plan": lambda: apsp.plan(graph()),
    "Profile": lambda: apsp.profile(graph(), method="harish-fw"),
    "Reachability": lambda: apsp.reachable(graph()),
    "Result": lambda: apsp.solve(graph(), paths=True),
    "TurnGraph": lambda: apsp.with_turns(graph(), [("Rome", "<b>Milan</b>", "Flo\nrence")], u_turns=3),
    "Skims": lambda: apsp.skim(graph()),
    "StoredNearPairs": lambda: stored_near_pairs(),
    "StoredResult": lambda: stored(),
    "StoredPeriodSkims": lambda: stored_period_skims(),
    "StoredSkims": lambda: stored_skims(),
    "Summary": lambda: apsp.summary(graph(), bins=4),
}


@functools.cache
def folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="apsp-")


def stored() -> apsp.Result:
    pytest.importorskip("zarr")
    place = Path(folder().name) / "four vertices.zarr"
    apsp.solve(graph(), store=place, paths=True)
    return apsp.load(place)


def stored_near_pairs() -> apsp.NearPairs:
    pytest.importorskip("zarr")
    pytest.importorskip("pyarrow")
    place = Path(folder().name) / "pairs of four vertices.zarr"
    return apsp.within(graph(), 5, next_hop=True, store=place)


def stored_skims() -> apsp.StoredSkims:
    pytest.importorskip("zarr")
    place = Path(folder().name) / "skims of four vertices.zarr"
    return apsp.skim(graph(), {"km": np.ones(6)}, cost="minutes", store=place)


def stored_period_skims() -> apsp.PeriodSkims:
    pytest.importorskip("zarr")
    place = Path(folder().name) / "periods of four vertices.zarr"
    return apsp.skim(graph().with_periods([graph().weights, graph().weights]), store=place)


def test_every_public_class_is_here() -> None:
    classes = {name for name in apsp.__all__ if inspect.isclass(getattr(apsp, name))}
    assert {name for name in classes if not issubclass(getattr(apsp, name), Exception)} == MADE.keys()


@pytest.mark.parametrize("name", MADE)
def test_the_repr_is_one_short_line(name: str) -> None:
    text = repr(MADE[name]())
    assert re.fullmatch(rf"{name}\(.+\)", text)
    assert len(text) <= 120


def test_reprs_say_sizes_dtypes_and_devices() -> None:
    assert [repr(MADE[name]()) for name in ("Block", "Extreme", "Graph", "Histogram", "Nearest", "Oracle")] == [
        "Block(4 x 2, uint16, cpu, with paths)",
        "Extreme(distance=7, source='Rome', target='Como')",
        "Graph(n=4, m=6, undirected, int64)",
        "Histogram(4 bins from 0 to 8, int64, 12 pairs)",
        "Nearest(k=2, 4 sources, uint16)",
        "Oracle(n=4, m=6, uint16, cpu, 92 B)",
    ]
    assert re.fullmatch(r"Result\(4 x 4, uint16, cpu, with paths, by [\w-]+\)", repr(MADE["Result"]()))
    assert re.fullmatch(r"Plan\([\w-]+, uint16, cpu, about .+s, \S+ (Ki)?B\)", repr(MADE["Plan"]()))
    assert repr(MADE["Reachability"]()) == "Reachability(n=4, cpu, 32 B)"
    assert repr(MADE["Components"]()) == "Components(n=4, 1 strong component, largest=4)"
    assert repr(MADE["Summary"]()) == "Summary(n=4, 4 sources, int64, diameter=7)"
    assert repr(MADE["BatchPaths"]()) == "BatchPaths(2 graphs)"
    assert (
        repr(apsp.solve_batch(np.ones((5, 3, 3)), paths=True)) == "BatchPaths(5 graphs of at most 3 vertices, float64)"
    )
    assert repr(apsp.Summary(4)) == "Summary(n=4, 0 sources, int64)"
    assert repr(apsp.Nearest(4, 2)) == "Nearest(k=2, 0 sources)"
    assert repr(apsp.Extreme(1, "a" * 900, "b\nc")).endswith(", target='b\\nc')")


class Cells(HTMLParser):
    """The texts of the cells of the first table, and the names of all tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.tags: list[str] = []
        self.feed(text)
        self.rows = dict(zip(self.cells[::2], self.cells[1::2], strict=True))

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        if tag in ("th", "td") and self.tags.count("table") == 1:
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.tags[-1] in ("th", "td") and self.tags.count("table") == 1:
            self.cells[-1] += data


@pytest.mark.parametrize("name", ["Graph", "Result", "Plan", "Oracle", "Summary"])
def test_notebooks_show_a_table_in_which_labels_are_escaped(name: str) -> None:
    text = MADE[name]()._repr_html_()
    found = Cells(text)
    assert "b" not in found.tags
    assert text.startswith(f"<div><strong>{name}</strong>")
    assert ("svg" in found.tags) == (name in ("Graph", "Result", "Oracle"))
    expected = {
        "Graph": ("labels", "'Rome', '<b>Milan</b>', 'Flo\\nrence', ..."),
        "Result": ("sources x targets", "4 x 4"),
        "Plan": ("distances", "uint16"),
        "Oracle": ("distances", "uint16 on cpu"),
        "Summary": ("diameter", "7, from 'Rome' to 'Como'"),
    }
    word, value = expected[name]
    assert found.rows[word] == value


@pytest.mark.parametrize(
    "value",
    [
        apsp.Summary(3), apsp.from_edges([], [], n=0), apsp.solve(apsp.from_edges([], [], n=0)),
        apsp.solve(apsp.from_edges([0], [1]), sources=[], targets=[0]), apsp.prepare(apsp.from_edges([0], [1])),
        apsp.from_edges([0], [1], coordinates=np.full((2, 2), np.nan)),
        apsp.solve(apsp.from_edges([0], [1], coordinates=np.zeros((2, 2))), sources=[1]),
    ],
)  # fmt: skip
def test_tables_of_little_and_of_nothing(value: Any) -> None:
    assert Cells(value._repr_html_()).rows


def test_large_graphs_have_no_thumbnail() -> None:
    assert "svg" not in Cells(apsp.generate("city", 2_001, seed=1)._repr_html_()).tags


def test_thumbnails_stay_small() -> None:
    assert len(apsp.generate("city", 2_000, seed=1)._repr_html_()) < 150_000


def arrays(value: Any) -> list[Any]:
    """What an object of a public class holds, in a form that can be compared."""
    match value:
        case apsp.BatchPaths():
            return [[matrix.tolist() for matrix in matrices] for matrices in value]
        case apsp.Block():
            pairs = [value.sources.tolist(), value.targets.tolist(), value.distances.tolist()]
            return [*pairs, value.predecessors.tolist()]
        case apsp.Nearest():
            return [value.vertices.tolist(), value.distances.tolist()]
        case apsp.MostCentral():
            return [value.vertices.tolist(), value.values.tolist(), value.searches]
        case apsp.ManyPaths():
            return [list(value), value.distances.tolist()]
        case apsp.ParetoPaths():
            return [list(value), value.distances.tolist(), value.costs.tolist()]
        case apsp.NearestFacilities():
            return [value.facilities.tolist(), value.distances.tolist()]
        case apsp.Isochrones():
            return [value.graph, value.cutoffs, value.distances.tolist(), value.sources.tolist()]
        case apsp.Features():
            return [value.__geo_interface__, value.system, value.kinds]
        case apsp.IsochroneAreas():
            return [value.__geo_interface__, value.system, value.cutoffs, value.sources.tolist()]
        case apsp.IsochroneBlocks():
            return [[block.__geo_interface__ for block in value]]
        case apsp.DistanceStatistics():
            return [{name: column.tolist() for name, column in value.to_dict().items()}]
        case apsp.Accessibility():
            return [value.names, value.cutoffs, value.values.tolist(), value.sources.tolist()]
        case apsp.Oracle():
            return [value.graph, value.dtype, value.rows().tolist(), value.path("Rome", "Como")]
        case apsp.PlaceMatrix():
            return [value.distances.tolist(), value.source_labels, value.target_labels]
        case apsp.Places():
            return [value.graph, value.to_long()["label"].tolist(), value.on_street.tolist(), value.speed]
        case apsp.ArrivalProfiles():
            return [value.between, value.at([0, 1]).tolist(), value.points("Rome", "Como")[1].tolist()]
        case apsp.Arrivals():
            return [value.periods, value.arrivals.tolist(), value.path("Rome", "Como", departure=2)]
        case apsp.PeriodOracle():
            return [value.periods, value.matrix().tolist()]
        case apsp.Profile():
            return [value.to_dict()]
        case apsp.Reachability():
            return [value.to_numpy().tolist(), value.labels]
        case apsp.Result():
            return [
                value.graph,
                np.asarray(value.distances).tolist(),
                np.asarray(value.predecessors).tolist(),
                value.info,
            ]
        case apsp.NearPairs():
            return [list(value), *(column.tolist() for column in value.to_long().values())]
        case apsp.NearPairBlocks():
            return [arrays(block) for block in value]
        case apsp.Summary():
            numbers = [value.farthest_pair, value.center, value.average_shortest_path_length, value.histogram()]
            return [*numbers, value.closeness_centrality().tolist()]
        case apsp.Components():
            return [value.graph, value.connection, value.count, value.membership.tolist(), value.sizes.tolist()]
    return [value]


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
@pytest.mark.parametrize("name", MADE)
def test_everything_public_comes_back_from_pickles_and_copies(name: str, again: Callable[[Any], Any]) -> None:
    value = MADE[name]()
    back = again(value)
    assert type(back) is type(value)
    assert arrays(back) == arrays(value)
    assert repr(back) == repr(value)


def test_an_oracle_that_comes_back_takes_other_weights() -> None:
    oracle = apsp.prepare(graph(), dtype="int64")
    back = pickle.loads(pickle.dumps(oracle))
    back.update(graph().weights * 10)
    assert (back.distance("Rome", "Como"), back.dtype) == (70, np.int64)
    assert oracle.distance("Rome", "Como") == 7


def test_histograms_are_equal_by_value() -> None:
    one, other = (apsp.distance_histogram(graph(), bins=bins) for bins in (4, 2))
    assert one == pickle.loads(pickle.dumps(one))
    assert one != other
    assert one != "a histogram"


def test_blocks_are_equal_by_identity() -> None:
    one, other = (MADE["Block"]() for _ in range(2))
    assert one == one
    assert one != other
    assert len({one, other}) == 2


def edges(**changes: Any) -> apsp.Graph:
    given: dict[str, Any] = {"labels": ["a", "b", "c"], "coordinates": [[0, 0], [0, 1], [np.nan, np.nan]]} | changes
    weights = given.pop("weights", [4, 1])
    return apsp.from_edges([0, 1], [1, 2], weights, **given)


@pytest.mark.parametrize(
    "same",
    [
        edges(), edges(weights=[4.0, 1.0]), edges(zones=[False, False, False]), edges(labels=("a", "b", "c")),
        pickle.loads(pickle.dumps(edges())),
    ],
)  # fmt: skip
def test_graphs_are_equal_by_value(same: apsp.Graph) -> None:
    assert edges() == same
    assert not edges() != same  # noqa: SIM202
    assert hash(edges()) == hash(same)
    assert len({edges(), same}) == 1


@pytest.mark.parametrize(
    "other",
    [
        edges(weights=[4, 2]), edges(weights=None), edges(weights=[1, 1]), edges(labels=["a", "b", "d"]),
        edges(labels=None), edges(coordinates=None), edges(coordinates=[[0, 0], [0, 1], [0, 2]]),
        edges(zones=[True, False, False]), edges(directed=False), edges().reversed(),
        edges(n=4, labels=None, coordinates=None), "graph", None,
    ],
)  # fmt: skip
def test_other_graphs_are_not_equal(other: object) -> None:
    assert edges() != other
    assert not edges() == other  # noqa: SIM201
