"""Measures the constants of the cost model on this machine, by running methods through the registry on small graphs.

Every method is run on two graphs (or sizes) and its two constants are solved for, so that overheads do not hide in
rates. All cores run, because that is how plans run; a constant is seconds on one of them.
"""

from __future__ import annotations

import datetime
import importlib.util
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from apsp.errors import ApspError
from apsp.graph.model import Graph
from apsp.plan.constants import save_tuned, shipped_constants
from apsp.plan.machine import Machine
from apsp.progress import ProgressReport
from apsp.solvers import registry
from apsp.solvers.problem import Problem

__all__ = ["measure", "tune"]

Values = dict[str, dict[str, float]]

_SHARE = 1.0
_RUNS = 5
"""A measurement is the best of five runs, or of as many as fit into a second, but at least of one."""

_DENSE = (256, 1024)
_SPARSE = ((2000, 4), (2000, 32))
"""Vertices, and arcs a vertex."""


def tune(progress: ProgressReport | None = None, *, path: Path | None = None, quick: bool = False) -> dict[str, Any]:
    """Measure every method of the registry (under a minute on two cores) and keep the constants for later plans.

    Parameters
    ----------
    progress : callable, optional
        Told as report('tune', done, total).
    path : Path, optional
        Of the file; `apsp.plan.constants.tuned_path()` by default. It is replaced in one step.
    quick : bool
        Tiny graphs: for trying out, not for planning.

    Returns
    -------
    dict
        'path', 'isa', 'date', 'seconds' (spent) and 'values' (method -> constant -> seconds).

    Raises
    ------
    OutputError
        If the file cannot be written.
    """
    started = time.perf_counter()
    machine = Machine.detect()
    values = measure(machine, progress, quick=quick)
    date = datetime.datetime.now(datetime.timezone.utc).date().isoformat()  # noqa: UP017
    written = save_tuned(values, machine.isa, date, path)
    spent = time.perf_counter() - started
    return {"path": str(written), "isa": machine.isa, "date": date, "seconds": spent, "values": values}


def measure(machine: Machine, progress: ProgressReport | None = None, *, quick: bool = False) -> Values:
    """Measure without writing; methods that are not installed or fail keep their shipped constants."""
    shipped = shipped_constants(machine.isa).values
    steps = list(_steps(machine, quick))
    values: Values = {}
    for done, (method, names, run) in enumerate(steps):
        if progress is not None:
            progress("tune", done, len(steps))
        measured = run()
        if measured is None:
            continue
        start = values.setdefault(method, dict(shipped.get(method, {})))
        start.update(zip(names, measured, strict=True))
    if progress is not None:
        progress("tune", len(steps), len(steps))
    return values


Step = tuple[str, tuple[str, ...], Callable[[], tuple[float, ...] | None]]


def _steps(machine: Machine, quick: bool) -> Iterator[Step]:
    yield "output", ("byte",), lambda: (_touch(1 << 22 if quick else 1 << 27),)
    for method in registry.METHODS.values():
        if not method.automatic or importlib.util.find_spec(method.module) is None:
            continue
        if method.family == "dense":
            yield from _dense_steps(method, machine, quick)
        else:
            yield _sparse_step(method, machine, quick)


def _dense_steps(method: registry.Method, machine: Machine, quick: bool) -> Iterator[Step]:
    sizes = (24, 48) if quick else _DENSE
    for dtype in method.dtypes:
        signs = ("", ".non-negative") if dtype.startswith("float") else ("",)
        for sign in signs:
            names = ("entry", f"pair.{dtype}{sign}")

            def run(dtype: str = dtype, negative: bool = not sign) -> tuple[float, ...] | None:
                times = []
                for n in sizes:
                    graph = _random_graph(n, n // 2, dtype, negative=negative and dtype.startswith("float"))
                    times.append(_best(method, graph, dtype, n, machine))
                if None in times:
                    return None
                rows = [[float(n) ** 2 / machine.cores, float(n) ** 3 / machine.cores] for n in sizes]
                return _solved(rows, [t for t in times if t is not None])

            yield method.name, names, run


def _sparse_step(method: registry.Method, machine: Machine, quick: bool) -> Step:
    """Methods by rows: an arc, and a vertex (times log2 n where the method keeps a heap), once a source."""
    shapes = ((60, 2), (60, 8)) if quick else _SPARSE
    heap = method.name not in ("bfs", "dijkstra-buckets")
    dtype = "int32"

    def run() -> tuple[float, ...] | None:
        rows, times = [], []
        for n, degree in shapes:
            graph = _random_graph(n, degree, dtype if method.weighted else None)
            sources = n - n % machine.cores
            times.append(_best(method, graph, dtype, sources, machine))
            share = sources / machine.cores
            rows.append([share * graph.m, share * n * (np.log2(n) if heap else 1.0)])
        if None in times:
            return None
        return _solved(rows, [t for t in times if t is not None])

    return method.name, ("arc", "heap" if heap else "vertex"), run


def _best(method: registry.Method, graph: Graph, dtype: str, sources: int, machine: Machine) -> float | None:
    """The shortest of several runs, in seconds; None if the method cannot do it."""
    try:
        solver = registry.load(method).prepare(Problem(graph, np.dtype(dtype), threads=machine.cores))
        wanted = np.arange(sources, dtype=np.int32)
        dist = np.ones((sources, graph.n), dtype=dtype)  # written before, so that first touch is not measured here
        best, spent = np.inf, 0.0
        for _ in range(_RUNS):
            started = time.perf_counter()
            solver.fill(wanted, dist, None)
            last = time.perf_counter() - started
            best, spent = min(best, last), spent + last
            if spent + last > _SHARE:
                break
        return float(best)
    except (ApspError, ImportError, AttributeError, ValueError):
        return None


def _touch(size: int) -> float:
    """Seconds a byte of writing fresh memory."""
    started = time.perf_counter()
    np.empty(size, dtype=np.uint8).fill(1)
    return (time.perf_counter() - started) / size


def _solved(rows: list[list[float]], times: list[float]) -> tuple[float, ...]:
    """Both constants from two measurements; where noise makes one negative, the other explains the larger run."""
    first, second = np.linalg.solve(np.array(rows), np.array(times))
    if first < 0:
        first, second = 0.0, times[1] / rows[1][1]
    elif second < 0:
        first, second = times[1] / rows[1][0], 0.0
    return float(first), float(second)


def _random_graph(n: int, degree: int, dtype: str | None, *, negative: bool = False) -> Graph:
    """About `degree` arcs a vertex with weights from 1 to 100; a potential makes some negative, but no cycle."""
    rng = np.random.default_rng(7)
    keys = np.unique(rng.integers(0, n * n, n * degree))
    tails, heads = keys // n, keys % n
    indptr = np.concatenate([[0], np.cumsum(np.bincount(tails, minlength=n))])
    if dtype is None:
        return Graph(indptr, heads)
    weights = rng.integers(1, 101, len(keys))
    if negative:
        height = rng.integers(0, 200, n)
        weights = weights + height[tails] - height[heads]
    return Graph(indptr, heads, weights.astype("int32" if dtype == "uint16" else dtype))
