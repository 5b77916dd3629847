"""Limits of threadpoolctl (3.2 or newer) for the threads of this package: call `register` once per process."""

from __future__ import annotations

from apsp.errors import MissingDependencyError

try:
    from apsp.compat.threadpoolctl import register
except ModuleNotFoundError as error:
    if error.name != "threadpoolctl":
        raise
    raise MissingDependencyError("threadpoolctl", "apsp.threadpoolctl") from error

__all__ = ["register"]
