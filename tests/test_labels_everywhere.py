"""Every public function that takes or returns vertices uses labels.

Each is called twice: on a graph without labels, and on the same graph with labels, of which some kinds are also
positions of other vertices. The answers must be the same, vertex for vertex. A public name that is not in the tables
below fails.
"""

from __future__ import annotations

import inspect
import json
import re
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import apsp
from apsp.graph.labels import Label
from apsp.methods.closure.closure import Reachability
from apsp.reductions import Nearest, Summary
from apsp.result import paths
from apsp.system.array_device import to_host

ARCS = [(0, 1, 4), (1, 2, 3), (2, 0, 5), (2, 3, 2), (3, 4, 1), (4, 2, 6), (0, 4, 9), (5, 0, 2), (5, 6, 8), (6, 5, 1)]
N = 8  # the last vertex is alone

KINDS: dict[str, Any] = {
    "positions of others": [3, 0, 1, 7, 2, 6, 5, 4],
    "from 1": range(1, 9),
    "from -4": range(-4, 4),
    "integers": [30, -1, 7, 2**40, 5, 0, 100, 6],
    "strings": ["Rome", "Ostia", "1", "0", "", "b c", "ü", "None"],
    "tuples": [(0, 0), (0, 1), (1, 0), (), (0, (1, 2)), ("a",), (7,), (1, 1)],
    "mixed": [1, "1", (1,), False, 2.5, b"1", frozenset({1}), -1],
}


class Vertex:
    """A vertex in an answer: translated before the answers are compared."""

    def __init__(self, label: Any) -> None:
        self.label = label.item() if isinstance(label, np.integer) else label


Position = Callable[[int], Label]
Door = Callable[[apsp.Graph, Position], Any]


def vertices(labels: Iterable[Any]) -> list[Any]:
    """Labels of an answer; -1 and None stand for no vertex where `missing` does."""
    return [Vertex(label) for label in labels]


def test_every_kind_is_another() -> None:
    for labels in KINDS.values():
        assert len(set(labels)) == N


def graph_with(labels: Any, *, arcs: Any = ARCS, directed: bool = True) -> apsp.Graph:
    tails, heads, weights = zip(*arcs, strict=True)
    points = np.arange(2 * N, dtype=float).reshape(N, 2)
    return apsp.from_edges(tails, heads, weights, n=N, directed=directed, labels=labels, coordinates=points)


def translated(answer: Any, label: Position) -> Any:
    """The answer as plain values; vertices by what `label` makes of them."""
    if isinstance(answer, Vertex):
        return None if answer.label is None else ("vertex", label(answer.label))
    if isinstance(answer, (list, tuple)):
        return [translated(each, label) for each in answer]
    if isinstance(answer, dict):
        return {key: translated(each, label) for key, each in answer.items()}
    return answer.tolist() if isinstance(answer, (np.ndarray, np.generic)) else answer


def message(error: type[apsp.ApspError], call: Callable[[], Any]) -> list[Any]:
    """Vertices in the message of an error: what stands for them in a graph without labels is a position."""
    with pytest.raises(error) as caught:
        call()
    return [str(caught.value)]


def whole(block: Any) -> list[Any]:
    return [
        vertices(block.sources.tolist()),
        block.source_positions,
        block.distances,
        block.predecessors if block.has_predecessors else None,
    ]


def some(g: apsp.Graph, v: Position, **options: Any) -> apsp.Result:
    return apsp.solve(g, sources=[v(4), v(0)], targets=[v(2), v(7), v(4)], **options)


def missing(labels: Any) -> list[Any]:
    """Of an array in which -1 and None stand for no vertex: no vertex at all is None."""
    nothing = None if labels.dtype == object else -1
    return [None if label is nothing or (nothing == -1 and label == -1) else Vertex(label) for label in labels.ravel()]


def cycle(g: apsp.Graph, ask: Callable[[apsp.Graph], Any]) -> list[Any]:
    """The vertices of a negative cycle, from the first position on."""
    negative = graph_with(g.labels, arcs=[(3, 2, 1), (2, 6, -7), (6, 3, 2)])
    with pytest.raises(apsp.NegativeCycleError) as caught:
        ask(negative)
    found = caught.value
    assert all(repr(label)[:20] in str(found) for label in found.cycle)
    first = found.positions.index(min(found.positions))
    return [found.length, vertices(found.cycle[first:] + found.cycle[:first])]


def summary_of(found: Summary) -> list[Any]:
    pair = found.farthest_pair
    assert pair is not None
    return [
        vertices(found.sources.tolist()), found.source_positions, vertices(found.farthest.tolist()),
        found.diameter, pair.distance, Vertex(pair.source), Vertex(pair.target), vertices(found.center),
        vertices(found.periphery), vertices(found.barycenter), found.eccentricity, found.reachable, found.farness(),
        found.closeness_centrality("out"), found.harmonic_centrality("out"), found.radius,
        found.average_shortest_path_length,
        found.pairs, found.unreachable_pairs, found.total_distance,
    ]  # fmt: skip


def components_of(g: apsp.Graph, v: Position) -> list[Any]:
    found = apsp.components(g)
    members = [vertices(found.members(number).tolist()) for number in range(found.count)]
    part = found.subgraph(found.of(v(3)))
    return [members, [found.of(v(place)) for place in range(N)], vertices(part.labels), part.tails(), part.indices]


