"""Column types that only polars, Arrow and DuckDB have."""

from __future__ import annotations

import math

import numpy as np
import pytest

import apsp


def test_polars_categories_and_wide_integers() -> None:
    polars = pytest.importorskip("polars")
    plain = apsp.from_edges({"u": ["a", "b"], "v": ["b", "c"], "w": [1, 2]})
    frame = polars.DataFrame({"u": ["a", "b"], "v": ["b", "c"], "w": [1, 2]})
    for kind in (getattr(polars, "Int128", polars.Int64), polars.UInt8, polars.Float32):
        assert apsp.from_edges(frame.cast({"u": polars.Categorical, "w": kind})) == plain
    with pytest.raises(apsp.GraphError, match=r"row 0 of column 'u' is .*, which cannot be a label"):
        apsp.from_edges(polars.DataFrame({"u": [{"a": 1}], "v": [{"a": 2}]}))


def test_a_lazy_frame_computes_only_the_columns_of_the_edges() -> None:
    polars = pytest.importorskip("polars")

    def fail(_: object) -> object:
        raise AssertionError("not needed")

    frame = polars.LazyFrame({"u": [0], "v": [1]}).with_columns(
        polars.col("u").map_batches(fail, return_dtype=polars.String).alias("name")
    )
    assert apsp.from_edges(frame).m == 1


def test_arrow_dictionaries_chunks_and_readers() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    one = pyarrow.table({"u": pyarrow.array(["a", "b"]).dictionary_encode(), "v": ["b", "c"], "w": [0.5, 1.5]})
    both = pyarrow.concat_tables([one, one], promote_options="permissive")
    for table in (both, both.to_reader()):
        graph = apsp.from_edges(table)
        assert (list(graph.labels), apsp.solve(graph).distance("a", "c")) == (["a", "b", "c"], 2)
    unused = pyarrow.DictionaryArray.from_arrays(pyarrow.array([2, 0]), pyarrow.array(["x", "y", "z"]))
    assert list(apsp.from_edges(pyarrow.table({"u": unused, "v": ["x", "z"]})).labels) == ["z", "x"]
    with pytest.raises(apsp.RequestError, match="target='v': the table has 2 columns of this name"):
        apsp.from_edges(pyarrow.Table.from_arrays([[1], [2], [3]], names=["u", "v", "v"]), source="u", target="v")


def test_single_columns_are_not_tables() -> None:
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    for column in (polars.Series([1, 2]), pyarrow.array([1, 2]), np.arange(2)):
        with pytest.raises(apsp.ApspError, match="table"):
            apsp.from_edges(column)


def test_queries_of_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    edges = duckdb.sql("""SELECT 'a' AS "the ""from", 'b' AS "to.x", SUM(3) AS minutes, 'x' AS name""")
    graph = apsp.from_edges(edges, source='the "from', target="to.x")
    assert (graph.has_integer_weights, apsp.solve(graph).distance("a", "b")) == (True, 3)
    with pytest.raises(apsp.GraphError, match=r"the DuckDBPyRelation cannot be read: .*quick"):
        apsp.from_edges(duckdb.sql("SELECT 1 AS u, 2 AS v, 'quick'::VARCHAR AS t").project("u, v, CAST(t AS INT) AS w"))
    assert apsp.solve(duckdb.sql("SELECT i AS u, i + 1 AS v FROM range(3) t(i)")).distance(0, 3) == 3
    assert math.isinf(apsp.solve(duckdb.sql("SELECT 7 AS u, 9 AS v")).distance(9, 7))
