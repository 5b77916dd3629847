"""SciPy's own functions, as they were when this package was imported."""

from collections.abc import Callable
from typing import Any

from scipy.sparse import csgraph
from scipy.sparse.csgraph import NegativeCycleError

__all__ = ["NegativeCycleError", "bellman_ford", "dijkstra", "floyd_warshall", "johnson", "shortest_path", "yen"]

shortest_path: Callable[..., Any] = csgraph.shortest_path
floyd_warshall: Callable[..., Any] = csgraph.floyd_warshall
dijkstra: Callable[..., Any] = csgraph.dijkstra
johnson: Callable[..., Any] = csgraph.johnson
bellman_ford: Callable[..., Any] = csgraph.bellman_ford
yen: Callable[..., Any] | None = getattr(csgraph, "yen", None)
"""None in SciPy before 1.14."""