def skims(g: apsp.Graph, v: Position) -> list[Any]:
    found = apsp.skim(g, {"arcs": np.ones(g.m, dtype=int)}, zones=[v(4), v(1)], targets=v(6))
    columns = found.to_long()
    ends = [vertices(columns[name].tolist()) for name in ("origin", "destination")]
    return [vertices(found.zones.tolist()), vertices(found.targets.tolist()), found.matrices, *ends, columns["arcs"]]


def streamed(g: apsp.Graph, v: Position) -> list[Any]:
    found = apsp.stream(g, sources=[v(1), v(5), v(3)], targets=[v(0), v(6)], rows=2, paths=True)
    return [whole(block) for block in found]


def oracle_of(g: apsp.Graph) -> apsp.Oracle:
    return apsp.prepare(g)


def updated(g: apsp.Graph, v: Position) -> list[Any]:
    oracle = apsp.prepare(g)
    oracle.update(np.arange(g.m))
    return [oracle.distance(v(5), v(3)), vertices(oracle.path(v(5), v(3)))]


def saved(g: apsp.Graph, v: Position, folder: Path) -> list[Any]:
    some(g, v, paths=True).save(folder / "r.npz")
    again = apsp.load(folder / "r.npz", check=True)
    return [vertices(again.path(v(0), v(4))), vertices(again.sources.tolist()), again.distance(v(4), v(7))]


def oracle_saved(g: apsp.Graph, v: Position, folder: Path) -> list[Any]:
    oracle_of(g).save(folder / "o.npz")
    return vertices(apsp.Oracle.load(folder / "o.npz").path(v(0), v(3)))


def graph_saved(g: apsp.Graph, folder: Path) -> list[Any]:
    apsp.write(g, folder / "g.npz")
    return vertices(apsp.read(folder / "g.npz").labels)


def by_networkx(g: apsp.Graph, v: Position) -> list[Any]:
    given = g.to_networkx()
    result = apsp.solve(given, sources=[v(0)])
    return [vertices(given.nodes), vertices(result.path(v(0), v(3))), vertices(apsp.from_networkx(given).labels)]


def table(g: apsp.Graph, v: Position, **options: Any) -> list[Any]:
    columns = some(g, v).to_long(**options)
    return [vertices(columns["source"].tolist()), vertices(columns["target"].tolist()), columns["distance"]]


def nearest(g: apsp.Graph, v: Position) -> list[Any]:
    found = apsp.k_nearest(g, 3, sources=[v(2), v(7), v(0)])
    assert found.vertices.shape == found.positions.shape
    return [vertices(found.sources.tolist()), missing(found.vertices), found.positions, found.distances]


def within(g: apsp.Graph, v: Position) -> list[Any]:
    found = apsp.within(g, 9, sources=[v(2), v(7), v(2)], targets=[v(0), v(7), v(3)], next_hop=True)
    blocks = apsp.stream_within(g, 9, sources=v(2), targets=[v(0), v(7), v(3)], rows=1)
    row, again = found[v(2)], next(blocks)[v(2)]
    assert (v(2) in found, v(1) in found) == (True, False)
    assert again.targets.tolist() == row.targets.tolist()
    return [
        vertices(found.sources.tolist()), vertices(row.targets.tolist()), vertices(found.targets.tolist()),
        missing(found.next_hops), found.distances, found.positions, found.to_scipy().toarray(),
    ]  # fmt: skip


def places(g: apsp.Graph, v: Position) -> list[Any]:
    homes = g.snap({"a": (1, 2), "b": (4.5, 5.5)}, crs="plane", speed=1)
    mixed = apsp.matrix(g, homes, [v(3), v(4)])
    table = apsp.table(g, homes, {"c": (6, 7.5)}, crs="plane", speed=1)
    again = apsp.matrix(g, [v(2), v(0)], homes)
    assert mixed.distance("a", v(4)) == mixed.distances[0, 1]
    return [vertices(mixed.targets.tolist()), mixed.distances, table.distances, vertices(again.sources.tolist())]


def by_departure(g: apsp.Graph, v: Position) -> apsp.ArrivalProfiles:
    day = g.with_periods([g.weights, g.weights * 3])
    return apsp.arrival_profiles(day, (0, 9), times=[0, 9], sources=[v(4), v(0)], targets=[v(3), v(1)])


def clock(g: apsp.Graph, v: Position) -> apsp.Arrivals:
    day = g.with_periods([g.weights, g.weights * 3])
    return apsp.earliest_arrivals(day, [0, 2], times=[0, 9], sources=[v(4), v(0)], targets=[v(3), v(1)])


def container(g: apsp.Graph, v: Position) -> list[Any]:
    assert (v(3) in g, v(3) in g.nodes, len(g), len(g.edges)) == (True, True, N, g.m)
    lengths = {head: length for tail, head, length in g.edges.data() if tail == v(4)}
    assert lengths == dict(g[v(4)])
    assert all((v(4), head) in g.edges for head in lengths)
    degrees = [[Vertex(vertex), degree] for vertex, degree in g.degree]
    edges = [vertices(edge) for edge in g.edges]
    return [vertices(g), vertices(g.nodes), edges, degrees, g.degree[v(4)], vertices(lengths), list(lengths.values())]


def facilities(g: apsp.Graph, v: Position) -> list[Any]:
    found = [apsp.nearest(g, [v(2), v(7)], 3, direction=direction) for direction in ("to", "from")]
    return [[missing(each.facilities), each.positions, each.distances] for each in found]


