"""Reading: what each format means, and the error of each bad file."""

from __future__ import annotations

import bz2
import gzip
import lzma

import numpy as np
import pytest
import scipy.sparse as sp

from apsp.errors import ApspWarning, FileFormatError, MissingDependencyError, RequestError
from apsp.graph.files import read
from apsp.graph.labels import RangeLabels, labels_of


@pytest.fixture
def load(tmp_path):
    def load(content, name="graph", **options):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read(path, **options)

    return load


def arcs(graph):
    weights = [None] * graph.m if graph.weights is None else graph.weights.tolist()
    return list(zip(graph.tails().tolist(), graph.indices.tolist(), weights, strict=True))


GR = "c hello\np sp 3 3\na 1 2 5\na 2 3 -1\na 1 2 4\n"

# -- meaning ----------------------------------------------------------------------------------------------------------


def test_dimacs(load, tmp_path):
    graph = load(GR)
    assert arcs(graph) == [(0, 1, 4), (1, 2, -1)]
    assert (graph.n, graph.directed, graph.weights.dtype) == (3, True, np.int32)
    assert arcs(load(GR, parallel="first")) == [(0, 1, 5), (1, 2, -1)]
    assert arcs(load(GR, parallel="last", directed=False))[0] == (0, 1, 4)
    assert load(GR, weighted=False).weights is None
    assert load("p tw 4 1\n1 2\n").m == 2
    assert load("p edge 4 1\ne 1 2\n").n == 4
    assert load("p sp 2 1\na 1 2 3000000000\n").weights.dtype == np.int64
    (tmp_path / "city.co").write_text("p aux sp co 3\nv 2 10 20\nv 1 -5 6.5\n")
    placed = load(GR, "city.gr")
    assert placed.coordinates[:2].tolist() == [[-5, 6.5], [10, 20]]
    assert np.isnan(placed.coordinates[2]).all()
    assert load(GR, "city.gr", coordinates=False).coordinates is None
    assert load(GR, "other.gr", coordinates=tmp_path / "city.co").coordinates is not None


def test_matrix_market(load):
    banner = "%%MatrixMarket matrix {}\n% note\n"
    graph = load(banner.format("coordinate real general") + "3 3 2\n1 2 0\n3 1 2.5\n")
    assert arcs(graph) == [(0, 1, 0.0), (2, 0, 2.5)]
    assert load(banner.format("coordinate pattern symmetric") + "2 2 1\n2 1\n").m == 2
    skew = load(banner.format("coordinate integer skew-symmetric") + "2 2 1\n2 1 7\n")
    assert arcs(skew) == [(0, 1, -7), (1, 0, 7)]
    dense = load(banner.format("array real general") + "2 2\n0\n3\n4\n0\n")
    assert arcs(dense) == [(0, 1, 4), (1, 0, 3)]
    assert load(banner.format("array integer symmetric") + "2 2\n0\n3\n0\n").directed is False


def test_edge_lists(load):
    assert arcs(load("# c\n0 1\n1 2\n")) == [(0, 1, None), (1, 2, None)]
    assert arcs(load("0,1,2.5\n1,0,3\n")) == [(0, 1, 2.5), (1, 0, 3)]
    assert load("# Undirected graph\n0\t1\n").m == 2
    assert load("% note\n// note\n0;1;7\n").weights.tolist() == [7]
    sparse = load("10 20\n20 -5\n")
    assert (list(sparse.labels), arcs(sparse)) == ([-5, 10, 20], [(1, 2, None), (2, 0, None)])
    assert load("1 2\n2 1\n").labels == labels_of([1, 2])
    assert load("# Nodes: 5 Edges: 1\n0 1\n").n == 5
    names = load("Perth,+WA1 Sydney,+NSW2 4\nSydney,+NSW2 Perth,+WA1 4.5\n")
    assert names.labels == labels_of(["Perth,+WA1", "Sydney,+NSW2"])
    assert load("a b 9223372036854775807\n").weights.tolist() == [2**63 - 1]
    assert arcs(load("Perth,+WA1 Sydney,+NSW2 4\n", weighted=False)) == [(0, 1, None)]
    quoted = load('from,to,km\n"Paris, TX",Rome,5\n', "a.csv")
    assert (list(quoted.labels), quoted.weights.tolist()) == (["Paris, TX", "Rome"], [5])
    header = "time,target,source,length\n9,1,0,4\n9,0,1,5\n"
    assert arcs(load(header)) == [(0, 1, 4), (1, 0, 5)]
    assert arcs(load(header, cost="time")) == [(0, 1, 9), (1, 0, 9)]
    assert arcs(load("0 1 7 9\n1 0 8 9\n1 0 3 3\n", columns=(0, 1, 3))) == [(0, 1, 9), (1, 0, 3)]
    assert arcs(load("0 0 1 0.5\n1 1 2 0.25\n", "x.cedge"))[0] == (0, 1, 0.5)  # the first column counts
    assert arcs(load("3\n2\n0 1 0.5\n1 2 0.25\n")) == [(0, 1, 0.5), (1, 2, 0.25)]  # algs4
    assert load("4 2\n0 1 5\n1 2 5\n").n == 4
    assert load("# Nodes: 4 Edges: 0\n").n == 4
    assert load("\ufeff0 1\r\n1 0\r\n").m == 2


