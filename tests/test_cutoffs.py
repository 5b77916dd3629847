"""Cutoffs: one comparison for all methods, measures, devices and doors, exact for integers.

A distance is within a cutoff if it is at most the cutoff: for integers exactly; for floats if it is at most the cutoff
rounded to their dtype.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.facts.ties import float_bound
from apsp.methods.registry import METHODS
from apsp.semiring import MAX_MIN, MIN_PLUS
from apsp.system.array_device import to_host

RUNS = [(name, device) for name, row in METHODS.items() for device in row.devices if device != "cuda"]
WEIGHTED = [(name, device) for name, device in RUNS if METHODS[name].weighted]
SIGNED = [(name, device) for name, device in WEIGHTED if METHODS[name].negative]


def words(runs: list[tuple[str, str]]) -> list[str]:
    return [f"{name} on {device}" for name, device in runs]


def within(distances: np.ndarray, cutoff: Any) -> list[list[int]]:
    """Distances beyond the cutoff are replaced by "no path", in exact arithmetic."""
    none = apsp.unreachable(distances.dtype)
    limit = cutoff if cutoff in (None, math.inf) else Fraction(cutoff.item() if hasattr(cutoff, "item") else cutoff)
    return [[none if limit is not None and value > limit else value for value in row] for row in distances.tolist()]


def near(base: int, *, signed: bool = False) -> apsp.Graph:
    """A graph with distances just below and above a number, also along paths of two arcs."""
    lengths = [base - 1, base, base + 1, base - 100, base + 100, base + 257]
    tails, heads = [0] * 6 + [1, 8], [1, 2, 3, 4, 5, 6, 7, 9]
    return apsp.from_edges(tails, heads, np.array([*lengths, -3 if signed else 2, 5], np.int64), n=10)


def around(base: int) -> list[Any]:
    return [
        base - 1, base, base + 1, float(base), np.float32(base), np.int64(base + 1), math.nextafter(float(base), 0),
        math.nextafter(float(base), math.inf), base + 100, 0, 0.5, math.inf, 10**30, 1e300,
    ]  # fmt: skip


@pytest.mark.few(20)
@pytest.mark.parametrize(("name", "device"), WEIGHTED, ids=words(WEIGHTED))
@pytest.mark.parametrize("power", [53, 60])
def test_large_integers_are_compared_exactly(name: str, device: str, power: int) -> None:
    graph = near(1 << power)
    distances = apsp.solve(graph, method="dijkstra", dtype="int64").distances
    for cutoff in around(1 << power):
        result = apsp.solve(graph, method=name, device=device, cutoff=cutoff, dtype="int64", paths=cutoff == 1 << power)
        assert to_host(result.distances).tolist() == within(distances, cutoff), cutoff


@pytest.mark.parametrize(("name", "device"), SIGNED, ids=words(SIGNED))
def test_large_integers_with_negative_arcs(name: str, device: str) -> None:
    graph = near(1 << 58, signed=True)
    distances = apsp.solve(graph, method="johnson", dtype="int64").distances
    for cutoff in around(1 << 58):
        for paths in (False, True):
            result = apsp.solve(graph, method=name, device=device, cutoff=cutoff, dtype="int64", paths=paths)
            assert to_host(result.distances).tolist() == within(distances, cutoff), cutoff


@pytest.mark.parametrize(("name", "device"), WEIGHTED, ids=words(WEIGHTED))
def test_float32_distances_and_float64_cutoffs(name: str, device: str) -> None:
    weights = np.array([0.1, 0.3, 1e-45, 3e38, 0.7], np.float32)
    graph = apsp.from_edges([0, 0, 0, 0, 1], [1, 2, 3, 4, 5], weights, n=6)
    distances = apsp.solve(graph, method="dijkstra", dtype="float32").distances
    for cutoff in (0.1, np.float32(0.1), 0.3, 0.09999999, 0.8, np.float32(0.8), 1e-45, 0, 3e38, 1e39, math.inf, 10**39):
        result = apsp.solve(graph, method=name, device=device, cutoff=cutoff, dtype="float32")
        limit = np.array(min(cutoff, 3.4e38), np.float32)
        expected = np.where(distances <= limit, distances, np.float32(np.inf))
        np.testing.assert_array_equal(to_host(result.distances), expected, err_msg=repr(cutoff))


@pytest.mark.parametrize(("name", "device"), WEIGHTED, ids=words(WEIGHTED))
def test_integers_beyond_int64_are_compared_with_floats(name: str, device: str) -> None:
    graph = apsp.from_edges([0, 0, 0], [1, 2, 3], [1e19, 1e30, 1e60])
    for cutoff, kept in ((10**19, [0, 1e19]), (10**30, [0, 1e19, 1e30]), (10**70, [0, 1e19, 1e30, 1e60])):
        row = to_host(apsp.solve(graph, method=name, device=device, sources=[0], cutoff=cutoff).distances)[0]
        assert row[np.isfinite(row)].tolist() == kept


@pytest.mark.few(9)
@pytest.mark.parametrize(("name", "device"), RUNS, ids=words(RUNS))
def test_hops(name: str, device: str) -> None:
    graph = apsp.generate("grid", 49, seed=1).unweighted()
    dtype = "uint16" if "uint16" in METHODS[name].dtypes else "int32"
    distances = apsp.solve(graph, method="bfs", dtype=dtype).distances
    for cutoff in (0, 0.5, 3, 3.999, 10**30, 1e300, math.inf, 2**62, 65534, 65535, 65536):
        found = to_host(apsp.solve(graph, method=name, device=device, cutoff=cutoff, dtype=dtype).distances)
        assert found.tolist() == within(distances, cutoff), cutoff


SEMIRING_RUNS = [("auto", "cpu"), ("floyd-warshall", "cpu"), ("floyd-warshall", "emulated")]


@pytest.mark.parametrize(("name", "device"), SEMIRING_RUNS, ids=words(SEMIRING_RUNS))
@pytest.mark.parametrize("semiring", ["max_min", "min_max"])
@pytest.mark.parametrize("dtype", ["int64", "float64"])
def test_bottlenecks(name: str, device: str, semiring: Any, dtype: str) -> None:
    """The values at least as good as the cutoff are kept, and always that of the path of no arcs."""
    base = 1 << 60
    weights = np.array([base - 1, base, base + 1, base + 300, 7], np.int64)
    graph = apsp.from_edges([0, 0, 0, 0, 1], [1, 2, 3, 4, 5], weights.astype(dtype), n=6)
    whole = apsp.solve(graph, semiring=semiring, dtype=dtype).distances
    none, better = whole[5, 0], max if semiring == "max_min" else min
    for cutoff in (base, base + 1, float(base), base + 0.0, 6.5, 7, 7.5, 0, math.inf, 10**30, 1e300):
        found = to_host(
            apsp.solve(graph, semiring=semiring, method=name, device=device, dtype=dtype, cutoff=cutoff).distances
        )
        limit = float(cutoff) if dtype == "float64" else cutoff
        kept = [
            [value if i == j or better(value, limit) == value else none for j, value in enumerate(row)]
            for i, row in enumerate(whole.tolist())
        ]
        assert found.tolist() == kept, cutoff


# -- measures ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cutoff", around(1 << 55), ids=repr)
def test_measures_of_large_integers(cutoff: Any) -> None:
    graph = near(1 << 55)
    kept = within(apsp.solve(graph, method="dijkstra", dtype="int64").distances, cutoff)
    none = apsp.unreachable("int64")
    reached = [sum(value != none for value in row) - 1 for row in kept]
    largest = [max(value for value in row if value != none) for row in kept]
    summary = apsp.summary(graph, cutoff=cutoff, dtype="int64")
    assert summary.reachable.tolist() == reached
    assert summary.eccentricity.tolist() == largest
    within_it = apsp.accessibility(graph, np.ones(10), cutoffs=cutoff)
    assert to_host(within_it.values).tolist() == [count + 1 for count in reached]
    assert (apsp.k_nearest(graph, 9, cutoff=cutoff, dtype="int64").positions >= 0).sum(axis=1).tolist() == reached
    area = apsp.isochrone(graph, [0], cutoffs=cutoff, dtype="int64")
    assert len(area.vertices()) == reached[0] + 1
    assert len(area.to_long()["vertex"]) == reached[0] + 1
    near_by = apsp.nearest(graph, [1], cutoff=cutoff, dtype="int64")
    assert (near_by.positions[:, 0] >= 0).tolist() == [row[1] != none for row in kept]
    through = apsp.betweenness_centrality(graph, cutoff=cutoff, normalized=False)
    assert through[1] == (kept[0][7] != none)
    counts = apsp.solve(graph, cutoff=cutoff, dtype="int64", counts=True).counts
    assert (to_host(counts) > 0).tolist() == [[value != none for value in row] for row in kept]


def test_isochrones_of_large_integers_by_cutoff() -> None:
    base = 1 << 60
    graph = near(base)
    cutoffs = [base - 1, base, base + 1, base + 101]
    area = apsp.isochrone(graph, [0], cutoffs=cutoffs, dtype="int64")
    assert [len(area.vertices(cutoff=cutoff)) for cutoff in cutoffs] == [3, 4, 6, 7]
    table = area.to_long()
    found = dict(zip(table["vertex"], table["cutoff"], strict=True))
    assert found == {0: base - 1, 4: base - 1, 1: base - 1, 2: base, 3: base + 1, 7: base + 1, 5: base + 101}
    arcs = area.arcs(cutoff=base)  # half of the arc from 1, at base - 1, of length 2
    assert dict(zip(arcs.heads.tolist(), arcs.fractions.tolist(), strict=True))[7] == 0.5


def test_isochrones_of_float32_by_cutoff() -> None:
    graph = apsp.from_edges([0, 0], [1, 2], np.array([0.1, 0.3], np.float32))
    table = apsp.isochrone(graph, [0], cutoffs=[0.1, 0.3], dtype="float32").to_long()
    assert table["cutoff"].tolist() == [0.1, 0.1, 0.3]


@pytest.mark.parametrize("cutoff", [0.1, np.float32(0.1), 0.3, np.float32(0.3), 0.8, 1.1, 1e-3, 2, math.inf], ids=repr)
def test_float32_cutoffs_mean_the_same_in_flows_and_sums(cutoff: Any) -> None:
    weights = np.array([0.1, 0.3, 0.7, 0.8, 0.1, 0.2, 1e-3], np.float32)
    tails, heads = [0, 0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6, 6]
    graph = apsp.from_edges(tails, heads, weights, n=7)
    reached = to_host(apsp.accessibility(graph, np.ones(7), cutoffs=cutoff).values) - 1
    carried = apsp.betweenness_centrality(graph, cutoff=cutoff, normalized=False, endpoints=True)
    starts = apsp.betweenness_centrality(graph, cutoff=cutoff, normalized=False)
    ends = np.count_nonzero(to_host(apsp.solve(graph, cutoff=cutoff, dtype="float32").distances) < np.inf, axis=0) - 1
    np.testing.assert_array_equal(carried - starts, reached + ends)


def test_the_bound_of_sums_is_the_last_that_is_rounded_to_the_cutoff() -> None:
    graph = apsp.from_edges([0], [1], np.array([0.5], np.float32))
    rng = np.random.default_rng(1)
    numbers = [*rng.random(200).astype(np.float32), *np.float32([0, 1e-45, 2e-45, 1, 2, 3e38, np.finfo("f4").max])]
    for cutoff in numbers:
        bound = float_bound(graph, float(cutoff))
        assert bound is not None
        with np.errstate(over="ignore"):
            assert np.float32(bound) == cutoff
            assert np.float32(math.nextafter(bound, math.inf)) > cutoff
    assert float_bound(graph, math.inf) is None
    assert float_bound(graph, 1e39) is None
    assert float_bound(apsp.from_edges([0], [1], [0.5]), 0.1) == 0.1


# -- doors -------------------------------------------------------------------------------------------------------------

GRAPH = apsp.generate("grid", 25, weights=(1, 9), directed=False, seed=2)
GIVEN: dict[str, tuple[Any, ...]] = {
    "accessibility": (np.ones(25),), "isochrone": ([0],), "k_nearest": (3,), "nearest": ([0, 7],),
    "stream_isochrones": ([0],),
}  # fmt: skip


def doors() -> list[str]:
    found = []
    for name in sorted(set(dir(apsp))):
        function = getattr(apsp, name)
        if inspect.isfunction(function) and {"cutoff", "cutoffs"} & set(inspect.signature(function).parameters):
            found.append(name)
    return found


def call(name: str, graph: apsp.Graph, cutoff: Any) -> Any:
    function: Callable[..., Any] = getattr(apsp, name)
    word = "cutoffs" if "cutoffs" in inspect.signature(function).parameters else "cutoff"
    options: dict[str, Any] = {"method": "harish-fw", "device": "emulated"} if name == "profile" else {}
    if name == "straightness_centrality":
        options = {"crs": "plane"}
    if name == "stream_isochrones":
        pytest.importorskip("shapely")
        found = function(graph, [0], cutoff, width=0.1, crs="plane")
        return [[area.wkt for area in block.polygons.ravel()] for block in found]
    found = function(graph, *GIVEN.get(name, ()), **{word: cutoff}, **options)
    return [to_host(block.distances).tolist() for block in found] if name in ("stream", "stream_within") else found


def test_there_are_doors() -> None:
    assert len(doors()) >= 20


@pytest.mark.few(90)
@pytest.mark.parametrize("name", doors())
@pytest.mark.parametrize(
    "cutoff", [-1, -1e-9, -math.inf, math.nan, -(10**30), np.float32(-1), "3", True, [[3]]], ids=repr
)
def test_what_is_no_length_is_refused(name: str, cutoff: Any) -> None:
    with pytest.raises(apsp.RequestError, match="cutoff"):
        call(name, GRAPH, cutoff)


def plain(found: Any) -> Any:
    if callable(found):  # the method of a summary
        found = found()
    for part in ("distances", "positions", "values", "eccentricity", "mean", "counts"):
        if hasattr(found, part) and not callable(getattr(found, part)):
            return np.asarray(to_host(getattr(found, part))).tolist()
    return np.asarray(found).tolist() if isinstance(found, np.ndarray) else found


@pytest.mark.few(56)
@pytest.mark.parametrize("name", [name for name in doors() if name not in ("plan", "profile")])
@pytest.mark.parametrize(
    "cutoff",
    [math.inf, 10**30, 1e300, 10**400, 2**63, 2**63 - 1],
    ids=lambda c: f"{c:.0e}"[:8] if c < 1e300 else "huge",
)
def test_what_is_beyond_all_distances_cuts_nothing_off(name: str, cutoff: Any) -> None:
    for graph in (GRAPH, GRAPH.unweighted()):
        found, expected = plain(call(name, graph, cutoff)), plain(call(name, graph, 10**6))
        assert repr(found) == repr(expected)


@pytest.mark.parametrize("name", ["plan", "profile"])
def test_plans_of_cutoffs_beyond_all_distances(name: str) -> None:
    for cutoff in (math.inf, 10**30, 1e300, 10**400):
        call(name, GRAPH, cutoff)


@pytest.mark.parametrize("name", ["k_nearest", "closeness_centrality", "eccentricity", "summary", "solve", "stream"])
@pytest.mark.parametrize("cutoff", [math.inf, 10**30, 1e300, 5.5], ids=repr)
def test_bit_bfs_on_a_gpu(name: str, cutoff: Any) -> None:
    graph, given = GRAPH.unweighted(), (3,) if name == "k_nearest" else ()
    function = getattr(apsp, name)
    found, expected = (
        function(graph, *given, cutoff=cutoff, method="bit-bfs", device=device) for device in ("emulated", "cpu")
    )
    if name == "stream":
        found, expected = ([to_host(block.distances).tolist() for block in blocks] for blocks in (found, expected))
    assert repr(plain(found)) == repr(plain(expected))


def test_the_definition() -> None:
    for dtype in (np.dtype(np.int64), np.dtype(np.uint16), np.dtype(np.float32)):
        assert MIN_PLUS.bound(None, dtype) is None
        assert MIN_PLUS.bound(math.inf, dtype) is None
        for cutoff in (0, 0.5, 7, 7.9):
            bound = MIN_PLUS.bound(cutoff, dtype)
            assert (
                MIN_PLUS.bound(bound, dtype)
                == bound
                == (math.floor(cutoff) if dtype.kind != "f" else np.float32(cutoff))
            )
    assert MIN_PLUS.bound(2.0**60 + 256, np.dtype(np.int64)) == (1 << 60) + 256
    assert MIN_PLUS.bound(65_535, np.dtype(np.uint16)) is None
    assert MAX_MIN.bound(7.1, np.dtype(np.int32)) == 8
    assert MAX_MIN.bound(math.inf, np.dtype(np.int32)) == 2**31 - 1


def test_the_definition_at_the_ends_of_the_dtypes() -> None:
    for dtype in map(np.dtype, (np.uint16, np.int32, np.int64)):
        ends = np.iinfo(dtype)
        for cutoff in (-(2**70), -1, 9, 2**15, 2**16, 2**31, 2**70, 9.5, math.inf):
            for value in (ends.min + 1, 1, 9, 10, ends.max - 1):
                near = MIN_PLUS.bound(cutoff, dtype)
                assert (near is not None and value > near) == (value > cutoff)
                near = MAX_MIN.bound(cutoff, dtype)
                assert near is not None
                assert (value < near) == (value < cutoff)
