"""Dense graphs: blocked Floyd-Warshall beside SciPy's and a parallel numba one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

import apsp
from apsp.methods.floyd_warshall.variants import choice
from apsp.semiring import MIN_PLUS, Algebra
from benchmarks.harness import Comparison
from benchmarks.register_peak import closing_rate, register_peak


def complete_matrix(n: int, low: int, high: int, dtype: str) -> npt.NDArray[Any]:
    """A complete graph with uniform integer lengths, the same for every dtype."""
    matrix = np.random.default_rng(n).integers(low, high + 1, (n, n))
    np.fill_diagonal(matrix, 0)
    return matrix.astype(dtype)


def numba_floyd_warshall() -> Any:
    """Three loops, the middle one over all cores: a first version by a Python user."""
    import numba

    @numba.njit(parallel=True, fastmath=True)  # type: ignore[untyped-decorator]
    def floyd_warshall(dist: npt.NDArray[Any]) -> npt.NDArray[Any]:
        n = dist.shape[0]
        for k in range(n):
            for i in numba.prange(n):
                through = dist[i, k]
                for j in range(n):
                    dist[i, j] = min(dist[i, j], through + dist[k, j])
        return dist

    return floyd_warshall


def same_distances(results: Mapping[str, Any]) -> None:
    """All contestants give the same numbers."""
    arrays = [result.distances if isinstance(result, apsp.Result) else result for result in results.values()]
    for other in arrays[1:]:
        distances = other[0] if isinstance(other, tuple) else other
        np.testing.assert_array_equal(arrays[0].astype(np.float64), np.asarray(distances, dtype=np.float64))


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Every dtype at one size."""
    from scipy.sparse.csgraph import floyd_warshall

    n = 512 if quick else 2048
    dtypes = ("float32", "int32", "uint16", "float64")
    # Before numba starts its threads, which would spin on the cores.
    rates = {dtype: _rates_of(dtype, n) for dtype in dtypes}
    compiled = numba_floyd_warshall()
    least = {"float32": (40, 8), "int32": (50, None), "uint16": (80, None), "float64": (None, None)}
    exact = complete_matrix(n, 1, 1000, "float64")
    for dtype, (over_scipy, over_numba) in least.items():
        weights = complete_matrix(n, 1, 1000, "int32" if dtype == "uint16" else dtype)
        graph = apsp.from_dense(weights, absent=-1)
        peer = "float32" if dtype == "float32" else "int32" if dtype in ("int32", "uint16") else "float64"
        contestants: dict[str, Callable[[], Any]] = {
            "apsp": partial(apsp.solve, graph, method="floyd-warshall", dtype=dtype),
            "scipy floyd_warshall": partial(floyd_warshall, exact),
            "numba prange": partial(_on_a_copy, compiled, weights, peer),
        }
        targets = {"scipy floyd_warshall": over_scipy, "numba prange": over_numba}
        peak, kernel = rates[dtype]
        yield Comparison(
            f"dense {dtype}, n = {n:,}",
            contestants,
            same_distances,
            {name: float(ratio) for name, ratio in targets.items() if ratio},
            partial(_rate, n, peak, kernel),
        )


def _rates_of(dtype: str, n: int) -> tuple[float, float]:
    """The register peak and the rate of closing, with the kernels that a solve would choose."""
    half_range = dtype == "uint16"
    choice(dtype, Algebra(MIN_PLUS, True, half_range), n**3)
    return (
        register_peak(dtype, half_range=half_range),
        closing_rate(n, dtype, nonnegative=True, repeats=11, half_range=half_range),
    )


def _on_a_copy(compiled: Any, weights: npt.NDArray[Any], dtype: str) -> Any:
    return compiled(weights.astype(dtype))


def _rate(n: int, peak: float, kernel: float, seconds: float) -> dict[str, Any]:
    """Rates of the whole solve and, after "kernel", of Floyd-Warshall alone on a filled page."""
    rate = n**3 / seconds
    return {
        "pairs/s": f"{rate / 1e9:.0f} G",
        "register peak": f"{peak / 1e9:.0f} G",
        "share": f"{rate / peak:.0%}",
        "kernel ms": f"{n**3 / kernel * 1e3:.1f}",
        "kernel share": f"{kernel / peak:.0%}",
    }