def paths_of(g: apsp.Graph, v: Position) -> apsp.ManyPaths:
    return oracle_of(g).paths([v(4), v(1), v(6)], [v(0), v(3), v(6)])


def compromises(g: apsp.Graph, v: Position) -> apsp.ParetoPaths:
    return apsp.pareto(g.with_costs(toll=np.arange(g.m) % 3), "toll", [v(4), v(0)], v(3))


def access(g: apsp.Graph, v: Position) -> list[Any]:
    found = apsp.accessibility(g, {v(2): 5, v(6): 7}, cutoffs=[3, 9], sources=[v(2), v(7), v(0)], direction="in")
    return [vertices(found.sources.tolist()), found.values]


def undirected(g: apsp.Graph) -> apsp.Graph:
    return apsp.from_edges(g.tails(), g.indices, g.weights, n=g.n, directed=False, labels=g.labels)


def sets(g: apsp.Graph, v: Position) -> list[Any]:
    found = apsp.distance_statistics(g, {v(2): "x", v(6): "y", v(0): "x"}, quantiles=[0.5], bins=8)
    each = apsp.distance_statistics(g, [{v(2), v(6)}], per="source", sources=[v(7), v(2)])
    return [found.pairs, found.total, found.quantiles, found.counts, vertices(each.sources.tolist()), each.total]


def straightness(g: apsp.Graph, v: Position) -> list[Any]:
    graph = apsp.Graph(g.indptr, g.indices, labels=g.labels, coordinates=np.arange(2.0 * N).reshape(N, 2) ** 2)
    return [
        apsp.straightness_centrality(graph, crs="plane", vertices=[v(2), v(6), v(2)]),
        apsp.straightness_centrality(graph, crs="plane", vertices=v(4)),
    ]


def turns(g: apsp.Graph, v: Position) -> list[Any]:
    turned = apsp.with_turns(g, [(v(1), v(2), v(3)), (v(0), v(4), v(2), 3)])
    result, oracle, ends = apsp.solve(turned, paths=True), apsp.prepare(turned), (v(1), v(3))
    near, facilities = apsp.within(turned, 9), apsp.nearest(turned, [v(2), v(5)])
    return [
        vertices(turned.labels), vertices(result.sources), vertices(result.targets), result.distances,
        vertices(result.path(*ends)), Vertex(result.next_hop(*ends)), vertices(apsp.shortest_path(turned, *ends)),
        apsp.distance(turned, *ends), apsp.distances(turned, [v(0)], [v(2)]), vertices(oracle.path(*ends)),
        oracle.matrix([v(0)], [v(2), v(3)]), vertices(near[v(1)].targets), near[v(1)].distances,
        missing(facilities.facilities),
    ]  # fmt: skip


def lines(g: apsp.Graph, v: Position) -> list[Any]:
    found = apsp.line_graph(g)
    return [found.leaving(v(2)), found.entering(v(4)), found.links, found.graph.indices, found.graph.weights]


def isochrones(g: apsp.Graph, v: Position) -> list[Any]:
    found = apsp.isochrone(g, [v(2), v(7)], [3, 9])
    tails, heads, fractions = found.arcs(v(7), 3)
    named = [vertices(each.tolist()) for each in (found.vertices(v(2)), tails, heads, found.sources)]
    return [*named, fractions, vertices(found.to_long()["vertex"].tolist())]


def areas(g: apsp.Graph, v: Position) -> list[Any]:
    pytest.importorskip("shapely")
    placed = apsp.from_edges(
        g.tails(), g.indices, g.weights, n=N, labels=g.labels, coordinates=np.stack([np.arange(N), np.arange(N) % 3], 1)
    )
    found = apsp.isochrone(placed, [v(2), v(7)], [3, 9]).areas(width=0.1, crs="plane")
    blocks = apsp.stream_isochrones(placed, [v(2), v(7)], [3, 9], width=0.1, crs="plane", rows=1)
    rows = [each.__geo_interface__["features"] for each in (found, *blocks)]
    lines = placed.path_features([[v(0), v(1), v(2)]])
    features = placed.features({"value": range(N)}), placed.features(of="arcs")
    return [
        [[Vertex(row["properties"]["source"]), row["geometry"]] for part in rows for row in part],
        [row.wkt for row in lines.geometries], vertices(lines.table.to_dict()["target"].tolist()),
        [vertices(each.table.to_dict()[name].tolist())
         for each, names in zip(features, (["vertex"], ["tail", "head"]), strict=True) for name in names],
    ]  # fmt: skip


def closure(g: apsp.Graph, v: Position) -> list[Any]:
    found = apsp.reachable(g)
    return [[found.reaches(v(a), v(b)) for a in range(N) for b in range(N)], found.row(v(5)), found.to_numpy()]


def words(g: apsp.Graph, v: Position) -> list[Any]:
    """Messages name vertices by their labels."""
    result = some(g, v)
    told = [
        message(apsp.NoPathError, lambda: apsp.solve(g).path(v(0), v(7))),
        message(apsp.RequestError, lambda: result.distance(v(1), v(2))),
        message(apsp.RequestError, lambda: result.distance(v(0), v(3))),
        message(apsp.GraphError, lambda: paths.replay(g, [v(0), v(1), v(5)])),
        message(apsp.NoPathError, lambda: oracle_of(g).path(v(0), v(6))),
        message(apsp.GraphError, lambda: oracle_of(g).update(np.where(g.tails() == 4, np.nan, 1.0))),
        message(apsp.VerificationError, lambda: apsp.Result(g, np.zeros((N, N), np.int32)).verify()),
    ]
    expected = [(0, 7), (1,), (3,), (1, 5), (0, 6), (4,), ()]
    for (text,), places in zip(told, expected, strict=True):
        for place in places:
            assert repr(v(place)) in text
    return [True]


