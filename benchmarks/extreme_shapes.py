"""Graphs of extreme shapes, for the contract tests and for the benchmark of the planner.

Each function takes a number of vertices and returns (n, tails, heads): one pair per edge, no loop, no parallel edge.
Read as arcs, pairs lead from smaller to larger numbers, except those of a hub and one of the ring.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

__all__ = ["SHAPES", "Shape"]

Ends = npt.NDArray[np.int64]
Shape = tuple[int, Ends, Ends]


def path(n: int) -> Shape:
    """Return one vertex per level: 0, 1, ..., n - 1."""
    return n, np.arange(n - 1), np.arange(1, n)


def ring(n: int) -> Shape:
    """Return a cycle of three or more vertices."""
    return n, np.arange(n), (np.arange(n) + 1) % n


def star(n: int) -> Shape:
    """Return all vertices in one level around vertex 0."""
    return n, np.zeros(n - 1, np.int64), np.arange(1, n)


def double_star(n: int) -> Shape:
    """Return two joined centres, 0 and 1, with half of the leaves each."""
    return n, np.concatenate([[0], np.arange(2, n) % 2]), np.arange(1, n)


def binary_tree(n: int) -> Shape:
    """Return a binary tree in the order of a heap."""
    return n, (np.arange(1, n) - 1) // 2, np.arange(1, n)


def caterpillar(n: int) -> Shape:
    """Return a path of half of the vertices, each with a leaf."""
    spine = (n + 1) // 2
    tails, heads = np.arange(spine - 1), np.arange(1, spine)
    return n, np.concatenate([tails, np.arange(n - spine)]), np.concatenate([heads, np.arange(spine, n)])


def grid(n: int) -> Shape:
    """Return a square grid whose last row may not be full."""
    columns = max(math.isqrt(n), 1)
    v = np.arange(n)
    right, down = v[(v % columns < columns - 1) & (v + 1 < n)], v[v + columns < n]
    return n, np.concatenate([right, down]), np.concatenate([right + 1, down + columns])


def random(n: int) -> Shape:
    """Return two pairs per vertex at random, less those drawn twice."""
    rng = np.random.default_rng(n)
    tails = rng.integers(0, n, 2 * n)
    heads = (tails + rng.integers(1, n, 2 * n)) % n
    keys = np.unique(np.minimum(tails, heads) * n + np.maximum(tails, heads))
    return n, keys // n, keys % n


def clique(n: int) -> Shape:
    """Return every pair of vertices."""
    tails, heads = np.triu_indices(n, 1)
    return n, tails, heads


def hub_over_grid(n: int) -> Shape:
    """Return a grid and a last vertex, joined to all others."""
    return _with_hub(grid(n - 1))


def hub_over_random(n: int) -> Shape:
    """Return a random graph and a last vertex, joined to all others."""
    return _with_hub(random(n - 1))


def complete_bipartite(n: int) -> Shape:
    """Return every pair of one of the first n // 2 vertices and one of the others."""
    left = n // 2
    return n, np.repeat(np.arange(left), n - left), np.tile(np.arange(left, n), left)


def two_hubs(n: int) -> Shape:
    """Return a complete bipartite graph with two vertices on one side."""
    return n, np.repeat([0, 1], n - 2), np.tile(np.arange(2, n), 2)


def clique_chain(n: int) -> Shape:
    """Return cliques of about the root of n vertices, the last of each joined to the first of the next."""
    size = max(math.isqrt(n), 2)
    _, tails, heads = clique(size)
    starts = np.arange(0, n, size)
    tails, heads = (np.add.outer(starts, ends).ravel() for ends in (tails, heads))
    bridges = starts[1:]
    tails, heads = np.concatenate([tails, bridges - 1]), np.concatenate([heads, bridges])
    return n, tails[heads < n], heads[heads < n]


def lollipop(n: int) -> Shape:
    """Return a clique of a tenth of the vertices and a path from its last vertex."""
    size = max(n // 10, 3)
    _, tails, heads = clique(size)
    stick = np.arange(size - 1, n - 1)
    return n, np.concatenate([tails, stick]), np.concatenate([heads, stick + 1])


def components(n: int) -> Shape:
    """Return pairs of vertices and, if n is odd, one that is isolated."""
    return n, np.arange(0, n - 1, 2), np.arange(1, n, 2)


def _with_hub(shape: Shape) -> Shape:
    n, tails, heads = shape
    return n + 1, np.concatenate([tails, np.full(n, n)]), np.concatenate([heads, np.arange(n)])


SHAPES: dict[str, Callable[[int], Shape]] = {
    "path": path,
    "ring": ring,
    "star": star,
    "double star": double_star,
    "binary tree": binary_tree,
    "caterpillar": caterpillar,
    "lollipop": lollipop,
    "hub over grid": hub_over_grid,
    "hub over random": hub_over_random,
    "complete bipartite": complete_bipartite,
    "two hubs": two_hubs,
    "clique chain": clique_chain,
    "pairs of vertices": components,
}
"""Name: the shape with n vertices (four or more)."""
