"""What `progress=True` shows: a bar on a terminal, one in a notebook, or a line from time to time."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from html import escape
from typing import Any, Self, TextIO

from apsp.system.durations import duration

__all__ = ["LoggedLines", "NotebookBars", "shown_progress"]

Report = Callable[[str, int, int], None]

_FIRST_LINE = 10.0
"""Seconds before the first line, and the minimum between lines; later a tenth of the elapsed time, so that the log of a
long run stays short."""

_LINES_APART = 0.1

_UPDATES_APART = 0.2
"""Seconds between updates of a bar in a notebook, and before the first one."""


def shown_progress() -> AbstractContextManager[Report | None]:
    """Return the form of progress that suits the terminal, notebook or log; nothing without a standard error."""
    if _in_notebook():
        return NotebookBars()
    if sys.stderr is None or sys.stderr.closed:
        return contextlib.nullcontext()
    if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        return _terminal_bars()
    return contextlib.nullcontext(LoggedLines(sys.stderr))


def _in_notebook() -> bool:
    """Whether this process is a Jupyter kernel."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None) is not None


@contextmanager
def _terminal_bars() -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns: list[Any] = [
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    ]
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        stages: dict[str, Any] = {}

        def report(stage: str, done: int, total: int) -> None:
            if stage not in stages:
                stages[stage] = bar.add_task(stage, total=total)
            bar.update(stages[stage], completed=done, total=total)

        yield report


def _words(first: int, done: int, total: int, seconds: float) -> str:
    """'1,200 of 4,096 (29%), 12 s elapsed, about 29 s left'; `first` were done before, by a run that was stopped."""
    share = done / total if total else 1.0
    rest = seconds * (total - done) / (done - first) if done > first else 0.0
    left = f", about {duration(rest)} left" if rest else ""
    return f"{done:,} of {total:,} ({share:.0%}), {duration(seconds)} elapsed{left}"


class LoggedLines:
    """A line on a stream from time to time, for logs."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._clock = stream, clock
        self._begun: dict[str, tuple[float, int]] = {}
        self._next: dict[str, float] = {}

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Write a line if it is time for one, or if the stage is done and had one before."""
        now = self._clock()
        begun, first = self._begun.setdefault(stage, (now, done))
        seconds = now - begun
        due = seconds >= self._next.get(stage, _FIRST_LINE)
        last = done >= total and stage in self._next
        if not due and not last:
            return
        self._next[stage] = seconds + max(_FIRST_LINE, _LINES_APART * seconds)
        if last:
            del self._next[stage], self._begun[stage]
        with contextlib.suppress(OSError, ValueError):  # the log was closed by its reader: the work continues
            self._stream.write(f"apsp: {stage}: {_words(first, done, total, seconds)}\n")
            self._stream.flush()


class NotebookBars:
    """A bar per stage below the cell, drawn by the browser: no widgets are needed. It is removed when the work is
    done.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._stages: dict[str, tuple[float, int, int, int]] = {}
        self._handle: Any = None
        self._shown_at = clock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._handle is not None:
            self._stages.clear()
            self._handle.update(_Bars(""))

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Record the progress, and draw it if the last drawing is old."""
        now = self._clock()
        begun, first = self._stages[stage][:2] if stage in self._stages else (now, done)
        self._stages[stage] = begun, first, done, total
        if now - self._shown_at < _UPDATES_APART:
            return
        self._shown_at = now
        bars = _Bars("".join(_bar(name, *kept, now) for name, kept in self._stages.items()))
        if self._handle is None:
            from IPython.display import display

            self._handle = display(bars, display_id=True)
        else:
            self._handle.update(bars)


def _bar(stage: str, begun: float, first: int, done: int, total: int, now: float) -> str:
    bar = f'<progress value="{done}" max="{max(total, 1)}" style="width:20em;vertical-align:middle"></progress>'
    return f"<div>{escape(stage)} {bar} {escape(_words(first, done, total, now - begun))}</div>"


class _Bars:
    """The HTML that a notebook draws; the plain text is empty."""

    def __init__(self, html: str) -> None:
        self._html = html

    def _repr_html_(self) -> str:
        return self._html

    def __repr__(self) -> str:
        return ""
