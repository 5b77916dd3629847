"""The error of a call that pandana answers with an AssertionError."""

from __future__ import annotations

from apsp.errors import RequestError

__all__ = ["CallError"]


class CallError(RequestError, AssertionError):
    """A name that was not set, or more than was set. Programs written for pandana catch AssertionError."""
