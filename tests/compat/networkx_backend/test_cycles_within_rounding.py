"""Cycles that are zero within rounding: "What can differ" in docs/guide/networkx.md."""

from __future__ import annotations

import networkx as nx
import pytest

EXPECTED = {0: 0, 1: 0.1, 2: 0.8, 3: 1.5}


def cycle():
    graph = nx.DiGraph()
    graph.add_weighted_edges_from([(0, 1, 0.1), (1, 2, 0.7), (2, 0, -0.8), (0, 3, 1.5)])
    return graph


def test_they_are_not_negative():
    assert not nx.negative_edge_cycle(cycle(), backend="apsp")
    assert nx.single_source_bellman_ford_path_length(cycle(), 0, backend="apsp") == pytest.approx(EXPECTED)
    assert nx.goldberg_radzik(cycle(), 0, backend="apsp")[1] == pytest.approx(EXPECTED)
    assert dict(nx.floyd_warshall(cycle(), backend="apsp")[0]) == pytest.approx(EXPECTED)
    assert nx.johnson(cycle(), backend="apsp")[0][2] == [0, 1, 2]
