"""Create a store, or go on in one, until all its bands are there: of distances, and of sums."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from apsp.api.storing.runner import BandsOf, Runner
from apsp.facts.request import Request
from apsp.planning.plan import Plan
from apsp.store.facts import Facts, Problem, facts_at, missing_bands
from apsp.store.group import create, problem_of
from apsp.store.places import Place
from apsp.store.same import refuse_other
from apsp.system.progress import Progress, reporting

__all__ = ["Completion"]

_LOOK_AGAIN = 0.2
"""Seconds between two looks at what another run is writing."""


@dataclass
class Completion:
    """One call that completes a store.

    Attributes
    ----------
    place : Place
    problem : Problem
    request : Request
    kind : 'distances' or 'sums'
    reciprocals : bool
        Of sums.
    band_rows : callable
        Returns the rows of a band for a plan and a number of workers.
    runner : Runner
    computed : int
        Rows that `run` computed.
    """

    place: Place
    problem: Problem
    request: Request
    kind: str
    reciprocals: bool
    band_rows: Callable[[Plan, int], int]
    runner: Runner
    computed: int = 0

    def run(self, progress: Progress) -> Facts:
        """Return what is written about the store when all its bands are there.

        Raises
        ------
        RequestError
            If there is a store of another graph or request.
        OutputError
            If it cannot be written.
        """
        with closing(self.runner):
            facts = facts_at(self.place)
            if facts is None:
                self.place.check_writable()
                facts = self._created(self.runner.plan())
            wanted = vars(self.request) | {"kind": self.kind, "reciprocals": self.reciprocals}
            refuse_other(self.place.name, facts, problem_of(self.place, facts), self.problem, wanted)
            with reporting(progress) as report:
                self._complete(facts, report)
        if self.computed:
            self.place.end_claims()
        return facts

    def _created(self, decided: Plan) -> Facts:
        """Create the store, unless another run does so at the same time; return what is written about it."""
        while True:
            claim = self.place.claim("create")
            if claim is None:
                time.sleep(_LOOK_AGAIN)
                facts = facts_at(self.place)
            else:
                try:
                    facts = facts_at(self.place)
                    if facts is None:
                        facts = create(self.place, self._facts(decided), self.problem)
                finally:
                    claim.release()
            if facts is not None:
                return facts

    def _facts(self, decided: Plan) -> Facts:
        from apsp import __version__

        problem, request, n = self.problem, self.request, self.problem.graph.n
        rows, columns = (n if chosen is None else len(chosen) for chosen in (problem.sources, problem.targets))
        height = self.band_rows(decided, self.runner.workers)
        return Facts(
            kind=self.kind, shape=(rows, columns), band_rows=height, dtype=decided.dtype.name,
            paths=request.paths, reciprocals=self.reciprocals, cutoff=request.cutoff, method=decided.method,
            device=decided.device, threads=decided.threads,
            pinned=request.paths or self.reciprocals or decided.dtype.kind == "f",
            directed=problem.graph.directed, semiring=request.semiring.name, apsp=__version__, plan=decided.to_dict(),
        )  # fmt: skip

    def _complete(self, facts: Facts, report: Any) -> None:
        """Compute bands until all are there, those of other runs too."""
        missing = missing_bands(self.place, facts)
        if missing:
            self.place.check_writable()
        bands: BandsOf | None = None
        try:
            while missing:
                bands = bands or self.runner.bands_of(facts)
                done = bands.run(missing, report)
                self.computed += done
                missing = missing_bands(self.place, facts)
                if missing and not done:
                    time.sleep(_LOOK_AGAIN)  # until the runs that compute them have written them, or are gone
        finally:
            if bands is not None:
                bands.close()
