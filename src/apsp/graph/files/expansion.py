"""The limit on the expansion of compressed files, so that a small file cannot fill the memory."""

from __future__ import annotations

import os

from apsp.errors import MemoryLimitError, RequestError, format_bytes, shown
from apsp.system.arguments import number
from apsp.system.limits import allowed_memory

__all__ = ["Expansion"]

MOST = 200
"""Bytes per compressed byte. Graphs as text compress to a tenth; to a hundredth if all lines are alike."""

VARIABLE = "APSP_MAX_EXPANSION"


class Expansion:
    """The limit of one file.

    Parameters
    ----------
    most : number or None
        Bytes per compressed byte; None means the environment variable APSP_MAX_EXPANSION, or 200.
    free : int
        Bytes that any file may expand to.

    Raises
    ------
    RequestError
        If it is not a number of at least 1.
    """

    def __init__(self, most: float | None = None, free: int = 512 << 20) -> None:
        self.free = free
        self.most = _from_environment() if most is None else number(most, "max_expansion", least=1)

    def fault(self, expanded: int, compressed: int) -> str | None:
        """Return the error message for this expansion; None if it is allowed."""
        if expanded <= self.free or expanded <= self.most * max(compressed, 1):
            return None
        return (
            f"{format_bytes(compressed)} expand to more than {format_bytes(expanded)}, over {self.most:g} times as "
            "much, as in a file that is made to fill the memory; max_expansion= or the environment variable "
            f"{VARIABLE} allows more"
        )

    def check_fits(self, size: int, what: str) -> None:
        """Raise MemoryLimitError if twice the bytes of `what` are not available."""
        if size <= self.free:
            return
        _, available = allowed_memory()
        if 2 * size > available:
            remedy = "a format that is read in blocks, such as an edge list or DIMACS"
            raise MemoryLimitError(f"{what}, which is read as a whole,", 2 * size, available, [remedy])


def _from_environment() -> float:
    text = os.environ.get(VARIABLE, "").strip()
    if not text:
        return MOST
    try:
        return number(float(text), VARIABLE, least=1)
    except (ValueError, RequestError):
        raise RequestError(
            f"the environment variable {VARIABLE} must be a number of at least 1, not {shown(text)}"
        ) from None
