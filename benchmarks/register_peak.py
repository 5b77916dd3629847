"""The rate of the arithmetic of (min,+) alone, and the fraction of it that blocked Floyd-Warshall reaches.

`python -m benchmarks.register_peak` prints 10^9 (add, min) pairs per second by dtype and instruction set: on values
that stay in registers, and of Floyd-Warshall on n vertices.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

import numpy as np

from apsp import _cpu

__all__ = ["closing_rate", "register_peak"]

KERNELS = (
    ("float32", True),
    ("float32", False),
    ("float64", True),
    ("float64", False),
    ("int32", True),
    ("int64", True),
    ("uint16", True),
)
"""dtype, and whether the values are known to be at least 0."""


def register_peak(dtype: str, nonnegative: bool = True, threads: int | None = None) -> float:
    """Pairs per second on values in registers, on `threads` cores (default: all), with the instruction set in force."""
    return _cpu.register_peak(dtype, "min_plus", nonnegative, threads or os.cpu_count() or 1, 0.2)


def closing_rate(n: int, dtype: str, nonnegative: bool, threads: int | None = None, repeats: int = 5) -> float:
    """Pairs per second of Floyd-Warshall alone, without filling, on a complete graph; the median of `repeats`."""
    start = np.random.default_rng(1).integers(1, 1000, (n, n)).astype(dtype)
    np.fill_diagonal(start, 0)
    seconds = []
    for _ in range(repeats):
        matrix = start.copy()
        begin = time.perf_counter()
        _cpu.dense_close(matrix, "min_plus", nonnegative, threads or os.cpu_count() or 1)
        seconds.append(time.perf_counter() - begin)
    return n**3 / statistics.median(seconds)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=2048, help="vertices (default 2048)")
    parser.add_argument("--threads", type=int, default=2, help="threads (default 2)")
    parser.add_argument("--isa", nargs="*", default=[_cpu.best_isa()], help="instruction sets (default: the best)")
    options = parser.parse_args()
    print(f"{'isa':9}{'dtype':9}{'values':12}{'registers':>12}{f'n = {options.n}':>12}{'fraction':>10}")
    for isa in options.isa:
        _cpu.set_isa(isa)
        for dtype, nonnegative in KERNELS:
            peak = register_peak(dtype, nonnegative, options.threads)
            rate = closing_rate(options.n, dtype, nonnegative, options.threads)
            values = ">= 0" if nonnegative else "any"
            print(f"{isa:9}{dtype:9}{values:12}{peak / 1e9:12.1f}{rate / 1e9:12.1f}{rate / peak:10.0%}", flush=True)


if __name__ == "__main__":
    main()