COUNTED = [
    # content, vertices, arcs, note
    ("4\n0 1 5\n1 2 6\n", 4, 2, "the first line was taken as the number of vertices, 4"),
    ("3\n1 2\n2 3\n", 3, 2, "the first line was taken as the number of vertices, 3"),
    ("2\n0 7 5\n1 2 6\n", 4, 2, "the first line was taken as the number of arcs, 2"),
    ("3\n0,1,5\n1,2,6\n", 3, 2, "the first line was taken as the number of vertices, 3"),
    ("2\nRome Ostia 25\nOstia Rome 26\n", 2, 2, "the first line was taken as the number of vertices, 2"),
    ("1\nRome Ostia 25\n", 2, 1, "the first line was taken as the number of arcs, 1"),
    ("5 3\n0 1\n1 2\n2 3\n", 5, 3, "the first line was taken as the numbers of vertices and arcs, 5 and 3"),
    ("4,2\n1,2\n2,4\n", 4, 2, "the first line was taken as the numbers of vertices and arcs, 4 and 2"),
    ("# note\n5 3\n# note\n0 1\n1 2\n2 3\n", 5, 3, "the first line was taken as the numbers of"),
    ("5 3\n0 1 7\n1 2 7\n2 3 7\n", 5, 3, ""),
    ("1 2\n2 3\n3 1\n", 3, 3, ""),
    ("0 2\n2 3\n3 1\n", 4, 3, ""),
    ("3 2\n0 1\n1 3\n", 4, 3, ""),
]


@pytest.mark.parametrize(("content", "n", "m", "note"), COUNTED)
def test_the_first_line_of_an_edge_list_may_count(load, content, n, m, note):
    notes = []
    graph = load(content, notes=notes)
    assert (graph.n, graph.m) == (n, m)
    notes = [line[: len(note)] for line in notes if "comment mark" not in line]
    assert notes == ([note] if note else [])


def test_counts_that_fit_nothing(load):
    with pytest.raises(
        FileFormatError, match=r"line 1: .* 4 vertices or arcs, but there are vertices 0 to 9 and 2 arcs"
    ):
        load("4\n0 1 5\n1 9 6\n")
    with pytest.raises(FileFormatError, match=r"line 1: .* 7 vertices or arcs, but there are 2 names and 1 arcs"):
        load("7\nRome Ostia 25\n")
    with pytest.warns(ApspWarning, match=r"line 1: '9 7' is read as an arc, since 2 lines follow it; .* cut short"):
        assert load("9 7\n0 1\n1 2\n").m == 3


def test_metis(load):
    assert arcs(load("3 2\n2\n1 3\n2\n", "a.graph")) == [(0, 1, None), (1, 0, None), (1, 2, None), (2, 1, None)]
    weighted = load("% note\n3 2 11 1\n9 2 5\n9 1 5 3 6\n9 2 6\n\n", "a.graph")
    assert arcs(weighted) == [(0, 1, 5), (1, 0, 5), (1, 2, 6), (2, 1, 6)]
    assert load("4 2\n2\n1 3\n2\n\n").n == 4  # vertex 4 has an empty line; recognised by counting


