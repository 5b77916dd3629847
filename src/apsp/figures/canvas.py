"""A figure without a window, which shows itself in notebooks. Imports matplotlib: load it only to draw."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from apsp.errors import RequestError, shown
from apsp.figures.files import png
from apsp.figures.styles import FONT, PAPER, wrapped

__all__ = ["Picture", "axes_for", "entitle"]


class Picture(Figure):
    """A matplotlib figure, with all of its methods: `savefig`, `axes`, ..."""

    def _repr_png_(self) -> bytes:
        """Return the picture for notebooks, whether or not pyplot was imported."""
        return png(self, 96)


def axes_for(ax: Any, width: float, height: float) -> tuple[Any, Axes]:
    """Return a new figure of this size in inches and its axes, or those of the caller.

    Raises
    ------
    RequestError
        If `ax` is not axes.
    """
    if ax is not None:
        if not isinstance(ax, Axes):
            raise RequestError(f"ax must be axes of Matplotlib, not {shown(ax)}")
        return ax.figure, ax
    figure = Picture(figsize=(width, height), facecolor=PAPER, layout="constrained")
    return figure, figure.add_subplot()


def entitle(axes: Axes, title: str) -> None:
    """Write the title above the left end of the axes."""
    if title:
        axes.set_title(
            wrapped(title, "title"), loc="left", fontsize=12, fontweight="bold", pad=10, fontdict=FONT, parse_math=False
        )  # fmt: skip
