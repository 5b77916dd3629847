"""The computations of a network by position of its nodes, as the class `pandana.cyaccess.cyaccess`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.api.pair_answers import pair_answers
from apsp.api.questions import distances
from apsp.api.within.finding import within
from apsp.api.within.streaming import stream_within
from apsp.compat.pandana.refusing import CallError
from apsp.errors import GraphError, RequestError
from apsp.graph.convert import from_edges
from apsp.graph.model import Graph
from apsp.measures.accessibility import accessibility
from apsp.measures.facilities import nearest
from apsp.semiring import unreachable
from apsp.system.arguments import longest_distance, whole_number

__all__ = ["NO_PATH", "cyaccess"]

NO_PATH = 4294967.295
"""The length of a path that does not exist: the largest number of thousandths in 32 bits."""

_AGGREGATIONS = (b"sum", b"mean", b"min", b"25pct", b"median", b"75pct", b"max", b"std", b"count")
_QUANTILES = {b"min": 0.0, b"25pct": 0.25, b"median": 0.5, b"75pct": 0.75, b"max": 1.0}
_DECAYS = {b"exp": "exponential", b"linear": "linear", b"flat": None}

_EXACT = 2.0**53

_ENOUGH = 3
"""Pairs for which an oracle is prepared: also for a single path, so that it is the same as among many."""


@dataclass(frozen=True)
class _Variable:
    """Values at nodes: several may be at one.

    Attributes
    ----------
    nodes : (k,) int64
        Ascending.
    values : (k,) float64
    """

    nodes: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]


@dataclass(frozen=True)
class _Category:
    """Points of interest: those at a node are order[starts[node] : starts[node + 1]]."""

    maxdist: float
    maxitems: int
    order: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]


class cyaccess:  # noqa: N801 - the name in pandana
    """Distances of a network with one or more impedances, and what is aggregated by them.

    Parameters
    ----------
    node_ids : (n,) array
        Only the number of nodes is used.
    node_xys : (n, 2) array
        Not used.
    edges : (m, 2) integers
        Positions of the nodes.
    edge_weights : (i, m) numbers
        A row per impedance.
    twoway : bool
        Whether edges are passed both ways.
    """

    def __init__(
        self,
        node_ids: npt.ArrayLike,
        node_xys: npt.ArrayLike,  # noqa: ARG002 - pandana's signature
        edges: npt.ArrayLike,
        edge_weights: npt.ArrayLike,
        twoway: bool = True,
    ) -> None:
        self.n = len(np.asarray(node_ids))
        tails, heads = np.asarray(edges).reshape(-1, 2).T
        self._graphs = [
            _graph(self.n, tails, heads, weights, directed=not twoway)
            for weights in np.atleast_2d(np.asarray(edge_weights, dtype=np.float64))
        ]
        self._variables: dict[bytes, _Variable] = {}
        self._categories: dict[bytes, _Category] = {}

    def get_available_aggregations(self) -> list[bytes]:
        """Return the names of what can be computed of the values within a radius."""
        return list(_AGGREGATIONS)

    def get_available_decays(self) -> list[bytes]:
        """Return the names of the functions of the distance."""
        return list(_DECAYS)

    def precompute_range(self, radius: float) -> None:
        """Check the radius. Nothing is kept: results do not depend on this call."""
        longest_distance(radius)

    def initialize_access_var(self, category: bytes, node_ids: npt.ArrayLike, values: npt.ArrayLike) -> None:
        """Set the values (k,) float64 at nodes (k,) by position; a node may have several or none."""
        nodes = self._positions(node_ids)
        order = np.argsort(nodes, kind="stable")
        self._variables[category] = _Variable(nodes[order], np.asarray(values, dtype=np.float64)[order])

    def get_all_aggregate_accessibility_variables(
        self, radius: float, category: bytes, aggtyp: bytes, decay: bytes, impno: int = 0
    ) -> npt.NDArray[np.float64]:
        """Return (n,) aggregates of the values within the radius of each node; (0,) if a name is unknown."""
        variable = self._variables.get(category)
        if variable is None or aggtyp not in _AGGREGATIONS or decay not in _DECAYS:
            return np.empty(0)
        graph = self._graphs[impno]
        if not len(variable.nodes):
            return np.full(self.n, -1.0 if aggtyp in _QUANTILES else 0.0)
        if aggtyp in _QUANTILES:
            return _quantiles(graph, radius, variable, _QUANTILES[aggtyp])
        return self._sums(graph, radius, variable, aggtyp, _DECAYS[decay])

    def _sums(
        self, graph: Graph, radius: float, variable: _Variable, aggtyp: bytes, decay: str | None
    ) -> npt.NDArray[np.float64]:
        count = self._at_nodes(variable.nodes)
        if aggtyp == b"count":
            return _within(graph, count, radius, None)
        if aggtyp == b"std":
            # The deviation does not change with the origin: about the mean of all values, squares do not cancel.
            values = variable.values - variable.values.mean()
            kinds = [count, self._at_nodes(variable.nodes, values), self._at_nodes(variable.nodes, values**2)]
            found, total, squares = _within(graph, np.stack(kinds, axis=1), radius, None).T
            size = np.maximum(found, 1)
            return np.asarray(np.sqrt(np.maximum(squares / size - (total / size) ** 2, 0)))
        total = self._at_nodes(variable.nodes, variable.values)
        if aggtyp == b"sum":
            return _within(graph, total, radius, decay)
        if decay is None:
            found, total = _within(graph, np.stack([count, total], axis=1), radius, None).T
        else:
            found, total = _within(graph, count, radius, None), _within(graph, total, radius, decay)
        return np.asarray(total / np.maximum(found, 1))

    def _at_nodes(
        self, nodes: npt.NDArray[np.int64], values: npt.NDArray[np.float64] | None = None
    ) -> npt.NDArray[np.float64]:
        return np.bincount(nodes, values, minlength=self.n).astype(np.float64)

    def initialize_category(self, maxdist: float, maxitems: int, category: bytes, node_ids: npt.ArrayLike) -> None:
        """Set the points of interest of a category: the nodes (k,) by position, in the order of their numbers."""
        nodes = self._positions(node_ids)
        starts = np.concatenate([[0], np.bincount(nodes, minlength=self.n).cumsum()])
        limit, items = float(longest_distance(maxdist)), whole_number(maxitems, "maxitems", least=1)
        self._categories[category] = _Category(limit, items, np.argsort(nodes, kind="stable"), starts)

    def find_all_nearest_pois(
        self, radius: float, num_of_pois: int, category: bytes, impno: int = 0
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        """Return distances to the nearest points of interest and their numbers, (n, num_of_pois); -1 beyond.

        Of equally near points, the one at the first node comes first, then the one that was given first.
        """
        points = self._categories.get(category)
        if points is None:
            raise CallError(f"there are no points of interest {category.decode()!r}: call set_pois for this category")
        count = whole_number(num_of_pois, "num_pois", least=1)
        if count > points.maxitems:
            raise CallError(f"num_pois={count} is more than the maxitems={points.maxitems} given to set_pois")
        if radius > points.maxdist:
            raise CallError(f"distance={radius} is longer than the maxdist={points.maxdist} given to set_pois")
        distances, numbers = np.full((self.n, count), -1.0), np.full((self.n, count), -1)
        nodes = np.flatnonzero(np.diff(points.starts))
        if not len(nodes):
            return distances, numbers
        found = nearest(self._graphs[impno], nodes, min(count, len(nodes)), cutoff=radius)
        there = found.positions >= 0
        first = points.starts[found.positions]
        upto = np.where(there, points.starts[found.positions + 1] - first, 0).cumsum(axis=1)  # points so far
        every = np.arange(self.n)
        for place in range(count):
            slot = (upto <= place).sum(axis=1)
            some = np.flatnonzero(slot < upto.shape[1])
            slot = slot[some]
            before = np.where(slot > 0, upto[some, slot - 1], 0)
            distances[some, place] = found.distances[some, slot]
            numbers[every[some], place] = points.order[first[some, slot] + place - before]
        return distances, numbers

    def shortest_path(self, srcnode: int, destnode: int, impno: int = 0) -> npt.NDArray[np.int32]:
        """Return the nodes of a shortest path by position; none if there is no path."""
        return self.shortest_paths(np.array([srcnode]), np.array([destnode]), impno)[0]

    def shortest_paths(
        self, srcnodes: npt.ArrayLike, destnodes: npt.ArrayLike, impno: int = 0
    ) -> list[npt.NDArray[np.int32]]:
        """Return the nodes of shortest paths, of the i-th source and the i-th destination."""
        sources, destinations = self._positions(srcnodes), self._positions(destnodes)
        answers = pair_answers(self._graphs[impno])
        oracle = answers.count(_ENOUGH)
        if oracle is None:
            each = zip(sources.tolist(), destinations.tolist(), strict=True)
            return [np.array(answers.path(start, end) or [], dtype=np.int32) for start, end in each]
        exist = np.flatnonzero(np.asarray(self.shortest_path_distances(sources, destinations, impno)) != NO_PATH)
        found: list[npt.NDArray[np.int32]] = [np.empty(0, dtype=np.int32)] * len(sources)
        if len(exist):
            paths = oracle.paths(sources[exist], destinations[exist])
            parts = np.split(paths.positions, paths.offsets[1:-1])
            for place, part in zip(exist.tolist(), parts, strict=True):
                found[place] = part
        return found

    def shortest_path_distance(self, srcnode: int, destnode: int, impno: int = 0) -> float:
        """Return the length of a shortest path; NO_PATH if there is none."""
        return self.shortest_path_distances(np.array([srcnode]), np.array([destnode]), impno)[0]

    def shortest_path_distances(self, srcnodes: npt.ArrayLike, destnodes: npt.ArrayLike, impno: int = 0) -> list[float]:
        """Return the lengths of shortest paths, of the i-th source and the i-th destination."""
        sources, destinations = self._positions(srcnodes), self._positions(destnodes)
        if not len(sources):
            return []
        found = distances(self._graphs[impno], sources, destinations)
        lengths: list[float] = np.where(found == unreachable(found.dtype), NO_PATH, found).astype(np.float64).tolist()
        return lengths

    def nodes_in_range(
        self, srcnodes: npt.ArrayLike, radius: float, impno: int, ext_ids: npt.NDArray[Any]
    ) -> list[list[tuple[Any, float]]]:
        """Return the nodes within the radius of each source, nearest first, and their distances."""
        sources = np.asarray(srcnodes)
        position = {node: place for place, node in enumerate(np.asarray(ext_ids).tolist())}
        unknown = [node for node in sources.tolist() if node not in position]
        if unknown:
            raise GraphError(f"{unknown[0]!r} is not a node of the network")
        nodes_at = self._positions([position[node] for node in sources.tolist()])
        once, back = np.unique(nodes_at, return_inverse=True)
        near = within(self._graphs[impno], radius, sources=once)
        names, lengths = np.asarray(ext_ids)[near.positions].tolist(), near.distances.astype(np.float64).tolist()
        ends = near.indptr.tolist()
        return [list(zip(names[ends[i] : ends[i + 1]], lengths[ends[i] : ends[i + 1]], strict=True)) for i in back]

    def _positions(self, nodes: npt.ArrayLike) -> npt.NDArray[np.int64]:
        found = np.asarray(nodes)
        if found.ndim != 1 or (len(found) and found.dtype.kind not in "iu"):
            raise RequestError(f"nodes must be a sequence of integers, not an array {found.shape} of {found.dtype}")
        outside = np.flatnonzero((found < 0) | (found >= self.n))
        if len(outside):
            raise GraphError(f"node {found[outside[0]]} does not exist: there are {self.n} nodes, from 0 on")
        return found.astype(np.int64)


def _graph(n: int, tails: Any, heads: Any, weights: npt.NDArray[np.float64], *, directed: bool) -> Graph:
    bad = np.flatnonzero(~(weights >= 0))
    if len(bad):
        raise GraphError(f"the impedance of edge {bad[0]} is {weights[bad[0]]}: it must be a number of at least 0")
    is_whole = bool((weights < _EXACT).all() and (weights == np.floor(weights)).all())
    return from_edges(tails, heads, weights.astype(np.int64) if is_whole else weights, n=n, directed=directed)


def _within(
    graph: Graph, amounts: npt.NDArray[np.float64], radius: float, decay: str | None
) -> npt.NDArray[np.float64]:
    if decay is None or radius == np.inf:
        return np.asarray(accessibility(graph, amounts, cutoffs=radius).values)
    if not radius > 0:
        raise RequestError(f"distance must be greater than 0 with a decay, not {radius}: or use decay='flat'")
    return np.asarray(accessibility(graph, amounts, cutoffs=radius, decay=decay, beta=1 / radius).values)


def _quantiles(graph: Graph, radius: float, variable: _Variable, part: float) -> npt.NDArray[np.float64]:
    """The value at position floor(part * count) of the sorted values within the radius; the last for 1; -1 of none."""
    result = np.full(graph.n, -1.0)
    targets, sizes = np.unique(variable.nodes, return_counts=True)
    first = np.zeros(graph.n, dtype=np.int64)
    many = np.zeros(graph.n, dtype=np.int64)
    first[targets], many[targets] = sizes.cumsum() - sizes, sizes
    for block in stream_within(graph, radius, targets=targets):
        sizes = many[block.positions]
        ends = np.concatenate([[0], sizes.cumsum()])
        found = variable.values[np.arange(ends[-1]) + np.repeat(first[block.positions] - ends[:-1], sizes)]
        bounds = ends[block.indptr].tolist()
        for source, start, stop in zip(block.source_positions.tolist(), bounds, bounds[1:], strict=False):
            if stop > start:
                values = found[start:stop]
                place = min(int(len(values) * part), len(values) - 1)
                values.partition(place)
                result[source] = values[place]
    return result
