"""From the arguments of the front door to what the planner and the solvers are asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import RequestError
from apsp.graph.accept import as_graph
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.place import gpu_of
from apsp.plan.plan import Plan
from apsp.plan.request import Request
from apsp.semiring import SEMIRINGS
from apsp.solvers import emulated, registry
from apsp.solvers.problem import IntArray, Problem, Solver

__all__ = ["Vertices", "asked", "prepared", "stays_on", "vertex_numbers"]

Vertices = Any
"""A sequence of vertex numbers or names, or None for all."""


def asked(
    graph: Any, sources: Vertices, targets: Vertices, *, semiring: str = "min_plus", **options: Any
) -> tuple[Graph, IntArray | None, IntArray | None, Request]:
    """The validated graph, sources and targets, and the request for the planner."""
    graph = as_graph(graph)
    if semiring not in SEMIRINGS:
        raise RequestError(f"unknown semiring {semiring!r}; there are: {', '.join(SEMIRINGS)}")
    if isinstance(graph, DeviceGraph) and options["device"] == "auto" and "mode" not in options:
        method = options["method"]
        if method == "auto" or "cuda" in registry.get(method).devices:
            options["device"] = f"cuda:{gpu_of(graph.matrix)}"
    rows, columns = vertex_numbers(graph, sources, "sources"), vertex_numbers(graph, targets, "targets")
    options["sources"] = None if rows is None else len(rows)
    options["targets"] = None if columns is None else len(columns)
    return graph, rows, columns, Request(semiring=SEMIRINGS[semiring], **options)


def prepared(graph: Graph, decided: Plan, targets: IntArray | None, request: Request) -> Solver:
    """What does the work of a plan."""
    problem = Problem(
        graph,
        decided.dtype,
        semiring=request.semiring,
        targets=targets,
        cutoff=request.cutoff,
        threads=decided.threads,
        device=decided.device,
        gpus=decided.gpus,
        gpu_memory=decided.gpu_memory,
        pages_file=decided.pages_file,
        matrix_in=decided.matrix_in if decided.gpus else None,
    )
    return emulated.prepare(registry.load(registry.get(decided.method)).prepare, problem)


def stays_on(request: Request, decided: Plan) -> int | None:
    """The GPU in whose memory the results stay: where one was asked for by name, and holds them."""
    stays = request.device == "cuda" and decided.matrix_in == "device"
    return decided.gpus[0] if stays and decided.gpus else None


def vertex_numbers(graph: Graph, chosen: Vertices, word: str) -> IntArray | None:
    """Vertex numbers of what the user gave as sources or targets."""
    if chosen is None:
        return None
    if isinstance(chosen, (int, str, np.integer)):
        chosen = [chosen]
    if isinstance(chosen, np.ndarray) and chosen.ndim == 1 and chosen.dtype.kind in "UO":
        chosen = chosen.tolist()
    if not isinstance(chosen, Iterable):
        raise RequestError(f"{word} must be a sequence of vertex numbers or names, not {chosen!r}")
    array = chosen if isinstance(chosen, np.ndarray) else _array_of(graph, list(chosen))
    if array.size == 0:
        return np.empty(0, dtype=np.int32)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        mask = " (numpy.flatnonzero turns a mask into numbers)" if array.dtype.kind == "b" else ""
        raise RequestError(f"{word} must be a sequence of vertex numbers or names{mask}")
    wrong = array[(array < 0) | (array >= graph.n)]
    if len(wrong):
        raise RequestError(f"{word} names vertex {wrong[0]}, but the graph has vertices 0 to {graph.n - 1}")
    return array.astype(np.int32)


def _array_of(graph: Graph, chosen: list[Any]) -> npt.NDArray[Any]:
    """Vertices one by one, unless they are plain numbers of vertices that exist."""
    if set(map(type, chosen)) == {int}:
        array = np.array(chosen)
        if array.dtype.kind == "i" and array.min() >= 0 and array.max() < graph.n:
            return array
    return np.asarray([graph.vertex(vertex) for vertex in chosen])
