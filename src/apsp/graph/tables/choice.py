"""Which columns of a table are the ends and the lengths of the edges."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from apsp._types import USUAL
from apsp.errors import RequestError, shown
from apsp.graph.files.edge_layout import HEADS, TAILS, WEIGHTS

__all__ = ["chosen_columns", "chosen_costs"]


def chosen_columns(
    columns: Sequence[tuple[Hashable, bool]], source: Any, target: Any, weight: Any, hint: str = ""
) -> tuple[Hashable, Hashable, Hashable | None]:
    """The names of the columns with the sources, the targets and the lengths (None: hops).

    Columns that the caller does not name are found by their usual names, as in files of edges; if the only other column
    of numbers has none of these, it holds the lengths. `hint` is for messages: what may help where a column is missing.

    Raises
    ------
    RequestError
        If a column does not exist or is not clear; the message lists the columns.
    """
    names = [name for name, _ in columns]
    tail = _named(names, source, "source", hint) if source is not None else _usual(names, TAILS, "source", (), hint)
    head = (
        _named(names, target, "target", hint) if target is not None else _usual(names, HEADS, "target", (tail,), hint)
    )
    if weight is None:
        return tail, head, None
    if weight is not USUAL:
        return tail, head, _named(names, weight, "weight", hint)
    rest = [(name, is_number) for name, is_number in columns if name not in (tail, head)]
    for candidates in ([name for name, is_number in rest if is_number], [name for name, _ in rest]):
        for word in WEIGHTS:
            for name in candidates:
                if str(name).lower() == word:
                    return tail, head, _named(names, name, "weight")
    numbers = [name for name, is_number in rest if is_number]
    if len(numbers) > 1:
        raise RequestError(
            f"the table has the columns {_list(names)}: name the one with the lengths of the edges (weight=...), or "
            "count hops (weight=None)"
        )
    return tail, head, _named(names, numbers[0], "weight") if numbers else None


def chosen_costs(columns: Sequence[tuple[Hashable, bool]], costs: Any) -> list[str]:
    """The names of the columns with further costs.

    Raises
    ------
    RequestError
        If they are not names of columns.
    """
    if costs is None:
        return []
    if isinstance(costs, (str, Mapping)) or not isinstance(costs, Iterable):
        raise RequestError(f"the costs of a table are a list of the names of its columns, not {shown(costs)}")
    names = [name for name, _ in columns]
    given = list(costs)
    for name in given:
        if not isinstance(name, str):
            raise RequestError(f"the name of a cost must be text, not {shown(name)}")
        _named(names, name, "costs")
    return list(dict.fromkeys(given))


def _named(names: list[Hashable], given: Any, what: str, hint: str = "") -> Hashable:
    found = 0
    try:
        found = names.count(given)
    except Exception:  # what a comparison with an odd value raises
        found = 0
    if found == 1:
        return next(name for name in names if name == given)
    if found:
        raise RequestError(f"{what}={shown(given)}: the table has {found} columns of this name; rename one")
    raise RequestError(f"{what}={shown(given)}: the table has the columns {_list(names)}{hint}")


def _usual(names: list[Hashable], words: set[str], what: str, taken: tuple[Hashable, ...], hint: str) -> Hashable:
    for name in names:
        if name not in taken and str(name).lower() in words:
            return _named(names, name, what)
    raise RequestError(
        f"the table has the columns {_list(names)}: name those with the ends of the edges (source=..., target=...)"
        f"{hint}"
    )


def _list(names: list[Hashable]) -> str:
    return ", ".join(map(shown, names[:20])) + (", ..." if len(names) > 20 else "") if names else "(none)"
