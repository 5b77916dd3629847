"""The input and the interface of a solver: everything is decided before a solver is called."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.graph.model import Graph
from apsp.graph.places.ends import Ends
from apsp.reductions.row_sums import RowSums
from apsp.reductions.weighing import Weighing
from apsp.semiring import MIN_PLUS, Semiring
from apsp.system.checksums import Unchecked

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
        Distances above it are reported as "no path"; the cutoff itself is included. It becomes a number of the dtype
        (`Semiring.bound`), the same for all methods: None if nothing is cut off.
    rows : int or None
        How many sources follow, about, in all calls; None means all n.
    threads : int
        CPU threads to use, at least 1.
    device : str
        'cpu' or 'cuda'; only some methods support others than the CPU.
    gpus : tuple of int
        Numbers of the GPUs to use, as CuPy counts them; empty on the CPU.
    gpu_memory : int or None
        Bytes of each GPU that may be used; None means all that is free.
    pages_file : Path or None
        File that stores the matrix while it is computed, so that a stopped run can be resumed; None means in memory.
    matrix_in : str or None
        Where the matrix is stored on GPUs: 'device' (in the memory of one), 'devices', 'host', 'file' or 'rows' (they
        leave its memory block by block). None leaves it to the solver.
    """

    graph: Graph
    dtype: np.dtype[Any]
    semiring: Semiring = MIN_PLUS
    targets: IntArray | None = None
    cutoff: int | float | None = None
    rows: int | None = None
    threads: int = 1
    device: str = "cpu"
    gpus: tuple[int, ...] = ()
    gpu_memory: int | None = None
    pages_file: Path | None = None
    matrix_in: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "cutoff", self.semiring.bound(self.cutoff, self.dtype))

    @property
    def columns(self) -> int:
        """Columns of a distance row."""
        return self.graph.n if self.targets is None else len(self.targets)


class Solver(ABC):
    """The result of `prepare(problem)` of a method: per-graph work is done, rows can be computed.

    A method by rows may be called for any sources, any number of times (for a stream, block by block); a method that
    computes the whole matrix is called once.

    Attributes
    ----------
    ran_on : str or None
        The device of the last `fill`, if that is not the device of the problem: 'cpu' for work that a GPU leaves to
        the host.
    timings : mapping
        Seconds of parts of the last `fill`, by name, if the method measures them.
    unchecked : sequence of Unchecked
        Checksums of the array that `output` returned, if it was read from a file and not compared with them yet.
    """

    ran_on: str | None = None
    timings: Mapping[str, float] = MappingProxyType({})
    unchecked: Sequence[Unchecked] = ()

    @abstractmethod
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
            NumPy array; if problem.device is 'cuda' it may be a CuPy array on the first GPU, and so may `pred`.
        pred : (S, n) int32 or None
            Overwritten: pred[i, v] is the vertex before v on a shortest path from sources[i]; -1 for the source
            itself, where there is no path, and beyond the cutoff (but with negative arcs, a vertex beyond the cutoff
            keeps its predecessor if a path within the cutoff passes it). Always all n columns, so that paths can be
            followed.

        Raises
        ------
        NegativeCycleError
            With the cycle; the contents of the arrays are then undefined.
        """

    @property
    def can_fill_between(self) -> bool:
        """Whether `fill_between` takes points of this problem."""
        return False

    def fill_between(
        self, sources: Ends, targets: Ends, dist: npt.NDArray[np.float64], progress: KernelProgress | None = None
    ) -> None:
        """Write the distances between points that lie between the ends of arcs; only if `can_fill_between`.

        Parameters
        ----------
        sources, targets : Ends
            S and T points.
        dist : (S, T) float64
            Overwritten; infinite where there is no path. Ways that pass no end are left out.
        """
        raise NotImplementedError(f"{type(self).__name__} takes no points between ends")

    @property
    def can_measure(self) -> bool:
        """Whether `measure` can sum up rows of this problem while they are computed."""
        return False

    def measure(self, sources: IntArray, progress: KernelProgress | None = None) -> RowSums:
        """Sum up the rows of the sources without storing them; only if `can_measure`."""
        raise NotImplementedError(f"{type(self).__name__} sums up no rows")

    def can_weigh(self, weighing: Weighing) -> bool:  # noqa: ARG002
        """Whether `weigh` can add up these amounts while rows of this problem are computed."""
        return False

    def weigh(
        self, sources: IntArray, weighing: Weighing, progress: KernelProgress | None = None
    ) -> npt.NDArray[np.float64]:
        """Sums of amounts over the rows of the sources, (S, cutoffs, kinds), without storing the rows; only if
        `can_weigh`. The cutoff of the problem has no effect: those of `weighing` do.
        """
        raise NotImplementedError(f"{type(self).__name__} adds up no amounts")

    def preparation(self, rate: float) -> Mapping[str, npt.NDArray[Any]]:  # noqa: ARG002
        """Arrays from which other processes prepare the same problem in less time, if the method
        `shares_preparation`.

        Parameters
        ----------
        rate : float
            Bytes per second on their way: what takes longer to send than to compute is left out.
        """
        return {}

    def backwards(self) -> Solver | None:
        """Return the solver of distances to the sources, which shares what this one has stored.

        This solver itself if the reversed graph is the same; None if the reversed graph must be prepared for that.
        """
        return None

    def output(self) -> npt.NDArray[Any] | None:
        """Return the array in a file that `fill` takes as `dist`, so that the result needs no other memory; or None."""
        return None
