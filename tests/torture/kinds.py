"""The kinds of torture by name. Each has `run(seed, options, counts)`: None, or a failure as plain data."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable
from typing import Any

__all__ = ["KINDS", "runner"]

KINDS: dict[str, str] = {
    "graphs": "random graphs through every public function, against exact arithmetic",
    "files": "damaged graph files of every format, read and used",
    "results": "damaged results, oracles, files of pages and Open Matrix files, loaded and used",
    "damaged_stores": "damaged files of stores of every kind, read, and the same calls again",
    "names": "hostile labels and names of costs through every writer",
    "tables": "random tables of links through files and data frames, read as they were meant or refused",
    "turns": "small graphs with turns of all kinds, against a search on their links",
    "changes": "oracles of graphs whose links change again and again, against a plain reference",
    "arguments": "odd arguments for every public function",
    "kills": "kill -9 while something is written, then the same again",
    "workers": "kill -9 of workers of an executor and of their caller, then the same again",
    "limits": "little memory and full disks",
    "commands": "the command line under signals, odd arguments, closed and full streams",
}


def runner(kind: str) -> Callable[[int, dict[str, Any], Counter[str]], dict[str, Any] | None]:
    """The function that runs a seed of a kind."""
    found: Callable[[int, dict[str, Any], Counter[str]], dict[str, Any] | None]
    found = importlib.import_module(f"torture.{kind}").run
    return found
