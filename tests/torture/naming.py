"""What the vertices of a case are called: positions are said as labels, and labels heard as positions."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["KINDS", "Naming", "labels_of"]

KINDS = ("range", "integers", "strings", "tuples", "mixed", "shuffled")


def labels_of(kind: str, n: int) -> Any:
    """n labels of a kind, the same at every call."""
    rng = random.Random(n)
    if kind == "range":
        return range(7, 7 + n)
    if kind == "shuffled":  # integers that could be taken for positions
        return rng.sample(range(n + 2), n)
    if kind == "integers":
        return [(-1) ** v * (v * v * 10**12 + v) for v in range(n)]
    if kind == "strings":
        return [str(v * 3 % n if n % 3 else v) if v % 2 else f"vertex {v}" for v in range(n)]
    if kind == "tuples":
        return [(v // 5, f"{v % 5}") for v in range(n)]
    return [(v, str(v), v + 0.5, (v,), f"x{v}".encode())[v % 5] for v in range(n)]


class Naming:
    """The labels of a graph; without any, vertices are their positions.

    Parameters
    ----------
    labels : sequence or None
    """

    def __init__(self, labels: Sequence[Any] | None) -> None:
        self.labels = labels
        self._positions = {} if labels is None else {label: position for position, label in enumerate(labels)}

    def say(self, vertices: Iterable[int] | None) -> list[Any] | None:
        """The labels of positions; None stays None."""
        if vertices is None:
            return None
        return list(vertices) if self.labels is None else [self.labels[vertex] for vertex in vertices]

    def one(self, vertex: int) -> Any:
        return vertex if self.labels is None else self.labels[vertex]

    def hear(self, labels: Iterable[Any]) -> list[Any]:
        """The positions of labels; -1 for what is no label."""
        if self.labels is None:
            return list(labels)
        return [self._positions.get(label, -1) for label in labels]

    def told(self, options: dict[str, Any]) -> dict[str, Any]:
        """Options with sources and targets as labels."""
        return {name: self.say(value) if name in ("sources", "targets") else value for name, value in options.items()}
