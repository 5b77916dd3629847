"""Labels and names that files cannot hold are refused before anything is written; the others come back as they were."""

from __future__ import annotations

import csv
import datetime
import itertools
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import apsp
from apsp.graph.files import losses

LABELS = [(0, 1), (0, 2), (1, 1)]
TABLES: dict[str, Callable[[apsp.Graph], Any]] = {
    "k_nearest": lambda graph: apsp.k_nearest(graph, 1),
    "nearest": lambda graph: apsp.nearest(graph, [graph.labels[0]]),
    "accessibility": lambda graph: apsp.accessibility(graph, np.ones(graph.n), cutoffs=3),
    "isochrone": lambda graph: apsp.isochrone(graph, [graph.labels[0]], 3),
    "statistics": lambda graph: apsp.distance_statistics(graph, list(graph.labels)),
    "paths": lambda graph: apsp.prepare(graph).paths([graph.labels[0]], [graph.labels[1]]),
    "skims": apsp.skim,
}


def ring(labels: Any) -> apsp.Graph:
    n = len(labels)
    return apsp.from_edges(range(n), [*range(1, n), 0], range(1, n + 1), labels=labels)


def columns(made: Any) -> dict[str, list[Any]]:
    found = made.to_long() if hasattr(made, "to_long") else made.to_dict()
    return {name: column.tolist() for name, column in found.items()}


def plain(value: Any) -> Any:
    return tuple(map(plain, value)) if isinstance(value, list) else value


