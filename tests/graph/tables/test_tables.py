"""Edges from tables of every library: the same rows give the same graph."""

from __future__ import annotations

import datetime
import math
import sys
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import apsp

Rows = dict[str, list[Any]]


def of_pandas(rows: Rows) -> Any:
    return pytest.importorskip("pandas").DataFrame(rows)


def of_polars(rows: Rows) -> Any:
    return pytest.importorskip("polars").DataFrame(rows, strict=False)


def of_lazy_polars(rows: Rows) -> Any:
    return of_polars(rows).lazy()


def of_arrow(rows: Rows) -> Any:
    return pytest.importorskip("pyarrow").table(rows)


def of_batch(rows: Rows) -> Any:
    return of_arrow(rows).to_batches()[0]


def of_duckdb(rows: Rows) -> Any:
    return pytest.importorskip("duckdb").from_arrow(of_arrow(rows))


class Stream:
    """A table of a library that is not known here."""

    def __init__(self, rows: Rows) -> None:
        self.table = of_arrow(rows)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


class Interchange:
    """One that has only the older protocol."""

    def __init__(self, rows: Rows) -> None:
        self.table = of_arrow(rows)

    def __dataframe__(self, *args: Any, **kwargs: Any) -> Any:
        return self.table.__dataframe__(*args, **kwargs)


def of_dictionary(rows: Rows) -> Any:
    return dict(rows)


MAKERS = [of_pandas, of_polars, of_lazy_polars, of_arrow, of_batch, of_duckdb, Stream, Interchange, of_dictionary]
Make = Callable[[Rows], Any]
every_library = pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__.removeprefix("of_"))
ROADS: Rows = {"from": ["b", "c", "b", "d"], "to": ["c", "a", "a", "d"], "minutes": [3, 4, 9, 1]}


def labels(graph: apsp.Graph) -> list[Any]:
    return list(graph.labels)


@every_library
def test_rows_are_arcs_between_labels(make: Make) -> None:
    graph = apsp.from_edges(make(ROADS), source="from", target="to", weight="minutes")
    assert labels(graph) == ["b", "c", "d", "a"]  # in the order of the rows of the first column, then of the second
    assert (graph.directed, graph.weights.dtype) == (True, np.int64)
    assert apsp.solve(graph).distance("b", "a") == 7
    assert apsp.solve(graph).distance("a", "b") == math.inf
    both = apsp.from_edges(make(ROADS), source="from", target="to", weight="minutes", directed=False)
    assert apsp.solve(both).distance("a", "b") == 7


@every_library
def test_columns_with_usual_names_are_found(make: Make) -> None:
    graph = apsp.from_edges(make(ROADS))
    assert graph == apsp.from_edges(make(ROADS), source="from", target="to", weight="minutes")
    assert apsp.from_edges(make(ROADS), weight=None).weights is None
    swapped = apsp.from_edges(make(ROADS), source="to", target="from")
    assert apsp.solve(swapped).distance("a", "b") == 7
    if make is not of_dictionary:  # a dictionary may mean anything
        assert apsp.as_graph(make(ROADS)) == graph
        assert apsp.as_graph(make(ROADS), weight=None) == graph.unweighted()
        assert apsp.diameter(make(ROADS)) == apsp.diameter(graph)
    extended = ROADS | {"Length": [1, 1, 1, 1], "name": ["x"] * 4}
    assert set(apsp.from_edges(make(extended)).weights) == {1}


@every_library
def test_columns_that_are_not_clear(make: Make) -> None:
    with pytest.raises(apsp.RequestError, match="source='start': the table has the columns 'from', 'to', 'minutes'"):
        apsp.from_edges(make(ROADS), source="start")
    with pytest.raises(apsp.RequestError, match="weight='km': the table has the columns 'from', 'to', 'minutes'"):
        apsp.from_edges(make(ROADS), weight="km")
    with pytest.raises(apsp.RequestError, match=r"name the one with the lengths .*weight=None"):
        apsp.from_edges(make(ROADS | {"lanes": [1, 2, 1, 1]}))
    with pytest.raises(apsp.RequestError, match=r"name those with the ends of the edges \(source=..., target=...\)"):
        apsp.from_edges(make({"first": ["x"], "second": ["y"]}))


@every_library
def test_integers_are_labels_and_not_positions(make: Make) -> None:
    graph = apsp.from_edges(make({"source": [30, 10, 10], "target": [10, 20, 30], "weight": [0.5, 2.5, 9]}))
    assert labels(graph) == [10, 20, 30]
    assert apsp.solve(graph).distance(30, 20) == 3
    with pytest.raises(apsp.GraphError, match="no vertex 0"):
        apsp.solve(graph, sources=[0])
    assert not apsp.from_edges(make({"source": [0, 2], "target": [1, 0]})).has_labels
    large = apsp.from_edges(make({"source": [2**62 + 1], "target": [-5], "weight": [2**60 + 1]}))
    assert apsp.solve(large).distance(2**62 + 1, -5) == 2**60 + 1


