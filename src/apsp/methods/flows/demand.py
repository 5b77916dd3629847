"""The input and the output of flows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

__all__ = ["Demand", "Flows"]

IntArray = npt.NDArray[np.int32]
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Demand:
    """How much goes from each source to each target. Demand of a source to itself is ignored.

    Attributes
    ----------
    sources : (S,) int32
        Positions.
    to : (n,) float64 or None
        The demand to every vertex, the same from all sources; None means rows:
    start, targets, values : (S + 1,) int64, (k,) int32, (k,) float64
        The demand of source i is values[start[i] : start[i + 1]], to different targets.
    common : (T,) int32 or None
        The targets of every row, if all rows have the same; `targets` is then None.
    """

    sources: IntArray
    to: FloatArray | None = None
    start: npt.NDArray[np.int64] | None = None
    targets: IntArray | None = None
    values: FloatArray | None = None
    common: IntArray | None = None

    def part(self, start: int, stop: int) -> Demand:
        """Return the demand of the sources from start to stop."""
        sources = self.sources[start:stop]
        if self.start is None:
            return replace(self, sources=sources)
        assert self.values is not None
        first, last = int(self.start[start]), int(self.start[stop])
        return replace(
            self, sources=sources, start=self.start[start : stop + 1] - first, values=self.values[first:last],
            targets=None if self.targets is None else self.targets[first:last],
        )  # fmt: skip

    def with_targets(self) -> Demand:
        """Return the same with the targets of every row."""
        if self.common is None:
            return self
        return replace(self, targets=np.tile(self.common, len(self.sources)), common=None)

    def in_order(self) -> Demand:
        """Return the same with increasing targets in every row, so that sums over a row have the same bits."""
        if self.start is None:
            return self
        assert self.values is not None
        if self.common is not None:
            if (np.diff(self.common) > 0).all():
                return self
            order = np.argsort(self.common, kind="stable")
            values = self.values.reshape(len(self.sources), len(order))[:, order].ravel()
            return replace(self, common=self.common[order], values=values)
        assert self.targets is not None
        rows = np.repeat(np.arange(len(self.sources)), np.diff(self.start))
        if ((np.diff(self.targets) > 0) | (np.diff(rows) > 0)).all():
            return self
        order = np.lexsort((self.targets, rows))
        return replace(self, targets=self.targets[order], values=self.values[order])


@dataclass(frozen=True)
class Flows:
    """Sums over all pairs with a path.

    Attributes
    ----------
    through : (n,) float64
        What passes a vertex, without what begins or ends there.
    arrived : (n,) float64
        What ends at a vertex.
    served : (S,) float64
        What begins at each source.
    along : (m,) float64 or None
        What each arc carries.
    method, device : str
        How they were computed, and where: 'elimination' or 'searches'; 'cpu', 'cuda' or 'emulated'.
    """

    through: FloatArray
    arrived: FloatArray
    served: FloatArray
    along: FloatArray | None
    method: str = "searches"
    device: str = "cpu"

    def sums(self) -> dict[str, FloatArray | None]:
        """Return the arrays by name, as kernels take them."""
        return {"through": self.through, "arrived": self.arrived, "served": self.served, "along": self.along}
