"""Methods with the instruction sets of the machine, from the best to the plainest, on two threads.

For dense matrices the kernels of one instruction set differ in their arithmetic, and are chosen by a measurement
(`register_peak.py`). Those of other methods have one kernel per instruction set: these rows say whether the best set is
the fastest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

import apsp
from apsp import _cpu
from benchmarks.harness import Comparison

__all__ = ["comparisons"]

SETS = ("avx512", "avx2", "baseline")
THREADS = 2


def with_set(name: str, work: Callable[[], Any]) -> Any:
    """The result of some work with an instruction set."""
    before = _cpu.isa()
    _cpu.set_isa(name)
    try:
        return work()
    finally:
        _cpu.set_isa(before)


def rows(graph: apsp.Graph, method: str, step: int) -> Any:
    """The sum of some rows that a method computes: exact for integers."""
    sources = np.arange(0, graph.n, step)
    blocks = apsp.stream(graph, sources=sources, method=method, device="cpu", threads=THREADS, reuse=True)
    return sum(
        block.distances.sum(dtype=np.float64 if block.distances.dtype.kind == "f" else np.int64) for block in blocks
    )


def closeness(graph: apsp.Graph, step: int) -> Any:
    """The closeness of some vertices by elimination."""
    vertices = np.arange(0, graph.n, step)
    return apsp.closeness_centrality(graph, vertices=vertices, method="elimination", device="cpu", threads=THREADS)


def equal(results: Mapping[str, Any]) -> None:
    """All sets give the same bits for integers; for floats, whose paths are added up in other orders, almost."""
    first, *others = results.values()
    for other in others:
        np.testing.assert_allclose(other, first, rtol=0 if np.asarray(first).dtype.kind == "i" else 1e-7)


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Elimination, label correcting, breadth-first search on bits, and the transitive closure."""
    size = 1_000 if quick else 60_000
    city = apsp.generate("city", size, seed=1)
    third = np.asarray(city.weights, dtype=np.float32) / 3
    social = apsp.generate("rmat", 1 << (9 if quick else 15), seed=1)
    weights = np.random.default_rng(0).integers(1, 100, social.m)
    grid = apsp.generate("grid", 400 if quick else 22_500, seed=1)
    rng = np.random.default_rng(0)
    tails = rng.integers(0, size // 5, size)
    heads = np.minimum(tails + 1 + rng.integers(0, 400, size), size // 5 - 1)
    acyclic = apsp.from_edges(tails[tails < heads], heads[tails < heads], n=size // 5)
    works: dict[str, Callable[[], Any]] = {
        "elimination, rows of a city, integers": partial(rows, city, "elimination", 8),
        "elimination, rows of a city, float32": partial(rows, city.with_weights(third), "elimination", 8),
        "elimination, closeness of a city": partial(closeness, city, 8),
        "label-correcting, R-MAT, int32": partial(
            rows, social.with_weights(weights.astype(np.int32)), "label-correcting", 16
        ),
        "label-correcting, R-MAT, float32": partial(
            rows, social.with_weights(weights.astype(np.float32)), "label-correcting", 16
        ),
        "label-correcting, R-MAT, hops": partial(rows, social.unweighted(), "label-correcting", 16),
        "label-correcting, grid": partial(rows, grid, "label-correcting", 16),
        "bit-bfs, R-MAT, hops": partial(rows, social.unweighted(), "bit-bfs", 16),
        "closure of an acyclic graph": lambda: apsp.reachable(acyclic, device="cpu", threads=THREADS).count(),
    }
    names = SETS[SETS.index(_cpu.best_isa()) :] if _cpu.best_isa() in SETS else (_cpu.best_isa(),)
    for words, work in works.items():
        yield Comparison(words, {name: partial(with_set, name, work) for name in names}, equal)
