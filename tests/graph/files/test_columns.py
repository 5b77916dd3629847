"""Which columns of a table of links are read: by the names, the format or the caller; otherwise an error lists them."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

import apsp
from apsp.errors import FileFormatError, RequestError
from apsp.graph.columns import PAIRS, folded
from apsp.graph.files.formats import OPTIONS, known_formats


def links(graph: apsp.Graph) -> list[tuple[Any, ...]]:
    names = list(graph.labels)
    weights = [None] * graph.m if graph.weights is None else graph.weights.tolist()
    return sorted(
        ((names[t], names[h], w) for t, h, w in zip(graph.tails(), graph.indices, weights, strict=True)), key=str
    )


def frame_of(text: str) -> dict[str, list[Any]]:
    """The same table as a dictionary of columns."""
    rows = list(csv.reader(text.splitlines()))

    def value(word: str) -> Any:
        return int(word) if word.isdigit() else float(word) if word.replace(".", "").isdigit() else word

    return {name: [value(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}


READ = [
    # table, its links
    (
        "from,to,minutes,operator\nNaples,Rome,70,X\nRome,Turin,270,Y\n",
        [("Naples", "Rome", 70), ("Rome", "Turin", 270)],
    ),
    ("link_id,from_node_id,to_node_id,length\n1,5,6,0.5\n2,6,7,0.25\n", [(5, 6, 0.5), (6, 7, 0.25)]),  # GMNS
    ("link_id,from_node_id,to_node_id,directed,length\n1,5,6,0,3\n2,6,7,1,4\n", [(5, 6, 3), (6, 5, 3), (6, 7, 4)]),
    ("link_id,a_node,b_node,distance\n9,5,6,2\n", [(5, 6, 2)]),  # AequilibraE
    ("NO,FROMNODENO,TONODENO,LENGTH\n9,5,6,2\n", [(5, 6, 2)]),  # Visum
    ("fbus,tbus,r,x,length\n1,2,0.1,0.2,7\n", [(1, 2, 7)]),  # power grids
    ("id,node_a,node_b,len\n4,1,2,7\n", [(1, 2, 7)]),
    ("ID,INODE,JNODE,LENGTH\n4,1,2,7\n", [(1, 2, 7)]),  # EMME
    (
        "Source,Target,Type,Id,Weight\n1,2,Undirected,0,3\n2,3,Directed,1,4\n",
        [(1, 2, 3), (2, 1, 3), (2, 3, 4)],
    ),  # Gephi
    ("u,v,key,osmid,oneway,length\n1,2,0,77,True,3.5\n2,3,0,78,False,4.5\n", [(1, 2, 3.5), (2, 3, 4.5), (3, 2, 4.5)]),
    ("from,to,oneway,length\n1,2,-1,3\n", [(2, 1, 3)]),
    ("from,to,oneway,length\n1,2,B,3\n3,2,T,4\n3,4,F,5\n", [(1, 2, 3), (2, 1, 3), (2, 3, 4), (3, 4, 5)]),  # Geofabrik
    ("source,target,id\n1,2,3\n", [(1, 2, None)]),  # the number of a link is not a length
    ("a,b,from,to,length\n8,9,1,2,7\n", [(1, 2, 7)]),  # a and b may be anything
    ("to,from,w\n1,2,3\n", [(2, 1, 3)]),
]


@pytest.mark.parametrize(("text", "found"), READ)
def test_a_file_and_a_frame_are_read_the_same(tmp_path: Path, text: str, found: list[Any]) -> None:
    path = tmp_path / "links.csv"
    path.write_text(text)
    assert links(apsp.read(path)) == found
    assert links(apsp.from_edges(frame_of(text))) == found
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pytest.importorskip("pyarrow").table(frame_of(text))
    parquet.write_table(table, tmp_path / "links.parquet")
    assert links(apsp.read(tmp_path / "links.parquet")) == found
    semicolons = tmp_path / "semicolons.txt"
    semicolons.write_text(text.replace(",", ";"))
    assert links(apsp.read(semicolons)) == found


UNCLEAR = [
    ("from,to,km,minutes\na,b,3,4\n", r"the columns 'from', 'to', 'km', 'minutes': name the one with the lengths"),
    ("source,target,capacity\n1,2,3\n", "name the one with the lengths"),
    ("x,y,len\n5,6,1\n7,6,2\n", r"the columns 'x', 'y', 'len': name those with the ends"),
    ("from,to,source,target,len\n1,2,3,4,5\n", r"several may be the ends.*source=\.\.\., target=\.\.\."),
    ("from,other,len\n1,2,3\n", "name those with the ends"),
    ("from,to,oneway,length\n1,2,reversible,3\n", r"'reversible' in column 'oneway' is not a direction.*directed="),
    ("from,to,oneway,length\n1,2,F,3\n2,3,T,3\n", "true and false, or forward and backward"),
]


@pytest.mark.parametrize(("text", "message"), UNCLEAR)
def test_an_unclear_table_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "links.csv"
    path.write_text(text)
    with pytest.raises((RequestError, FileFormatError), match=message) as caught:
        apsp.read(path)
    assert str(path) in str(caught.value)
    with pytest.raises((RequestError, apsp.GraphError), match=message):
        apsp.from_edges(frame_of(text))
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pytest.importorskip("pyarrow").table(frame_of(text)), tmp_path / "links.parquet")
    with pytest.raises((RequestError, FileFormatError), match=message):
        apsp.read(tmp_path / "links.parquet")


LINES = [
    # text, options, links
    ("a b\nb c\nc a\n", {}, [("a", "b", None), ("b", "c", None), ("c", "a", None)]),  # no header: the names recur
    ("b a\na c\n", {}, [("a", "c", None), ("b", "a", None)]),
    ("node1 node2\nnode2 node3\n", {}, [("node1", "node2", None), ("node2", "node3", None)]),
    ("start end\nstart x\n", {"header": False}, [("start", "end", None), ("start", "x", None)]),
    ("u v\nx y\n", {"header": True}, [("x", "y", None)]),
    ("source target\nx y\n", {}, [("x", "y", None)]),
    ("0 0 1 0.5\n1 1 2 0.25\n", {"columns": (1, 2, 3)}, [(0, 1, 0.5), (1, 2, 0.25)]),
    ("% sym weighted\n% 2 3 3\n1 2 5\n2 3 4\n", {}, [(1, 2, 5), (2, 1, 5), (2, 3, 4), (3, 2, 4)]),  # KONECT
    ("% asym positive\n1 2 5\n2 3 4\n", {}, [(1, 2, None), (2, 3, None)]),
    ("% bip unweighted\n% 2 2 3\n1 1\n2 3\n", {}, [(1, 3, None), (2, 5, None), (3, 1, None), (5, 2, None)]),
    ("00501 501\n501 7\n", {}, [("00501", "501", None), ("501", "7", None)]),
    ("1 2\n+7 7\n", {}, [("+7", "7", None), ("1", "2", None)]),
    ("1 2\n2 3\n", {"labels": "text"}, [("1", "2", None), ("2", "3", None)]),
    ("A;B;5,5\nB;C;6,5\n", {"decimal": ","}, [("A", "B", 5.5), ("B", "C", 6.5)]),
    ("from;to;length\n1;2;5,5\n", {"decimal": ","}, [(1, 2, 5.5)]),
    ("1 2 {}\n2 3 {}\n", {}, [(1, 2, None), (2, 3, None)]),  # networkx.write_edgelist
    ("from,to,length,\na,b,3,\nb,c,4,\n", {}, [("a", "b", 3), ("b", "c", 4)]),
    (",source,target,weight\n0,a,b,5\n1,b,c,7\n", {}, [("a", "b", 5), ("b", "c", 7)]),  # DataFrame.to_csv
    ("1234567890123456789 2\n", {}, [(1234567890123456789, 2, None)]),
    ('from,to\n" a",a\n"say ""b""", c\n', {}, [(" a", "a", None), ('say "b"', "c", None)]),  # blanks in quotation marks
    ('"from"\t"to"\t"km"\n"x"\t""\t1\n'.replace('""', '"y z"'), {}, [("x", "y z", 1)]),
    ("a,b,3\n#x,c,4\n", {"comments": None}, [("#x", "c", 4), ("a", "b", 3)]),
    ("# FromNodeId\tToNodeId\tTime\n1\t2\t5\n", {}, [(1, 2, 5)]),
    ("from,to,w,z\n1,2,5,6\n", {"columns": ("from", "to", "z")}, [(1, 2, 6)]),
    ("from,to,w,z\n1,2,5,6\n", {"cost": "Z"}, [(1, 2, 6)]),
    ("from,to,w,z\n1,2,5,6\n", {"columns": ("to", "from")}, [(2, 1, None)]),
    ("4|1|2\n4|2|1\n", {}, [(4, 1, 2), (4, 2, 1)]),  # no relations of CAIDA without a provider
    ("a;b|c|5\na;b|d|6\n", {"delimiter": "|"}, [("a;b", "c", 5), ("a;b", "d", 6)]),
    ("x,y,len\n5,6,1\n", {"source": "x", "target": "y"}, [(5, 6, 1)]),
    ("from,to,oneway,w\n1,2,no,5\n", {"directed": True}, [(1, 2, 5)]),
    ("link\tname\tfrom\tto\n1\t\t5\t6\n2\tx\t6\t7\n", {}, [(5, 6, None), (6, 7, None)]),  # an empty field
]


