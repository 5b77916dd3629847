"""What a method has to do, beside the graph, and how many cores do it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Work"]


@dataclass(frozen=True)
class Work:
    """A request, as far as seconds depend on it.

    Attributes
    ----------
    rows : int
        Sources asked for (a matrix method computes all n whatever this says).
    threads : int
        That really run at once: no more than the machine has processors.
    dtype : str
    paths : bool
    output_bytes : int
        Memory that is written for the first time.
    physical : int or None
        Cores that the threads share; fewer than threads where a core runs two at a time. None means one each.
    block : int or None
        Rows that are asked for at a time, where they come in blocks.
    sibling : float
        What the second thread of a core adds, as a share of a whole core.
    """

    rows: int
    threads: int
    dtype: str
    paths: bool
    output_bytes: int
    physical: int | None = None
    block: int | None = None
    sibling: float = 1.0

    @property
    def cores(self) -> float:
        """Whole cores that the threads are worth."""
        whole = self.threads if self.physical is None else min(self.threads, self.physical)
        return whole + self.sibling * (self.threads - whole)

    @property
    def slower(self) -> float:
        """Seconds of one of the threads over those that it would take with a core of its own."""
        return self.threads / self.cores

    @property
    def at_a_time(self) -> int:
        """Rows of a call of the method."""
        return max(min(self.rows, self.block or self.rows), 1)

    def partly(self, shared: float) -> float:
        """Of the time on one core, what is left where the threads share so much of the work."""
        return 1 - shared + shared / self.cores
