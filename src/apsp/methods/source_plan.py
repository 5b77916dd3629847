"""The plan of a measure that has methods of its own per source: flows, skims."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["SourcePlan"]


@dataclass(frozen=True)
class SourcePlan:
    """How the measure is computed.

    Attributes
    ----------
    method, device : str
        'elimination' or 'searches'; 'cpu', 'cuda' or 'emulated'.
    threads : int
    block_rows : int
        Sources that are computed together, and fewest of a task.
    seconds_once, seconds_block, seconds_row, seconds : float
        Estimated time of the order of elimination and the factor, of a block, of a source, and of all blocks.
    preparation : mapping
        Arrays that other processes store with the same graph: see `Method.shares_preparation`.
    bytes_work : int
        Host memory; 0 if it is not estimated.
    """

    method: str
    device: str
    threads: int
    block_rows: int
    seconds_once: float
    seconds_block: float
    seconds_row: float
    seconds: float
    preparation: Mapping[str, npt.NDArray[Any]]
    bytes_work: int = 0

    @property
    def dtype(self) -> np.dtype[np.float64]:
        """Of the result."""
        return np.dtype(np.float64)

    def rows_in(self, seconds: float) -> int:
        """Return the sources that take so long, at least a block."""
        return max(math.ceil(seconds / max(self.seconds_row, 1e-12)), self.block_rows)
