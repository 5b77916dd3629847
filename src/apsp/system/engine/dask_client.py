"""A client of a Dask cluster, with the interface of `concurrent.futures`."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from apsp.system.engine.engine import Engine

__all__ = ["dask_engine"]

_RETRIES = 3
"""Workers that may be lost under one task before it fails."""


def dask_engine(client: Any) -> Engine:
    """The engine of a `dask.distributed.Client`: tasks take one thread of a worker each."""
    threads = sum(worker["nthreads"] for worker in client.scheduler_info(n_workers=-1)["workers"].values())
    return Engine(
        "the Dask cluster", client.get_executor(pure=False, retries=_RETRIES), threads or None, False,
        lambda sent: client.scatter(sent, broadcast=True, hash=False), nullcontext(),
    )  # fmt: skip
