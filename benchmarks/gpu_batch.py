"""Many small graphs on one GPU: python -m benchmarks.gpu_batch [--quick] [--write FILE].

Complete graphs in float32, weights from 1 to 4,096, so that every sum is exact. From batch on the device to batch on
the device, warm, in the same run: the median of five, by the clock of the host around a synchronised device. Every
result is checked before it is timed, bit for bit, against the CPU; the CPU's own against SciPy for one graph. The last
row is the launch and the reading of what became of each graph, by events of the device.

Contestants: `apsp.solve_batch` on the device; on the CPU, all cores, from array to array; CuPy and PyTorch, one vertex
after the other for all graphs at once, with broadcasting: what one writes without a package.
"""

from __future__ import annotations

import argparse
import importlib
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse.csgraph import floyd_warshall

import apsp
from apsp.cuda import batch as kernels
from apsp.cuda import jit
from benchmarks.gpu_closure import device_seconds

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


def seconds_of(work: Callable[[], object], rounds: int) -> list[float]:
    """Times of the host around a synchronised device, after one unmeasured round."""
    device, times = jit.cupy().cuda.Device(), []
    for _ in range(rounds + 1):
        device.synchronize()
        started = time.perf_counter()
        work()
        device.synchronize()
        times.append(time.perf_counter() - started)
    return times[1:]


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
        rows.append(row(name, count, n, seconds_of(work, rounds)))
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
    """Run everything, print a table, write JSON where asked."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_batch", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small inputs, to see that everything runs")
    parser.add_argument("--write", type=Path, help="file for the results as JSON")
    options = parser.parse_args()
    cupy = jit.cupy()
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    print(f"{name}, CUDA {cupy.cuda.runtime.runtimeGetVersion()}, CuPy {cupy.__version__}")
    rows = [row for count, n in INPUTS for row in bench(count // 50 if options.quick else count, n, 5)]
    if options.write:
        document = {"command": "python -m benchmarks.gpu_batch", "gpu": name, "rows": rows}
        options.write.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
