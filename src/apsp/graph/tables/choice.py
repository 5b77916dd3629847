"""The further costs of a table that the caller names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from apsp.errors import RequestError, shown
from apsp.graph.columns import Field, column_named

__all__ = ["chosen_costs"]


def chosen_costs(columns: Sequence[Field], costs: Any) -> list[str]:
    """The names of the columns with further costs, as the table writes them.

    Raises
    ------
    RequestError
        If they are not names of columns.
    """
    if costs is None:
        return []
    if isinstance(costs, (str, Mapping)) or not isinstance(costs, Iterable):
        raise RequestError(f"the costs of a table are a list of the names of its columns, not {shown(costs)}")
    found: dict[str, None] = {}
    for name in costs:
        if not isinstance(name, str):
            raise RequestError(f"the name of a cost must be text, not {shown(name)}")
        found[str(columns[column_named(columns, name, "costs")].name)] = None
    return list(found)