def drawn(g: apsp.Graph, v: Position) -> list[Any]:
    pytest.importorskip("matplotlib")
    result = apsp.solve(g)
    figure = result.plot(v(0), v(3))
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts[:2] == [str(v(0)), str(v(3))]  # the others are the names of all vertices
    return [len(texts)]


def explored(g: apsp.Graph, explore: Any, **ends: Any) -> list[Any]:
    with tempfile.TemporaryDirectory() as folder:
        explore(Path(folder) / "map.html", **ends)
        page = (Path(folder) / "map.html").read_text(encoding="utf-8")
    header = json.loads(page.partition('id="header">')[2].partition("</script>")[0])
    return vertices([g.labels[position] for position in [*header["sources"], header["target"]]])


def drawn_route(g: apsp.Graph, route: list[Any]) -> int:
    pytest.importorskip("matplotlib")
    texts = [text.get_text() for text in g.plot(route=route).axes[0].texts]
    assert texts[:2] == [str(route[0]), str(route[-1])]
    return len(texts)


def framed(g: apsp.Graph, v: Position) -> list[Any]:
    pytest.importorskip("pandas")
    frame = some(g, v).to_pandas()
    return [vertices(frame.index), vertices(frame.columns), frame.to_numpy()]


def in_columns(package: str, method: str, to_dict: Callable[[Any], dict[str, list[Any]]]) -> Door:
    """A table of a library whose columns have one type: others labels are refused, and to_long has them."""

    def columns(g: apsp.Graph, v: Position) -> list[Any]:
        pytest.importorskip(package)
        try:
            found = to_dict(getattr(some(g, v), method)())
        except apsp.RequestError as error:
            is_expected = "has no type for labels such as" in str(error)
            found = {name: column.tolist() for name, column in some(g, v).to_long().items()}
        else:
            is_expected = True
        assert is_expected
        return [vertices(found["source"]), vertices(found["target"]), found["distance"]]

    return columns


def in_series(g: apsp.Graph, _: Position) -> list[Any]:
    pytest.importorskip("pandas")
    series = g.to_series(np.arange(g.n))
    return [vertices(series.index.tolist()), series.tolist()]


def in_xarray(g: apsp.Graph, v: Position) -> list[Any]:
    pytest.importorskip("xarray")
    found = some(g, v).to_xarray()
    return [vertices(found.source.values.tolist()), vertices(found.target.values.tolist()), found.to_numpy()]


