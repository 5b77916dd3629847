"""The course laboratory: blocks of threads over the matrix, and which of them load what."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

import apsp

from . import runs, style

__all__ = ["draw"]

N, BLOCK, PIVOT = 12, 4, 5


def draw() -> None:
    """One pivot of a graph of 12 vertices: what is loaded, and which entries changed."""
    graph = apsp.generate("random", N, m=30, weights=(1, 20), seed=runs.SEED)
    pivot = runs.lab_pivots(graph, BLOCK)[PIVOT]
    smaller = pivot.after != pivot.before
    drawn = style.figure(10.5, 5.6)
    left, right = drawn.subplots(1, 2)
    for x, y in np.ndindex(N, N):
        colour = style.PALE
        if y == PIVOT:
            colour = style.SKY
        if x == PIVOT:
            colour = style.ORANGE if y != PIVOT else style.GREEN
        if smaller[x, y]:
            colour = style.RED
        left.add_patch(Rectangle((y, x), 1, 1, facecolor=colour, edgecolor="white", linewidth=1))
        value = pivot.after[x, y]
        left.text(y + 0.5, x + 0.53, str(value), ha="center", va="center", fontsize=9,
                  color="white" if smaller[x, y] else style.INK)  # fmt: skip
    for x, y in np.ndindex(*pivot.grid):
        left.add_patch(Rectangle((y * BLOCK, x * BLOCK), BLOCK, BLOCK, fill=False, edgecolor=style.INK, linewidth=1.8))
    _frame(left, N)
    grid = " x ".join(map(str, pivot.grid))
    left.set_title(f"launch k = {PIVOT}: grid {grid}, blocks of {BLOCK} x {BLOCK} threads", loc="left")
    left.set_xlabel("y: column of mat")
    left.set_ylabel("x: row of mat")
    marks = [(style.ORANGE, "row k"), (style.SKY, "column k"), (style.RED, "entries that changed")]
    left.legend(handles=[Patch(facecolor=colour, label=name) for colour, name in marks], frameon=False,
                loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=3, fontsize=9, columnspacing=1)  # fmt: skip
    _block(right)
    style.save(drawn, "lab-blocks")


def _block(axes: Axes) -> None:
    """The threads of one block of apsp_shared."""
    for x, y in np.ndindex(BLOCK, BLOCK):
        colour, words = style.PALE, f"{x},{y}"
        if y == 0:
            colour, words = style.SKY, f"{x},{y}\nk_column[{x}]"
        if x == 0:
            colour, words = style.ORANGE, f"{x},{y}\nk_row[{y}]"
        axes.add_patch(Rectangle((y, x), 1, 1, facecolor=colour, edgecolor="white", linewidth=2))
        if x == y == 0:
            axes.add_patch(Rectangle((0, 0), 0.5, 1, facecolor=style.SKY, linewidth=0))
            words = "0,0\nk_column[0]\nk_row[0]"
        axes.text(y + 0.5, x + 0.5, words, ha="center", va="center", fontsize=9)
    _frame(axes, BLOCK)
    axes.set_title("a block: threadIdx.x,threadIdx.y and what it loads", loc="left")
    axes.set_xlabel("threadIdx.y")
    axes.set_ylabel("threadIdx.x")


def _frame(axes: Axes, count: int) -> None:
    axes.set_xlim(0, count)
    axes.set_ylim(count, 0)
    axes.set_aspect("equal")
    axes.set_xticks(np.arange(count) + 0.5, map(str, range(count)))
    axes.set_yticks(np.arange(count) + 0.5, map(str, range(count)))
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