def test_gml_and_graphml(load):
    gml = 'graph [ directed 1 node [ id 7 label "A&amp;B" ] node [ id 3 label "C" graphics [ x 1 y 2.5 ] ]\n'
    gml += "edge [ source 7 target 3 value 4 ] edge [ source 7 target 3 value 2 ] ]\n"
    graph = load(gml)
    assert (list(graph.labels), arcs(graph)) == (["A&B", "C"], [(0, 1, 2)])
    assert graph.coordinates[1].tolist() == [1, 2.5]
    assert load("graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]").weights is None
    xml = """<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">
    <key id="k" for="edge" attr.name="toll" attr.type="int"><default>9</default></key>
    <graph edgedefault="undirected"><node id="a"/><node id="b"/><edge source="a" target="b"/>
    <edge source="b" target="b"><data key="k">3</data></edge></graph></graphml>"""
    assert load(xml).m == 3
    assert load(xml).weights is None
    assert load(xml, cost="toll").weights.tolist() == [9, 9, 3]


OSMNX = """<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <key id="d8" for="edge" attr.name="travel_time" attr.type="string" />
  <key id="d7" for="edge" attr.name="length" attr.type="string" />
  <key id="d6" for="edge" attr.name="maxspeed" attr.type="string" />
  <key id="d5" for="edge" attr.name="osmid" attr.type="string" />
  <key id="d4" for="node" attr.name="x" attr.type="string" />
  <key id="d3" for="node" attr.name="y" attr.type="string" />
  <key id="d0" for="graph" attr.name="crs" attr.type="string" />
  <graph edgedefault="directed">
    <data key="d0">epsg:4326</data>
    <node id="53017091"><data key="d3">37.8</data><data key="d4">-122.2</data></node>
    <node id="53018397"><data key="d3">37.9</data><data key="d4">-122.1</data></node>
    <edge source="53017091" target="53018397" id="0">
      <data key="d5">[4, 5]</data><data key="d6">['25 mph', '30 mph']</data>
      <data key="d7">12.5</data><data key="d8">1.5</data>
    </edge>
    <edge source="53017091" target="53018397" id="1">
      <data key="d5">6</data><data key="d7">14</data><data key="d8">1.25</data>
    </edge>
  </graph>
</graphml>
"""


def test_graphml_of_osmnx(load):
    graph = load(OSMNX)
    assert arcs(graph) == [(0, 1, 12.5)]
    assert graph.coordinates.tolist() == [[-122.2, 37.8], [-122.1, 37.9]]
    assert arcs(load(OSMNX, cost="travel_time")) == [(0, 1, 1.25)]
    with pytest.raises(
        FileFormatError, match=r"line 14: maxspeed \"\['25 mph', '30 mph'\]\" is a list, not one number"
    ):
        load(OSMNX, cost="maxspeed")


def test_bad_graphml_names_the_line(load):
    start = '<graphml>\n<graph edgedefault="directed">\n<node id="a"/>\n'
    for element, message in (
        ('<node id="a"/>', "line 4: the node id 'a' occurs twice"),
        ("<node/>", "line 4: a <node> without id"),
        ('<edge source="a" target="b"/>', "line 4: the target 'b' of an edge is not a node"),
        ("<hyperedge/>", "line 4: hyperedges"),
        ('<node id="b"><graph/></node>', "line 4: a <node> holds a graph"),
        ('<edge source="a" target="a"><data key="k">x</data></edge>', "line 4: weight 'x' is not a number"),
        ("<node id=>", "line 4, column 10: this is not well-formed XML"),
    ):
        keys = start.replace("<graphml>", '<graphml><key id="k" for="edge" attr.name="weight" attr.type="int"/>')
        with pytest.raises(FileFormatError, match=message):
            load(keys + element + "\n</graph></graphml>")


