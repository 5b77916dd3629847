"""What the arguments of an oracle mean: its GPU, the dtype of its distances, and pairs of vertices."""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp._types import VerticesLike
from apsp.errors import GraphError, RequestError
from apsp.facts.devices import chosen_gpus
from apsp.facts.dtypes import choose_dtype
from apsp.facts.request import Request
from apsp.facts.statistics import statistics_of
from apsp.gpu import jit
from apsp.gpu.gpus import with_gpus
from apsp.graph.model import Graph
from apsp.graph.turns.turn_graph import refuse_turns
from apsp.methods.problem import IntArray
from apsp.running.arguments import positions_of
from apsp.system.machine import Machine

__all__ = ["BYTES_PER_PAIR", "check_same_vertices", "dtype_for", "gpu_named", "paired", "request_for"]


def gpu_named(device: str) -> int | None:
    """Return the number of the GPU in 'cuda' or 'cuda:1'; None for 'cpu' and 'auto'. Several GPUs raise an error.

    Raises RequestError or DeviceError.
    """
    request = Request(device=device)
    if request.device == "emulated":
        raise RequestError("an oracle lies in host memory or on a real GPU; emulated GPUs run methods of apsp.solve")
    if request.device != "cuda":
        return None
    if len(request.gpus) > 1:
        raise RequestError(
            f"an oracle lies on one GPU, and device={device!r} names several: name one, or use "
            "apsp.solve, apsp.stream or apsp.summary, which share sources between them"
        )
    jit.cupy()  # raises an error that names what is missing
    return chosen_gpus(request.gpus, with_gpus(Machine.detect()).gpus)[0]


def dtype_for(graph: Graph, requested: str, gpu: int | None) -> np.dtype[Any]:
    """Return the dtype of the distances.

    Raises DtypeRangeError.
    """
    return np.dtype(choose_dtype(statistics_of(graph), request_for(requested, gpu))[0])


def request_for(requested: str, gpu: int | None) -> Request:
    """The request of an oracle on the CPU or a GPU."""
    return Request(dtype=requested, device="cpu" if gpu is None else "cuda")


def check_same_vertices(old: Graph, new: Graph) -> None:
    """Check that a graph has the vertices of another one.

    Raises GraphError if their number, their labels, or the zones among them are others; RequestError if it is the
    expanded graph of one with turns.
    """
    refuse_turns(new, "Oracle.update", "prepare the oracle of that graph")
    if old.n != new.n or old.labels != new.labels:
        raise GraphError(
            f"the graph has other vertices ({new.n:,}) than that of the oracle ({old.n:,}): apsp.prepare(graph)"
        )
    one, other = (np.zeros(old.n, bool) if each.zones is None else each.zones for each in (old, new))
    if not np.array_equal(one, other):
        raise GraphError("other vertices of the graph are zones than of that of the oracle: apsp.prepare(graph)")


BYTES_PER_PAIR = 8
"""Besides the positions and the distances: the order in which the pairs are searched."""


def paired(graph: Graph, sources: VerticesLike, targets: VerticesLike) -> tuple[IntArray, IntArray]:
    """The positions of the pairs, two arrays of one length."""
    given = []
    for chosen, word in ((sources, "sources"), (targets, "targets")):
        positions = positions_of(graph, chosen, word)
        if positions is None:
            raise RequestError(f"{word} must be vertices, one per pair, not None; oracle.rows() computes all distances")
        given.append(positions)
    starts, ends = given
    if len(starts) != len(ends) and 1 not in (len(starts), len(ends)):
        raise RequestError(
            f"there are {len(starts):,} sources and {len(ends):,} targets: give one of each per pair; "
            "oracle.matrix(sources, targets) computes the distances of all pairs of them"
        )
    count = len(ends) if len(starts) == 1 else len(starts)
    return tuple(np.ascontiguousarray(np.broadcast_to(each, count)) for each in given)  # type: ignore[return-value]
