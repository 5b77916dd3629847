"""The oracle: any pair, any rows, any block of distances, from the factor of elimination."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from apsp._types import AnyArray, ArrayLike, DeviceLike, DType, NumPyArray, PathLike, Vertex, VertexLike, VerticesLike
from apsp.api.oracle.paths import path_blocks, paths_of
from apsp.api.oracle.paths_between_places import paths_between_places
from apsp.api.oracle.requests import BYTES_PER_PAIR, check_same_vertices, dtype_for, gpu_named, paired, request_for
from apsp.api.oracle.snapshot import Snapshot, blocks_of
from apsp.api.places.by_ends import distances_of_places, matrix_of_places, single
from apsp.api.places.place_paths import path_of_places
from apsp.errors import NoPathError, format_bytes
from apsp.figures.explored_map import Map
from apsp.figures.options import Scale
from apsp.graph.closed_links import Closed, changed_graph, changed_weights
from apsp.graph.exploring import Exploring, write_explored
from apsp.graph.model import Graph
from apsp.graph.path_length import link_count, links_along, own_path
from apsp.graph.places import Places
from apsp.graph.turns.turn_graph import TurnGraph, refuse_turns
from apsp.measures.groups import GroupsLike
from apsp.measures.row_summary import reduced
from apsp.measures.summary import parts_for
from apsp.methods.elimination.factor import Factor
from apsp.methods.problem import IntArray
from apsp.reductions import Summary
from apsp.reductions.row_sums import RowSums
from apsp.result.many_paths import ManyPaths
from apsp.result.path_links import finished
from apsp.running.arguments import distinct, own_positions, positions_of
from apsp.running.blocks import Block
from apsp.running.output import checked, taken
from apsp.running.public import public
from apsp.system.arguments import flag, whole_number
from apsp.system.file_names import file_path
from apsp.system.machine import refuse_unless_fits, threads_from
from apsp.system.progress import Progress, ProgressReport, offset, reporting

__all__ = ["Oracle"]


class Oracle:
    """All distances of a graph, stored as a factor. `prepare` makes an oracle, `Oracle.load` reads one.

    With a GPU, rows, blocks, sums and many pairs are computed there: `rows`, `matrix` and `stream` give CuPy arrays.
    Pickles and copies hold what `save` writes: an oracle that is restored from one computes on all cores of its CPU.

    Parameters
    ----------
    factor : Factor
        The factor of elimination.
    requested : str
        The dtype that was requested, which `update` uses again: 'auto' or a name.
    threads : int
        Threads of the CPU.
    gpu : int, optional
        Number of the GPU that computes rows, blocks, sums and many pairs.
    labels : bool
        Keep labels, as for `prepare`.
    closed : Closed, optional
        The links that `update` has closed.
    progress : callable, optional
        Receives the progress of labels.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> oracle = apsp.prepare(graph)
    >>> oracle
    Oracle(n=4, m=6, uint16, cpu, 92 B)
    >>> oracle.distance(0, 3), oracle.path(3, 1)
    (7, [3, 2, 1])
    """

    def __init__(
        self,
        factor: Factor,
        *,
        requested: str = "auto",
        threads: int = 1,
        gpu: int | None = None,
        labels: bool = False,
        closed: Closed | None = None,
        progress: ProgressReport | None = None,
    ) -> None:
        self._now = Snapshot(factor, threads, gpu, labels, closed=closed, progress=progress)
        self._requested = requested

    @property
    def nbytes(self) -> int:
        """Bytes of the factor, its tree, and the labels; also of what the next update, table or path needs."""
        return self._now.nbytes

    @property
    def graph(self) -> Graph:
        """The graph, with the weights of the last `update`, and without the links that it closed."""
        now = self._now
        return now.graph if now.closed is None else now.closed.left

    @property
    def turned(self) -> TurnGraph | None:
        """The graph with turns that the oracle was prepared of, closed links included; None if there are none."""
        now = self._now
        turned = (now.graph if now.closed is None else now.closed.searched)._turned
        return None if turned is None else turned.whole

    @property
    def dtype(self) -> DType:
        """Dtype of the distances."""
        return self._now.dtype

    @property
    def order(self) -> NumPyArray:
        """(n,) the vertices in the order in which they are eliminated, which `prepare(order=)` takes.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph, order=[3, 0, 1, 2])
        >>> sorted(oracle.order.tolist())
        [0, 1, 2, 3]
        """
        factor = self._now.factor
        refuse_turns(factor.graph, "Oracle.order")
        return factor.graph.labels.take(factor.tree.order)

    # -- pairs ---------------------------------------------------------------------------------------------------------

    def distance(self, source: VertexLike | Places, target: VertexLike | Places) -> int | float:
        """Return the length of a shortest path between two vertices or places.

        Parameters
        ----------
        source, target : hashable, or Places
            Vertices, as the graph labels them; or one place (`Graph.snap`) each.

        Returns
        -------
        int or float
            The length; `math.inf` if there is no path.

        Raises
        ------
        GraphError
            If a vertex does not exist.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> oracle.distance(0, 2)
        5
        """
        now = self._now
        if now.quick is not None and (found := now.quick(source, target)) is not None:
            return found
        if isinstance(source, Places) or isinstance(target, Places):
            return float(self.distances(*single(source, target))[0])
        index = now.graph.labels.index
        return now.distance(index(source), index(target))

    @public
    def distances(
        self, sources: VerticesLike | Places, targets: VerticesLike | Places, *, progress: Progress = False
    ) -> NumPyArray:
        """Compute the lengths of shortest paths for many pairs of vertices, on all threads.

        {narrow_dtype}

        Parameters
        ----------
        {pairs}
        {progress}

        Returns
        -------
        (k,) array of the dtype
            The length of each pair; `apsp.unreachable(dtype)` where there is no path. In host memory, also if a GPU
            computes them: that of the oracle does from 10,000 pairs on, with labels from 1,000 on. A CuPy array if the
            vertices are called 0 to n - 1, and sources and targets are arrays of equal length on the GPU of the
            oracle, which has memory for labels. float64 if some are places (`Graph.snap`).

        Raises
        ------
        GraphError
            If a vertex does not exist.
        RequestError
            If there are not as many sources as targets.
        MemoryLimitError
            If the distances do not fit into memory.

        See Also
        --------
        paths : The paths of many pairs, and their lengths.
        matrix : The distances of all pairs of some sources and some targets, which are faster per pair.

        Notes
        -----
        A pair costs the way from both vertices to the root of the elimination tree (Strasser and Wagner 2015,
        "Customizable contraction hierarchies", section 6, on supernodes). Pairs with the same source share its half, so
        that the order in which pairs are given does not matter. With labels (`prepare(labels=True)`) a pair costs one
        minimum over the ancestors that its ends have in common. Both give the same integers; floats are sums in
        another order, and may differ by rounding.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> oracle.distances([0, 3, 0], [2, 1, 3]).tolist()
        [5, 3, 7]
        >>> oracle.distances(0, [1, 2, 3]).tolist()
        [4, 5, 7]
        """
        now = self._now
        if isinstance(sources, Places) or isinstance(targets, Places):
            return distances_of_places(
                now.graph, now.own(sources), now.own(targets), lambda graph, *ends: now.pairs(*paired(graph, *ends))
            )
        if now.on_gpu is not None and now.graph.labels.are_positions:
            there: NumPyArray | None = now.on_gpu.pairs_there(sources, targets)
            if there is not None:
                return there
        starts, ends = paired(now.graph, sources, targets)
        needed = len(starts) * (now.dtype.itemsize + BYTES_PER_PAIR)
        refuse_unless_fits(needed, lambda: f"{len(starts):,} distances in {now.dtype}", "some of the pairs at a time")
        with reporting(progress) as report:
            return now.pairs(starts, ends, offset(report, "oracle", 0, len(starts)))

    # -- rows and blocks -----------------------------------------------------------------------------------------------

    @public
    def rows(
        self, sources: VerticesLike | Places | None = None, *, out: AnyArray | None = None, progress: Progress = False
    ) -> NumPyArray:
        """Compute the distances from some vertices or places to all vertices.

        {narrow_dtype}

        Parameters
        ----------
        sources : sequence of vertices, or Places, optional
            All n vertices by default.
        out : (S, n) array of the dtype, optional
            Array for them: NumPy, or an array on the oracle's GPU.
        {progress}

        Returns
        -------
        (S, n) array of the dtype
            Distances in the order of `sources`; `apsp.unreachable(dtype)` where there is no path. Of places float64, in
            host memory.

        Raises
        ------
        GraphError
            If a vertex does not exist.
        RequestError
            If `out` has another shape or dtype.
        MemoryLimitError
            If the distances do not fit into memory.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> oracle.rows([1, 3]).tolist()
        [[4, 0, 1, 3], [7, 3, 2, 0]]
        """
        return self.matrix(sources, None, out=out, progress=progress)

    @public
    def matrix(
        self,
        sources: VerticesLike | Places | None = None,
        targets: VerticesLike | Places | None = None,
        *,
        out: AnyArray | None = None,
        progress: Progress = False,
    ) -> NumPyArray:
        """Compute the distances from some vertices or places to some vertices or places.

        The cost is that of the rows, except that only the part of the tree between the targets and the roots is swept.

        {narrow_dtype}

        Parameters
        ----------
        sources : sequence of vertices, or Places, optional
            All n vertices by default.
        targets : sequence of vertices, or Places, optional
            All n vertices by default.
        out : (S, T) array of the dtype, optional
            Array for them: NumPy, or an array on the oracle's GPU. With places, NumPy and float64.
        {progress}

        Returns
        -------
        (S, T) array of the dtype
            Distances; `apsp.unreachable(dtype)` where there is no path. With places (`Graph.snap`) float64, in host
            memory: `apsp.matrix` returns the labels, too.

        Raises
        ------
        GraphError
            If a vertex does not exist.
        RequestError
            If `out` has another shape or dtype.
        MemoryLimitError
            If the distances do not fit into memory.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> oracle.matrix([0, 1], [3, 2]).tolist()
        [[7, 5], [3, 1]]
        """
        now = self._now
        if isinstance(sources, Places) or isinstance(targets, Places):
            with reporting(progress) as report:
                fill = now.filling(report)
                return matrix_of_places(now.graph, now.own(sources), now.own(targets), fill, out).distances
        rows, columns = own_positions(now.graph, sources, "sources"), own_positions(now.graph, targets, "targets")
        height, width = (now.graph.n if chosen is None else len(chosen) for chosen in (rows, columns))
        shape = height, width
        found: npt.NDArray[Any] = now.empty(shape) if out is None else checked(taken(out), shape, now.dtype, now.gpu)
        with reporting(progress) as report:
            now.fill(rows, columns, found, offset(report, "oracle", 0, height))
        return found

    @public
    def stream(
        self,
        *,
        rows: int | None = None,
        sources: VerticesLike | None = None,
        reuse: bool = False,
        progress: Progress = False,
    ) -> Iterator[Block]:
        """Compute rows of distances, a block at a time, as `apsp.stream` does.

        Parameters
        ----------
        rows : int, optional
            Rows per block; by default as many as fit into 256 MiB or an eighth of the memory (2 GiB of a GPU).
        sources : sequence of vertices, optional
            All n vertices by default.
        reuse : bool
            Use the same array for every block: faster, but blocks that are kept must be copied.
        {progress}

        Returns
        -------
        iterator of Block
            The blocks, in the order of the sources.

        Raises
        ------
        GraphError
            If a vertex does not exist.
        RequestError
            If an argument is invalid.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> [block.distances.shape for block in oracle.stream(rows=3)]
        [(3, 4), (1, 4)]
        """
        now = self._now
        return blocks_of(now, positions_of(now.graph, sources, "sources"), rows, reuse, progress)

    # -- paths ---------------------------------------------------------------------------------------------------------

    @public
    def path(self, source: VertexLike | Places, target: VertexLike | Places, *, links: bool = False) -> list[Vertex]:
        """Return the vertices of a shortest path, both ends included, in time proportional to their number.

        Parameters
        ----------
        source, target : hashable, or Places
            Vertices, as the graph labels them; or one place (`Graph.snap`) each, whose labels are then the ends of the
            path.
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
        NoPathError
            If there is no path.
        RequestError
            If the graph keeps no links.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> oracle.path(0, 3)
        [0, 1, 2, 3]
        """
        now = self._now
        graph = now.graph
        if isinstance(source, Places) or isinstance(target, Places):
            return path_of_places(graph, now.own(source), now.own(target), now, links=flag(links, "links"))
        s, t = graph.labels.index(source), graph.labels.index(target)
        found = now.path(s, t)
        if found is None:
            raise NoPathError(graph.word(s), graph.word(t))
        if flag(links, "links"):
            return links_along(graph, found)
        vertices: list[Vertex] = list(own_path(graph, found))
        if not graph.labels.are_positions:
            vertices = graph.labels.take(np.array(vertices, dtype=np.int32)).tolist()
        return vertices

    @public
    def paths(
        self,
        sources: VerticesLike | Places,
        targets: VerticesLike | Places,
        *,
        links: bool = False,
        progress: Progress = False,
    ) -> ManyPaths:
        """Find shortest paths for many pairs of vertices, and their lengths, on all threads of the CPU.

        Parameters
        ----------
        {pairs}
        links : bool
            The numbers of the links of the paths, positions in `Graph.links`, in place of their vertices. The street
            of a place is one, if the path uses a part of it.
        {progress}

        Returns
        -------
        ManyPaths
            The vertices (or links) of all paths in one array, where each path begins, and its length.

        Raises
        ------
        GraphError
            If a vertex does not exist.
        RequestError
            If there are not as many sources as targets, or the graph keeps no links.
        MemoryLimitError
            If the paths do not fit into memory; this is known before they are written.

        See Also
        --------
        stream_paths : The same in blocks of pairs.
        distances : The lengths alone.

        Notes
        -----
        A path is a few values of the factor, each of which stands for an arc, or for two other values (Geisberger,
        Sanders, Schultes and Delling 2008, "Contraction hierarchies"). For few pairs this is found out for the values
        on their paths. For many pairs (one per 1,536 values of the factor), the first call finds it out for all values,
        if there is memory: this takes about as long as the factor, and 12 bytes per value, which the oracle keeps until
        `update` (`nbytes`). Then a pair costs little more than its distance, and its vertices are copied. With labels,
        the search for a path ends where it turns.

        Among paths of equal length one is chosen, the same in every call, and by `path`.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> paths = oracle.paths([0, 3], [2, 1])
        >>> paths[0], paths[1]
        ([0, 1, 2], [3, 2, 1])
        >>> paths.distances.tolist()
        [5, 3]
        """
        now = self._now
        if flag(links, "links"):
            link_count(now.graph)
        if isinstance(sources, Places) or isinstance(targets, Places):
            pairs = now.own(sources), now.own(targets)
            with reporting(progress) as report:
                return paths_between_places(now, *pairs, offset(report, "oracle", 0, 1), links=links)
        starts, ends = paired(now.graph, sources, targets)
        with reporting(progress) as report:
            found = paths_of(now, starts, ends, offset(report, "oracle", 0, len(starts)))
        return finished(now.graph, found, links)

    @public
    def stream_paths(
        self,
        sources: VerticesLike,
        targets: VerticesLike,
        *,
        links: bool = False,
        pairs: int = 65_536,
        progress: Progress = False,
    ) -> Iterator[ManyPaths]:
        """Find shortest paths for many pairs of vertices, a block of pairs at a time.

        Parameters
        ----------
        sources, targets : sequences of k vertices, or one vertex
            As for `paths`.
        links : bool
            As for `paths`.
        pairs : int
            Pairs per block.
        {progress}

        Returns
        -------
        iterator of ManyPaths
            The blocks, in the order of the pairs.

        Raises
        ------
        GraphError, RequestError, MemoryLimitError
            As `paths`.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> for block in oracle.stream_paths(0, [1, 2, 3], pairs=2):
        ...     print(list(block))
        [[0, 1], [0, 1, 2]]
        [[0, 1, 2, 3]]
        """
        now = self._now
        starts, ends = paired(now.graph, sources, targets)
        if flag(links, "links"):
            link_count(now.graph)
        blocks = path_blocks(now, starts, ends, whole_number(pairs, "pairs", least=1), progress)
        return (finished(now.graph, found, links) for found in blocks)

    # -- sums, weights and files ---------------------------------------------------------------------------------------

    @public
    def summary(
        self,
        *,
        measures: str | Iterable[str] | None = None,
        groups: GroupsLike | None = None,
        quantiles: float | Iterable[float] = (),
        columns: bool = False,
        bins: int = 0,
        edges: npt.ArrayLike | None = None,
        sources: VerticesLike | None = None,
        rows: int | None = None,
        progress: Progress = False,
    ) -> Summary:
        """Sums, extremes and counts of all distances, taken in one pass.

        Parameters
        ----------
        {reduced_parts}
        sources : sequence of vertices, optional
            Only distances from these vertices; all n vertices by default.
        rows : int, optional
            Rows per block, as for `stream`.
        {progress}

        Returns
        -------
        Summary
            The numbers, as attributes and methods.

        Raises
        ------
        RequestError
            If an option is invalid.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> oracle.summary().diameter
        7
        """
        now = self._now
        graph = now.graph
        rows = None if rows is None else whole_number(rows, "rows", least=1)
        given = positions_of(graph, sources, "sources")
        parts = parts_for(
            graph, given, measures, groups, quantiles, columns=columns, bins=bins, edges=edges, reciprocals=True
        )
        once = None if given is None else distinct(given)  # sums and extremes are over a set
        return reduced(
            graph,
            parts,
            lambda: blocks_of(now, once, rows, True, progress),
            (lambda: _sums_of(now, once, rows, progress)) if now.has_sums and graph._turned is None else None,
            now.threads,
        )

    # -- other weights, and files -----------------------------------------------------------------------------------

    @public
    def update(
        self,
        weights: ArrayLike | str | Mapping[tuple[Vertex, Vertex], float] | Graph | TurnGraph,
        *,
        links: bool | ArrayLike = False,
    ) -> None:
        """Replace the weights of all arcs, or of some, or the graph: the order of elimination stays.

        If few weights differ from the old ones, only what depends on them is computed. If the update fails, the oracle
        keeps its old weights. Calls of other threads, and iterators of `stream` and `stream_paths`, end with the
        weights that they began with.

        Parameters
        ----------
        weights : (m,), (L,) or (k,) numbers, str, mapping of pairs, Graph or TurnGraph
            In the order of the arcs of the graph, so both directions of an undirected edge; or the name of one of
            its costs; or ``{(tail, head): weight}``, which keeps the weights of all other edges. `math.inf` closes a
            link, and a later finite weight opens it. Or another graph of the same vertices, without some of the edges
            (`Graph.without_edges`), or with them again: as a rule edges that the oracle was not prepared with do not
            fit its order.
            With turns (`Oracle.turned`), weights are those of the graph without them, as `TurnGraph.with_weights` takes
            them. Or another graph with turns: it may have other penalties, if they do not change from 0 or to 0, and
            may forbid movements that had a penalty; it may not allow movements that were forbidden.
        links : bool or (k,) ints
            True: the weights are those of the links, in the order of the graph. Numbers of some links: the weights are
            theirs, and those of all other links stay.

        Raises
        ------
        GraphError
            If the weights do not fit the arcs, or one is -inf or not a number; if some links are parallel, and the
            weights are not by link or by name; if an edge or a link does not exist; if a graph has other vertices,
            edges that do not fit the order, or turns that do not fit those that the oracle was prepared with.
        RequestError
            If there is no cost of this name, or the graph keeps no links (`links`); if only one of the graph and the
            oracle has turns.
        DtypeRangeError
            If the dtype is not proven to hold every distance.
        NegativeCycleError
            If the graph has a cycle of negative length; the error holds the cycle.
        MethodRefusedError
            If rounding makes many cycles of a float graph negative.
        MemoryLimitError
            If the new values do not fit into memory beside the old ones.

        Notes
        -----
        A link that `inf` has closed keeps its number, its ends and its place in arrays: weights, numbers of links and
        places are those of the graph that the oracle was prepared with, or that `update` was given last, and so are the
        links of paths; places of `Oracle.graph` are taken, too. `Oracle.graph` is that graph without the closed links.
        A place is on those directions of its street that are open; no path reaches it if none is. Penalties of turns
        stay as they are. Beside `inf`, whole numbers of a graph of integers stay integers, also as floats. No weight
        adds a link.

        The order of elimination stays, and what each part of the tree hands up is kept. So new weights of some edges
        ``{(tail, head): weight}`` or links (numbers), edges that are closed (`inf`, or `Graph.without_edges` of
        `Oracle.graph`) and edges that are opened again (finite weights, or the graph that they were closed in) cost as
        much as what depends on them, once the oracle has been updated twice; with integer distances least. Other
        graphs, arrays of all weights, and links beside others between the same vertices are compared first, which takes
        a pass over the arcs.
        Labels are computed again where those of their ancestors change: few for one edge, most of them for 100 edges
        far apart. If the dtype is proven to hold all distances only by searches, these take most of the time: distances
        near the largest of a dtype, and closed edges if some are long. Negative weights are always factorised as a
        whole. On a GPU, without labels, integers of at least 0 are always computed there, and as a whole; the first
        method that needs them on the host copies them.

        While the new values are computed, the old ones remain: one value of the dtype per entry of the factor, and the
        weights, are in memory twice (on the GPU, too), and so are labels; the tree is shared. From the first update on
        the oracle stores, if there is memory (`nbytes`), what the next one begins with: 20 bytes and a value per arc, a
        value for every two rows of each part of the tree, the labels of before (100 edges far apart change most labels,
        and one edge needs the others as they are), and from the second update of a few weights on a copy of the factor
        and of the weights, which the following one changes. Afterwards old values that the oracle does not change, and
        the 12 bytes per value that `paths` adds, are freed with the last call or iterator that uses them: an iterator
        that is not exhausted keeps them until it is closed or deleted, and so does a graph that was taken from
        `Oracle.graph`, for its weights; then the next update copies all of them.

        If several threads update, each update is complete, and the weights are those of the one that ends last; so some
        weights of one thread replace those of another: update some weights from one thread at a time.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> oracle.update(graph.weights * 10)
        >>> oracle.distance(0, 3)
        70
        >>> oracle.update({(1, 2): 15})
        >>> oracle.distance(0, 3)
        75
        >>> oracle.update({(1, 2): float("inf")})
        >>> oracle.distance(0, 3)
        inf
        >>> oracle.update({(1, 2): 15})
        >>> oracle.distance(0, 3)
        75
        """
        now = self._now
        if isinstance(weights, (Graph, TurnGraph)):
            if isinstance(weights, Graph) and now.graph._turned is None:
                check_same_vertices(now.graph, weights)
            change = changed_graph(now.graph, weights, links)
        else:
            change = changed_weights(now.graph, now.closed, weights, links)
        self._now = now.changed(change, request_for(self._requested, now.gpu))

    @public
    def save(self, path: PathLike, *, progress: Progress = False) -> None:
        """Write the oracle, its graph included, to a file (`.npz`, no pickle). An old file stays until the end.

        Labels are not written, only that the oracle has them: `load` computes them again, which is faster.

        Parameters
        ----------
        path : str or Path
            The file.
        {progress}

        Raises
        ------
        OutputError
            If the file cannot be written.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> oracle.save("oracle.npz")
        >>> apsp.Oracle.load("oracle.npz").distance(0, 3)
        7
        """
        from apsp.methods.elimination.factor_file import write_factor  # with the first file: `import apsp` stays quick

        now = self._now
        with reporting(progress) as report:
            has_labels = now.labels is not None
            write_factor(file_path(path), now.factor, now.closed, self._requested, report, labels=has_labels)

    @overload
    def explore(
        self, path: PathLike, *, sources: VerticesLike | None = ..., target: VertexLike | None = ...,
        title: str = ..., label: str = ..., unit: str = ..., scale: Scale = ...,
    ) -> None: ...  # fmt: skip
    @overload
    def explore(
        self, path: None = ..., *, sources: VerticesLike | None = ..., target: VertexLike | None = ...,
        title: str = ..., label: str = ..., unit: str = ..., scale: Scale = ..., height: int | None = ...,
    ) -> Map: ...  # fmt: skip
    @public
    def explore(
        self, path: PathLike | None = None, *, sources: VerticesLike | None = None, target: VertexLike | None = None,
        title: str = "", label: str = "distance", unit: str = "", scale: Scale = None, height: int | None = None,
    ) -> Map | None:  # fmt: skip
        """Write a map in one file of HTML: exact distances from any vertex, computed in a browser.

        They are those of `rows`, to the last bit: of the weights of the last `update`. Floats are added in another
        order on processors without AVX2 or NEON, and then agree within rounding.

        Parameters
        ----------
        path : str or Path, optional
            The file, which ends in .html. Without it, the map is returned, and a notebook shows it.
        sources, target : hashable or sequence of hashable, optional
            Vertices that the map starts with, and the end of its route.
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
            As `Graph.explore`.

        Examples
        --------
        >>> import apsp
        >>> oracle = apsp.prepare(apsp.generate("city", 400, seed=1))
        >>> oracle.explore("city.html", label="travel time", unit="s", scale="metres")
        >>> in_a_notebook = oracle.explore(label="travel time", unit="s", scale="metres")
        """
        factor, options = self._now.factor, Exploring(sources, target, title, label, unit, scale)
        return write_explored(factor.graph, path, options, height, dtype=factor.dtype.name, tree=factor.tree)

    @classmethod
    @public
    def load(
        cls,
        path: PathLike,
        *,
        labels: bool | None = None,
        threads: int | None = None,
        device: DeviceLike = "cpu",
    ) -> Oracle:
        """Read an oracle that `save` wrote.

        Parameters
        ----------
        path : str or Path
            The file.
        labels : bool, optional
            Keep labels, as for `prepare`; by default if the saved oracle did.
        {threads}
        device : 'cpu', 'cuda' or 'cuda:1'
            As for `apsp.prepare`.

        Returns
        -------
        Oracle
            The oracle, with its graph.

        Raises
        ------
        FileFormatError
            If the file is truncated or damaged, or is not an oracle.
        MissingFileError
            If the file does not exist.
        DtypeRangeError
            If a GPU does not hold its distances.
        DeviceError, RequestError
            If the device does not exist or an argument is invalid.
        MemoryLimitError
            If the oracle does not fit into memory.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> oracle.save("oracle.npz")
        >>> apsp.Oracle.load("oracle.npz")
        Oracle(n=4, m=6, uint16, cpu, 92 B)
        """
        from apsp.methods.elimination.factor_file import read_factor

        gpu, chosen = gpu_named(device), None if labels is None else flag(labels, "labels")
        factor, closed, requested, had_labels = read_factor(file_path(path))
        if gpu is not None:
            dtype_for(factor.graph, factor.dtype.name, gpu)
        has_labels = had_labels if chosen is None else chosen
        return cls(
            factor, requested=requested, threads=threads_from(threads), gpu=gpu, labels=has_labels, closed=closed
        )

    def __reduce__(self) -> tuple[Any, ...]:
        now = self._now
        factor, closed = now.factor, now.closed
        graph, rows = (factor.graph, None) if closed is None else (closed.searched, closed.rows)
        has_labels = now.labels is not None
        return _rebuilt, (graph, factor.tree.arrays(), factor.values, self._requested, has_labels, rows)

    def _repr_html_(self) -> str:
        from apsp.figures.html import card
        from apsp.graph.plotting import graph_rows, small_map

        now = self._now
        what = "factor" if now.labels is None else "factor and labels"
        rows = [("distances", f"{now.dtype} on {_place(now)}"), (what, format_bytes(now.nbytes))]
        return card("Oracle", [*graph_rows(now.graph), *rows], small_map(now.graph))

    def __repr__(self) -> str:
        now = self._now
        kind = str(now.dtype) if now.labels is None else f"{now.dtype}, labels"
        return f"Oracle(n={now.graph.n}, m={now.graph.m}, {kind}, {_place(now)}, {format_bytes(now.nbytes)})"


def _place(now: Snapshot) -> str:
    return "cpu" if now.gpu is None else f"cuda:{now.gpu}"


def _sums_of(now: Snapshot, chosen: IntArray | None, rows: int | None, progress: Progress) -> Iterator[RowSums]:
    """Sum up rows without storing them: `rows` of them at a time, or all."""
    sources = np.arange(now.graph.n, dtype=np.int32) if chosen is None else chosen
    height = rows or max(len(sources), 1)
    with reporting(progress) as report:
        for start in range(0, len(sources), height):
            yield now.sums(sources[start : start + height], offset(report, "oracle", start, len(sources)))


def _rebuilt(
    graph: Graph, tree: dict[str, npt.NDArray[Any]], values: npt.NDArray[Any], requested: str, labels: bool = False,
    rows: npt.NDArray[np.int64] | None = None,
) -> Oracle:  # fmt: skip
    from apsp.methods.elimination.factor_file import factor_of

    if not values.flags.writeable:  # joblib maps large arrays from files; the kernels take writable ones
        values = np.array(values)
    closed = Closed.of(graph, rows)
    factor = factor_of(graph if closed is None else closed.graph, tree, values)
    return Oracle(factor, requested=requested, threads=threads_from(None), labels=labels, closed=closed)
