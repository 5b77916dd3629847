"""The labels of a graph to which places were added as vertices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError
from apsp.graph.labels.base import Labels, taken_objects
from apsp.semiring import NO_VERTEX

__all__ = ["PlacedLabels"]

Ints = npt.NDArray[np.int32]


class PlacedLabels(Labels):
    """Labels of vertices, then those of one or more sets of places, then those of places again.

    A label may occur in several of these. `index` looks first where the rows of a result are.

    Parameters
    ----------
    own : Labels
        Of the vertices of the graph.
    parts : tuple of Labels
        Of each set of places.
    again : (s,) int32
        Positions of the places (and, with turns, vertices) that have further vertices, with the same labels.
    rows : int
        The part where `index` looks first; -1 for the vertices.
    keys : tuple of objects
        What the parts are found by; not part of a copy.
    """

    __slots__ = ("_bounds", "again", "keys", "own", "parts", "rows")

    def __init__(
        self, own: Labels, parts: tuple[Labels, ...], again: Ints, rows: int, keys: tuple[object, ...] = ()
    ) -> None:
        self.own, self.parts, self.again, self.rows, self.keys = own, parts, again, rows, keys
        self._bounds = np.cumsum([0, *map(len, (own, *parts))])
        self._inputs = own.inputs

    @property
    def first_again(self) -> int:
        """The position of the first of the further vertices."""
        return int(self._bounds[-1])

    def without_again(self) -> Labels:
        """Return the labels of the vertices and places, without those of further vertices."""
        none = np.empty(0, dtype=np.int32)
        return PlacedLabels(self.own, self.parts, none, self.rows, self.keys) if self.parts else self.own

    def part_of(self, key: object) -> Ints | None:
        """Return the positions of a set of places; None if it is not one of these."""
        for number, each in enumerate(self.keys, 1):
            if each is key:
                return np.arange(self._bounds[number], self._bounds[number + 1], dtype=np.int32)
        return None

    def alone(self, positions: npt.NDArray[Any]) -> tuple[Labels, int] | None:
        """Return the labels that all of some positions are in, and the first position of these; None for several."""
        some = positions[positions != NO_VERTEX]
        first, last = (int(each) for each in (some.min(initial=self._bounds[-1]), some.max(initial=0)))
        part = int(np.searchsorted(self._bounds, first, "right")) - 1
        if not len(some) or part > len(self.parts) or last >= self._bounds[part + 1]:
            return None
        return (self.own, *self.parts)[part], int(self._bounds[part])

    def part(self, positions: npt.NDArray[Any]) -> tuple[Labels, int]:
        """Return the labels of vertices, or of a set of places, that some positions are of, and their first one."""
        return (self.alone(positions[:1]) if len(positions) else None) or (self.own, 0)

    def changed(self, change: Callable[[Labels], Labels]) -> PlacedLabels:
        """Return these with each set of labels changed."""
        return PlacedLabels(change(self.own), tuple(map(change, self.parts)), self.again, self.rows)

    def __len__(self) -> int:
        return int(self._bounds[-1]) + len(self.again)

    def _one(self, position: int) -> Any:
        place = position + len(self) if position < 0 else position
        if not 0 <= place < len(self):
            raise IndexError(f"there is no position {position}")
        if place >= self._bounds[-1]:
            place = int(self.again[place - self._bounds[-1]])
        part = int(np.searchsorted(self._bounds, place, "right")) - 1
        return (self.own, *self.parts)[part]._one(place - int(self._bounds[part]))

    def __iter__(self) -> Iterator[Any]:
        return chain(self.own, *self.parts, map(self._one, self.again.tolist()))

    def index(self, label: Any) -> int:
        """Return the position of a label: of the rows, or of the vertices, or of other places."""
        every = (self.own, *self.parts)
        order = dict.fromkeys((self.rows + 1, *range(len(every))))
        for part in order:
            if label in every[part]:
                return int(self._bounds[part] + every[part].index(label))
        try:
            return every[self.rows + 1].index(label)  # the error lists the labels
        except GraphError as error:
            raise GraphError(str(error).replace("no vertex", "no place") if self.rows >= 0 else str(error)) from None

    def positions(self, labels: Iterable[Any]) -> npt.NDArray[np.int32]:
        """Return the positions of these labels."""
        return np.fromiter((self.index(label) for label in labels), dtype=np.int32)

    def take(self, positions: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the labels at these positions."""
        return self._taken(positions)

    def take_or_none(self, positions: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the labels at these positions, and None or -1 for -1."""
        return self._taken(positions)

    def _taken(self, positions: npt.NDArray[Any]) -> npt.NDArray[Any]:
        found = self.alone(positions)
        if found is None:
            return taken_objects(self, positions)
        labels, start = found
        missing = positions == NO_VERTEX
        moved = np.where(missing, NO_VERTEX, positions - start).astype(np.int32)
        return labels.take_or_none(moved) if missing.any() else labels.take(moved)

    def __reduce__(self) -> tuple[Any, ...]:
        return PlacedLabels, (self.own, self.parts, self.again, self.rows)
