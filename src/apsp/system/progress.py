"""Progress of long work: a callable that is told what is done, or a bar on the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from apsp.errors import RequestError, shown

__all__ = ["Progress", "ProgressReport", "offset", "reporting"]

ProgressReport = Callable[[str, int, int], None]
"""Called as report(stage, done, total), about ten times a second: 'rows', 1200, 4096. An exception stops the work."""

Progress = bool | ProgressReport
"""What the public functions accept: False, True (a bar on standard error) or a ProgressReport."""


@contextmanager
def reporting(progress: Progress) -> Iterator[ProgressReport | None]:
    """Turn what a user passed as `progress` into a ProgressReport (or None) for the duration of the work."""
    if progress is None:
        yield None
        return
    if not isinstance(progress, (bool, np.bool_)):
        if not callable(progress):
            raise RequestError(f"progress must be True, False or a callable, not {shown(progress)}")
        yield progress
        return
    if not progress:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns: list[Any] = [
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    ]
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        stages: dict[str, Any] = {}

        def report(stage: str, done: int, total: int) -> None:
            if stage not in stages:
                stages[stage] = bar.add_task(stage, total=total)
            bar.update(stages[stage], completed=done, total=total)

        yield report


def offset(report: ProgressReport | None, stage: str, start: int, total: int) -> Callable[[int], None] | None:
    """Adapt a ProgressReport to a kernel, which only knows how much of its own call is done: done -> start + done."""
    if report is None:
        return None

    def kernel_progress(done: int) -> None:
        report(stage, min(start + done, total), total)

    return kernel_progress
