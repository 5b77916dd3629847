"""Calls that are answered here, or else by SciPy's function; a negative cycle is the same error in both cases."""

from __future__ import annotations

from typing import Any

from apsp.compat.csgraph import peer
from apsp.compat.csgraph.crossover import Algorithm, scipy_is_faster
from apsp.compat.csgraph.solving import Call, answer

__all__ = ["handed_on"]


def handed_on(
    algorithm: Algorithm, csgraph: Any, directed: Any, indices: Any, return_predecessors: Any, unweighted: Any
) -> Any:
    """The answer of this package, or of SciPy's function where that is faster or only SciPy reads the graph.

    Raises
    ------
    NegativeCycleError
        Of both packages, with the cycle.
    """
    small = scipy_is_faster(csgraph, directed, indices, algorithm)
    if not small:
        found = answer(Call(csgraph, directed, indices, return_predecessors, unweighted, algorithm))
        if found is not None:
            return found
    try:
        if algorithm == "floyd-warshall":
            return peer.floyd_warshall(csgraph, directed, return_predecessors, unweighted)
        function = peer.johnson if algorithm == "johnson" else peer.bellman_ford
        return function(csgraph, directed, indices, return_predecessors, unweighted)
    except peer.NegativeCycleError:
        if small:  # this raises the error that holds the cycle
            answer(Call(csgraph, directed, indices, return_predecessors, unweighted, algorithm))
        raise
