"""Every public function that takes a graph honours turns, or refuses them and says which functions take them."""

from __future__ import annotations

import inspect
import math
import re
import tempfile
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import apsp
from apsp import csgraph, spmd
from apsp.graph.turns.turn_graph import TAKING_TURNS, TurnGraph
from test_odd_arguments import cases

GRAPH = apsp.from_edges([0, 1, 2, 3], [1, 2, 3, 0], [1, 2, 3, 4], coordinates=[[0, 0], [0, 1], [1, 1], [1, 0]])
TURNED = apsp.with_turns(GRAPH, [(0, 1, 2, 5)])
TAKING = set(re.findall(r"\w+", TAKING_TURNS)) - {"and"}
REFUSAL = "does not take a graph with turns yet; .* do; "

DOORS = {
    "solve": lambda turned: apsp.solve(turned, sources=0, targets=2).distance(0, 2),
    "matrix": lambda turned: apsp.matrix(turned).distance(0, 2),
    "distance": lambda turned: apsp.distance(turned, 0, 2),
    "table": lambda turned: 8 if apsp.table(turned, [[0, 0.5]], [[0.5, 1]], crs="plane").distances[0, 0] == 6.5 else 0,
    "distances": lambda turned: int(apsp.distances(turned, [0], [2])[0]),
    "shortest_path": lambda turned: 8 if apsp.shortest_path(turned, 0, 2) == [0, 1, 2] else None,
    "shortest_walks": lambda turned: int(apsp.shortest_walks(turned, 0, 2, 1).distances[0]),
    "plan": lambda turned: 8 if "has 5 vertices" in apsp.plan(turned).explain() else 0,
    "prepare": lambda turned: apsp.prepare(turned).distance(0, 2),
    "within": lambda turned: dict(zip((row := apsp.within(turned, 20)[0]).targets, row.distances, strict=True))[2],
    "stream_within": lambda turned: int(next(apsp.stream_within(turned, 20, targets=[2], rows=1)).distances[0]),
    "nearest": lambda turned: int(apsp.nearest(turned, [2]).distances[0, 0]),
    "stream": lambda turned: int(next(apsp.stream(turned)).distances[0, 2]),
    "k_nearest": lambda turned: int(apsp.k_nearest(turned, 2).distances[0, 1]),
    "isochrone": lambda turned: 8 if apsp.isochrone(turned, 0, 7.5).arcs().fractions.tolist() == [1, 0.75] else 0,
    "stream_isochrones": lambda turned: _longest_of_areas(turned),
    "skim": lambda turned: apsp.skim(turned, {"toll": [3, 4, 0, 0]})["toll"][0, 2] + 1,
    "accessibility": lambda turned: apsp.accessibility(turned, {2: 8}, cutoffs=8).values[0],
    "summary": lambda turned: sorted(apsp.summary(turned).eccentricity.tolist())[1] - 1,
    "eccentricity": lambda turned: apsp.eccentricity(turned, sources=[3])[0] - 4,
    "diameter": lambda turned: apsp.diameter(turned) - 4,
    "periphery": lambda turned: 8 if apsp.periphery(turned) == [3] else 0,
    "radius": lambda turned: apsp.radius(turned),
    "center": lambda turned: 8 if apsp.center(turned) == [2] else 0,
    "extremes": lambda turned: apsp.extremes(turned).farthest_pair.distance - 4,
    "closeness_centrality": lambda turned: 3 / apsp.closeness_centrality(turned, direction="out")[0] - 12,
    "harmonic_centrality": lambda turned: 8 if apsp.harmonic_centrality(turned)[2] < 1 / 2 + 1 / 7 + 1 / 8 else 0,
    "farness": lambda turned: apsp.farness(turned, direction="out")[0] - 12,
    "average_shortest_path_length": lambda turned: apsp.average_shortest_path_length(turned, sources=[0]) * 3 - 12,
    "barycenter": lambda turned: 8 if apsp.barycenter(turned) == [1] else 0,
    "wiener_index": lambda turned: apsp.wiener_index(turned) - apsp.wiener_index(GRAPH) - 7,
    "global_efficiency": lambda turned: 8 if apsp.global_efficiency(turned) < apsp.global_efficiency(GRAPH) else 0,
    "distance_histogram": lambda turned: 8 if apsp.distance_histogram(turned).counts[3] == 1 else 0,
    "write": lambda turned: apsp.distance(_written(turned), 0, 2),
}  # fmt: skip


def _written(turned: Any) -> apsp.TurnGraph:
    with tempfile.TemporaryDirectory() as folder:
        apsp.write(turned, f"{folder}/turned.npz")
        return apsp.read(f"{folder}/turned.npz", turns=True)


def _longest_of_areas(turned: Any) -> float:
    pytest.importorskip("shapely")
    (block,) = apsp.stream_isochrones(turned, 0, 7, width=0.1, crs="plane")
    return 8 * bool(abs(block.polygons[0, 0].bounds[2] - 0.6) < 0.01)


