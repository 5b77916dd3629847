"""The effort of a measurement, the end of runs that take too long, and the empty cell."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from apsp.published.experiments.cells import Cell
from apsp.published.experiments.model import Case, Contestant, Series

__all__ = ["Effort", "StoppedError", "empty_cell", "watch"]


@dataclass(frozen=True)
class Effort:
    """The effort of a measurement.

    Attributes
    ----------
    scale : float
        Factor on the vertices and arcs of every graph.
    methods : tuple of str or None
        Only these methods or labels; None for all.
    rounds : int
        Timed runs of each contestant; fewer if they would take longer than `limit`, at least one.
    limit : float
        Seconds that one contestant may take on one graph.
    long : float
        Seconds from which on the first run counts as a round: the time of compilation (about 0.2 s) is negligible.
    threads : int or None
    caida : Path or None
        File of AS relationships.
    emulated : bool
        Count contestants that need GPUs on emulated ones, at sizes that fit the limit.
    """

    scale: float = 1.0
    methods: tuple[str, ...] | None = None
    rounds: int = 5
    limit: float = 600.0
    long: float = 5.0
    threads: int | None = None
    caida: Path | None = None
    emulated: bool = False

    def wants(self, contestant: Contestant) -> bool:
        """Whether a contestant was chosen; the tuned ones always are."""
        return (
            contestant.is_tuned or self.methods is None or bool({contestant.method, contestant.label} & {*self.methods})
        )


_TELLING = 0.01
"""Share of a run that must be done before its total time is estimated."""


class StoppedError(Exception):
    """A contestant reached the limit; `estimate` is its estimated total time, None if too little was done."""

    def __init__(self, estimate: float | None) -> None:
        super().__init__()
        self.estimate = estimate


def watch(limit: float, total: int, clock: Callable[[], float] = time.perf_counter) -> Callable[[int], None]:
    """Progress of a run that begins now, with `total` rows or pivots: raises StoppedError after `limit` seconds."""
    started = clock()

    def look(done: int) -> None:
        seconds = clock() - started
        if seconds > limit:
            raise StoppedError(seconds * total / done if done >= _TELLING * total else None)

    return look


def empty_cell(
    effort: Effort, series: Series, case: Case, one: Contestant, n: int, m: int, reason: str | None = None
) -> Cell:
    """The cell of a contestant and a case before the run."""
    printed = series.printed.get((case.name, one.label))
    name = None if one.method == "auto" else one.method
    paper_n = case.input.n if effort.emulated and n != case.input.n else None
    return Cell(
        series.name, case.name, one.label, n, m, reason=reason, is_tuned=one.is_tuned, printed=printed, method=name,
        paper_n=paper_n,
    )  # fmt: skip
