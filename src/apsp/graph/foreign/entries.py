"""Sparse matrices of other libraries, whose stored entries are arcs."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from apsp.graph.convert import from_edges
from apsp.graph.model import Graph

__all__ = ["graph_of_entries"]


def graph_of_entries(
    tails: npt.NDArray[Any], heads: npt.NDArray[Any], entries: npt.NDArray[Any], n: int, *, is_weighted: bool
) -> Graph:
    """Build a graph of the entries of an (n, n) matrix.

    Parameters
    ----------
    tails, heads : (m,) integers
        Rows and columns of the entries.
    entries : (m,) numbers or booleans
        Lengths; of booleans the true ones are hops.
    n : int
    is_weighted : bool
        False: the graph counts hops.
    """
    if entries.dtype.kind == "b":
        tails, heads, is_weighted = tails[entries], heads[entries], False
    return from_edges(tails, heads, entries if is_weighted else None, n=n)
