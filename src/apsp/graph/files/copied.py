"""File objects that a caller has opened, copied into temporary files: readers read a file more than once."""

from __future__ import annotations

import lzma
import os
import tempfile
import zipfile
import zlib
from pathlib import Path
from typing import Any

from apsp.errors import FileFormatError, RequestError

__all__ = ["Copied", "is_file_object", "name_of"]

_AT_ONCE = 1 << 20
"""Bytes or characters that are copied at a time."""

_FAULTS = (OSError, EOFError, ValueError, RuntimeError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)
"""What reading raises: of files, of compressed and of encrypted members of archives, of files that are closed."""


def is_file_object(given: object) -> bool:
    """Whether it is a file that is open, or can be opened as one of `zipfile.Path`."""
    return not isinstance(given, str | os.PathLike) and (hasattr(given, "read") or hasattr(given, "open"))


class Copied:
    """What is left of a file object, copied; it is read from where it is, and stays open.

    Parameters
    ----------
    given : file object
        One of bytes or text, or an object whose `open` returns one.

    Attributes
    ----------
    path : Path
        Its name, by which the format is recognised, too.
    beside : Path or None
        The folder that it lies in; None if it does not lie on a disk.
    place : Path
        The copy.

    Raises
    ------
    RequestError
        If reading gives neither bytes nor text.
    FileFormatError
        If it cannot be read.
    """

    def __init__(self, given: Any) -> None:
        self.path = Path(name_of(given) or "file object")
        try:
            if hasattr(given, "read"):
                self.beside = _folder_of(given, self.path)
                self._file = self._copy(given)
            else:
                self.beside = None
                with given.open("rb") as opened:
                    self._file = self._copy(opened)
        except _FAULTS as error:
            if isinstance(error, RequestError):
                raise
            raise FileFormatError(self.path, f"cannot be read: {str(error) or type(error).__name__}") from error
        self.place = Path(self._file.name)

    def _copy(self, opened: Any) -> Any:
        copy = tempfile.NamedTemporaryFile(prefix="apsp-input-")  # noqa: SIM115 - closed by `close`
        try:
            while part := opened.read(_AT_ONCE):
                copy.write(part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part)
            copy.flush()
        except TypeError as error:
            copy.close()
            raise RequestError(f"{self.path} must be open for reading bytes or text: {error}") from error
        except BaseException:
            copy.close()
            raise
        return copy

    def close(self) -> None:
        """Remove the copy."""
        self._file.close()


def name_of(given: Any) -> str | None:
    """The name of a file object; None for none, and for names such as <stdin>."""
    name = getattr(given, "name", None)
    if isinstance(name, bytes | os.PathLike):
        name = os.fsdecode(name)
    return name if isinstance(name, str) and name and not name.startswith("<") else None


def _folder_of(given: Any, path: Path) -> Path | None:
    """The folder of a file object whose name leads to the same file on a disk."""
    try:
        same = os.path.samestat(os.fstat(given.fileno()), path.stat())
    except (AttributeError, OSError, ValueError):
        return None
    return path.parent if same else None
