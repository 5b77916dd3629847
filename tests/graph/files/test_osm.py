"""OpenStreetMap extracts: the streets open to each mode, their speeds, and the treatment of nodes."""

from __future__ import annotations

import gzip
import random
import sys

import numpy as np
import pytest

from apsp.errors import ApspError, FileFormatError, MissingDependencyError, RequestError
from apsp.graph.files import read
from apsp.graph.files.osm_streets import speeds
from apsp.graph.files.osm_text import marks_of

SPEEDS = [
    # tags, car, bike, foot: km/h along and against
    ("highway=residential", (25, 25), (15, 15), (5, 5)),
    ("highway=residential maxspeed=30", (30, 30), (15, 15), (5, 5)),
    ("highway=primary maxspeed=20;50", (20, 20), (15, 15), (5, 5)),
    ("highway=primary maxspeed=30_mph", (48.28032, 48.28032), (15, 15), (5, 5)),
    ("highway=primary maxspeed=DE:urban", (50, 50), (15, 15), (5, 5)),
    ("highway=primary maxspeed=DE:zone:30", (30, 30), (15, 15), (5, 5)),
    ("highway=primary maxspeed=signals", (65, 65), (15, 15), (5, 5)),
    ("highway=primary maxspeed=walk", (5, 5), (5, 5), (5, 5)),
    ("highway=primary maxspeed=0", (65, 65), (15, 15), (5, 5)),
    ("highway=primary maxspeed=50 maxspeed:backward=30", (50, 30), (15, 15), (5, 5)),
    ("highway=motorway", (90, 0), (0, 0), (0, 0)),
    ("highway=motorway oneway=no maxspeed=none", (130, 130), (0, 0), (0, 0)),
    ("highway=trunk", (85, 85), (0, 0), (0, 0)),
    ("highway=trunk bicycle=yes sidewalk=right", (85, 85), (15, 15), (5, 5)),
    ("highway=residential oneway=yes", (25, 0), (15, 0), (5, 5)),
    ("highway=residential oneway=-1", (0, 25), (0, 15), (5, 5)),
    ("highway=residential oneway=reversible", (0, 0), (0, 0), (5, 5)),
    ("highway=residential oneway=yes oneway:bicycle=no", (25, 0), (15, 15), (5, 5)),
    ("highway=residential oneway=yes cycleway:left=opposite_lane", (25, 0), (15, 15), (5, 5)),
    ("highway=tertiary junction=roundabout", (40, 0), (15, 0), (5, 5)),
    ("highway=service access=private", (0, 0), (0, 0), (0, 0)),
    ("highway=service access=no foot=yes bicycle=yes", (0, 0), (15, 15), (5, 5)),
    ("highway=service motor_vehicle=no", (0, 0), (15, 15), (5, 5)),
    ("highway=service motor_vehicle=no motorcar=destination", (15, 15), (15, 15), (5, 5)),
    ("highway=residential bicycle=dismount", (25, 25), (5, 5), (5, 5)),
    ("highway=track", (0, 0), (12, 12), (5, 5)),
    ("highway=track motor_vehicle=yes", (15, 15), (12, 12), (5, 5)),
    ("highway=primary maxspeed:motorcar=40 maxspeed=60 maxspeed:bicycle=12", (40, 40), (12, 12), (5, 5)),
    ("highway=primary maxspeed:motor_vehicle:backward=40 maxspeed:forward=60", (60, 40), (15, 15), (5, 5)),
    ("highway=primary maxspeed:motorcar=signals maxspeed=60", (60, 60), (15, 15), (5, 5)),
    ("highway=residential motor_vehicle:backward=no", (25, 0), (15, 15), (5, 5)),
    ("highway=residential access:forward=private motorcar:forward=yes", (25, 25), (0, 15), (0, 5)),
    ("highway=residential oneway=yes vehicle:forward=no", (0, 0), (0, 0), (5, 5)),
    ("highway=footway bicycle:forward=yes foot:backward=no", (0, 0), (8, 0), (5, 0)),
    ("highway=footway", (0, 0), (0, 0), (5, 5)),
    ("highway=footway bicycle=designated", (0, 0), (8, 8), (5, 5)),
    ("highway=steps", (0, 0), (0, 0), (3, 3)),
    ("highway=pedestrian area=yes", (0, 0), (0, 0), (5, 5)),
    ("highway=construction", (0, 0), (0, 0), (0, 0)),
    ("building=yes", (0, 0), (0, 0), (0, 0)),
]


