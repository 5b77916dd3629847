"""A histogram in the terminal: one line a bin, a bar as wide as the terminal allows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from apsp.cli.terminal import number

__all__ = ["bin_words", "bin_edges", "draw"]

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_PLAIN = "#"
BINS = 16


def bin_edges(low: float, high: float, integers: bool, bins: int = BINS) -> npt.NDArray[np.float64]:
    """At most about `bins` bins of a round width that hold `low` to `high`; for few integers one each.

    The last edge is above `high`, so that every bin holds its lower edge and not its upper one.
    """
    raw = max((high - low) / bins, 1.0 if integers else 1e-300)
    magnitude = 10.0 ** np.floor(np.log10(raw))
    width = next(step * magnitude for step in (1, 2, 2.5, 5, 10) if step * magnitude >= raw * (1 - 1e-9))
    if integers:
        width = max(1.0, np.ceil(width))
    first = np.floor(low / width)
    count = int(np.floor(high / width) - first) + 1
    edges: npt.NDArray[np.float64] = (first + np.arange(count + 1)) * width
    return edges


def bin_words(edges: npt.ArrayLike, integers: bool) -> list[str]:
    """What each bin holds: '3', '10 - 19' or '0.5 - 1'."""
    edges = np.asarray(edges, dtype=float)
    words = []
    for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        if integers:
            last = int(high) - 1
            words.append(number(int(low)) if last <= low else f"{number(int(low))} - {number(last)}")
        else:
            words.append(f"{number(low)} - {number(high)}")
    return words


def draw(words: Sequence[str], counts: Sequence[int], *, width: int = 80, unicode: bool = True) -> str:
    """The lines: label, count, share and bar.

    Parameters
    ----------
    words, counts : sequences of equal length
    width : int
        Columns of the terminal.
    unicode : bool
        Block characters, eight steps a column; otherwise '#'.
    """
    total, top = sum(counts) or 1, max(counts, default=0) or 1
    labels = max((len(word) for word in words), default=0)
    numbers = [f"{count:,}" for count in counts]
    digits = max((len(text) for text in numbers), default=0)
    room = max(width - labels - digits - 12, 8)
    lines = []
    for word, text, count in zip(words, numbers, counts, strict=True):
        bar = _bar(room * count / top, unicode)
        if count and not bar:
            bar = _EIGHTHS[1] if unicode else "."
        lines.append(f"{word:>{labels}}  {text:>{digits}} {100 * count / total:5.1f}%  {bar}".rstrip())
    return "\n".join(lines)


def _bar(length: float, unicode: bool) -> str:
    if not unicode:
        return _PLAIN * round(length)
    eighths = round(8 * length)
    return _EIGHTHS[8] * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