def taking_graphs() -> set[str]:
    """The public functions with a parameter that may be a graph."""
    functions = {name: getattr(apsp, name) for name in apsp.__all__ if inspect.isfunction(getattr(apsp, name))}
    return {name for name, function in functions.items() if "graph" in [*inspect.signature(function).parameters][:1]}


def test_functions_say_by_their_hints_which_take_turns() -> None:
    hints = {name: get_type_hints(getattr(apsp, name))["graph"] for name in taking_graphs()}
    assert {name for name, hint in hints.items() if TurnGraph in get_args(hint)} == TAKING


def test_every_function_that_takes_turns_is_tried() -> None:
    assert DOORS.keys() == TAKING


@pytest.mark.parametrize("name", DOORS)
def test_what_takes_turns_honours_them(name: str) -> None:
    assert DOORS[name](TURNED) == 8
    assert apsp.distance(GRAPH, 0, 2) == 3


@pytest.mark.parametrize("name", sorted(taking_graphs() - TAKING))
def test_all_others_refuse_turns(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    function, arguments = cases(tmp_path)[name]
    for graph in (TURNED, TURNED._searched, TURNED._searched.reversed()):
        with pytest.raises(apsp.RequestError, match=REFUSAL):
            function(**arguments | {"graph": graph})
    assert list(tmp_path.glob("out.gr*")) == []


@pytest.mark.parametrize(
    "call",
    [
        lambda: apsp.solve(TURNED, counts=True),
        lambda: apsp.solve(TURNED, semiring="max_min"),
        lambda: apsp.prepare(TURNED, order=[0, 1, 2, 3]),
        lambda: apsp.within(TURNED, 9, next_hop=True),
        lambda: apsp.summary(TURNED, groups=[0, 0, 1, 1]),
        lambda: apsp.summary(TURNED, quantiles=[0.5]),
        lambda: apsp.summary(TURNED, measures="distance_statistics"),
        lambda: apsp.closeness_centrality(TURNED, top=1),
        lambda: apsp.harmonic_centrality(TURNED, top=1),
        lambda: apsp.stream_within(TURNED, 9, next_hop=True),
        lambda: apsp.nearest(TURNED, [2], paths=True),
        lambda: apsp.solve_batch([TURNED, TURNED]),
        lambda: apsp.plan(TURNED, for_="summary", groups=[0, 0, 1, 1]),
        lambda: apsp.plan(TURNED, for_="flows"),
        lambda: apsp.plan(TURNED, for_="reachable"),
        lambda: apsp.plan(TURNED, semiring="max_min"),
        lambda: spmd.solve(TURNED),
        *(
            lambda name=name: getattr(apsp.solve(TURNED, paths=True), name)
            for name in ("predecessors",)
        ),
        lambda: apsp.solve(TURNED, paths=True).next_hops(),
        lambda: apsp.solve(TURNED, paths=True).via(),
        lambda: apsp.solve(TURNED).verify(),
        lambda: apsp.solve(TURNED).all_paths(0, 2),
        lambda: apsp.solve(TURNED).tied_predecessors(0),
        lambda: apsp.solve(TURNED, paths=True).to_long(predecessors=True),
        lambda: apsp.prepare(TURNED).order,
        lambda: apsp.prepare(TURNED).summary(groups=[0, 0, 1, 1]),
        lambda: apsp.prepare(GRAPH).update(TURNED._searched),
    ],
)  # fmt: skip
def test_options_and_methods_that_would_leave_turns_out_are_refused(
    call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(apsp.RequestError, match=REFUSAL):
        call()
    assert list(tmp_path.iterdir()) == []


def test_no_graph_is_made_of_the_expanded_one() -> None:
    """It would not tell copies of vertices from others."""
    inside = apsp.solve(TURNED).graph
    for call in (
        inside.unweighted,
        lambda: inside.with_weights(inside.weights),
        lambda: inside.with_costs(toll=inside.weights),
        lambda: inside.with_coordinates([[0, 0]] * inside.n),
        lambda: inside.subgraph([0, 1]),
        lambda: inside.features(crs="plane"),
        lambda: inside.path_features([[0, 1]], crs="plane"),
    ):
        with pytest.raises(apsp.RequestError, match="the expanded graph of one with turns: change the graph itself"):
            call()


def test_other_packages_interfaces_refuse_them() -> None:
    with pytest.raises((apsp.ApspError, TypeError, ValueError)):
        csgraph.shortest_path(TURNED)


def test_paths_without_predecessors_say_the_remedy() -> None:
    with pytest.raises(apsp.PathsNotKeptError, match="paths=True"):
        apsp.solve(TURNED).path(0, 2)


def test_weights_are_those_of_the_turns() -> None:
    with pytest.raises(apsp.RequestError, match=r"weight=None: a graph with turns has its lengths"):
        apsp.distance(TURNED, 0, 2, weight=None)
    assert math.isinf(apsp.distance(apsp.with_turns(GRAPH, [(0, 1, 2)]), 0, 2))
