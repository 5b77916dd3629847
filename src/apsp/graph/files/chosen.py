"""The columns of a file that the caller lists: `columns=`, by name or position."""

from __future__ import annotations

from collections.abc import Sequence

from apsp.errors import RequestError, shown
from apsp.graph.columns import Field, Roles, Words, column_named
from apsp.graph.files.options import ReadOptions

__all__ = ["WORDS", "listed_roles"]

WORDS = Words(weight="cost", hops="weighted=False")
"""How a caller of `apsp.read` names columns."""


def listed_roles(
    fields: Sequence[Field], columns: Sequence[int | str], options: ReadOptions, *, named: bool = True
) -> Roles:
    """The roles of the columns that the caller lists.

    Parameters
    ----------
    fields : sequence of Field
        All columns.
    columns : (2,) or (3,) names or positions
        Of tail, head and weight.
    named : bool
        The columns have names.

    Raises
    ------
    RequestError
        If a column does not exist, or another option names a column too.
    """
    for name, place in (("source", 0), ("target", 1), ("cost", 2)):
        if place < len(columns) and getattr(options, name) is not None:
            raise RequestError(f"columns={columns!r} names the {name} already: leave {name}= out")
    places = []
    for each in columns:
        if isinstance(each, int) and each >= len(fields):
            raise RequestError(f"columns={columns!r}: there are the columns 0 to {len(fields) - 1}")
        if isinstance(each, str) and not named:
            raise RequestError(f"columns={columns!r}: there is no header line; give positions, counted from 0")
        places.append(each if isinstance(each, int) else column_named(fields, each, "columns"))
    if len(set(places)) < len(places):
        raise RequestError(f"columns={columns!r} names a column twice")
    length = places[2] if len(places) == 3 else None
    if options.cost is not None:
        if not named:
            raise RequestError(
                f"cost={shown(options.cost)}: there is no header line; columns=(tail, head, weight) takes positions"
            )
        length = column_named(fields, options.cost, "cost")
    return Roles(places[0], places[1], length if options.weighted else None, None)
