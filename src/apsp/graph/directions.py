"""A column that says of each link whether it is an arc or an edge: `directed` (GMNS), `oneway`, `Type` (Gephi)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import ApspError, shown
from apsp.graph.columns import folded

__all__ = ["ends_of_links", "holds_ways", "ways_of"]

FORWARD, BACKWARD, BOTH = 1, -1, 0

_WORDS = {
    "directed": FORWARD, "undirected": BOTH, "mutual": BOTH,
    "true": FORWARD, "yes": FORWARD, "1": FORWARD, "1.0": FORWARD, "t": FORWARD,
    "false": BOTH, "no": BOTH, "0": BOTH, "0.0": BOTH, "f": BOTH, "": BOTH,
    "-1": BACKWARD, "-1.0": BACKWARD, "reverse": BACKWARD,
}  # fmt: skip
_LETTERS = {"F": FORWARD, "T": BACKWARD, "B": BOTH}
"""Of OpenStreetMap as Geofabrik exports it; PostgreSQL writes t and f for true and false."""
_TYPES = frozenset({"directed", "undirected", "mutual"})


def holds_ways(name: Hashable, values: Iterable[Any]) -> bool:
    """Whether a column holds directions: one called `type` only if its values are those of Gephi."""
    return folded(name) != "type" or {str(value).strip().lower() for value in values} <= _TYPES


def ways_of(name: Hashable, values: Sequence[Any], fail: Callable[[int, str], ApspError]) -> npt.NDArray[np.int8]:
    """The direction of each link: 1 as written, -1 against it, 0 both.

    Raises
    ------
    ApspError
        As `fail(row, problem)` makes it, at the first value that is not known.
    """
    distinct = {value: str(value).strip() for value in dict.fromkeys(values)}
    letters = set(distinct.values()) <= _LETTERS.keys() and len(distinct) > 0
    if letters and "B" not in distinct.values():
        held = " and ".join(sorted(set(distinct.values())))
        raise fail(0, f"column {shown(name)} holds {held}: true and false, or forward and backward? directed=True or "
                   "directed=False decides for all links")  # fmt: skip
    table = {value: _LETTERS.get(word) if letters else _WORDS.get(word.lower()) for value, word in distinct.items()}
    for row, value in enumerate(values):
        if table[value] is None:
            raise fail(row, f"{shown(value)} in column {shown(name)} is not a direction, such as yes, no or -1; "
                       "directed=True or directed=False decides for all links")  # fmt: skip
    return np.fromiter((table[value] for value in values), np.int8, len(values))


def ends_of_links(
    ways: npt.NDArray[np.int8], tails: npt.NDArray[Any], heads: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any], npt.NDArray[Any], bool | npt.NDArray[np.bool_]]:
    """The ends of links with directions, and `directed` for `from_edges`: of all of them, or of each one."""
    swapped, both = ways == BACKWARD, ways == BOTH
    tails, heads = np.where(swapped, heads, tails), np.where(swapped, tails, heads)
    if not both.any():
        return tails, heads, True
    return tails, heads, False if both.all() else ~both
