"""What comes out: distances, paths, and the means to check them."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import NoPathError, PathsNotKeptError, RequestError, shown
from apsp.graph.labels import Label
from apsp.graph.labels.saved import check_savable
from apsp.graph.model import Graph
from apsp.result import file as result_file
from apsp.result import paths, walk
from apsp.result.routes import Routes
from apsp.result.verification import verify_rows
from apsp.semiring import MIN_PLUS, Semiring
from apsp.system.arguments import MOST_THREADS, flag, number, whole_number
from apsp.system.checksums import Unchecked, check_all
from apsp.system.lack_of_memory import memory_told
from apsp.system.place import beside, device_name, is_on_gpu, to_host
from apsp.system.progress import Progress, reporting

__all__ = ["Result", "load"]


class Result:
    """Distances between pairs of vertices of a graph, and the paths that have them.

    `apsp.solve` and `apsp.load` make results. Apart from `pred` and `unchecked`, the parameters are attributes.

    Parameters
    ----------
    graph : Graph
        The graph.
    distances : (S, T) array of uint16, int32, int64, float32 or float64
        Entry [i, j] is the length of a shortest path from sources[i] to targets[j];
        `apsp.unreachable(distances.dtype)` where there is none. A CuPy array if it stayed on a GPU (device='cuda' was
        requested), which PyTorch and JAX take over by DLPack without a copy; else a NumPy array.
    source_positions : (S,) int32, optional
        Vertices of the rows, by their positions in the graph; all n by default.
    target_positions : (T,) int32, optional
        Vertices of the columns; all n by default.
    pred : (S, n) int32, optional
        Predecessors by position: `predecessors`.
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
    >>> result.verify()
    """

    def __init__(
        self,
        graph: Graph,
        distances: Any,
        *,
        source_positions: npt.NDArray[np.int32] | None = None,
        target_positions: npt.NDArray[np.int32] | None = None,
        pred: Any = None,
        cutoff: float | None = None,
        semiring: Semiring = MIN_PLUS,
        info: Mapping[str, Any] | None = None,
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
        self._unchecked = unchecked
        self._all_sources = source_positions is None
        self._all_targets = target_positions is None

    @functools.cached_property
    def sources(self) -> npt.NDArray[Any]:
        """(S,) vertices of the rows, as the graph labels them.

        The dtype is int32 (positions) where the graph has no labels, int64 for integers and object otherwise.
        """
        return self.graph.labels.take(self.source_positions)

    @functools.cached_property
    def targets(self) -> npt.NDArray[Any]:
        """(T,) vertices of the columns, like `sources`."""
        return self.graph.labels.take(self.target_positions)

    # -- one pair -------------------------------------------------------------------------------------------------

    def distance(self, source: Label, target: Label) -> int | float:
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
        row, column = self._row(self.graph.index(source)), self._column(self.graph.index(target))
        value = to_host(self.distances[row, column]).item()
        if value == self.semiring.no_path(self.distances.dtype):
            return self.semiring.no_path(np.float64)
        if self.semiring is not MIN_PLUS and value == self.semiring.empty_path(self.distances.dtype):
            return self.semiring.empty_path(np.float64)
        return value  # type: ignore[no-any-return]

    @memory_told
    def path(self, source: Label, target: Label) -> list[Any]:
        """Return the vertices of a shortest path, both ends included; [v] for a vertex to itself.

        Without kept predecessors (`paths=True`) the path is found from the distances in O(m).

        Parameters
        ----------
        source, target : hashable
            Vertices, as the graph labels them.

        Returns
        -------
        list
            The vertices, as the graph labels them.

        Raises
        ------
        GraphError
            If a vertex does not exist.
        RequestError
            If a vertex is not among the sources or targets that were solved for.
        NoPathError
            If there is none (within the cutoff).
        PathsNotKeptError
            If no predecessors were kept and `targets` left out columns, or a cutoff left out vertices that paths with
            negative arcs may need.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> result = apsp.solve(graph, paths=True)
        >>> result.path("a", "c")
        ['a', 'b', 'c']
        """
        s, t = self.graph.index(source), self.graph.index(target)
        found = self._path(s, t)
        if not found:
            raise NoPathError(self.graph.word(s), self.graph.word(t))
        return self._named(found)

    def _path(self, source: int, target: int) -> list[int]:
        """The positions on a shortest path between two positions; [] if there is none."""
        row = self._row(source)
        if self._pred is None:
            self._column(target)
        (found,) = self._routes.between([row], [source], [target])
        return found

    @memory_told
    def paths(self, sources: Sequence[Label], targets: Sequence[Label]) -> list[list[Any]]:
        """Return shortest paths of many pairs: the i-th from sources[i] to targets[i].

        On a GPU all are walked at once, and only their vertices are copied.

        Parameters
        ----------
        sources, targets : sequence of hashable
            Vertices, as the graph labels them; as many targets as sources.

        Returns
        -------
        list of list
            The paths, both ends included; [] where there is none.

        Raises
        ------
        RequestError
            If there are not as many targets as sources, or a vertex is not among those that were solved for.
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
        labels = self.graph.labels
        starts, ends = ([labels.index(vertex) for vertex in given] for given in (sources, targets))
        found = self._routes.between([self._row(vertex) for vertex in starts], starts, ends)
        return found if labels.are_positions else list(map(self._named, found))

    def _named(self, path: list[int]) -> list[Any]:
        """A path of positions as one of labels."""
        labels = self.graph.labels
        return path if labels.are_positions else list(map(labels.__getitem__, path))

    @property
    def _routes(self) -> Routes:
        return Routes(
            self.graph, self.distances, self._pred, self.source_positions,
            None if self._all_targets else self.target_positions,
            self.cutoff, self.semiring,
        )  # fmt: skip

    def next_hop(self, source: Label, target: Label) -> Any:
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
        found = self._path(self.graph.index(source), self.graph.index(target))
        return self.graph.labels[found[1]] if len(found) > 1 else None

    # -- all pairs ------------------------------------------------------------------------------------------------

    @property
    def predecessors(self) -> Any:
        """(S, n) int32: [i, v] is the vertex before v on a shortest path from sources[i], -1 where there is none.

        Vertices are positions here, also where the graph has labels. They lie where the distances do.

        Raises
        ------
        PathsNotKeptError
            If the result was solved without `paths=True`.
        """
        if self._pred is None:
            raise PathsNotKeptError("predecessors were not kept: solve(..., paths=True) keeps them")
        return self._pred

    @property
    def has_predecessors(self) -> bool:
        """Predecessors were kept (`paths=True`)."""
        return self._pred is not None

    @memory_told
    def next_hops(self) -> Any:
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

    @memory_told
    def via(self) -> Any:
        """Return a vertex inside a shortest path, for all pairs.

        `apsp.result.paths.expand_via` makes a path of it (`path` is faster, and correct on cycles of length zero too).

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
        if not self._all_sources:
            raise RequestError("via() needs the rows of all vertices: solve without sources")
        self.check()
        with beside(self.predecessors):
            return paths.intermediates(self.predecessors)

    @memory_told
    def to_numpy(self) -> npt.NDArray[Any]:
        """Return the distances as a NumPy array in host memory (no copy if they are there already).

        Returns
        -------
        (S, T) array
            The distances, in their dtype.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> result = apsp.solve(graph)
        >>> result.to_numpy().shape
        (3, 3)
        """
        return to_host(self.distances)

    @memory_told
    def to_long(self, *, only_reachable: bool = True) -> dict[str, npt.NDArray[Any]]:
        """Return columns source, target and distance with one row per pair: `pandas.DataFrame(result.to_long())`.

        Parameters
        ----------
        only_reachable : bool
            Leave out pairs without a path.

        Returns
        -------
        dict of str to array
            The columns 'source', 'target' and 'distance'.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> result = apsp.solve(graph)
        >>> columns = result.to_long()
        >>> columns["source"].tolist(), columns["distance"].tolist()
        (['a', 'a', 'a', 'b', 'b', 'c'], [0, 4, 5, 0, 1, 0])
        """
        only_reachable = flag(only_reachable, "only_reachable")
        self.check()
        with beside(self.distances):
            found = self.distances != self.semiring.no_path(self.distances.dtype)
            if not only_reachable:
                found[...] = True
            row, column = (to_host(index) for index in found.nonzero())
            distance = to_host(self.distances[found])
        take = self.graph.labels.take
        source, target = take(self.source_positions[row]), take(self.target_positions[column])
        return {"source": source, "target": target, "distance": distance}

    # -- on disk --------------------------------------------------------------------------------------------------

    @memory_told
    def save(self, path: str | Path, *, progress: Progress = False) -> None:
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
        check_savable(self.graph.labels)
        self.check()
        kept = result_file.Kept(
            self.graph, self.distances, self._pred, None if self._all_sources else self.source_positions,
            None if self._all_targets else self.target_positions, self.cutoff, self.semiring, self.info,
        )  # fmt: skip
        with reporting(progress) as report:
            result_file.write(path, kept, report)

    # -- checking -------------------------------------------------------------------------------------------------

    @memory_told
    def check(self, *, progress: Progress = False) -> None:
        """Compare the bytes of matrices that lie in a file (see `load`) with their checksums, once.

        Methods that read whole matrices do so first: `verify`, `to_long`, `next_hops`, `via`, `save`.

        Parameters
        ----------
        progress : bool or callable
            True draws a bar; a callable is called as progress(stage, done, total).

        Raises
        ------
        FileFormatError
            Naming the matrix that is damaged.

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

    @memory_told
    def verify(self, *, tolerance: float | None = None, threads: int = 1, progress: Progress = False) -> None:
        """Check every distance and predecessor against the graph in O(m) per source, without trusting the solver.

        A row is right exactly if no arc can shorten a distance and every distance is attained by a chain of tight
        arcs from the source. Integers are checked exactly.

        Parameters
        ----------
        tolerance : float, optional
            For floats, the share of S that is allowed instead of k * eps (see Notes).
        threads : int
            CPU threads.
        progress : bool or callable
            True draws a bar; a callable is called as progress(stage, done, total).

        Raises
        ------
        VerificationError
            Naming the first pair that is wrong.
        PathsNotKeptError, RequestError
            If columns were left out (`targets`), the result is not of shortest paths, or it has a cutoff although
            the graph has negative arcs (a path within the cutoff may pass vertices whose distance is not kept).

        Notes
        -----
        A float distance must not be longer than any path, and not shorter than the one that is found for it, by more
        than k * eps * S, for a path of k arcs whose absolute lengths sum to S, and eps the machine epsilon of the
        distances (Higham 2002, "Accuracy and Stability of Numerical Algorithms", section 4.2). A long arc elsewhere
        changes nothing.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> result = apsp.solve(graph, paths=True)
        >>> result.verify()
        """
        threads = whole_number(threads, "threads", least=1, most=MOST_THREADS)
        tolerance = None if tolerance is None else number(tolerance, "tolerance", least=0)
        self.check()
        if self.semiring is not MIN_PLUS:
            raise RequestError(f"verify() checks shortest paths, and this result is of {self.semiring.name}")
        if not self._all_targets:
            raise RequestError("verify() needs all n columns: solve without targets")
        if self.cutoff is not None and self.graph.has_negative_arc:
            raise RequestError(
                "verify() cannot check a result with a cutoff on a graph with negative arcs: a path within the cutoff "
                "may pass vertices whose distance was not kept. Solve without the cutoff"
            )
        with reporting(progress) as report:
            verify_rows(
                self.graph, self.source_positions, self.distances, self._pred,
                cutoff=self.cutoff, tolerance=tolerance, threads=threads, report=report,
            )  # fmt: skip

    # -- look-up ----------------------------------------------------------------------------------------------------

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

    def __repr__(self) -> str:
        rows, columns = self.distances.shape
        kept = ", with paths" if self.has_predecessors else ""
        ran = f", by {self.info['method']}" if "method" in self.info else ""
        where = device_name(self.distances)
        return f"Result({rows} x {columns}, {self.distances.dtype}, {where}{kept}{ran})"


@memory_told
def load(path: str | Path, *, check: bool = False) -> Result:
    """Read a result that `Result.save` wrote. Matrices are mapped, not copied: one path costs a few page reads.

    Parameters
    ----------
    path : str or Path
        The file.
    check : bool
        Read all of the file and compare it with its checksums. Otherwise this is done for everything but the matrices,
        and for them by `Result.check`, `verify` and other methods that read whole matrices.

    Returns
    -------
    Result
        The result, with its graph.

    Raises
    ------
    FileFormatError
        If the file is cut or damaged, or is not a result.
    MissingFileError
        If the file does not exist.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
    >>> result = apsp.solve(graph, paths=True)
    >>> result.save("result.npz")
    >>> apsp.load("result.npz").distance("a", "c")
    5
    """
    kept = result_file.read(path, check=flag(check, "check"))
    return Result(
        kept.graph, kept.distances, source_positions=kept.sources, target_positions=kept.targets, pred=kept.pred,
        cutoff=kept.cutoff, semiring=kept.semiring, info=kept.info, unchecked=kept.unchecked,
    )  # fmt: skip
