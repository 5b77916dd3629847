"""The part of a plan for work that the workers of an engine share."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SharedWork"]


@dataclass(frozen=True)
class SharedWork:
    """Tasks of the workers of an engine (`executor=`), as part of a `Plan`.

    Attributes
    ----------
    engine : str
    workers : int
        How many tasks run at a time.
    threads : int
        Of each worker, on the CPU.
    tasks, rows : int
        Number of tasks, and the most rows of one.
    seconds_once : float
        Estimated time of what is prepared once.
    prepared_once : bool
        The first worker prepares most of it for all; otherwise each worker does.
    seconds : float
        Estimated time of a task, on average.
    bytes_graph : int
        What each worker receives once, without what the first worker prepares.
    over_network : bool
        Workers may be on other machines; otherwise they read the graph from a file of this one.
    bytes_back : int
        About what all tasks together return.
    bytes_stored : int
        What the workers write into a store, before compression.
    gpus : int
        Of this machine, where workers claim one each; 0 if workers claim none.
    """

    engine: str
    workers: int
    threads: int
    tasks: int
    rows: int
    seconds_once: float
    prepared_once: bool
    seconds: float
    bytes_graph: int
    over_network: bool
    bytes_back: int
    bytes_stored: int
    gpus: int = 0

    @property
    def seconds_in_all(self) -> float:
        """Estimated time until the last task ends."""
        return self.seconds_once + -(-self.tasks // self.workers) * self.seconds