@pytest.mark.parametrize(("tags", "car", "bike", "foot"), SPEEDS)
def test_speeds(tags, car, bike, foot):
    said = dict(tag.replace("_mph", " mph").split("=") for tag in tags.split())
    assert [speeds(said, mode) for mode in ("car", "bike", "foot")] == [
        pytest.approx(each) for each in (car, bike, foot)
    ]


NODES = {1: (0, 0), 2: (0.001, 0), 3: (0.002, 0), 4: (0.003, 0), 5: (0.002, 0.001), 6: (0.002, -0.001), 7: (0.004, 0)}
WAYS = {
    10: ([1, 2, 3, 4], "highway=residential maxspeed=36"),
    11: ([5, 3, 6], "highway=residential maxspeed=18 oneway=yes"),
    12: ([4, 7, 99, 1], "highway=footway"),  # 99 is not in the extract
    13: ([4, 6], "highway=tertiary oneway=-1 maxspeed=36"),
    14: ([1, 6], "building=yes"),
}
STEP = 6_371_008.8 * np.pi / 180 * 0.001  # metres that a thousandth of a degree is long at the equator


@pytest.fixture(params=["pbf", "osm", "osm.gz"])
def extract(request, tmp_path):
    """A small map, written by osmium."""
    osmium = pytest.importorskip("osmium")
    from osmium.osm.mutable import Node, Way

    path = tmp_path / f"map.osm.{request.param}".replace("osm.osm", "osm")
    plain = tmp_path / ("map.osm.pbf" if request.param == "pbf" else "map.osm")
    with osmium.SimpleWriter(str(plain)) as writer:
        for number, place in NODES.items():
            writer.add_node(Node(id=number, location=place))
        for number, (nodes, tags) in WAYS.items():
            writer.add_way(Way(id=number, nodes=nodes, tags=dict(tag.split("=") for tag in tags.split())))
    if path != plain:
        path.write_bytes(gzip.compress(plain.read_bytes()))
    return path


def named_arcs(graph):
    weights = [None] * graph.m if graph.weights is None else graph.weights.tolist()
    names = list(graph.labels)
    return {
        (int(names[u]), int(names[v])): w
        for u, v, w in zip(graph.tails().tolist(), graph.indices.tolist(), weights, strict=True)
    }


def test_streets(extract):
    notes = []
    car = read(extract, notes=notes)
    assert notes == ["streets for car; arcs are seconds long"]
    # Node 2 is no junction; node 3 is one, and 1 and 4 to 6 are ends of streets. 36 km/h are 10 m/s, 18 are 5.
    expected = {(1, 3): 0.2, (3, 1): 0.2, (3, 4): 0.1, (4, 3): 0.1, (5, 3): 0.2, (3, 6): 0.2, (6, 4): 0.1 * 2**0.5}
    assert named_arcs(car) == pytest.approx({ends: STEP * length for ends, length in expected.items()}, rel=1e-6)
    assert car.directed
    assert dict(zip(car.labels, car.coordinates.tolist(), strict=True))[5] == [0.002, 0.001]


def test_modes_and_costs(extract):
    foot = named_arcs(read(extract, mode="foot", cost="length"))
    assert foot[3, 5] == pytest.approx(STEP, rel=1e-6)
    assert foot[4, 7] == foot[7, 4] == pytest.approx(STEP, rel=1e-6)
    assert not any(1 in ends and 7 in ends for ends in foot)
    assert named_arcs(read(extract, weighted=False))[1, 3] is None
    both = read(extract, mode="foot", cost="length")
    assert list(both.costs) == ["time", "length"]
    assert both.with_weights("time") == read(extract, mode="foot")
    bike = named_arcs(read(extract, mode="bike"))
    assert bike[1, 3] == pytest.approx(2 * STEP / 15 * 3.6, rel=1e-6)
    with pytest.raises(RequestError, match="car, bike, foot"):
        read(extract, mode="train")
    for odd in (5, ["car"], ""):
        with pytest.raises(RequestError, match="mode"):
            read(extract, mode=odd)
        with pytest.raises(RequestError, match="cost"):
            read(extract, cost=odd)
    with pytest.raises(RequestError, match="'time' \\(seconds\\) and 'length'"):
        read(extract, cost="toll")


RESTRICTIONS = [
    ("type=restriction restriction=no_left_turn", {"car", "bike"}),
    ("type=restriction restriction=no_u_turn except=bicycle;psv", {"car"}),
    ("type=restriction restriction:hgv=no_left_turn", set()),
    ("type=restriction restriction:bicycle=no_left_turn", {"bike"}),
    ("type=restriction restriction:conditional=no_left_turn", {"car", "bike"}),
    ("type=restriction:foot restriction=no_entry", {"foot"}),
    ("type=route route=bus", set()),
    ("restriction=no_left_turn", set()),
]


