"""What doors share while a case is judged: the graph, the truth, counts of what was checked."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from typing import Any

import apsp
from torture.case import Case
from torture.naming import Naming, labels_of
from torture.promise import WrongError
from torture.truth import Truth

__all__ = ["Judging"]


class Judging:
    """A case while it is judged.

    Attributes
    ----------
    instead : Judging or None
        Of the graph that a call gave instead of the case's own, if it did.
    """

    def __init__(self, case: Case) -> None:
        self.case = case
        self.instead: Judging | None = None
        self.truth = Truth(case)
        self.counts: Counter[str] = Counter()
        self.naming = Naming(None if case.labels is None else labels_of(case.labels, case.n))

    @functools.cached_property
    def graph(self) -> apsp.Graph:
        return self.case.graph()

    def fresh_graph(self) -> apsp.Graph:
        """A graph that remembers nothing of earlier calls."""
        return self.case.graph()

    def positions(self, sources: Sequence[int] | None) -> list[int]:
        return list(range(self.case.n)) if sources is None else list(sources)

    def count(self, *names: str) -> None:
        self.counts.update(names)

    def cycles(self, call: dict[str, Any], dtype: str = "auto") -> str:
        """See `Truth.cycles`; an answer despite a negative cycle is wrong."""
        if call.get("semiring", "min_plus") != "min_plus":
            return "none"
        found = self.truth.cycles(call.get("sources"), dtype)
        if found == "negative":
            raise WrongError("there is an answer, and a source reaches a negative cycle")
        return found

    def judgeable(self, call: dict[str, Any], dtype: str = "auto") -> bool:
        """Whether exact distances are known."""
        return self.cycles(call, dtype) == "none"
