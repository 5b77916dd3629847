"""Dense graphs on one GPU: python -m benchmarks.gpu_dense [--quick] [--write FILE].

The rate of the update C = min(C, A + B) and of whole Floyd-Warshall, from matrix on the device to matrix on the
device: warm, the median of five, timed with events of the device. Every result is checked: samples of an update
against NumPy; a closed matrix D for small n against the CPU, entry by entry, and else that its diagonal is 0, that
D <= the arcs, and that D[i, j] is the minimum of D[i, k] + D[k, j] and of D[i, k] + arc[k, j], for sampled i and j.

The ceilings are (add, min) pairs per second of the arithmetic alone on an H200. Those of floats are measured, on
registers. Those of integers are calculated: if sums and minima were divided among all units without loss (7 of 12 sums
by the multiplier), a multiprocessor would process 96 words per clock cycle; with the fused instruction alone, 64.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from typing import Any

import numpy as np

from apsp.methods.backend import CpuBackend
from apsp.methods.floyd_warshall.kernels.backend import CudaBackend
from apsp.semiring import MIN_PLUS, Algebra
from benchmarks.gpu_run import arguments, document, write

CEILINGS = {"float32+": 22.3e12, "float32": 16.7e12, "int32": 25.1e12, "uint16": 50.2e12}
"""By kind: the dtype, with a plus where no value is negative (and the kernel makes use of it)."""


def algebra_of(kind: str) -> tuple[str, Algebra]:
    """The dtype and the algebra of a kind."""
    return kind.rstrip("+"), Algebra(MIN_PLUS, nonnegative=kind.endswith("+"))


def random_page(backend: CudaBackend, rows: int, columns: int, dtype: str, seed: int) -> Any:
    """Values from 1 to 4096."""
    page = backend.allocate(rows, columns, dtype)
    generator = backend.cupy.random.default_rng(seed)
    for start in range(0, rows, 4096):
        part = page[start : start + 4096]
        part[...] = generator.integers(1, 4097, part.shape, dtype=np.int32).astype(dtype)
    return page


def seconds_of(backend: CudaBackend, prepare: Callable[[], None], run: Callable[[], None], rounds: int) -> list[float]:
    """Seconds of every round except the first, by events of the device."""
    events = backend.cupy.cuda
    times = []
    for _ in range(rounds + 1):
        prepare()
        begin, end = events.Event(), events.Event()
        begin.record()
        run()
        end.record()
        end.synchronize()
        times.append(events.get_elapsed_time(begin, end) / 1e3)
    return times[1:]


def bench_update(kind: str, n: int, depth: int, rounds: int) -> dict[str, Any]:
    """One rank-`depth` update of an n x n matrix."""
    dtype, algebra = algebra_of(kind)
    backend = CudaBackend()
    a, b = random_page(backend, n, depth, dtype, 1), random_page(backend, depth, n, dtype, 2)
    start, c = random_page(backend, n, n, dtype, 3), backend.allocate(n, n, dtype)
    times = seconds_of(backend, lambda: backend.copy(start, c), lambda: backend.update(c, a, b, algebra), rounds)
    rows = np.random.default_rng(0).integers(0, n, 16)
    for row in rows.tolist():
        expected = np.minimum(start[row].get(), (a[row].get()[:, None] + b.get()).min(axis=0))
        np.testing.assert_array_equal(c[row].get(), expected)
    return result(f"update, depth {depth}", kind, n, float(n) * n * depth, times)


def bench_whole(kind: str, n: int, rounds: int) -> dict[str, Any]:
    """Floyd-Warshall of a complete graph."""
    dtype, algebra = algebra_of(kind)
    backend = CudaBackend()
    start, page = random_page(backend, n, n, dtype, n), backend.allocate(n, n, dtype)
    backend.cupy.fill_diagonal(start, 0)

    def close() -> None:
        assert backend.close_tile(page, algebra) == -1

    times = seconds_of(backend, lambda: backend.copy(start, page), close, rounds)
    check_closed(backend, start, page, algebra)
    return result("Floyd-Warshall", kind, n, float(n) ** 3, times)


def check_closed(backend: CudaBackend, start: Any, page: Any, algebra: Algebra) -> None:
    """Check a closed matrix as described at the head of this file."""
    n, cupy = page.shape[0], backend.cupy
    if n <= 4096:
        expected = start.get()
        CpuBackend(16).close_tile(expected, algebra)
        np.testing.assert_array_equal(page.get(), expected)
        return
    assert not page.diagonal().any()
    assert bool((page[:1024] <= start[:1024]).all())
    wide = np.int64 if page.dtype.kind in "iu" else np.float64
    for i, j in np.random.default_rng(1).integers(0, n, (400, 2)).tolist():
        through = page[i].astype(wide) + page[:, j].astype(wide)
        assert page[i, j] == through.min()
        if i != j:  # the last arc of a shortest path: a fixed point of the arcs, not only of itself
            assert page[i, j] == (page[i].astype(wide) + start[:, j].astype(wide))[cupy.arange(n) != j].min()


def result(what: str, kind: str, n: int, pairs: float, times: list[float]) -> dict[str, Any]:
    """One row, printed."""
    seconds = statistics.median(times)
    ceiling = CEILINGS.get(kind)
    row = {
        "what": what, "kind": kind, "n": n,
        "milliseconds": seconds * 1e3, "spread": [min(times) * 1e3, max(times) * 1e3],
        "pairs/s": pairs / seconds, "of the ceiling": None if ceiling is None else pairs / seconds / ceiling,
    }  # fmt: skip
    share = "" if ceiling is None else f"{pairs / seconds / ceiling:6.1%} of the ceiling"
    print(
        f"{what:18} {kind:9} n = {n:6,} {seconds * 1e3:11.3f} ms {pairs / seconds / 1e12:7.2f} T pairs/s {share}",
        flush=True,
    )
    return row


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    options = arguments("gpu_dense", __doc__)
    n, sizes = (2048, (1024, 2048)) if options.quick else (16384, (1024, 2048, 4096, 8192, 16384, 32768))
    rows = [bench_update(kind, n, depth, 5) for kind in (*CEILINGS, "float64") for depth in (128, 512)]
    rows += [bench_whole(kind, size, 5) for size in sizes for kind in ("float32+", "int32", "uint16")]
    write(options.write, document("gpu_dense", rows))


if __name__ == "__main__":
    main()
