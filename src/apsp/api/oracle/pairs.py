"""Pairs of vertices in the arguments of an oracle."""

from __future__ import annotations

import numpy as np

from apsp._types import VerticesLike
from apsp.errors import RequestError
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray
from apsp.running.arguments import positions_of

__all__ = ["BYTES_PER_PAIR", "paired"]

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
