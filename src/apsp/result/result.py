"""Results of `solve`: distances, paths, and their verification."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from apsp._types import Axes, Figure, PathLike, VertexLike
from apsp.errors import RequestError, VerificationError
from apsp.figures.options import Levels, Scale
from apsp.graph.labels.saved import check_savable
from apsp.graph.signed import Rounding, allowed_rounding
from apsp.result.exports import Exports
from apsp.result.tied_queries import TiedQueries
from apsp.result.verification import require_verifiable, sampled_rows, verify_rows
from apsp.semiring import MIN_PLUS
from apsp.system.arguments import MOST_THREADS, number, whole_number
from apsp.system.array_device import device_name, to_host
from apsp.system.lack_of_memory import memory_errors
from apsp.system.progress import Progress, reporting

if TYPE_CHECKING:
    from apsp.result.file import StoredParts

__all__ = ["Result", "load_file"]


class Result(TiedQueries, Exports):
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
        threads = whole_number(threads, "threads", least=1, most=MOST_THREADS)
        tolerance = None if tolerance is None else number(tolerance, "tolerance", least=0)
        rows = sampled_rows(len(self.source_positions), sample, seed)
        if rows is None:
            self.check()
        if self.semiring is not MIN_PLUS:
            raise RequestError(f"verify() checks shortest paths, and this result is of {self.semiring.name}")
        if not self._all_targets:
            raise RequestError("verify() needs all n columns: solve without targets")
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
