"""The folder of measurements of this machine, and how files there are written."""

from __future__ import annotations

import functools
import os
import sys
import tempfile
from pathlib import Path

from apsp.errors import OutputError

__all__ = ["cache_folder", "write_whole"]


def cache_folder() -> Path:
    """The cache folder of the user on this platform; it need not exist. RuntimeError if there is no home folder."""
    named, home = ("LOCALAPPDATA", "USERPROFILE") if sys.platform == "win32" else ("XDG_CACHE_HOME", "HOME")
    return _folder(os.environ.get(named), os.environ.get(home))


@functools.lru_cache(maxsize=1)
def _folder(named: str | None, home: str | None) -> Path:  # noqa: ARG001 - Path.home() reads it
    """Return the folder for these variables, kept because every plan needs it."""
    if sys.platform == "win32":
        folder = Path(named or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin" and not named:
        folder = Path.home() / "Library" / "Caches"
    else:
        folder = Path(named or Path.home() / ".cache")
    return folder / "apsp"


def write_whole(path: Path, text: str, what: str) -> None:
    """Write a file so that a reader sees the old one or the new one, never a part.

    Raises
    ------
    OutputError
        If it cannot be written; `what` names its content in the message.
    """
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", dir=path.parent, prefix=path.name, delete=False, encoding="utf-8"
        ) as file:
            temporary = Path(file.name)
            file.write(text)
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise OutputError(f"cannot write {what} to {path}: {error.strerror or error}") from None
