"""Output of commands: results on standard output, all other messages on standard error."""

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
from apsp.cli.files import goes_to_stdout, words_of
from apsp.errors import ApspWarning
from apsp.system.numbers import number_words as number
from apsp.system.progress import Progress

__all__ = ["Show", "dim", "facts_table", "number", "print_json", "print_text", "printed_warnings", "width", "wrapped"]


@dataclass(frozen=True)
class Show:
    """Output options of a command.

    Attributes
    ----------
    json : bool
        Print one JSON object on standard output instead of text.
    quiet : bool
        Print nothing but errors on standard error.
    progress : bool or None
        Show a progress bar; None shows one if standard error is a terminal.
    """

    json: bool = False
    quiet: bool = False
    progress: bool | None = None

    @property
    def bar(self) -> Progress:
        """The `progress` argument of public functions."""
        if self.progress is None:
            return not self.quiet and sys.stderr.isatty()
        return self.progress

    def say(self, text: str) -> None:
        """Print one line on standard error."""
        if not self.quiet:
            click.echo(words_of(text), err=True)

    def warn(self, text: str) -> None:
        """Print a note that is also shown among other text."""
        self.say(f"apsp: note: {text}")


def print_text(text: str) -> None:
    """Write to standard output; an output pipe closed by the reader ends the command without a message.

    With -o - the text goes to standard error.
    """
    if goes_to_stdout():
        if not click.get_current_context().meta.get("apsp.quiet"):
            click.echo(text, err=True)
        return
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


def width() -> int:
    """Return the number of columns: that of the terminal, at most 100; in a pipe COLUMNS or 80."""
    return min(shutil.get_terminal_size((80, 24)).columns, 100)


def wrapped(text: str) -> str:
    """Wrap paragraphs to the width of the terminal; indented ones get a hanging indent."""
    lines = []
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        hanging = " " * (indent + 4 if indent else 0)
        lines.append(textwrap.fill(line, width(), subsequent_indent=hanging, break_on_hyphens=False))
    return "\n".join(lines)


@contextlib.contextmanager
def printed_warnings() -> Iterator[None]:
    """Print each warning of this package once, as a note on standard error; --quiet silences them."""
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
    """Dim text, on terminals that support it (a pipe strips it) and unless NO_COLOR is set."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain else click.style(text, dim=True)


def facts_table(rows: list[tuple[str, str]]) -> str:
    """Format two aligned columns, the first one dim on a colour terminal; long values wrap within their column."""
    left = max((len(name) for name, _ in rows), default=0) + 2
    lines = []
    for name, value in rows:
        parts = textwrap.wrap(value, max(width() - left, 20), break_on_hyphens=False) or [""]
        lines.append(dim(name.ljust(left)) + parts[0])
        lines.extend(" " * left + part for part in parts[1:])
    return "\n".join(lines)