@pytest.mark.parametrize(
    "labels", [LABELS, [("a", "b"), ("a", "c"), ("b", "b")], [((1,), 2), ((), 3), ((1, 2), 3)], [(), (1,)]]
)
@pytest.mark.parametrize("table", TABLES)
def test_tuples_in_parquet(tmp_path: Path, table: str, labels: list[Any]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    made = TABLES[table](ring(labels))
    if labels[0] == ((1,), 2):  # of several types
        with pytest.raises(apsp.RequestError, match="Arrow has no type for labels such as"):
            made.write(tmp_path / "table.parquet")
        assert not list(tmp_path.iterdir())
        return
    made.write(tmp_path / "table.parquet")
    found = parquet.read_table(tmp_path / "table.parquet").to_pydict()
    assert {name: list(map(plain, column)) for name, column in found.items()} == {
        name: [None if value != value else value for value in column] for name, column in columns(made).items()
    }


def test_a_table_of_tuples_is_a_graph_again(tmp_path: Path) -> None:
    pandas, polars, parquet = map(pytest.importorskip, ("pandas", "polars", "pyarrow.parquet"))
    graph = apsp.from_networkx(nx.grid_2d_graph(3, 4))
    near = apsp.k_nearest(graph, 2)
    near.write(path := tmp_path / "near.parquet")
    expected = apsp.from_edges(near.to_pandas(), source="source", target="target", weight="distance")
    assert set(expected.labels) == set(graph.labels)
    for table in (parquet.read_table(path), pandas.read_parquet(path), polars.read_parquet(path), near.to_polars()):
        again = apsp.from_edges(table, source="source", target="target", weight="distance")
        assert again == expected
    assert apsp.read(path) == expected
    for suffix in (".parquet", ".feather"):
        apsp.write(graph, tmp_path / f"graph{suffix}")
        back = apsp.read(tmp_path / f"graph{suffix}")
        assert set(back.labels) == set(graph.labels)
        assert back.m == graph.m
        assert losses(graph, tmp_path / f"graph{suffix}") == []
    assert losses(ring([(0, "a"), (1, "b")]), "graph.parquet") == ["label types"]


@pytest.mark.parametrize(
    "labels",
    [
        [np.datetime64(day, "D") for day in range(3)], [np.datetime64(time, "10s") for time in range(3)],
        [np.datetime64(1, "Y"), np.datetime64(3, "h"), np.datetime64(5, "us")],
        [np.timedelta64(time, "m") for time in range(1, 4)], [np.timedelta64(3, "D"), np.timedelta64(7, "ms")],
        [datetime.timedelta(1), datetime.timedelta(0, 1)], [Decimal("1.5"), Decimal(2)], [1.5, 2.5], [b"a", b"\xff"],
    ],
)  # fmt: skip
def test_moments_and_other_labels_in_every_library(tmp_path: Path, labels: list[Any]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    pytest.importorskip("polars")
    made = apsp.k_nearest(ring(labels), 1)
    made.write(tmp_path / "table.parquet")
    found = [
        parquet.read_table(tmp_path / "table.parquet").to_pydict(), made.to_arrow().to_pydict(),
        made.to_polars().to_dict(as_series=False), dict(made.to_pandas()),
    ]  # fmt: skip
    for table in found:
        for mine, label in zip(table["source"], labels, strict=True):
            assert (type(label)(mine) if isinstance(label, np.generic) else mine) == label
    assert made.to_pandas()["source"].tolist() == labels


def test_units_below_nanoseconds() -> None:
    pytest.importorskip("pandas")
    labels = [np.datetime64(2735, "ps"), np.datetime64(2, "ns")]
    graph = ring(labels)
    result = apsp.solve(graph)
    assert apsp.k_nearest(graph, 1).to_pandas()["source"].tolist() == labels
    assert result.to_pandas().index.tolist() == graph.to_series([1, 2]).index.tolist() == labels
    assert result.to_xarray().source.values.tolist() == labels
    for convert in (apsp.k_nearest(graph, 1).to_polars, apsp.k_nearest(graph, 1).to_arrow):
        with pytest.raises(apsp.RequestError, match="has no type for labels such as"):
            convert()


def test_labels_that_a_library_would_change_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    made = apsp.k_nearest(ring([Fraction(1, 7), Fraction(2, 7)]), 1)
    with pytest.raises(apsp.RequestError, match="polars has no type for labels such as"):
        made.to_polars()
    with pytest.raises(apsp.RequestError, match="Arrow has no type for labels such as"):
        made.write(tmp_path / "table.parquet")
    assert made.to_pandas()["source"].tolist() == [Fraction(1, 7), Fraction(2, 7)]


def test_halves_of_surrogate_pairs(tmp_path: Path) -> None:
    graph = ring(["\ud800", "b"])
    for made in (TABLES[table](graph) for table in TABLES):
        for name in ("table.csv", "table.parquet"):
            with pytest.raises(
                apsp.RequestError, match=r"(cannot hold the label|no type for labels such as).* '\\ud800'"
            ):
                made.write(tmp_path / name)
    for name in ("g.csv", "g.tsv", "g.gml", "g.graphml", "g.net", "g.parquet", "g.feather"):
        with pytest.raises(apsp.GraphError, match=r"label '\\ud800' .*; write \.(npz|graphml)"):
            apsp.write(graph, tmp_path / name)
    with pytest.raises(apsp.RequestError, match=r"cannot hold the label '\\ud800'"):
        apsp.skim(graph).write(tmp_path / "skims.omx")
    assert not list(tmp_path.iterdir())
    result = apsp.solve(graph)
    for name in ("g.npz", "r.npz"):
        apsp.write(graph, tmp_path / name) if name == "g.npz" else result.save(tmp_path / name)
    assert (
        list(apsp.read(tmp_path / "g.npz").labels)
        == list(apsp.load(tmp_path / "r.npz").graph.labels)
        == ["\ud800", "b"]
    )
    assert apsp.k_nearest(graph, 1).to_pandas()["source"].tolist() == ["\ud800", "b"]
    assert result.to_pandas().index.tolist() == graph.to_series([1, 2]).index.tolist() == ["\ud800", "b"]
    assert result.to_xarray().source.values.tolist() == ["\ud800", "b"]


@pytest.mark.parametrize("labels", [["\ud800\udc80", "b"], [("\ud800\udc80", 1), "\udc80"], ["\U00010080", 7]])
def test_two_halves_beside_each_other_stay_two(tmp_path: Path, labels: list[Any]) -> None:
    graph = ring(labels)
    apsp.write(graph, tmp_path / "graph.npz")
    apsp.solve(graph).save(tmp_path / "result.npz")
    pytest.importorskip("zarr")
    apsp.solve(graph, store=tmp_path / "result.zarr")
    saved = apsp.load(tmp_path / "result.npz"), apsp.load(tmp_path / "result.zarr")
    for back in (apsp.read(tmp_path / "graph.npz"), *(result.graph for result in saved)):
        assert list(back.labels) == labels


ODD_TEXTS = ["a\rb", "a\nb", 'say "x"', "a,b", " a ", "", "\0", "a\0", "a", "\x80", "\ufeff", "#", "'", "=1+1", "\x0b"]


def test_csv_keeps_texts(tmp_path: Path) -> None:
    made = apsp.k_nearest(ring(ODD_TEXTS), 1)
    made.write(tmp_path / "near.csv")
    with (tmp_path / "near.csv").open(newline="", encoding="utf-8") as file:
        assert [row[0] for row in csv.reader(file)] == ["source", *ODD_TEXTS]
    with pytest.raises(apsp.GraphError, match="1 and '1' have the same text"):
        apsp.k_nearest(ring([1, "1"]), 1).write(tmp_path / "other.csv")


@pytest.mark.parametrize("name", ["g.csv", "g.tsv", "g.txt"])
@pytest.mark.parametrize(
    "labels",
    [["01", "1", "001"], ["1", "2", "3", "x"], ["1.5", "2.5"], ["-0", "0", "+0"], [2**63, 2**63 + 1], [-(2**70), 5, 6]],
)
def test_edge_lists_of_labels_that_look_like_numbers(tmp_path: Path, labels: list[Any], name: str) -> None:
    graph = ring(labels)
    apsp.write(graph, tmp_path / name)
    back = apsp.read(tmp_path / name)
    assert list(back.labels) == list(map(str, labels))
    assert (back.to_edges()[2] == graph.to_edges()[2]).all()


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["g.gml", "g.parquet", "g.feather", "g.npz"])
def test_graph_files_keep_texts_or_refuse(tmp_path: Path, name: str) -> None:
    kept = []
    for label in [*ODD_TEXTS, *map(chr, range(256)), "\ufdd0", "\uffff", "&amp;", "&#0;"]:
        graph = ring([label, "other", label + "\0"])
        try:
            apsp.write(graph, tmp_path / name)
        except apsp.GraphError:
            continue
        assert set(apsp.read(tmp_path / name).labels) == set(graph.labels)
        kept.append(label)
    assert len(kept) > 200 or name == "g.gml"


# -- names of costs ---------------------------------------------------------------------------------------------------


def skims(*names: str, labels: Any = None) -> apsp.Skims:
    graph = apsp.from_edges([0, 1], [1, 0], [1, 2], labels=labels)
    return apsp.skim(graph, {name: [3, k] for k, name in enumerate(names)})


@pytest.mark.parametrize("name", ["a/b", "/", "/a", "a/", ".", "./a"])
def test_open_matrix_files_refuse_paths(tmp_path: Path, name: str) -> None:
    pytest.importorskip("h5py")
    for others in ([], ["a_b"]):
        with pytest.raises(apsp.RequestError, match=f"cannot hold the cost {name!r}, which is a path.*another name"):
            skims(name, *others).write(tmp_path / "skims.omx")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "name", ["..", "...", "a_b", "a.b", " ", "\n", "é", "e\u0301", "x" * 70_000, "a\\b", "data", "&"]
)
def test_open_matrix_files_keep_names(tmp_path: Path, name: str) -> None:
    pytest.importorskip("h5py")
    made = skims(name, "other")
    made.write(tmp_path / "skims.omx")
    assert apsp.read_omx(tmp_path / "skims.omx") == made


