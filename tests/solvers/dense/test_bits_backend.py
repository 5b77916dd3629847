"""Pages of bits on the CPU, by the driver that serves every backend."""

from __future__ import annotations

import numpy as np
import pytest

from apsp import Graph
from apsp.backend import Algebra
from apsp.semiring import OR_AND
from apsp.solvers.dense.bits_backend import CpuBitsBackend
from apsp.solvers.dense.closure import closure
from apsp.solvers.dense.closure_on_gpu import finds_components
from apsp.solvers.dense.pages import close_pages, cut

ALGEBRA = Algebra(OR_AND, True)


@pytest.mark.parametrize("page", [64, 128, 320, 1000])
@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 500])
def test_the_driver_of_pages(n: int, page: int) -> None:
    rng = np.random.default_rng(n)
    ends = rng.integers(0, max(n, 1), (2, 3 * n // 2))
    graph, backend, bounds = Graph.from_edges(*ends, n=n), CpuBitsBackend(2), cut(n, page)
    whole = backend.allocate(n, -(-n // 64), np.uint64)
    pages = [[whole[top:bottom, left // 64 : -(-right // 64)] for left, right in bounds] for top, bottom in bounds]
    for row, (top, _) in zip(pages, bounds, strict=True):
        for part, (left, _) in zip(row, bounds, strict=True):
            backend.fill(part, top, left // 64, graph, ALGEBRA)
    assert close_pages(backend, pages, bounds, ALGEBRA) == (-1, False)
    assert all(backend.finish(part, ALGEBRA) for row in pages for part in row)
    np.testing.assert_array_equal(whole, closure(graph))


def test_terminals_keep_no_arcs() -> None:
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], n=3)
    graph = Graph(graph.indptr, graph.indices, terminals=np.array([False, True, False]))
    page = np.empty((2, 1), dtype=np.uint64)
    CpuBitsBackend(1).fill(page, 1, 0, graph, ALGEBRA)
    assert page.tolist() == [[0b010], [0b101]]


def test_components_are_looked_for_in_sparse_graphs_only() -> None:
    assert finds_components(65536, 131072)
    assert finds_components(4096, 8192)
    assert not finds_components(4096, 4096**2 // 2)
    assert not finds_components(16384, 16384**2 // 2)
