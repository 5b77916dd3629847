"""Colours for distances: bands between round limits, or between the caller's limits (isochrones)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import RequestError, shown
from apsp.figures.options import Levels
from apsp.figures.styles import FAINT, INK, wrapped
from apsp.system.arguments import whole_number

__all__ = ["bands", "colour_bar"]

_BANDS, _MOST = 12, 100


def bands(values: npt.NDArray[np.float64], levels: Levels) -> dict[str, Any]:
    """Return the colour map and norm of values: one colour per band, at equal steps; grey beyond the last level.

    Raises
    ------
    RequestError
        If levels are neither a number nor increasing numbers.
    """
    from matplotlib import colormaps
    from matplotlib.colors import BoundaryNorm, ListedColormap

    limits = _limits(values, levels)
    colours = colormaps["viridis_r"](np.linspace(0.06, 1, len(limits) - 1))
    return {
        "cmap": ListedColormap(colours).with_extremes(over=FAINT),
        "norm": BoundaryNorm(limits, len(limits) - 1),
    }


def _limits(values: npt.NDArray[np.float64], levels: Levels) -> npt.NDArray[np.float64]:
    from matplotlib.ticker import MaxNLocator

    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    if levels is None or isinstance(levels, (int, np.integer)):
        count = _BANDS if levels is None else whole_number(levels, "levels", least=1, most=_MOST)
        found = np.asarray(MaxNLocator(nbins=count, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high), dtype=float)
        first = max(int(np.searchsorted(found, low, side="right")) - 1, 0)
        last = min(int(np.searchsorted(found, high)), len(found) - 1)
        return found[min(first, len(found) - 2) : max(last, first + 1) + 1]
    given = _increasing(levels)
    if low < given[0]:
        given = np.append(min(0.0, low), given)
    return given if len(given) > 1 else np.append(given, max(high, given[0] + 1))


def _increasing(levels: Sequence[float]) -> npt.NDArray[np.float64]:
    try:
        given = np.asarray(levels)
        given = given.astype(np.float64) if given.dtype.kind in "iuf" else np.empty(0)
    except (TypeError, ValueError, OverflowError):
        given = np.empty(0)
    if given.ndim != 1 or not len(given) or not np.isfinite(given).all() or (np.diff(given) <= 0).any():
        raise RequestError(f"levels must be a number of bands or increasing numbers, not {shown(levels)}")
    return given


def colour_bar(figure: Any, axes: Any, drawn: Any, label: str) -> None:
    """Draw the colour bar below the axes."""
    from matplotlib.ticker import EngFormatter, StrMethodFormatter

    limits = drawn.norm.boundaries
    beyond = bool((np.asarray(drawn.get_array()) > limits[-1]).any())
    bar = figure.colorbar(
        drawn, ax=axes, orientation="horizontal", shrink=0.6, aspect=50, pad=0.01, anchor=(0, 1), spacing="uniform",
        extend="max" if beyond else "neither",
    )  # fmt: skip
    bar.outline.set_visible(False)
    bar.set_ticks(limits if len(limits) <= 8 else limits[::2])
    bar.formatter = EngFormatter(sep="") if abs(limits[-1]) >= 1e5 else StrMethodFormatter("{x:,.6g}")
    bar.update_ticks()
    bar.ax.tick_params(colors=INK, labelcolor=INK, labelsize=9, length=0)
    bar.ax.minorticks_off()
    bar.ax.set_title(wrapped(label, "label"), loc="left", color=INK, fontsize=9, pad=4, parse_math=False)
