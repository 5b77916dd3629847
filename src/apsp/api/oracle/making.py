"""The dtype of an oracle."""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp.facts.dtypes import choose_dtype
from apsp.facts.request import Request
from apsp.facts.statistics import statistics_of
from apsp.graph.model import Graph

__all__ = ["dtype_for"]


def dtype_for(graph: Graph, requested: str, gpu: int | None) -> np.dtype[Any]:
    """Return the dtype of the distances.

    Raises
    ------
    DtypeRangeError
    """
    request = Request(dtype=requested, device="cpu" if gpu is None else "cuda")
    return np.dtype(choose_dtype(statistics_of(graph), request)[0])
