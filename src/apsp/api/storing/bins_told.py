"""The bins of histograms, as they are written about a store."""

from __future__ import annotations

from apsp._types import JsonObject
from apsp.measures.histogram import Bins

__all__ = ["bins_told", "told_of_bins"]


def told_of_bins(most: int, bins: Bins) -> JsonObject:
    """What tells histograms apart, of the most bins that are wanted; nothing without a histogram."""
    if not len(bins.counts):
        return {}
    return {"bins": most} if bins.edges is None else {"edges": [edge.hex() for edge in bins.edges.tolist()]}


def bins_told(told: JsonObject) -> tuple[int, list[float] | None]:
    """The most bins and the edges of a histogram; 0 and None without one."""
    return told.get("bins", 0), [float.fromhex(edge) for edge in told["edges"]] if "edges" in told else None