DOORS: dict[str, Door] = {
    "solve": lambda g, v: [apsp.solve(g, sources=v(4)).distances, some(g, v).distances, cycle(g, apsp.solve)],
    "plan": lambda g, v: [apsp.plan(g, sources=[v(4)], targets=v(1)).method, cycle(g, apsp.solve)],
    "stream": streamed,
    "Block": streamed,
    "profile": lambda g, v: vertices(
        apsp.profile(g, method="harish-fw", sources=[v(6), v(1)], targets=v(3)).result.sources.tolist()
    ),
    "solve_batch": lambda g, _: [
        [matrix.tolist() for matrix in apsp.solve_batch([g, g.unweighted()])],
        cycle(g, lambda negative: apsp.solve_batch([g, negative])),
    ],
    "reachable": closure,
    "summary": lambda g, v: summary_of(apsp.summary(g, sources=[v(5), v(1), v(0)])),
    "average_shortest_path_length": lambda g, v: apsp.average_shortest_path_length(g, sources=v(2)),
    "barycenter": lambda g, _: vertices(apsp.barycenter(g)),
    "approximate_betweenness_centrality": lambda g, _: apsp.approximate_betweenness_centrality(g, 3, seed=1).values,
    "BetweennessEstimate": lambda g, _: vertices(
        apsp.approximate_betweenness_centrality(g, 3, seed=1).sources.tolist()
    ),
    "arc_flows": lambda g, v: apsp.arc_flows(g, [[3, 4]], sources=v(5), targets=[v(1), v(3)]).arcs,
    "ArcFlows": lambda g, v: apsp.arc_flows(g, [[3]], sources=[v(0)], targets=[v(2)], ties="first").vertices,
    "betweenness_centrality": lambda g, v: [
        apsp.betweenness_centrality(g), apsp.betweenness_centrality(g, sources=[v(5), v(1)], targets=v(3)),
    ],
    "center": lambda g, _: vertices(apsp.center(g)),
    "closeness_centrality": lambda g, v: [
        apsp.closeness_centrality(g, direction=direction, vertices=some)
        for direction in ("in", "out") for some in (None, [v(3), v(0)])
    ],
    "components": lambda g, v: components_of(g, v),
    "Components": lambda g, v: components_of(g, v),
    "extremes": lambda g, v: vertices(
        [(found := apsp.extremes(g)).farthest_pair.source, found.farthest_pair.target, found.center_vertex]
    ),
    "diameter": lambda g, v: [apsp.diameter(g), apsp.diameter(g, sources=v(3))],
    "distance_histogram": lambda g, v: apsp.distance_histogram(g, sources=[v(0)]).counts,
    "eccentricity": lambda g, v: apsp.eccentricity(g, sources=[v(2), v(6)]),
    "edge_betweenness_centrality": lambda g, v: [
        apsp.edge_betweenness_centrality(g), apsp.edge_betweenness_centrality(g, sources=v(5), targets=[v(1), v(3)]),
    ],
    "global_efficiency": lambda g, _: apsp.global_efficiency(g),
    "farness": lambda g, v: [apsp.farness(g, vertices=[v(2), v(6)]), apsp.farness(g, direction="in", vertices=v(2))],
    "harmonic_centrality": lambda g, v: [apsp.harmonic_centrality(g), apsp.harmonic_centrality(g, vertices=v(4))],
    "straightness_centrality": straightness,
    "k_nearest": nearest,
    "distance": lambda g, v: [
        [apsp.distance(g, v(4), v(place)) for place in range(N)], cycle(g, lambda bad: apsp.distance(bad, v(3), v(2))),
    ],
    "shortest_path": lambda g, v: [
        vertices(apsp.shortest_path(g, v(4), v(3))),
        len(message(apsp.NoPathError, lambda: apsp.shortest_path(g, v(0), v(6)))),
    ],
    "distances": lambda g, v: [
        apsp.distances(g, [v(4), v(0), v(4)], [v(3), v(3), v(4)]), apsp.distances(g, v(4), [v(1), v(3)])
    ],
    "alternatives": lambda g, v: [
        [vertices(path) for path in apsp.alternatives(g, v(4), v(3), stretch=2)],
        apsp.alternatives(g, [v(4), v(0)], v(3), 3).distances,
    ],
    "pareto": lambda g, v: [
        [vertices(path) for path in compromises(g, v)], compromises(g, v).distances, compromises(g, v).costs
    ],
    "shortest_simple_paths": lambda g, v: [
        [vertices(path) for path in apsp.shortest_simple_paths(g, v(4), v(3), 3)],
        apsp.shortest_simple_paths(g, [v(4), v(0)], v(3), 3).distances,
    ],
    "shortest_walks": lambda g, v: [
        [vertices(path) for path in apsp.shortest_walks(g, v(4), v(3), 3)],
        apsp.shortest_walks(g, [v(4), v(0)], v(3), 3).distances,
    ],
    "arrival_profiles": lambda g, v: [
        (found := by_departure(g, v)).arrivals, vertices(found.sources.tolist()), vertices(found.targets.tolist())
    ],
    "ArrivalProfiles": lambda g, v: [
        *by_departure(g, v).points(v(4), v(3)), vertices(by_departure(g, v).to_long()["target"].tolist())
    ],
    "earliest_arrivals": lambda g, v: [
        (found := clock(g, v)).arrivals, vertices(found.sources.tolist()), vertices(found.targets.tolist())
    ],
    "Arrivals": lambda g, v: [
        vertices(clock(g, v).path(v(4), v(3), departure=2)), vertices(clock(g, v).to_long()["target"].tolist())
    ],
    "matrix": lambda g, v: [
        apsp.matrix(g, [v(4), v(0)], [v(3)]).distances, vertices(apsp.matrix(g, [v(4), v(0)]).sources.tolist())
    ],
    "Graph.nodes": container,
    "Graph.edges": container,
    "Graph.degree": container,
    "Graph.subgraph": lambda g, v: [
        vertices(part := g.subgraph([v(4), v(2), v(6)])), part.tails(), part.indices, part.weights
    ],
    "Graph.snap": places,
    "Places": places,
    "PlaceMatrix": places,
    "table": places,
    "within": within,
    "stream_within": within,
    "NearPairs": within,
    "NearPairBlocks": within,
    "skim": skims,
    "local_efficiencies": lambda g, v: apsp.local_efficiencies(g, vertices=[v(4), v(0)]),
    "layout": lambda g, _: apsp.layout(g),
    "local_efficiency": lambda g, _: apsp.local_efficiency(g),
    "nearest": facilities,
    "isochrone": isochrones,
    "line_graph": lines,
    "LineGraph": lines,
    "with_turns": turns,
    "TurnGraph": turns,
    "stream_isochrones": areas,
    "IsochroneAreas": areas,
    "IsochroneBlocks": areas,
    "Features": areas,
    "Graph.features": areas,
    "Graph.path_features": areas,
    "accessibility": access,
    "distance_statistics": sets,
    "periphery": lambda g, _: vertices(apsp.periphery(g)),
    "radius": lambda g, v: apsp.radius(g, sources=[v(2), v(6)]),
    "wiener_index": lambda g, _: apsp.wiener_index(g),
    "hyper_wiener_index": lambda g, _: apsp.hyper_wiener_index(undirected(g)),
    "schultz_index": lambda g, _: apsp.schultz_index(undirected(g)),
    "gutman_index": lambda g, _: apsp.gutman_index(undirected(g)),
    "prepare": lambda g, v: [oracle_of(g).distance(v(0), v(3)), cycle(g, apsp.prepare)],
    "write": lambda _g, _v: None,  # with a folder, below
    "read": lambda _g, _v: None,
    "load": lambda _g, _v: None,
    "StoredResult": lambda _g, _v: None,  # of labels too: tests/store/test_stored_result.py
    "StoredNearPairs": lambda _g, _v: None,  # of labels too: tests/store/test_near_pairs.py
    "StoredPeriodSkims": lambda _g, _v: None,  # of the labels of StoredSkims
    "StoredSkims": lambda _g, _v: None,  # of labels too: tests/store/test_skims.py
    "from_dense": lambda g, v: apsp.solve(apsp.from_dense(g.to_dense(), labels=g.labels)).distance(v(0), v(2)),
    "from_edges": lambda g, v: [
        apsp.solve(apsp.from_edges([0, 1], [1, 2], n=N, labels=g.labels)).distance(v(0), v(2)),
        apsp.solve(apsp.from_edges({"u": [v(0), v(1)], "v": [v(1), v(2)]})).distance(v(0), v(2)),
    ],
    "as_graph": lambda g, v: apsp.solve(apsp.as_graph(g, weight=None)).distance(v(0), v(2)),
    "from_scipy": lambda g, v: apsp.solve(apsp.from_scipy(g.to_scipy(), labels=g.labels)).distance(v(0), v(2)),
    "from_networkx": by_networkx,
    # of a graph
    "Graph.labels": lambda g, _: vertices(g.labels),
    "Graph.index": lambda g, v: [g.index(v(place)) for place in range(N)],
    "Graph.word": lambda g, v: g.word(3) == repr(v(3)) or g.word(3),
    "Graph.reversed": lambda g, v: vertices(apsp.solve(g.reversed()).path(v(3), v(0))),
    "Graph.with_weights": lambda g, v: vertices(apsp.solve(g.with_weights(g.weights * 3)).path(v(5), v(1))),
    "Graph.without_edges": lambda g, v: [
        vertices(less := g.without_edges(list(g.edges)[:2])), less.indices, less.weights,
        g.with_weights({next(iter(g.edges)): 7}).weights,
    ],
    "Graph.with_coordinates": lambda g, v: vertices(
        apsp.solve(g.with_coordinates(np.zeros((g.n, 2)))).path(v(5), v(1))
    ),
    "Graph.with_costs": lambda g, v: vertices(apsp.solve(g.with_costs(toll=g.weights)).path(v(5), v(1))),
    "Graph.with_periods": lambda g, v: vertices(apsp.solve(g.with_periods([g.weights * 3])[0]).path(v(5), v(1))),
    "Graph.unweighted": lambda g, v: vertices(apsp.solve(g.unweighted()).path(v(5), v(1))),
    "Graph.to_networkx": by_networkx,
    "Graph.to_series": in_series,
    # of a result
    "Result.distance": lambda g, v: [apsp.solve(g).distance(v(0), v(3)), some(g, v).distance(v(4), v(7))],
    "Result.path": lambda g, v: [vertices(p.path(v(5), v(3))) for p in (apsp.solve(g), apsp.solve(g, paths=True))],
    "Result.paths": lambda g, v: [vertices(p) for p in apsp.solve(g).paths([v(0), v(2), v(6)], [v(7), v(4), v(6)])],
    "Result.next_hop": lambda g, v: [Vertex(apsp.solve(g).next_hop(v(0), v(place))) for place in range(N)],
    "Result.sources": lambda g, v: [vertices(some(g, v).sources), vertices(apsp.solve(g).sources.tolist())],
    "Result.targets": lambda g, v: [vertices(some(g, v).targets), vertices(apsp.solve(g).targets.tolist())],
    "Result.to_scipy": lambda g, v: some(g, v).to_scipy().toarray().tolist(),
    "Result.to_long": lambda g, v: [table(g, v), table(g, v, only_reachable=False)],
    "Result.to_dict": lambda g, v: [
        [Vertex(source), [[Vertex(target), distance] for target, distance in row.items()]]
        for source, row in some(g, v).to_dict(only_reachable=False).items()
    ],
    "Result.to_pandas": framed,
    "Result.to_xarray": in_xarray,
    "Result.to_polars": in_columns("polars", "to_polars", lambda frame: frame.to_dict(as_series=False)),
    "Result.to_arrow": in_columns("pyarrow", "to_arrow", lambda table: table.to_pydict()),
    "result[source, target]": lambda g, v: [
        apsp.solve(g)[v(0), v(3)], some(g, v)[v(4), :], some(g, v)[[v(0), v(4)], [v(7), v(2)]],
        message(apsp.RequestError, lambda: some(g, v)[[v(1)], :])[:0],
    ],
    "Result.predecessors": lambda g, _: apsp.solve(g, paths=True).predecessors,
    "Result.count": lambda g, v: [apsp.solve(g, counts=True).count(v(5), v(place)) for place in range(N)],
    "Result.counts": lambda g, v: apsp.solve(g, sources=[v(5), v(0)], counts=True).counts,
    "Result.all_paths": lambda g, v: [vertices(p) for p in apsp.solve(g).all_paths(v(5), v(3))],
    "Result.tied_predecessors": lambda g, v: [part.tolist() for part in apsp.solve(g).tied_predecessors(v(5))],
    "Result.next_hops": lambda g, _: apsp.solve(g, paths=True).next_hops(),
    "Result.via": lambda g, _: apsp.solve(g, paths=True).via(),
    "Result.verify": words,
    "Result.save": lambda _g, _v: None,
    # of an oracle
    "PeriodSkims": lambda g, v: [
        vertices((found := apsp.skim(g.with_periods([g.weights, g.weights * 3]), zones=[v(4), v(1)])).zones.tolist()),
        found.by_cost("cost"),
    ],
    "PeriodOracle": lambda g, v: [
        apsp.prepare(day := g.with_periods([g.weights, g.weights * 3])).matrix([v(4), v(1)], v(3)),
        apsp.prepare(day).distances([v(4), v(1), v(6)], [v(0), v(3), v(6)]),
        apsp.prepare(day).distance(v(0), v(3), period=1),
        apsp.prepare(day).rows(v(4)),
    ],
    "Oracle.order": lambda g, v: vertices(
        apsp.prepare(g, order=[v(position) for position in (6, 4, 2, 0, 1, 3, 5, *range(7, N))]).order.tolist()
    ),
    "Oracle.distance": lambda g, v: [oracle_of(g).distance(v(a), v(b)) for a in range(N) for b in range(N)],
    "Oracle.path": lambda g, v: vertices(oracle_of(g).path(v(6), v(3))),
    "Oracle.paths": lambda g, v: [
        [vertices(path) for path in paths_of(g, v)], paths_of(g, v).positions, paths_of(g, v).distances,
    ],
    "Oracle.stream_paths": lambda g, v: [
        vertices(path) for block in oracle_of(g).stream_paths(v(4), [v(0), v(3)], pairs=1) for path in block
    ],
    "Oracle.rows": lambda g, v: oracle_of(g).rows([v(4), v(1)]),
    "Oracle.matrix": lambda g, v: [oracle_of(g).matrix([v(4), v(1)], v(3)), oracle_of(g).matrix(v(0), [v(2), v(0)])],
    "Oracle.distances": lambda g, v: oracle_of(g).distances([v(4), v(1), v(6)], [v(0), v(3), v(6)]),
    "Oracle.stream": lambda g, v: [whole(block) for block in oracle_of(g).stream(sources=[v(3), v(5)], rows=1)],
    "Oracle.summary": lambda g, v: [
        summary_of(oracle_of(g).summary(sources=[v(3), v(5)])), summary_of(oracle_of(g).summary(bins=8)),
    ],
    "Oracle.update": updated,
    "Oracle.save": lambda _g, _v: None,
    "Oracle.load": lambda _g, _v: None,
    # and of what measures give
    "Summary": lambda g, _: summary_of(apsp.summary(g, bins=4, columns=True)),
    "MostCentral": lambda g, v: vertices(
        apsp.harmonic_centrality(g, top=3, vertices=[v(5), v(0), v(1), v(2)]).vertices.tolist()
    ),
    "Nearest": nearest,
    "Skims": skims,
    "NearestFacilities": facilities,
    "ManyPaths": lambda g, v: [vertices(path) for path in paths_of(g, v)],
    "ParetoPaths": lambda g, v: [
        (found := compromises(g, v).to_long()), vertices(found.pop("source").tolist()),
        vertices(found.pop("target").tolist()),
    ],
    "Accessibility": access,
    "DistanceStatistics": sets,
    "Isochrones": isochrones,
    "Reachability": closure,
    "apsp.result.paths.replay": lambda g, v: paths.replay(g, [v(5), v(0), v(1)]),
    "Result.plot": drawn,
    "Graph.plot": lambda g, v: [drawn_route(g, [v(0), v(1), v(2)])],
    "Graph.explore": lambda g, v: explored(g, g.explore, sources=[v(4), v(1)], target=v(3)),
    "Oracle.explore": lambda g, v: explored(g, oracle_of(g).explore, sources=[v(4), v(1)], target=v(3)),
    "Result.explore": lambda g, v: explored(g, apsp.solve(g, sources=[v(4)]).explore, target=v(3)),
}  # fmt: skip

