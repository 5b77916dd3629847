"""Distances and predecessors of reversed graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import apsp
from apsp.errors import NegativeCycleError

__all__ = ["solved"]


def solved(lengths: Any, sizes: Any, threads: int, *, paths: bool, numbers: Sequence[int] | None) -> tuple[Any, Any]:
    """Reversed (b, n, n) lengths -> distances and predecessors (None without `paths`), tensors on the same device.

    Parameters
    ----------
    sizes : (b,) int64 or None
        Vertices of each graph; None if all have n.
    numbers : sequence of b int, optional
        The caller's numbers of the graphs, for messages.

    Raises
    ------
    NegativeCycleError
        With the cycle in the direction of the caller's arcs.
    """
    try:
        found: Any = apsp.solve_batch(lengths, sizes=sizes, threads=threads, paths=paths)
        return (found.distances, found.predecessors) if paths else (found, None)
    except NegativeCycleError as error:
        graph = error.graph
        if graph is not None and numbers is not None:
            graph = int(numbers[graph])
        raise NegativeCycleError(error.positions[::-1], error.length, graph=graph) from None
