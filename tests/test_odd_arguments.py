"""Every parameter of every public function given odd values: only this package's errors come out, in readable words."""

from __future__ import annotations

import datetime
import inspect
import tempfile
import warnings
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import apsp
from apsp.errors import ApspError
from apsp.result import paths


class Mute:
    """An object that cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


ODD: dict[str, Any] = {
    "None": None, "True": True, "-1": -1, "0": 0, "3": 3, "2^31": 2**31, "2^64": 2**64, "-2^64": -(2**64),
    "1.5": 1.5, "nan": float("nan"), "inf": float("inf"), "-inf": float("-inf"), "1e300": 1e300, "2j": 2j,
    "digits": 10**6000, "empty text": "", "text": "odd", "long text": "x" * 100_000, "text of digits": "1" * 6000,
    "nul": "a\0b", "surrogate": "\ud800", "bytes": b"bytes", "list": [], "list of None": [None],
    "long list": [7] * 99_999, "nested": [[[1], 2], 3], "list of text": ["a", "b"], "dict": {},
    "tuple": (1, 2, 3), "object": object(),
    "mute": Mute(), "type": int, "path": Path("nowhere") / "none", "0-d": np.array(5),
    "floats": np.array([1.5, np.nan]), "integers": np.arange(3), "3-d": np.zeros((2, 3, 4)),
    "objects": np.array([None, "a"], dtype=object),
    "times": np.array(["2020-01-01"], dtype="datetime64[D]"), "structured": np.zeros(2, dtype=[("a", "<i4")]),
    "complex": np.zeros((2, 2), dtype=complex), "float32": np.float32(2), "int8": np.int8(-3), "set": {1, 2},
    "iterator": iter(()), "range": range(2), "huge numbers": [10**6000], "mixed": [0, "a", None],
    "duration": np.timedelta64(3, "s"), "durations": np.array([1, 2], dtype="timedelta64[s]"),
    "no duration": np.timedelta64("NaT", "s"), "plain duration": datetime.timedelta(seconds=3), "400 digits": 10**400,
    "decimal": Decimal("1.5"), "fraction": Fraction(1, 2), "NumPy's True": np.True_, "half": np.float16(0.5),
    "long double": np.longdouble(2), "0-d true": np.array(True), "0-d duration": np.array(3, dtype="timedelta64[m]"),
}  # fmt: skip

GRAPH = apsp.from_edges([0, 1, 2, 3], [1, 2, 3, 0], [1, 2, 3, 4], coordinates=[[0, 0], [0, 1], [1, 1], [1, 0]])
TOLLS = GRAPH.with_costs(toll=[2, 1, 0, 3])
RESULT = apsp.solve(GRAPH, paths=True)
ORACLE = apsp.prepare(GRAPH)
HOURS = apsp.prepare(GRAPH.with_periods({7: [1, 2, 3, 4], "pm": [4, 3, 2, 1]}))
PAIR = {"source": 0, "target": 2}


Cases = dict[str, tuple[Callable[..., Any], dict[str, Any]]]


def cases(folder: Path) -> Cases:
    """Callables by name, with arguments that are valid."""
    saved, graph_file, oracle_file = folder / "saved.npz", folder / "graph.gr", folder / "oracle.npz"
    RESULT.save(saved)
    apsp.write(GRAPH, graph_file)
    ORACLE.save(oracle_file)
    one = {"graph": GRAPH}
    edges = {"tails": [0, 1], "heads": [1, 0], "weights": [1, 2]}
    found: Cases = {
        name: (getattr(apsp, name), one)
        for name in (
            "average_shortest_path_length", "barycenter", "betweenness_centrality", "center", "closeness_centrality",
            "components", "diameter", "distance_histogram", "eccentricity", "edge_betweenness_centrality", "extremes",
            "farness", "global_efficiency", "gutman_index", "harmonic_centrality", "hyper_wiener_index", "layout",
            "local_efficiencies", "local_efficiency", "periphery", "radius", "schultz_index", "summary",
            "wiener_index", "plan", "prepare", "reachable", "solve", "stream",
        )
    }  # fmt: skip
    found |= {
        "approximate_betweenness_centrality": (apsp.approximate_betweenness_centrality, one | {"k": 2}),
        "arc_flows": (apsp.arc_flows, one | {"demand": np.ones((4, 4))}),
        "as_graph": (apsp.as_graph, one | {"weight": None}),
        "from_dense": (apsp.from_dense, {"matrix": [[0, 1], [2, 0]]}),
        "from_edges": (apsp.from_edges, edges),
        "from_edges of a table": (
            lambda tails, source, target, weight, labels: apsp.from_edges(
                tails, source=source, target=target, weight=weight, labels=labels
            ),
            {"tails": {"u": [0, 1], "v": [1, 0]}, "source": "u", "target": "v", "weight": None, "labels": None},
        ),
        "from_networkx": (apsp.from_networkx, {"G": nx.path_graph(3)}),
        "from_scipy": (apsp.from_scipy, {"sparse": sp.csr_array(np.eye(3))}),
        "generate": (apsp.generate, {"kind": "random", "n": 10}),
        "generate country": (apsp.generate, {"kind": "country", "n": 100}),
        "generate grid": (apsp.generate, {"kind": "grid", "shape": (2, 3)}),
        "generate rmat": (apsp.generate, {"kind": "rmat", "n": 16}),
        "k_nearest": (apsp.k_nearest, one | {"k": 2}),
        "nearest": (apsp.nearest, one | {"facilities": [0, 2], "k": 2}),
        "isochrone": (apsp.isochrone, one | {"sources": [0, 1], "cutoffs": [1, 4]}),
        "stream_isochrones": (
            apsp.stream_isochrones, one | {"sources": [0, 1], "cutoffs": [1, 4], "width": 0.1, "crs": "plane"},
        ),
        "Isochrones.areas": (apsp.isochrone(GRAPH, 0, 4).areas, {"width": 0.1, "crs": "plane"}),
        "Graph.features": (GRAPH.features, {"values": [1, 2, 3, 4], "of": "vertices", "crs": "plane"}),
        "Graph.path_features": (GRAPH.path_features, {"paths": [[0, 1, 2]], "crs": "plane"}),
        "Isochrones.vertices": (apsp.isochrone(GRAPH, 0, 4).vertices, {"source": 0, "cutoff": 1}),
        "distance_statistics": (
            apsp.distance_statistics, one | {"groups": [0, 1, 1, None], "quantiles": [0.5], "bins": 4},
        ),
        "accessibility": (
            apsp.accessibility, one | {"weights": [1, 2, 3], "cutoffs": [1, 4], "competition": [1, 1, 1]},
        ),
        "distance": (apsp.distance, one | PAIR),
        "shortest_path": (apsp.shortest_path, one | PAIR),
        "distances": (apsp.distances, one | {"sources": [0, 1], "targets": [1, 2]}),
        "shortest_simple_paths": (
            apsp.shortest_simple_paths, one | {"sources": [0, 1], "targets": [1, 2], "k": 2, "threads": 1},
        ),
        "shortest_walks": (
            apsp.shortest_walks, one | {"sources": [0, 1], "targets": [1, 2], "k": 2, "threads": 1},
        ),
        "alternatives": (apsp.alternatives, one | {"sources": [0, 1], "targets": [1, 2], "k": 2, "threads": 1}),
        "pareto": (apsp.pareto, {"graph": TOLLS, "cost": "toll", "sources": [0, 1], "targets": [1, 2], "most": 99}),
        "ParetoPaths.of_pair": (apsp.pareto(TOLLS, "toll", 0, 2).of_pair, {"index": 0}),
        "ManyPaths.of_pair": (apsp.shortest_simple_paths(GRAPH, 0, 2, 2).of_pair, {"index": 0}),
        "matrix": (apsp.matrix, one),
        "table": (apsp.table, one | {"origins": [[0, 0.5]], "destinations": [[0.5, 1]], "crs": "plane", "speed": 1}),
        "Graph.snap": (GRAPH.snap, {"points": [[0, 0.5]], "crs": "plane"}),
        "graph[vertex][vertex]": (lambda source, target: GRAPH[source][target], PAIR | {"target": 1}),
        "Graph.with_coordinates": (GRAPH.with_coordinates, {"coordinates": [[0, 0]] * 4, "crs": "plane"}),
        "Graph.with_periods": (GRAPH.with_periods, {"weights": {"am": [1, 2, 3, 4]}}),
        "Graph.degree": (lambda vertex: GRAPH.degree[vertex], {"vertex": 0}),
        "Graph.edges.data": (GRAPH.edges.data, {}),
        "straightness_centrality": (apsp.straightness_centrality, one | {"crs": "plane"}),
        "with_turns": (apsp.with_turns, one | {"movements": [(0, 1, 2)], "forbidden": [[1, 2]], "crs": "plane"}),
        "within": (apsp.within, one | {"cutoff": 3, "along": {"toll": [1, 2, 3, 4]}}),
        "stream_within": (apsp.stream_within, one | {"cutoff": 3}),
        "load": (apsp.load, {"path": saved}),
        "line_graph": (apsp.line_graph, one | {"weight": "angle", "crs": "plane"}),
        "list_methods": (apsp.list_methods, {}),
        "product": (apsp.product, {"a": np.ones((2, 3)), "b": np.ones((3, 2))}),
        "profile": (apsp.profile, one | {"method": "harish-sssp"}),
        "read": (apsp.read, {"path": graph_file}),
        "read_omx": (apsp.read_omx, {"path": folder / "none.omx"}),
        "skim": (apsp.skim, one | {"along": {"toll": [1, 2, 3, 4]}}),
        "skim of names": (lambda toll, graph=GRAPH: apsp.skim(graph, {"toll": toll}), {"toll": [1, 2, 3, 4]}),
        "Skims.to_long": (apsp.skim(GRAPH).to_long, {}),
        "Skims.to_omx": (apsp.skim(GRAPH).to_omx, {"path": folder / "skims.omx"}),
        "solve_batch": (apsp.solve_batch, {"matrices": np.ones((2, 3, 3))}),
        "unreachable": (apsp.unreachable, {"dtype": "int32"}),
        "write": (apsp.write, one | {"path": folder / "out.gr"}),
        "Graph": (apsp.Graph, {"indptr": [0, 1, 1], "indices": [1], "weights": [3]}),
        "Components.members": (apsp.components(GRAPH).members, {"component": 0}),
        "Components.of": (apsp.components(GRAPH).of, {"vertex": 0}),
        "Components.subgraph": (apsp.components(GRAPH).subgraph, {}),
        "Graph.arc_weights": (GRAPH.arc_weights, {"dtype": "int32"}),
        "Graph.to_dense": (lambda dtype="int32": GRAPH.to_dense(dtype), {}),
        "Result.distance": (RESULT.distance, PAIR),
        "Result.path": (RESULT.path, PAIR),
        "Result.paths": (RESULT.paths, {"sources": [0], "targets": [1]}),
        "Result.next_hop": (RESULT.next_hop, PAIR),
        "Result.to_long": (RESULT.to_long, {}),
        "Result.to_polars": (RESULT.to_polars, {}),
        "Result.to_arrow": (RESULT.to_arrow, {}),
        "Graph.to_series": (GRAPH.to_series, {"values": [1, 2, 3, 4]}),
        "Result.to_dict": (RESULT.to_dict, {}),
        "result[source, target]": (lambda source, target: RESULT[source, target], PAIR),
        "result[pair]": (lambda pair: RESULT[pair], {"pair": (0, 2)}),
        "result[several]": (lambda source, target: RESULT[source, target], {"source": slice(None), "target": [0]}),
        "Result.plot": (
            lambda source, target, unit, levels: RESULT.plot(source, target, unit=unit, levels=levels),
            PAIR | {"unit": "s", "levels": "an error, unless it is what is tried"},
        ),
        "Graph.plot": (GRAPH.plot, {}),
        "Graph.explore": (GRAPH.explore, {"path": folder / "map.html"}),
        "Graph.explore in a notebook": (GRAPH.explore, {"height": 300}),
        "Result.explore": (RESULT.explore, {"path": folder / "map.html"}),
        "Periods.explore": (HOURS.periods.explore, {"path": folder / "map.html"}),
        "PeriodOracle.explore": (HOURS.explore, {"path": folder / "map.html"}),
        "Oracle.explore": (ORACLE.explore, {"path": folder / "map.html"}),
        "Histogram.plot": (apsp.distance_histogram(GRAPH, bins=2).plot, {}),
        "Result.save": (RESULT.save, {"path": folder / "again.npz"}),
        "Result.verify": (RESULT.verify, {}),
        "Result.check": (RESULT.check, {}),
        "Oracle.distance": (ORACLE.distance, PAIR),
        "Oracle.distances": (ORACLE.distances, {"sources": [0, 1], "targets": [1, 2]}),
        "Oracle.path": (ORACLE.path, PAIR),
        "PeriodOracle.distance": (HOURS.distance, PAIR | {"period": 7}),
        "PeriodOracle.distances": (HOURS.distances, {"sources": [0, 1], "targets": [1, 2], "period": 7}),
        "PeriodOracle.matrix": (HOURS.matrix, {"period": 7}),
        "PeriodOracle.rows": (HOURS.rows, {}),
        "arrival_profiles": (
            apsp.arrival_profiles,
            {
                "periods": HOURS.periods, "between": (0, 50), "times": [0, 60], "cycle": 90, "sources": [0, 1],
                "targets": [2], "threads": 1,
            },
        ),
        "ArrivalProfiles.points": (apsp.arrival_profiles(HOURS.periods, (0, 5), times=[0, 60]).points, PAIR),
        "ArrivalProfiles.at": (
            apsp.arrival_profiles(HOURS.periods, (0, 5), times=[0, 60]).at, {"departures": [0, 3]}
        ),
        "earliest_arrivals": (
            apsp.earliest_arrivals,
            {
                "periods": HOURS.periods, "departures": [0, 5], "times": [0, 60], "cycle": 90, "sources": [0, 1],
                "targets": [2], "threads": 1,
            },
        ),
        "Arrivals.path": (
            apsp.earliest_arrivals(HOURS.periods, 0, times=[0, 60]).path, PAIR | {"departure": 3}
        ),
        "skim of periods": (apsp.skim, {"graph": HOURS.periods, "along": {"toll": [1, 2, 3, 4]}}),
        "PeriodSkims.by_cost": (apsp.skim(HOURS.periods).by_cost, {"name": "cost"}),
        "PeriodSkims.to_omx": (apsp.skim(HOURS.periods).to_omx, {"path": folder / "hours.omx"}),
        "prepare of periods": (apsp.prepare, {"graph": GRAPH.with_periods({7: [1, 2, 3, 4]})}),
        "Oracle.rows": (ORACLE.rows, {}),
        "Oracle.matrix": (ORACLE.matrix, {}),
        "Oracle.stream": (ORACLE.stream, {}),
        "Oracle.summary": (ORACLE.summary, {"rows": 1}),
        "Oracle.update": (apsp.prepare(GRAPH).update, {"weights": [1, 2, 3, 4]}),
        "Oracle.save": (ORACLE.save, {"path": folder / "oracle2.npz"}),
        "Oracle.load": (apsp.Oracle.load, {"path": oracle_file}),
        "paths.replay": (paths.replay, one | {"path": [0, 1]}),
        "paths.walk": (paths.walk, {"pred_row": RESULT.predecessors[0], "source": 0, "target": 2}),
        "paths.next_hop": (paths.next_hop, {"pred": RESULT.predecessors}),
        "paths.expand_via": (paths.expand_via, {"via": RESULT.via(), "source": 0, "target": 2}),
        "paths.predecessors_from_distances": (
            paths.predecessors_from_distances, one | {"source": 0, "dist_row": RESULT.distances[0]}
        ),
    }  # fmt: skip
    return found


with tempfile.TemporaryDirectory() as _folder:
    NAMES = sorted(cases(Path(_folder)))


def parameters(function: Callable[..., Any]) -> Iterator[str]:
    for name, parameter in inspect.signature(function).parameters.items():
        assert parameter.kind is not parameter.VAR_KEYWORD, f"{name}: options must be visible"
        yield name


def test_no_public_function_is_left_out() -> None:
    functions = {name for name in apsp.__all__ if inspect.isfunction(getattr(apsp, name))}
    assert functions <= set(NAMES)


@pytest.fixture(scope="module")
def every_case(tmp_path_factory: pytest.TempPathFactory) -> Cases:
    return cases(tmp_path_factory.mktemp("cases"))


@pytest.mark.parametrize("name", NAMES)
def test_odd_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, every_case: Cases) -> None:
    monkeypatch.chdir(tmp_path)
    function, valid = every_case[name]
    bad = []
    for parameter in dict.fromkeys(parameters(function)):
        for label, value in ODD.items():
            if parameter in ("progress", "weight") and callable(value):
                continue  # what it raises is its owner's
            fault = fault_of(function, {**valid, parameter: value})
            if fault:
                bad.append(f"{parameter}={label}: {fault}")
    assert not bad, "\n" + "\n".join(bad)


def fault_of(function: Callable[..., Any], arguments: dict[str, Any]) -> str:
    """What is wrong with what a call raises; nothing if it raises nothing."""
    words = ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = function(**arguments)
            if isinstance(found, Iterator):
                for _ in found:
                    pass
    except ApspError as error:
        words = str(error)
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:100]}"
    return f"a message of {len(words)} characters" if len(words) > 1000 else ""


@pytest.mark.parametrize("duration", [np.timedelta64(3, "s"), np.timedelta64(3, "D"), datetime.timedelta(seconds=3)])
def test_durations_are_refused_with_the_remedy(duration: Any) -> None:
    remedy = r"must be a number.* divide a duration by the unit of the lengths, such as numpy.timedelta64\(1, 's'\)"
    for cutoffs in (duration, [duration], np.array([duration])):
        for call in (
            lambda cutoffs=cutoffs: apsp.isochrone(GRAPH, sources=[0], cutoffs=cutoffs),
            lambda cutoffs=cutoffs: apsp.accessibility(GRAPH, weights=np.ones(4), cutoffs=cutoffs),
            lambda cutoffs=cutoffs: apsp.distance_statistics(GRAPH, quantiles=cutoffs),
        ):
            with pytest.raises(apsp.RequestError, match=remedy):
                call()
    for call in (
        lambda: apsp.solve(GRAPH, cutoff=duration),
        lambda: apsp.from_dense([[0, 1], [1, 0]], absent=duration),
    ):
        with pytest.raises(apsp.RequestError, match=remedy):
            call()
    with pytest.raises(apsp.GraphError, match=r"not timedelta64.*; divide durations by their unit"):
        apsp.from_edges([0], [1], np.array([3], dtype="timedelta64[s]"))
    assert apsp.solve(GRAPH, cutoff=np.timedelta64(3, "s") / np.timedelta64(1, "s")).distance(0, 3) == np.inf
