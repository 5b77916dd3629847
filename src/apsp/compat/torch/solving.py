"""Distances and predecessors of reversed graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

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
        return _stand_in(lengths, sizes, threads, paths)
    except NegativeCycleError as error:
        graph = error.graph
        if graph is not None and numbers is not None:
            graph = int(numbers[graph])
        raise NegativeCycleError(error.positions[::-1], error.length, graph=graph) from None


def _stand_in(lengths: Any, sizes: Any, threads: int, paths: bool) -> Any:
    distances = apsp.solve_batch(lengths, sizes=sizes, threads=threads)
    if not paths:
        return distances, None
    pred = torch.full(lengths.shape, -1, dtype=torch.int32)
    for g in range(len(lengths)):
        s = lengths.shape[1] if sizes is None else int(sizes[g])
        if s:
            one = lengths[g, :s, :s].numpy()
            one = apsp.from_dense(one, absent=None if one.dtype.kind == "b" else apsp.unreachable(one.dtype))
            pred[g, :s, :s] = torch.from_numpy(apsp.solve(one, paths=True).predecessors.copy())
    return distances, pred.to(lengths.device)
