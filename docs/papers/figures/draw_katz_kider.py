"""Katz and Kider: the blocks that each pass changes, and the pages that each GPU takes."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from . import runs, style

__all__ = ["draw"]

BLOCK, BLOCKS, PRIMARY = 18, 6, 2
_COLOURS = {1: style.RED, 2: style.ORANGE, 3: style.SKY}


def draw() -> None:
    """Both figures."""
    _passes()
    _pages()


def _passes() -> None:
    """A graph whose arcs to and from one vertex are short: its block changes every cell, each in its pass."""
    n, hub = BLOCK * BLOCKS, BLOCK * PRIMARY
    lengths = np.full((n, n), 1000, dtype=np.int32)
    lengths[hub], lengths[:, hub] = 1, 1
    np.fill_diagonal(lengths, 0)
    launches = [launch for launch in runs.passes(lengths, BLOCK) if launch.primary == PRIMARY]
    drawn = style.figure(10.5, 4.2)
    names = {1: "pass 1: primary", 2: "pass 2: singly_dependent", 3: "pass 3: doubly_dependent"}
    for axes, launch in zip(drawn.subplots(1, 3), launches, strict=True):
        done = {block: before.number for before in launches[: launch.number - 1] for block in before.changed}
        for i, j in np.ndindex(BLOCKS, BLOCKS):
            now = (i, j) in launch.changed
            face = _COLOURS[launch.number] if now else _faded(_COLOURS[done[i, j]]) if (i, j) in done else style.PALE
            axes.add_patch(Rectangle((j, i), 1, 1, facecolor=face, edgecolor="white", linewidth=2))
        _frame(axes, BLOCKS)
        grid = " x ".join(map(str, (*launch.grid, 1)[:2]))
        axes.set_title(f"{names[launch.number]}\ngrid {grid}", loc="left", pad=8)
        if launch.number == 3:
            _dependence(axes)
        axes.set_xlabel("block of columns j")
        if launch.number == 1:
            axes.set_ylabel("block of rows i")
    style.save(drawn, "katz-kider-passes")


def _dependence(axes: Axes) -> None:
    """Two arrows into one block, from the blocks that it is relaxed through."""
    i, j = 4, 0
    arrow = {"arrowstyle": "-|>", "color": style.INK, "linewidth": 1.6}
    for start in ((PRIMARY + 0.5, i + 0.5), (j + 0.5, PRIMARY + 0.5)):
        axes.annotate("", xy=(j + 0.5, i + 0.5), xytext=start, arrowprops=arrow)


def _pages() -> None:
    """Three pages per side over two GPUs: who closed, and who relaxed, each page, for every primary page."""
    side, gpus, pages = 2 * BLOCK, 2, 3
    lengths = np.random.default_rng(runs.SEED).integers(1, 1000, (pages * side,) * 2, dtype=np.int32)
    np.fill_diagonal(lengths, 0)
    jobs = runs.page_jobs(lengths, side, BLOCK, gpus)
    colours = (style.SKY, style.ORANGE)
    drawn = style.figure(10.5, 4.0)
    for primary, axes in enumerate(drawn.subplots(1, pages)):
        for i, j in np.ndindex(pages, pages):
            here = [job for job in jobs if job.primary == primary and job.page == (i, j)]
            for part, job in enumerate(here):
                place, width = (j + part / len(here), i), 1 / len(here)
                axes.add_patch(Rectangle(place, width, 1, facecolor=colours[job.gpu], linewidth=0))
            axes.add_patch(Rectangle((j, i), 1, 1, fill=False, edgecolor="white", linewidth=3))
            words = "pass 1,\nboth GPUs" if len(here) > 1 else f"pass {here[0].number}"
            axes.text(j + 0.5, i + 0.5, words, ha="center", va="center", fontweight="bold")
        _frame(axes, pages)
        axes.set_title(f"primary page {primary}", loc="left", pad=8)
    marks = [Patch(facecolor=colour, label=f"GPU {gpu}") for gpu, colour in enumerate(colours)]
    drawn.legend(handles=marks, loc="outside lower center", ncols=2, frameon=False)
    style.save(drawn, "katz-kider-pages")


def _frame(axes: Axes, count: int) -> None:
    axes.set_xlim(0, count)
    axes.set_ylim(count, 0)
    axes.set_aspect("equal")
    axes.set_xticks(np.arange(count) + 0.5, map(str, range(count)))
    axes.set_yticks(np.arange(count) + 0.5, map(str, range(count)))
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _faded(colour: str) -> str:
    """Two thirds of the way to white."""
    channels = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    return "#" + "".join(f"{255 - (255 - channel) // 3:02x}" for channel in channels)
