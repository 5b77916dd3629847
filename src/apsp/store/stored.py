"""What results that lie in a store share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

from apsp.store.group import parts_of
from apsp.store.header import StoreHeader
from apsp.store.matrix import StoredMatrix
from apsp.store.shards import ArrayShards
from apsp.store.storage import Storage

__all__ = ["Stored"]

_LONGEST = 40
"""Characters of the name of a store in the text of a result."""


class Stored:
    """A result in a store, which may not be complete yet; a subclass is made from what `parts_of` returns.

    Attributes
    ----------
    contents : str
        As of `StoreHeader`.
    """

    contents: ClassVar[str]
    _at: Storage
    _header: StoreHeader

    @property
    def _arrays(self) -> Sequence[StoredMatrix | ArrayShards]:
        """The arrays of a band."""
        raise NotImplementedError

    @property
    def is_complete(self) -> bool:
        """Whether all rows are there, in shards that are not damaged."""
        return len(self._whole_bands) == self._header.bands.count

    @property
    def _whole_bands(self) -> set[int]:
        """The bands that are there, in shards that are not damaged."""
        return set.intersection(*(each.whole() for each in self._arrays))

    def _bands(self, skip_missing: bool) -> Iterator[int]:
        """All bands, or those that are there."""
        for band in range(self._header.bands.count):
            if not skip_missing or all(each.has_band(band) for each in self._arrays):
                yield band

    @property
    def _name(self) -> str:
        """The name of the store, shortened, as text of Python."""
        name = self._at.name
        return repr(name if len(name) <= _LONGEST else f"...{name[3 - _LONGEST :]}")

    @property
    def _state(self) -> str:
        """How many shards there are, after a comma; empty if these are all."""
        there = len(set.intersection(*(each.listed() for each in self._arrays)))
        count = self._header.bands.count
        return "" if there == count else f", {there} of {count} shards"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles and copies name the store, which is opened again."""
        return _reopened, (type(self), self._at.reopened())


def _reopened(kind: Callable[..., Stored], opened: Callable[[], Storage]) -> Stored:
    return kind(*parts_of(opened(), kind.contents))  # type: ignore[attr-defined]
