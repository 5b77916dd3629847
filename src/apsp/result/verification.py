"""Checking distances and predecessors against the graph, without trusting the solver.

Input: rows of all n distances, on the host, on a GPU or in a store, and predecessors, if there are any. Cost: O(m) per
row; rows that have to be copied or read are taken 256 MiB, or a band of the store, at a time. Raises VerificationError
naming the first pair that is wrong.

The idea: a row is correct if and only if no arc can shorten a distance and every distance is attained by a chain of
tight arcs from the source. Floats are compared within the rounding error of a path, which is relative to the sum of its
absolute lengths and does not depend on other arcs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import RequestError, VerificationError
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.graph.signed import Rounding
from apsp.semiring import bound_in
from apsp.system.arguments import whole_number
from apsp.system.array_device import beside, is_on_gpu, module_of, to_host
from apsp.system.progress import ProgressReport, offset

__all__ = ["require_verifiable", "sampled_rows", "verify_rows"]

_BYTES_AT_ONCE = 256 << 20  # of distances that are copied: from a GPU, or the rows of a sample


def sampled_rows(count: int, sample: Any, seed: Any) -> npt.NDArray[np.int64] | None:
    """Return the rows of a sample without repetition, in their order; None for all.

    Parameters
    ----------
    count : int
        Rows of the result.
    sample, seed : as of `apsp.result.result.Result.verify`

    Raises
    ------
    RequestError
        If `sample` is not a whole number of at least 1, or `seed` not one of at least 0.
    """
    seed = whole_number(seed, "seed", least=0)
    if sample is None:
        return None
    sample = whole_number(sample, "sample", least=1)
    return None if sample >= count else np.sort(np.random.default_rng(seed).choice(count, sample, replace=False))


def require_verifiable(graph: Graph, cutoff: float | None) -> None:
    """Raise RequestError if what was kept within the cutoff does not tell whether distances are right."""
    if cutoff is not None and graph.has_negative_arc:
        raise RequestError(
            "verify() cannot check a result with a cutoff on a graph with negative arcs: a path within the cutoff "
            "may pass vertices whose distance was not kept. Solve without the cutoff"
        )


def verify_rows(
    graph: Graph,
    sources: npt.NDArray[np.int32],
    distances: Any,
    pred: Any,
    *,
    rounding: Rounding,
    rows: npt.NDArray[np.int64] | None = None,
    at_once: int | None = None,
    cutoff: float | None,
    threads: int,
    report: ProgressReport | None = None,
) -> None:
    """Verify rows of distances; `apsp.result.result.Result.verify` documents it.

    Parameters
    ----------
    sources : (S,) int32
    distances : (S, n)
    pred : (S, n) int32 or None
    rounding : Rounding
        What is allowed, of all sources of the result, whichever rows are checked.
    rows : (k,) int64 or None
        Rows to check; None means all.
    at_once : int or None
        Rows to take at once; None means all, or 256 MiB of distances if they have to be copied.
    """
    dtype = distances.dtype
    limit = None if cutoff is None else bound_in(cutoff, dtype)
    count = len(sources) if rows is None else len(rows)
    if at_once is None:
        copied = rows is not None or is_on_gpu(distances)
        at_once = max(_BYTES_AT_ONCE // max(graph.n * dtype.itemsize, 1) if copied else count, 1)
    arcs = arc_arrays(graph, graph.arc_weights(np.int64 if dtype.kind in "iu" else np.float64))
    for start in range(0, count, at_once):
        part = slice(start, start + at_once) if rows is None else rows[start : start + at_once]
        block, starts = _on_host(distances, part), sources[part]
        row, vertex = _cpu.verify_rows(
            arcs,
            starts,
            block,
            None if pred is None else _on_host(pred, part),
            limit,
            *rounding,
            threads,
            offset(report, "rows checked", start, count),
        )
        if row >= 0:
            source, target = graph.word(int(starts[row])), graph.word(vertex)
            raise VerificationError(f"the distance from {source} to {target}, {block[row, vertex]}, is wrong")


def _on_host(matrix: Any, rows: slice | npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """Some rows of a matrix: a view if possible."""
    with beside(matrix):
        return to_host(matrix[rows if isinstance(rows, slice) else module_of(matrix).asarray(rows)])
