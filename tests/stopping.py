"""Stops a run by its progress."""

from __future__ import annotations

from typing import Any


class StopError(Exception):
    """Stops a run."""


def stop_after(rows: int) -> Any:
    """A progress that stops the run after more than so many rows."""

    def progress(stage: str, done: int, total: int) -> None:
        if done > rows:
            raise StopError

    return progress
