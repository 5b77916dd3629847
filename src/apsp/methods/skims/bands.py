"""Skims in bands of sources, which several processes compute, and which a store keeps.

Every row is computed alone, so that its bits do not depend on the bands.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.graph.model import Graph
from apsp.methods.skims.choice import chosen
from apsp.methods.skims.skims import SkimSolver

__all__ = ["KeptSolver", "SkimPlan", "skim_plan"]

_LEAST_ROWS = 64
"""More than the sources of a batch."""


@dataclass(frozen=True)
class SkimPlan:
    """How skims are computed.

    Attributes
    ----------
    method, device : str
        'elimination' or 'searches'; 'cpu', 'cuda' or 'emulated'.
    threads : int
    seconds_once, seconds : float
        Estimated time of the order of elimination and the factor, and of all rows, on the CPU.
    seconds_row : float
        Of one core.
    preparation : mapping
        Arrays that other processes store with the same graph: see `Method.shares_preparation`.
    """

    method: str
    device: str
    threads: int
    seconds_once: float
    seconds: float
    seconds_row: float
    preparation: Mapping[str, npt.NDArray[Any]]

    @property
    def dtype(self) -> np.dtype[np.float64]:
        """Of the matrices."""
        return np.dtype(np.float64)

    def rows_in(self, seconds: float) -> int:
        """Return the rows that take so long with the threads of the plan."""
        return max(math.ceil(seconds * self.threads / max(self.seconds_row, 1e-12)), _LEAST_ROWS)


def skim_plan(
    graph: Graph, shape: tuple[int, int, int], *, by: str | None = None, device: str, threads: int
) -> SkimPlan:
    """Plan matrices of a shape (K, S, T); parameters and errors are those of `chosen`."""
    choice = chosen(graph, shape, by=by, device=device, threads=threads)
    return SkimPlan(
        choice.method, choice.device, threads, choice.seconds_once, shape[1] * choice.seconds_row / threads,
        choice.seconds_row, {} if choice.tree is None else choice.tree.arrays(),
    )  # fmt: skip


class KeptSolver:
    """What the calls for bands compute once in a process; copies and pickles are empty."""

    def __init__(self) -> None:
        self._key: tuple[Any, ...] | None = None
        self._solver: SkimSolver | None = None

    def solver(self, key: tuple[Any, ...], make: Callable[[], SkimSolver]) -> SkimSolver:
        """Return the solver of a key, made at the first call."""
        if self._solver is None or self._key != key:
            self._solver = None  # before another factor needs memory
            self._key, self._solver = key, make()
        return self._solver

    def __reduce__(self) -> tuple[type[KeptSolver], tuple[()]]:
        return KeptSolver, ()
