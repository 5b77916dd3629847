"""Tables with a row per pair: of results and of the k nearest vertices."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.gpu.emulated.arrays import to_device


def result(**options: Any) -> apsp.Result:
    graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=options.pop("labels", ["a", "b", "c"]))
    return apsp.solve(graph, **options)


def by_arrays(found: Any, **options: Any) -> dict[str, list[Any]]:
    return {name: column.tolist() for name, column in found.to_long(**options).items()}


def by_polars(found: Any, **options: Any) -> dict[str, list[Any]]:
    pytest.importorskip("polars")
    return found.to_polars(**options).to_dict(as_series=False)


def by_arrow(found: Any, **options: Any) -> dict[str, list[Any]]:
    pytest.importorskip("pyarrow")
    return found.to_arrow(**options).to_pydict()


TABLES = [by_arrays, by_polars, by_arrow]
every_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__[3:])
Table = Callable[..., dict[str, list[Any]]]


@every_table
@pytest.mark.parametrize("labels", [["a", "b", "c"], [7, -1, 30], None])
def test_a_row_per_pair_with_a_path(table: Table, labels: Any) -> None:
    a, b, c = labels or range(3)
    found = result(labels=labels)
    expected = {"source": [a, a, a, b, b, c], "target": [a, b, c, b, c, c], "distance": [0, 4, 5, 0, 1, 0]}
    assert table(found) == expected
    some = result(labels=labels, sources=[c, b], targets=[b, c])
    assert table(some) == {"source": [c, b, b], "target": [c, b, c], "distance": [0, 0, 1]}


@every_table
@pytest.mark.parametrize("labels", [["a", "b", "c"], [7, 8, 30], None])
def test_predecessors(table: Table, labels: Any) -> None:
    a, b, c = labels or range(3)
    none = None if table is not by_arrays or labels == ["a", "b", "c"] else -1
    found = table(result(labels=labels, paths=True, targets=[c, a]), predecessors=True)
    assert found["predecessor"] == [b, none, b, none]
    assert found["source"] == [a, a, b, c]
    with pytest.raises(apsp.PathsNotKeptError, match="paths=True"):
        table(result(), predecessors=True)


@every_table
def test_pairs_without_a_path(table: Table) -> None:
    nothing = 65535 if table is by_arrays else None
    assert table(result(), only_reachable=False)["distance"] == [0, 4, 5, nothing, 0, 1, nothing, nothing, 0]
    with_predecessors = table(result(paths=True), only_reachable=False, predecessors=True)
    assert with_predecessors["predecessor"] == [None, "a", "b", None, None, "b", None, None, None]


def test_dtypes_and_encodings() -> None:
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    assert result().to_polars().schema == {"source": polars.String, "target": polars.String, "distance": polars.UInt16}
    kinds = {field.name: str(field.type) for field in result().to_arrow().schema}
    assert kinds["distance"] == "uint16"
    assert kinds["source"] == "dictionary<values=string, indices=int32, ordered=0>"
    assert pyarrow.types.is_integer(result(labels=[5, 6, 9]).to_arrow()["source"].type)


@pytest.mark.parametrize("method", ["to_polars", "to_arrow"])
def test_labels_of_several_types_are_refused(method: str) -> None:
    pytest.importorskip({"to_arrow": "pyarrow"}.get(method, "polars"))
    found = result(labels=["a", 1, (2, "b")])
    with pytest.raises(apsp.RequestError, match=r"has no type for labels such as 'a', 1, .*to_long"):
        getattr(found, method)()
    assert found.to_long()["target"].tolist()[:3] == ["a", 1, (2, "b")]


def test_a_result_on_a_gpu() -> None:
    here = result(paths=True)
    there = apsp.Result(here.graph, to_device(here.distances), pred=to_device(here.predecessors))
    for options in ({}, {"only_reachable": False, "predecessors": True}):
        expected = here.to_long(**options)
        found = there.to_long(**options)
        assert {name: column.tolist() for name, column in found.items()} == {
            name: column.tolist() for name, column in expected.items()
        }


@every_table
def test_nearest(table: Table) -> None:
    graph = result().graph
    found = table(apsp.k_nearest(graph, 2, sources=["c", "a", "b"]))
    assert found == {"source": ["a", "a", "b"], "target": ["b", "c", "c"], "distance": [4, 5, 1]}
    if table is by_arrays and pytest.importorskip("pandas"):
        assert apsp.k_nearest(graph, 2).to_pandas().to_dict("list") == found
    assert table(apsp.k_nearest(result(labels=None).graph, 1))["target"] == [1, 2]


def test_rows_go_to_duckdb_and_back() -> None:
    duckdb, _ = pytest.importorskip("duckdb"), pytest.importorskip("pyarrow")
    pairs = result().to_arrow()
    shown = duckdb.from_arrow(pairs).filter("distance > 0").project("source, target, distance AS weight")
    again = apsp.from_edges(shown, labels=["a", "b", "c"])
    assert np.array_equal(apsp.solve(again).distances, result().distances)


def test_a_series_has_the_labels() -> None:
    pandas = pytest.importorskip("pandas")
    graph = apsp.from_edges([0, 1], [1, 2], labels=[(0, 0), (0, 1), (1, 1)])
    series = graph.to_series(apsp.closeness_centrality(graph), "closeness")
    assert series.index.tolist() == [(0, 0), (0, 1), (1, 1)]
    assert not isinstance(series.index, pandas.MultiIndex)
    assert series.name == "closeness"
    with pytest.raises(apsp.GraphError, match="values must be 3 numbers, one per vertex"):
        graph.to_series([1, 2])


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for package, method, extra in (("polars", "to_polars", "polars"), ("pyarrow", "to_arrow", "parquet")):
        monkeypatch.setitem(sys.modules, package, None)
        for found in (result(), apsp.k_nearest(result().graph, 1)):
            with pytest.raises(apsp.MissingDependencyError, match=rf"pip install 'apsp\[{extra}\]'"):
                getattr(found, method)()
