"""What is computed once: of an object, and of the parts of a job.

`cached_property` is that of `functools` as it is from Python 3.12 on: without a lock.

Before, one lock per property served all objects: threads waited for values of other objects, and a child that was
forked while a thread computed one waited forever. Two threads may now compute a value at the same time; all get the one
that was stored first.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

__all__ = ["PartsCache", "cached_property"]

Found = TypeVar("Found")

if TYPE_CHECKING or sys.version_info >= (3, 12):
    cached_property = functools.cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801 - as there
        """A property that is computed at its first use."""

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            return instance.__dict__.setdefault(self.attrname, self.func(instance))


class PartsCache(dict[Any, Any]):
    """What the parts of a job that one process computes have in common; copies and pickles are empty."""

    def once(self, key: object, make: Callable[[], Found]) -> Found:
        """Return what has this key, made at the first call."""
        if key not in self:
            self[key] = make()
        found: Found = self[key]
        return found

    def __reduce__(self) -> tuple[type[PartsCache], tuple[()]]:
        return PartsCache, ()
