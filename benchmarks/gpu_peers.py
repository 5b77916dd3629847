"""Whole Floyd-Warshall on one GPU beside other programs: python -m benchmarks.gpu_peers [--quick] [--write FILE].

Complete graphs in float32, weights from 1 to 4,096, so that every sum is exact and every result can be compared bit
by bit: ours with SciPy at n = 1,024, all others with ours. From matrix on the device to matrix on the device (on the
CPU: from array to array), warm, in the same run. The median of five, by the clock of the host around a synchronised
device; of three from 0.3 s on, of one from 3 s on. A contestant is left out if that would take minutes: no number
is extrapolated.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from apsp.gpu import jit
from apsp.methods.backend import CpuBackend
from apsp.methods.floyd_warshall.kernels.backend import CudaBackend
from apsp.semiring import MIN_PLUS, Algebra
from apsp.system.machine import Machine
from benchmarks.gpu_run import arguments, document, write

ALGEBRA = Algebra(MIN_PLUS, nonnegative=True)
SIZES = (1024, 4096, 8192, 16384)
OURS = "apsp"


@dataclass(frozen=True)
class Contestant:
    """One way to close a matrix.

    Attributes
    ----------
    most : int
        The largest n at which it is run.
    prepare : callable
        n -> a function that closes a (n, n) float32 CuPy array, in place or not, and returns the result.
    """

    name: str
    most: int
    prepare: Callable[[int], Callable[[Any], Any]]


def ours(_: int) -> Callable[[Any], Any]:
    """Our kernels on the device."""
    backend = CudaBackend()

    def run(page: Any) -> Any:
        assert backend.close_tile(page, ALGEBRA) == -1
        return page

    return run


def on_the_cpu(_: int) -> Callable[[Any], Any]:
    """Our kernels on all cores of the host."""
    backend = CpuBackend(Machine.detect().cores)

    def run(page: Any) -> Any:
        backend.close_tile(page, ALGEBRA)
        return page

    return run


def scipy_on_the_cpu(_: int) -> Callable[[Any], Any]:
    """SciPy, one thread, float64."""
    from scipy.sparse.csgraph import floyd_warshall

    return lambda page: floyd_warshall(page)


def naive_cupy(n: int) -> Callable[[Any], Any]:
    """n outer sums and minima."""
    cupy = jit.cupy()
    through = cupy.empty((n, n), dtype=np.float32)

    def run(dist: Any) -> Any:
        for k in range(n):
            cupy.add(dist[:, k, None], dist[None, k], out=through)
            cupy.minimum(dist, through, out=dist)
        return dist

    return run


def naive_torch(n: int) -> Callable[[Any], Any]:
    """n outer sums and minima."""
    import torch

    through = torch.empty((n, n), device="cuda")

    def run(page: Any) -> Any:
        dist = torch.from_dlpack(page)
        for k in range(n):
            torch.add(dist[:, k, None], dist[None, k], out=through)
            torch.minimum(dist, through, out=dist)
        return page

    return run


def compiled_torch(_: int) -> Callable[[Any], Any]:
    """n steps, each one kernel of torch.compile."""
    import torch

    @torch.compile  # type: ignore[untyped-decorator]
    def step(dist: Any, column: Any, row: Any) -> None:
        dist.copy_(torch.minimum(dist, column[:, None] + row[None]))

    def run(page: Any) -> Any:
        dist = torch.from_dlpack(page)
        for k in range(dist.shape[0]):
            step(dist, dist[:, k].clone(), dist[k].clone())
        return page

    return run


def blocked_triton(n: int) -> Callable[[Any], Any]:
    """Blocks of 128, see triton_floyd_warshall.py."""
    import torch

    from benchmarks.triton_floyd_warshall import fastest_shape, floyd_warshall

    shape = fastest_shape(n)

    def run(page: Any) -> Any:
        floyd_warshall(torch.from_dlpack(page), shape)
        return page

    return run


def naive_numba(_: int) -> Callable[[Any], Any]:
    """n launches of a kernel with one thread per entry."""
    from numba import cuda

    @cuda.jit  # type: ignore[untyped-decorator]
    def step(dist: Any, k: int) -> None:
        j, i = cuda.grid(2)
        if i < dist.shape[0] and j < dist.shape[1]:
            through = dist[i, k] + dist[k, j]
            if through < dist[i, j]:
                dist[i, j] = through

    def run(page: Any) -> Any:
        n = page.shape[0]
        dist = cuda.as_cuda_array(page)
        for k in range(n):
            step[(-(-n // 128), n), (128, 1)](dist, k)
        return page

    return run


ON_THE_HOST = ("apsp on the CPU", "SciPy floyd_warshall")
CONTESTANTS = (
    Contestant(OURS, 1 << 20, ours),
    Contestant("Triton, blocked", 16384, blocked_triton),
    Contestant("torch.compile, n steps", 8192, compiled_torch),
    Contestant("PyTorch, n outer sums", 8192, naive_torch),
    Contestant("CuPy, n outer sums", 8192, naive_cupy),
    Contestant("numba-cuda, n launches", 8192, naive_numba),
    Contestant(ON_THE_HOST[0], 16384, on_the_cpu),
    Contestant(ON_THE_HOST[1], 1024, scipy_on_the_cpu),
)


def complete_graph(n: int) -> Any:
    """A matrix of weights on the device."""
    cupy = jit.cupy()
    page = cupy.random.default_rng(n).integers(1, 4097, (n, n), dtype=np.int32).astype(np.float32)
    cupy.fill_diagonal(page, 0)
    return page


def compare(n: int) -> Iterator[dict[str, Any]]:
    """All contestants on one graph, one row each."""
    start = complete_graph(n)
    truth: Any = None
    mine = math.nan
    for contestant in CONTESTANTS:
        row: dict[str, Any] = {"n": n, "contestant": contestant.name}
        if n > contestant.most:
            yield row | {"not run": "it would take minutes"}
            continue
        try:
            seconds, result = _timed(contestant, start)
        except Exception as error:
            yield row | {"not run": f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"}
            continue
        if truth is None:
            truth, mine = result, statistics.median(seconds)
        row["verified"] = bool((np.asarray(result) == truth).all())
        median = statistics.median(seconds)
        yield row | {
            "milliseconds": median * 1e3,
            "spread": [min(seconds) * 1e3, max(seconds) * 1e3],
            "rounds": len(seconds),
            "pairs/s": float(n) ** 3 / median,
            "over ours": median / mine,
        }


def _timed(contestant: Contestant, start: Any) -> tuple[list[float], Any]:
    """Seconds of every round but the first, and the result of the last one as a NumPy array."""
    cupy = jit.cupy()
    run = contestant.prepare(start.shape[0])
    times: list[float] = []
    rounds = 6
    while len(times) < rounds:
        page = start.get() if contestant.name in ON_THE_HOST else start.copy()
        cupy.cuda.Device().synchronize()
        begin = time.perf_counter()
        result = run(page)
        cupy.cuda.Device().synchronize()
        times.append(time.perf_counter() - begin)
        if len(times) == 2:  # the first one compiled
            rounds = 6 if times[1] < 0.3 else 4 if times[1] < 3 else 2
    return times[1:], result if isinstance(result, np.ndarray) else result.get()


def _print(row: dict[str, Any]) -> None:
    name = f"n = {row['n']:6,}  {row['contestant']:24}"
    if "not run" in row:
        print(f"{name} not run: {row['not run']}", flush=True)
        return
    print(
        f"{name} {row['milliseconds']:11.3f} ms {row['pairs/s'] / 1e12:7.3f} T pairs/s {row['over ours']:8.2f}x ours, "
        f"{row['rounds']} rounds, {'equal' if row['verified'] else 'WRONG'}",
        flush=True,
    )


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    options = arguments("gpu_peers", __doc__)
    rows: list[dict[str, Any]] = []
    results = document("gpu_peers", rows, cores=Machine.detect().cores)
    for n in (512, 1024) if options.quick else SIZES:
        for row in compare(n):
            _print(row)
            rows.append(row)
            write(options.write, results)  # written during the run: the slow ones are last
    assert all(row.get("verified", True) for row in rows), "a contestant's result is wrong"


if __name__ == "__main__":
    main()
