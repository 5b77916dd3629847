"""Distances between places from those between the ends of their streets."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray
from apsp.errors import RequestError
from apsp.facts.request import Request
from apsp.graph.labels import Labels
from apsp.graph.model import Graph
from apsp.graph.places import Places
from apsp.graph.places.ends import Ends, check_places, direct, direct_pairs, ends_of
from apsp.graph.places.placed import placed
from apsp.graph.places.uses import Uses
from apsp.graph.turns.turn_graph import own_vertices
from apsp.methods.rows.ends_on_gpu import between_on_gpu
from apsp.result.place_matrix import PlaceMatrix
from apsp.running.arguments import Positions, positions_of, problem_of
from apsp.running.output import checked, taken
from apsp.running.planned_rows import PlannedRows, planned_rows
from apsp.semiring import infinite, unreachable
from apsp.system.array_device import to_host
from apsp.system.machine import refuse_unless_fits
from apsp.system.progress import offset, reporting

__all__ = ["Side", "distances_of_places", "matrix_of_places", "side_of", "single", "ways"]

Floats = npt.NDArray[np.float64]

_AT_ONCE = 1 << 18
"""Entries that are combined at a time: they stay in a cache."""


@dataclass(frozen=True)
class Side:
    """Sources or targets: places, or vertices by position."""

    places: Places | None
    vertices: npt.NDArray[np.int32]
    labels: Labels
    ends: Ends

    def __len__(self) -> int:
        return len(self.vertices)


def side_of(graph: Graph, chosen: Any, word: str, *, leaving: bool) -> Side:
    """Return checked places, or vertices, as sources (leaving) or targets.

    Raises
    ------
    GraphError, RequestError
        If they are not of this graph.
    """
    if isinstance(chosen, Places):
        check_places(graph, chosen, word)
        numbers = np.arange(len(chosen), dtype=np.int32)
        return Side(chosen, numbers, chosen.labels, ends_of(graph, chosen, leaving=leaving))
    found = positions_of(graph, chosen, word)
    vertices = np.arange(own_vertices(graph), dtype=np.int32) if found is None else np.asarray(found, dtype=np.int32)
    lengths = np.stack([np.zeros(len(vertices)), np.full(len(vertices), np.inf)])
    return Side(None, vertices, graph.labels, Ends(np.stack([vertices, vertices]), lengths))


Fill = Callable[[Ends, Ends, Floats], None]
"""Writes distances between points, as `Solver.fill_between`."""


def matrix_of_places(
    graph: Graph, sources: Any, targets: Any, fill: Fill | None = None, out: Any = None,
    request: Request | None = None, *, of_graph: bool = False,
) -> PlaceMatrix:  # fmt: skip
    """Return the distances from places or vertices to places or vertices.

    Parameters
    ----------
    fill : callable, optional
        What is prepared for the graph; by default a method is planned.
    out : (S, T) float64, optional
        Array for the distances.
    request : Request, optional
        The device, threads and progress of a method that is planned; by default on the CPU.
    of_graph : bool
        Nothing is prepared: also a graph that has the places as vertices may be searched.
    """
    if graph._turned is not None and of_graph:
        return _matrix_with_turns(graph, sources, targets, request or Request(device="cpu"))
    rows, columns = (
        side_of(graph, chosen, word, leaving=word == "sources")
        for chosen, word in ((sources, "sources"), (targets, "targets"))
    )
    shape = len(rows), len(columns)
    if out is None:
        what = f"{shape[0]:,} x {shape[1]:,} distances"
        refuse_unless_fits(8 * shape[0] * shape[1], what, "some of the sources at a time")
        found = np.empty(shape)
    else:
        found = checked(taken(out), shape, np.dtype(np.float64), None)
    if fill is not None and found.size:
        fill(rows.ends, columns.ends, found)
    else:
        _by_ends(graph, rows, columns, found, request or Request(device="cpu"))
    if rows.places is not None and columns.places is not None:
        row, column = direct_pairs(rows.places, columns.places)
        found[row, column] = np.minimum(found[row, column], direct(graph, rows.places, columns.places, row, column))
    return PlaceMatrix(rows.labels, columns.labels, rows.vertices, columns.vertices, found)


def _matrix_with_turns(graph: Graph, sources: Any, targets: Any, request: Request) -> PlaceMatrix:
    """Return it from rows of the graph that has the places as vertices: places have more ends than two."""
    wide = placed(graph, leaving=(sources,), entering=(targets,), rows=sources)
    starts, ends = _ends_in(wide, graph, sources, targets)
    refuse_unless_fits(
        8 * len(starts) * len(ends), f"{len(starts):,} x {len(ends):,} distances", "some of the sources at a time"
    )
    found, height = np.empty((len(starts), len(ends))), 0
    planned = planned_rows(wide, starts, ends, request.of_rows(starts, ends))
    for block in planned.blocks(reuse=True, progress=request.progress, where_computed=False):
        found[height : height + len(block.distances)] = infinite(to_host(block.distances))
        height += len(block.distances)
    (rows, first), (columns, second) = (wide.labels.part(each) for each in (starts, ends))
    return PlaceMatrix(rows, columns, starts - np.int32(first), ends - np.int32(second), found)


def _ends_in(wide: Graph, graph: Graph, sources: Any, targets: Any) -> list[npt.NDArray[np.int32]]:
    """The positions of sources and targets in a graph that has the places as vertices."""
    found = (positions_of(wide, sources, "sources"), positions_of(wide, targets, "targets"))
    return [np.arange(own_vertices(graph), dtype=np.int32) if each is None else each for each in found]


def _by_ends(graph: Graph, rows: Side, columns: Side, found: Floats, request: Request) -> None:
    """Write the least over the ends of each source and each target."""
    second = np.flatnonzero(np.isfinite(columns.ends.lengths[1]))
    ends = np.concatenate([columns.ends.vertices[0], columns.ends.vertices[1][second]])
    starts = np.unique(rows.ends.vertices[np.isfinite(rows.ends.lengths)])
    if not found.size or not len(starts):
        found.fill(np.inf)
        return
    planned = planned_rows(graph, starts, ends, request.of_rows(starts, ends))
    planned.attempt(lambda of_ends: _fill(of_ends, rows, columns, second, found))


def _fill(planned: PlannedRows, rows: Side, columns: Side, second: npt.NDArray[np.int64], found: Floats) -> None:
    if not (planned.solver.can_fill_between or planned.plan.device == "cuda"):
        _by_rows(planned, rows, columns, second, found)
        return
    with reporting(planned.request.progress) as report:
        progress = offset(report, planned.plan.method, 0, len(found))
        if planned.solver.can_fill_between:
            planned.solver.fill_between(rows.ends, columns.ends, found, progress)
        else:
            where = np.tile(np.arange(len(columns)), (2, 1))
            where[1, second] = len(columns) + np.arange(len(second))
            problem = problem_of(planned.graph, planned.plan, planned.targets, planned.request)
            between_on_gpu(planned.solver, problem, rows.ends, where, columns.ends.lengths, found, progress)


def _by_rows(planned: PlannedRows, rows: Side, columns: Side, second: npt.NDArray[np.int64], found: Floats) -> None:
    """Write the distances from rows to the first ends of all targets, and to the second ends of some."""
    found.fill(np.inf)
    uses = [Uses(rows.ends.vertices[side], rows.ends.lengths[side]) for side in (0, 1)]
    width = len(columns)
    for block in planned.blocks(reuse=True, progress=planned.request.progress, where_computed=False):
        rows_found, vertices = to_host(block.distances), block.source_positions
        none = unreachable(rows_found.dtype)
        step = max(_AT_ONCE // max(rows_found.shape[1], 1), 1)
        for start in range(0, len(rows_found), step):
            part = rows_found[start : start + step]
            near = part[:, :width] + columns.ends.lengths[0]
            other = part[:, width:] + columns.ends.lengths[1][second]
            absent = part == none
            if none != np.inf and absent.any():
                near[absent[:, :width]] = np.inf
                other[absent[:, width:]] = np.inf
            near[:, second] = np.minimum(near[:, second], other)
            for use in uses:
                use.lower(found, near, vertices[start : start + step])


def distances_of_places(
    graph: Graph, sources: Any, targets: Any, of_vertices: Callable[..., NumPyArray], *, of_graph: bool = False
) -> Floats:
    """Return the distances of pairs: the i-th from sources[i] to targets[i].

    Parameters
    ----------
    of_vertices : callable
        The distances of pairs of vertices: `of_vertices(graph, sources, targets)`.
    of_graph : bool
        It takes other graphs than this one, too.

    Raises
    ------
    RequestError
        If there are not as many sources as targets.
    """
    if graph._turned is not None and of_graph:
        wide = placed(graph, leaving=(sources,), entering=(targets,), rows=sources)
        starts, ends = _ends_in(wide, graph, sources, targets)
        return infinite(of_vertices(wide, Positions(starts), Positions(ends)))
    rows, columns = (
        side_of(graph, chosen, word, leaving=word == "sources")
        for chosen, word in ((sources, "sources"), (targets, "targets"))
    )
    if len(rows) != len(columns) and 1 not in (len(rows), len(columns)):
        raise RequestError(f"there are {len(rows):,} sources and {len(columns):,} targets: give one of each per pair")
    count = len(columns) if len(rows) == 1 else len(rows)
    row, column = (np.broadcast_to(np.arange(len(side)), count) for side in (rows, columns))
    found = np.full(count, np.inf)
    for some, starts, ends, length in ways(rows, columns, row, column):
        between = infinite(of_vertices(graph, Positions(starts), Positions(ends)))
        found[some] = np.minimum(found[some], between + length)
    if rows.places is not None and columns.places is not None:
        found = np.minimum(found, direct(graph, rows.places, columns.places, row, column))
    return found


def ways(
    rows: Side, columns: Side, row: NumPyArray, column: NumPyArray
) -> Iterator[tuple[NumPyArray, NumPyArray, NumPyArray, Floats]]:
    """Yield, for each end of a street and each of the other, the pairs for which they are open: their numbers, the
    ends between which a path leads, and the length of the ways to these.
    """
    for near, far in itertools.product(*(range(len(side.ends.lengths)) for side in (rows, columns))):
        length = rows.ends.lengths[near][row] + columns.ends.lengths[far][column]
        starts, ends = rows.ends.vertices[near][row], columns.ends.vertices[far][column]
        some = np.flatnonzero(np.isfinite(length) & columns.ends.lead_on(far, column, starts))
        if len(some):
            yield some, starts[some], ends[some], length[some]


def single(source: Any, target: Any) -> tuple[Any, Any]:
    """Return the place of each end, or a list of its vertex.

    Raises
    ------
    RequestError
        If there are several places.
    """
    start, end = (each if isinstance(each, Places) else [each] for each in (source, target))
    if len(start) != 1 or len(end) != 1:
        raise RequestError("this takes one place each: places[3]; apsp.distances and apsp.matrix take several")
    return start, end