@pytest.mark.parametrize("label", ["a\0", "\0b"])
def test_labels_of_matrices_with_zeros(tmp_path: Path, label: str) -> None:
    pytest.importorskip("h5py")
    with pytest.raises(apsp.RequestError, match="cannot hold the label"):
        skims(labels=[label, "c"]).write(tmp_path / "skims.omx")
    if label.endswith("\0"):
        with pytest.raises(apsp.RequestError, match="loses the zero at the end"):
            skims(labels=[label, "c"]).write(tmp_path / "skims.npz")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("names", [("zones",), ("targets.npy",), ("x", "x.npy"), ("x" * 66_000,)])
def test_numpy_files_refuse_names(tmp_path: Path, names: tuple[str, ...]) -> None:
    with pytest.raises(apsp.RequestError, match=r"\.npz file"):
        skims(*names).write(tmp_path / "skims.npz")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["x.npy", "a/b", "..", "/a", "é", "\n", "c" * 60_000])
def test_numpy_files_keep_names(tmp_path: Path, name: str) -> None:
    skims(name).write(tmp_path / "skims.npz")
    with np.load(tmp_path / "skims.npz") as saved:
        assert sorted(saved.files) == sorted(["cost", name, "zones", "targets"])
        assert saved[name].tolist() == [[0, 3], [0, 0]]


