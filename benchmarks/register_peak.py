"""The rate of the arithmetic of (min,+) alone, and the fraction of it that blocked Floyd-Warshall reaches.

`python -m benchmarks.register_peak` prints 10^9 (add, min) pairs per second by dtype and kernels: of one core on values
that stay in its cache, on values that stay in registers, and of Floyd-Warshall on n vertices.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

import numpy as np

from apsp import _cpu

__all__ = ["closing_rate", "register_peak"]

VALUES = (
    ("float32", True, False),
    ("float32", False, False),
    ("float64", True, False),
    ("float64", False, False),
    ("int32", True, False),
    ("int64", True, False),
    ("uint16", True, True),
)
"""dtype, and what is known: all values are at least 0; all distances are below half of the range of uint16."""


def register_peak(
    dtype: str,
    nonnegative: bool = True,
    threads: int | None = None,
    half_range: bool = False,
    variant: str | None = None,
) -> float:
    """Pairs per second on values in registers, on `threads` cores (default: all), with the instruction set in force."""
    return _cpu.register_peak(
        dtype, "min_plus", nonnegative, threads or os.cpu_count() or 1, 0.2, half_range, variant
    )  # fmt: skip


def closing_rate(
    n: int,
    dtype: str,
    nonnegative: bool,
    threads: int | None = None,
    repeats: int = 5,
    half_range: bool = False,
    variant: str | None = None,
) -> float:
    """Pairs per second of Floyd-Warshall alone, without filling, on a complete graph; the median of `repeats`."""
    start = np.random.default_rng(1).integers(1, 1000, (n, n)).astype(dtype)
    np.fill_diagonal(start, 0)
    seconds = []
    for _ in range(repeats):
        matrix = start.copy()
        begin = time.perf_counter()
        _cpu.dense_close(
            matrix, "min_plus", nonnegative, threads or os.cpu_count() or 1, None, half_range, variant
        )  # fmt: skip
        seconds.append(time.perf_counter() - begin)
    return n**3 / statistics.median(seconds)


def main() -> None:
    """Print the table: all kernels that compute the same, one below the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=2048, help="vertices (default 2048)")
    parser.add_argument("--threads", type=int, default=2, help="threads (default 2)")
    parser.add_argument("--isa", nargs="*", default=[_cpu.best_isa()], help="instruction sets (default: the best)")
    options = parser.parse_args()
    n = f"n = {options.n}"
    print(f"{'dtype':9}{'values':7}{'kernels':25}{'a core, in cache':>17}{'registers':>11}{n:>11}{'fraction':>10}")
    for isa in options.isa:
        _cpu.set_isa(isa)
        for dtype, nonnegative, half_range in VALUES:
            known = {"half_range": half_range, "threads": options.threads}
            for variant in _cpu.dense_variants(dtype, nonnegative, half_range):
                alone = _cpu.dense_rate(dtype, nonnegative, half_range, variant, 0.05)
                peak = register_peak(dtype, nonnegative, variant=variant, **known)
                rate = closing_rate(options.n, dtype, nonnegative, variant=variant, **known)
                numbers = f"{alone / 1e9:17.1f}{peak / 1e9:11.1f}{rate / 1e9:11.1f}{rate / peak:10.0%}"
                print(f"{dtype:9}{'>= 0' if nonnegative else 'any':7}{variant:25}{numbers}", flush=True)


if __name__ == "__main__":
    main()
