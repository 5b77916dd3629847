"""The public functions, asked and judged: one module per door. Each raises `WrongError`, or whatever apsp raised."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torture.doors.access import access
from torture.doors.batch import batch
from torture.doors.command import command
from torture.doors.counts import counts
from torture.doors.given import given
from torture.doors.kept import kept
from torture.doors.measures import measures, nearest
from torture.doors.oracle import oracle
from torture.doors.reach import reach
from torture.doors.skims import skims
from torture.doors.solve import solve
from torture.doors.stream import stream
from torture.doors.together import forked, together
from torture.judging import Judging

__all__ = ["DOORS"]

DOORS: dict[str, Callable[[Judging, dict[str, Any]], None]] = {
    "solve": solve,
    "stream": stream,
    "batch": batch,
    "oracle": oracle,
    "measures": measures,
    "counts": counts,
    "nearest": nearest,
    "access": access,
    "kept": kept,
    "reach": reach,
    "given": given,
    "command": command,
    "skims": skims,
    "together": together,
    "forked": forked,
}
