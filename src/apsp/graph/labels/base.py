"""The labels of the vertices of a graph: the interface of all kinds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError, RequestError, shown
from apsp.semiring import NO_VERTEX
from apsp.system.arguments import is_integer
from apsp.system.inputs import Input

__all__ = ["Label", "Labels"]

Label = Hashable
"""A label of a vertex: an integer, a string, a tuple, anything but None that can be a key of a dictionary."""


class Labels(ABC):
    """An immutable sequence of n different labels, one per vertex.

    `labels[position]` is a label, `labels.index(label)` its position; `len`, iteration, `in` and `==` work as for a
    sequence. `labels[:3]`, `labels[mask]` and `labels[[0, 5]]` are arrays of labels. Labels that are equal and have
    equal hashes are the same label, like keys of a dictionary.
    """

    __slots__ = ("_inputs",)
    _inputs: frozenset[Input]

    @property
    def inputs(self) -> frozenset[Input]:
        """The files that the graph was read from, which its tables do not replace."""
        return getattr(self, "_inputs", frozenset())

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def _one(self, position: int) -> Any:
        """The label at a position, which may count from the end; IndexError if there is none."""

    def __getitem__(self, position: Any) -> Any:
        """The label at a position, or an array of the labels of a slice, of a mask of n booleans, or of positions.

        Raises
        ------
        IndexError
            If there is no such position.
        RequestError
            If it is none of these.
        """
        if type(position) is int or is_integer(position):
            return self._one(int(position))
        return self.take(self._chosen(position))

    def _chosen(self, positions: Any) -> npt.NDArray[np.int32]:
        """Positions as an array."""
        every = np.arange(len(self), dtype=np.int32)
        if isinstance(positions, slice):
            found: npt.NDArray[np.int32] = every[positions]
            return found
        try:
            array = np.asarray(positions)
        except Exception:  # of an odd sequence
            array = np.empty(0, dtype=object)
        if array.size == 0 and array.ndim == 1 and isinstance(positions, (list, tuple)):
            return every[:0]
        if array.dtype.kind not in "iub" or array.ndim == 0 or (array.dtype.kind == "b" and array.shape != every.shape):
            raise RequestError(
                f"labels[...] takes a position, a slice, {len(self):,} booleans or an array of positions, not "
                f"{shown(positions)}: labels.index(label) is the position of a label"
            )
        chosen: npt.NDArray[np.int32] = every[array]
        return chosen

    @abstractmethod
    def __iter__(self) -> Iterator[Any]: ...

    @abstractmethod
    def index(self, label: Any) -> int:
        """The position of a label.

        Raises
        ------
        GraphError
            If no vertex has the label; the message names it.
        """

    @abstractmethod
    def positions(self, labels: Iterable[Any]) -> npt.NDArray[np.int32]:
        """The positions of some labels, (k,) int32; arrays of integers are looked up at once.

        Raises
        ------
        GraphError
            If a label does not exist; the message names the first.
        """

    @abstractmethod
    def take(self, positions: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The labels at some positions, an array of the same shape.

        Its dtype is int64 for integers and object otherwise. If positions are the labels, they are returned unchanged.
        """

    @abstractmethod
    def take_or_none(self, positions: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """As `take`, but -1 stands for "no vertex".

        It stays -1 if the labels are integers other than -1, and becomes None in an array of objects otherwise.
        """

    @property
    def are_positions(self) -> bool:
        """Whether the labels are 0..n-1 in this order: the graph was made without labels."""
        return False

    def part(self, positions: npt.NDArray[Any]) -> tuple[Labels, int]:
        """The labels of one kind, of vertices or of a set of places, that some positions are of, and their first one.

        All labels are of one kind, unless there are places.
        """
        del positions
        return self, 0

    def __contains__(self, label: Any) -> bool:
        try:
            self.index(label)
        except ValueError:
            return False
        return True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Labels):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash((len(self), *(self[position] for position in range(min(len(self), 8)))))

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        array = self.take(np.arange(len(self), dtype=np.int32))
        return array if dtype is None else array.astype(dtype)

    def word(self, position: int) -> str:
        """A label in a message: its `repr`, cut to a readable length."""
        return shown(self[position])

    def text(self, position: int) -> str:
        """A label as plain text: its `str`."""
        return plain_text(self[position])

    def texts(self) -> list[str]:
        """All labels as plain text.

        Raises
        ------
        GraphError
            If two have the same text, such as 1 and "1".
        """
        texts = list(map(plain_text, self))
        if len(set(texts)) < len(texts):
            first: dict[str, Any] = {}
            for label, text in zip(self, texts, strict=True):
                if text in first:
                    raise GraphError(f"the labels {shown(first[text])} and {shown(label)} have the same text")
                first[text] = label
        return texts

    def __repr__(self) -> str:
        first = ", ".join(self.word(position) for position in range(min(len(self), 4)))
        return f"{type(self).__name__}([{first}{', ...' if len(self) > 4 else ''}], n={len(self)})"


Sequence.register(Labels)  # type: ignore[type-abstract]


def plain(label: Any) -> Any:
    """Convert NumPy scalars to equal Python ones, except dates, which would lose their unit."""
    if isinstance(label, (np.str_, np.bytes_)):
        return label[:]  # .item() would lose zeros at the end
    if isinstance(label, np.generic) and label.dtype.kind in "biufc":
        return label.item()
    return label


def places_hint(label: Any) -> str | None:
    """What to give instead of places, where one label is taken; None if it is not about them."""
    if not isinstance(getattr(label, "labels", None), Labels):
        return None
    return "this takes the label of a vertex or of a place, such as places.labels[0]; apsp.matrix takes places"


def plain_text(label: Any) -> str:
    """The `str` of a label, or its text in messages if `str` fails (as for integers of thousands of digits)."""
    try:
        return str(label)
    except Exception:  # a user's __str__ may raise any exception
        return shown(label)


def objects(values: Sequence[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """An array of objects, which may be tuples; None where a value is missing."""
    array = np.empty(len(values), dtype=object)
    for place, value in enumerate(values):
        array[place] = value
    return array.reshape(shape)


def taken_objects(labels: Labels, positions: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The labels at some positions as objects, None at -1."""
    flat = positions.ravel().tolist()
    return objects([None if place == NO_VERTEX else labels._one(place) for place in flat], positions.shape)
