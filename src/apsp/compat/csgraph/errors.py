"""A negative cycle is an error of both packages: `except` clauses for either class catch it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from apsp import errors
from apsp.compat.csgraph import peer

__all__ = ["NegativeCycleError", "as_scipy"]


class NegativeCycleError(errors.NegativeCycleError, peer.NegativeCycleError):
    """The error of `apsp`, which holds the cycle, and of `scipy.sparse.csgraph`.

    Parameters
    ----------
    error : apsp.NegativeCycleError
        The error that was raised.
    """

    def __init__(self, error: errors.NegativeCycleError) -> None:
        super().__init__(error.positions, error.length)


@contextmanager
def as_scipy() -> Iterator[None]:
    """Raise a negative cycle as the error of both packages."""
    try:
        yield
    except errors.NegativeCycleError as error:
        raise NegativeCycleError(error) from None