LABELLED = [
    ("p sp 3 1\na 1 3 5\n", "a", [1, 2, 3]),
    ("p tw 3 1\n1 3\n", "a", [1, 2, 3]),
    ("%%MatrixMarket matrix coordinate real general\n3 3 1\n1 3 0.5\n", "a", [1, 2, 3]),
    ("%%MatrixMarket matrix array real general\n2 2\n0\n3\n4\n0\n", "a", [1, 2]),
    ("3 1\n3\n\n1\n", "a.graph", [1, 2, 3]),
    (" 3 1 1 \n 1 3 30 \n", "pmed1.txt", [1, 2, 3]),
    ("*Vertices 3\n*Arcs\n1 3\n", "a", [1, 2, 3]),
    ("*Vertices 2\n1 x\n2 y\n*Arcs\n1 2\n", "a", ["x", "y"]),
    ("0 1\n1 2\n", "a", [0, 1, 2]),
    ("1 2\n2 3\n", "a", [1, 2, 3]),
    ("4\n1 2\n2 4\n", "a", [1, 2, 3, 4]),
    ("4\n1 2 5\n2 3 5\n", "a", [1, 2, 3, 4]),
    ("4\n0 2 5\n2 3 5\n", "a", [0, 1, 2, 3]),
    ("5 2\n1 2\n2 3\n", "a", [1, 2, 3, 4, 5]),
    ("4\n2\n1 2 5\n2 3 5\n", "a", [0, 1, 2, 3]),
    ("3\n2\n1 2 5\n2 3 5\n", "a", [1, 2, 3]),
    ("# Nodes: 4 Edges: 2\n1 2\n2 3\n", "a", [1, 2, 3, 4]),
    ("70 8\n8 -9\n", "a", [-9, 8, 70]),
    ("Rome Ostia 25\nOstia Nettuno 40\n", "a", ["Rome", "Ostia", "Nettuno"]),
    ('source,target\n"10","20"\n"20","5"\n', "a.csv", [10, 20, 5]),
    ("174|1239|0\n174|7|-1\n", "a", [7, 174, 1239]),
    ("graph [ node [ id 7 ] node [ id 3 ] edge [ source 7 target 3 ] ]", "a", [7, 3]),
    ('graph [ node [ id 0 label "7" ] node [ id 1 label "3" ] ]', "a", [7, 3]),
    ('graph [ node [ id 5 label "x" ] node [ id 6 label "x" ] ]', "a", [5, 6]),
    ('<graphml><graph><node id="12"/><node id="7"/></graph></graphml>', "a", [12, 7]),
    ('<graphml><graph><node id="12"/><node id="n7"/></graph></graphml>', "a", ["12", "n7"]),
    ('<graphml><graph><node id="012"/><node id="7"/></graph></graphml>', "a", ["012", "7"]),
]


@pytest.mark.parametrize(("content", "name", "labels"), LABELLED)
def test_vertices_are_called_what_the_file_calls_them(load, content, name, labels):
    graph = load(content, name)
    assert list(graph.labels) == labels
    assert graph.has_labels == (labels != list(range(graph.n)))


def test_labels_of_tntp(load):
    assert load(TNTP).labels == labels_of(range(1, 4))


def test_numbers_from_one_cost_no_memory(load):
    assert isinstance(load("p sp 900000 1000\n" + "a 1 900000 1\n" * 1000).labels, RangeLabels)


def test_caida(load):
    serial = "# source\n1|2|-1\n2|3|0\n4|1|-1\n"
    assert load(serial).m == 6
    assert load(serial).labels == labels_of(range(1, 5))
    up = load(serial, relations="customer-provider")
    assert (up.n, [(up.labels[u], up.labels[v]) for u, v, _ in arcs(up)]) == (4, [(1, 4), (2, 1)])
    assert load("1|2|-1|bgp\n").m == 2
    snap = "# Relationships:\t-1 (<FromNodeId> is a customer of <ToNodeId>)\n2\t1\t-1\n1\t2\t1\n2\t3\t0\n"
    up = load(snap, relations="customer-provider")
    assert [(up.labels[u], up.labels[v]) for u, v, _ in arcs(up)] == [(2, 1)]


TNTP = """<NUMBER OF ZONES> 1
<NUMBER OF NODES> 3
<FIRST THRU NODE> 2
<NUMBER OF LINKS> 2
<END OF METADATA>

~ \tinit_node\tterm_node\tcapacity\tlength\tfree_flow_time\tb\tpower\tspeed\ttoll\tlink_type\t;
\t1\t2\t100\t7\t2.5\t0.15\t4\t0\t1\t1\t;
\t2\t3\t100\t8\t0\t0.15\t4\t0\t2\t1\t;
"""


