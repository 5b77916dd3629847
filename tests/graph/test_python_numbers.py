"""Lengths that are Python objects, of tables and other libraries: exact, or an error that names the edge."""

from __future__ import annotations

from collections.abc import Callable
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