@pytest.mark.parametrize(("text", "options", "found"), LINES)
def test_lines(tmp_path: Path, text: str, options: dict[str, Any], found: list[Any]) -> None:
    path = tmp_path / "links.txt"
    path.write_text(text)
    assert links(apsp.read(path, **options)) == found


REFUSED = [
    ("u v\nx y\ny z\n", {}, r"line 1, 'u v', may name the columns or be an edge: header=True or header=False"),
    ("source target\nx source\n", {}, "may name the columns or be an edge"),
    ("0 0 1 0.5\n1 1 2 0.25\n", {}, r"4 fields and no header, such as '0 0 1 0\.5': columns=\(tail, head, weight\)"),
    ("a;b|source|26\na;b|lead|24\n", {}, r"';' divides .* and '\|' does, too: delimiter=';' or delimiter='\|'"),
    ("y;tab\there\ntarget;tab\there\n", {}, r"delimiter='\\t' or delimiter=';'"),
    ("FROMNODENO;TONODENO;LENGTH\n5;6;0,5\n", {}, "commas in numbers: decimal=','"),
    ("A;B;5,5\nB;C;6,5\n", {}, "commas in numbers: decimal=','"),
    ('from,to,km\n"Paris, TX",Rome,"1,234"\n', {}, "commas in numbers"),
    ("from,to,length\n-,-,km\na,b,3\n", {}, "line 2, column 5: 'km' is not a number"),
    ("from,to\rA,B\rC,D", {"format": "csv"}, "carriage returns alone"),
    ("from,to\rA,B\rC,D", {}, "carriage returns alone"),
    ("1 2 3\n", {"cost": "x"}, "cost='x': there is no header line"),
    ("1 2 3\n", {"source": "x"}, "source='x': there is no header line"),
    ("1 2 3\n", {"columns": ("a", "b")}, "there is no header line; give positions"),
    ("from,to,w\n1,2,5\n", {"columns": (0, 1, 99)}, "there are the columns 0 to 2"),
    ("from,to,w\n1,2,5\n", {"columns": (0, 1, 1)}, "names a column twice"),
    ("from,to,w\n1,2,5\n", {"columns": (0, 1, 2), "cost": "w"}, "names the cost already"),
    ("from,to,length,length\n1,2,5,6\n", {}, "the table has 2 columns of this name"),
    ("0 1 2\n1 2\n", {}, "line 2, column 4: the line ends early"),
    ("1 2 3\n2 3 4 5\n", {}, "line 2, column 7: expected only"),
    ("1 2 3\n-1\n", {}, "line 2.*the line ends early"),
]


