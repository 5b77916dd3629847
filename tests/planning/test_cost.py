"""The cost models: what they must know, whatever their constants are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import apsp
from apsp.facts.depth import pays_in_any_case, pays_to_probe, with_depth
from apsp.facts.work import Work
from apsp.methods import registry
from apsp.planning import Machine, Request, make_plan, statistics_of
from apsp.planning.cost import seconds_of
from invented import SERVER, constants, graph

WHOLE = Work(rows=16_000, threads=16, dtype="int32", paths=False, output_bytes=0, physical=16)
TWO_EACH = replace(WHOLE, physical=8)


def seconds(method: str, statistics, work: Work) -> float:
    return seconds_of(registry.get(method), statistics, work, constants(SERVER))


@pytest.mark.parametrize("method", ["floyd-warshall", "label-correcting", "dijkstra-buckets", "dijkstra"])
def test_a_second_thread_of_a_core_is_no_core(method):
    statistics = graph(16_000, 64_000, high=10)
    eight = seconds(method, statistics, replace(WHOLE, threads=8, physical=8))
    shared, sixteen = seconds(method, statistics, TWO_EACH), seconds(method, statistics, WHOLE)
    assert sixteen < shared <= eight * 1.001
    assert shared > 1.5 * sixteen


def test_cores_of_work():
    assert (WHOLE.cores, WHOLE.slower) == (16, 1.0)
    shared = replace(TWO_EACH, sibling=0.25)
    assert (shared.cores, shared.slower) == (10, 1.6)
    assert replace(shared, threads=4).cores == 4
    assert replace(WHOLE, physical=None, sibling=0.0).cores == 16


def test_a_sparse_graph_on_threads_that_share_cores_is_not_closed_as_a_dense_one():
    machine: Machine = replace(SERVER, cores=16, physical=8)
    statistics = graph(11_264, 45_056, high=100)
    plan = make_plan(statistics, machine, Request(), constants(SERVER))
    assert plan.method == "label-correcting"
    assert dict(plan.rejected)["floyd-warshall"].startswith("slower")


def test_what_is_kept_for_widest_paths_is_not_taken_for_sums():
    made = apsp.generate("random", 3000, seed=1, weights=(60_000, 65_000))
    wide = statistics_of(made, sums=False)
    assert with_depth(wide, made, sums=False).depth is not None
    assert statistics_of(made).bound.high > 65_000
    assert statistics_of(made, sums=False).bound == wide.bound


def test_depth_is_found_by_two_searches():
    for kind, n, least, most in (("ring", 400, 200, 200), ("grid", 400, 38, 38), ("complete", 50, 1, 1)):
        made = apsp.generate(kind, n, seed=1)
        statistics = with_depth(statistics_of(made), made)
        assert least <= statistics.depth <= most
        assert statistics_of(made).depth == statistics.depth, "it is kept with the graph"
    random = apsp.generate("random", 5000, seed=1)
    found = with_depth(statistics_of(random), random)
    assert 0.5 < found.depth / replace(found, depth=None).likely_depth < 2
    lonely = apsp.from_edges([0], [1], [5], n=9)
    assert with_depth(statistics_of(lonely), lonely).depth == 1


def test_a_search_of_an_acyclic_graph_meets_a_part_of_it():
    dag = apsp.generate("dag", 3000, seed=1, m=300_000)
    found = with_depth(statistics_of(dag), dag)
    reach = apsp.reachable(dag).to_numpy()
    truth = float((reach @ np.diff(dag.indptr)).mean() / dag.m)
    assert found.reached == pytest.approx(truth, abs=0.2)
    given = replace(found, reached=1.0)
    for name in ("label-correcting", "dijkstra", "dijkstra-buckets", "bit-bfs", "bfs"):
        assert seconds(name, found, WHOLE) < seconds(name, given, WHOLE)
    everywhere = apsp.generate("grid", 900, seed=1)
    assert with_depth(statistics_of(everywhere), everywhere).reached == 1
    halves = apsp.from_edges([0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3], [1] * 6, n=6, directed=False)
    assert with_depth(statistics_of(halves), halves).reached == pytest.approx(0.5)


def test_when_it_pays_to_probe():
    statistics = graph(16_000, 64_000)
    assert pays_to_probe(statistics, 1.0)
    assert not pays_to_probe(statistics, 1e-3)
    assert not pays_to_probe(replace(statistics, depth=9), 1.0)
    assert not pays_to_probe(replace(statistics, lies_on_gpu=True), 1.0)


def test_when_it_pays_to_probe_in_any_case():
    statistics = statistics_of(apsp.generate("random", 1000, m=5000, seed=1, directed=False))
    assert pays_in_any_case(statistics, 10**6)
    assert not pays_in_any_case(statistics, 10**5)
    for other in (replace(statistics, depth=9), replace(statistics, m=10**5), replace(statistics, is_directed=True)):
        assert not pays_in_any_case(other, 10**9)
    assert not pays_to_probe(graph(9, 0), 1.0)


def test_deep_graphs_take_longer():
    flat, deep = (replace(graph(16_000, 64_000, high=10), depth=depth) for depth in (12, 250))
    few = replace(WHOLE, rows=64, threads=1)
    assert seconds("label-correcting", deep, few) > 2 * seconds("label-correcting", flat, few)
    hops = [replace(statistics, is_weighted=False, weight_dtype=None) for statistics in (flat, deep)]
    assert seconds("bit-bfs", hops[1], WHOLE) > 3 * seconds("bit-bfs", hops[0], WHOLE)


def test_a_plan_tells_the_probe():
    grid = apsp.generate("grid", 128 * 128, seed=1)
    words = apsp.plan(grid).explain()
    assert "Probe: the largest out-degree is 1.01 times the mean; arcs are 498 long on average; " in words
    assert "has about 254 arcs (measured by two searches); separators are small: a factor would have" in words
    dense = apsp.plan(apsp.generate("complete", 300, seed=1)).explain()
    assert "has about 3 arcs (estimated from the degrees); separators were not looked for." in dense
