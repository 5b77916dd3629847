"""Paths from an oracle: one, or those of many pairs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from apsp._types import Vertex, VertexLike, VerticesLike
from apsp.api.oracle.blocks import BlockQueries
from apsp.api.oracle.pairs import paired
from apsp.api.oracle.snapshot import Snapshot, refuse_unless
from apsp.errors import NoPathError
from apsp.graph.labels import labels_of
from apsp.graph.links import kept_links
from apsp.graph.model import Graph
from apsp.graph.path_length import links_along, links_of_paths
from apsp.methods.elimination.routes import EntryPaths
from apsp.methods.problem import IntArray, KernelProgress
from apsp.result import paths
from apsp.result.many_paths import ManyPaths
from apsp.semiring import unreachable
from apsp.system.arguments import flag, whole_number
from apsp.system.array_device import to_host
from apsp.system.lack_of_memory import memory_errors
from apsp.system.progress import Progress, offset, reporting

__all__ = ["PathQueries"]

_ROUTE_BYTES = 200
"""Per pair, besides the distance: order, offsets, and some twenty entries of the factor, twice for a moment."""

_SHARED = 6
"""Bytes per vertex of a path: its number, and half of that again for parts that paths have in common."""

_REMEDY = "oracle.stream_paths(), some of the pairs at a time"


class PathQueries(BlockQueries):
    """The path queries of `apsp.api.oracle.oracle.Oracle`."""

    @memory_errors
    def path(self, source: VertexLike, target: VertexLike, *, links: bool = False) -> list[Vertex]:
        """Return the vertices of a shortest path, both ends included; O(m) and one row of distances.

        Parameters
        ----------
        source, target : hashable
            Vertices, as the graph labels them.
        links : bool
            Return the numbers of the links of the path, positions in `Graph.links`, which are the rows of the input;
            [] for a vertex to itself.

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
        s, t = graph.labels.index(source), graph.labels.index(target)
        there = now.room((1, graph.n))
        now.fill(np.array([s], dtype=np.int32), None, there, None)
        row = to_host(there)[0]
        if row[t] == unreachable(now.dtype):
            raise NoPathError(graph.word(s), graph.word(t))
        found = paths.walk(paths.predecessors_from_distances(graph, s, row), s, t)
        return links_along(graph, found) if flag(links, "links") else [graph.labels[vertex] for vertex in found]

    @memory_errors
    def paths(
        self, sources: VerticesLike, targets: VerticesLike, *, links: bool = False, progress: Progress = False
    ) -> ManyPaths:
        """Find shortest paths for many pairs of vertices, and their lengths, on all threads of the CPU.

        Parameters
        ----------
        sources, targets : sequences of k vertices, or one vertex
            The i-th pair is that of the i-th source and the i-th target. One vertex is paired with each of the others.
        links : bool
            The numbers of the links of the paths, positions in `Graph.links`, in place of their vertices.
        progress : bool or callable
            True draws a bar; a callable is called as progress(stage, done, total).

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
        The first call finds out what every value of the factor stands for: an arc, or two other values (Geisberger,
        Sanders, Schultes and Delling 2008, "Contraction hierarchies"). This takes about as long as the factor, and 12
        bytes per value, which the oracle keeps until `update`. Then a path of many vertices is a few values, whose
        vertices are copied: 4 bytes per vertex.

        Among paths of equal length one is chosen, the same in every call. It may differ from that of `path`.

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
        starts, ends = paired(now.graph, sources, targets)
        if flag(links, "links"):
            kept_links(now.graph)
        with reporting(progress) as report:
            found = _paths_of(now, starts, ends, offset(report, "oracle", 0, len(starts)))
        return _as_links(now.graph, found) if links else found

    @memory_errors
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
        progress : bool or callable
            True draws a bar; a callable is called as progress(stage, done, total).

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
            kept_links(now.graph)
        blocks = _path_blocks(now, starts, ends, whole_number(pairs, "pairs", least=1), progress)
        return (_as_links(now.graph, found) for found in blocks) if links else blocks


def _as_links(graph: Graph, found: ManyPaths) -> ManyPaths:
    """The links of paths in place of their vertices."""
    links, offsets = links_of_paths(graph, found.positions, found.offsets)
    numbers = labels_of(range(len(kept_links(graph))))
    numbers._inputs = graph.labels.inputs
    return ManyPaths(offsets, links, found.distances, numbers, "links")


def _path_blocks(
    now: Snapshot, starts: IntArray, ends: IntArray, height: int, progress: Progress
) -> Iterator[ManyPaths]:
    with reporting(progress) as report:
        for first in range(0, len(starts), height):
            part = slice(first, first + height)
            yield _paths_of(now, starts[part], ends[part], offset(report, "oracle", first, len(starts)))


def _paths_of(now: Snapshot, starts: IntArray, ends: IntArray, progress: KernelProgress | None) -> ManyPaths:
    count = len(starts)

    def what() -> str:
        return f"the paths of {count:,} pairs"

    refuse_unless(count * (now.dtype.itemsize + _ROUTE_BYTES), what, _REMEDY)
    steps = now.steps()
    if steps is None:  # more values than numbers
        routes = EntryPaths.unknown(now.pairs(starts, ends))
    else:
        routes = steps.routes(starts, ends, threads=now.threads, progress=progress)
    searched = _searched(now, routes, starts, ends)
    counts = routes.lengths.copy()
    for pair, path in searched.items():
        counts[pair] = len(path)
    offsets = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(counts, out=offsets[1:])
    refuse_unless(int(offsets[-1]) * _SHARED + 4 * len(now.factor.values), what, _REMEDY)
    vertices = np.empty(offsets[-1], dtype=np.int32)
    if steps is not None:
        steps.write(routes, starts, offsets, vertices, threads=now.threads)
    for pair, path in searched.items():
        vertices[offsets[pair] : offsets[pair + 1]] = path
        routes.lengths[pair] = len(path)
    if (routes.lengths != counts).any():
        offsets, vertices = _closed_up(offsets, vertices, routes.lengths)
    return ManyPaths(offsets, vertices, routes.distances, now.graph.labels)


def _searched(now: Snapshot, routes: EntryPaths, starts: IntArray, ends: IntArray) -> dict[int, list[int]]:
    """The paths that the factor does not tell, for example because sums of floats differ by their rounding."""
    found: dict[int, list[int]] = {}
    missing = np.flatnonzero(routes.lengths < 0)
    trees: dict[int, IntArray] = {}
    for pair in missing[np.argsort(starts[missing], kind="stable")].tolist():
        source = int(starts[pair])
        if source not in trees:
            trees.clear()
            trees[source] = _tree(now, source)
        found[pair] = paths.walk(trees[source], source, int(ends[pair]))
    return found


def _tree(now: Snapshot, source: int) -> IntArray:
    row = np.empty((1, now.graph.n), dtype=now.dtype)
    now.factor.rows(np.array([source], dtype=np.int32), None, row, threads=now.threads)
    return paths.predecessors_from_distances(now.graph, source, row[0])


def _closed_up(
    offsets: npt.NDArray[np.int64], vertices: IntArray, lengths: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], IntArray]:
    """The same without the room that paths left over, of which loops were cut out."""
    new = np.zeros_like(offsets)
    np.cumsum(lengths, out=new[1:])
    moved = np.flatnonzero(new[:-1] != offsets[:-1])
    for old, start, count in zip(offsets[moved].tolist(), new[moved].tolist(), lengths[moved].tolist(), strict=True):
        vertices[start : start + count] = vertices[old : old + count]
    return new, vertices[: new[-1]].copy()
