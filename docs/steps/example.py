"""The graph of all traces: twelve vertices, of which 0 has no arcs in and 11 none out, and two strong components."""

from __future__ import annotations

from apsp import from_edges
from apsp.graph.model import Graph

__all__ = ["ARCS", "NEGATIVE", "PLACES", "example", "example_with_negative_arcs"]

ARCS = (
    (0, 1, 4), (0, 4, 9), (1, 5, 2), (2, 3, 1), (3, 7, 2), (4, 1, 6), (4, 8, 3), (5, 4, 1), (5, 6, 7), (6, 2, 2),
    (6, 10, 1), (7, 6, 3), (7, 11, 4), (8, 5, 7), (8, 9, 2), (9, 5, 4), (9, 10, 8), (10, 6, 2), (10, 7, 5),
    (10, 11, 9),
)  # fmt: skip
"""Tail, head, length."""

NEGATIVE = {(4, 8): -1, (5, 4): -1, (6, 10): -1, (8, 9): -1, (10, 11): -2}
"""Other lengths, for Johnson's algorithm; no cycle is negative."""

PLACES = ((0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (3, 1), (0, 2), (1, 2), (2, 2), (3, 2))
"""Column and row of each vertex in the drawing."""


def example() -> Graph:
    """The graph."""
    return _of(ARCS)


def example_with_negative_arcs() -> Graph:
    """The same arcs, some of them with negative lengths."""
    return _of(tuple((tail, head, NEGATIVE.get((tail, head), length)) for tail, head, length in ARCS))


def _of(arcs: tuple[tuple[int, int, int], ...]) -> Graph:
    tails, heads, lengths = (list(column) for column in zip(*arcs, strict=True))
    return from_edges(tails, heads, lengths)
