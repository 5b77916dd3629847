"""Extremes from searches on a GPU, in batches, are those of all rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import apsp
import emulation
from apsp.bounds import few_searches, searches_on_gpu
from apsp.bounds.bounded_search import ExtremeName, SearchLimits
from apsp.bounds.few_searches import by_few_searches
from apsp.bounds.searches_on_gpu import rounds_on_gpu
from apsp.facts.request import Request
from apsp.gpu import jit, nvrtc
from apsp.gpu.emulated.run import entered
from apsp.gpu.recorder import recording
from apsp.measures.eccentricities import extremes_of
from apsp.methods.searches.few_sources import FewSources
from apsp.planning.decision import Decision
from apsp.planning.planner import decision_for
from apsp.reductions.eccentricity_bounds import EccentricityBounds
from apsp.reductions.kernels import bound
from apsp.reductions.strong_parts import StrongParts
from apsp.running.arguments import prepared
from compiling import ARCHITECTURES, needs_compiler
from emulation import emulated_gpus
from examples import examples
from extreme_graphs import graphs

WANTED: tuple[ExtremeName, ...] = get_args(ExtremeName)
EMULATED, CUDA = Request(device="emulated", threads=2), Request(device="cuda", threads=2)
INT32 = np.dtype(np.int32)


WHATEVER_IT_COSTS = SearchLimits(smallest=1, densest=10, few_pairs=0, share=1e9, least_at_once=1)
"""Few searches also where all rows take as long, and a look at pairs for any number of open vertices."""


@pytest.fixture(params=["on this CPU", pytest.param("on a GPU", marks=pytest.mark.gpu)])
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """CuPy, or what stands for it."""
    if request.param == "on a GPU":
        yield request.getfixturevalue("cupy")
        return
    with emulated_gpus(monkeypatch):
        yield jit.cupy()


@pytest.fixture(params=["emulated", pytest.param("cuda", marks=pytest.mark.gpu)])
def options(request: pytest.FixtureRequest) -> Request:
    """Of a GPU, or an emulated one."""
    if request.param == "cuda":
        request.getfixturevalue("cupy")
    return Request(device=request.param, threads=2)


def check(
    graph: apsp.Graph, options: Request, names: set[ExtremeName], at_once: int, most: int, method: str = "auto"
) -> None:  # fmt: skip
    def with_method(graph: apsp.Graph, request: Request, *, coarse: bool) -> Decision:
        return decision_for(graph, replace(request, method=method), coarse=coarse)

    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(searches_on_gpu, "decision_for", with_method)
        limits = replace(WHATEVER_IT_COSTS, at_once=at_once, most=most, fewest=1)
        found = by_few_searches(graph, options, *sorted(names), pair="diameter" in names, limits=limits)
    assert found is not None
    assert 0 < found.searches <= graph.n
    every = apsp.summary(graph, device="cpu")
    for name in names:
        values = getattr(found, name), getattr(every, name)
        assert np.array_equal(*values), name
        assert type(values[0]) is type(values[1])
    if "diameter" in names:
        pair = found.farthest_pair
        assert pair.distance == every.diameter
        assert apsp.solve(graph).distance(pair.source, pair.target) == pair.distance
    if "radius" in names:
        assert found.center_vertex in every.center


@given(
    graphs(), st.sampled_from([1, 2, 7, 64]), st.sampled_from([1, 3, 100]),
    st.sets(st.sampled_from(WANTED), min_size=1), st.sampled_from(["label-correcting", "bit-bfs", "elimination"]),
)  # fmt: skip
@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_as_all_rows(graph: apsp.Graph, at_once: int, most: int, names: set[ExtremeName], method: str) -> None:
    method = "label-correcting" if graph.is_weighted and method == "bit-bfs" else method
    check(graph, EMULATED, names, at_once, most, method)


def alike(n: int) -> apsp.Graph:
    """A graph whose vertices are all alike, with two arcs out of each: bounds of some exclude no others."""
    tails = np.arange(n)
    return apsp.from_edges(np.r_[tails, tails], np.r_[(tails + 1) % n, (tails + 70) % n])


def larger() -> Iterator[tuple[str, apsp.Graph]]:
    """Graphs of some hundred vertices."""
    rng = np.random.default_rng(3)
    yield "R-MAT", apsp.generate("rmat", 512, seed=1)
    yield "R-MAT, hops", apsp.generate("rmat", 512, seed=1, weights=None)
    yield "R-MAT, undirected", apsp.generate("rmat", 512, seed=1, directed=False)
    yield "grid", apsp.generate("grid", 400, seed=1)
    yield "city", apsp.generate("city", 400, seed=1)
    yield "ring", apsp.generate("ring", 300, weights=None)
    yield "ring of integers", apsp.generate("ring", 300, seed=1)
    yield "complete", apsp.generate("complete", 90, seed=1)
    heads = np.arange(1, 500)
    yield "tree", apsp.from_edges(heads // 2, heads, directed=False)
    yield "two components", apsp.from_edges(np.r_[0:99, 150:330], np.r_[1:100, 151:331], n=340, directed=False)
    yield "both ways", apsp.from_edges(np.r_[heads // 2, heads], np.r_[heads, heads // 2], np.r_[heads, heads] % 9)
    yield (
        "cycles one after another",
        apsp.from_edges(np.r_[0:100, 100:300, 50], np.r_[1:100, 0, 101:300, 100, 200], rng.integers(0, 9, 301)),
    )
    yield "whole floats", apsp.from_edges(heads // 2, heads, rng.integers(1, 9, 499).astype(float), directed=False)


@pytest.mark.few(4)
@pytest.mark.parametrize("graph", [graph for _, graph in larger()], ids=[name for name, _ in larger()])
def test_larger_graphs(graph: apsp.Graph, options: Request) -> None:
    check(graph, options, {"diameter", "radius"}, 16, 12)
    check(graph, options, {"periphery"}, 16, 12, "label-correcting" if graph.is_weighted else "bit-bfs")
    check(graph, options, {"center", "eccentricity"}, 64, 4)
    check(graph, options, {"radius"}, 8, 2)


@pytest.mark.parametrize("before", [WHATEVER_IT_COSTS.before_components, 0])  # a fast GPU has few, too
def test_a_graph_of_a_power_law_takes_few_rounds(
    options: Request, before: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = apsp.generate("rmat", 1 << 12, seed=1)
    rounds: list[int] = []
    merge = EccentricityBounds.merge

    def counted(bounds: EccentricityBounds, found: Any, *ends: Any) -> None:
        rounds.append(len(found.vertices))
        merge(bounds, found, *ends)

    monkeypatch.setattr(EccentricityBounds, "merge", counted)
    found = extremes_of(graph, options, replace(WHATEVER_IT_COSTS, before_components=before))
    assert len(rounds) <= 4
    assert sum(rounds) <= found.searches < graph.n / 8  # all at once may be cheaper for the last ones
    every = apsp.summary(graph, device="cpu")
    assert (found.diameter, found.radius) == (every.diameter, every.radius)


def test_arcs_both_ways_are_searched_once(options: Request) -> None:
    tails, heads = np.arange(300), (np.arange(300) * 7 + 1) % 300
    graph = apsp.from_edges(np.r_[tails, heads], np.r_[heads, tails], np.r_[tails, tails] % 5 + 1)
    assert graph.directed
    searches = few_searches._searches(graph, INT32, options, WHATEVER_IT_COSTS)
    assert searches is not None
    assert searches._into is None


@pytest.mark.parametrize("method", ["label-correcting", "bit-bfs", "elimination"])
def test_distances_to_vertices_from_the_arcs_that_a_gpu_holds(method: str, options: Request) -> None:
    graph = apsp.generate("rmat", 300, seed=4, weights=None if method == "bit-bfs" else (1, 9))
    request = Request(sources=5, dtype="int32", method=method, mode="stream", device=options.device)
    solver = prepared(graph, decision_for(graph, request).plan(), None, request)
    backwards = solver.backwards()
    if method == "elimination":
        assert backwards is None
        return
    assert backwards is not None
    assert backwards is not solver
    sources = np.array([0, 7, 8, 100, 299], dtype=np.int32)
    for made, of in ((backwards, graph.reversed()), (solver, graph)):
        dist = np.empty((5, 300), dtype=np.int32)
        made.fill(sources, dist, None)
        np.testing.assert_array_equal(dist, apsp.solve(of, sources=sources, dtype="int32").distances)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("n", [40, 9000])  # of one part, and of several
def test_kernels_prove_what_the_cpu_proves(device: Any, dtype: Any, directed: bool, n: int) -> None:
    graph = apsp.generate("random", n, seed=2, m=2 * n, directed=directed)
    few, vertices = FewSources(graph, np.dtype(dtype), 2), np.array([5, 3, 17, 0, 30], dtype=np.int32)
    out, into = few.distances_from(vertices), few.distances_to(vertices)
    there = device.asarray(out)
    found = bound.searched(vertices, there, device.asarray(into) if directed else there)
    merged, added = (EccentricityBounds(graph, StrongParts(graph, np.dtype(dtype)), np.dtype(dtype)) for _ in range(2))
    merged.merge(found)
    for row, vertex in enumerate(vertices.tolist()):
        added.searched[vertex] = True  # the reach of the components is not compared
        added.add(vertex, out[row], into[row])
    added.set(vertices.astype(np.int64), found.eccentricities)
    for name in ("lower", "upper", "searched", "total"):
        np.testing.assert_array_equal(getattr(merged, name), getattr(added, name), name)
    assert merged.farthest[0] == added.farthest[0]
    assert few.distances_from(np.array([merged.farthest[1]], np.int32))[0, merged.farthest[2]] == merged.farthest[0]


@pytest.mark.parametrize("order", ["forward", "backward"])
def test_kernels_have_no_races(order: str) -> None:
    dist = np.random.default_rng(1).integers(0, 99, (3, 700)).astype(np.int32)
    with entered(), recording(order) as recorder:
        there = jit.cupy().asarray(dist)
        bound.searched(np.arange(3, dtype=np.int32), there, there)
    assert {"reach_rows", "bound_columns"} == set(recorder.kernels)
    assert recorder.races == []


def test_rows_are_left_out_where_they_take_as_long(device: Any) -> None:
    small = apsp.generate("rmat", 4096, seed=1, weights=None)
    assert rounds_on_gpu(small, INT32, CUDA) is None
    assert by_few_searches(small, CUDA, "diameter") is None
    large = apsp.generate("rmat", 1 << 17, seed=1)
    rounds = rounds_on_gpu(large, INT32, CUDA)
    assert rounds is not None
    spent = rounds.most * 2 * rounds.decision.seconds_of(rounds.at_once)
    assert 3 <= rounds.most <= 12
    assert 0 < spent < 0.1 * rounds.decision.seconds_of(large.n)


def test_rows_that_do_not_fit_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = apsp.generate("rmat", 1 << 16, seed=1)
    found = []
    for mebibytes in (1024, 64, 32):
        monkeypatch.setattr(emulation, "MEMORY", mebibytes << 20)
        with pytest.MonkeyPatch.context() as inner, emulated_gpus(inner):
            rounds = rounds_on_gpu(graph, INT32, CUDA)
            found.append(None if rounds is None else rounds.at_once)
    assert found[0] == 64
    assert found[-1] is None


@pytest.mark.slow
def test_bounds_that_do_not_close_leave_the_rest_to_all_rows(options: Request) -> None:
    found = by_few_searches(alike(5000), options, "periphery", limits=SearchLimits(share=1e9, most=3))
    assert found is not None
    assert found.searches == 5000
    assert found.periphery == list(range(5000))


def test_one_of_several_gpus_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = apsp.generate("grid", 400, seed=1)
    with emulated_gpus(monkeypatch, gpus=2):
        found = extremes_of(graph, Request(device="cuda:1,0"), WHATEVER_IT_COSTS)
    assert (found.diameter, found.radius) == (apsp.summary(graph).diameter, apsp.summary(graph).radius)
    assert found.searches < graph.n


def test_a_deep_graph_of_components_takes_few_searches() -> None:
    chain = apsp.from_edges(np.arange(999), np.arange(1, 1000))
    found = by_few_searches(chain, EMULATED, "diameter", limits=WHATEVER_IT_COSTS)
    assert found is not None
    assert found.searches < 100
    assert found.diameter == 999


@pytest.mark.parametrize("weights", [None, (1, 9)])
def test_the_first_vertex_may_be_outside_the_largest_component(weights: Any, options: Request) -> None:
    hub, ring = np.arange(1, 300), np.arange(300, 350)  # a star of arcs outwards, and a cycle
    tails, heads = np.r_[0 * hub, ring, 299], np.r_[hub, np.roll(ring, -1), 320]
    rng = np.random.default_rng(2)
    graph = apsp.from_edges(tails, heads, None if weights is None else rng.integers(*weights, len(tails)))
    check(graph, options, {"diameter", "radius", "eccentricity"}, 4, 50)
    check(graph, options, {"center"}, 64, 3)


def test_unknown_devices_are_refused() -> None:
    with pytest.raises(apsp.RequestError, match="unknown device"):
        apsp.diameter(apsp.generate("ring", 5000), device="gpu")
    with pytest.raises(apsp.DeviceError, match="there is no emulated GPU"):
        apsp.diameter(apsp.generate("ring", 5000), device="emulated:99")


@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_kernels_compile_without_spills(capability: tuple[int, int]) -> None:
    names = [name(dtype) for dtype in ("int32", "int64") for name in (bound.reach_expression, bound.bound_expression)]
    compiled = nvrtc.compile_for("bound.cu", names, capability)
    assert set(compiled.spilled_bytes) == set(names)
    assert not any(compiled.spilled_bytes.values())
