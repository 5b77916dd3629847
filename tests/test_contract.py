"""One contract that every method of the registry must pass; a method may refuse, with a reason."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp import MethodRefusedError, NegativeCycleError, _cpu
from apsp.gpu import jit
from apsp.methods.registry import CLOSURES, METHODS, Method
from apsp.semiring import is_unreachable
from contract import GRAPHS, HOP_GRAPHS, assert_paths_replay, assert_same_distances, graph_of, random_edges, ring
from examples import examples

pytestmark = pytest.mark.contract

WEIGHTS = ("int32", "int64", "float32", "float64")


ON_GPU, EMULATED = " on a GPU", " on the emulated GPU"
_WHY_NO_GPU = jit.why_no_gpu()
ON_CPU = [name for name, row in METHODS.items() if "cpu" in row.devices]
ON_EMULATED = [name + EMULATED for name, row in METHODS.items() if "emulated" in row.devices]


def runs_on_gpus(methods: Mapping[str, Method]) -> Iterator[Any]:
    marks = [pytest.mark.gpu, pytest.mark.skipif(_WHY_NO_GPU is not None, reason=str(_WHY_NO_GPU))]
    return (pytest.param(name + ON_GPU, marks=marks) for name, row in methods.items() if "cuda" in row.devices)


RUNS = [*ON_CPU, *ON_EMULATED, *runs_on_gpus(METHODS)]
"""Every method on every device that it names."""

CLOSURES_ON_CPU = [name for name, row in CLOSURES.items() if "cpu" in row.devices]
CLOSURE_RUNS = [
    *CLOSURES_ON_CPU,
    *(name + EMULATED for name, row in CLOSURES.items() if "emulated" in row.devices),
    *runs_on_gpus(CLOSURES),
]


def row_of(run: str) -> Method:
    return METHODS[run.removesuffix(ON_GPU).removesuffix(EMULATED)]


def device_of(run: str) -> str:
    return "cuda" if run.endswith(ON_GPU) else "emulated" if run.endswith(EMULATED) else "cpu"


DEEP_OR_LARGE = ("ring", "several panels")

NEGATIVE_RUNS = [run for run in RUNS if not isinstance(run, str) or row_of(run).negative]


def marked_runs() -> Iterator[tuple[str, Any]]:
    """The runs by name, with their marks."""
    for run in RUNS:
        yield (run, ()) if isinstance(run, str) else (run.values[0], run.marks)


def reference(graph: apsp.Graph, **options: object) -> apsp.Result:
    dtype = "int64" if graph.has_integer_weights else "float64"
    return apsp.solve(graph, method="reference", dtype=dtype, paths=False, **options)


@functools.cache
def reference_of(name: str) -> np.ndarray:
    """Distances of one of GRAPHS, integers: they take longer than most methods, which all are compared with them."""
    distances = reference(GRAPHS[name]("int64")).distances
    distances.flags.writeable = False
    return distances


@functools.cache
def hops_of(name: str) -> np.ndarray:
    distances = reference(HOP_GRAPHS[name]()).distances
    distances.flags.writeable = False
    return distances


def solve_or_refuse(graph: apsp.Graph, method: str, **options: object) -> apsp.Result | None:
    """The result, or None where the method refuses for a reason that the registry states."""
    try:
        return apsp.solve(graph, method=row_of(method).name, device=device_of(method), threads=2, **options)
    except MethodRefusedError as refused:
        if not (refused.reason and refused.accepting):
            raise
        return None


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("method", RUNS)
def test_distances_and_paths(method: str, name: str, weights: str) -> None:
    if name in DEEP_OR_LARGE and device_of(method) == "emulated" and row_of(method).family == "published":
        pytest.skip("seconds each: test_deep_and_large_graphs_on_the_emulated_gpu")
    assert_distances_and_paths(method, name, weights)


@pytest.mark.slow
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", DEEP_OR_LARGE)
@pytest.mark.parametrize("method", [run for run in ON_EMULATED if row_of(run).family == "published"])
def test_deep_and_large_graphs_on_the_emulated_gpu(method: str, name: str, weights: str) -> None:
    if method in ("johnson-flag" + EMULATED, "johnson-prefix" + EMULATED):
        pytest.skip("as johnson-queue but for the list of vertices: the emulated kernels take 5 s each")
    assert_distances_and_paths(method, name, weights)


def assert_distances_and_paths(method: str, name: str, weights: str) -> None:
    graph = GRAPHS[name](weights)
    result = solve_or_refuse(graph, method, paths=True)
    if result is None:
        assert row_of(method).weighted is False or graph.has_negative_arc or not graph.has_integer_weights
        return
    assert_same_distances(result.distances, reference_of(name))
    assert_paths_replay(result)
    result.verify()


def crossed_hops() -> Iterator[Any]:
    """(run, graph): emulated runs of deep and of large graphs are slow, and those with weights cover them in part."""
    for method, marks in marked_runs():
        for name in HOP_GRAPHS:
            slow = [pytest.mark.slow] if device_of(method) == "emulated" and name in DEEP_OR_LARGE else []
            yield pytest.param(method, name, marks=[*marks, *slow], id=f"{method}-{name}")


@pytest.mark.parametrize(("method", "name"), list(crossed_hops()))
def test_hops(method: str, name: str) -> None:
    graph = HOP_GRAPHS[name]()
    result = solve_or_refuse(graph, method, paths=True)
    assert result is not None, "every method counts hops"
    assert_same_distances(result.distances, hops_of(name))
    assert_paths_replay(result)


@pytest.mark.parametrize("dtype", ["uint16", "int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("method", RUNS)
def test_asked_dtype(method: str, dtype: str) -> None:
    graph = GRAPHS["a tile and one"]("int32")
    result = solve_or_refuse(graph, method, dtype=dtype)
    if result is not None:
        assert result.distances.dtype == dtype
        assert_same_distances(result.distances, reference_of("a tile and one"))


@pytest.mark.parametrize("isa", ["baseline", "avx2", "avx512"])
@pytest.mark.parametrize("method", [name for name in ON_CPU if METHODS[name].family != "reference"])
def test_every_instruction_set(method: str, isa: str) -> None:
    before = _cpu.isa()
    try:
        _cpu.set_isa(isa)
    except ValueError:
        pytest.skip(f"this machine has no {isa}")
    try:
        for weights in WEIGHTS:
            graph = GRAPHS["several panels"](weights)
            result = solve_or_refuse(graph, method, paths=True)
            if result is not None:
                assert_same_distances(result.distances, reference_of("several panels"))
                assert_paths_replay(result)
    finally:
        _cpu.set_isa(before)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("method", NEGATIVE_RUNS)
@pytest.mark.parametrize(
    ("n", "edges"),
    [
        (1, [(0, 0, -1)]),
        (2, [(0, 1, 1), (1, 0, -2)]),
        (200, [*ring(199, -1), (199, 0, 5)]),
        (90, [*random_edges(90, 300, 5, 50, 1), (40, 41, -3), (41, 42, -3), (42, 40, 5)]),
    ],
    ids=["loop", "two", "long", "hidden"],
)
def test_negative_cycle(method: str, n: int, edges: list[tuple[int, int, int]], weights: str) -> None:
    graph = graph_of(n, edges, dtype=weights)
    with pytest.raises(NegativeCycleError) as caught:
        apsp.solve(graph, method=row_of(method).name, device=device_of(method))
    cycle = caught.value.cycle
    assert len(cycle) == len(set(cycle)), "the cycle is simple"
    matrix = {(u, v): w for u, v, w in sorted(edges, key=lambda edge: -edge[2])}
    assert sum(matrix[u, v] for u, v in zip(cycle, [*cycle[1:], cycle[0]], strict=True)) < 0


@pytest.mark.parametrize("method", RUNS)
def test_near_overflow(method: str) -> None:
    """Distances at the very top of what each dtype can be proven to hold."""
    for limit, dtype in ((65_534, "uint16"), (2**29 - 1, "int32"), (2**61 - 1, "int64")):
        for edges in ([(0, 1, limit)], [(0, 1, limit - 7), (1, 2, 7)]):
            graph = graph_of(4, edges, dtype="int64")
            result = solve_or_refuse(graph, method)
            if result is not None:
                proven = "int32" if dtype == "uint16" and device_of(method) != "cpu" else dtype
                assert result.distances.dtype == proven
                assert result.distance(0, len(edges)) == limit
                assert result.distance(1, 0) == math.inf


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("method", RUNS)
def test_a_last_arc_shorter_than_rounding(method: str, dtype: str) -> None:
    """The last but one vertex is as far as the last one; a nearer one has an arc that is a little too long."""
    eps = float(np.finfo(dtype).eps)
    by_the_way = [(0, 1, 1.0), (1, 2, 50 * eps), (1, 3, 10 * eps), (3, 2, 0.4 * eps)]
    beside_it = [(0, 1, 1.0), (1, 2, 50 * eps), (0, 3, 1 + 10 * eps), (3, 2, 0.4 * eps)]
    behind_a_cycle = [*beside_it, (2, 3, 0.0), (3, 4, 0.0), (4, 3, 0.0)]
    for arcs, expected in ((by_the_way, [0, 1, 3, 2]), (beside_it, [0, 3, 2]), (behind_a_cycle, [0, 3, 2])):
        tails, heads, weights = zip(*arcs, strict=True)
        graph = apsp.from_edges(tails, heads, np.array(weights, dtype=dtype), n=max(max(tails), max(heads)) + 1)
        result = solve_or_refuse(graph, method, paths=True)
        if result is not None:
            assert result.distance(0, 2) == 1 + 10 * eps
            assert result.path(0, 2) == expected


@pytest.mark.parametrize("method", RUNS)
def test_vertices_joined_by_zeros_behind_one_that_is_rounded_up(method: str) -> None:
    """Elimination finds 8 farther than 10 and 11, by rounding; an arc far too long leads to 10 from a nearer vertex."""
    arcs = [
        (0, 1, 0.0),
        (3, 0, 0.0),
        (2, 1, 0.0),
        (4, 3, 0.0),
        (6, 3, 0.0),
        (4, 5, 4e-32),
        (7, 4, 3e-28),
        (5, 8, 6e-44),
    ]
    arcs += [
        (7, 6, 0.0),
        (6, 9, 0.0),
        (8, 7, 0.0),
        (7, 10, 1.0),
        (8, 11, 0.0),
        (10, 9, 0.0),
        (10, 11, 0.0),
        (11, 10, 0.0),
    ]
    arcs += [(12, 11, 0.0), (12, 13, 0.0)]
    tails, heads, weights = zip(*arcs, strict=True)
    result = solve_or_refuse(apsp.from_edges(tails, heads, np.array(weights)), method, paths=True)
    if result is not None:
        result.verify()
        assert result.path(7, 10) == [7, 4, 5, 8, 11, 10]


@pytest.mark.parametrize("method", RUNS)
def test_some_sources_targets_and_cutoff(method: str) -> None:
    for weights in WEIGHTS:
        graph = GRAPHS["not a multiple of anything"](weights)
        sources, targets = [5, 0, 130, 5], [130, 2, 64]
        full = reference_of("not a multiple of anything")
        cutoff = int(np.median(full[full < 10_000]))
        result = solve_or_refuse(graph, method, sources=sources, targets=targets, cutoff=cutoff)
        if result is None:
            continue
        expected = full[np.ix_(sources, targets)]
        expected = np.where(expected > cutoff, apsp.unreachable(expected.dtype), expected)
        assert_same_distances(result.distances, expected)
        with_paths = apsp.solve(
            graph, method=row_of(method).name, device=device_of(method), sources=sources, cutoff=cutoff, paths=True
        )
        assert_paths_replay(with_paths)


@pytest.mark.parametrize("method", RUNS)
def test_output_in_a_wider_array(method: str) -> None:
    graph = GRAPHS["a tile and one"]("int32")
    whole = np.full((67, 100), 7, dtype=np.int32)
    result = solve_or_refuse(graph, method, dtype="int32", out=whole[1:66, 3:68]) if row_of(method).weighted else None
    if result is not None:
        assert np.shares_memory(result.distances, whole)
        assert_same_distances(result.distances, reference_of("a tile and one"))
        whole[1:66, 3:68] = 7
        assert (whole == 7).all(), "nothing outside the view is touched"


@st.composite
def graphs(draw: st.DrawFn) -> apsp.Graph:
    n = draw(st.integers(1, 24))
    weights = draw(st.sampled_from(["hops", "int", "zero", "negative", "float"]))
    arcs = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.integers(0, 60)), max_size=4 * n))
    directed = draw(st.booleans()) or weights == "negative"
    if weights == "zero":
        arcs = [(u, v, w % 2) for u, v, w in arcs]
    if weights == "negative":
        height = draw(st.lists(st.integers(-50, 50), min_size=n, max_size=n))
        arcs = [(u, v, w + height[u] - height[v]) for u, v, w in arcs]
    graph = graph_of(n, arcs, directed=directed, dtype="float64" if weights == "float" else "int64")
    return graph.unweighted() if weights == "hops" else graph


@settings(deadline=None, max_examples=examples(150))
@given(graphs(), st.booleans())
def test_methods_agree(graph: apsp.Graph, zones: bool) -> None:
    assert_agree(ON_CPU, graph, zones)


@settings(deadline=None, max_examples=examples(30))
@given(graphs(), st.booleans())
def test_methods_agree_emulated(graph: apsp.Graph, zones: bool) -> None:
    assert_agree(ON_EMULATED, graph, zones)


@pytest.mark.gpu
@pytest.mark.skipif(_WHY_NO_GPU is not None, reason=str(_WHY_NO_GPU))
@settings(deadline=None, max_examples=examples(50))
@given(graphs(), st.booleans())
def test_methods_agree_on_a_gpu(graph: apsp.Graph, zones: bool) -> None:
    assert_agree([name + ON_GPU for name, row in METHODS.items() if "cuda" in row.devices], graph, zones)


def assert_agree(runs: list[str], graph: apsp.Graph, zones: bool) -> None:
    if zones:
        graph = apsp.Graph(
            graph.indptr, graph.indices, graph.weights, directed=graph.directed, zones=np.arange(graph.n) % 3 == 0
        )
    expected = reference(graph).distances
    for run in runs:
        result = solve_or_refuse(graph, run, paths=True)
        if result is not None:
            assert_same_distances(result.distances, expected)
            assert_paths_replay(result)


# -- closures ---------------------------------------------------------------------------------------------------------


def assert_closed(run: str, graph: apsp.Graph, reached: np.ndarray) -> None:
    """The run reaches what a path leads to, or refuses with a reason."""
    name = run.removesuffix(ON_GPU).removesuffix(EMULATED)
    try:
        found = apsp.reachable(graph, method=name, device=device_of(run), threads=2)
    except MethodRefusedError as refused:
        if not (graph.has_zones and refused.reason and refused.accepting):
            raise
        return
    np.testing.assert_array_equal(found.to_numpy(), reached)
    assert found.count() == reached.sum()
    assert apsp.plan(graph, for_="reachable", method=name, device=device_of(run)).method == name


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("method", CLOSURE_RUNS)
def test_closures(method: str, name: str) -> None:
    assert_closed(method, GRAPHS[name]("int32"), ~is_unreachable(reference_of(name)))


@pytest.mark.parametrize("isa", ["baseline", "avx2", "avx512"])
@pytest.mark.parametrize("method", CLOSURES_ON_CPU)
def test_closures_on_every_instruction_set(method: str, isa: str) -> None:
    before = _cpu.isa()
    try:
        _cpu.set_isa(isa)
    except ValueError:
        pytest.skip(f"this machine has no {isa}")
    try:
        name = "several panels"
        assert_closed(method, GRAPHS[name]("int32"), ~is_unreachable(reference_of(name)))
    finally:
        _cpu.set_isa(before)


@settings(deadline=None, max_examples=examples(50))
@given(graphs(), st.booleans())
def test_closures_agree(graph: apsp.Graph, zones: bool) -> None:
    if zones:
        graph = apsp.Graph(graph.indptr, graph.indices, zones=np.arange(graph.n) % 3 == 0)
    expected = ~is_unreachable(reference(graph.unweighted()).distances)
    for method in CLOSURE_RUNS:
        if isinstance(method, str):
            assert_closed(method, graph, expected)


@pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])
@pytest.mark.parametrize("method", [name for name, row in CLOSURES.items() if row.files])
def test_closures_in_a_file(method: str, device: str, tmp_path: Path) -> None:
    for name in ("several panels", "zones"):
        found = apsp.reachable(GRAPHS[name]("int32"), method=method, device=device, pages_file=tmp_path / name)
        np.testing.assert_array_equal(found.to_numpy(), ~is_unreachable(reference_of(name)))
