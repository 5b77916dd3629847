"""Odd values of `weight`: only this package's errors, in readable words, for every kind of library."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import apsp
from outside import edges

ODD: list[Any] = [
    True, -1, 2**64, float("nan"), 2j, "", "x" * 100_000, b"bytes", [], [None], [[[1], 2], 3], ["a"] * 24, {},
    {1, 2}, object(), np.array(5), np.zeros((24, 2)), np.array([None] * 24), np.full(24, np.nan), range(24),
]  # fmt: skip


def of_igraph() -> Any:
    return pytest.importorskip("igraph").Graph(n=12, edges=edges().ends)


def of_rustworkx() -> Any:
    made = pytest.importorskip("rustworkx").PyGraph()
    made.add_nodes_from(range(12))
    made.add_edges_from(edges().triples)
    return made


def of_networkit() -> Any:
    made = pytest.importorskip("networkit").Graph(12)
    for ends in edges().ends:
        made.addEdge(*ends)
    return made


@pytest.mark.parametrize(
    "make",
    [
        of_igraph, of_rustworkx, of_networkit, lambda: nx.path_graph(3), lambda: sp.csr_array(np.eye(3)),
        lambda: np.array([[0, 1], [2, 0]]), lambda: apsp.from_edges([0], [1], [3]),
    ],
    ids=["igraph", "rustworkx", "networkit", "networkx", "scipy", "numpy", "apsp"],
)  # fmt: skip
def test_odd_weights(make: Any) -> None:
    graph, messages = make(), []
    for weight in ODD:
        try:
            assert isinstance(apsp.as_graph(graph, weight=weight), apsp.Graph)
        except apsp.ApspError as error:
            messages.append(str(error))
    assert messages
    assert max(map(len, messages)) < 500
