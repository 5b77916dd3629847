"""Errors that are also of the classes that pandana raises."""

from __future__ import annotations

from apsp.errors import RequestError

__all__ = ["CallError", "NothingFoundError"]


class CallError(RequestError, AssertionError):
    """A name that was not set, or more than was set. Programs written for pandana catch AssertionError."""


class NothingFoundError(RequestError, RuntimeError):
    """OpenStreetMap has no such nodes. Programs written for pandana catch RuntimeError."""
