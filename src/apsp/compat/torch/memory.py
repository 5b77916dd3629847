"""The memory of encodings, compared with what there is before the work begins."""

from __future__ import annotations

from typing import Any

import torch

from apsp.compat.torch.options import Options
from apsp.errors import MemoryLimitError
from apsp.system.limits import allowed_memory

__all__ = ["check_memory"]

_SMALL = 1 << 28
"""Bytes that are not compared: the limits are in files, and reading them takes as long as a small batch."""


def check_memory(pairs: int, weights: Any, features: Any, options: Options, device: Any) -> None:
    """Raise MemoryLimitError if the encodings of so many pairs, padding included, do not fit.

    Parameters
    ----------
    weights, features : tensor or None
        Their dtypes and the number of features count.
    device : torch.device
        Where the tensors will lie.
    """
    kept = 1 if options.max_path_edges is None else options.max_path_edges  # the longest path is not known yet
    length = 4 if weights is None else weights.element_size()
    each = 3 * length + (8 + 4 * kept if kept else 4)
    if features is not None and options.reduce is not None:
        each += features.element_size() * features.shape[1] * (kept if options.reduce == "stack" else 2)
    needed = pairs * each
    if needed < _SMALL:
        return
    available = _available(device)
    if needed > available:
        remedies = ["fewer graphs at a time (apsp.torch.encodings_by_size)", "fewer edges per path (max_path_edges=)"]
        if options.reduce == "stack" and features is not None:
            remedies.append("sums of features (reduce='sum')")
        raise MemoryLimitError(f"an encoding of {pairs:,} pairs of vertices on {device}", needed, available, remedies)


def _available(device: Any) -> int:
    if device.type == "cpu":
        return allowed_memory()[1]
    unused = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
    return int(torch.cuda.mem_get_info(device)[0] + unused)
