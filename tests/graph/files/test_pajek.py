"""Pajek files: sections, names, relations, projects; beside NetworkX where it reads the same."""

from __future__ import annotations

import numpy as np
import pytest

from apsp.errors import FileFormatError, GraphError, RequestError
from apsp.graph.convert import from_edges
from apsp.graph.files import read, write


@pytest.fixture
def load(tmp_path):
    def load(content, name="graph.net", **options):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read(path, **options)

    return load


def arcs(graph):
    weights = [None] * graph.m if graph.weights is None else graph.weights.tolist()
    return list(zip(graph.tails().tolist(), graph.indices.tolist(), weights, strict=True))


FULL = """% of trains and flights
*Network somewhere
*Vertices 4
1 "New York"  0.25 0.5 0.5 ic Red
2\tBoston\t0.75 0.25
% a gap
3 "Saint-J\u00e9r\u00f4me"
*Arcs :1 "flights"
1 2 306.5 c Blue
2 1 306.5
*EDGES :2 "trains"
2 3 5

3 4 7 w 2
"""


def test_sections_names_and_places(load):
    graph = load(FULL, "any.txt")
    assert (graph.n, graph.directed) == (4, True)
    assert list(graph.labels) == ["New York", "Boston", "Saint-J\u00e9r\u00f4me", "4"]
    assert arcs(graph) == [(0, 1, 306.5), (1, 0, 306.5), (1, 2, 5), (2, 1, 5), (2, 3, 7), (3, 2, 7)]
    assert graph.coordinates[:2].tolist() == [[0.25, 0.5], [0.75, 0.25]]
    assert np.isnan(graph.coordinates[2:]).all()
    assert load(FULL.encode("latin-1")).labels == graph.labels
    assert load(FULL.replace("\n", "\r\n")).m == 6


def test_relations(load):
    notes = []
    assert load(FULL, notes=notes).m == 6
    assert notes == ["2 relations were merged (1 'flights', 2 'trains'); relations= selects some of them"]
    assert arcs(load(FULL, relations="flights")) == [(0, 1, 306.5), (1, 0, 306.5)]
    trains = load(FULL, relations="2")
    assert (trains.directed, trains.m, trains.weights.dtype) == (False, 4, np.int32)
    assert load(FULL, relations="1, trains").m == 6
    with pytest.raises(RequestError, match="'boats': the file has 1 'flights', 2 'trains'"):
        load(FULL, relations="boats")
    for odd in (2, ["flights"]):
        with pytest.raises(RequestError, match="relations"):
            load(FULL, relations=odd)
    lines = "*Vertices 3\n*Arcs\n1: 1 2 5\n2: 1 3 7\n1: 2 3 1\n"
    assert arcs(load(lines, relations="2")) == [(0, 2, 7)]
    assert arcs(load(lines, relations="1")) == [(0, 1, 5), (1, 2, 1)]
    assert load(lines).m == 3


def test_lists_and_matrices(load):
    assert arcs(load("*vertices 4\n*arcslist\n1 2 3\n4 1\n")) == [(0, 1, None), (0, 2, None), (3, 0, None)]
    edges = load("*Vertices 3\n*Edgeslist\n1 2 3\n")
    assert (edges.directed, edges.m) == (False, 4)
    assert arcs(load("*Vertices 2\n*Matrix\n0 2.5\n0 0\n")) == [(0, 1, 2.5)]
    assert load("*Vertices 3\n").m == 0
    two_mode = load("*Vertices 5 2\n*Matrix :1\n0 1 2\n3 0 0\n")
    assert (two_mode.directed, two_mode.n) == (False, 5)
    assert arcs(two_mode) == [(0, 3, 1), (0, 4, 2), (1, 2, 3), (2, 1, 3), (3, 0, 1), (4, 0, 2)]


def test_lengths(load):
    assert arcs(load("*Vertices 2\n*Arcs\n1 2\n2 1 3\n", missing=1)) == [(0, 1, 1), (1, 0, 3)]
    assert load("*Vertices 2\n*Arcs\n1 2\n2 1\n").weights is None
    assert arcs(load("*Vertices 2\n*Arcs\n1 2 3\n1 2 -2\n")) == [(0, 1, -2)]
    assert arcs(load("*Vertices 2\n*Edges\n1 1 4\n*Arcs\n1 2 4\n")) == [(0, 0, 4), (0, 1, 4)]


