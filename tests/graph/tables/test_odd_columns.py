"""Odd columns of tables: only errors of this package, which name the column and the row; labels are never merged."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import apsp

ENDS = {"source": ["a", "b"], "target": ["b", "c"]}


def test_two_columns_with_a_usual_name() -> None:
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    names = ["source", "target", "weight", "weight"]
    for table in (
        pandas.DataFrame([[0, 1, 2, 3]], columns=names),
        pyarrow.Table.from_arrays([[0], [1], [2], [3]], names=names),
    ):
        with pytest.raises(apsp.RequestError, match=r"weight='weight': the table has 2 columns of this name; rename"):
            apsp.from_edges(table)
        assert apsp.from_edges(table, weight=None).m == 1
    twice = pandas.DataFrame([[0, 1, 2, "x"]], columns=["source", "target", "minutes", "minutes"])
    with pytest.raises(apsp.RequestError, match=r"weight='minutes': the table has 2 columns"):
        apsp.from_edges(twice)


def test_ends_in_the_index_of_a_frame() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ENDS | {"weight": [1, 2]}).set_index(["source", "target"])
    with pytest.raises(apsp.RequestError, match=r"columns 'weight'.*frame.reset_index\(\)"):
        apsp.from_edges(frame)
    with pytest.raises(apsp.RequestError, match=r"source='source'.*frame.reset_index\(\)"):
        apsp.from_edges(frame, source="source", target="target")
    assert apsp.solve(frame.reset_index()).distance("a", "c") == 3


def test_sparse_columns_of_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    sparse = pandas.arrays.SparseArray
    frame = pandas.DataFrame({"source": sparse([5, 7]), "target": [7, 9], "weight": sparse([0.0, 2.5])})
    assert apsp.solve(frame).distance(5, 9) == 2.5
    with pytest.raises(apsp.GraphError, match=r"row 1 of column 'weight' is missing"):
        apsp.from_edges(frame.assign(weight=sparse([1.0, np.nan])))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Decimal("inf"), "is .*inf.*finite"), (Decimal("-inf"), "is .*inf.*finite"), (Decimal("nan"), "is missing"),
        (Decimal("snan"), "is missing"), (Decimal("1e400"), "integers must lie between"),
        (Decimal("1e400") + Decimal("0.5"), "integers must lie between"), (np.bool_(True), "numbers"),
    ],
)  # fmt: skip
def test_decimals_that_are_no_lengths(value: Any, message: str) -> None:
    for first in (Decimal(1), Decimal("1.5")) if "integers" not in message else (Decimal(1),):
        with pytest.raises(apsp.GraphError, match=f"row 1 of column 'weight' {message}|row 1 .*{message}"):
            apsp.from_edges(ENDS | {"weight": [first, value]}, weight="weight")


def test_arrays_that_are_no_lengths() -> None:
    for values, message in (
        (np.array([True, False]), r"row 0 of column 'weight' is True: lengths must be numbers"),
        (np.array([1, 2**63], np.uint64), r"row 1 of column 'weight' is 9223372036854775808.*2\^63 - 1"),
        (np.array(["1", "1e4000"], np.longdouble), r"row 1 of column 'weight' is 1e\+4000.*finite"),
    ):
        if values.dtype == np.float64:
            continue  # long doubles of this platform
        with pytest.raises(apsp.GraphError, match=message):
            apsp.from_edges(ENDS | {"weight": values}, weight="weight")


def test_errors_of_other_libraries() -> None:
    polars, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    frame = polars.LazyFrame(ENDS)
    with pytest.raises(apsp.GraphError, match=r"LazyFrame cannot be read: .*nope"):
        apsp.from_edges(frame.with_columns(polars.col("nope").alias("x")))
    with pytest.raises(apsp.GraphError, match=r"LazyFrame cannot be read: .*conversion"):
        apsp.from_edges(frame.with_columns(polars.col("source").cast(polars.Int64)))
    with duckdb.connect() as connection:
        relation = connection.sql("SELECT 1 AS source, 2 AS target")
    with pytest.raises(apsp.GraphError, match=r"Relation cannot be read: .*closed"):
        apsp.from_edges(relation)


def test_names_of_columns_that_polars_takes_for_patterns() -> None:
    polars = pytest.importorskip("polars")
    for name in ("^s.*$", "*"):
        frame = polars.DataFrame({name: ["x"], "target": ["y"], "weight": [3]})
        for table in (frame, frame.lazy()):
            assert apsp.solve(apsp.from_edges(table, source=name)).distance("x", "y") == 3


def test_nanoseconds_are_not_cut_off() -> None:
    """Times of Python have microseconds: different labels would become equal."""
    polars, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    for kind in (polars.Datetime("ns"), polars.Time):
        frame = polars.DataFrame({"source": [1001], "target": [1002]}).cast({"source": polars.Int64}).cast(kind)
        with pytest.raises(apsp.GraphError, match=r"row 0 of column 'source' .*nanoseconds.*cast"):
            apsp.from_edges(frame)
        whole = polars.DataFrame({"source": [1000], "target": [2000]}).cast(kind)
        assert apsp.from_edges(whole).n == 2
    query = "SELECT make_timestamp_ns(1001) AS source, make_timestamp_ns(1002) AS target"
    with pytest.raises(apsp.GraphError, match=r"nanoseconds"):
        apsp.from_edges(duckdb.sql(query))
    assert apsp.from_edges(duckdb.sql(query.replace("1001", "1000").replace("1002", "2000"))).n == 2


def test_names_that_differ_only_in_case_are_the_same_for_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.sql('SELECT 1 AS source, 2 AS target, 3 AS weight, 4 AS "WEIGHT"')
    with pytest.raises(apsp.GraphError, match=r"columns 'weight', 'WEIGHT' are the same name for DuckDB: rename one"):
        apsp.from_edges(relation, weight="WEIGHT")
    assert apsp.from_edges(relation, weight=None).m == 1


def test_nulls_among_the_values_of_an_arrow_dictionary() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    source = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 1]), pyarrow.array(["a", None]))
    with pytest.raises(apsp.GraphError, match=r"row 1 of column 'source' is missing"):
        apsp.from_edges(pyarrow.table({"source": source, "target": ["b", "c"]}))
