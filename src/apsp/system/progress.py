"""Progress of long work: a callable that receives it, or a bar on the terminal or in the notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from apsp.errors import RequestError, shown

__all__ = ["Progress", "ProgressReport", "offset", "reporting"]

ProgressReport = Callable[[str, int, int], None]
"""Called as report(stage, done, total), about ten times per second: 'rows', 1200, 4096. An exception stops the work."""

Progress = bool | ProgressReport
"""What the public functions accept: False, True or a ProgressReport.

True draws a bar on the terminal or in the notebook; if standard error is a file or a pipe, it writes a line there from
time to time.
"""


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
    from apsp.system.progress_shown import shown_progress

    with shown_progress() as report:
        yield report


def offset(report: ProgressReport | None, stage: str, start: int, total: int) -> Callable[[int], None] | None:
    """Adapt a ProgressReport to a kernel, which reports only the progress of its own call: done -> start + done.

    If less is done than before, the work has started again, with another kernel: what was done stays done, and the
    total grows by it.
    """
    if report is None:
        return None
    before = last = 0

    def kernel_progress(done: int) -> None:
        nonlocal before, last
        if done < last:
            before += last
        last = done
        whole = total + before
        report(stage, min(start + before + done, whole), whole)

    return kernel_progress
