"""The error for sums of integers that do not fit int64: kernels raise OverflowError, users get the remedy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from apsp.errors import RequestError

__all__ = ["overflow_errors"]


@contextmanager
def overflow_errors() -> Iterator[None]:
    """Raise RequestError instead of OverflowError."""
    try:
        yield
    except OverflowError as error:
        raise RequestError(f"{error}; solve with float weights instead") from None
