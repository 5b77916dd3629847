"""Checking distances and predecessors against the graph, without trusting the solver.

Input: rows of all n distances, on the host or on a GPU, and predecessors, if there are any. Cost: O(m) per row; from a
GPU rows are copied 256 MiB at a time. Raises VerificationError naming the first pair that is wrong.

The idea: a row is correct if and only if no arc can shorten a distance and every distance is attained by a chain of
tight arcs from the source. Floats are compared within the rounding error of a path, which is relative to the sum of its
absolute lengths and does not depend on other arcs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import VerificationError
from apsp.graph.model import Graph
from apsp.graph.signed import Rounding, allowed_rounding
from apsp.semiring import bound_in
from apsp.system.place import is_on_gpu, to_host
from apsp.system.progress import ProgressReport, offset

__all__ = ["verify_rows"]

_BYTES_AT_ONCE = 256 << 20  # of distances that are copied from a GPU


def verify_rows(
    graph: Graph,
    sources: npt.NDArray[np.int32],
    distances: Any,
    pred: Any,
    *,
    cutoff: float | None,
    tolerance: float | None,
    threads: int,
    report: ProgressReport | None,
) -> None:
    """Verify rows of distances; `apsp.result.result.Result.verify` documents it.

    Parameters
    ----------
    sources : (S,) int32
    distances : (S, n)
    pred : (S, n) int32 or None
    """
    dtype, count = distances.dtype, len(sources)
    given = None if tolerance is None else Rounding(share=tolerance, most=np.inf)
    rounding = allowed_rounding(graph, sources, dtype) if given is None else given
    limit = None if cutoff is None else bound_in(cutoff, dtype)
    height = max(_BYTES_AT_ONCE // max(graph.n * dtype.itemsize, 1), 1) if is_on_gpu(distances) else max(count, 1)
    weights = graph.arc_weights(np.int64 if dtype.kind in "iu" else np.float64)
    for start in range(0, count, height):
        rows = slice(start, start + height)
        block = to_host(distances[rows])
        row, vertex = _cpu.verify_rows(
            graph.indptr,
            graph.indices,
            weights,
            graph.zones,
            sources[rows],
            block,
            None if pred is None else to_host(pred[rows]),
            limit,
            *rounding,
            threads,
            offset(report, "rows checked", start, count),
        )
        if row >= 0:
            source, target = graph.word(int(sources[start + row])), graph.word(vertex)
            raise VerificationError(f"the distance from {source} to {target}, {block[row, vertex]}, is wrong")
