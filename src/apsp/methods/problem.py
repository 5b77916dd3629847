"""The input and the interface of a solver: everything is decided before a solver is called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from apsp.graph.model import Graph
from apsp.semiring import MIN_PLUS, Semiring

__all__ = ["IntArray", "KernelProgress", "Problem", "Solver"]

IntArray = npt.NDArray[np.int32]
KernelProgress = Callable[[int], None]
"""Called with the number of requested rows (or pivots, out of n) that are done; an exception stops the work."""


@dataclass(frozen=True)
class Problem:
    """One request, with all decisions of the planner.

    Attributes
    ----------
    graph : Graph
    dtype : numpy dtype
        Of the distances; the planner has proven that every distance fits.
    semiring : Semiring
        (min,+) unless the method supports others.
    targets : (T,) int32 or None
        Columns of the distances; None means all n vertices in order.
    cutoff : int, float or None
        Distances above it are reported as "no path"; the cutoff itself is included.
    threads : int
        CPU threads to use, at least 1.
    device : str
        'cpu' or 'cuda'; only some methods support others than the CPU.
    gpus : tuple of int
        Numbers of the GPUs to use, as CuPy counts them; empty on the CPU.
    gpu_memory : int or None
        Bytes of each GPU that may be used; None means all that is free.
    pages_file : Path or None
        Where to keep the matrix while it is computed, so that a stopped run can be resumed; None means in memory.
    matrix_in : str or None
        Where the matrix is stored on GPUs: 'device' (in the memory of one), 'devices', 'host', 'file' or 'rows' (they
        leave its memory block by block). None leaves it to the solver.
    """

    graph: Graph
    dtype: np.dtype[Any]
    semiring: Semiring = MIN_PLUS
    targets: IntArray | None = None
    cutoff: int | float | None = None
    threads: int = 1
    device: str = "cpu"
    gpus: tuple[int, ...] = ()
    gpu_memory: int | None = None
    pages_file: Path | None = None
    matrix_in: str | None = None

    @property
    def columns(self) -> int:
        """Columns of a distance row."""
        return self.graph.n if self.targets is None else len(self.targets)


class Solver(Protocol):
    """The result of `prepare(problem)` of a method: per-graph work is done, rows can be computed.

    A row method computes rows of any sources, any number of times (streaming calls it block by block); a matrix method
    computes all n rows and is called once.
    """

    def fill(
        self,
        sources: IntArray,
        dist: Any,
        pred: Any,
        progress: KernelProgress | None = None,
    ) -> None:
        """Write the distances from `sources` and, if requested, their predecessors.

        Parameters
        ----------
        sources : (S,) int32
        dist : (S, problem.columns) of problem.dtype
            Overwritten; "no path" is `apsp.unreachable(dtype)`. C order, may be a view with a longer row stride. A
            NumPy array; where problem.device is 'cuda' it may be a CuPy array of the first GPU, and so may `pred`.
        pred : (S, n) int32 or None
            Overwritten: pred[i, v] is the vertex before v on a shortest path from sources[i]; -1 for the source
            itself, where there is no path, and beyond the cutoff (but with negative arcs, a vertex beyond the cutoff
            keeps its predecessor if a path within the cutoff passes it). Always all n columns, so that paths can be
            walked.

        Raises
        ------
        NegativeCycleError
            With the cycle; the arrays are then undefined.

        Notes
        -----
        A solver that may run on another device than that of the problem has an attribute `ran_on`: 'cpu' or 'cuda'. One
        that can sum up rows while it computes them has a method `measure(sources, progress)`, which returns a
        `RowSums`, or None if that is not possible for its problem.
        """
        ...
