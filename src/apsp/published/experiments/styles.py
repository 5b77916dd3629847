"""Styles of the entries of a figure: colour, mark and dashes of each, and a label at the end of its line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["INK", "QUIET", "label_ends", "spread", "style_of"]

INK, QUIET = "#1f2430", "#8a90a0"

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f")
"""The colours of Okabe and Ito, which most colour-blind readers can distinguish, without the yellow."""

_MARKS = "osD^vP*X<>hpd"

_DASHES: tuple[Any, ...] = (
    "-",
    (0, (6, 2)),
    (0, (2, 2)),
    (0, (8, 2, 2, 2)),
    (0, (1, 1.5)),
    (0, (8, 2, 1, 2, 1, 2)),
    (0, (4, 1)),
    (0, (10, 4)),
    (0, (3, 1, 1, 1)),
    (0, (2, 4)),
    (0, (6, 1, 2, 1, 2, 1)),
    (0, (12, 2)),
)

_LINE_HEIGHT = 11.5  # size of a label in points


def style_of(number: int) -> dict[str, Any]:
    """Return the style of the entry with this number; the first 156 have distinct marks and dashes."""
    return {
        "color": _COLOURS[number % len(_COLOURS)], "marker": _MARKS[number % len(_MARKS)],
        "linestyle": _DASHES[number % len(_DASHES)], "linewidth": 1.6, "markersize": 6,
    }  # fmt: skip


def spread(wanted: Sequence[float], gap: float) -> list[float]:
    """Return places near the wanted ones, in the same order, from 0 to 1 and at least `gap` apart.

    If they do not fit, they are evenly spaced.
    """
    if not wanted:
        return []
    gap = min(gap, 1 / max(len(wanted) - 1, 1))
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    places, lowest = [0.0] * len(wanted), 0.0
    for i in order:
        places[i] = max(wanted[i], lowest)
        lowest = places[i] + gap
    highest = 1.0
    for i in reversed(order):
        places[i] = min(places[i], highest)
        highest = places[i] - gap
    return places


def label_ends(axes: Axes, ends: Sequence[tuple[float, float, str, dict[str, Any]]], height: float) -> None:
    """Write every label to the right of the axes, with a piece of its line, and a thin line from its last point.

    Parameters
    ----------
    ends : sequence of (x, y, label, style)
        The last point of each line; y is positive, on a logarithmic axis.
    height : float
        Of the axes, in points.
    """
    low, high = (math.log(bound) for bound in axes.get_ylim())
    wanted = [(math.log(y) - low) / (high - low) for _, y, _, _ in ends]
    for (x, y, label, style), place in zip(ends, spread(wanted, _LINE_HEIGHT / height), strict=True):
        axes.annotate(
            "", (x, y), (1.02, place), textcoords="axes fraction", annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": style["color"], "linewidth": 0.5, "alpha": 0.6, "shrinkB": 4},
        )  # fmt: skip
        axes.plot(
            [1.02, 1.05, 1.08], [place] * 3, transform=axes.transAxes, clip_on=False,
            **(style | {"markevery": [1], "markersize": 5}),
        )  # fmt: skip
        words: dict[str, Any] = {"va": "center", "ha": "left", "fontsize": 8.5, "color": INK, "clip_on": False}
        axes.text(1.095, place, label, transform=axes.transAxes, **words)
