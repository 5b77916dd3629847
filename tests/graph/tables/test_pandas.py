"""Column types that only pandas has."""

from __future__ import annotations

import numpy as np
import pytest

import apsp

pandas = pytest.importorskip("pandas")


def test_tuples_timestamps_and_mixed_labels() -> None:
    days = pandas.to_datetime(["2026-01-01", "2026-01-02"])
    for values in ([(0, 1), (1, 1)], list(days), ["a", 7]):
        frame = pandas.DataFrame({"source": [values[0]], "target": [values[1]], "weight": [3]})
        assert apsp.solve(apsp.from_edges(frame)).distance(*values) == 3
    frame = pandas.DataFrame(
        {"source": [[0, [1]]], "target": [np.array([1, 1])]}
    )  # of lists and arrays tuples are made
    assert list(apsp.from_edges(frame).labels) == [(0, (1,)), (1, 1)]
    frame = pandas.DataFrame({"source": [{1: 2}], "target": ["a"]})
    with pytest.raises(apsp.GraphError, match=r"row 0 of column 'source' is \{1: 2\}, which cannot be a label"):
        apsp.from_edges(frame)


def test_categories_and_nullable_numbers() -> None:
    frame = pandas.DataFrame({"u": ["a", "b"], "v": ["b", "c"], "w": [1, 2]})
    plain = apsp.from_edges(frame)
    assert apsp.from_edges(frame.astype({"u": "category", "v": "category"})) == plain
    for kind in ("Int64", "UInt8", "Float32", "int16", "float64"):
        assert apsp.from_edges(frame.astype({"w": kind})) == plain
    assert apsp.from_edges(frame.astype({"w": "Int64"})).has_integer_weights
    unused = pandas.DataFrame({"u": pandas.Categorical(["z", "x"], categories=["x", "y", "z"]), "v": ["x", "z"]})
    assert list(apsp.from_edges(unused).labels) == ["z", "x"]
    numbered = pandas.DataFrame({"u": pandas.Categorical([5, 3]), "v": pandas.array([3, 9], dtype="Int64")})
    assert list(apsp.from_edges(numbered).labels) == [3, 5, 9]
    assert apsp.from_edges(frame.astype({"w": object})) == plain
    gap = frame.assign(w=pandas.array([1, None], dtype="Int64"))
    with pytest.raises(apsp.GraphError, match=r"row 1 of column 'w' is missing .*frame.dropna"):
        apsp.from_edges(gap)


def test_unsigned_integers_beside_signed_ones() -> None:
    frame = pandas.DataFrame({"u": np.array([2**63 - 1], np.uint64), "v": np.array([-1], np.int64)})
    assert list(apsp.from_edges(frame).labels) == [-1, 2**63 - 1]
    frame = pandas.DataFrame({"u": np.array([2**64 - 1], np.uint64), "v": np.array([-1], np.int64)})
    assert list(apsp.from_edges(frame).labels) == [-1, 2**64 - 1]


def test_names_of_columns_need_not_be_text_but_be_different() -> None:
    frame = pandas.DataFrame([["a", "b", 4]])
    assert apsp.solve(apsp.from_edges(frame, source=0, target=1, weight=2)).distance("a", "b") == 4
    frame.columns = ["u", "v", "v"]
    with pytest.raises(apsp.RequestError, match="target='v': the table has 2 columns of this name"):
        apsp.from_edges(frame, source="u", target="v")


def test_a_square_table_is_not_a_table_of_edges() -> None:
    square = apsp.solve(apsp.from_edges([0], [1], [2], labels=["a", "z"])).to_pandas()
    with pytest.raises(apsp.RequestError, match=r"as in a matrix of lengths: apsp.from_dense reads it"):
        apsp.from_edges(square)
    assert apsp.solve(square).distance("a", "z") == 2


def test_lengths_are_not_ignored_silently() -> None:
    frame = pandas.DataFrame({"u": ["a"], "v": ["b"], "weight": ["12"]})
    with pytest.raises(apsp.GraphError, match=r"row 0 of column 'weight' is '12': .*weight=None counts hops"):
        apsp.from_edges(frame)
    with pytest.raises(apsp.GraphError, match="row 1 of column 'minutes' is missing"):
        apsp.from_edges(pandas.DataFrame({"u": ["a", "b"], "v": ["b", "c"], "minutes": [2, None]}, dtype=object))