def test_tntp(load):
    graph = load(TNTP)
    assert arcs(graph) == [(0, 1, 2.5), (1, 2, 0)]
    assert graph.zones.tolist() == [True, False, False]
    assert load(TNTP, zones=False).zones is None
    assert load(TNTP, cost="length").weights.tolist() == [7, 8]
    assert load(TNTP, cost="link_type").weights.tolist() == [1, 1]
    with pytest.raises(RequestError, match="capacity, length, free_flow_time"):
        load(TNTP, cost="time")


def test_orlib_takes_the_last(load):
    graph = load(" 3 3 1 \n 1 2 30 \n 2 3 46 \n 1 2 40 \n", "pmed1.txt")
    assert arcs(graph) == [(0, 1, 40), (1, 0, 40), (1, 2, 46), (2, 1, 46)]


@pytest.mark.parametrize(
    ("content", "other", "arcs_of_each"),
    [
        (" 7\t2\t6\r\n7\t1\t90\r\n4\t7\t64\r\n", "orlib", (3, 4)),
        ("3 3\n2 3\n1 3\n1 2\n", "metis", (3, 6)),
        ("% ring\n4 4\n2 4\n1 3\n2 4\n1 3\n", "metis", (2, 8)),
    ],
)
def test_a_first_line_that_may_be_an_edge_or_state_counts_of_another_format(load, content, other, arcs_of_each):
    message = rf"'. .( 6)?' may announce .* or be an edge: .*format='{other}' or format='edge-list'"
    with pytest.raises(FileFormatError, match=message):
        load(content)
    assert (load(content, format="edge-list").m, load(content, format=other).m) == arcs_of_each


def test_numpy_files(load, tmp_path):
    np.save(tmp_path / "a.npy", np.array([[0.0, 2.0], [np.inf, 0.0]]))
    assert arcs(read(tmp_path / "a.npy")) == [(0, 1, 2)]
    np.save(tmp_path / "b.npy", np.array([[0, 1], [0, 0]]))
    assert read(tmp_path / "b.npy", absent=0).m == 1
    sp.save_npz(tmp_path / "c.npz", sp.csr_array(([0.0], ([0], [1])), shape=(2, 2)))
    assert arcs(read(tmp_path / "c.npz")) == [(0, 1, 0)]
    np.savez(tmp_path / "d.npz", matrix=np.array([[0.0, 2.0], [np.inf, 0.0]]))
    assert read(tmp_path / "d.npz").m == 1
    np.save(tmp_path / "e.npy", np.array([[None]]), allow_pickle=True)
    with pytest.raises(FileFormatError, match="never loaded"):
        read(tmp_path / "e.npy")


def test_parquet_without_pyarrow(load, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(MissingDependencyError, match=r"apsp\[parquet\]"):
        load(b"PAR1 and so on")


def test_parquet_columns(tmp_path):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    table = pa.table({"km": [1.5, 2.5], "target": ["b", "c"], "Source": ["a", "b"], "toll": [7, 8]})
    pq.write_table(table, tmp_path / "a.parquet")
    graph = read(tmp_path / "a.parquet", cost="toll")
    assert (list(graph.labels), arcs(graph)) == (["a", "b", "c"], [(0, 1, 7), (1, 2, 8)])
    pq.write_table(pa.table({"source": [1, None], "target": [2, 3]}), tmp_path / "b.parquet")
    with pytest.raises(FileFormatError, match="missing entries"):
        read(tmp_path / "b.parquet")


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress, bz2.compress])
def test_compressed(load, compress):
    packed = compress(GR.encode())
    assert load(packed, "any name").m == 2
    with pytest.raises(FileFormatError, match="fetch or compress the file again"):
        load(packed[:-7])


