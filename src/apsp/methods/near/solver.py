"""What a method for near pairs gets, and what it returns.

All methods find the same pairs with the same distances, to the last bit; of equally short paths each may keep another
next hop.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from apsp.graph.model import Graph
from apsp.methods.problem import IntArray, KernelProgress
from apsp.methods.searches.near import NearRows

__all__ = ["NearProblem", "NearSolver"]


class NearProblem(NamedTuple):
    """What is prepared once for all calls in a process.

    Attributes
    ----------
    graph : Graph
        Without negative arcs.
    dtype : numpy dtype
        Of the distances: it holds all that are within the cutoff, and one more that means "no path".
    sources : int
        How many sources follow, about.
    threads : int
    costs : (m, K) float64 or None
        Other costs of the arcs, of which none is below 0 on an arc of length 0.
    """

    graph: Graph
    dtype: np.dtype[Any]
    sources: int
    threads: int
    costs: npt.NDArray[np.float64] | None = None


class NearSolver(Protocol):
    """A prepared method."""

    def find(
        self,
        sources: IntArray,
        cutoff: float | None,
        *,
        k: int | None = None,
        is_target: npt.NDArray[np.bool_] | None = None,
        own: bool = True,
        hops: bool = False,
        sums: bool = False,
        by_target: bool = False,
        most: int = 2**62,
        threads: int = 1,
        progress: KernelProgress | None = None,
    ) -> NearRows | None:
        """Return the pairs of some sources; None if there are more than `most`. Arguments: see `NearFinder.find`."""
        ...
