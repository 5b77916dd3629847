"""Transitive closure on one GPU: python -m benchmarks.gpu_closure [--quick] [--write FILE].

Inputs: acyclic random digraphs with their vertices shuffled (no component to collapse, no row that fills up), and
sparse random ones (one large component). Contestants: the closure by Warshall's algorithm, from bits on the device to
bits on the device; the whole closure, from the graph on the host to bits on the device; the CPU; and repeated
squaring of a boolean matrix by PyTorch, in float16 and int8 on the tensor cores. After a warm-up, the median of five,
timed with events of the device or, if the host works too, with its clock. Every result is compared with that of the CPU
before, bit for bit.

The ceiling of a bit product is the rate of the tensor cores: 7,743 T pairs/s by warpgroups (wgmma b1), measured from
shared memory alone on an H200; 4,526 T pairs/s by warps (mma b1). Tables of unions could reach 2,000 T at most (one
word per lane and cycle of shared memory), and one logical instruction for 32 pairs 535 T.
"""

from __future__ import annotations

import importlib
import statistics
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import apsp
from apsp.gpu import jit
from apsp.methods.closure.closure import closure
from apsp.methods.closure.kernels import bit_matrix, bits, close_bits
from apsp.methods.closure.on_gpu import closure_on_gpu
from benchmarks.gpu_run import arguments, device_seconds, document, host_seconds, write

CEILING = 7743e12
"""Pairs of bits per second."""


def acyclic(n: int, m: int) -> apsp.Graph:
    """m random arcs from earlier to later vertices of a random order."""
    rng = np.random.default_rng(n)
    ends, order = rng.integers(0, n, (2, m)), rng.permutation(n)
    return apsp.from_edges(order[ends.min(axis=0)], order[ends.max(axis=0)], n=n)


def sparse(n: int, m: int) -> apsp.Graph:
    """m random arcs."""
    return apsp.from_edges(*np.random.default_rng(n).integers(0, n, (2, m)), n=n)


def row(what: str, n: int, times: list[float], pairs: float | None = None) -> dict[str, Any]:
    """One row, printed."""
    seconds = statistics.median(times)
    rate = None if pairs is None else pairs / seconds
    text = "" if rate is None else f"{rate / 1e12:7.0f} T pairs/s {rate / CEILING:6.1%} of the ceiling"
    print(f"{what:44} n = {n:6,} {seconds * 1e3:11.3f} ms {text}", flush=True)
    return {
        "what": what, "n": n, "milliseconds": seconds * 1e3, "spread": [min(times) * 1e3, max(times) * 1e3],
        "pairs/s": rate, "of the ceiling": None if rate is None else rate / CEILING,
    }  # fmt: skip


def bench_products(n: int, rounds: int) -> list[dict[str, Any]]:
    """C |= A (x) B, 4,096 pivots, one word of C in 64 unset before; checked against each other and NumPy."""
    cupy, depth, rows, results = jit.cupy(), min(4096, n), [], []
    random = cupy.random.default_rng(1).integers
    a, b = (random(0, 2**63, shape, dtype=np.uint64) for shape in ((n, depth // 64), (depth, n // 64)))
    for _ in range(5):
        a &= random(0, 2**63, a.shape, dtype=np.uint64)
    b &= random(0, 2**63, b.shape, dtype=np.uint64)
    c = cupy.empty((n, n // 64), dtype=np.uint64)
    transposed = bits.transposed(b)
    kinds: dict[str, Callable[[], object]] = {
        "product by warpgroups, packing included": lambda: bits.multiply(c, a, b),
        "product by warps": lambda: bits.multiply_transposed(c, a, transposed),
        "product by tables of unions": lambda: bits.unite(c, a, b),
    }
    for what, work in kinds.items():
        times = device_seconds(lambda: c.fill(0), work, rounds)
        rows.append(row(what, n, times, float(n) * n * depth))
        results.append(c.copy())
    assert all(bool((one == results[0]).all()) for one in results)
    sets, others = (np.unpackbits(x.get().view(np.uint8), axis=1, bitorder="little") for x in (a[:8], b[:, :4]))
    expected = (sets.astype(np.int64) @ others.astype(np.int64)) > 0
    found = np.unpackbits(results[0][:8, :4].get().view(np.uint8), axis=1, bitorder="little")
    np.testing.assert_array_equal(found, expected)
    return rows


def bench_closures(n: int, rounds: int) -> list[dict[str, Any]]:
    """Whole closures."""
    cupy, rows = jit.cupy(), []
    for kind, graph in (("acyclic, m = 8n", acyclic(n, 8 * n)), ("random, m = 2n", sparse(n, 2 * n))):
        expected, arcs = cupy.asarray(closure(graph, 16)), bit_matrix.Adjacency(graph)
        page = cupy.empty_like(expected)
        if kind.startswith("acyclic"):
            times = device_seconds(partial(bit_matrix.fill, page, 0, 0, arcs), partial(close_bits.close, page), rounds)
            assert bool((page == expected).all())
            rows.append(row(f"Warshall, {kind}", n, times, float(n) ** 3))
        for method, components in (("components", True), ("Warshall", False)):
            result = closure_on_gpu(graph, components=components)
            assert bool((result == expected).all())
            del result
            times = host_seconds(partial(closure_on_gpu, graph, components=components), rounds)
            rows.append(row(f"graph to bits by {method}, {kind}", n, times))
        rows.append(row(f"CPU, 16 threads, {kind}", n, host_seconds(partial(closure, graph, 16), 1)))
        if n <= 16384 and kind.startswith("acyclic"):
            rows += bench_torch(graph, expected, rounds)
    return rows


def bench_torch(graph: apsp.Graph, expected: Any, rounds: int) -> list[dict[str, Any]]:
    """Squaring until nothing changes, one byte or two per pair."""
    torch: Any = importlib.import_module("torch")
    n, rows = graph.n, []
    tails, heads = (torch.from_numpy(ends.astype(np.int64)).cuda() for ends in (graph.tails(), graph.indices))

    def start(dtype: Any) -> Any:
        matrix = torch.eye(n, dtype=dtype, device="cuda")
        matrix[tails, heads] = 1
        return matrix

    def close(matrix: Any, product: Callable[[Any], Any]) -> Any:
        for _ in range(max(n - 1, 1).bit_length()):
            squared = (product(matrix) > 0).to(matrix.dtype)
            if torch.equal(squared, matrix):
                break
            matrix = squared
        torch.cuda.synchronize()
        return matrix

    kinds: list[tuple[str, Any, Callable[[Any], Any]]] = [
        ("float16", torch.float16, lambda x: x @ x),
        ("int8", torch.int8, lambda x: torch._int_mm(x, x.t().contiguous().t())),
    ]
    for name, dtype, product in kinds:
        begin = start(dtype)
        closed = close(begin, product).bool().cpu().numpy()
        packed = np.packbits(closed, axis=1, bitorder="little").view(np.uint64)
        np.testing.assert_array_equal(packed, expected.get())
        times = host_seconds(partial(close, begin, product), rounds)
        rows.append(row(f"PyTorch squaring, {name}", n, times))
    return rows


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    options = arguments("gpu_closure", __doc__)
    rows = bench_products(2048 if options.quick else 65536, 5)
    for n in (1024, 2048) if options.quick else (4096, 16384, 65536):
        rows += bench_closures(n, 3 if options.quick else 5)
    write(options.write, document("gpu_closure", rows))


if __name__ == "__main__":
    main()
