"""Positions of arcs in CSR arrays, beside a search in the list of arcs."""

from __future__ import annotations

import numpy as np
import pytest

import apsp
from apsp.graph.arc_positions import arcs_between


@pytest.mark.parametrize(("n", "m"), [(1, 0), (3, 0), (5, 1), (7, 12), (9, 60)])
def test_arcs_and_pairs_without_an_arc(n: int, m: int) -> None:
    graph = apsp.generate("random", n, m=m, seed=3) if m else apsp.from_edges([], [], n=n)
    listed = list(zip(graph.tails().tolist(), graph.indices.tolist(), strict=True))
    tails, heads = (each.ravel() for each in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
    expected = [listed.index(arc) if arc in listed else -1 for arc in zip(tails.tolist(), heads.tolist(), strict=True)]
    assert arcs_between(graph.indptr, graph.indices, tails, heads).tolist() == expected
