"""Results of `solve`: distances, paths, and their verification."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from apsp._types import (
    ArrowTable,
    Axes,
    DataArray,
    DataFrame,
    Figure,
    HostOrGpuArray,
    NumPyArray,
    PathLike,
    PolarsFrame,
    Vertex,
    VertexLike,
    csr_array,
)
from apsp.errors import NoPathError, PathsNotKeptError, RequestError, VerificationError, shown
from apsp.facts.ties import comparable_cutoff
from apsp.figures.explored_map import Map
from apsp.figures.options import Levels, Scale
from apsp.graph.labels.saved import check_savable
from apsp.graph.links import kept_links
from apsp.graph.long_table import LongTable
from apsp.graph.path_length import length, link_count, links_along, own_path
from apsp.graph.signed import Rounding, allowed_rounding
from apsp.graph.to_numpy import HasDistances
from apsp.graph.turns.turn_graph import refuse_turns
from apsp.result import exports, paths, walk
from apsp.result.routes import Routes
from apsp.result.table import DistanceTable
from apsp.result.tied_paths import TiedArcs, tied_predecessors
from apsp.result.verification import require_verifiable, sampled_rows, verify_rows
from apsp.semiring import MIN_PLUS, is_unreachable
from apsp.system.arguments import MOST_THREADS, flag, number, whole_number
from apsp.system.array_device import beside, device_name, is_on_gpu, to_host
from apsp.system.lack_of_memory import memory_errors
from apsp.system.progress import Progress, reporting

if TYPE_CHECKING:
    from apsp.result.file import StoredParts

__all__ = ["Result", "load_file"]


class Result(HasDistances, DistanceTable):
    """Distances between pairs of vertices of a graph, and their shortest paths.

    `apsp.solve` and `apsp.load` make results. `result[source, target]` is a distance, and a part of the matrix if one
    or both are `:` or a list of vertices. `numpy.asarray(result)` gives the distances as `to_numpy` does,
    `torch.from_dlpack(result)` as they are. Pickles and copies hold them in host memory. Apart from `pred` and
    `unchecked`, the parameters are attributes.

    Parameters
    ----------
    graph : Graph
        The graph.
    distances : (S, T) array of uint16, int32, int64, float32 or float64
        Entry [i, j] is the length of a shortest path from sources[i] to targets[j];
        `apsp.unreachable(distances.dtype)` where there is none. A CuPy array if it stayed on a GPU (device='cuda' was
        requested), which PyTorch and JAX read without a copy (DLPack); else a NumPy array.

        .. warning:: The dtype is the narrowest that holds the distances: sums of integers wrap, and "no path" is a
           number (65535 of uint16). Compute with `to_numpy`, which is float64 and infinite where there is no path.
    source_positions : (S,) int32, optional
        Vertices of the rows, by their positions in the graph; all n by default.
    target_positions : (T,) int32, optional
        Vertices of the columns; all n by default.
    pred : (S, n) int32, optional
        Predecessors by position: `predecessors`.
    counts : (S, T) int64 or float64, optional
        Numbers of shortest paths.
    cutoff : int, float or None
        Longest distance that was computed; None stands for no limit.
    semiring : Semiring
        The algebra: shortest, widest or minimax paths.
    info : dict, optional
        What ran: method, device, seconds, ... (JSON-ready).
    unchecked : sequence of Unchecked, optional
        Matrices in a file whose checksums have not been compared yet: see `check`.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
    >>> result = apsp.solve(graph, paths=True)
    >>> result.distances.tolist()
    [[0, 4, 5], [65535, 0, 1], [65535, 65535, 0]]
    >>> result.distance("a", "c"), result.path("a", "c")
    (5, ['a', 'b', 'c'])
    >>> result["a", "c"], result["a", :], result[["b", "a"], ["c"]].tolist()
    (5, array([0, 4, 5], dtype=uint16), [[1], [5]])
    >>> result.verify()
    """

    # -- paths ---------------------------------------------------------------------------------------------------------

    @memory_errors
    def path(self, source: VertexLike, target: VertexLike, *, links: bool = False) -> list[Vertex]:
        """Return the vertices of a shortest path, both ends included; [v] for a vertex to itself.

        Without kept predecessors (`paths=True`) the path is found from the distances in O(m).

        Parameters
        ----------
        source, target : hashable
            Vertices, as the graph labels them.
        links : bool
            Return the numbers of the links of the path, positions in `Graph.links`, which are the rows of the input;
            [] for a vertex to itself. The street of a place is one of them if the path takes a part of it.

        Returns
        -------
        list
            The vertices, as the graph labels them, or the numbers of the links.

        Raises
        ------
        GraphError
            If a vertex does not exist.
        RequestError
            If a vertex is not among the sources or targets that were solved for, or the graph keeps no links.
        NoPathError
            If there is none (within the cutoff).
        PathsNotKeptError
            If no predecessors were kept, and columns are missing (`targets`) or vertices beyond a cutoff that paths
            with negative arcs may need.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> result = apsp.solve(graph, paths=True)
        >>> result.path("a", "c")
        ['a', 'b', 'c']
        """
        s, t = self._source(source), self._target(target)
        found = self._path(s, t)
        if not found:
            raise NoPathError(self.graph.word(s), self.graph.word(t))
        return self._links(found) if flag(links, "links") else self._named(found)

    def _path(self, source: int, target: int) -> list[int]:
        """The positions on a shortest path between two positions; [] if there is none."""
        row = self._row(source)
        if self._pred is None:
            self._column(target)
        (found,) = self._routes.between([row], [source], [target])
        return found

    @memory_errors
    def paths(
        self, sources: Sequence[VertexLike], targets: Sequence[VertexLike], *, links: bool = False
    ) -> list[list[Vertex]]:
        """Return shortest paths of many pairs: the i-th from sources[i] to targets[i].

        On a GPU all paths are followed at once, and only their vertices are copied.

        Parameters
        ----------
        sources, targets : sequence of hashable
            Vertices, as the graph labels them; as many targets as sources.
        links : bool
            Return the numbers of the links of the paths, as `path` does.

        Returns
        -------
        list of list
            The paths, both ends included; [] where there is none. Or the numbers of their links.

        Raises
        ------
        RequestError
            If there are not as many targets as sources, or a vertex is not among those that were solved for; if the
            graph keeps no links.
        GraphError, PathsNotKeptError
            As `path`.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> result = apsp.solve(graph, paths=True)
        >>> result.paths(["a", "b", "c"], ["c", "c", "a"])
        [['a', 'b', 'c'], ['b', 'c'], []]
        """
        if not all(isinstance(given, Iterable) and getattr(given, "ndim", 1) == 1 for given in (sources, targets)):
            raise RequestError(f"sources and targets must be sequences, not {shown(sources)} and {shown(targets)}")
        sources, targets = list(sources), list(targets)
        if len(sources) != len(targets):
            raise RequestError(f"{len(sources)} sources but {len(targets)} targets: a path has one of each")
        if flag(links, "links"):
            link_count(self.graph)
        starts, ends = list(map(self._source, sources)), list(map(self._target, targets))
        found = self._routes.between([self._row(vertex) for vertex in starts], starts, ends)
        return list(map(self._links, found)) if links else list(map(self._named, found))

    def _links(self, path: list[int]) -> list[Vertex]:
        """The links of a path of positions."""
        return links_along(self.graph, path)

    def _named(self, path: list[int]) -> list[Vertex]:
        """A path of positions as one of labels."""
        labels = self.graph.labels
        path = own_path(self.graph, path)
        return path if labels.are_positions else list(map(labels.__getitem__, path))

    @property
    def _routes(self) -> Routes:
        return Routes(
            self.graph, self.distances, self._pred, self.source_positions,
            None if self._all_targets else self.target_positions,
            self.cutoff, self.semiring,
        )  # fmt: skip

    def next_hop(self, source: VertexLike, target: VertexLike) -> Vertex:
        """Return the vertex after `source` on a shortest path to `target`.

        Parameters
        ----------
        source, target : hashable
            Vertices, as the graph labels them.

        Returns
        -------
        hashable or None
            The vertex, as the graph labels it; None if there is no path or the two are the same.

        Raises
        ------
        GraphError, RequestError, PathsNotKeptError
            As `path`.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> result = apsp.solve(graph, paths=True)
        >>> result.next_hop("a", "c")
        'b'
        """
        found = self._path(self._source(source), self._target(target))
        return self.graph.labels[found[1]] if len(found) > 1 else None

    @property
    def predecessors(self) -> HostOrGpuArray:
        """(S, n) int32: [i, v] is the vertex before v on a shortest path from sources[i], -1 where there is none.

        Vertices are positions, even if the graph has labels. The array is on the same device as the distances.

        Raises
        ------
        PathsNotKeptError
            If the result was solved without `paths=True`.
        """
        if self._pred is None:
            raise PathsNotKeptError("predecessors were not kept: solve(..., paths=True) keeps them")
        refuse_turns(self.graph, "Result.predecessors", "Result.path has the paths")
        return self._pred

    @property
    def has_predecessors(self) -> bool:
        """Predecessors were kept (`paths=True`)."""
        return self._pred is not None

    @memory_errors
    def next_hops(self) -> HostOrGpuArray:
        """Return the first vertex after the source on a shortest path, for all pairs.

        Returns
        -------
        (S, n) int32
            Entry [i, v] is the first vertex after sources[i] on a shortest path to v, -1 where there is none.
            Vertices are positions, even if the graph has labels.

        Raises
        ------
        PathsNotKeptError
            If the result was solved without `paths=True`.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> result = apsp.solve(graph, paths=True)
        >>> result.next_hops()
        array([[-1,  1,  1],
               [-1, -1,  2],
               [-1, -1, -1]], dtype=int32)
        """
        self.check()
        if is_on_gpu(self.predecessors):
            return walk.first_hops(self._pred, self.source_positions)
        return paths.next_hop(self.predecessors)

    @memory_errors
    def via(self) -> HostOrGpuArray:
        """Return a vertex inside a shortest path, for all pairs.

        `apsp.result.paths.expand_via` expands it to a path (`path` is faster, and is also correct with cycles of length
        zero).

        Returns
        -------
        (n, n) int32
            Entry [i, j] is a vertex inside the path from i to j, -1 where the path is one arc, empty or does not exist.
            Vertices are positions, even if the graph has labels.

        Raises
        ------
        PathsNotKeptError
            If the result was solved without `paths=True`.
        RequestError
            If not all sources were solved for: the halves of a path start at any vertex.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> result = apsp.solve(graph, paths=True)
        >>> result.via()
        array([[-1, -1,  1],
               [-1, -1, -1],
               [-1, -1, -1]], dtype=int32)
        """
        refuse_turns(self.graph, "Result.via", "Result.path has the paths")
        if not self._all_sources:
            raise RequestError("via() needs the rows of all vertices: solve without sources")
        self.check()
        with beside(self.predecessors):
            return paths.intermediates(self.predecessors)

    # -- all shortest paths --------------------------------------------------------------------------------------------

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
        row, column = self._row(self._source(source)), self._column(self._target(target))
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
        s, t = self._source(source), self._target(target)
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
        s = self._source(source)
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
        refuse_turns(self.graph, f"Result.{name}", "Result.path has one of the paths")

    # -- for other packages --------------------------------------------------------------------------------------------

    @memory_errors
    def to_long(self, *, only_reachable: bool = True, predecessors: bool = False) -> dict[str, NumPyArray]:
        """Return columns source, target and distance with one row per pair: `pandas.DataFrame(result.to_long())`.

        Parameters
        ----------
        only_reachable : bool
            Leave out pairs without a path.
        predecessors : bool
            Add the column predecessor: the vertex before the target on a shortest path, -1 or None where there is none.

        Returns
        -------
        dict of str to array
            The columns 'source', 'target' and 'distance', and 'predecessor'.

        Raises
        ------
        PathsNotKeptError
            If the result was solved without `paths=True`, and predecessors are requested.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> result = apsp.solve(graph)
        >>> columns = result.to_long()
        >>> columns["source"].tolist(), columns["distance"].tolist()
        (['a', 'a', 'a', 'b', 'b', 'c'], [0, 4, 5, 0, 1, 0])
        """
        return self._long(only_reachable, predecessors).to_dict()

    @memory_errors
    def to_polars(self, *, only_reachable: bool = True, predecessors: bool = False) -> PolarsFrame:
        """Return a polars DataFrame with one row per pair.

        Parameters
        ----------
        only_reachable : bool
            Leave out pairs without a path; otherwise their distance is null.
        predecessors : bool
            Add the column predecessor: the vertex before the target on a shortest path, null where there is none.

        Returns
        -------
        polars.DataFrame
            The columns source, target, distance, and predecessor.

        Raises
        ------
        MissingDependencyError
            If polars is not installed.
        PathsNotKeptError
            If the result was solved without `paths=True`, and predecessors are requested.
        RequestError
            If the labels have several types.

        Examples
        --------
        >>> import apsp, polars
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> apsp.solve(graph, sources=["b"]).to_polars().rows()
        [('b', 'b', 0), ('b', 'c', 1)]
        """
        return self._long(only_reachable, predecessors).to_polars("Result.to_polars")

    @memory_errors
    def to_arrow(self, *, only_reachable: bool = True, predecessors: bool = False) -> ArrowTable:
        """Return a PyArrow table with one row per pair, which DuckDB and other libraries read without a copy.

        Parameters
        ----------
        only_reachable : bool
            Leave out pairs without a path; otherwise their distance is null.
        predecessors : bool
            Add the column predecessor: the vertex before the target on a shortest path, null where there is none.

        Returns
        -------
        pyarrow.Table
            The columns source, target, distance, and predecessor. Labels that are not integers are encoded as
            dictionaries, 4 bytes per row.

        Raises
        ------
        MissingDependencyError
            If pyarrow is not installed.
        PathsNotKeptError
            If the result was solved without `paths=True`, and predecessors are requested.
        RequestError
            If the labels have several types.

        Examples
        --------
        >>> import apsp, pyarrow
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> apsp.solve(graph, sources=["b"]).to_arrow().to_pylist()
        [{'source': 'b', 'target': 'b', 'distance': 0}, {'source': 'b', 'target': 'c', 'distance': 1}]
        """
        return self._long(only_reachable, predecessors).to_arrow("Result.to_arrow")

    def _long(self, only_reachable: bool, predecessors: bool) -> LongTable:
        return exports.long_form(self, only_reachable, predecessors)

    @memory_errors
    def to_scipy(self, dtype: npt.DTypeLike = "float64") -> csr_array:
        """Return the distances of pairs with a path as a sparse array of SciPy; distances of zero are entries.

        `apsp.within(graph, cutoff).to_scipy()` makes the same array without the (S, T) matrix of this result.

        Parameters
        ----------
        dtype : numpy dtype
            Any integer or float dtype that holds all distances: sums in that of `distances`, which is the narrowest,
            may wrap.

        Returns
        -------
        (S, T) scipy.sparse.csr_array
            A row per source and a column per target; pairs without a path have no entry. Rows are in the order of the
            targets.

        Raises
        ------
        RequestError
            If the dtype does not hold a distance.

        Examples
        --------
        >>> import apsp, scipy
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 3, 2])
        >>> near = apsp.solve(graph, cutoff=5).to_scipy()
        >>> near.indices.tolist(), near.data.tolist()
        ([0, 1, 1, 2, 3, 2, 3, 3], [0.0, 4.0, 0.0, 3.0, 5.0, 0.0, 2.0, 0.0])
        """
        return exports.scipy_of(self, dtype)

    @memory_errors
    def to_dict(self, *, only_reachable: bool = True) -> dict[Vertex, dict[Vertex, int | float]]:
        """Return dictionaries of distances, `found[source][target]`, as NetworkX does.

        Parameters
        ----------
        only_reachable : bool
            Leave out pairs without a path; otherwise their distance is `math.inf`.

        Returns
        -------
        dict of dict
            Distances as Python numbers, by the labels of the vertices.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> apsp.solve(graph).to_dict()
        {'a': {'a': 0, 'b': 4, 'c': 5}, 'b': {'b': 0, 'c': 1}, 'c': {'c': 0}}
        """
        return exports.dict_of(self, only_reachable)

    @memory_errors
    def to_pandas(self) -> DataFrame:
        """Return a pandas DataFrame of distances with the sources as index and the targets as columns.

        For one row per pair: `pandas.DataFrame(result.to_long())`.

        Returns
        -------
        pandas.DataFrame
            (S, T) distances, infinite where there is no path: integers become float64 if there is such a pair.

        Raises
        ------
        MissingDependencyError
            If pandas is not installed.
        RequestError
            If some pair has no path and float64 does not hold an integer distance exactly.

        Examples
        --------
        >>> import apsp, pandas
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> apsp.solve(graph).to_pandas()
        target    a    b    c
        source
        a       0.0  4.0  5.0
        b       inf  0.0  1.0
        c       inf  inf  0.0
        """
        return exports.pandas_of(self)

    @memory_errors
    def to_xarray(self) -> DataArray:
        """Return an xarray DataArray of distances with the dimensions source and target.

        Returns
        -------
        xarray.DataArray
            (S, T) distances, infinite where there is no path: integers become float64 if there is such a pair. Its
            attributes describe the run.

        Raises
        ------
        MissingDependencyError
            If xarray is not installed.
        RequestError
            If some pair has no path and float64 does not hold an integer distance exactly.

        Examples
        --------
        >>> import apsp, xarray
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> found = apsp.solve(graph).to_xarray()
        >>> found.dims, found.sel(source="a", target="c").item()
        (('source', 'target'), 5.0)
        """
        return exports.xarray_of(self)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> NumPyArray:
        """The distances as `to_numpy` returns them: float64 by default, infinite where there is no path.

        Raises
        ------
        ValueError
            If copy=False and a copy is necessary (as NumPy requires), or as `to_numpy`.
        """
        return exports.array_of(self, dtype, copy)

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None
    ) -> Any:
        """The distances where they lie, for `torch.from_dlpack(result)` and the like."""
        given = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
        with beside(self.distances):
            return self.distances.__dlpack__(**{name: value for name, value in given.items() if value is not None})

    def __dlpack_device__(self) -> tuple[int, int]:
        kind, number = self.distances.__dlpack_device__()
        return int(kind), int(number)

    # -- files, checks and pictures ------------------------------------------------------------------------------------

    @memory_errors
    def save(self, path: PathLike, *, progress: Progress = False) -> None:
        """Write the result, the graph included, to a file (`.npz`, no pickle). An old file stays until the end.

        Parameters
        ----------
        path : str or Path
            The file.
        progress : bool or callable
            True draws a bar; a callable is called as progress(stage, done, total).

        Raises
        ------
        GraphError
            If the labels of the vertices cannot be saved without pickling them: they may be integers, floats, strings,
            bytes, dates, and tuples of these.
        OutputError
            If the file cannot be written.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> result = apsp.solve(graph, paths=True)
        >>> result.save("result.npz")
        >>> apsp.load("result.npz").path("a", "c")
        ['a', 'b', 'c']
        """
        from apsp.result.file import write  # with the first file: `import apsp` stays quick

        check_savable(self.graph.labels)
        self.check()
        with reporting(progress) as report:
            write(path, self._kept(self.distances, self._pred), report)

    def _kept(self, distances: Any, pred: Any) -> StoredParts:
        from apsp.result.file import StoredParts

        return StoredParts(
            self.graph, distances, pred, None if self._all_sources else self.source_positions,
            None if self._all_targets else self.target_positions, self.cutoff, self.semiring, self.info,
            counts=self._counts,
        )  # fmt: skip

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles hold host arrays: other processes may not have the GPU or the file."""
        self.check()
        return _rebuilt, (self._kept(to_host(self.distances), None if self._pred is None else to_host(self._pred)),)

    @memory_errors
    def verify(
        self,
        *,
        tolerance: float | None = None,
        threads: int = 1,
        progress: Progress = False,
        sample: int | None = None,
        seed: int = 0,
    ) -> None:
        """Check every distance and predecessor against the graph in O(m) per source, without trusting the solver.

        A row is correct if and only if no arc can shorten a distance and every distance is attained by a chain of tight
        arcs from the source. Integers are checked exactly.

        Parameters
        ----------
        tolerance : float, optional
            For floats, the share of S that is allowed instead of k * eps (see Notes).
        threads : int
            CPU threads.
        progress : bool or callable
            True draws a bar; a callable is called as progress(stage, done, total).
        sample : int, optional
            Check only so many rows, chosen at random; all by default.
        seed : int
            Of the choice.

        Raises
        ------
        VerificationError
            If a distance or predecessor is wrong; the message names the first pair.
        FileFormatError
            If the file of the result, or a shard of its store, is damaged.
        RowsMissingError
            If rows of a store have not been computed yet.
        RequestError
            If an argument is invalid, columns were left out (`targets`), the result is not of shortest paths, or it has
            a cutoff although the graph has negative arcs (a path within the cutoff may pass vertices whose distance is
            not kept).

        Notes
        -----
        A float distance must not be longer than any path, nor shorter than the path found for it, by more than k eps S,
        where k is the number of arcs of the path, S the sum of their absolute lengths, and eps the machine epsilon of
        the distances (Higham 2002, "Accuracy and Stability of Numerical Algorithms", section 4.2). Long arcs that are
        not on the path do not matter.

        The rows of a store are read a band at a time. A sample reads its rows alone, of a file, too, which is compared
        with its checksums (`check`) only if one of these rows is wrong. The same seed chooses the same rows.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> result = apsp.solve(graph, paths=True)
        >>> result.verify()
        >>> result.verify(sample=2, seed=1)
        """
        refuse_turns(self.graph, "Result.verify", "apsp.solve(turned.expanded).verify() checks the expanded graph")
        threads = whole_number(threads, "threads", least=1, most=MOST_THREADS)
        tolerance = None if tolerance is None else number(tolerance, "tolerance", least=0)
        rows = sampled_rows(len(self.source_positions), sample, seed)
        if rows is None:
            self.check()
        if self.semiring is not MIN_PLUS:
            raise RequestError(f"verify() checks shortest paths, and this result is of {self.semiring.name}")
        if not self._all_targets:
            raise RequestError("verify() needs the columns of all vertices: solve without targets and places")
        require_verifiable(self.graph, self.cutoff)
        if tolerance is None:
            rounding = allowed_rounding(self.graph, self.source_positions, self.distances.dtype)
        else:
            rounding = Rounding(share=tolerance, most=math.inf)
        try:
            with reporting(progress) as report:
                verify_rows(
                    self.graph, self.source_positions, self.distances, self._pred, rounding=rounding, rows=rows,
                    at_once=self._rows_at_once, cutoff=self.cutoff, threads=threads, report=report,
                )  # fmt: skip
        except VerificationError:
            self.check()  # a file that is damaged is another error
            raise

    @property
    def _rows_at_once(self) -> int | None:
        """Rows that are best read at once; None if it makes no difference."""
        return None

    # -- pictures -------------------------------------------------------------------------------------------------

    @memory_errors
    def plot(
        self,
        source: VertexLike | None = None,
        target: VertexLike | None = None,
        *,
        title: str | None = None,
        label: str = "distance",
        unit: str = "",
        levels: Levels = None,
        scale: Scale = None,
        ax: Axes | None = None,
    ) -> Figure:
        """Draw a map in the colours of the distances from a source, and a shortest path on top.

        Parameters
        ----------
        source : hashable, optional
            A vertex, as the graph labels it, among `sources`; by default the first of them.
        target : hashable, optional
            The end of a shortest path to draw. A short one is drawn again in an inset.
        title : str, optional
            By default it names the source, and the length and number of arcs of the path.
        label, unit : str
            Name and unit of distances: 'travel time', 's'.
        levels : int or sequence of numbers, optional
            Approximate number of bands of colour, or their upper limits (isochrones); about twelve by default.
            Distances above the last level are grey.
        scale : {'metres', 'degrees', 'microdegrees'} or number, optional
            Unit of the coordinates (a number: metres per unit; DIMACS files hold microdegrees). If given, a scale bar
            is drawn, and degrees have their true proportions.
        ax : matplotlib Axes, optional
            Axes to draw in; by default a new figure, which shows itself in notebooks.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.

        Raises
        ------
        GraphError
            If the graph has no coordinates, or a vertex does not exist.
        RequestError
            If an argument is invalid, or columns were left out (`targets`).
        NoPathError, PathsNotKeptError
            As `path`.
        MissingDependencyError
            If Matplotlib is not installed.

        Examples
        --------
        >>> import apsp, matplotlib
        >>> city = apsp.generate("city", 400, seed=1)
        >>> travel_times = apsp.solve(city, sources=[0])
        >>> figure = travel_times.plot(0, 399, label="travel time", unit="s", levels=[60, 120, 180, 240])
        >>> figure.savefig("isochrones.png")
        """
        from apsp.figures.map import MapStyle
        from apsp.result import plotting

        return plotting.draw(self, source, target, unit, title, MapStyle("", label, levels, scale, ax))

    @overload
    def explore(
        self, path: PathLike, *, target: VertexLike | None = ..., title: str = ..., label: str = ..., unit: str = ...,
        scale: Scale = ...,
    ) -> None: ...  # fmt: skip
    @overload
    def explore(
        self, path: None = ..., *, target: VertexLike | None = ..., title: str = ..., label: str = ..., unit: str = ...,
        scale: Scale = ...,
        height: int | None = ...,
    ) -> Map: ...  # fmt: skip
    @memory_errors
    def explore(
        self,
        path: PathLike | None = None,
        *,
        target: VertexLike | None = None,
        title: str = "",
        label: str = "distance",
        unit: str = "",
        scale: Scale = None,
        height: int | None = None,
    ) -> Map | None:
        """Write a map in one file of HTML: exact distances from any vertex, computed in a browser.

        It starts with the sources of this result if these are not all vertices, and with its `cutoff`. The browser
        computes distances again, from any vertex: of integers they are those of this result, of floats those of
        `apsp.prepare`, which are within rounding of them.

        Parameters
        ----------
        path : path, optional
            The file, which ends in .html. Without it, the map is returned, and a notebook shows it.
        target : hashable, optional
            The end of the route that the map starts with.
        title, label, unit : str
            Texts of the page, and of distances.
        scale : {'metres', 'degrees', 'microdegrees'} or number, optional
            Unit of the coordinates, as for `Graph.explore`.
        height : int, optional
            Of a map in a notebook: its pixels, by default 560.

        Returns
        -------
        None or Map
            The map, if there is no path.

        Raises
        ------
        GraphError, RequestError, OutputError
            As `Graph.explore`; also for a result of widest or minimax paths.

        Examples
        --------
        >>> import apsp
        >>> city = apsp.generate("city", 400, seed=1)
        >>> apsp.solve(city, sources=[17]).explore("city.html", unit="s", scale="metres")
        >>> in_a_notebook = apsp.solve(city, sources=[17]).explore(unit="s", scale="metres")
        """
        from apsp.graph.exploring import Exploring, write_explored

        self._check_shortest("explore")
        sources = None if self._all_sources else self.sources
        options = Exploring(sources, target, title, label, unit, scale, self.cutoff)
        return write_explored(self.graph, path, options, height, dtype=self.distances.dtype.name)

    def _repr_html_(self) -> str:
        from apsp.result import plotting

        return plotting.result_html(self)

    def __repr__(self) -> str:
        rows, columns = self.distances.shape
        kept = ", with paths" if self.has_predecessors else ""
        if self._counts is not None:
            kept += ", paths counted" + (" in float64" if self._counts.dtype.kind == "f" else "")
        ran = f", by {self.info['method']}" if "method" in self.info else ""
        where = device_name(self.distances)
        return f"Result({rows} x {columns}, {self.distances.dtype}, {where}{kept}{ran})"


def load_file(path: PathLike, *, check: bool = False) -> Result:
    """Read a result that `Result.save` wrote; `apsp.load` documents it."""
    from apsp.result.file import read

    return _rebuilt(read(path, check=check))


def _rebuilt(kept: StoredParts) -> Result:
    return Result(
        kept.graph, kept.distances, source_positions=kept.sources, target_positions=kept.targets, pred=kept.pred,
        counts=kept.counts, cutoff=kept.cutoff, semiring=kept.semiring, info=kept.info, unchecked=kept.unchecked,
    )  # fmt: skip
