"""A case: a graph and a request, as plain data that fits into a JSON file."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from torture.naming import labels_of

__all__ = ["Case"]

Number = int | float


@dataclass(frozen=True)
class Case:
    """A graph and calls.

    Attributes
    ----------
    n : int
    arcs : list of (tail, head, weight)
        Parallel arcs and loops included; weights are integers if `dtype` is of integers or None.
    dtype : str or None
        Of the weights; None counts hops.
    directed : bool
    parallel : str
        Which of several arcs between two vertices counts.
    zones : list of int
        Where paths may only start or end.
    labels : str or None
        What the vertices are called: see `labels_of`.
    calls : list of dict
        The request: `door` names a function of `torture.doors`, the rest are its arguments.
    note : str
        Where the graph comes from.
    """

    n: int
    arcs: list[tuple[int, int, Number]]
    dtype: str | None
    directed: bool = True
    parallel: str = "min"
    zones: list[int] = field(default_factory=list)
    labels: str | None = None
    calls: list[dict[str, Any]] = field(default_factory=list)
    note: str = ""

    @property
    def integer(self) -> bool:
        return self.dtype is None or self.dtype.startswith("int")

    def merged(self) -> dict[tuple[int, int], Number]:
        """What is left of parallel arcs, both directions of an undirected edge included."""
        kept: dict[tuple[int, int], Number] = {}
        for tail, head, weight in self.arcs:
            weight = 1 if self.dtype is None else weight
            for pair in {(tail, head)} if self.directed else {(tail, head), (head, tail)}:
                old = kept.get(pair)
                if old is None or self.parallel == "last" or (self.parallel == "min" and weight < old):
                    kept[pair] = weight
        return kept

    def graph(self) -> apsp.Graph:
        """The graph as apsp has it."""
        tails, heads = (np.array([arc[k] for arc in self.arcs], dtype=np.int64) for k in (0, 1))
        weights = None if self.dtype is None else np.array([arc[2] for arc in self.arcs], dtype=self.dtype)
        zones = None
        if self.zones:
            zones = np.zeros(self.n, dtype=bool)
            zones[self.zones] = True
        labels = {} if self.labels is None else {"labels": labels_of(self.labels, self.n)}
        return apsp.from_edges(
            tails, heads, weights, n=self.n, directed=self.directed, parallel=self.parallel, zones=zones,
            **labels,
        )  # fmt: skip

    def changed(self, **changes: Any) -> Case:
        return replace(self, **changes)

    # -- files --------------------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, facts: dict[str, Any]) -> Case:
        arcs = [(int(tail), int(head), weight) for tail, head, weight in facts["arcs"]]
        return cls(**(facts | {"arcs": arcs}))

    @classmethod
    def load(cls, path: Path) -> Case:
        return cls.from_dict(json.loads(path.read_text())["case"])
