"""Output files that appear complete or not at all.

The new file is written beside the old one under a name that ends in `.part`, and replaces it in one step when it is
complete. After any failure (a full disk, Ctrl-C), the old file is unchanged. A process that is killed leaves its
`.part` file; the next one that writes the same output removes it. A lock on the file shows that its process is alive.

A symbolic link stays: the file that it leads to is replaced. The bytes are written to a file that is not regular (a
pipe, `/dev/stdout`) when they are complete. A file that is an input (`inputs.py`) is not replaced.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import io
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from apsp.errors import OutputError, RequestError, format_bytes, shown
from apsp.system.file_locks import locked, open_files_stay
from apsp.system.file_names import file_path
from apsp.system.inputs import check_no_input
from apsp.system.paced import PacedFile

__all__ = ["check_free", "check_output", "check_writable", "replacing", "room"]

_LONGEST = 160
"""Bytes of the name of an output that are part of the name of its `.part` file: most systems allow 255 in all."""

_SECONDS_TO_RENAME = 600.0


def check_writable(path: str | os.PathLike[str]) -> None:
    """Fail now rather than after hours of work if `path` cannot be written; remove files left by killed processes.

    Raises
    ------
    OutputError
        If the folder does not exist or cannot be written to, or `path` is a folder, or an input.
    RequestError
        If `path` is not the name of a file.
    """
    path = file_path(path)
    check_no_input(path)
    with _saying(path):
        if _is_stream(path):
            if not os.access(path, os.W_OK):
                raise OSError(errno.EACCES, os.strerror(errno.EACCES))
            return
        place = _place(path)
        if place.is_dir():
            raise OutputError(f"{path} is a folder: give the name of a file")
        if not place.parent.is_dir():
            raise OutputError(f"cannot write {path}: the folder {place.parent} does not exist")
        with contextlib.suppress(FileNotFoundError):
            place.lstat()  # fails if the file system does not allow the name
        with tempfile.TemporaryFile(dir=place.parent):
            pass
        _remove_abandoned(place)


def check_output(path: str | os.PathLike[str], endings: Sequence[str]) -> Path:
    """Check before any work that a file can be written, and that its name has one of some endings.

    Raises
    ------
    RequestError
        If it has another ending, or is not the name of a file.
    OutputError
        As `check_writable`.
    """
    place = file_path(path)
    if place.suffix.lower() not in endings:
        words = f"{', '.join(endings[:-1])} or {endings[-1]}"
        raise RequestError(f"{shown(str(path))}: end the name of the file in {words}")
    check_writable(place)
    return place


def room(path: str | os.PathLike[str]) -> int | None:
    """Return the free bytes of the disk of `path`; None if it is not on a disk.

    Raises
    ------
    OutputError
        If the folder cannot be examined.
    """
    path = file_path(path)
    with _saying(path):
        return None if _is_stream(path) else shutil.disk_usage(_place(path).absolute().parent).free


def check_free(path: str | os.PathLike[str], needed: int, remedies: Sequence[str] = ()) -> None:
    """Fail now rather than after hours of work if the disk of `path` has less than `needed` bytes free.

    Parameters
    ----------
    remedies : sequence of str
        Changes that would need less, for the message.

    Raises
    ------
    OutputError
        With the bytes needed and free.
    """
    free = room(path)
    if free is not None and needed > free:
        instead = ", ".join([*remedies, "or write to another disk" if remedies else "write to another disk"])
        raise OutputError(f"{path} needs {format_bytes(needed)}, but its disk has {format_bytes(free)} left: {instead}")


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A binary file that replaces `path` if the block succeeds, and is removed if it fails.

    Raises
    ------
    OutputError
        If the system refuses to write; the old file is unchanged.
    RequestError
        If `path` is not the name of a file.
    """
    path = file_path(path)
    check_writable(path)
    with _saying(path):
        if _is_stream(path):
            with tempfile.TemporaryFile() as file:
                yield file
                file.seek(0)
                with path.open("wb", buffering=0) as stream:
                    shutil.copyfileobj(file, stream, 1 << 20)
            return
        place = _place(path)
        handle, name = _new_part(place)
        try:
            paced = PacedFile(handle)
            with io.BufferedRandom(paced, 1 << 18) as file:
                yield file
                file.flush()
                paced.sync()
                os.chmod(name, _mode(place))  # noqa: PTH101
                if not open_files_stay():
                    os.replace(name, place)  # noqa: PTH105
            if open_files_stay():
                os.replace(name, place)  # noqa: PTH105
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name)  # noqa: PTH108


@contextlib.contextmanager
def _saying(path: Path) -> Iterator[None]:
    """Convert an error of the system to one that names the output."""
    try:
        yield
    except OutputError:
        raise
    except OSError as error:
        left = f"; {path} is as it was before" if os.path.isfile(path) else ""  # noqa: PTH113
        raise OutputError(f"cannot write {path}: {error.strerror or error}{left}") from None


def _is_stream(path: Path) -> bool:
    """Whether bytes go into `path` itself: it is a pipe or a device, or the open file of a process."""
    if str(path.absolute()).startswith(("/dev/", "/proc/")) and path.exists() and not path.is_dir():
        return True
    try:
        kind = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    return not (stat.S_ISREG(kind) or stat.S_ISDIR(kind))


def _place(path: Path) -> Path:
    """Return the path of the replaced file: at the end of symbolic links."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


# -- .part files ----------------------------------------------------------------------------------------------------


def _stem(place: Path) -> str:
    """Return the prefix of the names of the `.part` files of an output."""
    name = place.name
    if len(os.fsencode(name)) > _LONGEST:
        mark = hashlib.sha256(os.fsencode(name)).hexdigest()[:16]
        while len(os.fsencode(name)) > _LONGEST:
            name = name[:-1]
        name += f"-{mark}"
    return f".{name}."


def _new_part(place: Path) -> tuple[int, str]:
    """A new file beside `place`, open and locked, and its name."""
    while True:
        handle, name = tempfile.mkstemp(dir=place.parent, prefix=_stem(place), suffix=".part")
        try:
            with contextlib.suppress(OSError):  # without locks, no process removes the files of others
                if not locked(handle):
                    os.close(handle)
                    continue
            if os.path.exists(name):  # noqa: PTH110 # else another process took it for abandoned before it was locked
                return handle, name
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _remove_abandoned(place: Path) -> None:
    """Remove the `.part` files of `place` that no living process has locked."""
    named = re.compile(re.escape(_stem(place)) + r"[a-z0-9_]{8}\.part")
    with contextlib.suppress(OSError), os.scandir(place.parent) as entries:
        for entry in entries:
            if named.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                _remove_if_abandoned(entry.path)


def _remove_if_abandoned(name: str) -> None:
    with contextlib.suppress(OSError):  # it has just been renamed to its output, or belongs to another user
        if open_files_stay():  # those of living processes cannot be removed, but for the moment before they are renamed
            if time.time() - os.stat(name).st_mtime > _SECONDS_TO_RENAME:  # noqa: PTH116
                os.unlink(name)  # noqa: PTH108
            return
        handle = os.open(name, os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
        try:
            if locked(handle):
                os.unlink(name)  # noqa: PTH108
        finally:
            os.close(handle)


def _mode(place: Path) -> int:
    """The permissions of the old file, or those that a new file gets."""
    if place.exists():
        return place.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
