"""Groups of vertices, as the kernels of groups take them (cpp/reductions/groups.hpp)."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.reductions.component_block import places_in
from apsp.system.cached import cached_property

__all__ = ["GroupedRows", "Groups"]


@dataclass(frozen=True)
class Groups:
    """A division of some or all vertices.

    Attributes
    ----------
    names : tuple
        What the caller calls the groups.
    of : (n,) int32
        The group of each vertex; -1 for none.
    """

    names: tuple[Hashable, ...]
    of: npt.NDArray[np.int32]

    @classmethod
    def whole(cls, n: int) -> Groups:
        """One group of all vertices."""
        return cls(("all",), np.zeros(n, dtype=np.int32))

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def sizes(self) -> npt.NDArray[np.int64]:
        """(G,) vertices per group."""
        return np.bincount(self.of[self.of >= 0], minlength=len(self)).astype(np.int64)

    @cached_property
    def starts(self) -> npt.NDArray[np.int64]:
        """(G + 1,) where each group begins in `order`."""
        return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(self.sizes)])

    @cached_property
    def order(self) -> npt.NDArray[np.int32]:
        """The vertices of all groups, group by group."""
        found = np.argsort(self.of, kind="stable").astype(np.int32)
        return found[len(found) - int(self.sizes.sum()) :]

    @cached_property
    def places(self) -> npt.NDArray[np.int64]:
        """(n,) the place of each vertex in `order`; -1 where it is in no group."""
        found = np.full(len(self.of), -1, dtype=np.int64)
        found[self.order] = np.arange(len(self.order))
        return found

    def arguments(self, sources: npt.NDArray[np.int32], columns: npt.NDArray[np.int32] | None = None) -> dict[str, Any]:
        """The keyword arguments of all kernels, for rows of some sources, with columns of all vertices or of some."""
        if columns is not None:
            return Groups(self.names, self.of[columns]).arguments(places_in(columns, sources))
        return {"order": self.order, "starts": self.starts, "own": self.places[sources]}

    def without_names(self) -> Groups:
        """The same, as numbers: to be sent to another process."""
        return Groups(tuple(range(len(self))), self.of)


@dataclass(frozen=True)
class GroupedRows:
    """Rows of distances, with what the kernels of groups need.

    Attributes
    ----------
    dist : (S, n) array
        In host memory.
    cells : (S,) int32
        The set of sources that each row belongs to; -1 for none.
    arguments : dict
        `Groups.arguments`.
    threads : int
    """

    dist: npt.NDArray[Any]
    cells: npt.NDArray[np.int32]
    arguments: dict[str, Any]
    threads: int

    def __len__(self) -> int:
        return len(self.cells)