def test_blocks(tmp_path):
    """Lines that straddle blocks of 8 MiB, and progress."""
    rng = np.random.default_rng(1)
    rows = np.column_stack([rng.integers(1, 900, (5000, 2)), rng.integers(1, 10**6, 5000)])
    path = tmp_path / "a.gr"
    text = "".join(f"a {u} {v} {w}\n" for u, v, w in rows)
    path.write_text("p sp 900 1000000\n" + 200 * text)
    assert path.stat().st_size > 15 << 20
    told = []
    graph = read(path, progress=lambda *report: told.append(report))
    expected = sp.coo_array((np.ones(5000), rows[:, :2].T - 1), shape=(900, 900)).tocsr()
    assert np.array_equal(graph.indices, expected.indices)
    assert told[-1] == ("reading", path.stat().st_size, path.stat().st_size)
    path.write_text("p sp 900 1000000\n" + 160 * text + "a 1 2 x\n")
    with pytest.raises(FileFormatError, match="line 800002, column 7: 'x' is not a number"):
        read(path)
    n = 700_000
    metis = "".join(f"{(i + 1) % n + 1} {(i - 1) % n + 1}\n" for i in range(n))
    (tmp_path / "a.graph").write_text(f"{n} {n}\n" + metis)
    assert len(metis) > 8 << 20
    assert read(tmp_path / "a.graph").m == 2 * n


# -- bad files --------------------------------------------------------------------------------------------------------

MM = "%%MatrixMarket matrix coordinate real general\n"
BAD = [
    ("", "the file is empty"),
    ("  \n\n", "the file is empty"),
    (b"\x00\x01\x02\x03" * 50, "unknown format: the file holds binary data; known formats are caida, dimacs"),
    ("A text about graphs,\nwith lines of\nany length whatsoever.\n", "unknown format; known formats are"),
    ('{"nodes": []}', "looks like JSON"),
    ("0 1\n".encode("utf-16"), "UTF-16"),
    ("p sp 3 2\na 1 2 5\n", "ends after 1 of 2 announced lines 'a tail head weight': it is cut short"),
    ("p sp 3 1\na 1 2 5\na 1 2 5\n", "line 3, column 1: there are more lines than the 1"),
    ("p sp 3 1\na 0 2 5\n", "line 2, column 3: vertex 0 does not exist: this format numbers the vertices from 1 to 3"),
    ("p sp 3 1\na 1 4 5\n", "line 2, column 5: vertex 4 does not exist: vertices are 1 to 3"),
    ("p sp 3 1\na 1 2 five\n", "line 2, column 7: 'five' is not a number"),
    ("p sp 3 1\na 1 2 nan\n", "line 2, column 7: 'nan' is not a finite number; omit the line"),
    ("p sp 3 1\na 1 2\n", "line 2, column 6: the line ends early: expected 'a tail head weight'"),
    ("p sp 3 1\na 1 2 3 4\n", "line 2, column 9: expected only 'a tail head weight', then comes '4'"),
    ("p sp 3 1\nb 1 2 3\n", "line 2, column 1: expected a line 'a tail head weight', not one that starts with 'b'"),
    ("p sp 3 1\na 1 2 99999999999999999999\n", "does not fit 64 bits"),
    ("a 1 2 3\n", "line 1, column 1: the header 'p sp VERTICES ARCS' is missing"),
    ("p xy 3 1\n", "expected 'p sp VERTICES ARCS'"),
    ("p sp 3 x\n", "must be whole numbers"),
    ("p sp 3 99999999999999999999\na 1 2 3\n", "too large for any graph"),
    ("p sp 3 9999999999999999\na 1 2 3\n", "cut short"),
    ("p sp 2000000000 1\na 1 2 3\n", "announces 2000000000 vertices but has 1 arcs"),
    ("p sp 99999999999999 1\na 1 2 3\n", "a graph has 0 to"),
    (MM + "2 2 2\n1 2 0.5\n", "it is cut short"),
    (MM + "2 3 1\n1 2 0.5\n", "2 x 3: a graph needs a square one"),
    (MM + "2 2 1\n1 3 0.5\n", "line 3, column 3: vertex 3 does not exist"),
    (MM, "sizes is missing"),
    (MM.replace("real", "complex"), "'complex' is not an arc length"),
    (MM.replace("real", "integer") + "2 2 1\n1 2 0.5\n", "line 3, column 5: '0.5' is not an integer"),
    ("0 1 5\n1 2 x\n0 1 4\n", "line 2, column 5: 'x' is not a number"),
    ("0 1 5\n1 2\n0 1 4\n", "line 2, column 4: the line ends early"),
    ("0 1 5\n1 2 nan\n0 1 4\n", "line 2, column 5: 'nan' is not a finite number"),
    ("0 1 5\n" * 2500 + "0 z 4\n", "line 2501, column 3: 'z' is not a vertex number, .* labels='text' reads"),
    (
        "0 1 5\n" * 2500 + "0 01 4\n",
        "line 2501, column 3: '01' is not the usual notation of an integer, as in the first lines: labels='text'",
    ),
    ("a b 5\nb c 9223372036854775808\n", "line 2, column 5: '9223372036854775808' does not fit 64 bits"),
    ("a b 5\nb c inf\nc d 7\n", "line 2, column 5: 'inf' is not a finite number"),
    ("3\n3\n0 1 0.5\n1 2 0.5\n", "ends after 2 of 3"),
    ("graph [ node [ id 0 ] edge [ source 0 target 5 ] ]", "target 5 is not a node"),
    ("graph [ node [ id 0 ] node [ id 0 ] ]", "the id 0 occurs twice"),
    ("graph [ node [ id 0 ]\n", "cut short: '\\[' of line 1 is not closed"),
    ('graph [\n label "x\n ]', "line 2: a quotation mark is not closed"),
    ("graph [ node [ id 0 ]\nedge [ source 0 target 0 value x ] ]", "line 2: value 'x' is not a number"),
    ("<graphml><graph>", "line 1, column 17: this is not well-formed XML"),
    ("<graphml></graphml>", "no <graph>"),
    ('<!DOCTYPE x [<!ENTITY a "b">]><graphml></graphml>', "entities"),
    ("1|2|-1\n1|2|7\n", "link 2 has relation 7"),
    ("1|2|-1\n1|x|0\n", "line 2, column 3: 'x' is not a vertex number"),
    (TNTP.replace("<NUMBER OF LINKS> 2", "<NUMBER OF LINKS> 3"), "ends after 2 of 3"),
    (TNTP.replace("2.5", "soon"), "line 8, column 12: 'soon' is not a number"),
    ("<NUMBER OF ZONES> 1\n<END OF METADATA>\n", "a table of trips is not a network"),
    ("5\n-2\n0 1 3\n1 2 4\n", "line 1, column 2: the line ends early"),
    (b"\x93NUMPY\x01\x00", "damaged"),
    (b"PK\x03\x04zzzzzz", "damaged"),
    (b"PAR1zzzzzzzzzzzz", "damaged"),
]