def test_restrictions_that_are_not_read_are_noted(tmp_path):
    osmium = pytest.importorskip("osmium")
    from osmium.osm.mutable import Node, Relation, Way

    path = tmp_path / "map.osm.pbf"
    with osmium.SimpleWriter(str(path)) as writer:
        for number, place in NODES.items():
            writer.add_node(Node(id=number, location=place))
        for number, (nodes, tags) in WAYS.items():
            tags = dict(tag.split("=") for tag in tags.split()) | {"type": "street"}
            writer.add_way(Way(id=number, nodes=nodes, tags=tags))
        for number, (tags, _) in enumerate(RESTRICTIONS, 1):
            members = [("w", 10, "from"), ("n", 3, "via"), ("w", 11, "to")]
            tags = dict(tag.split("=") for tag in tags.split())
            writer.add_relation(Relation(id=number, members=members, tags=tags))
    for mode in ("car", "bike", "foot"):
        notes = []
        graph = read(path, mode=mode, notes=notes)
        count = sum(mode in modes for _, modes in RESTRICTIONS)
        word = "restriction is" if count == 1 else "restrictions are"
        assert notes[-1] == f"{count} turn {word} not read; turns=True honours what holds at all times"
        assert notes[1:-1] == (["1 street is cut where nodes are not in the file"] if mode == "foot" else [])
        assert graph.n > 3


HEAD = "<?xml version='1.0' encoding='UTF-8'?>\n<osm version='0.6'>\n"
STREET = "<tag k='highway' v='residential'/></way>\n"


def nodes_at(numbers, attributes=""):
    return "".join(f"<node id='{number}' lat='0' lon='0.00{at}' {attributes}/>\n" for at, number in enumerate(numbers))


def way_of(number, nodes, attributes=""):
    refs = "".join(f"<nd ref='{node}'/>" for node in nodes)
    return f"<way id='{number}' {attributes}>{refs}{STREET}"


def converted(path, kind):
    """The file, or the same elements in PBF."""
    osmium = pytest.importorskip("osmium")
    if kind == "osm":
        return path
    made = path.with_suffix(".osm.pbf")
    with osmium.SimpleWriter(str(made)) as writer:
        for element in osmium.FileProcessor(str(path)):
            writer.add(element)
    return made


@pytest.mark.parametrize("kind", ["osm", "pbf"])
@pytest.mark.parametrize("numbers", [[-1, -2, -3, -4], [1, 2, 3, 4], [-2, 1, -1, 2], [4, 3, 2, 1]])
@pytest.mark.parametrize("before", [0, 2, 4])
def test_numbers_and_order_of_nodes(tmp_path, kind, numbers, before):
    """Nodes that an editor has added have negative numbers; the nodes may follow the ways, as those of Overpass do."""
    nodes, path = nodes_at(numbers).splitlines(), tmp_path / "map.osm"
    ways = way_of(-10, numbers[:3]) + way_of(-11, [numbers[1], numbers[3]])
    path.write_text(HEAD + "\n".join(nodes[:before]) + ways + "\n".join(nodes[before:]) + "</osm>")
    notes = []
    graph = read(converted(path, kind), cost="length", notes=notes)
    assert len(notes) == 1
    a, b, c, d = numbers
    steps = {(a, b): 1, (b, c): 1, (b, d): 2}
    wanted = {ends: STEP * steps[pair] for pair in steps for ends in (pair, pair[::-1])}
    assert named_arcs(graph) == pytest.approx(wanted, rel=1e-6)
    assert dict(zip(graph.labels, graph.coordinates.tolist(), strict=True))[c] == [0.002, 0]


def test_streets_of_which_nodes_are_missing_are_counted(extract):
    notes = []
    graph = read(extract, mode="foot", notes=notes)
    assert notes[1:] == ["1 street is cut where nodes are not in the file"]
    assert 99 not in graph.labels


@pytest.mark.parametrize("kind", ["osm", "pbf"])
def test_a_map_without_its_nodes(tmp_path, kind):
    path = tmp_path / "map.osm"
    path.write_text(HEAD + way_of(1, [5, 6]) + way_of(2, [6, 7]) + "</osm>")
    with pytest.raises(FileFormatError, match=r"no streets for mode='car' in it; the nodes of 2 streets are not in it"):
        read(converted(path, kind))


