"""Edges that lack the attribute with the lengths: an error that counts them, or the length that a caller gives them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from apsp.errors import GraphError, RequestError, shown
from apsp.system.arguments import number

__all__ = ["filled", "lack_of_lengths", "length_of_missing", "no_missing"]


def length_of_missing(missing: Any) -> int | float | None:
    """The argument `missing`: the length of edges without one, or None.

    Raises
    ------
    RequestError
        If it is not a finite number.
    """
    if missing is None:
        return None
    found = number(missing, "missing")
    if not math.isfinite(found):
        raise RequestError(f"missing must be a finite number, the length of edges that have none, not {shown(missing)}")
    return found


def no_missing(missing: Any, what: str) -> None:
    """Refuse the argument `missing` where no edge can lack its length.

    Raises
    ------
    RequestError
        If it is given.
    """
    if missing is not None:
        raise RequestError(
            f"missing= is for edges without an attribute, in graphs of NetworkX, igraph and rustworkx: {what}"
        )


def lack_of_lengths(attribute: str, count: int, total: int, first: str, *, hops: str = "weight=None") -> str:
    """The words for edges without a length.

    Parameters
    ----------
    attribute : str
        What they lack, as in a message: "the attribute 'km'".
    count, total : int
        The edges without it, and all edges.
    first : str
        The first edge without it, as in a message.
    hops : str
        The argument that counts hops.
    """
    return (
        f"{count:,} of {total:,} edges {'lacks' if count == 1 else 'lack'} {attribute}, the first is {first}: missing="
        f"1 (or another number) gives such edges a length, {hops} counts hops"
    )


def filled(values: Sequence[Any], attribute: str, missing: float | None, edge: Callable[[int], str]) -> Sequence[Any]:
    """Values of an attribute, one per edge, with `missing` instead of None.

    Raises
    ------
    GraphError
        If some are None and there is no such number; the message counts them and names the first.
    """
    if type(None) not in set(map(type, values)):
        return values
    if missing is not None:
        return [missing if value is None else value for value in values]
    places = [place for place, value in enumerate(values) if value is None]
    raise GraphError(lack_of_lengths(attribute, len(places), len(values), edge(places[0])))