@pytest.mark.parametrize(("content", "message"), BAD)
def test_bad_files(load, content, message):
    if b"PAR1" in (content if isinstance(content, bytes) else b""):
        pytest.importorskip("pyarrow")
    with pytest.raises(FileFormatError, match=message):
        load(content)


METIS_BAD = [
    ("3 2\n2\n1 3\n", "lines for 2 vertices, but 3 are announced"),
    ("2 1\n2\n1\n1\n", "lines for 3 vertices, but only 2"),
    ("2 1\n2\n3\n", "names vertex 3"),
    ("2 1\n2\n0\n", "names vertex 0"),
    ("2 5\n2\n1\n", "5 edges are announced, which makes 10 neighbours, but there are 2"),
    ("2 1 1\n2\n1 5\n", "the line of vertex 1 has 1 numbers"),
    ("2 1 7\n2\n1\n", "format '7'"),
    ("2 1\n2\nx\n", "line 3, column 1: 'x' is not an integer"),
]


@pytest.mark.parametrize(("content", "message"), METIS_BAD)
def test_bad_metis(load, content, message):
    with pytest.raises(FileFormatError, match=message):
        load(content, "a.graph")


def test_bad_requests(load, tmp_path):
    with pytest.raises(FileFormatError, match="the file does not exist"):
        read(tmp_path / "nothing.gr")
    with pytest.raises(FileFormatError, match="cannot be opened"):
        read(tmp_path)
    with pytest.raises(RequestError, match="unknown format 'dimax'; did you mean 'dimacs'"):
        load(GR, format="dimax")
    with pytest.raises(RequestError, match="'all' or 'customer-provider'"):
        load("1|2|-1\n", relations="peers")
    with pytest.raises(RequestError, match=r"cost='toll': the table has the columns 'u', 'v', 'w'"):
        load("u,v,w\n0,1,2\n", cost="toll")
    with pytest.raises(RequestError, match="no edge has it; edges have source, target"):
        load("graph [ node [ id 0 ] edge [ source 0 target 0 ] ]", cost="toll")
    with pytest.raises(FileFormatError) as caught:
        load("p sp 3 1\na 1 2 five\n")
    error = caught.value
    assert (error.line, error.column, error.path.name) == (2, 7, "graph")


