"""Several routes on a map, in colours that colour-blind people distinguish, with a legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.figures.styles import INK, PAPER, QUIET, literal, wrapped

__all__ = ["COLOURS", "Routes", "draw_routes"]

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Those of Okabe and Ito, "Color universal design" (2008), without the yellow, which is faint on white."""

_NARROW, _WIDER = 2.0, 1.5
"""Points: the width of the first route, and how much wider each of the others is, which it is drawn over."""


@dataclass(frozen=True)
class Routes:
    """Routes that are drawn together.

    Attributes
    ----------
    lines : sequence of ((k, 2) float64, str)
        The points of each, and its name in the legend.
    title : str
        Of the legend.
    """

    lines: Sequence[tuple[npt.NDArray[np.float64], str]] = ()
    title: str = ""


def draw_routes(axes: Any, routes: Routes) -> None:
    """Draw routes, the first on top, each narrower than those below; those without a colour of their own are grey."""
    coloured, others = routes.lines[: len(COLOURS)], routes.lines[len(COLOURS) :]
    handles, names = [], []
    for number, (points, name) in enumerate(coloured):
        width = _NARROW + _WIDER * number
        handles += axes.plot(*points.T, color=COLOURS[number], zorder=4 - 0.1 * number, **_round(width))
        names.append(name)
    for points, _ in others:
        drawn = axes.plot(*points.T, color=QUIET, zorder=3.2, **_round(_NARROW))
        handles, names = handles[: len(coloured)] + drawn, [*names[: len(coloured)], f"{len(others):,} more"]
    if handles:
        legend = axes.legend(
            handles, [literal(name) for name in names], title=wrapped(routes.title, "label"), loc="best",
            facecolor=PAPER, framealpha=0.9, labelcolor=INK,
        )  # fmt: skip
        for text in (legend.get_title(), *legend.get_texts()):
            text.set_parse_math(False)


def _round(width: float) -> dict[str, Any]:
    return {"linewidth": width, "solid_capstyle": "round", "solid_joinstyle": "round"}