NO_VERTICES = {
    "Graph": "its members follow; its constructor takes positions and labels",
    "Oracle": "its members follow",
    "Result": "its members follow",
    "Periods": "graphs by the names of periods",
    "Plan": "counts sources and targets",
    "generate": "makes graphs without labels",
    "list_methods": "lists methods",
    "Method": "describes a method",
    "Map": "a page: Graph.explore",
    "Profile": "counts; its result is a Result",
    "Histogram": "counts pairs",
    "BatchPaths": "vertices of many graphs by position",
    "Extremes": "with the answers of `extremes`",
    "Extreme": "Summary.farthest_pair, with the answers of `summary`",
    "product": "of matrices",
    "read_omx": "the labels in the file",
    "unreachable": "of a dtype",
    **dict.fromkeys(
        (
            "Graph.arc_weights", "Graph.coordinates", "Graph.costs", "Graph.crs", "Graph.directed", "Graph.indices",
            "Graph.indptr", "Graph.links", "Graph.m", "Graph.n", "Graph.tails", "Graph.zones", "Graph.to_dense",
            "Graph.to_edges", "Graph.to_scipy", "Graph.weights",
            "Result.check", "Result.has_counts", "Result.has_predecessors", "Result.to_numpy", "Result.to_scipy",
            "Oracle.dtype", "Oracle.graph", "Oracle.nbytes", "Oracle.turned",
        ),
        "arrays by position, or the functions above",
    ),
    **dict.fromkeys(
        (
            "Graph.crs", "Graph.has_labels", "Graph.has_integer_weights", "Graph.has_negative_arc", "Graph.has_zones",
            "Graph.has_zero_arc", "Graph.is_weighted", "Graph.longest_arc", "Graph.max_out_degree", "Graph.mean_weight",
            "Graph.weight_dtype", "Graph.weight_range",
        ),
        "facts",
    ),
}  # fmt: skip


