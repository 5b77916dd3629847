"""Kernels of the CPU that compute the same: every one against three loops, and the choice among them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import apsp
from apsp import _cpu
from apsp.facts.constants import load_constants, save_tuned
from apsp.methods import registry
from apsp.methods.floyd_warshall.variants import algebra_for, choice, forget_choices, measured
from apsp.semiring import MAX_MIN, MIN_PLUS, Algebra
from products import matrices, oracle

ISAS = ("baseline", "avx2", "avx512")
KINDS = [
    ("float32", True, False), ("float32", False, False), ("float64", True, False), ("float64", False, False),
    ("int32", True, False), ("int64", True, False), ("uint16", True, False), ("uint16", True, True),
]  # fmt: skip
"""dtype, nonnegative, half_range."""

NO_PATH = {"uint16": 65535, "int32": 2**30 - 1, "int64": 2**62 - 1, "float32": np.inf, "float64": np.inf}
"""In kernel values."""

HALF = 32767
LARGE = 1 << 30
"""Pairs of a call that is worth a choice."""


@pytest.fixture(params=ISAS)
def isa(request: pytest.FixtureRequest) -> Iterator[str]:
    before = _cpu.isa()
    if ISAS.index(request.param) > ISAS.index(_cpu.best_isa()):
        pytest.skip(f"this machine has no {request.param}")
    _cpu.set_isa(request.param)
    yield request.param
    _cpu.set_isa(before)


@pytest.fixture
def cache(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A cache folder of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    forget_choices()
    yield
    forget_choices()


def filled(n: int, dtype: str, high: int, absent: float, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    page = rng.integers(0, high + 1, (n, n)).astype(dtype)
    page[rng.random((n, n)) < absent] = NO_PATH[dtype]
    np.fill_diagonal(page, 0)
    return page


def closed(page: Any) -> Any:
    """Three loops in float64, in which all these numbers are exact; "no path" is the kernels' word."""
    none = NO_PATH[page.dtype.name]
    wide = np.where(page == page.dtype.type(none), np.inf, page.astype(np.float64))
    for pivot in range(len(wide)):
        np.minimum(wide, wide[:, pivot, None] + wide[pivot], out=wide)
    result = np.where(wide == np.inf, 0, wide).astype(page.dtype)
    result[wide == np.inf] = none
    return result


def all_variants(page: Any, nonnegative: bool, half_range: bool) -> dict[str, Any]:
    """What every variant makes of the page."""
    results = {}
    for name in _cpu.dense_variants(page.dtype.name, nonnegative, half_range):
        results[name] = page.copy()
        assert _cpu.dense_close(results[name], "min_plus", nonnegative, 2, None, half_range, name) == -1
    return results


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n", "absent"), [(1, 0), (5, 0.5), (63, 0.9), (130, 0.97), (300, 0.6)])
def test_every_variant_gives_the_shortest_distances(isa: str, kind: tuple[str, bool, bool], n: int, absent: float):
    dtype, nonnegative, half_range = kind
    page = filled(n, dtype, 200, absent, n)
    expected = closed(page)
    results = all_variants(page, nonnegative, half_range)
    assert len(results) == len(set(results)) >= 1
    assert all(name.startswith(isa) for name in results)
    for name, result in results.items():
        np.testing.assert_array_equal(result, expected, err_msg=name)


@given(
    kind=st.sampled_from(KINDS), n=st.integers(1, 40), absent=st.sampled_from([0, 0.5, 0.9]), seed=st.integers(0, 999)
)
def test_variants_agree_to_the_last_bit(kind: tuple[str, bool, bool], n: int, absent: float, seed: int):
    dtype, nonnegative, half_range = kind
    page = filled(n, dtype, 700, absent, seed)
    if dtype.startswith("float"):
        page /= 7  # sums are rounded
    first, *others = all_variants(page, nonnegative, half_range).values()
    for other in others:
        assert other.tobytes() == first.tobytes()


def test_half_the_range_is_used_to_its_end(isa: str):
    """Distances up to 32,766, while arcs, and paths that are found meanwhile, are longer than that."""
    n = 200
    page = np.full((n, n), NO_PATH["uint16"], dtype=np.uint16)
    np.fill_diagonal(page, 0)
    page[0, 1], page[0, 2], page[2, 1] = 60000, 16383, 16383  # 32,766 instead of the arc
    page[5, 3], page[3, 6], page[5, 7], page[7, 6] = 30000, 30000, 1, 1  # 60,000, before 2 is found
    page[100, 101], page[101, 102] = HALF - 1, 0
    expected = closed(page)
    assert expected[0, 1] == HALF - 1
    for name, result in all_variants(page, True, True).items():
        np.testing.assert_array_equal(result, expected, err_msg=name)


@pytest.mark.parametrize("shape", [(1, 1, 1), (7, 200, 130), (130, 65, 300)])
def test_update_of_every_variant_keeps_no_path(isa: str, shape: tuple[int, int, int]):
    rows, columns, depth = shape
    a, b = (matrices(size, "uint16", "min_plus", absent=0.8) for size in ((rows, depth), (depth, columns)))
    start = matrices((rows, columns), "uint16", "min_plus", seed=3, absent=0.9)
    for name in _cpu.dense_variants("uint16", True, True):
        c = start.copy()
        _cpu.dense_update(c, a, b, "min_plus", True, 2, half_range=True, variant=name)
        np.testing.assert_array_equal(c, np.minimum(start, oracle(a, b, "min_plus")[0]), err_msg=name)


