"""Batool and Mehdi: the classes of arcs on the six-vertex graph, and the frontiers of a search."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from . import runs, style

__all__ = ["draw"]

_PLACES = ((0.0, 1.0), (2.0, 2.0), (2.0, 0.0), (4.0, 2.0), (4.0, 0.0), (6.0, 1.0))
_FROM_Q = ((-0.75, 1.5), (1.5, 2.7), (1.5, -0.7), (4.5, 2.7), (4.5, -0.7), (6.75, 1.5))
_INITIAL = "initial (length 0, not stored)"
_CLASSES = {
    _INITIAL: (style.QUIET, ":"),
    "incoming": (style.BLUE, "-"),
    "outgoing": (style.ORANGE, "--"),
    "any other": (style.RED, "-."),
}


def draw() -> None:
    """Both figures."""
    _classes()
    _frontiers()


def _classes() -> None:
    """As relax_queue tells them: by the out-degree and the in-degree of the head."""
    graph = runs.example_with_negative_arc()
    degree, in_degree = np.diff(graph.indptr), np.bincount(graph.indices, minlength=graph.n)
    drawn = style.figure(10.5, 4.4)
    axes = drawn.subplots()
    for v, place in enumerate(_PLACES):
        _arrow(axes, _FROM_Q[v], place, _INITIAL, 0.0, None)
        axes.text(*_FROM_Q[v], "q", ha="center", va="center", fontsize=12, color=style.QUIET)
    for tail, head, weight in zip(graph.tails(), graph.indices, graph.weights, strict=True):
        kind = "outgoing" if degree[head] == 0 else "incoming" if in_degree[head] == 1 else "any other"
        bend = {(0, 1): -0.15, (0, 2): 0.15, (3, 0): -0.1}.get((int(tail), int(head)), 0.0)
        _arrow(axes, _PLACES[tail], _PLACES[head], kind, bend, int(weight))
    for v, (x, y) in enumerate(_PLACES):
        _vertex(axes, x, y, str(v))
    marks = [
        Line2D([], [], color=colour, linestyle=line, linewidth=2, label=name)
        for name, (colour, line) in _CLASSES.items()
    ]
    axes.legend(handles=marks, loc="lower center", bbox_to_anchor=(0.5, -0.14), ncols=4, frameon=False)
    axes.set_xlim(-1.2, 7.2)
    axes.set_ylim(-1.0, 3.0)
    axes.axis("off")
    style.save(drawn, "batool-classes")


def _arrow(
    axes: Axes, tail: tuple[float, float], head: tuple[float, float], kind: str, bend: float, weight: int | None
) -> None:
    colour, line = _CLASSES[kind]
    width = 1.4 if kind == _INITIAL else 2.2
    axes.annotate("", xy=head, xytext=tail, arrowprops={
        "arrowstyle": "-|>", "color": colour, "linestyle": line, "linewidth": width, "shrinkB": 15,
        "shrinkA": 8 if kind == _INITIAL else 15,
        "connectionstyle": f"arc3,rad={bend}",
    })  # fmt: skip
    if weight is not None:
        (x, y), (u, v) = tail, head
        middle = (x + 0.42 * (u - x) + 0.5 * bend * (v - y), y + 0.42 * (v - y) - 0.5 * bend * (u - x))
        axes.text(*middle, str(weight), ha="center", va="center", fontsize=12,
                  bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5})  # fmt: skip


def _vertex(axes: Axes, x: float, y: float, name: str) -> None:
    axes.plot(x, y, "o", markersize=27, color="white", markeredgecolor=style.INK, markeredgewidth=1.6, zorder=3)
    axes.text(x, y - 0.01, name, ha="center", va="center", fontsize=13, zorder=4)


def _frontiers() -> None:
    """How many vertices each round settles, and the threshold that lets them in."""
    seen = [one for one in runs.johnson_frontiers(runs.random_graph(negative=True), 0) if one.size]
    settled = sum(one.size for one in seen)
    drawn = style.figure(10.5, 5.2)
    upper, lower = drawn.subplots(2, 1, sharex=True, height_ratios=(2, 1.3))
    numbers = np.arange(1, len(seen) + 1)
    upper.bar(numbers, [one.size for one in seen], color=style.BLUE, width=0.8)
    upper.set_ylabel("vertices in the frontier")
    mean = settled / len(seen)
    upper.axhline(mean, color=style.RED, linewidth=1.4, linestyle="--")
    upper.text(len(seen) + 0.5, mean + 0.15, f"mean {mean:.1f}", ha="right", va="bottom", color=style.RED)
    upper.set_title(f"johnson-queue from vertex 0: {len(seen)} frontiers settle {settled} vertices", loc="left")
    lower.step(numbers, [one.threshold for one in seen], where="mid", color=style.ORANGE, linewidth=2)
    lower.set_ylabel("threshold")
    lower.set_xlabel("round")
    lower.set_ylim(0, None)
    style.save(drawn, "batool-frontiers")
