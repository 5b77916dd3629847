"""What tells the demand of stored flows from another one."""

from __future__ import annotations

import hashlib

import numpy as np

from apsp.methods.flows.flows import Demand

__all__ = ["demand_digest"]

_ENTRIES = 1 << 22
"""Entries that are looked at at a time."""


def demand_digest(demand: Demand) -> str:
    """Return text that is the same for the same demand by rows with increasing targets, however it is stored.

    Entries that have no flow do not count: zeros, and the demand of a vertex to itself.
    """
    assert demand.start is not None
    parts = {name: hashlib.sha256() for name in ("counts", "targets", "values")}
    count, most = len(demand.sources), int(np.diff(demand.start).max(initial=0))
    height = max(_ENTRIES // max(most, 1), 1)
    for begin in range(0, count, height):
        part = demand.part(begin, min(begin + height, count)).with_targets()
        assert part.start is not None
        assert part.targets is not None
        assert part.values is not None
        row = np.repeat(np.arange(len(part.sources)), np.diff(part.start))
        served = (part.values > 0) & (part.targets != part.sources[row])
        arrays = np.bincount(row[served], minlength=len(part.sources)), part.targets[served], part.values[served]
        for (_, found), array, kind in zip(parts.items(), arrays, ("<i8", "<i4", "<f8"), strict=True):
            found.update(array.astype(kind).tobytes())
    return hashlib.sha256(b"".join(found.digest() for found in parts.values())).hexdigest()
