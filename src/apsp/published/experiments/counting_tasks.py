"""Counts on emulated GPUs in workers of an engine, several at a time: they do not depend on what runs beside them.

Input: the contestants of a series that are to be counted, and their graphs by size. Output: their cells. Errors:
ExecutorError if the engine fails; what fails for the graph itself is left to `Measuring`, which records it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import BrokenExecutor, as_completed
from dataclasses import dataclass, replace

from apsp.errors import ApspError, ExecutorError
from apsp.published.experiments.cells import Cell, Cells
from apsp.published.experiments.count import Counting, input_key
from apsp.published.experiments.effort import Effort
from apsp.published.experiments.expected import ExpectedRows
from apsp.published.experiments.inputs import make
from apsp.published.experiments.model import Case, Contestant, Input, Series
from apsp.system.engine.engine import Engine

__all__ = ["CountingTasks", "Task"]


@dataclass(frozen=True)
class Task:
    """One contestant on one case.

    Attributes
    ----------
    series : Series
    case : Case
    one : Contestant
    size : Input
        The graph to count.
    """

    series: Series
    case: Case
    one: Contestant
    size: Input


class CountingTasks:
    """Counts in workers, and stores the cells.

    Parameters
    ----------
    cells : Cells
    effort : Effort
    engine : Engine
    """

    def __init__(self, cells: Cells, effort: Effort, engine: Engine) -> None:
        self._cells, self._engine = cells, engine
        self._effort = replace(effort, threads=effort.threads or 1)

    def run(self, tasks: Iterable[Task], tell: Callable[[int], None]) -> None:
        """Count; `tell` is called with the number of tasks that are done."""
        known = frozenset(cell.input_key for cell in self._cells.every() if cell.counts is not None)
        submit = self._engine.executor.submit
        running = {submit(counted_cell, self._effort, task, known): task for task in tasks}
        for done, future in enumerate(as_completed(running), start=1):
            try:
                cell = future.result()
            except (ApspError, MemoryError, OSError):
                continue
            except BrokenExecutor as error:
                one = running[future].one.label
                raise ExecutorError(f"a worker of {self._engine.name} that counted {one} failed: {error}") from error
            if cell is not None:
                self._cells.put(cell)
            tell(done)


def counted_cell(effort: Effort, task: Task, known: frozenset[str | None]) -> Cell | None:
    """Count in a worker; None if the same graph and method were counted for another table."""
    graph = make(task.size, effort.caida)
    if input_key(task.series, task.case, task.one, graph) in known:
        return None
    expected = ExpectedRows.of(graph, effort.threads)
    return Counting(None, effort).contestant(task.series, task.case, task.one, graph, expected)