@pytest.mark.parametrize("name", ["a\0", "\0", "\ud800", "", None, 3])
def test_names_that_no_file_holds_are_refused_at_once(name: Any) -> None:
    graph = apsp.from_edges([0, 1], [1, 0], [1, 2])
    words = r"the name of a (cost|column) (must be text|has a character that files cannot hold)"
    with pytest.raises(apsp.GraphError, match=words):
        apsp.from_edges([0], [1], [1], costs={name: [1]})
    with pytest.raises(apsp.RequestError, match=words):
        apsp.skim(graph, {name: [1, 2]})
    if isinstance(name, str):
        with pytest.raises(apsp.RequestError, match=words):
            apsp.skim(graph, {}, cost=name)
        with pytest.raises(apsp.RequestError, match=words):
            apsp.accessibility(graph, {name: [1, 2]}, cutoffs=1)


@pytest.mark.parametrize("names", [("é", "e\u0301"), ("é" * 150,), ("K", "\u212a")])
def test_stores_refuse_names_that_are_one_folder(tmp_path: Path, names: tuple[str, ...]) -> None:
    pytest.importorskip("zarr")
    graph = apsp.from_edges([0, 1], [1, 0], [1, 2])
    with pytest.raises(apsp.RequestError, match="cannot be an array of a store"):
        apsp.skim(graph, {name: [1, 2] for name in names}, store=tmp_path / "skims.zarr")
    assert not list(tmp_path.iterdir())


def test_columns_of_numbers_that_differ_in_the_seventh_digit() -> None:
    graph = apsp.from_edges([0, 1], [1, 0], [1, 2])
    found = apsp.accessibility(graph, {"jobs": [1, 2]}, cutoffs=[0.1, 900, 10**6, 10**6 + 1, 1234567.5])
    names = ["vertex", "jobs_0.1", "jobs_900", "jobs_1e+06", "jobs_1000001", "jobs_1234567.5"]
    assert list(found.to_dict()) == names
    found = apsp.distance_statistics(graph, quantiles=[0.1234567, 0.12345671, 0.5])
    assert {"q0.1234567", "q0.12345671", "q0.5"} <= set(found.to_dict())
    with pytest.raises(apsp.RequestError, match="a column 'vertex' of labels"):
        apsp.accessibility(graph, {"vertex": [1, 2]}, cutoffs=1).to_dict()


def test_titles_are_drawn_as_they_are(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    graph = apsp.from_edges([0, 1], [1, 0], [1, 2], coordinates=[[0, 0], [1, 1]], labels=["$\\frac{", "\ud800\0"])
    for title in ("$x^$", "\\frac{$", "\ud800", "\0", "a\nb"):
        figure = graph.plot([1, 2], title=title, label=title)
        for name in ("a.png", "a.svg", "a.pdf"):
            figure.savefig(tmp_path / name)
        route = apsp.solve(graph, paths=True).plot("$\\frac{", "\ud800\0")
        route.savefig(tmp_path / "route.svg")
    assert "\0" not in (tmp_path / "route.svg").read_text(encoding="utf-8")


# -- integers beyond 64 bits ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_large_integers_of_tables_are_in_ascending_order(order: tuple[int, ...]) -> None:
    for numbers in ([2**63, 2**63 + 5, 2**64 - 1], [-(2**63) - 1, 7, 2**63], [2**64, 2**70, 10**400], [-1, 7, 2**63]):
        labels = [numbers[k] for k in order]
        tails, heads = [labels[0], labels[1], labels[2]], [labels[1], labels[2], labels[0]]
        graph = apsp.from_edges({"source": tails, "target": heads, "weight": [1, 2, 3]})
        assert list(graph.labels) == sorted(numbers)
        assert [apsp.solve(graph).distance(*ends) for ends in zip(tails, heads, strict=True)] == [1, 2, 3]


def test_columns_of_signed_and_unsigned_integers(tmp_path: Path) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    tails, heads = np.array([2**63 + 1, 2**63 + 3, 2**63 + 2], np.uint64), np.array([-5, 2**62 + 1, 3])
    table = pyarrow.table({"source": tails, "target": heads})
    parquet.write_table(table, tmp_path / "edges.parquet")
    for graph in (apsp.from_edges(table), apsp.read(tmp_path / "edges.parquet")):
        assert list(graph.labels) == [-5, 3, 2**62 + 1, 2**63 + 1, 2**63 + 2, 2**63 + 3]
        assert [array.tolist() for array in graph.to_edges()[:2]] == [[3, 4, 5], [0, 1, 2]]
