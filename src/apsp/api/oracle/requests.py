"""What the arguments of an oracle mean: its GPU, the dtype of its distances, and pairs of vertices."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import numpy as np

from apsp._types import VerticesLike
from apsp.errors import DtypeRangeError, GraphError, RequestError
from apsp.facts.devices import chosen_gpus
from apsp.facts.dtypes import choose_dtype, may_be_narrower
from apsp.facts.request import Request
from apsp.facts.statistics import keep_statistics, statistics_after, statistics_of
from apsp.gpu import jit
from apsp.gpu.gpus import with_gpus
from apsp.graph.model import Graph
from apsp.graph.some_edges import SomeWeights
from apsp.graph.turns.turn_graph import refuse_turns
from apsp.methods.problem import IntArray
from apsp.running.arguments import positions_of
from apsp.system.machine import Machine

if TYPE_CHECKING:
    from apsp.api.oracle.snapshot import Snapshot

__all__ = ["BYTES_PER_PAIR", "check_same_vertices", "dtype_after", "dtype_for", "gpu_named", "paired"]


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
    request = Request(dtype=requested, device="cpu" if gpu is None else "cuda")
    return np.dtype(choose_dtype(statistics_of(graph), request)[0])


def dtype_after(now: Snapshot, graph: Graph, requested: str, some: SomeWeights | None) -> np.dtype[Any]:
    """Return the dtype of the distances of a graph with the same arcs, without a search if it stays that of `now`.

    Parameters
    ----------
    some : SomeWeights or None
        In what the graph differs from that of `now`, if it is known.

    Raises DtypeRangeError.
    """
    request = Request(dtype=requested, device="cpu" if now.gpu is None else "cuda")
    after = statistics_after(now.graph, graph, lambda: now.longest, some)
    with contextlib.suppress(DtypeRangeError):
        if after is not None and choose_dtype(after, request)[0] == now.dtype.name:
            keep_statistics(graph, after)
        elif some is not None and some.weights is None and not graph.has_negative_arc:
            # Distances grow where edges are closed.
            rough = choose_dtype(statistics_of(graph, coarse=True), request)[0]
            if rough == now.dtype.name and not may_be_narrower(now.dtype, now.longest):
                return now.dtype
    return dtype_for(graph, requested, now.gpu)


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
