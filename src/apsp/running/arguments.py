"""Conversion of the arguments of public functions to requests for the planner and the solvers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from apsp._types import GraphLike, SemiringName, VerticesLike
from apsp.errors import NegativeCycleError, RequestError
from apsp.facts.request import Request
from apsp.graph.accept import as_graph, graph_with_turns
from apsp.graph.device import DeviceGraph, device_array
from apsp.graph.labels.placed import PlacedLabels
from apsp.graph.model import Graph
from apsp.graph.places import Places
from apsp.graph.signed import within_reach
from apsp.graph.turns.turn_graph import TurnGraph, refuse_turns
from apsp.methods import emulated, registry
from apsp.methods.problem import IntArray, Problem, Solver
from apsp.planning.plan import Plan
from apsp.semiring import MIN_PLUS, SEMIRINGS
from apsp.system.arguments import one_of
from apsp.system.array_device import gpu_of, lies_on_gpu, to_host

__all__ = [
    "TAKING_PLACES",
    "Positions",
    "distinct",
    "own_positions",
    "positions_of",
    "prepared",
    "problem_of",
    "requested",
    "stays_on",
    "without_far_cycles",
]

Outcome = TypeVar("Outcome")

TAKING_PLACES = (
    "solve, stream, plan, profile, distance, distances, matrix, table, shortest_path, shortest_simple_paths, "
    "shortest_walks, within, stream_within, k_nearest, nearest, isochrone, stream_isochrones, accessibility and skim"
)
"""The functions that take places."""


def requested(
    graph: GraphLike | TurnGraph,
    sources: VerticesLike | None,
    targets: VerticesLike | None,
    *,
    semiring: SemiringName = "min_plus",
    turns: bool = False,
    **options: Any,
) -> tuple[Graph, IntArray | None, IntArray | None, Request]:
    """The validated graph, the positions of sources and targets, and the request for the planner.

    With `turns`, the caller honours graphs with turns: all their vertices are those without copies.
    """
    graph = graph_with_turns(graph) if turns else as_graph(cast("GraphLike", graph))
    semiring = one_of(semiring, "semiring", SEMIRINGS)
    if semiring != MIN_PLUS.name:
        refuse_turns(graph, f"semiring={semiring!r}")
        if isinstance(graph.labels, PlacedLabels):
            raise RequestError(
                f"semiring={semiring!r} compares whole arcs, and places have parts of them: leave it out, or give "
                "vertices, such as graph.labels[places.vertices]"
            )
    if isinstance(graph, DeviceGraph) and options.get("device", "auto") == "auto" and "mode" not in options:
        method = options.get("method", "auto")
        if not isinstance(method, str) or method == "auto" or "cuda" in registry.get(method).devices:
            options["device"] = f"cuda:{gpu_of(graph.matrix)}"
    rows, columns = own_positions(graph, sources, "sources"), own_positions(graph, targets, "targets")
    options["sources"] = None if rows is None else len(rows)
    options["targets"] = None if columns is None else len(columns)
    return graph, rows, columns, Request(semiring=SEMIRINGS[semiring], **options)


def prepared(graph: Graph, plan: Plan, targets: IntArray | None, request: Request) -> Solver:
    """Prepare the solver of a plan."""
    problem = problem_of(graph, plan, targets, request)
    return emulated.prepare(registry.prepare(registry.get(plan.method)), problem)


def problem_of(graph: Graph, plan: Plan, targets: IntArray | None, request: Request) -> Problem:
    """Return the problem that the solver of a plan is prepared for."""
    return Problem(
        graph,
        plan.dtype,
        semiring=request.semiring,
        targets=targets,
        cutoff=request.cutoff,
        rows=request.sources,
        threads=plan.threads,
        device=plan.device,
        gpus=plan.gpus,
        gpu_memory=plan.gpu_memory,
        pages_file=plan.pages_file,
        matrix_in=plan.matrix_in if plan.gpus else None,
    )


def without_far_cycles(graph: Graph, sources: IntArray | None, act: Callable[[Graph], Outcome]) -> Outcome:
    """Apply `act` to the graph; if there is a negative cycle that no source reaches, to the part that the sources
    reach.
    """
    try:
        return act(graph)
    except NegativeCycleError:
        part = within_reach(graph, sources)
        if part is graph:
            raise
        return act(part)


def stays_on(request: Request, plan: Plan) -> int | None:
    """Return the GPU in whose memory the results stay: the one that was requested by name, if they fit."""
    stays = request.device == "cuda" and plan.matrix_in == "device"
    return plan.gpus[0] if stays and plan.gpus else None


@dataclass(frozen=True)
class Positions:
    """Vertices by position, where a caller would give labels."""

    positions: IntArray


def positions_of(graph: Graph, chosen: VerticesLike | Places | Positions | None, word: str) -> IntArray | None:
    """Return the positions of a caller's sources or targets; None means all.

    Places are found in a graph that has them as vertices (`apsp.graph.places.placed`).

    A value that is a label itself counts as one vertex, also a tuple; any other sequence, array, pandas index or series
    gives one vertex per item.

    Raises GraphError or RequestError if a value is not a vertex, or the argument does not contain vertices; the message
    names it.
    """
    labels = graph.labels
    places = labels if isinstance(labels, PlacedLabels) else None
    if places is not None:
        labels = places.own
    if chosen is None:
        return None
    if isinstance(chosen, Positions):
        return chosen.positions
    if isinstance(chosen, Places):
        found = None if places is None else places.part_of(chosen)
        if found is None:
            one = f"{chosen.labels.word(0)} is a place, and this" if len(chosen) else "this"
            raise RequestError(
                f"{word}: {one} function takes vertices here, not places: apsp.matrix(graph, places) has their "
                f"distances; {TAKING_PLACES} take places, and so do the methods distance, distances, matrix, rows, "
                "path and paths of an oracle; places.vertices are positions of the vertices where their streets begin"
            )
        return found
    if isinstance(chosen, np.ndarray) or lies_on_gpu(chosen) or hasattr(chosen, "__array__"):
        array = to_host(device_array(chosen, word)) if lies_on_gpu(chosen) else _array(chosen, word)
        if array.ndim == 0 and isinstance(chosen, (Hashable, np.ndarray)):
            return labels.positions([chosen if isinstance(chosen, Hashable) else array[()]])
        if array.ndim != 1:
            raise RequestError(f"{word} must be one vertex or a sequence of vertices, not of shape {array.shape}")
        if array.dtype.kind == "b" and not all(each in labels for each in array):
            raise RequestError(f"{word} must be vertices, not a mask: graph.labels[mask]")
        return labels.positions(array if array.dtype.kind in "iu" else list(cast("Iterable[Any]", chosen)))
    if isinstance(chosen, (str, bytes)) or not isinstance(chosen, Iterable):
        return labels.positions([chosen])
    if (
        not labels.are_positions
        and isinstance(chosen, Hashable)
        and not isinstance(chosen, (range, Iterator))
        and chosen in labels
    ):
        return labels.positions([chosen])
    return labels.positions(chosen if isinstance(chosen, (range, list, tuple)) else list(chosen))


def own_positions(graph: Graph, chosen: VerticesLike | Places | None, word: str) -> IntArray | None:
    """As `positions_of`; all vertices of a graph that has places as vertices, too, are those without the places."""
    found = positions_of(graph, chosen, word)
    if found is None and isinstance(graph.labels, PlacedLabels):
        return np.arange(len(graph.labels.own), dtype=np.int32)
    return found


def distinct(positions: IntArray) -> IntArray:
    """Return positions in ascending order, each of them once; those that are given so without sorting."""
    return positions if bool(np.all(positions[1:] > positions[:-1])) else np.unique(positions)


def _array(chosen: Any, word: str) -> npt.NDArray[Any]:
    try:
        return np.asarray(chosen)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise RequestError(f"{word} must be one vertex or a sequence of vertices: {error}") from None
