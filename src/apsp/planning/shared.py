"""What a plan says about work that the workers of an engine share."""

from __future__ import annotations

from dataclasses import dataclass

from apsp.errors import format_bytes
from apsp.system.durations import duration

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

    def words(self, device: str) -> tuple[str, ...]:
        """Return sentences."""
        each = f", {self.threads} thread{'s' if self.threads != 1 else ''} each" if device == "cpu" else ""
        who = "the first worker, for all" if self.prepared_once else "each worker"
        once = f", after {duration(self.seconds_once)} to prepare in {who}" if self.seconds_once else ""
        all_graphs = format_bytes(self.bytes_graph * self.workers)
        how = f"up to {all_graphs} over the network" if self.over_network else "from a file"
        stored = (
            f"The workers write {format_bytes(self.bytes_stored)} into the store, less what compression saves: at 1 GB "
            f"per second {duration(self.bytes_stored / 1e9)}, while they compute."
        )
        return (
            f"Executor: {self.engine}, {self.workers:,} worker{'s' if self.workers != 1 else ''}{each}.",
            *([self._on_gpus()] if self.gpus else []),
            f"Tasks: {self.tasks:,} of at most {self.rows:,} rows, about {duration(self.seconds)} each{once}.",
            f"Each worker receives the graph once: {format_bytes(self.bytes_graph)} ({how}).",
            f"The tasks return about {format_bytes(self.bytes_back)} to this process.",
            *([stored] if self.bytes_stored else []),
            f"Expected time: about {duration(self.seconds_in_all)} of computation with all workers.",
        )  # fmt: skip

    def _on_gpus(self) -> str:
        """Workers x GPUs."""
        on = f"{self.gpus} GPU{'s' if self.gpus > 1 else ''}"
        if self.over_network:
            return f"Each worker claims a GPU of its host; this machine has {on}."
        if self.workers > self.gpus:
            return f"The workers share the GPUs: {self.workers:,} workers on {on}."
        return f"Each worker claims a GPU: {self.workers:,} worker{'s' if self.workers > 1 else ''} on {on}."