@pytest.mark.parametrize("packed", [False, True])
def test_what_an_editor_has_removed(tmp_path, packed):
    """JOSM keeps removed elements in its file until they are uploaded."""
    pytest.importorskip("osmium")
    lines = [nodes_at([1, 2, 3, 4]), way_of(10, [1, 2, 3])]
    gone = [way_of(11, [1, 3], "action='delete'"), way_of(12, [2, 4], 'action = "delete"'),
            way_of(13, [1, 4], "visible='false'")]  # fmt: skip
    kept = way_of(14, [3, 4], "action='modify'")
    rule = ("<relation id='7' {}><member type='way' ref='10' role='from'/><member type='node' ref='3' role='via'/>"
            "<member type='way' ref='14' role='to'/><tag k='type' v='restriction'/>"
            "<tag k='restriction' v='no_straight_on'/></relation>\n")  # fmt: skip
    graphs = []
    for more in ([], [*gone, rule.format("action='delete'")]):
        path = tmp_path / f"map{len(more)}.osm{'.gz' * packed}"
        text = (HEAD + "".join([*lines, *more, kept]) + "</osm>").encode()
        path.write_bytes(gzip.compress(text) if packed else text)
        notes = []
        graphs.append((read(path, cost="length", notes=notes), notes))
    assert graphs[0] == graphs[1]
    assert (1, 4) not in named_arcs(graphs[0][0])


def test_marks_on_the_edges_of_blocks():
    text = (HEAD + way_of(1, [5, 6]) + way_of(2, [5, 6], "action='delete'") + nodes_at([5, 6]) + "</osm>").encode()
    for size in (7, 13, 100, len(text)):
        blocks = [text[at : at + size] for at in range(0, len(text), size)]
        assert marks_of(lambda blocks=blocks: blocks) == ({("way", 2)}, True)
    assert marks_of(lambda: [nodes_at([5, 6]).encode(), way_of(1, [5, 6]).encode()]) == (set(), False)


@pytest.mark.parametrize("kind", ["osm", "pbf"])
@pytest.mark.parametrize("last", ["residential", "bridleway"])
def test_streets_that_are_in_a_file_several_times_are_counted(tmp_path, kind, last):
    """As in extracts of several days that were put together: old streets are there, too."""
    ways = way_of(7, [1, 2, 3]) + way_of(7, [1, 3]) + way_of(8, [1, 2]) + way_of(7, [1]).replace("residential", last)
    path = tmp_path / "map.osm"
    path.write_text(HEAD + nodes_at([1, 2, 3]) + ways + "</osm>")
    notes = []
    assert (1, 3) in named_arcs(read(converted(path, kind), notes=notes))
    words = "1 street is in the file several times, and all of them are read"
    assert notes[1:] == [f"{words}: were extracts of several days put together?"]


def test_several_versions_of_a_map_are_refused(tmp_path):
    osmium = pytest.importorskip("osmium")
    from osmium.osm.mutable import Node, Way

    path = tmp_path / "map.osh.pbf"
    with osmium.SimpleWriter(str(path)) as writer:
        for number in (1, 2):
            writer.add_node(Node(id=number, location=(number, 0), version=1))
        for version in (1, 2):
            writer.add_way(Way(id=5, version=version, nodes=[1, 2], tags={"highway": "primary"}))
    with pytest.raises(FileFormatError, match="several versions of its elements; `osmium time-filter`"):
        read(path)


def test_a_map_without_streets(tmp_path):
    pytest.importorskip("osmium")
    path = tmp_path / "x.osm"
    path.write_text('<?xml version="1.0"?><osm version="0.6"><node id="1" lat="0" lon="0"/></osm>')
    with pytest.raises(FileFormatError, match="no streets for mode='car'"):
        read(path)
    path.write_text('<?xml version="1.0"?>\n<osm version="0.6">\n<node id="1" lat="0" lon=></osm>')
    with pytest.raises(FileFormatError, match=r"x\.osm, line 3, column \d+: the OpenStreetMap data are damaged"):
        read(path)


def test_without_osmium(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "osmium", None)
    (tmp_path / "x").write_bytes(b"\x00\x00\x00\r\n\tOSMHeader and so on")
    with pytest.raises(MissingDependencyError, match=r"pip install 'apsp\[osm\]'"):
        read(tmp_path / "x")


def test_damaged_maps(extract):
    good = extract.read_bytes()
    rng = random.Random(7)
    for _ in range(150):
        data = bytearray(good)
        for _ in range(rng.randint(1, 3)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        extract.write_bytes(data[: rng.choice([len(data), rng.randrange(len(data))])])
        try:
            graph = read(extract)
        except ApspError:
            continue
        assert graph.n <= 1000
