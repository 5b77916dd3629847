"""A client of a Dask cluster, with the interface of `concurrent.futures`."""

from __future__ import annotations

import time
from contextlib import nullcontext
from typing import Any

from apsp.errors import ExecutorError
from apsp.system.engine.engine import Engine

__all__ = ["dask_engine"]

_RETRIES = 3
"""Workers that may be lost under one task before it fails."""

_SECONDS_BETWEEN_LOOKS = 5.0


def dask_engine(client: Any) -> Engine:
    """The engine of a `dask.distributed.Client`: tasks take one thread of a worker each."""
    workers = _Workers(client)

    def send(thing: Any) -> Any:
        if not workers.threads():
            client.wait_for_workers(1)  # a queue may start them hours later; Dask itself waits for half a minute
        return client.scatter(thing, broadcast=True, hash=False)

    executor = client.get_executor(pure=False, retries=_RETRIES)
    return Engine("the Dask cluster", executor, workers, False, send, nullcontext())


class _Workers:
    """Counts the threads of the workers, and the workers that a queue has not started yet."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._count, self._looked = 0, 0.0

    def __call__(self) -> int | None:
        """Return how many tasks run at a time, as of some seconds ago; None if there are no workers."""
        if not self._count or time.monotonic() - self._looked >= _SECONDS_BETWEEN_LOOKS:
            planned = len(getattr(getattr(self._client, "cluster", None), "plan", ()))
            self._count, self._looked = max(self.threads(), planned), time.monotonic()
        return self._count or None

    def threads(self) -> int:
        """Return the threads of all workers.

        Raises
        ------
        ExecutorError
            If the cluster does not answer.
        """
        try:
            return sum(self._client.nthreads().values())
        except Exception as error:  # of a client or a scheduler that was closed, Dask raises many
            raise ExecutorError(f"the Dask cluster does not answer: {type(error).__name__}: {error}") from error
