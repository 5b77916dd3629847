"""The rows of methods by name: those of this package, and those that installed packages declare by entry points."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, MutableMapping
from typing import TYPE_CHECKING

from apsp.errors import warn
from apsp.methods.method import Method, Purpose
from apsp.system.declared import declared

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["Methods"]


class Methods(MutableMapping[str, Method]):
    """Rows by name; the first row of a name is used.

    Declared rows are read when a name is not found among the others, and when all rows are listed. The planner chooses
    among the others only, so that neither `import apsp` nor a request without a name reads them.

    Parameters
    ----------
    rows : iterable of Method
        Those that are known without reading.
    purpose : {'distances', 'flows', 'skims', 'within', 'closure'}
        Of the declared rows.
    """

    def __init__(self, rows: Iterable[Method], purpose: Purpose = "distances") -> None:
        self._known: dict[str, Method] = {}
        self._purpose = purpose
        self.add(rows)

    def add(self, rows: Iterable[Method]) -> None:
        """Add rows; existing names are not replaced."""
        for row in rows:
            self._known.setdefault(row.name, row)

    def automatic(self) -> Iterator[Method]:
        """Return the rows that the planner may choose."""
        return (row for row in self._known.copy().values() if row.automatic)

    def __getitem__(self, name: str) -> Method:
        found = self._known.get(name)
        return _declared(self._purpose)[name] if found is None else found

    def __setitem__(self, name: str, row: Method) -> None:
        self._known[name] = row

    def __delitem__(self, name: str) -> None:
        del self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._known, **_declared(self._purpose)})

    def __len__(self) -> int:
        return len({**self._known, **_declared(self._purpose)})


@functools.cache
def _declared(purpose: Purpose) -> dict[str, Method]:
    found: dict[str, Method] = {}
    for row in _all_declared():
        if row.purpose == purpose:
            found.setdefault(row.name, row)
    return found


@functools.cache
def _all_declared() -> tuple[Method, ...]:
    found: list[Method] = []
    for entry in declared("apsp.methods"):
        try:
            rows = _rows_of(entry)
        except Exception as error:  # anything that another package raises at its import
            package = entry.name if entry.dist is None else entry.dist.name
            warn(f"the methods of {package} ({entry.value}) are left out: {error}; update or uninstall {package}")
            continue
        found += rows
    return tuple(found)


def _rows_of(entry: EntryPoint) -> tuple[Method, ...]:
    rows = tuple(entry.load())
    for row in rows:
        if not isinstance(row, Method):
            raise TypeError(f"{row!r} is no apsp.Method")
        if row.automatic:
            raise ValueError(f"{row.name!r} has automatic=True, but declared methods run only if they are named")
    return rows
