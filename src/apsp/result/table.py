"""A table of distances whose rows and columns are vertices: the part of results without paths and files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from apsp._types import HostOrGpuArray, JsonObject, NumPyArray, VertexLike, VerticesLike
from apsp.errors import RequestError
from apsp.graph.model import Graph
from apsp.result import choosing
from apsp.semiring import MIN_PLUS, Semiring
from apsp.system.array_device import beside, module_of, to_host
from apsp.system.cached import cached_property
from apsp.system.checksums import Unchecked, check_all
from apsp.system.lack_of_memory import memory_errors
from apsp.system.progress import Progress, reporting

__all__ = ["DistanceTable"]


class DistanceTable:
    """The table of distances of `apsp.result.result.Result`."""

    def __init__(
        self,
        graph: Graph,
        distances: HostOrGpuArray,
        *,
        source_positions: npt.NDArray[np.int32] | None = None,
        target_positions: npt.NDArray[np.int32] | None = None,
        pred: HostOrGpuArray | None = None,
        counts: NumPyArray | None = None,
        cutoff: float | None = None,
        semiring: Semiring = MIN_PLUS,
        info: JsonObject | None = None,
        unchecked: Sequence[Unchecked] = (),
    ) -> None:
        everything = np.arange(graph.n, dtype=np.int32)
        self.graph = graph
        self.distances = distances
        self.source_positions = everything if source_positions is None else source_positions
        self.target_positions = everything if target_positions is None else target_positions
        self.cutoff = cutoff
        self.semiring = semiring
        self.info = dict(info or {})
        self._pred = pred
        self._counts = counts
        self._unchecked = unchecked
        self._all_sources = source_positions is None
        self._all_targets = target_positions is None

    @cached_property
    def sources(self) -> NumPyArray:
        """(S,) vertices of the rows, as the graph labels them.

        The dtype is int32 (positions) if the graph has no labels, int64 for integer labels, and object otherwise.
        """
        return self.graph.labels.take(self.source_positions)

    @cached_property
    def targets(self) -> NumPyArray:
        """(T,) vertices of the columns, like `sources`."""
        return self.graph.labels.take(self.target_positions)

    def distance(self, source: VertexLike, target: VertexLike) -> int | float:
        """Return the length of a shortest path; `math.inf` if there is none (within the cutoff).

        Of widest paths (max_min) it is `-math.inf` if there is none, and `math.inf` from a vertex to itself; of minimax
        paths (min_max) the other way round. This holds for every dtype of the distances.

        Parameters
        ----------
        source, target : hashable
            Vertices, as the graph labels them; they must be among `sources` and `targets`.

        Returns
        -------
        int or float
            The distance.

        Raises
        ------
        GraphError
            If a vertex does not exist.
        RequestError
            If a vertex is not among the sources or targets that were solved for.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> result = apsp.solve(graph)
        >>> result.distance("a", "c"), result.distance("c", "a")
        (5, inf)
        """
        row, column = self._row(self._source(source)), self._column(self._target(target))
        value = to_host(self.distances[row, column]).item()
        if value == self.semiring.no_path(self.distances.dtype):
            return self.semiring.no_path(np.float64)
        if self.semiring is not MIN_PLUS and value == self.semiring.empty_path(self.distances.dtype):
            return self.semiring.empty_path(np.float64)
        return value  # type: ignore[no-any-return]

    @memory_errors
    def __getitem__(self, pair: tuple[VerticesLike | slice, VerticesLike | slice]) -> Any:
        """`result[source, target]`: a distance, or a part of the matrix.

        Parameters
        ----------
        pair : tuple of two
            A source and a target, each a vertex as the graph labels it, a list or 1-D array of vertices, or `:` for
            all. Without labels a slice `a:b` stands for the vertices a to b - 1.

        Returns
        -------
        int or float, or array
            For two vertices the value of `distance`. For a vertex and several ones a row or a column, and for several
            ones on both sides the matrix of all their pairs, in the dtype and on the device of `distances`.

        Raises
        ------
        GraphError, RequestError
            As `distance`; also if there are not two indices, or a slice has bounds although the vertices have labels.
        """
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise RequestError("result[source, target] needs a source and a target; ':' stands for all of them")
        source, target = cast("tuple[Any, Any]", pair)
        if not choosing.is_many(source) and not choosing.is_many(target):
            return self.distance(source, target)
        rows = self._chosen(source, self.source_positions, self._all_sources, "sources")
        columns = self._chosen(target, self.target_positions, self._all_targets, "targets")
        with beside(self.distances):
            return self.distances[rows][..., columns]

    __iter__ = None  # positions of rows could be mistaken for vertices
    __contains__ = None

    def _chosen(self, given: Any, kept: npt.NDArray[np.int32], everything: bool, word: str) -> Any:
        """The index of one axis: a number, a slice, or an array on the device of the distances."""
        if not choosing.is_many(given):
            return self._place(self._position(given, kept), kept, everything, word)
        positions = choosing.positions(self.graph, given, kept)
        if positions is None:
            return slice(None)
        found = positions if everything else choosing.places(self.graph, positions, kept, word)
        return module_of(self.distances).asarray(found)

    @memory_errors
    def check(self, *, progress: Progress = False) -> None:
        """Compare the bytes of matrices that lie in a file (see `load`) with their checksums, once.

        Methods that read whole matrices do this first: `verify` of all rows, `to_long`, `to_dict`, `to_pandas`,
        `to_xarray`, `next_hops`, `via`, `save`; and pickling.

        Parameters
        ----------
        progress : bool or callable
            True draws a bar; a callable is called as progress(stage, done, total).

        Raises
        ------
        FileFormatError
            If a matrix is damaged; the message names it.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> result = apsp.solve(graph, paths=True)
        >>> result.save("result.npz")
        >>> apsp.load("result.npz").check()
        """
        if self._unchecked:
            with reporting(progress) as report:
                check_all(self._unchecked, report)
            self._unchecked = ()

    def _position(self, label: VertexLike, kept: npt.NDArray[np.int32]) -> int:
        """The position of a vertex, or of a place if the kept positions are those of places."""
        labels, start = self.graph.labels.part(kept)
        return start + labels.index(label)

    def _source(self, label: VertexLike) -> int:
        """The position of a source in the graph."""
        return self._position(label, self.source_positions)

    def _target(self, label: VertexLike) -> int:
        """The position of a target in the graph."""
        return self._position(label, self.target_positions)

    def _row(self, source: int) -> int:
        """The row of a source, which is given by its position in the graph."""
        return self._place(source, self.source_positions, self._all_sources, "sources")

    def _column(self, target: int) -> int:
        return self._place(target, self.target_positions, self._all_targets, "targets")

    def _place(self, vertex: int, kept: npt.NDArray[np.int32], everything: bool, word: str) -> int:
        if everything:
            return vertex
        found = np.flatnonzero(kept == vertex)
        if not len(found):
            raise RequestError(f"vertex {self.graph.word(vertex)} is not among the {word} that were solved for")
        return int(found[0])
