"""Create a store, or go on in one, until all its bands are there: of distances, and of sums."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from apsp.api.arguments import prepared, without_far_cycles
from apsp.api.storing.computing import Computer
from apsp.api.storing.work import Work
from apsp.api.streaming import PlannedRows
from apsp.facts.request import Request
from apsp.graph.model import Graph
from apsp.planning.plan import Plan
from apsp.planning.planner import plan_for
from apsp.planning.small import plan_small
from apsp.store.facts import Facts, Problem, facts_at
from apsp.store.group import created, problem_of
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
        Returns the rows of a band for a plan.
    work : callable
        Makes the work from the rows and the facts.
    computed : int
        Rows that `run` computed itself.
    """

    place: Place
    problem: Problem
    request: Request
    kind: str
    reciprocals: bool
    band_rows: Callable[[Plan], int]
    work: Callable[[PlannedRows, Facts], Work]
    computed: int = 0
    _prepared: PlannedRows | None = field(default=None, init=False)

    def run(self, progress: Progress) -> Facts:
        """Return what is written about the store when all its bands are there.

        Raises
        ------
        RequestError
            If there is a store of another graph or request.
        OutputError
            If it cannot be written.
        """
        facts = facts_at(self.place)
        if facts is None:
            self.place.check_writable()
            self._prepared = self._rows(self.request)  # errors of the graph come before there is a store
            facts = self._created(self._prepared.decided)
        wanted = vars(self.request) | {"kind": self.kind, "reciprocals": self.reciprocals}
        refuse_other(self.place.name, facts, problem_of(self.place, facts), self.problem, wanted)
        with reporting(progress) as report:
            self._complete(facts, report)
        return facts

    def _rows(self, request: Request) -> PlannedRows:
        """Plan and prepare all rows."""
        problem = self.problem
        wanted = np.arange(problem.graph.n, dtype=np.int32) if problem.sources is None else problem.sources

        def rows_in(part: Graph) -> PlannedRows:
            decided = plan_small(part, request) or plan_for(part, request)
            solver = prepared(part, decided, problem.targets, request)
            return PlannedRows(part, request, wanted, problem.targets, decided, solver)

        return without_far_cycles(problem.graph, problem.sources, rows_in)

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
                        facts = self._facts(decided)
                        for key, data in created(facts, self.problem):
                            self.place.write(key, [data])
                finally:
                    claim.release()
            if facts is not None:
                return facts

    def _facts(self, decided: Plan) -> Facts:
        from apsp import __version__

        problem, request, n = self.problem, self.request, self.problem.graph.n
        rows, columns = (n if chosen is None else len(chosen) for chosen in (problem.sources, problem.targets))
        return Facts(
            kind=self.kind, shape=(rows, columns), band_rows=self.band_rows(decided), dtype=decided.dtype.name,
            paths=request.paths, reciprocals=self.reciprocals, cutoff=request.cutoff, method=decided.method,
            device=decided.device, threads=decided.threads,
            pinned=request.paths or self.reciprocals or decided.dtype.kind == "f",
            directed=problem.graph.directed, semiring=request.semiring.name, apsp=__version__, plan=decided.to_dict(),
        )  # fmt: skip

    def _complete(self, facts: Facts, report: Any) -> None:
        """Compute bands until all are there, those of other runs too."""
        missing = self._missing(facts)
        if missing:
            self.place.check_writable()
        computer: Computer | None = None
        try:
            while missing:
                if computer is None:
                    computer = Computer(self.place, facts, self.work(self._rows_for(facts), facts))
                done = computer.run(missing, report)
                self.computed += done
                missing = self._missing(facts)
                if missing and not done:
                    time.sleep(_LOOK_AGAIN)  # until the runs that compute them have written them, or are gone
        finally:
            if computer is not None:
                computer.close()
        if self.computed:
            self.place.end_claims()

    def _rows_for(self, facts: Facts) -> PlannedRows:
        """The rows with what the store has fixed: bands and dtype, and all on which the bits of the bands depend."""
        rows = facts.band_rows if self.kind == "distances" else self.request.rows
        request = replace(self.request, rows=rows, dtype=facts.dtype)
        if facts.pinned:
            device = facts.device if request.device == "auto" else request.device
            request = replace(request, method=facts.method, threads=facts.threads, device=device)
        made, self._prepared = self._prepared, None
        if made is not None and _same(made.decided, facts):
            return replace(made, request=request)
        return self._rows(request)

    def _missing(self, facts: Facts) -> list[int]:
        """The bands that are not there."""
        last = facts.arrays[-1]
        there = set(self.place.keys(f"{last}/c"))
        return [band for band in range(facts.bands.count) if facts.key(last, band) not in there]


def _same(decided: Plan, facts: Facts) -> bool:
    """Whether a plan is that of the run that created the store."""
    mine = decided.method, decided.device, decided.threads, decided.dtype.name
    return mine == (facts.method, facts.device, facts.threads, facts.dtype)
