"""The cost of what has methods of its own per source: flows, skims, pairs within a cutoff."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

__all__ = ["SourceCost"]


@dataclass(frozen=True)
class SourceCost:
    """What the sources cost by the chosen method.

    Attributes
    ----------
    method, device : str
        A method of the registry; 'cpu', 'cuda' or 'emulated'.
    block_rows : int
        Sources that are computed together, and fewest of a task.
    seconds_once, seconds_block, seconds_row : float
        Estimated time of the order of elimination and the factor, of a block, and of a source.
    seconds : float
        Of all blocks.
    bytes_work : int
        Host memory; 0 if it is not estimated.
    preparation : mapping
        Arrays that other processes store with the same graph: see `Method.shares_preparation`.
    """

    method: str
    device: str
    block_rows: int
    seconds_once: float
    seconds_block: float
    seconds_row: float
    seconds: float
    bytes_work: int = 0
    preparation: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict, compare=False, repr=False)
