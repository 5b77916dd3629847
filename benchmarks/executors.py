"""Closeness by two workers of an engine beside one, each with one thread; and by one thread of this process."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from typing import Any

import numpy as np

import apsp
from benchmarks.harness import Comparison

__all__ = ["comparisons"]


def comparisons(quick: bool) -> Iterator[Comparison]:
    """A random graph, whose rows take the same time each."""
    n = 3_000 if quick else 60_000
    graph = apsp.generate("random", n, m=4 * n, seed=1)
    for name, begin in engines().items():
        with ExitStack() as stack:
            one, two = (begin(workers, stack) for workers in (1, 2))
            calls: dict[str, Callable[[], Any]] = {
                "two workers": lambda two=two: apsp.closeness_centrality(graph, executor=two, threads=1),  # type: ignore[misc]
                "one worker": lambda one=one: apsp.closeness_centrality(graph, executor=one, threads=1),  # type: ignore[misc]
                "this process": lambda: apsp.closeness_centrality(graph, threads=1),
            }
            yield Comparison(f"closeness, random, n = {n}, {name}", calls, agree, {"one worker": 1.9})


def agree(results: Mapping[str, Any]) -> None:
    """All found the same numbers."""
    first, *others = results.values()
    assert all(np.array_equal(first, other) for other in others)


def engines() -> dict[str, Callable[[int, ExitStack], Any]]:
    """The engines that are installed: each starts a number of workers that end with the stack."""
    found: dict[str, Callable[[int, ExitStack], Any]] = {
        "ProcessPoolExecutor": lambda workers, stack: stack.enter_context(
            ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
        )
    }
    if importlib.util.find_spec("loky"):
        found["loky"] = _loky
    if importlib.util.find_spec("distributed"):
        found["Dask LocalCluster"] = _dask
    return found


def _loky(workers: int, stack: ExitStack) -> Any:
    from loky.process_executor import ProcessPoolExecutor as Pool

    return stack.enter_context(Pool(workers))


def _dask(workers: int, stack: ExitStack) -> Any:
    from distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
    return stack.enter_context(Client(stack.enter_context(cluster)))
