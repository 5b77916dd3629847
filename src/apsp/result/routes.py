"""The vertices of shortest paths: by predecessors, on the device that holds them, or from distances.

Cost of a path: one step per vertex by predecessors (on a GPU all paths at once), O(m) from distances.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import NoPathError, PathsNotKeptError
from apsp.graph.model import Graph
from apsp.result import paths, walk
from apsp.result.backward import ArcsBefore
from apsp.semiring import MIN_PLUS, Semiring, bound_in, unreachable
from apsp.system.array_device import is_on_gpu, to_host

__all__ = ["Routes"]


@dataclass(frozen=True)
class Routes:
    """The arrays from which paths are found; see `apsp.result.result.Result`.

    Attributes
    ----------
    distances : (S, T) array
    pred : (S, n) int32 or None
        None if predecessors were not kept.
    sources : (S,) int32
    targets : (T,) int32 or None
        None means all n vertices.
    before : ArcsBefore or None
        Finds single paths from all n integer distances of a row.
    """

    graph: Graph
    distances: Any
    pred: Any
    sources: npt.NDArray[np.int32]
    targets: npt.NDArray[np.int32] | None
    cutoff: float | None
    semiring: Semiring
    before: ArcsBefore | None = None

    def between(self, rows: Sequence[int], starts: Sequence[int], ends: Sequence[int]) -> list[list[int]]:
        """Return paths; the q-th goes from starts[q], whose row is rows[q], to ends[q], and is [] if there is none.

        Raises
        ------
        PathsNotKeptError
            If paths can be found neither by predecessors nor from distances.
        """
        if is_on_gpu(self.pred):
            numbers = (np.array(given, dtype=np.int32) for given in (rows, starts, ends))
            found = [path.tolist() for path in walk.paths_between(self.pred, *numbers)]
        else:
            found = [self._walk(*query) for query in zip(rows, starts, ends, strict=True)]
        return [[] if path and self._is_passed_only(row, path) else path for row, path in zip(rows, found, strict=True)]

    def _walk(self, row: int, source: int, target: int) -> list[int]:
        try:
            if self.before is not None:
                return self.before.path(to_host(self.distances[row]), source, target)
            return paths.walk(self._predecessors(row), source, target)
        except NoPathError:
            return []

    def _predecessors(self, row: int) -> npt.NDArray[np.int32]:
        if self.pred is not None:
            return to_host(self.pred[row])
        if self.semiring is not MIN_PLUS:
            raise PathsNotKeptError(f"paths of {self.semiring.name} were not kept: solve(..., paths=True) keeps them")
        if self.targets is not None:
            raise PathsNotKeptError("targets left out columns, so paths cannot be found: solve(..., paths=True)")
        if self.cutoff is not None and self.graph.has_negative_arc:
            raise PathsNotKeptError(
                "with negative arcs, a path may pass vertices beyond the cutoff, so it cannot be found from the "
                "distances: solve(..., paths=True)"
            )
        return paths.predecessors_from_distances(self.graph, int(self.sources[row]), to_host(self.distances[row]))

    def _is_passed_only(self, row: int, path: list[int]) -> bool:
        """Whether the end of this path is beyond the cutoff, but on a path within the cutoff (with negative arcs)."""
        if self.cutoff is None or not self.graph.has_negative_arc or self.semiring is not MIN_PLUS:
            return False
        columns = np.array([path[-1]]) if self.targets is None else np.flatnonzero(self.targets == path[-1])
        if len(columns):
            return bool(to_host(self.distances[row, int(columns[0])]) == unreachable(self.distances.dtype))
        dtype = self.distances.dtype
        bound = bound_in(self.cutoff, dtype)
        return bound is not None and bool(dtype.type(paths.length(self.graph, path)) > bound)
