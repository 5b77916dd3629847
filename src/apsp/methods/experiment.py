"""The experiments of `apsp tune`: pairs of constants of a method, and the graphs to find them."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SPARSE", "Experiment"]

SPARSE = ((2000, 4), (2000, 32))
"""Graphs used by many experiments."""


@dataclass(frozen=True)
class Experiment:
    """Two constants of a method, and the two graphs to find them: vertices, and arcs per vertex (0 means a grid).

    `whole`: the time of the other constants is part of a run, and subtracted. `prepared`: the method examines the graph
    first (`CostModel.looked_at`), and prepares again for every run.
    """

    method: str
    constants: tuple[str, str]
    dtype: str
    graphs: tuple[tuple[int, int], tuple[int, int]]
    negative: bool = False
    whole: bool = False
    prepared: bool = False
