"""Pages of bits on the CPU, by the driver that serves every backend."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from apsp import Graph
from apsp.graph.convert import from_edges
from apsp.methods.closure.bits_backend import CpuBitsBackend
from apsp.methods.closure.by_strips import close_bits_by_strips
from apsp.methods.closure.closure import closure
from apsp.methods.floyd_warshall.pages import close_pages, cut
from apsp.methods.floyd_warshall.strips.cuts import StripPlan, strip_plan
from apsp.methods.floyd_warshall.strips.lane import CpuLane
from apsp.methods.floyd_warshall.strips.page_file import PageFile
from apsp.semiring import OR_AND, Algebra

ALGEBRA = Algebra(OR_AND, True)


@pytest.mark.parametrize("page", [64, 128, 320, 1000])
@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 500])
def test_the_driver_of_pages(n: int, page: int) -> None:
    rng = np.random.default_rng(n)
    ends = rng.integers(0, max(n, 1), (2, 3 * n // 2))
    graph, backend, bounds = from_edges(*ends, n=n), CpuBitsBackend(2), cut(n, page)
    whole = backend.allocate(n, -(-n // 64), np.uint64)
    pages = [[whole[top:bottom, left // 64 : -(-right // 64)] for left, right in bounds] for top, bottom in bounds]
    for row, (top, _) in zip(pages, bounds, strict=True):
        for part, (left, _) in zip(row, bounds, strict=True):
            backend.fill(part, top, left // 64, graph, ALGEBRA)
    assert close_pages(backend, pages, bounds, ALGEBRA) == -1
    assert all(backend.finish(part, ALGEBRA) for row in pages for part in row)
    np.testing.assert_array_equal(whole, closure(graph))


@pytest.mark.parametrize("devices", [1, 3])
@pytest.mark.parametrize("n", [1, 64, 129, 700])
def test_the_driver_of_strips(n: int, devices: int) -> None:
    rng = np.random.default_rng(n)
    graph = from_edges(*rng.integers(0, n, (2, 3 * n // 2)), n=n)
    graph = Graph(graph.indptr, graph.indices, zones=np.arange(n) % 5 == 4)
    columns = -(-n // 64)
    for where in ("devices", "host"):
        plan = strip_plan(n, 8, devices, 1 << 24, 1 << 30, where=(where,), columns=columns, pivots_per_column=64)
        assert isinstance(plan, StripPlan)
        while plan is not None:
            lanes = [CpuLane(CpuBitsBackend(1)) for _ in range(devices)]
            np.testing.assert_array_equal(close_bits_by_strips(graph, lanes, plan), closure(graph))
            plan = plan.smaller()


@pytest.mark.parametrize("devices", [1, 2])
def test_bits_pass_from_a_file_through_devices_and_back(devices: int, tmp_path: Path) -> None:
    class Apart(CpuLane):
        shares_host = False

    n = 700
    graph = from_edges(*np.random.default_rng(n).integers(0, n, (2, 3 * n // 2)), n=n)
    plan = StripPlan(n, 11, devices, 128, 128, 8, "file", 64)
    for number in range(2):  # computed, then loaded
        file = PageFile(tmp_path / "bits", (n, 11), np.uint64, {})
        assert file.finished == (number == 1)
        lanes = [Apart(CpuBitsBackend(1)) for _ in range(devices)] if number == 0 else []
        np.testing.assert_array_equal(close_bits_by_strips(graph, lanes, plan, file=file), closure(graph))
        file.close()


def test_zones_keep_no_arcs() -> None:
    graph = from_edges([0, 1, 2], [1, 2, 0], n=3)
    graph = Graph(graph.indptr, graph.indices, zones=np.array([False, True, False]))
    page = np.empty((2, 1), dtype=np.uint64)
    CpuBitsBackend(1).fill(page, 1, 0, graph, ALGEBRA)
    assert page.tolist() == [[0b010], [0b101]]
