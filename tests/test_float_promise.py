"""What is promised of float distances: relative to their own paths, whatever else is in the graph."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import apsp
from apsp import _cpu
from apsp.errors import MethodRefusedError, NegativeCycleError, VerificationError
from apsp.graph.csr import arc_arrays
from apsp.graph.signed import allowed_rounding, sums_may_cancel
from apsp.result.paths import predecessors_from_distances

SIGNED = ["auto", *(method.name for method in apsp.list_methods() if method.negative and "cpu" in method.devices)]
FAR = [1e28, 1e30, 1e100, 1e300]


def big_m(far: float, dtype: str = "float64") -> apsp.Graph:
    """A path 0 -> 1 -> 2 of length 2 beside an arc of length 9, a long arc, and a negative one elsewhere."""
    weights = np.array([1.0, 1.0, 9.0, far, -1.0], dtype=dtype)
    return apsp.from_edges([0, 1, 0, 3, 5], [1, 2, 2, 4, 6], weights)


@pytest.mark.parametrize("method", SIGNED)
@pytest.mark.parametrize("far", FAR)
def test_a_long_arc_elsewhere_blurs_nothing(method: str, far: float) -> None:
    found = apsp.solve(big_m(far), method=method, paths=True)
    assert found.distance(0, 2) == 2.0
    assert found.path(0, 2) == [0, 1, 2]
    assert found.distance(3, 4) == far
    assert found.distance(5, 6) == -1.0
    found.verify()


@pytest.mark.parametrize("method", SIGNED)
def test_a_long_arc_elsewhere_in_float32(method: str) -> None:
    assert apsp.solve(big_m(1e30, "float32"), method=method).distance(0, 2) == 2.0


@pytest.mark.parametrize("method", SIGNED)
def test_large_heights_choose_the_right_path(method: str) -> None:
    # 0 reaches 2 at 1.0, or by way of 1 at 0.75; vertex 2 also hangs on an arc of -1e20 from elsewhere.
    graph = apsp.from_edges([0, 0, 1, 3, 2], [2, 1, 2, 2, 4], [1.0, 0.25, 0.5, -1e20, 3.0])
    found = apsp.solve(graph, method=method)
    assert found.distance(0, 2) == 0.75
    assert found.distance(0, 4) == 3.75
    assert found.distance(3, 2) == -1e20


@pytest.mark.parametrize("method", SIGNED)
@pytest.mark.parametrize("far", [1.0, 1e10, 1e30, 1e300])
def test_a_real_negative_cycle_is_found_beside_a_long_arc(method: str, far: float) -> None:
    graph = apsp.from_edges([0, 1, 2, 3], [1, 0, 0, 2], [1.0, -2.0, far, 1.0])
    with pytest.raises(NegativeCycleError) as caught:
        apsp.solve(graph, method=method)
    assert set(caught.value.cycle) == {0, 1}


@pytest.mark.parametrize("method", SIGNED)
def test_a_cycle_of_large_arcs_that_cancel_does_not_swallow_a_short_arc(method: str) -> None:
    graph = apsp.from_edges([0, 1, 0], [1, 0, 2], [1e30, -1e30, 0.3])
    found = apsp.solve(graph, method=method)
    assert found.distance(0, 2) == 0.3
    assert found.distance(0, 0) == 0
    assert found.distance(1, 2) == -1e30
    found.verify()


def test_where_sums_cancel_is_known() -> None:
    assert sums_may_cancel(apsp.from_edges([0, 1, 0], [1, 0, 2], [1e30, -1e30, 0.3]), np.dtype(np.float64))
    assert not sums_may_cancel(apsp.from_edges([0, 1], [1, 0], [1e30, -1e10]), np.dtype(np.float64))
    assert not sums_may_cancel(apsp.from_edges([0, 1], [1, 0], [2.5, -2.5]), np.dtype(np.float64)), "sums are exact"
    with pytest.raises(MethodRefusedError, match="zero within rounding"):
        apsp.prepare(apsp.from_edges([0, 1, 1, 2], [1, 0, 2, 1], [1e30, -1e30, 0.3, 0.1]))


# -- against exact arithmetic -----------------------------------------------------------------------------------------


def exact_distances(graph: apsp.Graph) -> list[list[Fraction | None]]:
    """Bellman-Ford in fractions."""
    arcs = list(zip(graph.tails().tolist(), graph.indices.tolist(), map(Fraction, graph.weights.tolist()), strict=True))
    rows = []
    for source in range(graph.n):
        row: list[Fraction | None] = [None] * graph.n
        row[source] = Fraction(0)
        for _ in range(graph.n):
            for tail, head, weight in arcs:
                if row[tail] is not None and (row[head] is None or row[tail] + weight < row[head]):
                    row[head] = row[tail] + weight
        rows.append(row)
    return rows


def mixed(seed: int, exponents: int) -> apsp.Graph:
    """Weights of many magnitudes; negative ones, but no negative cycle."""
    rng = np.random.default_rng(seed)
    n, m = 14, 40
    order = rng.permutation(n)
    tails, heads = rng.integers(0, n, m), rng.integers(0, n, m)
    weights = rng.random(m) * 10.0 ** rng.integers(-exponents, exponents + 1, m)
    forward = order[tails] < order[heads]  # arcs that are on no cycle of such arcs
    weights[forward & (rng.random(m) < 0.4)] *= -1
    weights[~forward] = np.abs(weights).sum() * (1 + rng.random(int((~forward).sum())))
    return apsp.from_edges(tails, heads, weights, n=n)


@pytest.mark.few(20)
@pytest.mark.parametrize("method", SIGNED)
@pytest.mark.parametrize(("seed", "exponents"), list(itertools.product(range(4), [0, 3, 12, 40, 300])))
def test_distances_are_relative_to_their_paths(method: str, seed: int, exponents: int) -> None:
    graph = mixed(seed, min(exponents, 290))
    found = apsp.solve(graph, method=method, paths=True)
    found.verify()
    expected = exact_distances(graph)
    eps = Fraction(float(np.finfo(float).eps))
    arc = {
        (u, v): Fraction(w)
        for u, v, w in zip(graph.tails().tolist(), graph.indices.tolist(), graph.weights.tolist(), strict=True)
    }
    for u, v in itertools.product(range(graph.n), repeat=2):
        if expected[u][v] is None:
            assert not np.isfinite(found.distances[u, v])
            continue
        path = found.path(u, v)
        lengths = [arc[pair] for pair in itertools.pairwise(path)]
        allowed = max(len(lengths), 1) * eps * sum(map(abs, lengths), start=Fraction(0))
        assert abs(Fraction(found.distances[u, v].item()) - sum(lengths)) <= allowed
        assert abs(Fraction(found.distances[u, v].item()) - expected[u][v]) <= allowed


# -- verify -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("far", [10.0, 1e30])
@pytest.mark.parametrize("paths", [False, True])
@pytest.mark.parametrize("share", [1e-12, 1e-3, -1e-12, 3.5])
def test_verify_sees_what_is_beyond_rounding(far: float, paths: bool, share: float) -> None:
    found = apsp.solve(big_m(far), paths=paths)
    found.distances[0, 2] *= 1 + share
    with pytest.raises(VerificationError, match="from 0 to 2"):
        found.verify()


def test_verify_is_exact_where_integers_are_kept_in_floats() -> None:
    found = apsp.solve(apsp.from_edges([0, 1, 0], [1, 2, 2], [900_000, 34_404, 940_000]), dtype="float32")
    found.verify()
    found.distances[0, 2] -= 1
    with pytest.raises(VerificationError):
        found.verify()


def test_verify_compares_long_cutoffs_exactly() -> None:
    cutoff = 576460752303423494
    graph = apsp.from_edges([0, 1, 0], [1, 2, 3], [cutoff - 1, 1, cutoff + 1])
    found = apsp.solve(graph, dtype="int64", cutoff=cutoff)
    assert found.distances[0].tolist() == [0, cutoff - 1, cutoff, apsp.unreachable(np.int64)]
    found.verify()


def test_verify_misses_no_distance_that_equals_the_cutoff() -> None:
    found = apsp.solve(apsp.from_edges([0, 1, 2], [1, 2, 3], [1, 1, 1]), dtype="float64", cutoff=3)
    found.verify()
    found.distances[0, 3] = np.inf
    with pytest.raises(VerificationError, match="from 0 to 3"):
        found.verify()


# -- integers: "no path" is not a distance -----------------------------------------------------------------------------


@pytest.mark.parametrize("method", SIGNED)
@pytest.mark.parametrize("scale", [1, 2**31])
def test_no_path_stays_apart_from_two_large_negative_arcs(method: str, scale: int) -> None:
    graph = apsp.from_edges([3, 1, 3], [0, 0, 2], np.array([0, -234955909, -383683108]) * scale, n=4)
    assert apsp.solve(graph, method=method).distance(1, 2) == np.inf


def test_no_path_in_batches_and_oracles() -> None:
    graph = apsp.from_edges([3, 1, 3], [0, 0, 2], np.array([0, -234955909, -383683108]), n=4)
    assert apsp.prepare(graph).distance(1, 2) == np.inf
    (dist,) = apsp.solve_batch([graph])
    assert dist[1, 2] == apsp.unreachable(dist.dtype)


# -- negative cycles out of reach -------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", SIGNED)
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_a_negative_cycle_out_of_reach_is_no_error(method: str, dtype: Any) -> None:
    graph = apsp.from_edges([0, 2, 3], [1, 3, 2], np.array([1, -5, 2], dtype=dtype))
    by_rows = method == "auto" or next(each for each in apsp.list_methods() if each.name == method).by_rows
    found = apsp.solve(graph, method=method, sources=[0])
    assert found.distances[0].tolist() == [0, 1, *[apsp.unreachable(found.distances.dtype)] * 2]
    found.verify()
    assert apsp.plan(graph, sources=[0], method=method)
    assert apsp.solve(graph, method=method, sources=[]).distances.shape == (0, 4)
    for sources in (None, [0, 2]):
        with pytest.raises(NegativeCycleError):
            apsp.solve(graph, method=method, sources=sources)
    if by_rows:
        (block,) = apsp.stream(graph, method=method, sources=[0])
        assert block.distances[0, 1] == 1


def test_measures_of_sources_that_reach_no_negative_cycle() -> None:
    graph = apsp.from_edges([0, 2, 3], [1, 3, 2], [1, -5, 2])
    assert apsp.eccentricity(graph, sources=[0, 1]).tolist() == [1, 0]


# -- repeated sources -------------------------------------------------------------------------------------------------


def test_repeated_sources_work_everywhere_in_their_order() -> None:
    graph = apsp.from_edges([0, 1, 2, 3], [1, 2, 3, 0], [1, 2, 3, 4])
    sources = [2, 0, 2, 1]
    whole = apsp.solve(graph).distances
    assert apsp.eccentricity(graph, sources=sources).tolist() == whole.max(axis=1)[sources].tolist()
    np.testing.assert_array_equal(
        apsp.closeness_centrality(graph, vertices=sources), apsp.closeness_centrality(graph)[sources]
    )
    np.testing.assert_array_equal(
        apsp.harmonic_centrality(graph, vertices=sources), apsp.harmonic_centrality(graph)[sources]
    )
    nearest, every = apsp.k_nearest(graph, 2, sources=sources), apsp.k_nearest(graph, 2)
    np.testing.assert_array_equal(nearest.vertices, every.vertices[sources])
    np.testing.assert_array_equal(nearest.distances, every.distances[sources])
    assert nearest.sources.tolist() == sources
    assert apsp.diameter(graph, sources=[0, 0]) == apsp.diameter(graph, sources=[0])
    assert apsp.average_shortest_path_length(graph, sources=[0, 0]) == apsp.average_shortest_path_length(
        graph, sources=[0]
    )
    assert apsp.summary(graph, sources=[0, 0, 1]).pairs == 6


# -- right distances that are hard to verify --------------------------------------------------------------------------


def test_verify_finds_the_path_that_a_nearly_tight_arc_hides() -> None:
    small = np.array([0, 0, 2e-8, 0, 0.03, 0], dtype=np.float32)
    apsp.solve(apsp.from_edges([2, 2, 2, 3, 4, 5], [1, 3, 5, 4, 0, 1], small, directed=False)).verify()
    wide = [0.0, 0, 0, 0, 0, 3e38, 2e53, 0]
    apsp.solve(apsp.from_edges([0, 0, 1, 3, 4, 5, 6, 7], [1, 5, 4, 0, 2, 2, 7, 3], wide)).verify()
    tie = [-0.9551445245915281, 1.6059486935752065, 2.2750264769296233, -1.6242223079459461]
    apsp.solve(apsp.from_edges([1, 0, 1, 3], [0, 2, 3, 2], tie)).verify()


def test_verify_sees_the_shorter_of_two_paths_whose_sums_start_alike() -> None:
    """The long way cancels: its sum is rounded to a length below that of the arc, and exactly it is longer."""
    weights = [14845195.467135381, -14844983.777892115, -1092.496519341228, -880.8072760755783, 476.4]
    graph = apsp.from_edges([4, 2, 3, 3, 0], [2, 0, 4, 0, 1], weights)
    arcs, right = arc_arrays(graph, graph.weights), apsp.solve(graph, sources=[3]).distances
    rounding = allowed_rounding(graph, np.array([3], dtype=np.int32), right.dtype)
    row = np.array([[-880.8072760757059, -404.40727607533336, *right[0, 2:]]])
    sources = np.array([3], dtype=np.int32)
    assert _cpu.verify_rows(arcs, sources, right, None, None, *rounding) == (-1, -1)
    assert _cpu.verify_rows(arcs, sources, row, None, None, *rounding)[0] == 0


def test_verify_allows_weights_below_the_range_of_the_distances() -> None:
    found = apsp.solve(apsp.from_edges([0, 1], [1, 2], [4e-225, 1e-40]), dtype="float32")
    found.verify()
    assert found.path(0, 2) == [0, 1, 2]


def smallest(first: float, second: float, dtype: Any = np.float64) -> tuple[apsp.Graph, Any]:
    """Paths 0 -> 1 -> 3 and 0 -> 2 -> 3 of the smallest numbers, and one to 6 with a rounded sum."""
    step = np.finfo(dtype).smallest_subnormal
    tails, heads = [0, 1, 0, 2, 0, 4, 5], [1, 3, 2, 3, 4, 5, 6]
    weights = np.array([step, step, first * step, second * step, 0.1, 0.2, 0.3], dtype=dtype)
    distances = apsp.solve(apsp.from_edges(tails, heads, weights), sources=[0]).distances
    distances[0, 6] = np.nextafter(distances[0, 6], dtype(0))
    return apsp.from_edges(tails, heads, weights), distances


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sums_below_the_normal_numbers_are_exact_in_paths(dtype: Any) -> None:
    graph, distances = smallest(0, 1, dtype)
    assert predecessors_from_distances(graph, 0, distances[0]).tolist() == [-1, 0, 0, 2, 0, 4, 5]


def test_sums_below_the_normal_numbers_are_verified_exactly() -> None:
    found = apsp.solve(smallest(3, 0)[0], sources=[0])
    found.verify()
    found.distances[0, 3] /= 2
    with pytest.raises(VerificationError):
        found.verify()


def test_verify_ends_at_a_negative_cycle() -> None:
    graph = apsp.from_edges([0, 1, 1], [1, 0, 2], [1.0, -2.0, 1.0])
    with pytest.raises(VerificationError):
        apsp.Result(graph, np.array([[0.0, 1, 2], [-2, 0, 1], [np.inf, np.inf, 0]])).verify()


def test_cycles_that_rounding_makes_negative_are_forgiven_and_the_rest_is_verified() -> None:
    weights = [1.565, 1.49, -79668328, 79668304, -580.9512, 19.47302, 20, 600.2737]
    graph = apsp.from_edges([0, 1, 2, 4, 5, 6, 6, 6], [3, 3, 4, 6, 0, 1, 2, 5], np.array(weights, dtype=np.float32))
    for method in SIGNED:
        apsp.solve(graph, method=method).verify()


@pytest.mark.parametrize("method", SIGNED)
def test_a_forgiven_cycle_whose_sums_are_exact_in_a_wider_dtype(method: str) -> None:
    weights = np.array([515.3727, -905.1128, 389.74], dtype=np.float32)
    graph = apsp.from_edges([1, 0, 2], [2, 1, 0], weights)
    apsp.solve(graph, method=method, dtype="float64").verify()


def test_weights_on_a_gpu_are_not_copied_where_nothing_can_cancel() -> None:
    class OnGpu:
        has_integer_weights = has_negative_arc = False

        @property
        def weights(self) -> None:
            raise AssertionError("the weights are not needed")

    assert not sums_may_cancel(OnGpu(), np.dtype(np.float32))


@pytest.mark.few(64)
@pytest.mark.parametrize("method", SIGNED)
@pytest.mark.parametrize("numbers", list(itertools.permutations(range(4))))
def test_a_longer_path_that_cancels_ties_within_its_own_rounding(method: str, numbers: tuple[int, ...]) -> None:
    # start to end: 0 by the arc, and 0 by way of via. As -far + 1 rounds to -far, the second way leads to after at 0.
    start, end, via, after = numbers
    far = 62222876.0
    graph = apsp.from_edges(
        [start, start, via, end], [end, via, end, after], np.array([0, far, -far, 1], dtype=np.float32)
    )
    found = apsp.solve(graph, method=method)
    found.verify()
    assert found.distance(start, after) in (0, 1)
    walked = found.path(start, after)
    assert (walked[0], walked[-1]) == (start, after)
    found.distances[start, after] = -64.0  # beyond the rounding of either path
    with pytest.raises(VerificationError, match="wrong"):
        found.verify()


def test_verify_takes_no_walk_round_a_cycle_for_a_path() -> None:
    # Round 0 -> 3 -> 0 the sum of absolute weights grows, and with it what rounding would be allowed.
    far = 26620995.543437418
    found = apsp.solve(apsp.from_edges([0, 0, 1, 3], [2, 3, 0, 0], [514.1, far, 0.0, -far]))
    found.verify()
    found.distances[1, 2] = 514.1000000014901
    with pytest.raises(VerificationError, match="from 1 to 2"):
        found.verify()
