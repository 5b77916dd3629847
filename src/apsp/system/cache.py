"""The folder of measurements of this machine, and how files there are written."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from apsp.errors import OutputError

__all__ = ["cache_folder", "write_whole"]


def cache_folder() -> Path:
    """The cache folder of the user on this platform; it need not exist. RuntimeError if there is no home folder."""
    if sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif os.environ.get("XDG_CACHE_HOME"):
        folder = Path(os.environ["XDG_CACHE_HOME"])
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Caches"
    else:
        folder = Path.home() / ".cache"
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
        raise OutputError(f"cannot write {what} to {path}: {error.strerror or error}") from error
