"""Colours and fonts of all figures."""

from __future__ import annotations

from typing import Any

__all__ = ["BAR", "FAINT", "FONT", "INK", "NEAR_TO_FAR", "PAPER", "QUIET", "ROUTE"]

INK, QUIET, FAINT, PAPER, ROUTE, BAR = "#1f2430", "#8a90a0", "#d9dce3", "#ffffff", "#e5446d", "#3f7f93"
FONT: dict[str, Any] = {"family": ["DejaVu Sans"], "color": INK}

NEAR_TO_FAR = ("#b8de29", "#55c667", "#20a387", "#287d8e", "#39568c", "#482677")
"""Colours of thumbnails: viridis without its ends, which are hard to see on white or on black."""


def literal(text: str) -> str:
    """Text as it is drawn, with parse_math=False: U+FFFD stands for characters that fonts and SVG files lack."""
    return "".join(each if each.isprintable() or each == "\n" else "\ufffd" for each in text)