@pytest.mark.parametrize("witness", [False, True])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind[1]])
def test_product_of_every_variant(isa: str, kind: tuple[str, bool, bool], witness: bool):
    dtype, nonnegative, half_range = kind
    a, b = (np.abs(matrices(size, dtype, "min_plus", absent=0.8)) for size in ((40, 300), (300, 150)))
    expected, pivots = oracle(a, b, "min_plus")
    for name in _cpu.dense_variants(dtype, nonnegative, half_range):
        c, via = np.empty_like(expected), np.empty(expected.shape, dtype=np.int32)
        _cpu.product(a, b, c, via if witness else None, "min_plus", nonnegative, 2, half_range, name)
        np.testing.assert_array_equal(c, expected, err_msg=name)
        if witness:
            np.testing.assert_array_equal(via, pivots, err_msg=name)


def test_a_variant_that_needs_a_proof_is_refused_without_it():
    page = np.zeros((2, 2), dtype=np.uint16)
    (name,) = set(_cpu.dense_variants("uint16", True, True)) - set(_cpu.dense_variants("uint16", True, False))
    with pytest.raises(ValueError, match="no kernels"):
        _cpu.dense_close(page, "min_plus", True, 1, variant=name)


def test_the_choice_is_the_fastest_that_was_measured(cache: None):
    chosen = choice("uint16", Algebra(MIN_PLUS, True, True), LARGE)
    assert chosen is not None
    assert not chosen.is_stored
    assert list(chosen.rates) == _cpu.dense_variants("uint16", True, True)
    assert chosen.rates[chosen.name] == max(chosen.rates.values()) > 0


def test_there_is_no_choice_for_small_calls_and_other_values(cache: None):
    assert choice("uint16", Algebra(MIN_PLUS, True, True), 1000) is None
    assert choice("uint16", Algebra(MIN_PLUS, True, False), LARGE) is None
    assert choice("int32", Algebra(MIN_PLUS, True, True), LARGE) is None
    assert choice("uint16", Algebra(MAX_MIN, True, True), LARGE) is None


def test_the_choice_follows_what_tune_stored(cache: None):
    found = measured(1e-3)
    names = [name for name in found if name.startswith("kernel.uint16.")]
    assert len(names) == 2
    for slow, fast in (names, names[::-1]):
        values = load_constants(_cpu.isa()).values | {"floyd-warshall": {slow: 2e-9, fast: 1e-9}}
        save_tuned({name: dict(each) for name, each in values.items()}, _cpu.isa(), "2026-01-01")
        forget_choices()
        chosen = choice("uint16", Algebra(MIN_PLUS, True, True), LARGE)
        assert chosen is not None
        assert chosen.is_stored
        assert f"kernel.uint16.{chosen.name}" == fast
        assert _cpu.dense_preferred("uint16", True, True) == chosen.name
        assert chosen.rates[chosen.name] == pytest.approx(1e9)


def test_tune_stores_every_kernel_that_can_be_chosen():
    found = registry.costs(registry.get("floyd-warshall")).measured_kernels(quick=True)
    assert {name for name in found if name.startswith("kernel.uint16.")} == {
        f"kernel.uint16.{name}" for name in _cpu.dense_variants("uint16", True, True)
    }
    assert all(0 < seconds < 1e-6 for seconds in found.values())


def complete(n: int, longest: int) -> apsp.Graph:
    weights = np.random.default_rng(1).integers(1, longest + 1, (n, n))
    weights[0, 1] = longest
    np.fill_diagonal(weights, 0)
    return apsp.from_dense(weights, absent=-1)


@pytest.mark.parametrize(("longest", "is_half"), [(HALF - 1, True), (HALF, False), (HALF + 1, False)])
def test_half_range_is_proven_by_the_bound(longest: int, is_half: bool):
    graph = complete(40, longest)
    assert not algebra_for(graph, MIN_PLUS).half_range  # nothing is known
    result = apsp.solve(graph, method="floyd-warshall", dtype="uint16")
    np.testing.assert_array_equal(result.distances, apsp.solve(graph, method="dijkstra", dtype="int32").distances)
    assert algebra_for(graph, MIN_PLUS).half_range == is_half
    assert not algebra_for(graph, MAX_MIN).half_range


def test_explain_names_the_kernels(cache: None):
    graph = complete(260, 1000)
    words = apsp.plan(graph, method="floyd-warshall", dtype="uint16", device="cpu").explain()
    chosen = choice("uint16", Algebra(MIN_PLUS, True, True), LARGE)
    assert chosen is not None
    assert f"The kernels are {chosen.name}" in words
    assert all(f"G with {name}" in words for name in chosen.rates)
    assert "The kernels are" not in apsp.plan(graph, method="floyd-warshall", dtype="int32", device="cpu").explain()