def public_names() -> set[str]:
    names = {name for name in apsp.__all__ if not name.startswith("_")}
    names -= {name for name in names if _is_error(getattr(apsp, name))}
    for kind in (apsp.Graph, apsp.Result, apsp.Oracle):
        names |= {f"{kind.__name__}.{name}" for name in dir(kind) if not name.startswith("_")}
    return names


def _is_error(value: Any) -> bool:
    return inspect.isclass(value) and issubclass(value, Exception)


def test_every_public_name_is_here() -> None:
    known = DOORS.keys() | NO_VERTICES.keys()
    assert public_names() - known == set(), "does it take or give vertices? It belongs into DOORS or NO_VERTICES"
    others = {"apsp.result.paths.replay", "result[source, target]"}
    assert known - public_names() - others == set(), "no longer public"


@pytest.mark.few(330)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("door", DOORS)
def test_answers_are_those_of_positions(door: str, kind: str) -> None:
    labels = list(KINDS[kind])
    plain = DOORS[door](graph_with(None), lambda position: position)
    named = DOORS[door](graph_with(KINDS[kind]), labels.__getitem__)
    assert repr(translated(named, lambda label: label)) == repr(translated(plain, labels.__getitem__))


@pytest.mark.parametrize("kind", KINDS)
def test_files_keep_labels(kind: str, tmp_path: Path) -> None:
    labels = list(KINDS[kind])
    plain, named = graph_with(None), graph_with(KINDS[kind])
    for ask in (
        lambda g, v: saved(g, v, tmp_path),
        lambda g, v: oracle_saved(g, v, tmp_path),
        lambda g, _: graph_saved(g, tmp_path),
    ):
        ours = translated(ask(named, labels.__getitem__), lambda label: label)
        assert repr(ours) == repr(translated(ask(plain, lambda position: position), labels.__getitem__))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "positions of others"])
