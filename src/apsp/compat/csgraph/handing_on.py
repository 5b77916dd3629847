"""Calls that are answered here, or else by SciPy's function; a negative cycle is the same error in both cases.

With negative arcs SciPy's searches may go round a cycle without end: one whose length is zero except for rounding, such
as 0.1, 0.7, -0.8, or the logarithms of exchange rates. Its other functions may take it for a negative cycle. So calls
with negative arcs are answered here, and by SciPy only where this package does not read the graph and SciPy's function
adds up no cycle more than n times.
"""

from __future__ import annotations

from typing import Any

from apsp.compat.csgraph import peer
from apsp.compat.csgraph.crossover import Algorithm, scipy_is_faster
from apsp.compat.csgraph.graphs import has_negative, without_endless
from apsp.compat.csgraph.solving import Call, answer, is_valid
from apsp.errors import GraphError

__all__ = ["handed_on", "signed_answer"]


def handed_on(
    algorithm: Algorithm, csgraph: Any, directed: Any, indices: Any, return_predecessors: Any, unweighted: Any
) -> Any:
    """The answer of this package, or of SciPy's function where that is faster or only SciPy reads the graph.

    Raises
    ------
    NegativeCycleError
        Of both packages, with the cycle.
    GraphError
        If SciPy's `johnson` might not end, and this package does not read the graph.
    """
    call = Call(csgraph, directed, indices, return_predecessors, unweighted, algorithm)
    found = None
    if not unweighted and algorithm == "johnson" and has_negative(csgraph):
        found = signed_answer(call)
    elif not scipy_is_faster(csgraph, directed, indices, algorithm) or (not unweighted and has_negative(csgraph)):
        found = answer(call)
    if found is not None:
        return found
    if algorithm == "floyd-warshall":
        return peer.floyd_warshall(csgraph, directed, return_predecessors, unweighted)
    function = peer.johnson if algorithm == "johnson" else peer.bellman_ford
    return function(csgraph, directed, indices, return_predecessors, unweighted)


def signed_answer(call: Call) -> Any:
    """The answer of this package to a search with negative arcs; None if SciPy's function raises an error at once.

    Raises
    ------
    NegativeCycleError
        Of both packages, with the cycle.
    GraphError
        If this package does not read the graph.
    """
    found = answer(call)
    if found is not None or not is_valid(call):
        return found
    found = answer(call._replace(csgraph=without_endless(call.csgraph)))
    if found is None:
        raise GraphError(
            "csgraph has negative arcs, and a length of minus infinity or lengths whose sums are beyond float64: "
            "SciPy's function may not end"
        )
    return found
