"""Colours (Okabe, Ito: told apart by colour-blind readers), type and the way a figure is saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

__all__ = ["BLUE", "GREEN", "INK", "ORANGE", "PALE", "PURPLE", "QUIET", "RED", "SKY", "cells", "figure", "save"]

IMAGES = Path(__file__).resolve().parents[1] / "images"
BLUE, ORANGE, GREEN, RED, SKY, PURPLE = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7"
INK, QUIET, PALE = "#1f2430", "#6b7280", "#f1f3f6"

_SETTINGS: dict[str, Any] = {
    "font.family": "DejaVu Sans", "font.size": 11, "axes.titlesize": 12, "axes.edgecolor": QUIET,
    "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK, "ytick.color": INK, "svg.fonttype": "path",
    "svg.hashsalt": "apsp", "axes.spines.top": False, "axes.spines.right": False,
}  # fmt: skip


def figure(width: float, height: float) -> Figure:
    """An empty figure on white ground; sizes in inches."""
    mpl.rcParams.update(_SETTINGS)
    return Figure(figsize=(width, height), facecolor="white", layout="constrained")


def save(drawn: Figure, name: str, folder: Path = IMAGES, description: str | None = None) -> None:
    """Write FOLDER/NAME.svg, the same bytes every time."""
    folder.mkdir(exist_ok=True)
    undated = {"Date": None, "Creator": None, "Description": description}
    drawn.savefig(folder / f"{name}.svg", bbox_inches="tight", pad_inches=0.1, metadata=undated)


def cells(
    axes: Axes,
    values: npt.NDArray[Any],
    *,
    text: Callable[[Any], str] = str,
    marked: Callable[[int, int], bool] = lambda _row, _column: False,
    rows: Sequence[str] = (),
    columns: Sequence[str] = (),
    size: float = 10,
) -> None:
    """A table of cells with a word each, some of them marked; row 0 at the top, names of rows and columns outside."""
    height, width = values.shape
    axes.add_patch(Rectangle((0, 0), width, height, facecolor=PALE, linewidth=0))
    for i, j in np.ndindex(height, width):
        if marked(i, j):
            axes.add_patch(Rectangle((j, i), 1, 1, facecolor=ORANGE, linewidth=0))
        axes.text(j + 0.5, i + 0.52, text(values[i, j]), ha="center", va="center", fontsize=size)
    axes.hlines(range(height + 1), 0, width, color="white", linewidth=1.5)
    axes.vlines(range(width + 1), 0, height, color="white", linewidth=1.5)
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    axes.set_xticks(np.arange(len(columns)) + 0.5, columns)
    axes.set_yticks(np.arange(len(rows)) + 0.5, rows)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