def test_positions_are_no_labels(kind: str) -> None:
    graph = graph_with(KINDS[kind])
    wrong = next(place for place in range(N + 1) if place not in set(KINDS[kind]))
    result, oracle = apsp.solve(graph), apsp.prepare(graph)
    label = graph.labels[0]
    for ask in (
        lambda: result.distance(wrong, label),
        lambda: result.distance(label, wrong),
        lambda: result.path(wrong, label),
        lambda: result.next_hop(label, wrong),
        lambda: result.paths([label], [wrong]),
        lambda: oracle.distance(wrong, label),
        lambda: oracle.path(label, wrong),
        lambda: oracle.rows(wrong),
        lambda: oracle.matrix([label], [wrong]),
        lambda: oracle.stream(sources=[wrong]),
        lambda: apsp.solve(graph, sources=[wrong]),
        lambda: apsp.solve(graph, targets=np.array([wrong])),
        lambda: apsp.k_nearest(graph, 2, sources=[wrong]),
        lambda: apsp.eccentricity(graph, sources=wrong),
        lambda: apsp.reachable(graph).reaches(label, wrong),
        lambda: apsp.reachable(graph).row(wrong),
        lambda: paths.replay(graph, [wrong]),
        lambda: graph.index(wrong),
    ):
        with pytest.raises(apsp.GraphError, match=f"no vertex {wrong}"):
            ask()


def test_networkx_and_ours_agree_on_every_measure() -> None:
    source = nx.relabel_nodes(nx.karate_club_graph(), lambda node: (f"member {node}", 33 - node))
    for u, v, data in source.edges(data=True):
        data["weight"] = 1 + (u[1] * v[1]) % 7
    result = apsp.solve(source, paths=True)
    theirs = dict(nx.all_pairs_dijkstra_path_length(source))
    for u in source:
        for v in source:
            assert result.distance(u, v) == theirs[u][v]
            assert nx.path_weight(source, result.path(u, v), "weight") == theirs[u][v]
    eccentricity = nx.eccentricity(source, sp=theirs)
    assert dict(zip(source, apsp.eccentricity(source).tolist(), strict=True)) == eccentricity
    assert sorted(apsp.center(source)) == sorted(nx.center(source, e=eccentricity))
    assert apsp.diameter(source) == nx.diameter(source, e=eccentricity)
    longest = apsp.summary(source).farthest_pair
    assert longest is not None
    assert theirs[longest.source][longest.target] == longest.distance == apsp.diameter(source)
    closeness = nx.closeness_centrality(source, distance="weight")
    assert dict(zip(source, apsp.closeness_centrality(source).tolist(), strict=True)) == pytest.approx(closeness)


def test_raw_arrays_say_that_they_are_positions() -> None:
    for member in (apsp.Result.predecessors, apsp.Result.next_hops, apsp.Result.via):
        assert re.search("positions", str(inspect.getdoc(member)))


@pytest.mark.parametrize("device", ["emulated"])
@pytest.mark.parametrize("kind", ["positions of others", "mixed"])
def test_on_an_emulated_gpu(device: str, kind: str) -> None:
    graph, labels = graph_with(KINDS[kind]), list(KINDS[kind])
    result = apsp.solve(graph, method="floyd-warshall", device=device, paths=True, sources=[labels[5]])
    assert result.path(labels[5], labels[3]) == [labels[place] for place in (5, 0, 1, 2, 3)]
    assert to_host(result.distances).tolist() == apsp.solve(graph, sources=[labels[5]]).distances.tolist()


def test_types_of_the_tables() -> None:
    assert isinstance(apsp.summary(graph_with(None)), Summary)
    assert isinstance(apsp.k_nearest(graph_with(None), 1), Nearest)
    assert isinstance(apsp.reachable(graph_with(None)), Reachability)
