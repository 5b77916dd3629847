"""The work of a method, besides the graph, and the cores that do it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Work"]


@dataclass(frozen=True)
class Work:
    """The parts of a request on which seconds depend.

    Attributes
    ----------
    rows : int
        Requested sources (a matrix method always computes all n).
    threads : int
        Threads that run at once: at most the processors of the machine.
    dtype : str
    paths : bool
    output_bytes : int
        Memory that is written for the first time.
    physical : int or None
        Cores that the threads share; fewer than threads if a core runs two at a time. None means one each.
    block : int or None
        Rows per call, if they are computed in blocks.
    sibling : float
        What the second thread of a core adds, as a share of a whole core.
    share : float
        The part of every row that is needed; methods that can stop there take less time.
    """

    rows: int
    threads: int
    dtype: str
    paths: bool
    output_bytes: int
    physical: int | None = None
    block: int | None = None
    sibling: float = 1.0
    share: float = 1.0

    def on(self, threads: int, sibling: float) -> Work:
        """Return the same work on another number of threads. (`dataclasses.replace` takes five times as long.)"""
        if threads == self.threads and sibling == self.sibling:
            return self
        return Work(
            self.rows,
            threads,
            self.dtype,
            self.paths,
            self.output_bytes,
            self.physical,
            self.block,
            sibling,
            self.share,
        )

    @property
    def cores(self) -> float:
        """The number of cores that the threads are equivalent to."""
        whole = self.threads if self.physical is None else min(self.threads, self.physical)
        return whole + self.sibling * (self.threads - whole)

    @property
    def slower(self) -> float:
        """Seconds of one of the threads, relative to a thread that does not share its core."""
        return self.threads / self.cores

    @property
    def at_a_time(self) -> int:
        """Rows of a call of the method."""
        return max(min(self.rows, self.block or self.rows), 1)

    def partly(self, shared: float) -> float:
        """Return the time relative to one core if the threads divide this share of the work."""
        return 1 - shared + shared / self.cores
