"""Searching tile policies on a GPU.

Input: the GPU. Output: the best policy of each algebra of shortest paths, stored by the name of the GPU. Cost: about
three minutes, nearly all of it compiling. Candidates that spill registers or do not fit are left out.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from apsp.gpu import jit
from apsp.gpu.page import VALUES, algebra_name, algebra_of
from apsp.methods.floyd_warshall.kernels.policy import Policy, Shape, policy_for
from apsp.methods.floyd_warshall.kernels.remembered import gpu_name, remember
from apsp.methods.floyd_warshall.kernels.update import kernel_of, launch, policy_of
from apsp.semiring import SEMIRINGS, Algebra
from apsp.system.progress import ProgressReport

__all__ = ["measure", "tune"]

_LARGE = (
    Shape(8, 2, 2, 2, 64, 3, 2, 3),
    Shape(8, 2, 2, 2, 32, 3, 2, 3),
    Shape(8, 2, 4, 2, 64, 3, 2, 2),
    Shape(8, 2, 2, 2, 64, 2, 2, 2),
    Shape(4, 4, 2, 2, 64, 3, 2, 3),
    Shape(8, 4, 2, 2, 64, 2, 2, 2),
)
_MULTIPLIED = {"int32": (0, 7), "uint16": (0, 7)}
_SIZE, _DEPTH, _RUNS = 4096, 512, 5

Seconds = Callable[[Shape, str, bool], float | None]
"""Returns the seconds of one launch of a shape, for a dtype and nonnegative values or not.

None if it cannot run or spills.
"""


def tune(progress: ProgressReport | None = None, *, quick: bool = False) -> list[str]:
    """Measure on every kind of GPU of this machine, store the policies, and return the names; OutputError if they
    cannot be written.
    """
    names: list[str] = []
    cupy = jit.cupy()
    for device in range(int(cupy.cuda.runtime.getDeviceCount())):
        if gpu_name(device) in names or jit.why_unusable(cupy, device) is not None:
            continue
        with cupy.cuda.Device(device):
            remember(gpu_name(device), measure(_seconds, jit.capability(), progress, quick=quick))
        policy_of.cache_clear()  # so that this process uses it too
        names.append(gpu_name(device))
    return names


def measure(
    seconds: Seconds, capability: tuple[int, int], progress: ProgressReport | None = None, *, quick: bool = False
) -> dict[str, Policy]:
    """Return the best policy of each algebra of shortest paths, by the times of `seconds`; shapes that cannot run are
    left out.
    """
    found: dict[str, Policy] = {}
    kinds = [(dtype, nonnegative) for dtype in VALUES for nonnegative in _signs(dtype)]
    for done, (dtype, nonnegative) in enumerate(kinds):
        if progress is not None:
            progress("tune gpu", done, len(kinds))
        algebra = algebra_name("min_plus", dtype, nonnegative)
        shipped = policy_for(capability, algebra)
        candidates = [shipped.shapes[0][0], *(() if quick else _candidates(dtype))]
        timed = ((seconds(shape, dtype, nonnegative), shape) for shape in dict.fromkeys(candidates))
        best = min(((time, shape) for time, shape in timed if time is not None), key=lambda pair: pair[0], default=None)
        if best is None:
            continue
        shapes = [(best[1], 1.0)]
        for shape, _ in shipped.shapes[1:]:
            small = replace(shape, multiplied=best[1].multiplied)
            time = seconds(small, dtype, nonnegative)
            if time is not None:
                shapes.append((small, max(time / best[0], 0.1)))
        found[algebra] = Policy(tuple(shapes))
    if progress is not None:
        progress("tune gpu", len(kinds), len(kinds))
    return found


def _seconds(shape: Shape, dtype: str, nonnegative: bool) -> float | None:
    """Time `update` in this shape on the current GPU, on random values; see `Seconds`."""
    cupy, algebra = jit.cupy(), Algebra(SEMIRINGS["min_plus"], nonnegative)
    rng = np.random.default_rng(1)
    pages = ((_SIZE, _SIZE), (_SIZE, _DEPTH), (_DEPTH, _SIZE))
    c, a, b = (cupy.asarray(rng.integers(1, 10_000, size).astype(dtype)) for size in pages)
    kernel = kernel_of(shape, algebra_of(c, algebra), c.dtype.itemsize)
    if kernel is None or kernel.local_size_bytes:
        return None
    times = []
    for _ in range(_RUNS + 1):
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        launch(shape, c, a, b, algebra)
        end.record()
        end.synchronize()
        times.append(float(cupy.cuda.get_elapsed_time(start, end)) / 1000)
    return statistics.median(times[1:])


def _candidates(dtype: str) -> Iterator[Shape]:
    for shape in _LARGE:
        for multiplied in _MULTIPLIED.get(dtype, (0,)):
            yield replace(shape, multiplied=multiplied)


def _signs(dtype: str) -> tuple[bool, ...]:
    """Yield whether no value is below zero: both cases if they have different algebras."""
    return (True, False) if dtype == "float32" else (True,)
