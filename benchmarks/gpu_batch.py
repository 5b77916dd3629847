"""Many small graphs on one GPU: python -m benchmarks.gpu_batch [--quick] [--write FILE].

Complete graphs in float32, weights from 1 to 4,096, so that every sum is exact. From batch on the device to batch on
the device, warm, in the same run: the median of five, by the clock of the host around a synchronised device. Every
result is compared with that of the CPU before it is timed, bit for bit, and that of the CPU with SciPy for one graph.
The last row is the launch and the reading of the statuses of the graphs, by events of the device.

Contestants: `apsp.solve_batch` on the device; on the CPU, all cores, from array to array; CuPy and PyTorch, one vertex
after the other for all graphs at once, with broadcasting, as one would write it without a package.
"""

from __future__ import annotations

import importlib
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse.csgraph import floyd_warshall

import apsp
from apsp.gpu import jit
from apsp.methods.floyd_warshall.kernels import batch as kernels
from benchmarks.gpu_run import arguments, device_seconds, document, host_seconds, write

INPUTS = ((10_000, 64), (10_000, 32), (2_000, 128), (500, 256))
"""Graphs, and vertices of each."""


def by_cupy(batch: Any) -> Any:
    """D = min(D, D[:, k] + D[k, :]), for each k."""
    cupy, distances = jit.cupy(), batch.copy()
    for k in range(batch.shape[1]):
        cupy.minimum(distances, distances[:, :, k : k + 1] + distances[:, k : k + 1, :], out=distances)
    return distances


def by_torch(batch: Any) -> Any:
    """The same."""
    torch: Any = importlib.import_module("torch")
    distances = torch.from_dlpack(batch).clone()
    for k in range(batch.shape[1]):
        torch.minimum(distances, distances[:, :, k : k + 1] + distances[:, k : k + 1, :], out=distances)
    return jit.cupy().from_dlpack(distances)


def bench(count: int, n: int, rounds: int) -> list[dict[str, Any]]:
    """All contestants on one input."""
    cupy = jit.cupy()
    host = np.random.default_rng(n).integers(1, 4097, (count, n, n)).astype(np.float32)
    host[:, range(n), range(n)] = 0
    expected = apsp.solve_batch(host, device="cpu")
    np.testing.assert_array_equal(expected[-1], floyd_warshall(host[-1]))
    batch, answer = cupy.asarray(host), cupy.asarray(expected)
    out = cupy.empty_like(batch)
    contestants: dict[str, Callable[[], Any]] = {
        "apsp": lambda: apsp.solve_batch(batch, out=out),
        "apsp, CPU": lambda: apsp.solve_batch(host, device="cpu"),
        "CuPy, by vertices": lambda: by_cupy(batch),
        "PyTorch, by vertices": lambda: by_torch(batch),
    }
    rows = []
    for name, work in contestants.items():
        assert bool((cupy.asarray(work()) == answer).all()), name
        rows.append(row(name, count, n, host_seconds(work, rounds)))
    largest = 1e30
    times = device_seconds(lambda: None, lambda: kernels.close_batch(batch, out, None, "min_plus", largest), rounds)
    assert bool((out == answer).all())
    rows.append(row("apsp, kernel and statuses", count, n, times))
    return rows


def row(what: str, count: int, n: int, times: list[float]) -> dict[str, Any]:
    """One row, printed."""
    seconds = statistics.median(times)
    rate = float(count) * n**3 / seconds
    traffic = 8.0 * count * n * n / seconds
    print(
        f"{what:26} {count:6,} x {n:3} {seconds * 1e3:10.3f} ms {rate / 1e12:7.2f} T pairs/s "
        f"{traffic / 1e12:6.2f} TB/s",
        flush=True,
    )
    return {
        "what": what, "graphs": count, "n": n, "milliseconds": seconds * 1e3,
        "spread": [min(times) * 1e3, max(times) * 1e3], "pairs/s": rate,
    }  # fmt: skip


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    options = arguments("gpu_batch", __doc__)
    rows = [row for count, n in INPUTS for row in bench(count // 50 if options.quick else count, n, 5)]
    write(options.write, document("gpu_batch", rows))


if __name__ == "__main__":
    main()
