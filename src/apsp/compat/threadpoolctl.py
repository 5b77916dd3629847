"""threadpoolctl: its limits apply to the threads of this package."""

from __future__ import annotations

from pathlib import Path

import threadpoolctl

from apsp import __version__, _cpu
from apsp.errors import RequestError
from apsp.system.limits import allowed_cores
from apsp.system.machine import threads_from
from apsp.system.thread_limit import limit_threads, threads_by_default

__all__ = ["register"]


class _ThreadsController(threadpoolctl.LibController):  # type: ignore[misc]
    """The number of threads of calls without `threads=`. It applies to the Python thread or task that sets it."""

    user_api = "apsp"
    internal_api = "apsp"
    filename_prefixes = (Path(_cpu.__file__).name.lower(),)

    def get_num_threads(self) -> int:
        """Return the number of threads of a call without a request."""
        try:
            return threads_from(None)
        except RequestError:  # APSP_NUM_THREADS is not a number: calls of this package report it
            return threads_by_default(allowed_cores())

    def set_num_threads(self, num_threads: int) -> None:
        """Limit the number of threads, to at least 1; a number that is no limit removes the one that was set."""
        limit_threads(None)
        if num_threads < self.get_num_threads():
            limit_threads(max(num_threads, 1))

    def get_version(self) -> str:
        """Return the version of this package."""
        return __version__


_registered = False


def register() -> None:
    """Make the limits of threadpoolctl apply to this package, from now on in this process.

    `threadpoolctl.threadpool_limits(n)` then limits the number of threads of calls without `threads=`, in the Python
    thread or task that sets it; `user_api="apsp"` limits this package alone. A second call does nothing.

    Examples
    --------
    >>> import apsp.threadpoolctl
    >>> from threadpoolctl import threadpool_limits
    >>> apsp.threadpoolctl.register()
    >>> graph = apsp.generate("random", 2000, m=8000, seed=1)
    >>> with threadpool_limits(1):
    ...     apsp.plan(graph).threads
    1
    """
    global _registered
    if not _registered:
        _registered = True
        threadpoolctl.register(_ThreadsController)
