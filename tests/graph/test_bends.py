"""Bends of streets: kept by graphs, files, pickles and readers, and followed by snap, beside exact arithmetic."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import apsp
from apsp.errors import FileFormatError, GraphError, RequestError
from apsp.graph.bends import Bends
from apsp.graph.files.write import losses
from apsp.graph.links import Rows
from apsp.graph.places.placed import with_places

PLACES = [[0, 0], [10, 0], [10, 10]]


def bent(**options: Any) -> apsp.Graph:
    """Three vertices; the street between 0 and 1 is 30 long, that between 1 and 2 straight."""
    return apsp.from_edges(
        [0, 1], [1, 2], [30, 10], coordinates=PLACES, crs="plane", bends=[[[0, 10], [10, 10]], None], **options
    )


def of_arcs(graph: apsp.Graph) -> dict[tuple[Any, Any], list[list[float]]]:
    tails = graph.tails()
    assert graph.links is not None
    bends = graph.links.bends_of(np.arange(graph.m), tails)
    assert bends is not None
    ends = zip(tails.tolist(), graph.indices.tolist(), strict=True)
    return {(graph.labels[u], graph.labels[v]): each.tolist() for (u, v), each in zip(ends, bends, strict=True)}


THERE, BACK = [[0.0, 10.0], [10.0, 10.0]], [[10.0, 10.0], [0.0, 10.0]]


def test_arcs_have_the_bends_of_their_links_in_their_direction() -> None:
    assert of_arcs(bent()) == {(0, 1): THERE, (1, 2): []}
    assert of_arcs(bent().reversed()) == {(1, 0): BACK, (2, 1): []}
    assert bent().reversed().reversed() == bent()
    assert of_arcs(bent(directed=False)) == {(0, 1): THERE, (1, 0): BACK, (1, 2): [], (2, 1): []}
    assert of_arcs(bent(directed=[False, True])) == {(0, 1): THERE, (1, 0): BACK, (1, 2): []}
    assert of_arcs(bent(directed=False).reversed()) == of_arcs(bent(directed=False))


def test_other_graphs_of_it() -> None:
    graph = bent(directed=False)
    for same in (graph.unweighted(), graph.with_weights(graph.weights * 2), graph.with_costs(toll=graph.weights)):
        assert of_arcs(same) == of_arcs(graph)
    assert of_arcs(graph.subgraph([1, 0])) == {(0, 1): THERE, (1, 0): BACK}
    whole = apsp.from_edges(
        [2, 0, 3], [4, 1, 2], n=5, directed=False, coordinates=np.zeros((5, 2)), bends=[None, [[5, 5]], [[1, 2]]]
    )
    assert of_arcs(apsp.components(whole).subgraph()) == {
        (2, 4): [], (4, 2): [], (3, 2): [[1.0, 2.0]], (2, 3): [[1.0, 2.0]],
    }  # fmt: skip


def test_of_parallel_links_the_chosen_one_bends() -> None:
    def made(**options: Any) -> apsp.Graph:
        return apsp.from_edges(
            [0, 0, 1], [1, 1, 0], [30, 20, 5], coordinates=PLACES[:2], bends=[[[0, 10]], [[0, 5]], None], **options
        )

    assert of_arcs(made()) == {(0, 1): [[0.0, 5.0]], (1, 0): []}
    assert len(made().links) == 2, "links that no arc takes are dropped, as without bends"
    assert of_arcs(made(parallel="first")) == {(0, 1): [[0.0, 10.0]], (1, 0): []}
    costly = made(costs={"toll": [1, 2, 3]})
    assert len(costly.links) == 3
    assert of_arcs(costly.with_weights("toll")) == {(0, 1): [[0.0, 10.0]], (1, 0): []}


def test_graphs_without_bends_keep_nothing_more() -> None:
    for none in (None, [None, []], [[], np.empty((0, 2))]):
        graph = apsp.from_edges([0, 1], [1, 2], coordinates=PLACES, bends=none)
        assert graph.links is None
    assert bent() != apsp.from_edges([0, 1], [1, 2], [30, 10], coordinates=PLACES, links=True)


@pytest.mark.parametrize("directed", [True, False])
def test_files_stores_and_pickles_keep_them(tmp_path: Path, directed: bool) -> None:
    graph = bent(directed=directed)
    for same in (copy.deepcopy(graph), pickle.loads(pickle.dumps(graph)), pickle.loads(pickle.dumps(graph.links))):
        assert same == (graph if isinstance(same, apsp.Graph) else graph.links)
    apsp.write(graph, tmp_path / "g.npz")
    assert apsp.read(tmp_path / "g.npz").links == graph.links
    assert losses(graph, tmp_path / "g.npz") == []
    assert "bends" in losses(graph, tmp_path / "g.gr")
    result = apsp.solve(graph)
    result.save(tmp_path / "r.npz")
    assert apsp.load(tmp_path / "r.npz").graph == graph
    apsp.prepare(graph).save(tmp_path / "o.npz")
    assert apsp.Oracle.load(tmp_path / "o.npz").graph == graph


def test_damaged_bends_of_a_file(tmp_path: Path) -> None:
    apsp.write(bent(), tmp_path / "g.npz")
    arrays = dict(np.load(tmp_path / "g.npz"))
    for name, wrong in (
        ("bend_indptr", [0, 1, 3]), ("bend_indptr", [0, 2]), ("bend_points", [[1, np.nan]] * 2), ("bend_points", [1]),
    ):  # fmt: skip
        np.savez(tmp_path / "d.npz", **{**arrays, name: np.array(wrong)})
        with pytest.raises(FileFormatError):
            apsp.read(tmp_path / "d.npz")


@pytest.mark.parametrize(
    ("bends", "words"),
    [
        ([None], "bends of 1 links for 2"),
        ("ab", "must be a sequence"),
        (5, "must be a sequence"),
        ([[[1, 2, 3]], None], r"bends\[0\] must be points of shape \(k, 2\)"),
        ([None, [[1, np.inf]]], r"bends\[1\] has a point that is not two finite numbers"),
        ([None, ["a"]], r"bends\[1\] must be numbers"),
    ],
)
def test_wrong_bends(bends: Any, words: str) -> None:
    with pytest.raises(GraphError, match=words):
        apsp.from_edges([0, 1], [1, 2], coordinates=PLACES, bends=bends)


def test_bends_need_coordinates() -> None:
    with pytest.raises(GraphError, match="coordinates="):
        apsp.from_edges([0], [1], bends=[[[1, 2]]])
    street = apsp.from_edges([0], [1], coordinates=[[0, 0], [1, 1]], crs="degrees", bends=[[[200, 1]]])
    with pytest.raises(RequestError, match="not longitudes"):
        street.snap([[0, 0]])


def test_bends_as_a_sequence() -> None:
    bends = Bends([0, 1, 1, 3], [[1, 2], [3, 4], [5, 6]])
    assert repr(bends) == "Bends(3 points of 3 links)"
    assert [each.tolist() for each in bends] == [[[1, 2]], [], [[3, 4], [5, 6]]]
    assert bends[-1].tolist() == [[3, 4], [5, 6]]
    with pytest.raises(IndexError):
        bends[3]
    assert bends.along(np.arange(3), True).along(np.arange(3), True) == bends
    assert not bends.points.flags.writeable


# -- snap --------------------------------------------------------------------------------------------------------------

STEPS = st.lists(st.tuples(st.sampled_from([(1, 0), (0, 1), (-1, 0), (0, -1), (3, 4), (-4, 3)]), st.integers(0, 4)),
                 min_size=1, max_size=5)  # fmt: skip
POINT = st.tuples(st.integers(-6, 12), st.integers(-6, 12))


def nearest(lines: list[list[tuple[int, int]]], point: tuple[int, int]) -> tuple[Fraction, set[tuple[int, Fraction]]]:
    """The least square of a distance, and all streets and fractions of their lengths with it; lengths are integers."""
    found: dict[tuple[int, Fraction], Fraction] = {}
    for street, line in enumerate(lines):
        steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line)]
        lengths = [round((x * x + y * y) ** 0.5) for x, y in steps]
        for number, ((x, y), length) in enumerate(zip(steps, lengths, strict=True)):
            if sum(lengths) == 0:
                continue
            away = (point[0] - line[number][0], point[1] - line[number][1])
            at = min(max(Fraction(away[0] * x + away[1] * y, length**2), Fraction(0)), Fraction(1)) if length else 0
            key = street, (sum(lengths[:number]) + at * length) / Fraction(sum(lengths))
            found[key] = (away[0] - at * x) ** 2 + (away[1] - at * y) ** 2
    least = min(found.values())
    return least, {key for key, square in found.items() if square == least}


LINES = st.lists(st.tuples(POINT, STEPS), min_size=1, max_size=3)


@given(LINES, st.lists(POINT, min_size=1, max_size=8), st.booleans())
def test_snap_as_in_exact_arithmetic(streets: Any, points: Any, directed: bool) -> None:
    lines = []
    for start, steps in streets:
        line = [start]
        for (x, y), factor in steps:
            line.append((line[-1][0] + factor * x, line[-1][1] + factor * y))
        lines.append(line)
    if any(len(set(line)) == 1 for line in lines):
        return  # a point, not a street
    ends = [point for line in lines for point in (line[0], line[-1])]
    tails = np.arange(len(lines)) * 2
    graph = apsp.from_edges(tails, tails + 1, coordinates=ends, directed=directed, bends=[line[1:-1] for line in lines])
    found = graph.snap(points, crs="plane")
    for k, point in enumerate(points):
        square, where = nearest(lines, point)
        assert found.legs[k] ** 2 == pytest.approx(float(square), abs=1e-12)
        if found.arcs[k] < 0:  # at an end
            street, end = divmod(int(found.vertices[k]), 2)
            assert any(each == street and abs(float(fraction) - end) < 1e-12 for each, fraction in where)
        else:
            street = int(found.vertices[k]) // 2
            assert any(each == street and abs(float(fraction) - found.fractions[k]) < 1e-12 for each, fraction in where)
    corners = graph.snap([line[-1] for line in lines], crs="plane")
    assert (corners.legs == 0).all()


def test_distances_go_along_bends() -> None:
    street = bent(directed=False)
    homes = street.snap([[0, 5], [10, 8], [5, 12]], speed=1)
    assert homes.fractions.tolist() == [5 / 30, 22 / 30, 15 / 30]
    assert homes.on_street.tolist() == [[0, 5], [10, 8], [5, 10]]
    assert apsp.distance(street, homes[0], homes[1]) == pytest.approx(17)
    assert apsp.distance(street, homes[2], 2) == pytest.approx(2 + 15 + 10)
    against = bent().reversed().snap([[0, 5], [10, 8], [5, 12]], speed=1)
    assert against.fractions.tolist() == pytest.approx([25 / 30, 8 / 30, 15 / 30])


def test_bends_on_the_earth_are_followed_in_metres() -> None:
    street = apsp.from_edges(
        [0], [1], [1.0], directed=False, coordinates=[[0, 60], [1, 60.5]], crs="degrees", bends=[[[1, 60]]]
    )
    place = street.snap([[1, 60.25]])
    metre = 6_371_008.8 * np.pi / 180
    across = 2 * 6_371_008.8 * np.arcsin(np.cos(np.pi / 3) * np.sin(np.pi / 360))
    assert place.legs[0] == pytest.approx(0, abs=1e-6)
    assert place.fractions[0] == pytest.approx((across + metre / 4) / (across + metre / 2), rel=1e-12)
    micro = apsp.from_edges(
        [0], [1], [1.0], directed=False, coordinates=[[0, 60e6], [1e6, 60.5e6]], crs="microdegrees",
        bends=[[[1e6, 60e6]]],
    )  # fmt: skip
    assert micro.snap([[1e6, 60.25e6]]).fractions[0] == pytest.approx(place.fractions[0], rel=1e-12)


# -- readers -----------------------------------------------------------------------------------------------------------


def osmnx_streets(kind: type = nx.MultiDiGraph) -> Any:
    shapely = pytest.importorskip("shapely")
    made = kind(crs="epsg:4326")
    for name, x, y in (("a", 0, 0), ("b", 2, 0), ("c", 2, 2)):
        made.add_node(name, x=float(x), y=float(y))
    made.add_edge("a", "b", length=4.0, geometry=shapely.LineString([(0, 0), (0, 1), (2, 1), (2, 0)]))
    made.add_edge("b", "c", length=2.0)
    made.add_edge("c", "a", length=4.0, geometry=shapely.LineString([(2, 2), (0.5, 2), (0, 0)]))
    return made


def test_lines_of_osmnx() -> None:
    expected = {("a", "b"): [[0.0, 1.0], [2.0, 1.0]], ("b", "c"): [], ("c", "a"): [[0.5, 2.0]]}
    back = {(v, u): points[::-1] for (u, v), points in expected.items()}
    for kind in (nx.MultiDiGraph, nx.DiGraph):
        given = osmnx_streets(kind)
        for links in (False, True):
            assert of_arcs(apsp.from_networkx(given, links=links)) == expected
        given.add_edge("c", "b", length=None, geometry=given.get_edge_data("a", "b"))
        assert of_arcs(apsp.from_networkx(given)) == expected, "a hidden edge"
        assert apsp.from_networkx(given, lambda *_: 1).links is None
    for kind in (nx.MultiGraph, nx.Graph):
        graph = apsp.from_networkx(osmnx_streets(kind))
        assert not graph.directed
        assert of_arcs(graph) == expected | back
        assert graph.snap([[0, 0.5]]).fractions[0] == pytest.approx(0.125, rel=1e-3)
    view = osmnx_streets().to_undirected(as_view=True)
    assert of_arcs(apsp.from_networkx(view)) == expected | back


def test_parallel_edges_of_osmnx() -> None:
    shapely = pytest.importorskip("shapely")
    given = osmnx_streets()
    given.add_edge("a", "b", length=3.0, geometry=shapely.LineString([(0, 0), (1, -1), (2, 0)]))
    graph = apsp.from_networkx(given)
    assert of_arcs(graph)["a", "b"] == [[1.0, -1.0]]
    assert graph.with_weights(graph.weights * 2).m == graph.m
    graph = apsp.from_networkx(given, costs=["length"])
    assert len(graph.links) == 4
    assert of_arcs(graph)["a", "b"] == [[1.0, -1.0]]


def test_lines_of_other_graphs_are_attributes() -> None:
    given = osmnx_streets()
    del given.graph["crs"]
    assert of_arcs(apsp.from_networkx(given, "length")) == of_arcs(apsp.from_networkx(osmnx_streets(), "length"))
    given.nodes["a"]["x"] += 0.5  # the line does not begin there
    assert apsp.from_networkx(given, "length").links is None


def test_streets_of_openstreetmap_bend(tmp_path: Path) -> None:
    pytest.importorskip("osmium")
    nodes = {1: (0, 0), 2: (0, 1), 3: (2, 1), 4: (2, 0), 5: (3, 1), 6: (3, 0)}
    ways = {
        1: ([1, 2, 3, 4], "residential", ""), 2: ([4, 5, 6], "residential", '<tag k="oneway" v="-1"/>'),
        3: ([4, 6], "footway", ""), 4: ([1, 2, 99, 3], "footway", ""),
    }  # fmt: skip
    path = tmp_path / "x.osm"
    path.write_text(
        '<?xml version="1.0"?><osm version="0.6">'
        + "".join(f'<node id="{node}" lat="{y / 1000}" lon="{x / 1000}"/>' for node, (x, y) in nodes.items())
        + "".join(
            f'<way id="{way}">{"".join(f"<nd ref={chr(34)}{node}{chr(34)}/>" for node in refs)}'
            f'<tag k="highway" v="{street}"/>{tags}</way>'
            for way, (refs, street, tags) in ways.items()
        )
        + "</osm>"
    )
    graph = apsp.read(path)
    assert of_arcs(graph) == {
        (1, 4): [[0.0, 0.001], [0.002, 0.001]], (4, 1): [[0.002, 0.001], [0.0, 0.001]], (6, 4): [[0.003, 0.001]],
    }  # fmt: skip
    place = graph.snap([[0, 0.0005]])
    assert place.fractions.tolist() == pytest.approx([0.125])
    on_foot = apsp.read(path, mode="foot")
    assert of_arcs(on_foot)[4, 2] == [[0.002, 0.001]]  # node 2 is an end of a way
    assert of_arcs(on_foot)[4, 6] == []


@pytest.mark.parametrize("kind", [nx.MultiDiGraph, nx.MultiGraph])
def test_graphml_of_osmnx(kind: type, tmp_path: Path) -> None:
    """`osmnx.save_graphml` writes all attributes as text."""
    given = osmnx_streets(kind)
    written = kind(crs="epsg:4326")
    for node, data in given.nodes(data=True):
        written.add_node(node, **{name: str(value) for name, value in data.items()})
    for u, v, data in given.edges(data=True):
        written.add_edge(u, v, **{name: str(value) for name, value in data.items()})
    path, notes = tmp_path / "streets.graphml", list[str]()
    nx.write_graphml(written, path)
    found = apsp.read(path, notes=notes)
    assert of_arcs(found) == of_arcs(apsp.from_networkx(given, "length"))
    assert not any("geometry" in note for note in notes)
    assert apsp.read(path, coordinates=False).links is None
    written.nodes["a"]["x"] = "0.25"
    nx.write_graphml(written, path)
    assert apsp.read(path, notes=notes).links is None
    assert any("some of its lines do not begin and end where their nodes are" in note for note in notes)


@pytest.mark.parametrize("crs", [None, "degrees", "plane", "microdegrees"])
@pytest.mark.parametrize("directed", [True, False])
def test_graphml_is_written_with_lines(crs: str | None, directed: bool, tmp_path: Path) -> None:
    graph = apsp.from_edges(
        [0, 1, 2, 2], [1, 2, 0, 3], [60, 0.1, 7, 5], directed=directed, crs=crs, labels=[11, 7, 30, 4],
        coordinates=[[0, 0], [2, 0], [2, 1 / 3], [np.nan, np.nan]],
        bends=[[[0, 1e-5], [2, 1]], None, [[0.1, 1]], [[5, 5]]],
    )  # fmt: skip
    path, notes = tmp_path / "streets.graphml", list[str]()
    apsp.write(graph, path)
    again = apsp.read(path, notes=notes)
    expected = {ends: bends for ends, bends in of_arcs(graph).items() if 4 not in ends}
    assert {ends: bends for ends, bends in of_arcs(again).items() if 4 not in ends} == expected
    assert (again.crs, notes, again.directed) == (crs, [], directed)
    assert again.labels == graph.labels
    assert np.array_equal(again.coordinates, graph.coordinates, equal_nan=True)
    assert apsp.distance(again, 11, 30) == apsp.distance(graph, 11, 30)
    assert apsp.read(path, coordinates=False).crs is None


def test_graphml_in_degrees_is_that_of_osmnx(tmp_path: Path) -> None:
    """`osmnx.load_graphml` calls methods of text on all attributes, and converts x, y and geometry."""
    shapely = pytest.importorskip("shapely")
    graph = apsp.from_edges(
        [0, 1], [1, 2], [60, 70], crs="degrees", coordinates=[[9, 45], [9.1, 45], [9.1, 45.2]],
        bends=[[[9, 45.1], [9.1, 45.1]], None],
    )  # fmt: skip
    path = tmp_path / "streets.graphml"
    apsp.write(graph, path)
    assert losses(graph, path) == []
    read = nx.read_graphml(path, node_type=int, force_multigraph=True)
    assert (type(read), read.graph["crs"]) == (nx.MultiDiGraph, "epsg:4326")
    values = [value for _, data in read.nodes(data=True) for value in data.values()]
    values += [value for _, _, data in read.edges(data=True) for value in data.values()]
    assert {type(value) for value in values} == {str}
    assert read.nodes[1] == {"x": "9.1", "y": "45.0"}
    line = shapely.from_wkt(read.edges[0, 1, 0]["geometry"])
    assert line.equals(shapely.LineString([(9, 45), (9, 45.1), (9.1, 45.1), (9.1, 45)]))
    assert "geometry" not in read.edges[1, 2, 0]
    assert nx.read_graphml(plain_copy(graph, tmp_path / "plain.graphml")).edges["0", "1"]["weight"] == 60


def plain_copy(graph: apsp.Graph, path: Path) -> Path:
    apsp.write(apsp.from_edges(*graph.to_edges(), coordinates=graph.coordinates), path)
    return path


# -- what keeps bends --------------------------------------------------------------------------------------------------


def several(one_way: Any) -> apsp.Graph:
    """Parallel links with two costs, of which some may be used both ways."""
    return apsp.from_edges(
        [0, 0, 1, 2], [1, 1, 2, 0], [9, 5, 5, 7], labels=["a", "b", "c"], coordinates=PLACES, crs="plane",
        bends=[None, [[0, 4], [9, 4]], [[12, 5]], [[1, 5]]], costs={"km": [2, 8, 3, 4]}, links=True, directed=one_way,
    )  # fmt: skip


ONE_WAY = {"one-way": True, "two-way": False, "some two-way": np.array([True, False, False, True])}


@pytest.mark.parametrize("kind", ONE_WAY)
def test_ways_through_other_forms_keep_bends(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("shapely")
    graph = several(ONE_WAY[kind])
    whole = of_arcs(graph)
    for name in ("graph.npz", "oracle.npz", "result.npz"):
        path = tmp_path / name
        if name.startswith("graph"):
            apsp.write(graph, path)
            again = apsp.read(path)
        elif name.startswith("oracle"):
            apsp.prepare(graph).save(path)
            again = apsp.Oracle.load(path).graph
        else:
            apsp.solve(graph).save(path)
            again = apsp.load(path).graph
        assert again == graph
        assert again.crs == "plane"
    assert of_arcs(apsp.from_networkx(graph.to_networkx(), costs=["km"])) == whole
    assert of_arcs(graph.with_weights("km")) != whole
    assert of_arcs(graph.with_weights("km").with_weights([9, 5, 5, 7], links=True)) == whole
    assert of_arcs(graph.with_costs(links=True, toll=[1, 2, 3, 4])) == whole
    turned = {(v, u): bends[::-1] for (u, v), bends in whole.items()}
    assert of_arcs(graph.reversed()) == turned
    part = {ends: bends for ends, bends in whole.items() if "c" not in ends}
    assert of_arcs(graph.subgraph(["a", "b"])) == part


def test_largest_component_keeps_bends() -> None:
    street = apsp.from_edges(
        [3, 0, 1],
        [0, 1, 0],
        coordinates=[*PLACES, (5, 5)],
        bends=[None, [[1, 2]], [[3, 4], [5, 6]]],
        labels=list("abcd"),
    )
    assert of_arcs(apsp.components(street).subgraph()) == {("a", "b"): [[1, 2]], ("b", "a"): [[3, 4], [5, 6]]}


def test_lines_elsewhere_than_the_nodes_are_not_read() -> None:
    pytest.importorskip("shapely")
    made = several(True).to_networkx()
    for _, data in made.nodes(data=True):
        data["pos"] = (data["pos"][0] + 1, data["pos"][1])
    assert apsp.from_networkx(made).links is None


@pytest.mark.parametrize("kind", ONE_WAY)
@pytest.mark.parametrize("sides", ["both", "sources", "isochrone"])
def test_places_as_vertices_keep_links_and_bends(kind: str, sides: str) -> None:
    graph = several(ONE_WAY[kind])
    places = graph.snap([[3, 5], [10, 3], [0, 0]], speed=2)
    made = with_places(
        graph, leaving=(places,), entering=(places,) if sides == "both" else (), on_streets=sides == "isochrone"
    )
    found = made.graph
    assert found.links is not None
    rows = Rows(*(getattr(found.links, name) for name in ("tails", "heads", "weights", "costs", "one_way", "bends")))
    again = apsp.Graph._of_rows(  # chooses the links again
        found.n, rows, directed=found.directed, labels=found.labels, coordinates=found.coordinates, zones=found.zones
    )
    for name in ("indptr", "indices", "weights"):
        np.testing.assert_array_equal(getattr(again, name), getattr(found, name))
    np.testing.assert_array_equal(again.links.chosen, found.links.chosen)
    np.testing.assert_array_equal(found.links.weights[found.links.chosen], found.weights)
    np.testing.assert_array_equal(found.links.costs["km"][found.links.chosen], found.costs["km"])
    assert again.costs == found.costs
    assert len(found.links) >= len(graph.links)
    assert found.links.bends[1].tolist() == [[0, 4], [9, 4]]
    tails, corners = found.tails(), {(0, 4), (9, 4), (12, 5), (1, 5)}
    beside = set() if sides == "isochrone" else {tuple(point) for point in places.on_street[places.legs > 0].tolist()}
    for arc, bends in enumerate(found.links.bends_of(np.arange(found.m), tails)):
        if tails[arc] >= graph.n or found.indices[arc] >= graph.n:
            assert {tuple(point) for point in bends.tolist()} <= corners | beside