@pytest.mark.parametrize(("text", "options", "message"), REFUSED)
def test_refused(tmp_path: Path, text: str, options: dict[str, Any], message: str) -> None:
    path = tmp_path / "links.txt"
    path.write_text(text, newline="")
    with pytest.raises((RequestError, FileFormatError), match=message) as caught:
        apsp.read(path, **options)
    assert str(path) in str(caught.value)


def test_notes_say_what_was_chosen(tmp_path: Path) -> None:
    path = tmp_path / "links.csv"
    for text, said in (
        ("from,to,minutes,operator\na,b,70,X\n", "the lengths are the column 'minutes', the only other one of numbers"),
        (
            "from,to,length,toll\na,b,70,1\n",
            r"the lengths are the column 'length'; others of numbers: 'toll' (cost=...)",
        ),
        ("city1,city2\nRome,Pisa\n", "line 1 was taken as an edge; if it names the columns: header=True"),
        ("x;y z\ny z;x\n", "the lines are divided at ';'; delimiter=' ' divides them at blanks"),
        ("y;x\nNA;from\ny;target\n", "line 1 was taken as an edge; if it names the columns: header=True"),
        ('%,"1,5",88\nto,z,75\n', "comments above the first row that look like rows: 1, skipped"),
        (
            "1,2\n#3,4\n",
            "1 line that begins with a comment mark among the rows: skipped (comments=None reads them)",
        ),
        ("a,b,3\n#x,c,4\n#y,c,4\n", "2 lines that begin with a comment mark among the rows: skipped"),
    ):
        path.write_text(text)
        notes: list[str] = []
        apsp.read(path, notes=notes)
        assert [note[: len(said)] for note in notes] == [said]


