"""The engine of what a caller passes as `executor`.

Input: 'processes', an object with the interface of `concurrent.futures.Executor`, or a `dask.distributed.Client`.
Output: an `Engine`. Errors: RequestError for any other object.
"""

from __future__ import annotations

from concurrent.futures import Executor
from contextlib import nullcontext
from functools import partial
from typing import cast

from apsp.errors import RequestError, shown
from apsp.system.engine.engine import Engine

__all__ = ["check_executor", "engine_of"]


def engine_of(executor: object, threads: int | None, workers: int | None = None) -> Engine:
    """Return the engine of what a caller passed as `executor`.

    Parameters
    ----------
    executor : object
    threads, workers : int or None
        Threads per worker, and workers, for an engine that is started here.
    """
    if isinstance(executor, str) and executor == "processes":
        from apsp.system.engine.processes import processes

        return processes(threads, workers)
    check_executor(executor)
    if _is_dask(executor):
        from apsp.system.engine.dask_client import dask_engine

        return dask_engine(executor)
    pool = cast("Executor", executor)
    return Engine(type(pool).__name__, pool, partial(_workers, pool), _is_local(pool), None, nullcontext())


def check_executor(executor: object) -> None:
    """Raise RequestError unless this can be passed as `executor`."""
    if isinstance(executor, str):
        if executor == "processes":
            return
    elif callable(getattr(executor, "submit", None)) and not isinstance(executor, type):
        return
    raise RequestError(
        "executor must be 'processes', an executor with the interface of concurrent.futures, or a "
        f"dask.distributed.Client, not {shown(executor)}"
    )


def _is_dask(executor: object) -> bool:
    return type(executor).__module__.partition(".")[0] in ("dask", "distributed") and hasattr(executor, "get_executor")


def _workers(pool: Executor) -> int | None:
    """The number of workers, by the attributes of the usual pools: those of Python, loky and mpi4py."""
    for name in ("num_workers", "_max_workers"):
        number = getattr(pool, name, None)
        if isinstance(number, int) and number > 0:
            return number
    return None


def _is_local(pool: Executor) -> bool:
    return type(pool).__module__.partition(".")[0] in ("concurrent", "loky", "joblib")