def test_coordinates_beside_that_cannot_be_read_are_left_out(load, tmp_path):
    (tmp_path / "a.co").write_text("p aux sp co 4\n")
    wrong = r"a\.co, line 1: not the coordinates of 3 vertices; the graph is read without.* coordinates=False ignores"
    with pytest.warns(ApspWarning, match=wrong) as told:
        assert load(GR, "a.gr").coordinates is None
    assert told[0].filename == __file__
    assert load(GR, "a.gr", coordinates=False).coordinates is None
    with pytest.raises(FileFormatError, match=r"a\.co, line 1: not the coordinates of 3 vertices$"):
        load(GR, "a.gr", coordinates=tmp_path / "a.co")


NODES = [
    "Node\tX\tY\t;\n1\t-5\t6.5\t;\n3\t10\t20\t;\n",
    "node X Y\n1 -5 6.5\n3 10 20\n",
    "1 -5 6.5\n3 10 20\n",
    "~ places in feet\n\n1 -5 6.5 ;\n~ gap\n3 10 20 ;\n",
    "<NUMBER OF NODES> 3\n<END OF METADATA>\n~ Node ID X_COORD Y_COORD ;\n 1 -5 6.5;\n 3 10 20;\n",
    "id;lat;lon\n1;6.5;-5\n3;20;10\n",
    '"X","Y","NodeID"\n-5,6.5,1\n10,20,3\n',
    "id,x_lat,z\n1,-5,6.5\n3,10,20\n",  # one column that is called both
    "node x y z type\n1 -5 6.5 0 junction\n3 10 20 0 zone\n",
]


@pytest.mark.parametrize("text", NODES)
def test_node_files_of_tntp_networks(load, tmp_path, text):
    (tmp_path / "x_node.tntp").write_text(text)
    points = load(TNTP, "x_net.tntp").coordinates
    assert points[[0, 2]].tolist() == [[-5, 6.5], [10, 20]]
    assert np.isnan(points[1]).all()


NODE_NAMES = [
    ("x_net.tntp", "X_Nodes.TNTP"),
    ("X_Net.tntp", "x_node.tntp"),
    ("x_network_2016_01.tntp", "x_nodes.tntp"),
    ("a-b_net.tntp.gz", "a-b_nodes.tntp"),
    ("x_net.txt", "x_Node.txt"),
]


@pytest.mark.parametrize(("net", "node"), NODE_NAMES)
def test_node_files_are_found_whatever_their_case_and_plural(load, tmp_path, net, node):
    (tmp_path / "other_node.tntp").write_text(NODES[0])
    content = gzip.compress(TNTP.encode()) if net.endswith(".gz") else TNTP
    assert load(content, net).coordinates is None
    (tmp_path / node).write_text(NODES[0])
    assert load(content, net).coordinates is not None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("node\tX\tY\n", "no line 'node x y' of three numbers"),
        ("1 2 3\n7 2 3\n", r"x_node\.tntp, line 2, column 1: vertex 7 does not exist"),
        ("0 2 3\n1 2 3\n", "vertex 0 does not exist"),
        ("node x y\n1 2 3\n2 5\n", "line 3, column 4: the line ends early: expected 'node x y'"),
        ("node x y\n1 2 inf\n", "not a number|not a finite number|no line"),
    ],
)
def test_bad_node_files(load, tmp_path, text, message):
    (tmp_path / "x_node.tntp").write_text(text)
    with pytest.warns(ApspWarning, match=message):
        assert load(TNTP, "x_net.tntp").coordinates is None
    with pytest.raises(FileFormatError, match=message):
        load(TNTP, "x_net.tntp", coordinates=tmp_path / "x_node.tntp")
