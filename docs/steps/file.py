"""The file of traces: a line per step, so that changes can be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from . import frontiers, lab, owners, pages, passes, searches, tree
from .example import PLACES
from .trace import Trace

__all__ = ["TRACES", "traces", "written"]

TRACES = Path(__file__).parent / "traces.json"


def traces() -> list[Trace]:
    """All of them, in the order of the page."""
    parts = (lab, passes, pages, searches, frontiers, owners, tree)
    return [trace for part in parts for trace in part.traces()]


def written() -> str:
    """The text of the file."""
    every = ",\n".join(_trace(one.json()) for one in traces())
    return f'{{"places": {_line(PLACES)}, "traces": [\n{every}\n]}}\n'


def _trace(one: dict[str, Any]) -> str:
    steps = ",\n".join(_line(step) for step in one["steps"])
    head = _line({name: value for name, value in one.items() if name != "steps"})
    return f'{head[:-1]}, "steps": [\n{steps}\n]}}'


def _line(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
