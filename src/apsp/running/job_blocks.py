"""What is computed per source, one block of sources after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from apsp.running.measure_job import MeasureJob
from apsp.running.run import compute_part
from apsp.system.lack_of_memory import memory_errors
from apsp.system.progress import offset, reporting

__all__ = ["JobBlocks"]

Job = TypeVar("Job", bound=MeasureJob[Any, Any])
Block = TypeVar("Block")


class JobBlocks(Generic[Job, Block]):
    """Blocks in the order of the sources, each computed when it is requested. A copy continues where this one is."""

    def __init__(self, job: Job, done: int = 0) -> None:
        self._job, self._done = job, done
        self._blocks = self._computed()

    def __iter__(self) -> Iterator[Block]:
        return self

    @memory_errors
    def __next__(self) -> Block:
        return next(self._blocks)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._job, self._done)

    def _computed(self) -> Iterator[Block]:
        job = self._job.without(self._done)
        for start, part in _parts(job):
            block = job.block(start, part)
            self._done += len(block)
            yield block

    def _shown(self, seen: Callable[[Block], object] | None) -> Iterator[Block]:
        """The blocks that are left, each of which `seen` is called with."""
        for block in self._blocks:
            if seen is not None:
                seen(block)
            yield block


def _parts(job: MeasureJob[Any, Any]) -> Iterator[tuple[int, Any]]:
    """The parts of a job in the order of the sources, each with the number of its first source."""
    if job.options.executor is not None:
        from apsp.running.workers.distribution import Distribution  # with the first executor

        yield from ((start, part) for start, _, part in Distribution(job).outcomes(compute_part))
        return
    count, rows = len(job.sources), job.block_rows
    with reporting(job.options.progress) as report:
        for start in range(0, count, rows):
            yield start, job.part(start, min(start + rows, count), offset(report, job.stage, start, count))
