"""Dictionaries of all pairs whose rows are made when they are used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

__all__ = ["LazyRows"]


class _Pending:
    """Value of a row that was not used so far; no method of `LazyRows` returns it."""

    def __repr__(self) -> str:
        return "<row that was not used so far>"


_PENDING = _Pending()


class LazyRows(dict[Any, Any]):
    """A dictionary of dictionaries, as NetworkX returns it for all pairs, that makes a row when it is first used.

    It is a `dict`, with its keys from the start and in their order. A row that was made is kept, so that changes of it
    remain. What needs all values (`items`, `values`, `==`, copies, pickles) makes all rows first.

    Parameters
    ----------
    nodes : iterable
        The keys.
    row_of : callable
        The value of a key.
    """

    __slots__ = ("_row_of",)
    __hash__ = None

    def __init__(self, nodes: Iterable[Any], row_of: Callable[[Any], dict[Any, Any]]) -> None:
        super().__init__(dict.fromkeys(nodes, _PENDING))
        self._row_of: Callable[[Any], dict[Any, Any]] | None = row_of

    def __getitem__(self, node: Any) -> Any:
        row = super().__getitem__(node)
        if row is _PENDING and self._row_of is not None:
            row = self._row_of(node)
            self[node] = row
        return row

    def get(self, node: Any, default: Any = None) -> Any:
        """Return a row; the default for another key."""
        return self[node] if node in self else default  # noqa: SIM401 - it would call itself

    def _whole(self) -> LazyRows:
        """Make all rows, and forget what they are made of."""
        if self._row_of is not None:
            for node in self:
                self[node]
            self._row_of = None
        return self

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the keys; `dict(rows)` reads the values of a subclass with this method by `__getitem__`."""
        return super().__iter__()

    def items(self) -> Any:
        """Return the view of keys and rows."""
        return super(LazyRows, self._whole()).items()

    def values(self) -> Any:
        """Return the view of rows."""
        return super(LazyRows, self._whole()).values()

    def copy(self) -> dict[Any, Any]:
        """Return a dictionary of the same rows."""
        return super(LazyRows, self._whole()).copy()

    def pop(self, *args: Any) -> Any:
        """Remove a key, and return its row."""
        return super(LazyRows, self._whole()).pop(*args)

    def popitem(self) -> tuple[Any, Any]:
        """Remove the last key, and return it with its row."""
        return super(LazyRows, self._whole()).popitem()

    def setdefault(self, node: Any, default: Any = None) -> Any:
        """Return a row; a new key gets the default."""
        return super(LazyRows, self._whole()).setdefault(node, default)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LazyRows):
            other._whole()
        return super(LazyRows, self._whole()).__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __or__(self, other: Any) -> Any:
        return dict(self) | other

    def __ror__(self, other: Any) -> Any:
        return other | dict(self)

    def __repr__(self) -> str:
        return super(LazyRows, self._whole()).__repr__()

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        """Copy and pickle as a dictionary."""
        return dict, (dict(self),)
