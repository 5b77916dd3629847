"""Closeness by two workers of an engine beside one, each with one thread.

The workers have started, and have imported apsp, before a call is timed: an engine usually lives longer than one call.
The seconds of this start are reported beside. The same workers, each with half of the sources as one task of the
engine, without `executor=`, show what the engine, the caches and the memory of the machine allow at best.
`python -m benchmarks.executors FOLDER` is the program of MPI.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack
from functools import cache, partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from benchmarks.harness import Comparison
from benchmarks.spmd import Ranks, mpiexec, requests

__all__ = ["comparisons"]

SIZES = (30_000, 60_000)

Call = Callable[[int], str]
"""The digest of the values of a graph with so many vertices."""

Started = tuple[Call, Call, float]
"""The call with `executor=`, parts of the sources without it, and the seconds until the workers had started."""


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Random graphs, whose rows take the same time each: the labels of a batch of sources take 3.7 or 7.3 MiB."""
    for n in (3_000,) if quick else SIZES:
        expected = closeness(n)
        for name, begin in engines().items():
            with ExitStack() as stack:
                (one, _, _), (two, parts, start) = (begin(workers, stack) for workers in (1, 2))
                calls = {"two workers": two, "without executor=": parts, "one worker": one}
                yield Comparison(
                    f"closeness, random, n = {n:,}, {name}",
                    {who: partial(call, n) for who, call in calls.items()}, partial(agree, expected),
                    {"without executor=": 0.97, "one worker": 1.9}, partial(facts, start), budget=180,
                )  # fmt: skip


def agree(expected: str, results: Mapping[str, Any]) -> None:
    """All found the bits that this process finds."""
    assert set(results.values()) == {expected}


def facts(start: float, _ours: float) -> dict[str, Any]:
    """What a first call takes besides."""
    return {"seconds to start two workers": round(start, 2)}


@cache
def graph_of(n: int) -> apsp.Graph:
    """Four arcs per vertex."""
    return apsp.generate("random", n, m=4 * n, seed=1)


def closeness(n: int, executor: Any = None) -> str:
    """A digest of the values; without an executor, those of all threads of this process."""
    threads = None if executor is None else 1
    return digest(apsp.closeness_centrality(graph_of(n), executor=executor, threads=threads))


def digest(values: Any) -> str:
    """Of all bits."""
    return hashlib.sha256(values.tobytes()).hexdigest()


# -- engines ----------------------------------------------------------------------------------------------------------


def engines() -> dict[str, Callable[[int, ExitStack], Started]]:
    """The engines that are installed: each starts a number of workers that end with the stack."""
    found: dict[str, Callable[[int, ExitStack], Started]] = {"ProcessPoolExecutor": partial(started, processes)}
    if importlib.util.find_spec("loky"):
        found["loky"] = partial(started, loky)
    if importlib.util.find_spec("distributed"):
        found["Dask LocalCluster"] = partial(started, dask)
    if importlib.util.find_spec("mpi4py"):
        found["MPIPoolExecutor"] = ranks
    return found


def started(begin: Callable[[int, ExitStack], Any], workers: int, stack: ExitStack) -> Started:
    """Start an engine, and wait until all its workers have imported apsp."""
    clock = time.perf_counter()
    engine = begin(workers, stack)
    pool = engine.get_executor(pure=False) if hasattr(engine, "get_executor") else engine
    warm(pool, workers)
    return partial(closeness, executor=engine), partial(parts, pool, workers), time.perf_counter() - clock


def warm(executor: Executor, workers: int) -> None:
    """Return once this number of workers has imported apsp."""
    ready: set[int] = set()
    while len(ready) < workers:
        ready |= {future.result() for future in [executor.submit(imported) for _ in range(workers)]}


def imported() -> int:
    """Import what tasks need, and let other workers take the next task; the number of this worker."""
    importlib.import_module("apsp.running.workers.worker")
    time.sleep(0.05)
    return os.getpid()


def parts(executor: Executor, workers: int, n: int) -> str:
    """The closeness of all vertices, an equal part of them per worker, which makes the graph itself."""
    cuts = [n * k // workers for k in range(workers + 1)]
    found = [executor.submit(part, n, *ends) for ends in pairwise(cuts)]
    return digest(np.concatenate([future.result() for future in found]))


def part(n: int, start: int, stop: int) -> Any:
    """The closeness of some vertices."""
    return apsp.closeness_centrality(graph_of(n), vertices=range(start, stop), threads=1)


def processes(workers: int, stack: ExitStack) -> Any:
    """Of the standard library, each a fresh interpreter."""
    return stack.enter_context(ProcessPoolExecutor(workers, mp_context=get_context("spawn")))


def loky(workers: int, stack: ExitStack) -> Any:
    """Processes of joblib."""
    from loky.process_executor import ProcessPoolExecutor as Pool

    return stack.enter_context(Pool(workers))


def dask(workers: int, stack: ExitStack) -> Any:
    """Processes of a cluster on this machine."""
    from distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0")
    return stack.enter_context(Client(stack.enter_context(cluster)))


def ranks(workers: int, stack: ExitStack) -> Started:
    """Ranks of MPI, and one more that calls."""
    clock = time.perf_counter()
    program = ("-m", "mpi4py.futures", "-m", "benchmarks.executors")
    started_ranks = stack.enter_context(Ranks(mpiexec(workers + 1), program))
    started_ranks.run("start", workers)

    def answer(kind: str, n: int) -> str:
        return str(started_ranks.run(kind, n)["digest"])

    return partial(answer, "closeness"), partial(answer, "parts"), time.perf_counter() - clock


def main() -> None:
    """Answer requests until there are no more, in the rank that calls."""
    from mpi4py.futures import MPIPoolExecutor

    with MPIPoolExecutor() as executor:
        workers = 0
        for request in requests(Path(sys.argv[1])):
            kind, number = request.split()
            if kind == "start":
                workers = int(number)
                warm(executor, workers)
                print("{}", flush=True)
                continue
            n = int(number)
            found = closeness(n, executor) if kind == "closeness" else parts(executor, workers, n)
            print(json.dumps({"digest": found}), flush=True)


if __name__ == "__main__":
    main()
