"""What is added up over the vertices near a source: amounts, cutoffs, and a function of the distance.

Source: Hansen 1959, "How accessibility shapes land use". Input: amounts per vertex. Output: arguments of the kernels
(cpp/measures/weighing.hpp), and sums over a block of rows where it lies (on a GPU: kernels/weigh.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.semiring import bound_in, unreachable
from apsp.system.place import gpu_of, is_on_gpu, to_host

__all__ = ["DECAYS", "RowWeigher", "Weighing"]

DECAYS = ("exponential", "gaussian", "logistic", "power")
"""Names of the functions of the distance, in the order of DecayKind in cpp/measures/weighing.hpp, from 1 on."""


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

    def empty(self, rows: int) -> npt.NDArray[np.float64]:
        """An array for the sums of some rows, (rows, cutoffs, kinds)."""
        return np.zeros((rows, len(self.cutoffs), self.amounts.shape[1]))


class RowWeigher:
    """Adds up amounts over rows, where the rows lie.

    Parameters
    ----------
    weighing : Weighing
    threads : int
        For rows in host memory.
    """

    def __init__(self, weighing: Weighing, threads: int) -> None:
        self._weighing, self._threads = weighing, threads
        self._on_gpu: tuple[int, Any] | None = None

    def sums(self, distances: Any) -> npt.NDArray[np.float64]:
        """The sums over rows of distances to all vertices, (rows, cutoffs, kinds)."""
        contiguous = distances.shape[1] <= 1 or distances.strides[1] == distances.itemsize
        dist = distances if contiguous else distances.copy(order="C")
        if is_on_gpu(dist):
            return self._sums_on_gpu(dist)
        sums = self._weighing.empty(len(dist))
        arguments = self._weighing.arguments(dist.dtype)
        _cpu.weigh_rows(to_host(dist), **arguments, sums=sums, threads=self._threads)
        return sums

    def _sums_on_gpu(self, dist: Any) -> npt.NDArray[np.float64]:
        from apsp.measures.kernels.weigh import AmountsOnDevice, weigh_rows

        gpu = gpu_of(dist)
        if self._on_gpu is None or self._on_gpu[0] != gpu:
            with dist.device:
                self._on_gpu = gpu, AmountsOnDevice(self._weighing)
        return weigh_rows(dist, self._on_gpu[1])
