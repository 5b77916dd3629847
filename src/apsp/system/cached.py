"""`functools.cached_property` as it is from Python 3.12 on: without a lock.

Before, one lock per property served all objects: threads waited for values of other objects, and a child that was
forked while a thread computed one waited forever. Two threads may now compute a value at the same time; all get the one
that was stored first.
"""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

__all__ = ["cached_property"]

if TYPE_CHECKING or sys.version_info >= (3, 12):
    cached_property = functools.cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801 - as there
        """A property that is computed at its first use."""

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            return instance.__dict__.setdefault(self.attrname, self.func(instance))