@every_library
def test_missing_entries_name_the_row(make: Make) -> None:
    for column, values in {"from": ["a", None, "c"], "to": ["b", None, None], "minutes": [1.5, None, 2]}.items():
        rows = {"from": ["a", "b", "c"], "to": ["b", "c", "a"], "minutes": [1.5, 2, 3]} | {column: values}
        with pytest.raises(apsp.GraphError, match=f"row 1 of column '{column}' is missing") as caught:
            apsp.from_edges(make(rows))
        assert ("1 more" in str(caught.value)) == (column == "to")
        assert "remove such rows first, as" in str(caught.value)
    with pytest.raises(apsp.GraphError, match="row 2 of column 'source' is missing"):
        apsp.from_edges(make({"source": [1, 2, None], "target": [2, 3, 4]}))


@every_library
def test_lengths_that_are_not_finite_or_not_numbers(make: Make) -> None:
    with pytest.raises(apsp.GraphError, match="row 1 of column 'weight' is inf: lengths must be finite"):
        apsp.from_edges(make({"source": ["a", "b"], "target": ["b", "a"], "weight": [1.0, math.inf]}))
    with pytest.raises(apsp.GraphError, match="row 0 of column 'weight' is 'x': lengths must be numbers"):
        apsp.from_edges(make({"source": ["a"], "target": ["b"], "weight": ["x"]}), weight="weight")
    if make is Interchange:
        return  # it has no durations
    with pytest.raises(apsp.GraphError, match=r"row 0 of column 'time' is .*: lengths must be .*; convert durations"):
        apsp.from_edges(
            make({"source": ["a"], "target": ["b"], "time": [datetime.timedelta(minutes=5)]}), weight="time"
        )


@pytest.mark.parametrize("make", [m for m in MAKERS if m is not Interchange], ids=lambda make: make.__name__)
def test_decimals(make: Make) -> None:
    rows = {"source": ["a", "b"], "target": ["b", "c"], "weight": [Decimal("1.10"), Decimal("2.25")]}
    assert apsp.solve(apsp.from_edges(make(rows), weight="weight")).distance("a", "c") == 1.10 + 2.25
    rows["weight"] = [Decimal(9007199254740993), Decimal(1)]
    assert apsp.solve(apsp.from_edges(make(rows), weight="weight")).distance("a", "c") == 9007199254740994


@pytest.mark.parametrize("make", [m for m in MAKERS if m is not Interchange], ids=lambda make: make.__name__)
def test_dates_and_times_as_labels(make: Make) -> None:
    for one, other in (
        (datetime.date(2026, 1, 1), datetime.date(2026, 1, 2)),
        (datetime.datetime(2026, 1, 1, 12), datetime.datetime(2026, 1, 2, 0, 30)),
    ):
        graph = apsp.from_edges(make({"source": [one], "target": [other], "weight": [2]}))
        assert apsp.solve(graph).distance(one, other) == 2


@every_library
def test_all_vertices_by_labels(make: Make) -> None:
    everything = ["e", "d", "c", "b", "a"]
    graph = apsp.from_edges(make(ROADS), labels=everything, coordinates=np.zeros((5, 2)))
    assert labels(graph) == everything
    assert apsp.solve(graph).distance("b", "a") == 7
    with pytest.raises(apsp.GraphError, match="row 3 of column 'from': there is no vertex 'd'"):
        apsp.from_edges(make(ROADS), labels=["a", "b", "c"])
    counted = apsp.from_edges(make({"source": [0, 2], "target": [1, 0]}), labels=range(5))
    assert (counted.n, counted.has_labels) == (5, False)


def test_no_rows() -> None:
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    for empty in (
        {"source": [], "target": [], "weight": []},
        pandas.DataFrame({"source": [], "target": []}),
        pyarrow.table({"source": pyarrow.array([], "string"), "target": pyarrow.array([], "string")}),
    ):
        assert (apsp.from_edges(empty).n, apsp.from_edges(empty, labels=["a"]).n) == (0, 1)


def test_arguments_that_do_not_go_together() -> None:
    with pytest.raises(apsp.RequestError, match="labels= gives all vertices of a table"):
        apsp.from_edges(ROADS, n=3)
    with pytest.raises(apsp.RequestError, match="weights of a table are one of its columns"):
        apsp.from_edges(ROADS, None, [1, 2])
    with pytest.raises(apsp.RequestError, match="arrays of arcs take weights="):
        apsp.from_edges([0], [1], weight="minutes")
    with pytest.raises(apsp.RequestError, match="or a table"):
        apsp.from_edges([0, 1])
    with pytest.raises(apsp.GraphError, match="column 'to' has 3 rows, 'from' has 4"):
        apsp.from_edges(ROADS | {"to": ["a", "b", "c"]})


def test_structured_arrays() -> None:
    rows = np.array([(1, 5, 2.5), (5, 7, 1.0)], dtype=[("u", "i4"), ("v", "i4"), ("w", "f4")])
    assert apsp.solve(apsp.from_edges(rows)).distance(1, 7) == 3.5


def test_a_missing_pyarrow_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Stream(ROADS)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(apsp.MissingDependencyError, match=r"type Stream needs pyarrow: pip install 'apsp\[par"):
        apsp.from_edges(table)
