"""What is added up over the vertices near a source: amounts, cutoffs, and a function of the distance.

Source: Hansen 1959, "How accessibility shapes land use". Input: amounts per vertex. Output: arguments of the kernels
(cpp/reductions/weighing.hpp, kernels/weigh.cu).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.semiring import bound_in, unreachable

__all__ = ["DECAYS", "Weighing"]

DECAYS = ("exponential", "gaussian", "logistic", "power", "linear")
"""Names of the functions of the distance, in the order of DecayKind in cpp/reductions/weighing.hpp, from 1 on."""


@dataclass(frozen=True)
class Weighing:
    """Sums of amounts over the distances from a source.

    Attributes
    ----------
    amounts : (n, kinds) float64
        C order.
    cutoffs : tuple of numbers
        Ascending; infinity includes all vertices with a path.
    decay : str or None
        One of DECAYS; None counts every vertex within a cutoff in full.
    beta, midpoint : float
        Of the decay.
    """

    amounts: npt.NDArray[np.float64]
    cutoffs: tuple[float, ...]
    decay: str | None = None
    beta: float = 0.0
    midpoint: float = 0.0

    @property
    def has_decay(self) -> bool:
        """Whether amounts are multiplied by a function of the distance."""
        return self.decay is not None

    def bounds(self, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
        """The cutoffs as distances of a dtype, as `apsp.semiring.bound_in` rounds them."""
        none = unreachable(dtype)
        found = [bound_in(cutoff, dtype) for cutoff in self.cutoffs]
        return np.array([none if bound is None else bound for bound in found], dtype=dtype)

    def arguments(self, dtype: np.dtype[Any]) -> dict[str, Any]:
        """The keyword arguments of all kernels, for distances of a dtype."""
        kind = 0 if self.decay is None else 1 + DECAYS.index(self.decay)
        return {
            "amounts": self.amounts,
            "cutoffs": self.bounds(dtype),
            "decay": (kind, self.beta, self.midpoint),
        }

    def arrays(self, dtype: np.dtype[Any], sums: npt.NDArray[np.float64]) -> _cpu.WeighingArrays:
        """The argument of CPU kernels, for distances of a dtype, which add to `sums`."""
        return _cpu.WeighingArrays(**self.arguments(dtype), sums=sums)

    def empty(self, rows: int) -> npt.NDArray[np.float64]:
        """An array for the sums of some rows, (rows, cutoffs, kinds)."""
        return np.zeros((rows, len(self.cutoffs), self.amounts.shape[1]))
