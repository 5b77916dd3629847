"""Calls that are answered here, or else by SciPy's function; a negative cycle is the same error in both cases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apsp.compat.csgraph import peer
from apsp.compat.csgraph.solving import Call, answer

__all__ = ["handed_on"]


def handed_on(call: Call, small: bool, function: Callable[..., Any], *arguments: Any) -> Any:
    """The answer of this package, or of SciPy's `function` where the work is `small` or only SciPy can do it.

    Raises
    ------
    NegativeCycleError
        Of both packages, with the cycle.
    """
    found = None if small else answer(call)
    if found is not None:
        return found
    try:
        return function(*arguments)
    except peer.NegativeCycleError:
        if small:
            answer(call)  # raises the error that holds the cycle
        raise
