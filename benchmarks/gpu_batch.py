"""Many small graphs on one GPU: python -m benchmarks.gpu_batch [--quick] [--write FILE].

Complete graphs in float32, weights from 1 to 4,096, so that every sum is exact. From batch on the device to batch on
the device, warm, in the same run: the median of five, by the clock of the host around a synchronised device. Every
result is compared with that of the CPU before it is timed, bit for bit, and that of the CPU with SciPy for one graph.
Rows "kernel" are the launch and the reading of the statuses of the graphs, by events of the device.

With paths, every predecessor is checked: its distance and one arc are the distance. The last rows are a million graphs
like molecules, 9 to 50 vertices, in classes of sizes, which are padded to the largest of their class.

Contestants: `apsp.solve_batch` on the device; on the CPU, all cores, from array to array; CuPy and PyTorch, one vertex
after the other for all graphs at once, with broadcasting, as one would write it without a package.
"""

from __future__ import annotations

import importlib
import statistics
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse.csgraph import floyd_warshall

import apsp
from apsp.gpu import jit
from apsp.methods.floyd_warshall.kernels import batch as kernels
from benchmarks.batch import molecules
from benchmarks.gpu_run import arguments, device_seconds, document, host_seconds, write

INPUTS = ((10_000, 64), (10_000, 32), (2_000, 128), (500, 256))
"""Graphs, and vertices of each."""

MOLECULES = ((16, 150_000), (24, 350_000), (32, 350_000), (40, 100_000), (50, 50_000))
"""The largest number of atoms of a class, and its share of a million; the smallest is 9, or follows the class below."""


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
    found = apsp.solve_batch(batch, paths=True)
    assert isinstance(found, apsp.BatchPaths)
    check_on_device(batch, *found, answer)
    del found
    rows.append(
        row("apsp, paths", count, n, host_seconds(lambda: apsp.solve_batch(batch, out=out, paths=True), rounds))
    )
    return rows + kernel_rows(batch, answer, None, rounds)


def kernel_rows(batch: Any, answer: Any, sizes: Any, rounds: int) -> list[dict[str, Any]]:
    """The launch and the reading of the statuses, without paths and with them."""
    cupy, rows = jit.cupy(), []
    out, pred = cupy.empty_like(batch), cupy.empty(batch.shape, dtype=np.int32)
    for words, before in (("and statuses", None), ("with paths", pred)):
        work = partial(kernels.close_batch, batch, out, before, sizes, "min_plus", 1e30)
        work()
        assert bool((out == answer).all())
        if before is not None:
            check_on_device(batch, out, before, answer)
        times = device_seconds(lambda: None, work, rounds)
        rows.append(row(f"apsp, kernel {words}", len(batch), batch.shape[1], times))
    return rows


def check_on_device(batch: Any, distances: Any, pred: Any, answer: Any) -> None:
    """As `benchmarks.batch.check_batch`, on the device: all arcs are positive."""
    cupy = jit.cupy()
    assert bool((distances == answer).all())
    apart = ~cupy.eye(batch.shape[1], dtype=bool)
    for first in range(0, len(batch), 10_000):
        part = slice(first, first + 10_000)
        before = pred[part]
        assert bool((((answer[part] < np.inf) & apart) == (before >= 0)).all())
        graph, source, target = cupy.nonzero(before >= 0)
        last = before[graph, source, target]
        sums = answer[part][graph, source, last] + batch[part][graph, last, target]
        assert bool((sums == answer[part][graph, source, target]).all())


def bench_molecules(share: float, rounds: int) -> list[dict[str, Any]]:
    """A million molecules in float32, class by class: calls from array to array on the device, and kernels."""
    rows: list[dict[str, Any]] = []
    least = 9
    for n, whole in MOLECULES:
        rows += bench_class(int(whole * share), least, n, rounds)
        least = n + 1
    for what in ("apsp, molecules", "apsp, paths, molecules", "apsp, kernel with paths"):
        some = [row for row in rows if row["what"] == what]
        graphs, milliseconds = (sum(row[key] for row in some) for key in ("graphs", "milliseconds"))
        print(f"{what}, all {graphs:,}: {milliseconds:.1f} ms")
        rows.append({"what": f"{what}, all", "graphs": graphs, "n": least - 1, "milliseconds": milliseconds})
    return rows


def bench_class(count: int, least: int, n: int, rounds: int) -> list[dict[str, Any]]:
    """Molecules of `least` to n vertices."""
    cupy = jit.cupy()
    host = molecules(count, n, "float32", n)
    sizes = np.random.default_rng(n).integers(least, n + 1, count).astype(np.int32)
    for size in range(least, n):
        some = np.flatnonzero(sizes == size)
        host[some, size:] = host[some, :, size:] = np.inf
    answer = cupy.asarray(apsp.solve_batch(host, sizes=sizes, device="cpu"))
    batch, out = cupy.asarray(host), cupy.empty(host.shape, dtype=np.float32)
    del host
    rows = kernel_rows(batch, answer, sizes, rounds)
    for what, paths in (("apsp, molecules", False), ("apsp, paths, molecules", True)):
        times = host_seconds(partial(apsp.solve_batch, batch, sizes=sizes, out=out, paths=paths), rounds)
        rows.append(row(what, count, n, times))
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
    rows += bench_molecules(0.01 if options.quick else 1.0, 5)
    write(options.write, document("gpu_batch", rows))


if __name__ == "__main__":
    main()
