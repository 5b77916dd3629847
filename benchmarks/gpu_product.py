"""Products over (min, +) on one GPU: python -m benchmarks.gpu_product [--quick] [--write FILE].

Square operands of weights from 0 to 4,096, so that every sum is exact: one product of n = 1,024, 4,096 and 16,384, and
10,000 of n = 32. From arrays on the device to an array on the device, warm, in the same run: the median of five, by the
clock of the host around a synchronised device, checks of the operands included. Before it is timed, every result is
compared with the CPU's (of n = 16,384: of 64 rows), bit for bit, and witnesses too. The rows "kernel" are the launches
alone, by events of the device.

Contestants: `apsp.product` without and with witness; broadcasting in PyTorch, in blocks that fit 8 GiB, where a product
takes it less than about a minute; `torch.compile` of the same, which does not store the sums.
"""

from __future__ import annotations

import importlib
import importlib.util
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np

import apsp
from apsp.gpu import jit
from apsp.methods.floyd_warshall.kernels import product as kernels
from benchmarks.gpu_run import arguments, device_seconds, document, host_seconds, write

INPUTS = ((1, 1024), (1, 4096), (1, 16384), (10_000, 32))
"""Products, and rows of each square operand."""

CHECKED_ROWS = 64
BROADCAST_BYTES = 8 << 30
MOST_BROADCAST_PAIRS = 1 << 36


def by_torch(a: Any, b: Any, *, witness: bool) -> Any:
    """`(a[..., :, :, None] + b[..., None, :, :]).min(-2)`, in blocks of rows or of matrices."""
    torch: Any = importlib.import_module("torch")
    count, m, k = a.shape
    rows = max(BROADCAST_BYTES // (a.element_size() * k * b.shape[2]), 1)
    matrices = max(rows // m, 1)
    values, pivots = torch.empty_like(a), torch.empty(a.shape, dtype=torch.int64, device=a.device)
    for first in range(0, count, matrices):
        some = slice(first, first + matrices)
        for top in range(0, m, rows):
            sums = a[some, top : top + rows, :, None] + b[some, None]
            if witness:
                values[some, top : top + rows], pivots[some, top : top + rows] = sums.min(-2)
            else:
                torch.amin(sums, -2, out=values[some, top : top + rows])
    return (values, pivots) if witness else values


def compiled_by_torch() -> Any:
    """The same in one expression, fused by `torch.compile`."""
    torch: Any = importlib.import_module("torch")
    return torch.compile(lambda a, b: (a[:, :, :, None] + b[:, None]).amin(-2))


def bench(count: int, n: int, dtype: str, rounds: int) -> list[dict[str, Any]]:
    """All contestants on one input."""
    cupy = jit.cupy()
    rng = np.random.default_rng(n)
    host = [rng.integers(0, 4097, (count, n, n)).astype(dtype) for _ in range(2)]
    a, b = (cupy.asarray(each) for each in host)
    some = min(CHECKED_ROWS, n) if n > 4096 else n
    expected, pivots = (cupy.asarray(each) for each in apsp.product(host[0][:, :some], host[1], witness=True))
    out = cupy.empty_like(a)
    contestants: dict[str, Callable[[], Any]] = {
        "apsp": lambda: apsp.product(a, b, out=out),
        "apsp, witness": lambda: apsp.product(a, b, out=out, witness=True),
    }
    if importlib.util.find_spec("torch") is not None and float(count) * n**3 <= MOST_BROADCAST_PAIRS:
        torch: Any = importlib.import_module("torch")
        left, right = (torch.from_dlpack(each) for each in (a, b))
        compiled = compiled_by_torch()
        contestants["PyTorch, broadcasting"] = lambda: cupy.from_dlpack(by_torch(left, right, witness=False))
        contestants["PyTorch, broadcasting, arg-min"] = lambda: by_torch(left, right, witness=True)
        if n <= 4096:
            contestants["PyTorch, torch.compile"] = lambda: cupy.from_dlpack(compiled(left, right))
    rows = []
    for name, work in contestants.items():
        found = work()
        values, via = found if isinstance(found, tuple) else (found, None)
        assert bool((cupy.asarray(values)[:, :some] == expected).all()), name
        if via is not None and name.startswith("apsp"):
            assert bool((cupy.asarray(via)[:, :some] == pivots).all()), name
        del found, values, via
        rows.append(row(name, count, n, dtype, host_seconds(work, rounds)))
    witness = cupy.empty(out.shape, dtype=np.int32)
    for name, target in (("apsp, kernel", None), ("apsp, kernels with witness", witness)):

        def launch(target: Any = target) -> None:
            kernels.product(a, b, out, target, "min_plus", nonnegative=True, complete=True)

        rows.append(row(name, count, n, dtype, device_seconds(lambda: None, launch, rounds)))
        assert bool((out[:, :some] == expected).all()), name
    return rows


def row(what: str, count: int, n: int, dtype: str, times: list[float]) -> dict[str, Any]:
    """One row, printed."""
    seconds = statistics.median(times)
    rate = float(count) * n**3 / seconds
    print(f"{what:32} {dtype:8} {count:6,} x {n:6,} {seconds * 1e3:10.3f} ms {rate / 1e12:7.3f} T pairs/s", flush=True)
    return {
        "what": what, "dtype": dtype, "products": count, "n": n, "milliseconds": seconds * 1e3,
        "spread": [min(times) * 1e3, max(times) * 1e3], "pairs/s": rate,
    }  # fmt: skip


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    options = arguments("gpu_product", __doc__)
    rows: list[dict[str, Any]] = []
    for count, n in INPUTS:
        if options.quick and n > 1024:
            continue
        for dtype in ("float32", "int32"):
            rows += bench(count // 50 if options.quick and count > 1 else count, n, dtype, 5)
    write(options.write, document("gpu_product", rows))


if __name__ == "__main__":
    main()
