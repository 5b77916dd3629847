"""Two copies of an array in turn: a few entries change, and readers of the old ones go on with them.

Once no reader holds the copy that was replaced, it lacks only what has changed since then.
"""

from __future__ import annotations

import weakref
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["TwoCopies"]

Array = npt.NDArray[Any]


class _Copy(NamedTuple):
    memory: Array
    lent: weakref.ref[Array]
    lacks: npt.NDArray[Any]


class TwoCopies:
    """An array (k,), and the one that it replaced; of one owner, who changes it once at a time.

    `begin` returns an array to write to, with the entries of the current one but for some, which it returns, too. Once
    these and the new ones have been written, `end` makes it the current one.
    """

    def __init__(self) -> None:
        self._now: _Copy | None = None
        self._other: _Copy | None = None

    @property
    def nbytes(self) -> int:
        """Bytes of the copy that is not current."""
        other = self._other
        return 0 if other is None else other.memory.nbytes

    def begin(self, now: Array, nothing: npt.NDArray[Any]) -> tuple[Array, npt.NDArray[Any]]:
        """An array to write to, and what it lacks of `now`: `nothing` if it is a new copy."""
        other, self._other = self._other, None
        if other is None or other.lent() is not None or not self._is_of(now):
            return _lend(now.copy()), nothing
        return _lend(other.memory), other.lacks

    def end(self, now: Array, array: Array, changed: npt.NDArray[Any]) -> None:
        """Make an array of `begin` the current one; it differs from `now` where it has `changed`."""
        if self._now is not None and self._is_of(now):
            self._other = self._now._replace(lacks=changed)
        memory: Any = array.base
        self._now = _Copy(memory.obj, weakref.ref(array), changed)

    def _is_of(self, array: Array) -> bool:
        lent = None if self._now is None else self._now.lent()
        return lent is not None and (array is lent or array.base is lent)


def _lend(memory: Array) -> Array:
    """The same memory as an array that all views of it hold, so that it lives as long as they do."""
    return np.frombuffer(memory.data, memory.dtype)
