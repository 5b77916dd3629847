"""What is asked for, as plain data: counts instead of vertices, so that a plan needs no graph."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from apsp.errors import RequestError
from apsp.plan.machine import is_count
from apsp.semiring import MIN_PLUS, Semiring
from apsp.solvers.registry import ALL_DTYPES

__all__ = ["Mode", "Request"]

Mode = Literal["matrix", "stream", "reduce"]
"""The whole result at once; blocks of rows handed to the caller; blocks of rows reduced where they are computed."""


@dataclass(frozen=True)
class Request:
    """One request.

    Attributes
    ----------
    sources, targets : int or None
        How many rows and columns are asked for; None means all n.
    cutoff : int, float or None
        Distances above it are reported as "no path".
    dtype : str
        'auto' or a dtype of distances (anything that names one: 'int32', 'f4', numpy.float64).
    paths : bool
        Predecessors are kept.
    method : str
        'auto' or a name of the registry.
    device : str
        'auto', 'cpu' or 'cuda'.
    threads : int or None
        None means all cores of the machine.
    semiring : Semiring
    mode : 'matrix', 'stream' or 'reduce'
    rows : int or None
        Rows of a block (modes 'stream' and 'reduce'); None lets the planner choose.
    out_given : bool
        The caller owns the memory of the distances.

    Raises
    ------
    RequestError
        If a value makes no sense whatever the graph.
    """

    sources: int | None = None
    targets: int | None = None
    cutoff: int | float | None = None
    dtype: str = "auto"
    paths: bool = False
    method: str = "auto"
    device: str = "auto"
    threads: int | None = None
    semiring: Semiring = MIN_PLUS
    mode: Mode = "matrix"
    rows: int | None = None
    out_given: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "dtype", _dtype_name(self.dtype))
        if self.device not in ("auto", "cpu", "cuda"):
            raise RequestError(f"unknown device {self.device!r}; there are: auto, cpu, cuda")
        for name in ("threads", "rows"):
            value = getattr(self, name)
            if value is not None and not is_count(value):
                raise RequestError(f"{name} must be a whole number of at least 1, not {value!r}")
        number = isinstance(self.cutoff, (int, float, np.number))
        if self.cutoff is not None and (not number or math.isnan(self.cutoff) or self.cutoff < 0):
            raise RequestError(f"cutoff must be a number of at least 0, not {self.cutoff!r}")

    @property
    def by_rows(self) -> bool:
        """Some rows are needed without the others."""
        return self.mode != "matrix"


def _dtype_name(dtype: object) -> str:
    if isinstance(dtype, str) and dtype == "auto":
        return "auto"
    try:
        name = "None" if dtype is None else np.dtype(dtype).name  # type: ignore[call-overload]
    except TypeError:
        name = str(dtype)
    if name not in ALL_DTYPES:
        raise RequestError(f"unknown dtype of distances {name!r}; there are: auto, {', '.join(ALL_DTYPES)}")
    return str(name)
