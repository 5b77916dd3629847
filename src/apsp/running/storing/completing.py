"""Create a store, or go on in one, until all its bands are there: of distances, and of sums."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from apsp.errors import RequestError
from apsp.running.storing.runner import BandsOf, Runner
from apsp.store.group import create, problem_of
from apsp.store.header import StoreHeader, StoreInput, header_at
from apsp.store.same import refuse_other
from apsp.store.shards import Shards
from apsp.store.storage import Storage
from apsp.system.progress import Progress, reporting

__all__ = ["Completion"]

PlanT = TypeVar("PlanT")

_LOOK_AGAIN = 0.2
"""Seconds between two looks at what another run is writing."""


@dataclass
class Completion(Generic[PlanT]):
    """One call that completes a store.

    Attributes
    ----------
    storage : Storage
    problem : StoreInput
    header_of : callable
        Returns what is to be written about a new store, from its plan and the number of bands that are computed at a
        time.
    requested : dict
        What is requested, for `refuse_other`.
    runner : Runner
    computed : int
        Rows that `run` computed.
    """

    storage: Storage
    problem: StoreInput
    header_of: Callable[[PlanT, int], StoreHeader]
    requested: dict[str, Any]
    runner: Runner[PlanT]
    computed: int = 0

    def run(self, progress: Progress) -> StoreHeader:
        """Return what is written about the store when all its bands are there.

        Raises
        ------
        RequestError
            If there is a store of another graph or request.
        OutputError
            If it cannot be written.
        """
        try:
            with closing(self.runner):
                header = header_at(self.storage)
                if header is None:
                    self.storage.check_writable()
                    header = self._created(self.header_of(self.runner.plan(), self.runner.workers))
                begun = problem_of(self.storage, header, self.problem)
                refuse_other(self.storage.name, header, begun, self.problem, self.requested)
                with reporting(progress) as report:
                    self._complete(header, report)
        finally:
            self.storage.release_claims()
        self.storage.end_claims()  # also those of a run that was killed after its last band
        return header

    def _created(self, new: StoreHeader) -> StoreHeader:
        """Create the store, unless another run does so at the same time; return what is written about it."""
        while True:
            claim = self.storage.claim("create")
            if claim is None:
                time.sleep(_LOOK_AGAIN)
                header = header_at(self.storage)
            else:
                try:
                    header = header_at(self.storage)
                    if header is None:
                        header = create(self.storage, new, self.problem)
                finally:
                    claim.release()
            if header is not None:
                return header

    def _complete(self, header: StoreHeader, report: Any) -> None:
        """Compute bands until all are there, those of other runs too."""
        shards = Shards(self.storage, header)
        missing = shards.missing()
        if missing:
            self._check_writable(shards, missing)
        bands: BandsOf | None = None
        try:
            while missing:
                bands = bands or self.runner.bands_of(header)
                done = bands.run(missing, report)
                self.computed += done
                missing = shards.missing()
                if missing and not done:
                    time.sleep(_LOOK_AGAIN)  # until the runs that compute them have written them, or are gone
        finally:
            if bands is not None:
                bands.close()

    def _check_writable(self, shards: Shards, missing: list[int]) -> None:
        """Raise OutputError if nothing can be written, FileFormatError of a `.zip` file with a damaged shard."""
        try:
            self.storage.check_writable()
        except RequestError:
            for band in missing:
                shards.check(band)
            raise
