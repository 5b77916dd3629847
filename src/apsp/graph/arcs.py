"""The arrays of a graph, and properties derived from them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp._types import DType, NumPyArray
from apsp.graph.costs import Costs
from apsp.graph.labels import Labels
from apsp.graph.links import Links
from apsp.semiring import unreachable
from apsp.system.cached import cached_property

__all__ = ["Arcs"]


class Arcs:
    """The arrays of `apsp.graph.model.Graph`."""

    __slots__ = (
        "__dict__",
        "coordinates",
        "costs",
        "crs",
        "directed",
        "indices",
        "indptr",
        "labels",
        "links",
        "weights",
        "zones",
    )

    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.int32]
    weights: npt.NDArray[Any] | None
    directed: bool
    labels: Labels
    coordinates: npt.NDArray[np.float64] | None
    zones: npt.NDArray[np.bool_] | None
    costs: Costs
    links: Links | None
    crs: str | None

    @property
    def n(self) -> int:
        """Number of vertices."""
        return len(self.indptr) - 1

    @property
    def m(self) -> int:
        """Number of arcs; an undirected edge counts as two."""
        return len(self.indices)

    @property
    def is_weighted(self) -> bool:
        """False if the graph counts hops."""
        return self.weights is not None

    @cached_property
    def _arc_facts(self) -> tuple[int | float, int | float, float, bool]:
        """The shortest and the longest arc, the mean of the absolute weights, and whether an arc has length zero."""
        if self.weights is None or self.m == 0:
            return (0, 0, 1.0, False) if self.m == 0 else (1, 1, 1.0, False)
        return _cpu.arc_facts(_cpu.ArcArrays(self.indptr, self.indices, self.weights))

    @property
    def has_negative_arc(self) -> bool:
        """Whether some arc is shorter than zero."""
        return self._arc_facts[0] < 0

    @property
    def has_zero_arc(self) -> bool:
        """Whether some arc that is not a self-loop has length zero."""
        return self._arc_facts[3]

    @property
    def weight_dtype(self) -> DType | None:
        """Dtype of the lengths; None if the graph counts hops."""
        return None if self.weights is None else self.weights.dtype

    @property
    def weight_range(self) -> tuple[int | float, int | float]:
        """The shortest and the longest arc; 1 and 1 if the graph counts hops, 0 and 0 without arcs."""
        return self._arc_facts[:2]

    @property
    def mean_weight(self) -> float:
        """The mean of the absolute weights; 1 if the graph counts hops or has no arcs."""
        return self._arc_facts[2]

    @property
    def longest_arc(self) -> int | float:
        """The largest absolute length."""
        return max(abs(length) for length in self.weight_range)

    @property
    def max_out_degree(self) -> int:
        """The largest number of arcs out of a vertex."""
        return int(np.diff(self.indptr).max()) if self.n else 0

    @property
    def has_integer_weights(self) -> bool:
        """Distances are integers: the weights are, or the graph counts hops."""
        return self.weights is None or self.weights.dtype.kind == "i"

    @property
    def has_zones(self) -> bool:
        """Some vertex is a zone, through which no path may pass."""
        return self.zones is not None and bool(self.zones.any())

    def tails(self) -> npt.NDArray[np.int32]:
        """Return the tails of the arcs.

        Returns
        -------
        (m,) int32
            The tail of each arc, in the order of `indices`.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 0, 1], [1, 2, 2])
        >>> graph.tails()
        array([0, 0, 1], dtype=int32)
        >>> graph.indices
        array([1, 2, 2], dtype=int32)
        """
        return np.repeat(np.arange(self.n, dtype=np.int32), np.diff(self.indptr))

    def arc_weights(self, dtype: npt.DTypeLike) -> NumPyArray:
        """Return the weights of the arcs in a given dtype.

        Parameters
        ----------
        dtype : numpy dtype
            Any integer or float dtype; values are cast without a check of their range.

        Returns
        -------
        (m,) array of the dtype
            Weights in the order of `indices`; ones if the graph counts hops.

        Raises
        ------
        RequestError
            If the dtype is not a numeric one.

        Examples
        --------
        >>> import apsp
        >>> apsp.from_edges([0, 0, 1], [1, 2, 2]).arc_weights("int32")
        array([1, 1, 1], dtype=int32)
        """
        unreachable(dtype)  # raises an error for other dtypes
        if self.weights is None:
            return np.ones(self.m, dtype=dtype)
        return self.weights.astype(dtype, copy=False)
