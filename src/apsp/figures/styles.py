"""Colours and fonts of all figures."""

from __future__ import annotations

import textwrap
from typing import Any

from apsp.errors import RequestError

__all__ = ["BAR", "FAINT", "FONT", "INK", "NEAR_TO_FAR", "PAPER", "QUIET", "ROUTE", "literal", "wrapped"]

INK, QUIET, FAINT, PAPER, ROUTE, BAR = "#1f2430", "#8a90a0", "#d9dce3", "#ffffff", "#e5446d", "#3f7f93"
FONT: dict[str, Any] = {"family": ["DejaVu Sans"], "color": INK}

_WIDEST, _MOST_LINES = 72, 8  # characters and lines of a title or a label: Matplotlib shrinks the axes for more

NEAR_TO_FAR = ("#b8de29", "#55c667", "#20a387", "#287d8e", "#39568c", "#482677")
"""Colours of thumbnails: viridis without its ends, which are hard to see on white or on black."""


def literal(text: str) -> str:
    """Text as it is drawn, with parse_math=False: U+FFFD stands for characters that fonts and SVG files lack."""
    return "".join(each if each.isprintable() or each == "\n" else "\ufffd" for each in text)


def wrapped(text: str, what: str) -> str:
    """A title or a label as it is drawn, in lines that fit the figure.

    Raises
    ------
    RequestError
        If it takes more lines than the figure has room for.
    """
    lines = [part for line in literal(text).split("\n") for part in textwrap.wrap(line, _WIDEST) or [""]]
    if len(lines) > _MOST_LINES:
        raise RequestError(
            f"{what} takes {len(lines)} lines of at most {_WIDEST} characters: a figure has room for {_MOST_LINES}"
        )
    return "\n".join(lines)
