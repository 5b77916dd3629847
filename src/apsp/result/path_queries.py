"""Path queries of a result, by predecessors or from distances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from apsp._types import HostOrGpuArray, Vertex, VertexLike
from apsp.errors import NoPathError, PathsNotKeptError, RequestError, shown
from apsp.graph.links import kept_links
from apsp.graph.path_length import links_along
from apsp.result import paths, walk
from apsp.result.routes import Routes
from apsp.result.table import DistanceTable
from apsp.system.arguments import flag
from apsp.system.array_device import beside, is_on_gpu
from apsp.system.lack_of_memory import memory_errors

__all__ = ["PathQueries"]


class PathQueries(DistanceTable):
    """The path queries of `apsp.result.result.Result`."""

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
            [] for a vertex to itself.

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
        s, t = self.graph.index(source), self.graph.index(target)
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
            kept_links(self.graph)
        labels = self.graph.labels
        starts, ends = ([labels.index(vertex) for vertex in given] for given in (sources, targets))
        found = self._routes.between([self._row(vertex) for vertex in starts], starts, ends)
        return list(map(self._links, found)) if links else list(map(self._named, found))

    def _links(self, path: list[int]) -> list[Vertex]:
        """The links of a path of positions."""
        return links_along(self.graph, path)

    def _named(self, path: list[int]) -> list[Vertex]:
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
        found = self._path(self.graph.index(source), self.graph.index(target))
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
        if not self._all_sources:
            raise RequestError("via() needs the rows of all vertices: solve without sources")
        self.check()
        with beside(self.predecessors):
            return paths.intermediates(self.predecessors)
