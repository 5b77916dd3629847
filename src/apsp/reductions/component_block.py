"""Rows of distances that reach some vertices only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["ComponentBlock", "columns_of", "places_in"]


@dataclass(frozen=True, eq=False)
class ComponentBlock:
    """Rows of distances to the vertices of their components: there is no path to any other vertex.

    Attributes
    ----------
    source_positions : (S,) int32
    distances : (S, C) array
    columns : (C,) int32
        The vertices of the columns, by position.
    """

    source_positions: npt.NDArray[np.int32]
    distances: Any
    columns: npt.NDArray[np.int32]


def columns_of(block: object) -> npt.NDArray[np.int32] | None:
    """The vertices of the columns of a block; None stands for all, in their order."""
    return block.columns if isinstance(block, ComponentBlock) else None


def places_in(columns: npt.NDArray[np.int32], vertices: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The columns of some vertices, all of which have one."""
    order = np.argsort(columns)
    return order[np.searchsorted(columns, vertices, sorter=order)].astype(np.int32)
