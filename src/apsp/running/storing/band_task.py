"""The work on bands of a store in a worker of an engine."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from apsp.errors import ApspError, ExecutorError
from apsp.running.storing.bands import BandSource, Computer
from apsp.store.header import StoreHeader, identity_at
from apsp.store.storage import Storage
from apsp.system.progress import ProgressReport

__all__ = ["BandTask"]


@dataclass
class _Opened:
    """The last store that this process worked on, as it sees it: claims of buckets need the same object each time."""

    identity: str = ""
    storage: Storage | None = None
    bytes_per_row: float | None = None


_opened = _Opened()


class _CancelledError(Exception):
    """Ends the work on bands after the run that they are for."""


@dataclass(frozen=True)
class BandTask:
    """Computes and writes bands, those that no other run computes.

    Attributes
    ----------
    reopened : callable
        Returns the storage in a worker.
    name : str
        Of the store, as the caller knows it.
    identity : str
        Of the store that the caller sees: see `identity_at`.
    key : str
        A claim that the caller has as long as it waits for the work.
    header : StoreHeader
    work : callable
        Makes the work from what the job prepares, and the header.
    seconds_between_looks : float
        After which the worker looks whether the caller still waits.
    """

    reopened: Callable[[], Storage]
    name: str
    identity: str
    key: str
    header: StoreHeader
    work: Callable[[Any, StoreHeader], BandSource]
    seconds_between_looks: float = 0.5

    def __call__(self, prepared: Any, start: int, stop: int, progress: ProgressReport) -> tuple[int, float | None]:
        """Return the number of rows that were computed, and their bytes per row, if they are known."""
        storage, last = self._storage(), time.monotonic()

        def look(stage: str, done: int, total: int) -> None:
            nonlocal last
            progress(stage, done, total)
            if time.monotonic() - last >= self.seconds_between_looks:
                last = time.monotonic()
                if not storage.is_claimed(self.key):
                    raise _CancelledError

        if not storage.is_claimed(self.key):
            return 0, None
        computer = Computer(storage, self.header, self.work(prepared, self.header))
        computer.disk.bytes_per_row = _opened.bytes_per_row
        try:
            computed = computer.run(range(start, stop), look)
        except _CancelledError:
            return 0, None
        finally:
            computer.close()
        _opened.bytes_per_row = computer.disk.bytes_per_row
        return computed, computer.disk.bytes_per_row

    def _storage(self) -> Storage:
        """The storage, if it is the one that the caller sees.

        Raises
        ------
        ExecutorError
        """
        if _opened.storage is not None and _opened.identity == self.identity:
            return _opened.storage
        try:
            storage = self.reopened()
            found = identity_at(storage)
        except ApspError as error:
            raise ExecutorError(f"a worker on {platform.node()} cannot open the store: {error}") from error
        if found != self.identity:
            what = "does not see the store" if found is None else "sees another store at"
            raise ExecutorError(
                f"a worker on {platform.node()} {what} {self.name}: name a folder of a file system that all workers "
                "share, under the same path, or the URL of a bucket"
            )
        _opened.storage, _opened.identity, _opened.bytes_per_row = storage, self.identity, None
        return storage
