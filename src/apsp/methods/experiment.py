"""What `apsp tune` measures of a method: pairs of constants, and the graphs that tell them apart."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SPARSE", "Experiment"]

SPARSE = ((2000, 4), (2000, 32))
"""Graphs of many experiments."""


@dataclass(frozen=True)
class Experiment:
    """Two constants of a method, and the two graphs that tell them apart: vertices, and arcs a vertex (0 means a grid).

    `whole`: what the other constants stand for is part of a run, and taken off. `prepared`: the method looks closer at
    the graph first (`CostModel.looked_at`), and prepares anew for every run.
    """

    method: str
    constants: tuple[str, str]
    dtype: str
    graphs: tuple[tuple[int, int], tuple[int, int]]
    negative: bool = False
    whole: bool = False
    prepared: bool = False
