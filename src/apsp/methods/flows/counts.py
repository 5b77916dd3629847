"""Numbers of shortest paths of pairs.

Source: Brandes 2001, "A faster algorithm for betweenness centrality", section 3: the paths to a vertex are those to the
vertices before it, in the order of distance; in hops 64 sources at once as in `flows`.
Input: any graph whose weights are hops or integers, or floats of at least 0. Output: (S, T) int64 or float64.
Cost: a search and a pass over the arcs of shortest paths per source, twice if a number is between 2^53 and 2^63;
8 bytes per pair, and per thread 600 n bytes (hops) or 32 n + 8 m (weights, and the second time).
Raises NegativeCycleError, MemoryLimitError, and RequestError if the number of a pair is infinite, beyond float64 or not
known.

The idea: sums of integers in float64 are exact below 2^53. So all numbers are float64 while they are computed, and if
the largest is below 2^53, all of them are exact and become integers in place. If it is larger, but below 2^63, which
float64 shows with certainty, they are counted again modulo 2^64: these are the exact numbers, whatever wraps before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import MemoryLimitError
from apsp.facts.ties import comparable_hops, comparable_lengths, tie_error
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.system.machine import Machine, usable

__all__ = ["EXACT_BELOW", "check_memory", "count_paths"]

IntArray = npt.NDArray[np.int32]

_EXACT_FLOATS = 2.0**53

EXACT_BELOW = 2.0**63 * (1 - 2.0**-10)
"""Numbers that are below it in float64 are exact as integers: in float64 an addition is off by at most 2^-53 of the
sum, and a number is the result of less than 2^40 additions, one per arc at most."""

_ALWAYS_FREE = 1 << 20  # bytes; to look at the machine takes longer than to count the paths of small graphs
_LANES = 64  # as in cpp/flows/kernels.hpp


def count_paths(
    graph: Graph,
    sources: IntArray,
    targets: IntArray | None,
    *,
    cutoff: float | None,
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> npt.NDArray[np.int64] | npt.NDArray[np.float64]:
    """Count the shortest paths of pairs.

    Parameters
    ----------
    graph : Graph
    sources : (S,) int32
        Positions.
    targets : (T,) int32 or None
        Positions; None means all n.
    cutoff : int or float, optional
        Pairs at a longer distance have no path.
    threads : int
    progress : callable, optional
        Called with the number of sources that are done.

    Returns
    -------
    (S, T) int64, or float64 if a number is about 2^63 or more
        0 where there is no path, 1 from a vertex to itself.
    """
    columns = graph.n if targets is None else len(targets)
    check_memory(graph, len(sources), columns, threads=threads)
    paths = np.empty((len(sources), columns))
    if not paths.size:
        return paths.astype(np.int64)
    arguments: dict[str, Any] = {"sources": sources, "targets": targets, "paths": paths}
    arguments |= {"threads": threads, "progress": progress}
    try:
        if graph.is_weighted:
            _by_length(graph, comparable_lengths(graph, sources, cutoff), **arguments)
        else:
            _cpu.counts_by_hops(arc_arrays(graph), **arguments, cutoff=comparable_hops(graph, cutoff))
    except ArithmeticError as error:
        raise tie_error(graph, error) from None
    largest = max(row.max() for row in paths)
    if largest >= EXACT_BELOW:
        return paths
    integers = paths.view(np.int64)
    if largest < _EXACT_FLOATS:
        for row, exact in zip(paths, integers, strict=True):
            exact[:] = row.astype(np.int64)
    else:
        lengths = comparable_lengths(graph, sources, cutoff)
        _by_length(graph, lengths, **{**arguments, "paths": paths.view(np.uint64)})
    return integers


def _by_length(graph: Graph, lengths: dict[str, Any], **arguments: Any) -> None:
    arcs = arc_arrays(graph, lengths["weights"])
    _cpu.counts_by_length(arcs, heights=lengths["heights"], cutoff=lengths["cutoff"], **arguments)


def check_memory(graph: Graph, rows: int, columns: int, *, threads: int, besides: int = 0) -> None:
    """Raise MemoryLimitError if the numbers and the arrays of all threads do not fit.

    Parameters
    ----------
    besides : int
        Bytes per pair of what else will be stored.
    """
    n, m = graph.n, graph.m
    each, shared = 32 * n + 8 * m, 32 * m
    if not graph.is_weighted:
        each, shared = max(8 * (_LANES + 8) * n, each), max(24 * m, shared)
    needed = (8 + besides) * rows * columns + min(threads, max(rows, 1)) * each + shared
    if needed <= _ALWAYS_FREE:
        return
    machine = Machine.detect()
    if needed > usable(machine):
        remedies = ["fewer sources or targets (sources=, targets=)", "counts=False"]
        raise MemoryLimitError("the numbers of paths of all pairs", needed, machine.memory_available, remedies)
