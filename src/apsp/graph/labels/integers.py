"""Labels that are integers: a range, which needs no memory, or one array."""

from __future__ import annotations

import bisect
import operator
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError, shown
from apsp.graph.labels.base import Labels, places_hint, plain, taken_objects
from apsp.semiring import NO_VERTEX

__all__ = ["IntegerLabels", "RangeLabels", "are_integers", "integer_labels"]

_SMALL, _LARGE = -(2**63), 2**63 - 1
"""The range of int64."""


def integer_labels(values: npt.NDArray[Any]) -> Labels:
    """Labels of an array of integers: a range if they are consecutive.

    Raises
    ------
    GraphError
        If a label occurs twice.
    """
    array = values.astype(np.int64)  # a copy; unlike np.array, of a dtype that names no byte order
    steps = np.diff(array)
    if (steps == 1).all() and (len(array) == 0 or array[0] <= array[-1]):
        return RangeLabels(int(array[0]) if len(array) else 0, len(array))
    return IntegerLabels(array)


class _Integers(Labels):
    """Common base of ranges and arrays."""

    __slots__ = ()

    @abstractmethod
    def _find(self, labels: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The positions of labels, -1 for a label that does not exist."""

    @abstractmethod
    def _words(self) -> str:
        """Describe the labels."""

    @property
    def _has_minus_one(self) -> bool:
        return bool(self._find(np.array([-1]))[0] != NO_VERTEX)

    def positions(self, labels: Iterable[Any]) -> npt.NDArray[np.int32]:
        """Return the positions of these labels."""
        if isinstance(labels, range) and _count(labels) > len(self):  # some are missing; there may be very many labels
            raise self._unknown(next(label for label in labels if label not in self))
        array = labels if isinstance(labels, np.ndarray) else _array_of(labels)
        if array is None or array.dtype.kind not in "iu":
            return np.fromiter((self.index(label) for label in labels), dtype=np.int32)
        if array.dtype.kind == "u" and array.size and array.max() > _LARGE:
            raise self._unknown(int(array.max()))
        found = self._find(array.astype(np.int64, copy=False))
        wrong = np.flatnonzero(found == NO_VERTEX)
        if len(wrong):
            raise self._unknown(int(array[wrong[0]]))
        return found.astype(np.int32)

    def take_or_none(self, positions: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the labels at these positions, and None for -1."""
        if self._has_minus_one:
            return taken_objects(self, positions)
        missing = positions == NO_VERTEX
        if not len(self):
            return np.full(positions.shape, NO_VERTEX, dtype=np.int64)
        return np.where(missing, NO_VERTEX, self.take(np.where(missing, 0, positions)))

    def _whole(self, label: Any) -> int:
        """Convert an integer of any package; booleans and floats are not integers."""
        if isinstance(label, (bool, np.bool_)):
            raise self._unknown(label)
        try:
            return operator.index(label)
        except TypeError:
            raise self._unknown(label) from None

    def _unknown(self, label: Any) -> GraphError:
        near = _as_integer(label)
        hint = f": did you mean {near}?" if near is not None and near in self else ""
        return GraphError(f"there is no vertex {shown(plain(label))}; {places_hint(label) or self._words()}{hint}")


class RangeLabels(_Integers):
    """The labels start, start + 1, ..., start + n - 1."""

    __slots__ = ("_n", "start")

    def __init__(self, start: int, n: int) -> None:
        self.start = start
        self._n = n

    def __len__(self) -> int:
        return self._n

    def _one(self, position: int) -> int:
        return range(self.start, self.start + self._n)[position]

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.start, self.start + self._n))

    @property
    def are_positions(self) -> bool:
        """Whether every label is its position."""
        return self.start == 0

    def index(self, label: Any) -> int:
        """Return the position of a label."""
        whole = label if type(label) is int else self._whole(label)
        position = whole - self.start
        if 0 <= position < self._n:
            return position
        raise self._unknown(whole)

    def take(self, positions: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the labels at these positions."""
        return positions if self.start == 0 else positions.astype(np.int64) + self.start

    def take_or_none(self, positions: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the labels at these positions, and None for -1."""
        return positions if self.start == 0 else super().take_or_none(positions)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RangeLabels):
            return self._n == other._n and (self.start == other.start or not self._n)
        return super().__eq__(other)

    __hash__ = Labels.__hash__

    def positions(self, labels: Iterable[Any]) -> npt.NDArray[np.int32]:
        """Return the positions of these labels."""
        if isinstance(labels, np.ndarray) and labels.dtype.kind == "i" and labels.size:
            low, high = int(labels.min()), int(labels.max())
            if self.start <= low and high < self.start + self._n:
                return (labels.astype(np.int64) - self.start if self.start else labels).astype(np.int32)
        return super().positions(labels)

    def _find(self, labels: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        inside = (labels >= self.start) & (labels <= self.start + self._n - 1)
        return np.where(inside, labels - self.start, NO_VERTEX)

    def _words(self) -> str:
        kind = "vertices" if self.are_positions else "labels"
        return (
            f"the graph has {kind} {self.start} to {self.start + self._n - 1}"
            if self._n
            else "the graph has no vertices"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return RangeLabels, (self.start, self._n)


class IntegerLabels(_Integers):
    """Any different integers that fit int64; `integer_labels` makes them.

    Attributes
    ----------
    values : (n,) int64
        Read-only.
    """

    __slots__ = ("_order", "_sorted", "values")

    def __init__(self, values: npt.NDArray[np.int64]) -> None:
        values.flags.writeable = False
        self.values = values
        rising = bool((values[1:] > values[:-1]).all())
        self._order = None if rising else np.argsort(values, kind="stable")
        self._sorted = values if self._order is None else values[self._order]
        twice = np.flatnonzero(self._sorted[1:] == self._sorted[:-1])
        if len(twice):
            raise GraphError(f"the label {self._sorted[twice[0]]} occurs twice: labels must be unique")

    def __len__(self) -> int:
        return len(self.values)

    def _one(self, position: int) -> int:
        return int(self.values[position])

    def __iter__(self) -> Iterator[int]:
        return iter(self.values.tolist())

    def index(self, label: Any) -> int:
        """Return the position of a label."""
        whole = label if type(label) is int else self._whole(label)
        rising = self._sorted.data  # its items are plain integers: faster to bisect than by NumPy
        place = bisect.bisect_left(rising, whole)
        if place < len(rising) and rising[place] == whole:
            return place if self._order is None else int(self._order[place])
        raise self._unknown(whole)

    def take(self, positions: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the labels at these positions."""
        taken: npt.NDArray[np.int64] = self.values[positions]
        return taken

    def __eq__(self, other: object) -> bool:
        if isinstance(other, IntegerLabels):
            return np.array_equal(self.values, other.values)
        return super().__eq__(other)

    __hash__ = Labels.__hash__

    def _find(self, labels: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        order = np.argsort(labels)  # in ascending order the searches pass through memory once: four times as fast
        place = np.empty(len(labels), dtype=np.int64)
        place[order] = np.minimum(self._sorted.searchsorted(labels[order]), len(self._sorted) - 1)
        found = place if self._order is None else self._order[place]
        return np.where(self._sorted[place] == labels, found, NO_VERTEX)

    def _words(self) -> str:
        return f"the labels are integers from {self._sorted[0]} to {self._sorted[-1]}"

    def __reduce__(self) -> tuple[Any, ...]:
        return IntegerLabels, (self.values.copy(),)


def _array_of(labels: Iterable[Any]) -> npt.NDArray[Any] | None:
    """Convert plain integers to an array; None for anything else."""
    if (
        isinstance(labels, range)
        and labels
        and _SMALL <= min(labels[0], labels[-1]) <= max(labels[0], labels[-1]) <= _LARGE
    ):
        return np.arange(_count(labels), dtype=np.int64) * labels.step + labels.start
    if not isinstance(labels, (list, tuple)) or set(map(type, labels)) != {int}:
        return None
    try:
        return np.array(labels, dtype=np.int64)
    except OverflowError:
        return None


def _count(values: range) -> int:
    """Return the number of labels, even if it is too large for `len`."""
    return max(-((values.start - values.stop) // values.step), 0)


def _as_integer(label: Any) -> int | None:
    """Return the integer that a value of another type may stand for."""
    if isinstance(label, (str, float, np.floating)):
        try:
            number = float(label)
            return int(label) if number == int(number) else None
        except (ValueError, OverflowError):
            return None
    return None


def are_integers(labels: object) -> bool:
    """Whether all labels are integers that 64 bits hold."""
    return isinstance(labels, (RangeLabels, IntegerLabels))
