"""Lengths that are Python objects, of tables and other libraries: exact, or an error that names the edge."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest

import apsp


def of_table(lengths: list[Any]) -> apsp.Graph:
    return apsp.from_edges({"source": [0, 1], "target": [1, 2], "weight": lengths}, weight="weight")


def of_networkx(lengths: list[Any]) -> apsp.Graph:
    made = nx.DiGraph()
    made.add_weighted_edges_from([(0, 1, lengths[0]), (1, 2, lengths[1])])
    return apsp.as_graph(made)


def of_igraph(lengths: list[Any]) -> apsp.Graph:
    made = pytest.importorskip("igraph").Graph(n=3, edges=[(0, 1), (1, 2)], directed=True)
    made.es["weight"] = lengths
    return apsp.as_graph(made)


def of_rustworkx(lengths: list[Any]) -> apsp.Graph:
    made = pytest.importorskip("rustworkx").PyDiGraph()
    made.add_nodes_from(range(3))
    made.add_edges_from([(0, 1, lengths[0]), (1, 2, lengths[1])])
    return apsp.as_graph(made)


def objects(lengths: list[Any]) -> Any:
    array = np.empty(len(lengths), dtype=object)
    array[:] = lengths
    return array


def of_arcs(lengths: list[Any]) -> apsp.Graph:
    return apsp.from_edges([0, 1], [1, 2], objects(lengths))


def of_arrays(lengths: list[Any]) -> apsp.Graph:
    return apsp.Graph([0, 1, 2, 2], [1, 2], objects(lengths))


def of_weights(lengths: list[Any]) -> apsp.Graph:
    return apsp.from_edges([0, 1], [1, 2]).with_weights(objects(lengths))


def of_costs(lengths: list[Any]) -> apsp.Graph:
    return apsp.from_edges([0, 1], [1, 2]).with_costs(c=objects(lengths)).with_weights("c")


def of_matrix(lengths: list[Any]) -> apsp.Graph:
    matrix = np.zeros((3, 3), dtype=object)
    matrix[0, 1], matrix[1, 2] = lengths
    return apsp.from_dense(matrix, absent=0)


def of_masked(lengths: list[Any]) -> apsp.Graph:
    matrix = np.zeros((3, 3), dtype=object)
    matrix[0, 1], matrix[1, 2] = lengths
    return apsp.from_dense(np.ma.masked_array(matrix, mask=matrix == 0))


MAKERS: list[Callable[[list[Any]], apsp.Graph]] = [of_table, of_networkx, of_igraph, of_rustworkx]
every_library = pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__.removeprefix("of_"))
SECOND = r"(row 1 of column 'weight'|edge 1 - 2)"


@every_library
@pytest.mark.parametrize(
    "lengths",
    [[2**53 + 1, -1], [np.int64(2**62 + 1), np.uint64(3)], [np.int8(5), 2**62 + 1], [-(2**63), 2**63 - 1]],
)
def test_integers_stay_exact(make: Any, lengths: list[Any]) -> None:
    assert make(lengths).weights.tolist() == [int(length) for length in lengths]
    assert make(lengths).weights.dtype == np.int64


@every_library
@pytest.mark.parametrize("wide", [2**63, 2**64 - 1, 2**70, -(2**63) - 1, np.uint64(2**63)])
def test_integers_beyond_int64_are_not_rounded(make: Any, wide: Any) -> None:
    with pytest.raises(apsp.GraphError, match=rf"{SECOND}.*{int(wide)}.*2\^63.*floats"):
        make([-1, wide])


@every_library
def test_integers_beside_floats(make: Any) -> None:
    assert make([1.5, 2**70]).weights.tolist() == [1.5, 2.0**70]
    assert make([np.float32(1.5), np.float32(2.5)]).weights.dtype == np.float32
    with pytest.raises(apsp.GraphError, match=rf"{SECOND}.* too large") as caught:
        make([1.5, 10**400])
    assert len(str(caught.value)) < 300


@every_library
@pytest.mark.parametrize("odd", [1 + 2j, np.complex128(1), np.timedelta64(3, "s"), np.bool_(True), True, "1", [1]])
def test_what_is_no_number_is_named(make: Any, odd: Any) -> None:
    with pytest.raises(apsp.GraphError, match=SECOND):
        make([1, odd])


@pytest.mark.parametrize(
    "make",
    [*MAKERS, of_arcs, of_arrays, of_weights, of_costs, of_matrix, of_masked],
    ids=lambda make: make.__name__.removeprefix("of_"),
)
@pytest.mark.parametrize(
    ("lengths", "expected", "dtype"),
    [
        ([2, np.int8(3)], [2, 3], np.int64),
        ([Fraction(3), Fraction(2**62 + 1)], [3, 2**62 + 1], np.int64),
        ([Decimal("3.00"), 2**62 + 1], [3, 2**62 + 1], np.int64),
        ([Fraction(1, 3), Decimal("0.1")], [1 / 3, 0.1], np.float64),
        ([Fraction(1, 2), 2.5], [0.5, 2.5], np.float64),
    ],
)
def test_fractions_and_decimals_are_numbers(make: Any, lengths: list[Any], expected: list[Any], dtype: Any) -> None:
    graph = make(lengths)
    assert graph.weights.tolist() == expected
    assert graph.weights.dtype == dtype


@pytest.mark.parametrize("make", [of_arcs, of_arrays, of_weights, of_costs])
@pytest.mark.parametrize("odd", [Decimal("NaN"), Decimal("Infinity"), None, "far", 1 + 2j, Decimal("1e400")])
def test_objects_that_are_no_lengths(make: Any, odd: Any) -> None:
    with pytest.raises(apsp.GraphError):
        make([1, odd])
