"""The bends of links: the points of a street between its ends, as a ragged array."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError, shown
from apsp.graph.checks import array_of, frozen, indptr_array

__all__ = ["Bends", "bends_of", "bends_of_lines", "joined"]

_DECIMALS = 1e-14
"""Relative error of a number that is written with 16 digits."""


class Bends:
    """The points of L links between their ends, in their order from tail to head; `Graph.links.bends`.

    Parameters
    ----------
    indptr : (L + 1,) int64
        The bends of link i are points[indptr[i] : indptr[i + 1]].
    points : (p, 2) float64
        x and y, in the units of the coordinates.

    Raises
    ------
    GraphError
        If the arrays do not fit together, or a number is not finite.

    Examples
    --------
    >>> import apsp
    >>> street = apsp.from_edges([0], [1], [7], coordinates=[[0, 0], [3, 4]], bends=[[[3, 0]]])
    >>> street.links.bends
    Bends(1 point of 1 link)
    >>> street.links.bends[0].tolist()
    [[3.0, 0.0]]
    """

    __slots__ = ("indptr", "points")

    def __init__(self, indptr: npt.ArrayLike, points: npt.ArrayLike) -> None:
        self.indptr = indptr_array(indptr)
        array = array_of(points, "bends", np.float64)
        if array.shape != (self.indptr[-1], 2):
            raise GraphError(f"bends must be points of shape ({self.indptr[-1]}, 2), not {array.shape}")
        if not np.isfinite(array).all():
            point = int(np.argmin(np.isfinite(array).all(axis=1)))
            link = int(np.searchsorted(self.indptr, point, side="right")) - 1
            raise GraphError(f"bends[{link}] has a point that is not two finite numbers: {array[point].tolist()}")
        self.points = frozen(array, points)

    def along(self, links: npt.NDArray[Any], is_against: npt.NDArray[np.bool_] | bool) -> Bends:
        """The bends of some links in this order.

        Parameters
        ----------
        links : (k,) integers
        is_against : (k,) bool, or bool
            Whether the bends of each are in the order from its head to its tail.
        """
        counts = np.diff(self.indptr)[links]
        indptr = np.append(0, np.cumsum(counts))
        first, last = np.repeat(self.indptr[links], counts), np.repeat(self.indptr[links + 1] - 1, counts)
        number = np.arange(indptr[-1]) - np.repeat(indptr[:-1], counts)
        against = np.repeat(np.broadcast_to(is_against, len(links)), counts)
        return Bends(indptr, self.points[np.where(against, last - number, first + number)])

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def __getitem__(self, link: int) -> npt.NDArray[np.float64]:
        """(k, 2) points of a link."""
        if not -len(self) <= link < len(self):
            raise IndexError(f"there is no link {link} among {len(self):,}")
        start, stop = self.indptr[link % len(self)], self.indptr[link % len(self) + 1]
        return self.points[start:stop]

    def __iter__(self) -> Iterator[npt.NDArray[np.float64]]:
        return map(self.__getitem__, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bends):
            return NotImplemented
        return np.array_equal(self.indptr, other.indptr) and np.array_equal(self.points, other.points)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are checked again, and are immutable too."""
        return Bends, (self.indptr, self.points)

    def __repr__(self) -> str:
        numbers = (f"{count:,} {word}{'s' * (count != 1)}" for count, word in
                   ((len(self.points), "point"), (len(self), "link")))  # fmt: skip
        return f"Bends({' of '.join(numbers)})"


def joined(parts: Sequence[Bends]) -> Bends:
    """The points of each row of some ragged arrays of as many rows, those of the first array first."""
    number = np.concatenate([np.repeat(np.arange(len(part)), np.diff(part.indptr)) for part in parts])
    points = np.concatenate([part.points for part in parts])
    return Bends(np.sum([part.indptr for part in parts], axis=0), points[np.argsort(number, kind="stable")])


def bends_of(given: Any, count: int) -> Bends | None:
    """The bends of links that a caller gives; None if there are none.

    Parameters
    ----------
    given : Bends, sequence of count (k, 2) numbers or None, or None
    count : int
        Of the links.

    Raises
    ------
    GraphError
        If it is not one sequence of points per link, or a number is not finite.
    """
    if given is None:
        return None
    if not isinstance(given, Bends):
        given = _ragged(given)
    if len(given) != count:
        raise GraphError(f"bends of {len(given):,} links for {count:,}: each has a sequence of points, or None")
    return given if len(given.points) else None


def _ragged(given: Any) -> Bends:
    if isinstance(given, (str, bytes, dict, set)):
        raise GraphError(f"bends must be a sequence with the points of each link, or None, not {shown(given)}")
    try:
        rows = list(given)
    except Exception as error:  # of an odd sequence
        raise GraphError(f"bends must be a sequence with the points of each link, not {shown(given)}") from error
    parts = []
    for link, row in enumerate(rows):
        part = np.empty((0, 2)) if row is None else array_of(row, f"bends[{link}]", np.float64)
        if part.shape != (0,) and (part.ndim != 2 or part.shape[1] != 2):
            raise GraphError(f"bends[{link}] must be points of shape (k, 2), or None, not of shape {part.shape}")
        parts.append(part.reshape(-1, 2))
    return Bends(np.cumsum([0, *map(len, parts)]), np.concatenate([*parts, np.empty((0, 2))]))


def bends_of_lines(
    points: npt.NDArray[np.float64], numbers: npt.NDArray[Any], begins: npt.NDArray[np.float64],
    ends: npt.NDArray[np.float64], *, exact: bool,
) -> Bends | None:  # fmt: skip
    """The bends of arcs between points, from lines that may begin at either end; None if some line has other ends.

    Parameters
    ----------
    points : (p, 2) float64
        Of all lines.
    numbers : (p,) integers
        The arc of each point, ascending.
    begins, ends : (k, 2) float64
        Of the arcs.
    exact : bool
        Whether the ends of lines must be those of their arcs, up to rounding of decimals; otherwise they are bends.
    """
    counts = np.bincount(numbers, minlength=len(begins))
    some = np.flatnonzero(counts)
    last = np.cumsum(counts)[some] - 1
    first = last - counts[some] + 1

    def apart(at_first: npt.NDArray[np.float64], at_last: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        away: npt.NDArray[np.float64] = np.hypot(*(points[first] - at_first[some]).T)
        away += np.hypot(*(points[last] - at_last[some]).T)
        return away

    is_against = np.zeros(len(begins), dtype=bool)
    is_against[some] = apart(ends, begins) < apart(begins, ends)
    against = is_against[some, None]
    own = np.ones(len(points), dtype=bool)
    for place, corners in ((first, np.where(against, ends[some], begins[some])),
                           (last, np.where(against, begins[some], ends[some]))):  # fmt: skip
        own[place] = ~np.isclose(points[place], corners, rtol=_DECIMALS, atol=0).all(axis=1)
    if exact and (own[first] | own[last]).any():
        return None
    indptr = np.append(0, np.cumsum(np.bincount(numbers[own], minlength=len(begins))))
    return Bends(indptr, points[own]).along(np.arange(len(begins)), is_against)
