"""The short paper: what P, the number of tasks, does to rounds and launches."""

from __future__ import annotations

from . import runs, style

__all__ = ["draw"]

TASKS = (32, 64, 96, 128, 256)


def draw() -> None:
    """Launches and idle threads by P, for all sources of the random graph."""
    graph = runs.random_graph()
    alone = runs.rounds("harish-sssp", graph, range(graph.n))
    launches, busy = [2 * len(alone)], [_busy(alone)]
    for tasks in TASKS:
        seen = runs.rounds("okuyama", graph, range(graph.n), tasks=tasks)
        launches.append(2 * len(seen))
        busy.append(_busy(seen))
    names = ["harish-sssp", *(f"P = {tasks}" for tasks in TASKS)]
    drawn = style.figure(10.5, 4.0)
    left, right = drawn.subplots(1, 2)
    for axes, values, colour, form in ((left, launches, style.BLUE, "{:,}"), (right, busy, style.ORANGE, "{:.1%}")):
        bars = axes.barh(names, values, color=colour)
        axes.bar_label(bars, [form.format(value) for value in values], padding=4)
        axes.invert_yaxis()
        axes.margins(x=0.16)
        axes.tick_params(axis="y", length=0)
        axes.set_xticks([])
        axes.spines["bottom"].set_visible(False)
    left.set_title("launches for all 256 sources", loc="left")
    right.set_title("threads that have a modified vertex to scatter", loc="left")
    style.save(drawn, "okuyama-short-tasks")


def _busy(seen: list[runs.Round]) -> float:
    return float(sum(one.modified.sum() for one in seen) / sum(one.modified.size for one in seen))
