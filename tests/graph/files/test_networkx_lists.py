"""Text files that NetworkX writes: edge lists with dictionaries are read, adjacency lists refused with the remedy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import apsp
from apsp import FileFormatError, RequestError


def read(folder: Path, text: str, **options: Any) -> apsp.Graph:
    (folder / "x.txt").write_text(text)
    return apsp.read(folder / "x.txt", **options)


@pytest.mark.parametrize("delimiter", [" ", ",", "\t", ";"])
@pytest.mark.parametrize("names", ["abcdef", range(6), [7, 3, 10**12, -4, 0, 5]])
@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiDiGraph])
def test_edge_lists_with_dictionaries(tmp_path: Path, delimiter: str, names: Any, kind: Any) -> None:
    G, rng = kind(), np.random.default_rng(1)
    for u, v in rng.integers(0, 6, (12, 2)):
        numbers = {"weight": int(rng.integers(1, 9)), "km": np.float64(rng.integers(1, 9) / 4)}
        G.add_edge(names[u], names[v], **numbers, name="A, {1}")
    nx.write_edgelist(G, tmp_path / "x.txt", delimiter=delimiter)
    found = apsp.read(tmp_path / "x.txt")
    wanted = apsp.from_networkx(G, costs=["km"])
    assert {*found.labels} == {*wanted.labels}
    for u, v in G.edges():
        for graph in (found, found.with_weights("km")):
            by = {True: "weight", False: "km"}[graph is found]
            lengths = [data[by] for _, w, data in G.edges(u, data=True) if w == v]
            arc = int(np.flatnonzero((graph.tails() == graph.index(u)) & (graph.indices == graph.index(v)))[0])
            assert graph.weights[arc] == min(lengths)  # type: ignore[index]
    assert apsp.read(tmp_path / "x.txt", cost="KM").weights.dtype == np.float64  # type: ignore[union-attr]
    assert apsp.read(tmp_path / "x.txt", weighted=False).weights is None
    assert {*apsp.read(tmp_path / "x.txt", labels="text").labels} == set(map(str, wanted.labels))


def test_integers_are_counted_as_in_other_edge_lists(tmp_path: Path) -> None:
    graph = read(tmp_path, "2 1 {'weight': 3}\n0 2 {}\n", weighted=False)
    assert not graph.has_labels
    assert read(tmp_path, "2 1 {'weight': 3}\n0 2 {}\n", missing=9).weights.tolist() == [9, 3]  # type: ignore[union-attr]
    assert read(tmp_path, "0 1 {}\n1 2 {}\n").weights is None
    notes: list[str] = []
    assert read(tmp_path, "a b {'minutes': 3}\n", notes=notes).weights is None
    assert "cost= may name minutes" in notes[0]
    assert read(tmp_path, "a b {'minutes': 3}\n", cost="minutes", links=True).weights.tolist() == [3]  # type: ignore[union-attr]
    assert read(tmp_path, "# edges\na b {'weight': np.float64(2.5)}\n").weights.tolist() == [2.5]  # type: ignore[union-attr]
    assert read(tmp_path, "Rome Pisa {'weight': 3}\n", columns=(0, 1)).weights is None


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("a b {'weight': 3}\nb c {}\n", {}, "weight"),
        ("a b {'weight': 3}\n" * 2000 + "b c\n", {}, "line 2001.*does not end with a dictionary"),
        ("a b {'weight': inf}\n", {}, "line 1.*not a dictionary of attributes: numbers are finite"),
        ("a b {'weight': 'far'}\n", {}, "line 1: weight 'far' is not a number"),
        ("a b {'weight': 3}\n", {"cost": "km"}, "no edge has it; edges have weight"),
        ("a b {'weight': 3}\n", {"decimal": ","}, "dictionaries have decimal points"),
        ("New York Boston {'weight': 3}\n", {}, r"networkx\.write_edgelist\(\.\.\., delimiter=','\)"),
        ("Rome Pisa 3\n", {"missing": 1}, "missing= is for edge lists with dictionaries"),
    ],
)
def test_dictionaries_that_cannot_be_read(tmp_path: Path, text: str, options: Any, words: str) -> None:
    with pytest.raises((FileFormatError, RequestError), match=words):
        read(tmp_path, text, **options)


@pytest.mark.parametrize("write", [nx.write_adjlist, nx.write_multiline_adjlist])
def test_adjacency_lists_are_refused_with_the_remedy(tmp_path: Path, write: Any) -> None:
    graphs = (nx.karate_club_graph(), nx.path_graph(5), nx.cycle_graph(4, nx.DiGraph), nx.star_graph(3),
              nx.relabel_nodes(nx.cycle_graph(4), dict(enumerate("abcd"))),
              nx.DiGraph([(0, 1), (0, 2), (1, 2), (1, 0), (2, 0), (2, 1)]))  # fmt: skip
    for G in graphs:
        write(G, tmp_path / "x.txt")
        with pytest.raises(FileFormatError, match=r"an adjacency list.*read_adjlist.*apsp\.from_networkx\(G\)"):
            apsp.read(tmp_path / "x.txt")


@pytest.mark.parametrize("text", ["1 2 3 4\n2 3\n3 4\n4\n", "a b c\nb c\nc d\nd\n", "0 1 2 3\n1 0\n2 0 3\n3 0 2\n"])
def test_adjacency_lists_of_others(tmp_path: Path, text: str) -> None:
    with pytest.raises(FileFormatError, match=r"as in an adjacency list, which networkx\.read_adjlist reads"):
        read(tmp_path, text)


def test_other_lines_of_various_lengths_are_not_called_adjacency_lists(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError) as caught:
        read(tmp_path, "0 1 5\n1 2\n2 3 4\n")
    assert "line" in str(caught.value)
    assert read(tmp_path, "from,to,length\nSan Jose,Los Angeles,3\nLos Angeles,Las Vegas,4\n").m == 2
    with pytest.raises(FileFormatError, match="unknown format"):
        read(tmp_path, "It was a dark and stormy night\nthe rain fell in torrents\nexcept at times\n")


@pytest.mark.parametrize("units", ["id,id,km", ",,km", "-,-,[km]"])
def test_a_row_of_units_is_named(tmp_path: Path, units: str) -> None:
    pd = pytest.importorskip("pandas")
    words = r"line 2.*units of the columns.*apsp\.from_edges\(pandas\.read_csv\(path, skiprows=\[1\]\)\)"
    with pytest.raises(FileFormatError, match=words):
        read(tmp_path, f"from,to,length\n{units}\nA,B,3\nB,C,4\n")
    graph = apsp.from_edges(pd.read_csv(tmp_path / "x.txt", skiprows=[1]))
    assert apsp.solve(graph).distance("A", "C") == 7


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("Paris, TX,lead,{'weight': 3}\nb,c,{'weight': 3}\n", None),  # three fields
        ("tab\there,y,{'weight': 3}\n", ("tab\there", "y")),
        ("a|b say\"so\" {'weight': 3}\n", ("a|b", 'say"so"')),
        ("lead,a;b,{'weight': 3}\n", ("lead", "a;b")),
        ("Rome, Pisa, {'weight': 3}\n", ("Rome", "Pisa")),
        ("New York,Los Angeles,{'weight': 3}\n", ("New York", "Los Angeles")),
        ("Rome,S. Maria,{}\nPisa,S. Maria,{}\n", ("Rome", "S. Maria")),
        ("\ufeff,trail,{'weight': 3}\n", None),  # the mark of UTF-8 is not part of a name
    ],
)
def test_the_delimiter_stands_before_the_dictionary(tmp_path: Path, text: str, ends: tuple[str, str] | None) -> None:
    (tmp_path / "x.txt").write_text(text, encoding="utf-8")
    if ends is None:
        with pytest.raises(FileFormatError, match=r"line 1: .*is not 'tail head'"):
            apsp.read(tmp_path / "x.txt")
        return
    graph = apsp.read(tmp_path / "x.txt")
    assert (graph.labels[int(graph.tails()[0])], graph.labels[int(graph.indices[0])]) == ends


def test_rows_that_begin_with_comment_marks_are_noted(tmp_path: Path) -> None:
    notes: list[str] = []
    text = "# a comment\n%\tb\t{'weight': 3}\nb\tc\t{'weight': 4}\n"
    assert read(tmp_path, text, notes=notes).m == 1
    assert notes == [
        "lines that begin with a comment mark and end with a dictionary: 1, skipped (comments=None reads them)"
    ]
    assert read(tmp_path, "% b {}\nb c {}\n", notes=notes).m == 1
    assert notes[1] == notes[0]
    assert read(tmp_path, "% 1 {}\n1 2 {}\n", notes=notes).m == 1
    assert notes[2] == "comments above the first row that look like rows: 1, skipped (comments=None reads them)"
    with pytest.raises(RequestError, match="the lines have 3 fields and no header"):  # not all end so
        read(tmp_path, text, comments=None, format="edge-list", header=False)
