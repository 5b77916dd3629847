"""Paths that are given by labels, and the parts of streets between places at their ends and the vertices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp._types import VertexLike
from apsp.errors import GraphError, RequestError, shown
from apsp.graph.bends import Bends, joined
from apsp.graph.places.ends import at_one_point, check_places
from apsp.graph.places.frames import frame_of
from apsp.graph.places.places import Places
from apsp.graph.places.street_lines import StreetLines

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = ["PathsIn", "path_of", "paths_in"]

Ints = npt.NDArray[np.int64]
Positions = npt.NDArray[np.int32]


class PathsIn(NamedTuple):
    """k paths of a graph.

    Attributes
    ----------
    sources, targets : (k,) int32
        The ends by position, or by their number among the places; -1 of an empty path.
    offsets, positions : (k + 1,) int64, (p,) int32
        Path i passes the vertices positions[offsets[i] : offsets[i + 1]].
    before, after : Bends or None
        The points on the streets of places before the first of these vertices, and after the last one.
    """

    sources: Positions
    targets: Positions
    offsets: Ints
    positions: Positions
    before: Bends | None
    after: Bends | None


def paths_in(
    graph: Graph, paths: Sequence[Sequence[VertexLike]], sources: Places | None, targets: Places | None
) -> PathsIn:
    """The paths; the first label of each is one of the sources if these are places, and the last one of the targets.

    Raises
    ------
    RequestError
        If it is one path, or the places are not of this graph.
    GraphError
        If a vertex or place does not exist, or a place is not beside the next vertex.
    """
    if isinstance(paths, (str, bytes)) or not isinstance(paths, Iterable) or getattr(paths, "ndim", 1) == 0:
        raise RequestError(f"paths must be a sequence of paths, each of vertices, not {shown(paths)}")
    for name, places in (("sources", sources), ("targets", targets)):
        if places is not None and not isinstance(places, Places):
            raise RequestError(f"{name} must be Places, which Graph.snap makes, not {shown(places)}")
        if places is not None:
            check_places(graph, places, name)
    paths = list(paths)
    inner, ends = [], np.full((2, len(paths)), -1, dtype=np.int32)
    for number, path in enumerate(paths):
        if isinstance(path, (str, bytes)) or not isinstance(path, Sequence | np.ndarray):
            raise RequestError("paths must be a sequence of paths: of one path, path_features([path])")
        labels = list(path)
        vertices = graph.labels.positions(labels[sources is not None : len(labels) - (targets is not None)])
        inner.append(vertices)
        if labels and not len(vertices) and (sources is None or targets is None):
            raise GraphError(f"a path between a place and a vertex has both, not only {shown(labels[0])}")
        for side, (places, at) in enumerate(((sources, 0), (targets, -1))):
            if labels:
                ends[side, number] = vertices[at] if places is None else places.labels.index(labels[at])
    counts = np.array([len(vertices) for vertices in inner], dtype=np.int64)
    offsets = np.append(0, np.cumsum(counts))
    positions = np.concatenate([*inner, np.empty(0, dtype=np.int32)]).astype(np.int32)
    passing = counts > 0
    following = np.full((2, len(paths)), -1, dtype=np.int64)
    following[0, passing], following[1, passing] = positions[offsets[:-1][passing]], positions[offsets[1:][passing] - 1]
    fractions = np.zeros(len(paths))
    if sources is not None and targets is not None:
        fractions = _on_one_street(sources, targets, ends, ~passing & (ends[0] >= 0))
    before, after = (
        None if places is None else _parts(graph, places, ends[side], following[side], fractions, leaving=side == 0)
        for side, places in enumerate((sources, targets))
    )
    return PathsIn(ends[0], ends[1], offsets, positions, before, after)


def path_of(positions: Sequence[int]) -> PathsIn:
    """One path between vertices, by positions."""
    vertices = np.array(positions, dtype=np.int32)
    ends = vertices if len(vertices) else np.array([-1], dtype=np.int32)
    return PathsIn(ends[:1], ends[-1:], np.array([0, len(vertices)]), vertices, None, None)


def _on_one_street(
    sources: Places, targets: Places, ends: npt.NDArray[np.int32], direct: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float64]:
    """The fractions of the targets of paths that pass no vertex; GraphError if such ends are on two streets."""
    rows, columns = ends[:, direct]
    apart = (sources.arcs[rows] != targets.arcs[columns]) & ~at_one_point(sources, targets, rows, columns)
    if apart.any():
        pair = int(np.argmax(apart))
        names = sources.labels.word(int(rows[pair])), targets.labels.word(int(columns[pair]))
        raise GraphError(f"the path from the place {names[0]} to {names[1]} passes no vertex: they are on two streets")
    found = np.zeros(len(direct))
    found[direct] = targets.fractions[columns]
    return found


def _parts(
    graph: Graph, places: Places, rows: npt.NDArray[np.int32], following: Ints, fractions: npt.NDArray[np.float64],
    *, leaving: bool,
) -> Bends:  # fmt: skip
    """The points of the parts of streets at one end of k paths, in the direction of these.

    Parameters
    ----------
    rows : (k,) int32
        The number of the place; -1 of an empty path.
    following : (k,) int64
        The vertex of the path that is next to the place; -1 if it passes none.
    fractions : (k,) float64
        In that case, where on the street the path ends.
    leaving : bool
        Whether the paths begin at the places.
    """
    some = np.flatnonzero(rows >= 0)
    row, vertex = rows[some], following[some]
    on, direct = places.arcs[row] >= 0, vertex < 0
    to_head = on & (vertex == (graph.indices[places.arcs[row]] if graph.m else -1))
    wrong = ~direct & ~to_head & (vertex != places.vertices[row])
    if wrong.any():
        first = int(np.argmax(wrong))
        raise GraphError(
            f"the place {places.labels.word(int(row[first]))} is not on a street of {graph.word(int(vertex[first]))}, "
            "the vertex next to it on the path"
        )
    shown_at = some[on | direct]
    at = Bends(np.searchsorted(shown_at, np.arange(len(rows) + 1)), places.on_street[rows[shown_at]])
    lines = StreetLines.of(graph, frame_of(places.crs), places.arcs[row[on]])
    here = places.fractions[row[on]]
    there = np.where(direct, fractions[some] if leaving else places.fractions[row], to_head)[on]
    corners = lines.bends_between(np.arange(len(here)), *((here, there) if leaving else (there, here)))
    indptr = np.append(corners.indptr, corners.indptr[-1:])[np.searchsorted(some[on], np.arange(len(rows) + 1))]
    return joined([at, Bends(indptr, corners.points)] if leaving else [Bends(indptr, corners.points), at])
