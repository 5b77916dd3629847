"""What the calls for blocks of sources compute once in a process."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from apsp.methods.elimination.factor import Factor

if TYPE_CHECKING:
    from apsp._cpu import CountedArcs

__all__ = ["FactorCache"]


class FactorCache:
    """Factors of one graph and demand; copies and pickles are empty."""

    def __init__(self) -> None:
        self._counted: CountedArcs | None = None
        self._factor: Factor | None = None

    def counted(self, make: Callable[[], CountedArcs]) -> CountedArcs:
        """Return the counted arcs of elimination, made at the first call."""
        if self._counted is None:
            self._counted = make()
        return self._counted

    def factor(self, make: Callable[[], Factor]) -> Factor:
        """Return the factor of distances, made at the first call."""
        if self._factor is None:
            self._factor = make()
        return self._factor

    def __reduce__(self) -> tuple[type[FactorCache], tuple[()]]:
        return FactorCache, ()
