"""Blocks of rows, one after another, as returned by `stream` and used by the measures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray
from apsp.errors import ApspError, DeviceError, MemoryLimitError, PathsNotKeptError
from apsp.gpu.memory import free_on_failure, free_unused
from apsp.graph.labels import Labels
from apsp.graph.to_numpy import HasDistances
from apsp.methods.problem import IntArray, Solver
from apsp.planning.plan import Plan
from apsp.running.output import new_array
from apsp.system.array_device import device_name, to_host
from apsp.system.progress import Progress, offset, reporting

__all__ = ["Block", "BlockArrays", "blocks", "going_on"]

Outcome = TypeVar("Outcome")


class Block(HasDistances):
    """Some rows of the distances, as returned by `apsp.stream`.

    The attributes have the same names as those of `apsp.Result`.

    Parameters
    ----------
    source_positions : (R,) int32
        Sources of the rows, by their positions in the graph.
    distances : (R, T) array, NumPy or, if a GPU was requested by name, CuPy
        Entry [i, j] is the distance from sources[i] to targets[j];
        `apsp.unreachable(distances.dtype)` where there is no path.
    pred : (R, n) int32, optional
        Predecessors by position: `predecessors`.
    labels : Labels, optional
        Labels of the vertices of the graph; None stands for their positions.
    target_positions : (T,) int32, optional
        Vertices of the columns; all n by default.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> block = next(apsp.stream(graph, rows=2))
    >>> block.sources, block.distances.tolist()
    (array([0, 1], dtype=int32), [[0, 4, 5], [3, 0, 1]])
    """

    __slots__ = ("_pred", "_target_positions", "distances", "labels", "source_positions")

    source_positions: IntArray
    distances: NumPyArray
    labels: Labels | None

    def __init__(
        self,
        source_positions: IntArray,
        distances: NumPyArray,
        pred: IntArray | None = None,
        labels: Labels | None = None,
        target_positions: IntArray | None = None,
    ) -> None:
        self.source_positions = source_positions
        self.distances = distances
        self.labels = labels
        self._pred = pred
        self._target_positions = target_positions

    @property
    def sources(self) -> NumPyArray:
        """(R,) labels of the rows: int32 positions if the graph has no labels, int64 for integers, else objects."""
        return self._called(self.source_positions)

    @property
    def targets(self) -> NumPyArray:
        """(T,) labels of the columns, of the same dtypes as `sources`."""
        return self._called(self.target_positions)

    @property
    def target_positions(self) -> IntArray:
        """(T,) int32 positions of the columns."""
        if self._target_positions is None:
            return np.arange(self.distances.shape[1], dtype=np.int32)
        return self._target_positions

    @property
    def predecessors(self) -> IntArray:
        """(R, n) int32: [i, v] is the vertex before v on a shortest path from sources[i], -1 where there is none.

        Vertices are positions, even if the graph has labels. The array is on the same device as the distances.

        Raises
        ------
        PathsNotKeptError
            If the blocks were computed without `paths=True`.
        """
        if self._pred is None:
            raise PathsNotKeptError("predecessors were not kept: stream(..., paths=True) keeps them")
        return self._pred

    @property
    def has_predecessors(self) -> bool:
        """Predecessors were kept (`paths=True`)."""
        return self._pred is not None

    def _called(self, positions: IntArray) -> npt.NDArray[Any]:
        return positions if self.labels is None else self.labels.take(positions)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles hold host arrays."""
        pred = None if self._pred is None else to_host(self._pred)
        return _rebuilt, (self.source_positions, to_host(self.distances), pred, self.labels, self._target_positions)

    def __repr__(self) -> str:
        rows, columns = self.distances.shape
        with_paths = ", with paths" if self.has_predecessors else ""
        return f"Block({rows} x {columns}, {self.distances.dtype}, {device_name(self.distances)}{with_paths})"


def _rebuilt(sources: IntArray, dist: Any, pred: Any, labels: Labels | None, targets: IntArray | None) -> Block:
    return Block(sources, dist, pred, labels, target_positions=targets)


@dataclass
class BlockArrays:
    """The arrays of blocks.

    Attributes
    ----------
    widths : (int, int or None)
        Columns of distances, and of predecessors if requested.
    reuse : bool
        Use the same arrays for every block.
    gpu : int or None
        The GPU that holds them; None means the host.
    labels : Labels or None
        Of the vertices of the graph.
    targets : (T,) int32 or None
        Vertices of the columns; None means all.
    """

    widths: tuple[int, int | None]
    dtype: np.dtype[Any]
    reuse: bool
    gpu: int | None
    labels: Labels | None = None
    targets: IntArray | None = None
    dist: Any = None
    pred: Any = None

    @property
    def row_bytes(self) -> int:
        """Bytes of a row, with its predecessors."""
        return self.widths[0] * self.dtype.itemsize + (self.widths[1] or 0) * np.dtype(np.int32).itemsize

    def block(self, sources: IntArray) -> Block:
        """Return an unfilled block for the rows of these sources."""
        if self.dist is None or not self.reuse:
            self.dist = self.pred = None  # before others are made
            self.dist = new_array((len(sources), self.widths[0]), self.dtype, self.gpu)
            if self.widths[1] is not None:
                self.pred = new_array((len(sources), self.widths[1]), np.int32, self.gpu)
        rows = len(sources)
        pred = None if self.pred is None else self.pred[:rows]
        return Block(sources, self.dist[:rows], pred, self.labels, self.targets)


def blocks(
    solver: Solver,
    plan: Plan,
    sources: IntArray,
    arrays: BlockArrays,
    progress: Progress,
    instead: Callable[[], Solver] | None,
) -> Iterator[Block]:
    """Fill and yield block after block.

    Parameters
    ----------
    sources : (S,) int32
        All of them.
    instead : callable or None
        Returns the CPU solver that continues if a GPU fails that was not requested.
    """
    height = min(plan.block_rows, len(sources))
    with reporting(progress) as report:
        for start in range(0, len(sources), max(height, 1)):
            part, kernel_progress = sources[start : start + height], offset(report, plan.method, start, len(sources))
            try:
                with free_on_failure(plan.gpus):
                    block = arrays.block(part)
                    solver.fill(part, block.distances, block._pred, kernel_progress)
            except (MemoryLimitError, DeviceError) as error:
                solver, instead = going_on(error, instead), None
                arrays.gpu = arrays.dist = None
                block = arrays.block(part)
                solver.fill(part, block.distances, block._pred, kernel_progress)
            yield block
        if instead is not None:
            free_unused(plan.gpus)  # without a request for a GPU, its memory must not stay allocated


def going_on(error: ApspError, instead: Callable[[], Outcome] | None) -> Outcome:
    """Return the solver that continues after a GPU failure; raise the failure if there is none."""
    if instead is None:
        raise error
    try:
        return instead()
    except ApspError:
        raise error from None
