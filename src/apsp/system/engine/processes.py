"""Processes on this machine, started for one call and ended with it."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

from apsp.system.engine.engine import Engine
from apsp.system.engine.local_rank import number_process
from apsp.system.limits import allowed_cores

__all__ = ["processes"]


def processes(threads: int | None, workers: int | None) -> Engine:
    """Processes, each a fresh interpreter: by default as many as have a core, or as many cores as each has threads."""
    workers = workers or max(allowed_cores() // (threads or 1), 1)
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, _begin, (context.Value("i", 0),))

    @contextmanager
    def ended() -> Iterator[None]:
        try:
            yield
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    return Engine("processes", pool, workers, True, None, ended())


def _begin(counter: Any) -> None:
    """Prepare a process. Ctrl-C reaches all processes of a terminal: that of the caller stops the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    number_process(counter)
