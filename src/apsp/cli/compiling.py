"""Kernels of GPUs compiled before they are needed: small calls of every kind, in several threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from apsp.api.reaching import reachable
from apsp.api.solving import solve
from apsp.errors import DtypeRangeError, MethodRefusedError
from apsp.gpu.emulated.run import carried
from apsp.graph.convert import from_edges
from apsp.graph.model import Graph
from apsp.measures.accessibility import accessibility
from apsp.measures.betweenness import betweenness_centrality
from apsp.measures.closeness import closeness_centrality
from apsp.measures.eccentricities import diameter
from apsp.measures.neighbours import k_nearest
from apsp.methods import registry
from apsp.system.limits import allowed_cores
from apsp.system.progress import ProgressReport
from apsp.system.threads import Threads

__all__ = ["compile_kernels"]

_DTYPES = ("uint16", "int32", "int64", "float32", "float64")

_STAGE = "compile"


def compile_kernels(
    report: ProgressReport | None = None, device: str = "cuda", sizes: Sequence[int] = (60, 3000)
) -> int:
    """Compute with every tuned method and dtype on a GPU, so that the kernels for that GPU are in the cache.

    Raises DeviceError without a GPU.

    Parameters
    ----------
    report : callable, optional
        Called as report('compile', done, total).
    sizes : sequence of int
        Vertices of the graphs: dense matrices of several sizes have kernels of their own.

    Returns
    -------
    int
        The number of calls.
    """
    calls = list(_calls(device, sizes))
    with Threads(allowed_cores(), "apsp-compile") as threads:
        works = [threads.submit(carried(_tried), call) for call in calls]
        for done, work in enumerate(works, 1):
            work.result()
            if report is not None:
                report(_STAGE, done, len(calls))
    return len(calls)


def _tried(call: Callable[[], Any]) -> None:
    try:
        call()
    except (MethodRefusedError, DtypeRangeError):
        return  # not every method has every dtype


def _calls(device: str, sizes: Sequence[int]) -> Iterator[Callable[[], Any]]:
    """The calls; those that take longest to compile first."""
    methods = [method for method in registry.automatic() if "cuda" in method.devices]
    for n, dtype, method in product(sizes, _DTYPES, methods):
        graph = _ring(n, dtype, weighted=method.weighted)
        options: dict[str, Any] = {"method": method.name, "dtype": dtype, "device": device}
        yield partial(solve, graph, **options)
        yield partial(solve, graph, paths=True, **options)
        if n == sizes[0]:
            yield partial(solve, graph, sources=range(9), **options)
            yield partial(closeness_centrality, graph, **options)
            yield partial(k_nearest, graph, 5, **options)
            yield partial(accessibility, graph, weights=np.ones(n), cutoffs=[2], **options)
    for weighted in (True, False):
        graph = _ring(sizes[0], "int32", weighted=weighted)
        yield partial(betweenness_centrality, graph, device=device)
        yield partial(diameter, graph, device=device)
    yield partial(reachable, graph, device=device)


def _ring(n: int, dtype: str, *, weighted: bool) -> Graph:
    """A ring, whose separators are small, with weights of the kind of a dtype."""
    tails = np.arange(n)
    kind = np.float32 if dtype.startswith("float") else np.int32
    weights = (1 + tails % 7).astype(kind) if weighted else None
    return from_edges(tails, (tails + 1) % n, weights, directed=False)
