"""Conversion of the vertex names of a file to positions 0..n-1 and labels.

Labels are the identifiers in the file: integers (without labels if they are exactly 0 to n - 1), or text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError
from apsp.graph.labels import Labels, labels_of
from apsp.graph.model import Graph

__all__ = ["check_none_alone", "compact", "labels_of_texts", "numbered_from_one"]

_INTEGER = re.compile(r"-?[1-9][0-9]{0,18}|0", re.ASCII)

Ends = npt.NDArray[Any]


def compact(
    tails: Ends, heads: Ends, announced: int | None = None, first: int | None = None
) -> tuple[tuple[Ends, Ends], Labels | None, int]:
    """Renumber the ends of arcs.

    Numbers that are exactly 0..n-1 do not change and need no labels. If the vertex count is `announced`, the labels are
    that many integers from `first` on; if `first` is not known, from 0 if 0 occurs, else from 1. Other numbers (sparse,
    negative) become labels in ascending order.

    Returns
    -------
    (tails, heads), labels or None, n
    """
    tails, heads = _of_one_dtype(tails, heads)
    if not len(tails):
        return (tails, heads), _range(first or 0, announced or 0), announced or 0
    low = min(int(tails.min()), int(heads.min()))
    high = max(int(tails.max()), int(heads.max()))
    if announced is not None and announced <= 2**31 - 2:
        for start in (int(low > 0) if first is None else first, 1):
            if low >= start and high < start + announced:
                return (tails - start, heads - start) if start else (tails, heads), _range(start, announced), announced
    if low >= 0 and high < 8 * len(tails) + 64:
        used = np.zeros(high + 1, dtype=bool)
        used[tails] = True
        used[heads] = True
        if used.all():
            return (tails, heads), None, high + 1
        numbers = np.flatnonzero(used)
        place = np.cumsum(used) - 1
        return (place[tails], place[heads]), labels_of(numbers), len(numbers)
    numbers, place = np.unique(np.concatenate([tails, heads]), return_inverse=True)
    return (place[: len(tails)], place[len(tails) :]), labels_of(numbers), len(numbers)


def _of_one_dtype(tails: Ends, heads: Ends) -> tuple[Ends, Ends]:
    """Both as they are if NumPy compares them exactly: of int64 and uint64 together it makes floats."""
    if np.result_type(tails, heads).kind != "f":
        return tails, heads
    if max(int(ends.max(initial=0)) for ends in (tails, heads)) < 2**63:
        return tails.astype(np.int64), heads.astype(np.int64)
    return tails.astype(object), heads.astype(object)


def labels_of_texts(texts: Sequence[str]) -> Labels:
    """Labels from texts of a file: integers if all of them are integers in their usual form, otherwise the texts.

    Raises
    ------
    GraphError
        If two are equal.
    """
    if all(map(_INTEGER.fullmatch, texts)):
        numbers = list(map(int, texts))
        if all(-(2**63) <= number < 2**63 for number in (min(numbers, default=0), max(numbers, default=0))):
            return labels_of(numbers)
    return labels_of(list(texts))


def numbered_from_one(n: int) -> range:
    """The labels of a format that numbers its vertices from 1; they cost no memory."""
    return range(1, n + 1)


def check_none_alone(graph: Graph, tails: Ends, heads: Ends, kind: str) -> None:
    """Raise an error for labelled vertices without an arc, which a list of arcs would lose.

    Raises
    ------
    GraphError
        If there is one; the message names the first.
    """
    alone = np.ones(graph.n, dtype=bool)
    alone[tails] = False
    alone[heads] = False
    if alone.any():
        word = graph.word(int(np.flatnonzero(alone)[0]))
        raise GraphError(f"vertex {word} has no arc, so {kind} loses it; write .graphml, .gml or .npz")


def _range(first: int, n: int) -> Labels | None:
    return labels_of(range(first, first + n)) if first else None
