"""One or more cutoffs of a measure."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np

from apsp.errors import RequestError, shown
from apsp.system.arguments import longest_distance

__all__ = ["cutoffs_of"]


def cutoffs_of(cutoffs: Any) -> tuple[tuple[int | float, ...], bool]:
    """The cutoffs, ascending, and whether a sequence was given.

    Raises
    ------
    RequestError
        If there is none, one is not a number of at least 0, or they do not increase.
    """
    several = isinstance(cutoffs, Iterable) and not isinstance(cutoffs, (str, bytes))
    several = several and not (isinstance(cutoffs, np.ndarray) and cutoffs.ndim == 0)
    try:
        given = list(cutoffs) if several else [cutoffs[()] if isinstance(cutoffs, np.ndarray) else cutoffs]
    except Exception as error:  # of an odd sequence
        raise RequestError(f"cutoffs must be a number or a sequence of numbers, not {shown(cutoffs)}") from error
    if not given:
        raise RequestError("cutoffs must hold at least one number")
    found = tuple(longest_distance(value, "cutoffs") for value in given)
    if any(later <= earlier for earlier, later in pairwise(found)):
        raise RequestError(f"cutoffs must increase, not {', '.join(map(str, found[:20]))}")
    return found, several
