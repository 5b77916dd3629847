"""Where words go: results to standard output, everything said to a human to standard error."""

from __future__ import annotations

import contextlib
import json
import math
import os
import shutil
import sys
import textwrap
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TextIO

import click
import numpy as np

from apsp.cli.exits import in_options
from apsp.errors import ApspWarning
from apsp.system.progress import Progress

__all__ = ["Show", "dim", "facts_table", "number", "print_json", "print_text", "warnings_told", "width", "wrapped"]


@dataclass(frozen=True)
class Show:
    """How a command speaks.

    Attributes
    ----------
    json : bool
        One JSON object on standard output instead of text.
    quiet : bool
        Nothing on standard error but errors.
    progress : bool or None
        A bar; None draws one if standard error is a terminal.
    """

    json: bool = False
    quiet: bool = False
    progress: bool | None = None

    @property
    def bar(self) -> Progress:
        """What to pass as `progress` to the public functions."""
        if self.progress is None:
            return not self.quiet and sys.stderr.isatty()
        return self.progress

    def say(self, text: str) -> None:
        """One line to the human, on standard error."""
        if not self.quiet:
            click.echo(text, err=True)

    def warn(self, text: str) -> None:
        """A remark that matters even among other text."""
        self.say(f"apsp: note: {text}")


def print_text(text: str) -> None:
    """Write to standard output; a reader that has gone is no error of ours (the entry ends quietly)."""
    click.echo(text)
    sys.stdout.flush()


def print_json(facts: Mapping[str, Any]) -> None:
    """Write one JSON object: NumPy scalars become numbers, infinity and not-a-number become null."""
    print_text(json.dumps(_plain(facts), allow_nan=False))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple, set)):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    return str(value)


def number(value: float | None, digits: int = 6) -> str:
    """A number for humans: thousands separated, floats to `digits` significant digits."""
    if value is None:
        return "-"
    if isinstance(value, (int, np.integer)):
        return f"{int(value):,}"
    if not math.isfinite(value):
        return str(value)
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.{digits}g}" if abs(value) < 10 ** (digits - 1) else f"{value:,.0f}"


def width() -> int:
    """Columns to write in: of the terminal, at most 100; 80 in a pipe (or what COLUMNS says)."""
    return min(shutil.get_terminal_size((80, 24)).columns, 100)


def wrapped(text: str) -> str:
    """Paragraphs as wide as the terminal; what is indented hangs a little further in."""
    lines = []
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        hanging = " " * (indent + 4 if indent else 0)
        lines.append(textwrap.fill(line, width(), subsequent_indent=hanging, break_on_hyphens=False))
    return "\n".join(lines)


@contextlib.contextmanager
def warnings_told() -> Iterator[None]:
    """Warnings of this package become remarks on standard error, each one said once; --quiet silences them."""
    said: set[str] = set()
    with warnings.catch_warnings():
        warnings.simplefilter("always", ApspWarning)
        others = warnings.showwarning

        def tell(
            message: Warning | str, category: type[Warning], filename: str, lineno: int,
            file: TextIO | None = None, line: str | None = None,
        ) -> None:  # fmt: skip
            if not issubclass(category, ApspWarning):
                others(message, category, filename, lineno, file, line)
                return
            context = click.get_current_context(silent=True)
            text = in_options(" ".join(str(message).split()))
            if text not in said and not (context is not None and context.meta.get("apsp.quiet")):
                click.echo(f"apsp: note: {text}", err=True)
            said.add(text)

        warnings.showwarning = tell
        yield


def dim(text: str) -> str:
    """Less important text, on terminals that can show it (a pipe strips it) and where NO_COLOR is not set."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain else click.style(text, dim=True)


def facts_table(rows: list[tuple[str, str]]) -> str:
    """Two aligned columns, the first one dim on a colour terminal; long values wrap under themselves."""
    left = max((len(name) for name, _ in rows), default=0) + 2
    lines = []
    for name, value in rows:
        parts = textwrap.wrap(value, max(width() - left, 20), break_on_hyphens=False) or [""]
        lines.append(dim(name.ljust(left)) + parts[0])
        lines.extend(" " * left + part for part in parts[1:])
    return "\n".join(lines)
