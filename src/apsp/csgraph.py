"""`scipy.sparse.csgraph`, with the shortest paths of this package.

`from apsp import csgraph` replaces `from scipy.sparse import csgraph`: every public name of SciPy's module is here,
with its signature, defaults and conventions. `shortest_path`, `dijkstra`, `floyd_warshall`, `bellman_ford` and
`johnson`, and `yen`, are computed by this package; all other functions are SciPy's own. `install` puts the first five
in the place of SciPy's for libraries that call SciPy.
"""

from __future__ import annotations

from typing import Any

from scipy.sparse import csgraph as _scipy
from scipy.sparse.csgraph import (
    NegativeCycleError,
    breadth_first_order,
    breadth_first_tree,
    connected_components,
    construct_dist_matrix,
    csgraph_from_dense,
    csgraph_from_masked,
    csgraph_masked_from_dense,
    csgraph_to_dense,
    csgraph_to_masked,
    depth_first_order,
    depth_first_tree,
    laplacian,
    maximum_bipartite_matching,
    maximum_flow,
    min_weight_full_bipartite_matching,
    minimum_spanning_tree,
    reconstruct_path,
    reverse_cuthill_mckee,
    structural_rank,
)

from apsp.compat.csgraph.installing import install, installed, uninstall
from apsp.compat.csgraph.matrices import floyd_warshall, shortest_path
from apsp.compat.csgraph.searches import bellman_ford, dijkstra, johnson
from apsp.compat.csgraph.simple_paths import yen

__all__ = [
    "NegativeCycleError",
    "bellman_ford",
    "breadth_first_order",
    "breadth_first_tree",
    "connected_components",
    "construct_dist_matrix",
    "csgraph_from_dense",
    "csgraph_from_masked",
    "csgraph_masked_from_dense",
    "csgraph_to_dense",
    "csgraph_to_masked",
    "depth_first_order",
    "depth_first_tree",
    "dijkstra",
    "floyd_warshall",
    "install",
    "installed",
    "johnson",
    "laplacian",
    "maximum_bipartite_matching",
    "maximum_flow",
    "min_weight_full_bipartite_matching",
    "minimum_spanning_tree",
    "reconstruct_path",
    "reverse_cuthill_mckee",
    "shortest_path",
    "structural_rank",
    "uninstall",
    "yen",
]


def __getattr__(name: str) -> Any:
    """Return a public name that only some versions of SciPy have."""
    if name in _scipy.__all__:
        return getattr(_scipy, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_scipy.__all__})
