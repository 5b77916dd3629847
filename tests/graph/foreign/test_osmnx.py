"""Street networks of OSMnx: graphs of NetworkX with other conventions."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

import apsp


def streets() -> nx.MultiDiGraph:
    """As OSMnx returns them: identifiers of OpenStreetMap, x and y, several edges between two crossings."""
    made = nx.MultiDiGraph(crs="epsg:4326")
    for name, x, y in ((3021155743, 12.49, 41.89), (25278317, 12.51, 41.9), (7, 12.5, 41.88)):
        made.add_node(name, x=x, y=y, street_count=3)
    for u, v, length, time in (
        (3021155743, 25278317, 120.5, 9.0), (3021155743, 25278317, 80.25, 12.0), (25278317, 7, 40.5, 2.5),
        (7, 3021155743, 300.0, 20.0), (7, 7, 10.0, 1.0),
    ):  # fmt: skip
        made.add_edge(u, v, length=length, travel_time=time, osmid=1, highway="primary")
    return made


def test_lengths_identifiers_and_coordinates() -> None:
    given = streets()
    graph = apsp.as_graph(given)
    assert list(graph.labels) == list(given)
    assert graph.coordinates.tolist() == [[12.49, 41.89], [12.51, 41.9], [12.5, 41.88]]
    assert apsp.solve(given).to_dict() == dict(nx.all_pairs_dijkstra_path_length(given, weight="length"))
    assert apsp.solve(apsp.from_networkx(given)).distance(3021155743, 7) == 120.75


def test_travel_times_hops_and_undirected_networks() -> None:
    given = streets()
    for weight in ("travel_time", "length", None):
        own = dict(nx.all_pairs_dijkstra_path_length(given, weight=weight or (lambda *_: 1)))
        assert apsp.solve(apsp.as_graph(given, weight=weight)).to_dict() == own
    both = given.to_undirected()
    assert not apsp.as_graph(both).directed
    assert apsp.solve(both).to_dict() == {
        u: dict(row) for u, row in nx.all_pairs_dijkstra_path_length(both, weight="length")
    }


def test_an_attribute_weight_and_other_graphs_stay_as_in_networkx() -> None:
    given = streets()
    nx.set_edge_attributes(given, 2, "weight")
    assert apsp.solve(given).distance(3021155743, 7) == 4
    plain = nx.Graph([("a", "b", {"length": 7})])
    assert apsp.solve(plain).distance("a", "b") == 1
    assert apsp.as_graph(plain).coordinates is None
    assert apsp.as_graph(nx.Graph(crs="none")).n == 0


def test_osmnx_itself() -> None:
    osmnx = pytest.importorskip("osmnx")
    given = osmnx.routing.add_edge_travel_times(osmnx.routing.add_edge_speeds(streets(), fallback=50))
    graph = apsp.as_graph(given, weight="travel_time")
    path = osmnx.routing.shortest_path(given, 3021155743, 7, weight="travel_time")
    result = apsp.solve(graph, paths=True)
    assert result.path(3021155743, 7) == path
    assert np.isclose(result.distance(3021155743, 7), nx.path_weight(nx.DiGraph(given), path, "travel_time"))