def test_a_project(load):
    project = FULL + (
        "\n*Partition size\n*Vertices 4\n1\n2\n1\n2\n\n*Vector x\n*Vertices 4\n0.5\n0.5\n1\n2\n"
        "*Network second\n*Vertices 2\n*Arcs\n1 2 9\n*Events\n"
    )
    notes = []
    assert arcs(load(project, "all.paj", notes=notes)) == arcs(load(FULL))
    assert notes[0] == "the first of 2 networks was read"


def test_names_that_do_not_tell_vertices_apart(load):
    notes = []
    assert load('*Vertices 2\n1 "a"\n2 "a"\n*Arcs\n1 2\n', notes=notes).m == 1
    assert "same name" in notes[0]


NETWORKX = [
    '*Vertices 3\n1 "A one" 0.1 0.2 ellipse\n2 B 0.2 0.3 ellipse\n3 "C" 0 0 box\n*Arcs\n1 2 2.5\n3 1 1\n2 3 0.25\n',
    "*network x\n*vertices 4\n1 a\n2 b\n3 c\n4 d\n*edges\n1 2 1\n2 3 4\n4 4 2\n3 4 7\n",
    "*Vertices 2\n1 \"it's\"\n2 'x y'\n*Arcs\n1 2 3\n",
]


@pytest.mark.parametrize("content", NETWORKX)
def test_as_networkx(load, content):
    nx = pytest.importorskip("networkx")
    theirs, ours = nx.parse_pajek(content), load(content)
    assert ours.directed == theirs.is_directed()
    assert list(ours.labels) == list(theirs.nodes)
    mine = {(ours.labels[u], ours.labels[v]): w for u, v, w in arcs(ours)}
    expected = {(u, v): w for u, v, w in theirs.edges(data="weight")}
    if not theirs.is_directed():
        expected |= {(v, u): w for (u, v), w in expected.items()}
    assert mine == expected


def test_networkx_reads_what_is_written(tmp_path):
    nx = pytest.importorskip("networkx")
    graph = from_edges([0, 2], [1, 1], [1.5, 2.5], labels=["a b", "c", "d"], coordinates=np.eye(3)[:, :2])
    write(graph, tmp_path / "g.net")
    theirs = nx.read_pajek(tmp_path / "g.net")
    assert {(u, v): w for u, v, w in theirs.edges(data="weight")} == {("a b", "c"): 1.5, ("d", "c"): 2.5}
    again = read(tmp_path / "g.net")
    assert (again.labels, arcs(again)) == (graph.labels, arcs(graph))
    assert again.coordinates.tolist() == graph.coordinates.tolist()
    with pytest.raises(GraphError, match="cannot stand in a Pajek file"):
        write(from_edges([0], [1], labels=["a", 'b"c']), tmp_path / "h.net")


BAD = [
    ("*Vertices x\n", r"line 1: expected '\*Vertices N', not"),
    ("*Network a\n*Arcs\n1 2\n", r"line 2: '\*arcs' stands before"),
    ("*Vertices 2\n*Arcs\n1 3\n", "line 3: vertex 3 does not exist: vertices are 1 to 2"),
    ("*Vertices 2\n*Arcs\n1 b\n", "line 3: 'b' is not a vertex number"),
    ("*Vertices 2\n*Arcs\n1 0\n", "line 3: vertex 0 does not exist"),
    ("*Vertices 2\n*Arcs\n1\n", "line 3: the line ends early"),
    ("*Vertices 2\n*Arcs\n1 2 nan\n", "line 3: 'nan' is not a finite number"),
    ("*Vertices 2\n*Arcs\n1 2 3.x\n", "line 3: '3.x' is not a finite number"),
    ("*Vertices 2\n*Arcs\n1 2 1e999\n", "line 3: '1e999' is too large for a number"),
    ("*Vertices 2\n3 c\n", "line 2: vertex 3 does not exist"),
    ("*Vertices 2\n*Matrix\n0 1\n", "line 2: the matrix ends after 1 of 2 rows"),
    ("*Vertices 2\n*Matrix\n0 1 2\n", "line 3: the matrix must have 2 rows of 2 numbers"),
    ("*Vertices 2000000000\n*Arcs\n1 2\n", "announces 2000000000 vertices but has 1 arcs"),
    ("*Vertices 3 4\n", "line 1: 4 of 3 vertices"),
]


@pytest.mark.parametrize(("content", "message"), BAD)
def test_bad_files(load, content, message):
    with pytest.raises(FileFormatError, match=message):
        load(content)
