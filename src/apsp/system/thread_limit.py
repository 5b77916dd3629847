"""Limits of the number of threads that other software sets: threadpoolctl in a context, OpenMP's variable in a process.

joblib, Dask and batch systems set OMP_NUM_THREADS for the processes that they start, so that these do not use more
threads together than there are cores.
"""

from __future__ import annotations

import os
from contextvars import ContextVar

__all__ = ["limit_by_default", "limit_threads", "thread_limit", "threads_by_default"]

_limit: ContextVar[int | None] = ContextVar("apsp_thread_limit", default=None)


def limit_threads(most: int | None) -> None:
    """Set the maximum number of threads of calls in this context (of this thread or task), or remove it."""
    _limit.set(most)


def thread_limit() -> int | None:
    """Return what `limit_threads` has set."""
    return _limit.get()


def threads_by_default(cores: int) -> int:
    """Return the number of threads of a call without a request: the cores, within both limits."""
    limits = (_limit.get(), _omp_threads())
    return min([cores, *(limit for limit in limits if limit is not None)])


def limit_by_default(cores: int) -> tuple[str, int] | None:
    """Return what limits the threads of a call without a request, and their number; None if all cores are used."""
    threads = threads_by_default(cores)
    if threads == cores:
        return None
    return ("threadpoolctl" if _limit.get() == threads else "OMP_NUM_THREADS"), threads


def _omp_threads() -> int | None:
    """Return the number in OMP_NUM_THREADS ('4', or '4,2' for nested regions); None if there is none."""
    text = os.environ.get("OMP_NUM_THREADS")
    if not text:
        return None
    first = text.partition(",")[0].strip()
    return (int(first) or None) if first.isdecimal() and first.isascii() and len(first) < 10 else None
