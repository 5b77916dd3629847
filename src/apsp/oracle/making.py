"""What an oracle is made of: its dtype, and a factor without rounding trouble."""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp.errors import MethodRefusedError
from apsp.graph.model import Graph
from apsp.plan.dtypes import choose_dtype
from apsp.plan.request import Request
from apsp.plan.statistics import statistics_of
from apsp.solvers.sparse.elimination_tree import EliminationTree
from apsp.solvers.sparse.factor import Factor, factorise

__all__ = ["dtype_for", "sound_factor"]


def sound_factor(graph: Graph, dtype: np.dtype[Any], tree: EliminationTree, threads: int) -> Factor:
    """The factor; MethodRefusedError where rounding spoils it, NegativeCycleError where there is such a cycle."""
    factor = factorise(graph, dtype, tree, threads=threads)
    if factor is None:
        reason = "a cycle of this graph is zero within rounding, so sums of negative floats may cancel"
        raise MethodRefusedError("elimination", reason, ["johnson"])
    return factor


def dtype_for(graph: Graph, asked: str, gpu: int | None) -> np.dtype[Any]:
    """Of the distances.

    Raises
    ------
    DtypeRangeError
    """
    request = Request(dtype=asked, device="cpu" if gpu is None else "cuda")
    return np.dtype(choose_dtype(statistics_of(graph), request)[0])
