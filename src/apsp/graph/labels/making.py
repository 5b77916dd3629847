"""Conversion of a caller's labels to `Labels`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from apsp.errors import GraphError, shown
from apsp.graph.labels.base import Labels
from apsp.graph.labels.integers import RangeLabels, integer_labels
from apsp.graph.labels.objects import ObjectLabels
from apsp.system.arguments import is_integer

__all__ = ["labels_of"]


def labels_of(values: Any) -> Labels:
    """Labels of a sequence, array, pandas index or series of different hashable values.

    Raises
    ------
    GraphError
        If it is none of these, or a label occurs twice or is not hashable.
    """
    if isinstance(values, Labels):
        return values
    if isinstance(values, range) and values.step == 1 and values.start >= -(2**63) and values.stop <= 2**63:
        return RangeLabels(values.start, len(values))
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable) or getattr(values, "ndim", 1) == 0:
        raise GraphError(f"labels must be a sequence, one label per vertex, not {shown(values)}")
    kind = getattr(getattr(values, "dtype", None), "kind", None)
    array = np.asarray(values) if kind in ("i", "u") and hasattr(values, "__array__") else None
    if array is not None and array.ndim == 1 and array.dtype.kind in "iu" and not _is_beyond(array):
        return integer_labels(array)
    items = list(values)
    if items and all(map(is_integer, items)):
        try:
            return integer_labels(np.array(items, dtype=np.int64))
        except OverflowError:
            pass
    return ObjectLabels(items) if items else RangeLabels(0, 0)


def _is_beyond(array: Any) -> bool:
    """Whether an unsigned value is too large for int64."""
    return bool(array.dtype.kind == "u" and array.size and array.max() > np.iinfo(np.int64).max)
