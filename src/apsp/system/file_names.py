"""File names from callers, as paths."""

from __future__ import annotations

import os
from pathlib import Path

from apsp.errors import RequestError, shown

__all__ = ["file_path"]

_LONGEST = 4096
"""Characters of a path: what Linux allows, and more than other systems do."""


def file_path(given: object, word: str = "path") -> Path:
    """Convert a file name from a caller to a path.

    Parameters
    ----------
    word : str
        Name of the argument.

    Raises
    ------
    RequestError
        If it is neither text nor an object with a path, or is not a valid file name.
    """
    name = given
    if isinstance(given, os.PathLike):
        name = os.fspath(given)
    if not isinstance(name, str) or not name:
        raise RequestError(f"{word} must be the name of a file, not {shown(given)}")
    try:
        invalid = b"\0" in os.fsencode(name)
    except UnicodeEncodeError:
        invalid = True
    if len(name) > _LONGEST:
        raise RequestError(f"{word} is too long for the name of a file, with {len(name):,} characters: {shown(name)}")
    if invalid:
        raise RequestError(f"{word} has characters that a file name cannot have: {shown(name)}")
    return Path(name)
