"""Okuyama et al.: the arrays of N tasks in a round, how they lie in memory, and the frontiers of a search."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.patches import Rectangle

from . import runs, style

__all__ = ["draw"]

SHOWN = 6  # tasks, of 32
_TASKS = (style.SKY, style.ORANGE, style.GREEN, style.PURPLE, "#F0E442", "#9ecae1")


def draw() -> None:
    """All three figures."""
    _round()
    _layout()
    _frontiers()


def _round() -> None:
    """Ma, Ca and Ua of the six-vertex graph before a round, after scattering and after checking."""
    one = runs.rounds("okuyama", runs.example(), range(6))[1]
    before = (one.modified, one.costs, one.updates)
    scattered = (one.modified_scattered, one.costs, one.updates_scattered)
    checked = (one.modified_checked, one.costs_checked, one.updates_scattered)
    drawn = style.figure(11, 8.4)
    grid = drawn.subplots(3, 3)
    steps = ("before round 2", "after okuyama_scatter", "after okuyama_check")
    vertices, tasks = [f"v = {v}" for v in range(6)], [f"s = {s}" for s in range(SHOWN)]
    for row, (name, *states) in enumerate(zip(("Ma", "Ca", "Ua"), before, scattered, checked, strict=True)):
        for column, state in enumerate(states):
            earlier = states[max(column - 1, 0)]
            shown, changed = state[:, :SHOWN], (state != earlier)[:, :SHOWN]

            def marked(i: int, j: int, changed: npt.NDArray[Any] = changed) -> bool:
                return bool(changed[i, j])

            axes = grid[row, column]
            names = {"rows": vertices if column == 0 else (), "columns": tasks if row == 0 else ()}
            style.cells(axes, shown, text=_word, marked=marked, **names)
            axes.set_title(f"{name}, {steps[column]}", loc="left", pad=26 if row == 0 else 8)
    style.save(drawn, "okuyama-round")


def _word(value: Any) -> str:
    return "\N{INFINITY}" if value == np.iinfo(np.int32).max // 2 else str(value)


def _layout() -> None:
    """Ca of the same moment as it would lie task by task, and as it lies."""
    one = runs.rounds("okuyama", runs.example(), range(6))[1]
    costs = one.costs_checked
    drawn = style.figure(11, 3.6)
    upper, lower = drawn.subplots(2, 1)
    straight = [(v, s) for s in range(3) for v in range(6)]
    interleaved = [(v, s) for v in range(3) for s in range(SHOWN)]
    for axes, order in ((upper, straight), (lower, interleaved)):
        for at, (v, s) in enumerate(order):
            place = at + at // 6 * 0.35
            axes.add_patch(Rectangle((place, 0), 1, 1, facecolor=_TASKS[s], edgecolor="white", linewidth=2))
            axes.text(place + 0.5, 0.62, _word(costs[v, s]), ha="center", va="center", fontsize=13)
            axes.text(place + 0.5, 0.2, f"{v},{s}", ha="center", va="center", fontsize=9)
        axes.set_xlim(0, 18.9)
        axes.set_ylim(1.55, -0.05)
        axes.axis("off")
    apart = "address s n + v: the threads of vertex 0 read cells that lie n apart"
    together = "address v N + s: the threads of vertex 0 read one piece of memory"
    upper.set_title(f"one task after the other, {apart}", loc="left")
    lower.set_title(f"interleaved, {together}", loc="left")
    for s in range(3):
        upper.text(s * 6.35 + 3, 1.3, f"task s = {s}", ha="center", va="center")
    for v in range(3):
        lower.text(v * 6.35 + 3, 1.3, f"vertex v = {v}, tasks 0 to 5 of 32", ha="center", va="center")
    style.save(drawn, "okuyama-layout")


def _frontiers() -> None:
    """Modified vertices by rounds: 32 searches one after another, and the same 32 at once."""
    graph, sources = runs.random_graph(), range(32)
    together = runs.rounds("okuyama", graph, sources)
    alone = [runs.rounds("harish-sssp", graph, [source]) for source in sources]
    drawn = style.figure(10.5, 4.6)
    axes = drawn.subplots()
    for number, search in enumerate(alone):
        sizes = [int(one.modified.sum()) for one in search]
        label = "harish-sssp: vertices in M, one line per source" if number == 0 else None
        axes.plot(range(1, len(sizes) + 1), sizes, color=style.SKY, linewidth=0.9, label=label)
    touched = [int(one.modified.any(axis=1).sum()) for one in together]
    pairs = [one.modified.sum() / 32 for one in together]
    numbers = range(1, len(together) + 1)
    axes.plot(numbers, touched, color=style.RED, marker="o", label="okuyama: vertices in M of at least one of 32 tasks")
    axes.plot(numbers, pairs, color=style.INK, marker="s", linestyle="--", label="okuyama: pairs <v, s> in M, per task")
    axes.set_xlabel("round (one launch of the scattering and one of the checking kernel)")
    axes.set_ylabel("vertices of 256")
    axes.set_xticks(numbers)
    axes.set_ylim(0, 330)
    axes.set_yticks(range(0, 257, 64))
    launches = sum(2 * len(search) for search in alone)
    axes.set_title(f"32 sources: {launches} launches one after another, {2 * len(together)} together", loc="left")
    axes.legend(frameon=False, loc="upper right")
    style.save(drawn, "okuyama-frontiers")
