"""What installed packages declare by entry points, this package among them: read once, when it is first needed."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["declared"]


@functools.cache
def declared(group: str) -> tuple[EntryPoint, ...]:
    """Return the entry points of a group: those of this package first, since the first of a name is used."""
    from importlib.metadata import entry_points  # here, since `import apsp` needs none

    return tuple(sorted(entry_points(group=group), key=lambda entry: entry.dist is None or entry.dist.name != "apsp"))
