"""A histogram in the terminal: one line per bin, with bars as wide as the terminal allows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.cli.terminal import number

__all__ = ["BINS", "bin_words", "draw", "merged"]

BINS = 18
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_ROUND = (1, 2, 2.5, 5, 10)


def merged(
    edges: npt.NDArray[Any], counts: npt.NDArray[np.int64], most: int
) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    """Merge fine bins of equal width into at most `most` + 1 wide ones that begin at multiples of a round width.

    The round width is exact if it is a multiple of the fine one, and approximate otherwise.

    Parameters
    ----------
    edges : (B + 1,) integers or floats, equally spaced, multiples of their spacing
    counts : (B,) int64
    most : int

    Returns
    -------
    edges, counts
        In the dtype of `edges`.
    """
    fine = (edges[1] - edges[0]).item()
    first = round(float(edges[0]) / fine)
    wide = max(1, round(_round_width(len(counts) * fine / most) / fine))
    if len(counts) <= most:
        wide = 1
    bins = (first + np.arange(len(counts))) // wide
    low = int(bins[0])
    sums = np.zeros(int(bins[-1]) - low + 1, dtype=np.int64)
    np.add.at(sums, bins - low, counts)
    limits = (low + np.arange(len(sums) + 1)) * (wide * fine)
    return limits.astype(edges.dtype), sums


def _round_width(least: float) -> float:
    """Return the smallest 1, 2, 2.5 or 5 times a power of ten that is at least `least`."""
    magnitude = 10.0 ** np.floor(np.log10(least))
    return float(next(step * magnitude for step in _ROUND if step * magnitude >= least * (1 - 1e-9)))


def bin_words(edges: npt.NDArray[Any]) -> list[str]:
    """Return the label of each bin: '3' or '10 - 19' for integers, '0.5 - 1' for floats."""
    words = []
    for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        if edges.dtype.kind in "iu":
            words.append(number(low) if high - 1 == low else f"{number(low)} - {number(high - 1)}")
        else:
            words.append(f"{number(low, 4)} - {number(high, 4)}")
    return words


def draw(words: Sequence[str], counts: Sequence[int], *, width: int = 80, unicode: bool = True) -> str:
    """Return the lines: label, count, share and bar.

    Parameters
    ----------
    words, counts : sequences of equal length
    width : int
        Number of columns of the terminal.
    unicode : bool
        Use block characters, with eight steps per column; otherwise '#'.
    """
    total, top = sum(counts) or 1, max(counts, default=0) or 1
    labels = max((len(word) for word in words), default=0)
    numbers = [f"{count:,}" for count in counts]
    digits = max((len(text) for text in numbers), default=0)
    room = max(width - labels - digits - 13, 8)
    return "\n".join(
        f"{word:>{labels}}  {text:>{digits}} {100 * count / total:5.1f}%  {_bar(room * count / top, unicode)}".rstrip()
        for word, text, count in zip(words, numbers, counts, strict=True)
    )


def _bar(length: float, unicode: bool) -> str:
    """Return a bar; it is not empty for a count above zero."""
    if not unicode:
        return "#" * round(length) or ("." if length else "")
    eighths = max(round(8 * length), 1 if length else 0)
    return _EIGHTHS[8] * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
