"""Labels of any kind (strings, tuples, mixtures), stored as a tuple and a dictionary of positions."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError, shown
from apsp.graph.labels.base import Labels, objects, places_hint, plain, plain_text, taken_objects

__all__ = ["ObjectLabels"]

_SEARCHED = 2_000
"""Maximum number of labels that are compared with an unknown one."""


class ObjectLabels(Labels):
    """Any different hashable labels.

    Raises
    ------
    GraphError
        If a label occurs twice, is not hashable, is not equal to itself (not-a-number), or is None, which means no
        vertex; the message names it.
    """

    __slots__ = ("_numbers", "items")

    def __init__(self, items: Iterable[Any]) -> None:
        labels = tuple(items)
        if set(map(type, labels)) != {str}:
            labels = tuple(map(plain, labels))
            _check(labels)
        numbers: dict[Any, int] = dict(zip(labels, range(len(labels)), strict=True))
        if len(numbers) < len(labels):
            twice = next(label for position, label in enumerate(labels) if numbers[label] != position)
            raise GraphError(f"the label {shown(twice)} occurs twice: labels must be unique")
        self.items = labels
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, position: Any) -> Any:
        return self.items[position] if type(position) is int else super().__getitem__(position)  # paths take many

    def _one(self, position: int) -> Any:
        return self.items[position]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def __contains__(self, label: Any) -> bool:
        try:
            return label in self._numbers
        except TypeError:
            return False

    def index(self, label: Any) -> int:
        """Return the position of a label."""
        try:
            return self._numbers[label]
        except KeyError:
            raise self._unknown(label) from None
        except TypeError:
            raise GraphError(f"{shown(label)} is not a label: labels are hashable") from None

    def positions(self, labels: Iterable[Any]) -> npt.NDArray[np.int32]:
        """Return the positions of these labels."""
        return np.fromiter((self.index(label) for label in labels), dtype=np.int32)

    def take(self, positions: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the labels at these positions."""
        return objects([self.items[position] for position in positions.ravel().tolist()], positions.shape)

    def take_or_none(self, positions: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the labels at these positions, and None for -1."""
        return taken_objects(self, positions)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ObjectLabels):
            return self.items == other.items
        return super().__eq__(other)

    __hash__ = Labels.__hash__

    def _unknown(self, label: Any) -> GraphError:
        near = self._near(label)
        if near:
            hint = f"did you mean {' or '.join(map(shown, near))}?"
        else:
            some = ", ".join(map(shown, self.items[:3]))
            hint = f"labels are for example {some}" if some else "the graph has no vertices"
        return GraphError(f"there is no vertex {shown(plain(label))}; {places_hint(label) or hint}")

    def _near(self, label: Any) -> list[Any]:
        """Return labels that are similar to an unknown one."""
        text, some = plain_text(label)[:200], self.items[:_SEARCHED]
        same = [each for each in some if plain_text(each) == text]
        if same or not isinstance(label, str):
            return same[:2]
        return difflib.get_close_matches(text, [each for each in some if isinstance(each, str)], n=2, cutoff=0.75)

    def __reduce__(self) -> tuple[Any, ...]:
        return ObjectLabels, (self.items,)


def _check(labels: tuple[Any, ...]) -> None:
    for position, label in enumerate(labels):
        if label is None:
            raise GraphError(f"vertex {position} has the label None, which means no vertex")
        if isinstance(label, (float, complex, np.datetime64, np.timedelta64)) and label != label:
            raise GraphError(f"the label {shown(label)} of vertex {position} is not equal to itself")
        try:
            hash(label)
        except TypeError:
            raise GraphError(f"the label {shown(label)} of vertex {position} is not hashable") from None