GIVEN: dict[str, Any] = {
    "cost": "toll", "costs": ["toll"], "columns": (0, 1), "source": "x", "target": "x", "delimiter": ",",
    "header": True, "comments": "!", "decimal": ",", "labels": "text", "relations": "all", "absent": 0,
    "missing": 1, "coordinates": "x.co", "mode": "car", "turns": True,
}  # fmt: skip
FILES = {
    "dimacs": ("x.gr", "p sp 2 1\na 1 2 5\n"), "matrix-market": (
        "x.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 5\n"
    ), "metis": ("x.metis", "2 1\n2\n1\n"), "pajek": ("x.net", "*Vertices 2\n*Arcs\n1 2 5\n"),
    "gml": ("x.gml", "graph [ node [ id 0 ] edge [ source 0 target 0 weight 1 ] ]"), "caida": ("x.as", "1|2|-1\n"),
    "orlib": ("pmed1.txt", " 2 1 1 \n 1 2 30 \n"), "edge-list": ("x.txt", "1 2 5\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_an_option_is_honoured_or_refused(tmp_path: Path, name: str) -> None:
    file, text = FILES[name]
    path = tmp_path / file
    path.write_text(text)
    assert set(GIVEN) == set(OPTIONS)
    for option, value in GIVEN.items():
        if name not in OPTIONS[option]:
            with pytest.raises(RequestError, match=rf"^{option}= is an option of .*; this file is read as {name}$"):
                apsp.read(path, format=name, **{option: value})
    assert all(set(formats) <= set(known_formats()) for formats in OPTIONS.values())


def test_costs_of_a_saved_graph_are_chosen_by_name(tmp_path: Path) -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [10, 20], costs={"km": [3, 4]})
    apsp.write(graph, tmp_path / "g.npz")
    assert apsp.read(tmp_path / "g.npz", cost="km").weights.tolist() == [3, 4]  # type: ignore[union-attr]
    with pytest.raises(RequestError, match=r"cost='fare': the graph has the costs km"):
        apsp.read(tmp_path / "g.npz", cost="fare")
    with pytest.raises(RequestError, match="absent= is for dense matrices"):
        apsp.read(tmp_path / "g.npz", absent=0)


def test_names_of_ends_are_folded() -> None:
    assert all(folded(name) == name for pair in PAIRS for name in pair)
    assert folded(" From_Node-ID ") == "fromnodeid"
    assert folded("$LINK:NO") == "no"
    assert folded(":START_ID") == "startid"


def test_the_page_of_formats_lists_the_options() -> None:
    page = (Path(__file__).parents[3] / "docs" / "files.md").read_text()
    table = page.partition("<!-- options -->\n")[2].partition("\n<!-- end")[0]
    rows = [f"| `{option}` | {', '.join(formats)} |" for option, formats in OPTIONS.items()]
    assert table == "\n".join(["| option | formats |", "|---|---|", *rows])


def test_a_first_line_with_the_name_of_an_end_among_vertices_is_noted(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("from;Y\nto;source\nfrom;weight\n")
    notes: list[str] = []
    assert apsp.read(tmp_path / "x.csv", notes=notes).m == 3
    assert notes == ["line 1 was taken as an edge; if it names the columns: header=True"]
