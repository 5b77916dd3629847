"""Negative cycles in calls of SciPy's Dijkstra, whose search goes round them without end."""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp.compat.csgraph.graphs import entries_of
from apsp.compat.csgraph.solving import Call, answer

__all__ = ["check_that_it_ends"]


def check_that_it_ends(csgraph: Any, directed: Any, indices: Any) -> None:
    """Raise an error where SciPy's search with weights would not end.

    Raises
    ------
    NegativeCycleError
        Of both packages: some source reaches a negative cycle, such as an undirected edge of negative length.
    """
    lengths = entries_of(csgraph)
    if lengths.dtype.kind not in "if" or not lengths.size or not np.minimum.reduce(lengths, axis=None) < 0:
        return
    if np.ndim(csgraph) == 2:
        answer(Call(csgraph, directed, indices, False, False, "bellman-ford"))
