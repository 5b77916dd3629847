"""The storage of the labels of searches and of arcs: the structs of labels.cuh, and the kernels made of them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from apsp.gpu.page import NARROW_NO_PATH, VALUES

__all__ = ["KINDS", "RECORD", "LabelCode", "code_of", "expression", "longest_arc", "pack_expression", "scratch_bytes"]

RECORD = 8
"""Entries in the record of a vertex, including the link; as in labels.cuh."""


class LabelCode(NamedTuple):
    """The storage of labels and arcs.

    Attributes
    ----------
    kind, arc : str
        The structs of labels.cuh.
    size : int
        Bytes of a label.
    arc_size : int
    none : number
        The code of "no path".
    length, order : str
        dtypes of lengths and of codes.
    """

    kind: str
    arc: str
    size: int
    arc_size: int
    none: int
    length: str
    order: str


def _integer(value: str, dtype: str, arc: str, arc_size: int) -> LabelCode:
    size = np.dtype(dtype).itemsize
    return LabelCode(f"apsp::IntegerLabels<{value}>", arc, size, arc_size, 1 << (8 * size - 3), dtype, dtype)


_PACKED = "apsp::PackedArc"
KINDS = {
    "narrow": LabelCode("apsp::NarrowLabels", _PACKED, 2, 4, 65535, "int32", "int32"),
    "packed": _integer("int", "int32", _PACKED, 4),
    "int32": _integer("int", "int32", "apsp::WideArc<int>", 8),
    "int64": _integer("long long", "int64", "apsp::WideArc<long long>", 16),
    "float32": LabelCode("apsp::FloatLabels", "apsp::WideArc<float>", 4, 8, 0x7F800000, "float32", "int32"),
    "float64": LabelCode("apsp::DoubleLabels", "apsp::WideArc<double>", 8, 16, 0x7FF0000000000000, "float64", "int64"),
}
"""All types of labels."""


def expression(labels: LabelCode, dtype: str, *, in_shared: bool) -> str:
    """The kernel of label_correcting.cu that writes rows of a dtype."""
    return f"apsp::label_correcting<{labels.kind}, {labels.arc}, {VALUES[dtype]}, {str(in_shared).lower()}>"


def pack_expression(labels: LabelCode, dtype: str) -> str:
    """The kernel of label_correcting.cu that makes records of arcs whose weights have a dtype."""
    return f"apsp::pack_arcs<{labels.arc}, {VALUES[dtype]}>"


def scratch_bytes(n: int, size: int) -> int:
    """Labels of a size and marks of one search."""
    return (-(-n * size // 16) * 16 + -(-n // 32) * 4 + 15) // 16 * 16


def longest_arc(dtype: np.dtype[Any]) -> float:
    """Return the length from which on arcs are ignored: distances are proven to be shorter."""
    if dtype.kind == "f":
        return float("inf")
    return NARROW_NO_PATH if dtype.kind == "u" else 1 << (8 * dtype.itemsize - 3)


def code_of(cutoff: float, labels: LabelCode) -> int:
    """Return the code of a length of at least 0, in the order of the kernels."""
    return int(np.array(cutoff, dtype=labels.length).view(labels.order)) if "float" in labels.length else int(cutoff)
