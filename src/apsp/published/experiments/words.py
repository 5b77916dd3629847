"""Numbers and columns as text."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["aligned", "seconds_words", "times"]


def seconds_words(seconds: float | None) -> str:
    """1.23 ms, 45.6 s; - for none."""
    if seconds is None:
        return "-"
    for factor, unit in ((1, "s"), (1e3, "ms")):
        if seconds * factor >= 1:
            value = seconds * factor
            return f"{value:,.0f} {unit}" if value >= 1000 else f"{value:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


def times(ratio: float | None) -> str:
    """2.8x; empty for none."""
    if ratio is None:
        return ""
    return f"{ratio:,.0f}x" if ratio >= 1000 else f"{ratio:.3g}x"


def aligned(lines: Sequence[tuple[str, ...]]) -> list[str]:
    """Columns of equal width, two spaces apart."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return ["  ".join(value.ljust(width) for value, width in zip(line, widths, strict=True)).rstrip() for line in lines]
