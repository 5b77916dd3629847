"""What the calls for bands of skims share in a process.

Every row is computed alone, so that its bits do not depend on the bands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apsp.methods.skims.skims import SkimSolver

__all__ = ["SolverCache"]


class SolverCache:
    """What the calls for bands compute once in a process; copies and pickles are empty."""

    def __init__(self) -> None:
        self._key: tuple[Any, ...] | None = None
        self._solver: SkimSolver | None = None

    def solver(self, key: tuple[Any, ...], make: Callable[[], SkimSolver]) -> SkimSolver:
        """Return the solver of a key, made at the first call."""
        if self._solver is None or self._key != key:
            self._solver = None  # before another factor needs memory
            self._key, self._solver = key, make()
        return self._solver

    def __reduce__(self) -> tuple[type[SolverCache], tuple[()]]:
        return SolverCache, ()
