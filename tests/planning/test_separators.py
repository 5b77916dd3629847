"""When the planner looks for separators, and what it makes of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import apsp
from apsp.errors import MemoryLimitError
from apsp.facts.statistics import Fill
from apsp.methods.elimination.probe import pays_to_seek, with_fill
from apsp.planning import Request, make_plan, plan_for, planner, statistics_of
from apsp.semiring import MAX_MIN
from contract import graph_of, random_edges
from invented import LAPTOP, SERVER, TINY, constants, graph

ROADS = graph(264_346, 730_100, high=10_000)
FILL = Fill(entries=7_000_000, nodes=31_000, factor_pairs=1.6e8, row_pairs=1.6e6, climb_pairs=3e4)


def test_roads_with_a_small_factor_are_eliminated():
    request = Request(mode="stream")
    before = make_plan(ROADS, SERVER, request, constants(SERVER))
    after = make_plan(replace(ROADS, fill=FILL, separators_sought=True), SERVER, request, constants(SERVER))
    assert before.method != "elimination"
    assert ("elimination", "not needed: the run is too short to look for separators") in before.rejected
    assert after.method == "elimination"
    assert "the factor has 7,000,000 values (26.5 per vertex)" in after.explain()
    assert after.seconds < before.seconds / 1.3


def test_few_sources_are_not_worth_a_factor():
    known = replace(ROADS, fill=FILL, separators_sought=True)
    assert make_plan(known, LAPTOP, Request(sources=1), constants(LAPTOP)).method != "elimination"


def test_a_large_factor_is_slower_or_too_large():
    wide = Fill(entries=400_000_000, nodes=9000, factor_pairs=1e13, row_pairs=1e8, climb_pairs=1e8)
    known = replace(graph(16_384, 65_536), fill=wide, separators_sought=True)
    assert make_plan(known, LAPTOP, Request(), constants(LAPTOP)).method != "elimination"
    none = replace(ROADS, separators_sought=True)
    plan = make_plan(none, LAPTOP, Request(mode="stream"), constants(LAPTOP))
    assert ("elimination", "not needed: no small separators were found") in plan.rejected
    with pytest.raises(MemoryLimitError):
        make_plan(none, TINY, Request(method="elimination", mode="stream"), constants(TINY))


def test_negative_floats_with_paths_are_left_to_johnson():
    known = replace(graph(5000, 20_000, low=-3, dtype="float64"), fill=FILL, separators_sought=True)
    plan = make_plan(known, LAPTOP, Request(paths=True), constants(LAPTOP))
    assert plan.method == "johnson"
    assert ("elimination", "not needed: with negative floats, johnson finds the paths") in plan.rejected


@pytest.mark.parametrize("rows", [None, 100])
@pytest.mark.parametrize("signed", [False, True])
def test_paths_to_few_targets_take_whole_rows_on_the_way(rows, signed):
    known = replace(ROADS, fill=FILL, separators_sought=True, has_negative_arc=signed)
    asked = Request(
        sources=500, method="elimination", paths=True, mode="matrix" if rows is None else "stream", rows=rows
    )
    few = replace(asked, targets=3)
    whole, some = (make_plan(known, SERVER, request, constants(SERVER)) for request in (asked, few))
    held = (rows or 500) * ROADS.n * whole.dtype.itemsize if signed else 256 * ROADS.n * SERVER.cores
    assert some.bytes_work - whole.bytes_work == held


def test_when_it_pays_to_seek():
    assert pays_to_seek(ROADS, Request(), 1000.0)
    assert not pays_to_seek(ROADS, Request(), 0.5)
    assert pays_to_seek(ROADS, Request(method="elimination"), 0.5)
    assert not pays_to_seek(ROADS, Request(method="dijkstra"), 1000.0)
    deep = replace(ROADS, depth=1000)
    assert pays_to_seek(deep, Request(device="cuda", threads=16), 0.3)
    assert not pays_to_seek(deep, Request(device="cuda", threads=1), 0.3)
    assert not pays_to_seek(ROADS, Request(semiring=MAX_MIN), 1000.0)
    assert not pays_to_seek(replace(ROADS, separators_sought=True), Request(), 1000.0)
    assert not pays_to_seek(replace(ROADS, lies_on_gpu=True), Request(), 1000.0)


def test_grids_are_eliminated_and_expanders_are_not():
    assert plan_for(apsp.generate("grid", 100 * 100, seed=1, weights=(1, 1000))).method == "elimination"
    dense = graph_of(1200, random_edges(1200, 40_000, 1, 1000, 1))
    assert plan_for(dense).method != "elimination"


def test_the_search_ends_early():
    wide = graph_of(3000, random_edges(3000, 24_000, 1, 9, 1))
    sought = with_fill(statistics_of(wide), wide, Request(), 1e-4, 2, 10**9)
    assert (sought.fill, sought.separators_sought) == (None, True)
    small = with_fill(statistics_of(wide), wide, Request(), 100.0, 2, 1000)
    assert small.fill is None
    grid = apsp.generate("grid", 900, seed=1, weights=(1, 9))
    found = with_fill(statistics_of(grid), grid, Request(), 1.0, 2, 10**9).fill
    assert found is not None
    assert found.entries > found.row_pairs > 900
    assert np.isfinite(found.climb_pairs)


def test_more_threads_than_cores_do_not_make_the_search_cheaper(monkeypatch):
    seen = []

    def pays(statistics, request, seconds, **options):
        seen.append(request.threads)
        return False

    monkeypatch.setattr("apsp.methods.elimination.probe.pays_to_seek", pays)
    grid = apsp.generate("grid", 400, seed=1)
    for threads in (1, 64):
        plan = planner.plan_on(grid, Request(threads=threads), LAPTOP, constants(LAPTOP))
        assert plan.threads == threads
    assert seen == [1, LAPTOP.cores]
