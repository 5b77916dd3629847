"""Queries of a result about all shortest paths of a pair: how many there are, and which."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray, Vertex, VertexLike
from apsp.errors import NoPathError, PathsNotKeptError, RequestError, VerificationError
from apsp.facts.ties import comparable_cutoff
from apsp.graph.links import kept_links
from apsp.graph.path_length import length
from apsp.result.path_queries import PathQueries
from apsp.result.tied_paths import TiedArcs, tied_predecessors
from apsp.semiring import MIN_PLUS, is_unreachable
from apsp.system.arguments import flag
from apsp.system.array_device import to_host
from apsp.system.lack_of_memory import memory_errors

__all__ = ["TiedQueries"]


class TiedQueries(PathQueries):
    """The queries of `apsp.result.result.Result` about equally short paths."""

    @property
    def counts(self) -> NumPyArray:
        """(S, T) int64: [i, j] is the number of shortest paths from sources[i] to targets[j], 0 where there is none.

        The array is in host memory. int64 means that all numbers are exact. It is float64 if some number is about 2^63
        or more: then those below 2^53 are exact, and the others are good to a few roundings.

        A path visits no vertex twice; a vertex has one path to itself, without arcs. Parallel arcs count as one,
        self-loops do not count, and no path passes a zone. Paths of integer weights are equally short if their lengths
        are equal. Lengths of float weights are summed from the source in float64, and paths to a vertex are equally
        short if these sums are equal, as for `apsp.betweenness_centrality`: for decimal fractions use integers
        (multiples of a unit).

        Raises
        ------
        PathsNotKeptError
            If the result was solved without `counts=True`.
        """
        if self._counts is None:
            raise PathsNotKeptError("paths were not counted: solve(..., counts=True) counts them")
        return self._counts

    @property
    def has_counts(self) -> bool:
        """Paths were counted (`counts=True`)."""
        return self._counts is not None

    def count(self, source: VertexLike, target: VertexLike) -> int | float:
        """Return the number of shortest paths between two vertices; 0 if there is none.

        Parameters
        ----------
        source, target : hashable
            Vertices, as the graph labels them; they must be among `sources` and `targets`.

        Returns
        -------
        int or float
            The number, of `counts`.

        Raises
        ------
        GraphError
            If a vertex does not exist.
        RequestError
            If a vertex is not among the sources or targets that were solved for.
        PathsNotKeptError
            If the result was solved without `counts=True`.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 0, 1, 2], [1, 2, 3, 3], labels=["a", "b", "c", "d"])
        >>> apsp.solve(graph, counts=True).count("a", "d")
        2
        """
        row, column = self._row(self.graph.index(source)), self._column(self.graph.index(target))
        return self.counts[row, column].item()  # type: ignore[no-any-return]

    @memory_errors
    def all_paths(self, source: VertexLike, target: VertexLike, *, links: bool = False) -> Iterator[list[Vertex]]:
        """Yield all shortest paths between two vertices, one at a time.

        This needs neither `paths=True` nor `counts=True`.

        Parameters
        ----------
        source, target : hashable
            Vertices, as the graph labels them; they must be among `sources` and `targets`.
        links : bool
            Yield the numbers of the links of each path, as `path` returns them: of parallel links the one that is an
            arc, also if others are as long.

        Returns
        -------
        iterator of list
            Each path with both ends, as the graph labels its vertices; in lexicographic order of their positions.
            Or the numbers of its links.

        Raises
        ------
        GraphError
            If a vertex does not exist.
        RequestError
            If a vertex is not among the sources or targets that were solved for, the result is not of shortest paths,
            or float weights are negative; if the graph keeps no links.
        NoPathError
            If there is none (within the cutoff).
        VerificationError
            If no path has the distance of the two: the distances are not those of this graph.

        See Also
        --------
        tied_predecessors : The arcs of all shortest paths from a source.

        Notes
        -----
        Which paths are equally short: `counts`. A path visits no vertex twice, so there are finitely many, also along
        those cycles of length zero that `counts` refuses.

        A search from the source comes first, up to the distance of the target; then each path costs its number of arcs.
        There may be exponentially many paths: `itertools.islice` takes some.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 0, 1, 2], [1, 2, 3, 3], labels=["a", "b", "c", "d"])
        >>> list(apsp.solve(graph).all_paths("a", "d"))
        [['a', 'b', 'd'], ['a', 'c', 'd']]
        """
        self._check_shortest("all_paths")
        s, t = self.graph.index(source), self.graph.index(target)
        row, column = self._row(s), self._column(t)
        value = to_host(self.distances[row, column])
        if is_unreachable(value):
            raise NoPathError(self.graph.word(s), self.graph.word(t))
        arcs = None
        if math.isfinite(value):
            bound = comparable_cutoff(self.graph, value.item(), value.dtype)
            arcs = TiedArcs(tied_predecessors(self.graph, s, bound), s, t)
        if arcs is None or not self._agrees(arcs, value.item()):
            raise VerificationError(
                f"no path has the distance from {self.graph.word(s)} to {self.graph.word(t)}: it is not of this graph"
            )
        if flag(links, "links"):
            kept_links(self.graph)
            return map(self._links, arcs.paths())
        return map(self._named, arcs.paths())

    @memory_errors
    def tied_predecessors(self, source: VertexLike) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
        """Return all vertices before each vertex on shortest paths from a source, as the arrays of a CSR matrix.

        This needs neither `paths=True` nor `counts=True`; it costs a search from the source.

        Parameters
        ----------
        source : hashable
            A vertex, as the graph labels it, among `sources`.

        Returns
        -------
        indptr : (n + 1,) int64
            Where the predecessors of each vertex begin.
        indices : (k,) int32
            The vertices before v are indices[indptr[v] : indptr[v + 1]], ascending; none before the source, and where
            there is no path (within the cutoff). Vertices are positions, even if the graph has labels.

        Raises
        ------
        GraphError
            If the vertex does not exist.
        RequestError
            If the vertex is not among the sources that were solved for, the result is not of shortest paths, or float
            weights are negative.
        PathsNotKeptError
            If columns are missing (`targets`), there is a cutoff, and the graph has negative arcs.

        Notes
        -----
        Which paths are equally short: `counts`. Arcs of length zero may form cycles; otherwise the arcs have none.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 0, 1, 2], [1, 2, 3, 3])
        >>> indptr, indices = apsp.solve(graph).tied_predecessors(0)
        >>> indices[indptr[3] : indptr[4]].tolist()
        [1, 2]

        As a matrix of SciPy, with the vertices before v in row v:

        >>> from scipy.sparse import csr_array
        >>> csr_array((indices >= 0, indices, indptr), shape=(graph.n, graph.n)).nnz
        4
        """
        self._check_shortest("tied_predecessors")
        s = self.graph.index(source)
        row = self._row(s)
        if self.cutoff is not None and self.graph.has_negative_arc and not self._all_targets:
            raise PathsNotKeptError(
                "with negative arcs, a cutoff and missing columns (targets), it is not known which vertices are within"
                " the cutoff: solve without targets"
            )
        if self.cutoff is None:
            return tied_predecessors(self.graph, s, None)
        bound = comparable_cutoff(self.graph, self.cutoff, self.distances.dtype)
        indptr, indices = tied_predecessors(self.graph, s, bound)
        if not self._all_targets:
            return indptr, indices
        beyond = is_unreachable(self.distances[row])
        dropped = np.repeat(beyond, np.diff(indptr))
        lengths = np.where(beyond, 0, np.diff(indptr))
        return np.concatenate(([0], np.cumsum(lengths))), indices[~dropped]

    def _agrees(self, arcs: TiedArcs, distance: float) -> bool:
        """Whether there are paths, of this distance if lengths are exact."""
        path = next(arcs.paths(), None)
        return path is not None and (not self.graph.has_integer_weights or length(self.graph, path) == distance)

    def _check_shortest(self, name: str) -> None:
        if self.semiring is not MIN_PLUS:
            raise RequestError(f"{name}() is of shortest paths, and this result is of {self.semiring.name}")
