"""A store in a `.zip` file: it is packed when it is complete, and can only be read."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import struct
import threading
import weakref
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

from apsp.errors import FileFormatError, RequestError
from apsp.store.access import is_access, unreadable
from apsp.store.storage import CLAIMS, Storage, required
from apsp.system.cached import cached_property
from apsp.system.lack_of_memory import is_lack_of_memory
from apsp.system.progress import ProgressReport
from apsp.system.replacing import replacing

__all__ = ["Zipped", "pack"]

_LENGTHS = 26
"""Where the header of a member has the lengths of its name and of what follows it, before the bytes."""


def pack(storage: Storage, path: Path, report: ProgressReport | None) -> None:
    """Write all keys of a store into a `.zip` file, which appears complete. They are not compressed again.

    Parameters
    ----------
    storage : Storage
        A complete store, to which no run writes.
    path : Path
    report : callable or None
        Called as report("files packed", done, total).

    Raises
    ------
    FileFormatError, StoreAccessError
        If the store cannot be read.
    OutputError
        If the file cannot be written.
    """
    keys = _keys(storage)
    with replacing(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for done, key in enumerate(keys):
            found = storage.read(key)
            if found is None:
                raise FileFormatError(storage.name, f"{key} was removed while the store was packed")
            archive.writestr(zipfile.ZipInfo(key), found)  # without the time: the same store is the same file
            if report is not None:
                report("files packed", done + 1, len(keys))


def _keys(storage: Storage) -> list[str]:
    """All keys of a store, in the same order everywhere."""
    root = json.loads(storage.read("zarr.json") or b"{}")
    copy = (root.get("consolidated_metadata") or {}).get("metadata", {})
    parts = {name.partition("/")[0] for name in [*root["attributes"]["apsp"].get("files", ()), *copy]}
    found = {key for name in parts for key in storage.keys(name) if not key.startswith(f"{CLAIMS}/")}
    return ["zarr.json", *sorted(found)]


class Zipped:
    """A `.zip` file whose members are the keys; the folder that was packed may be their first part.

    Raises
    ------
    FileFormatError
        At the first access, if it is damaged.
    """

    at_once = 1

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._for_zarr: list[tuple[Any, dict[str, Any]]] = []
        _opened.add(self)

    def reopen(self) -> None:
        """In a forked child: open the file again, whose position the parent shares, with new locks."""
        self._lock = threading.Lock()
        vars(self).pop("_members", None)
        for store, unopened in self._for_zarr:
            with contextlib.suppress(Exception):  # the file may be gone; reading it tells so
                store.__setstate__(unopened.copy())

    @property
    def name(self) -> str:
        """The path."""
        return str(self.path)

    @cached_property
    def _members(self) -> tuple[zipfile.ZipFile | None, frozenset[str]]:
        try:
            archive = zipfile.ZipFile(self.path)
        except FileNotFoundError:
            return None, frozenset()
        except Exception as error:  # zipfile raises several kinds
            if is_lack_of_memory(error):
                raise
            words = f"neither a folder nor a .zip file of a store ({str(error).rstrip('.')}); name another place"
            raise FileFormatError(self.path, words) from error
        return archive, frozenset(archive.namelist())

    def read(self, key: str) -> bytes | None:
        """Return the bytes of a member."""
        archive, names = self._members
        if archive is None or key not in names:
            return None
        with self._damage_of(key), self._lock:
            return archive.read(key)

    @contextlib.contextmanager
    def _damage_of(self, key: str) -> Iterator[None]:
        """Report any failure of the block as damage of a member."""
        try:
            yield
        except Exception as error:
            if is_lack_of_memory(error):
                raise
            if is_access(error):
                raise unreadable(self.name, key, error) from error
            raise FileFormatError(
                self.path, f"its member {key} is damaged ({error}): fetch the file again, or repair the store that was "
                "packed, and pack it again"
            ) from error  # fmt: skip

    def tail(self, key: str, size: int) -> tuple[int, bytes] | None:
        """Return the number of bytes of a member, and the last ones, without those before them if they are stored."""
        archive, names = self._members
        if archive is None or key not in names:
            return None
        member = archive.getinfo(key)
        if member.compress_type != zipfile.ZIP_STORED:
            whole = self.read(key) or b""
            return len(whole), whole[max(len(whole) - size, 0) :]
        with self._damage_of(key), self.path.open("rb") as file:
            file.seek(member.header_offset + _LENGTHS)
            lengths = struct.unpack("<2H", file.read(4).ljust(4, b"\0"))
            start = member.header_offset + _LENGTHS + 4 + sum(lengths)
            file.seek(start + max(member.file_size - size, 0))
            return member.file_size, file.read(min(size, member.file_size))

    def has(self, key: str) -> bool:
        """Whether there is such a member."""
        return key in self._members[1]

    def keys(self, folder: str) -> list[str]:
        """Return the members of a folder."""
        return sorted(name for name in self._members[1] if name.startswith(f"{folder}/") and not name.endswith("/"))

    def for_zarr(self) -> Any:
        """Return a ZipStore."""
        store = required("zarr.storage").ZipStore(self.path, mode="r")
        # zarr 3.4 locks a store that returns its state: a child might wait for a thread of its parent.
        self._for_zarr.append((store, store.__getstate__()))
        return store

    def reopened(self) -> Callable[[], Storage]:
        """Return a function that opens the file again."""
        return functools.partial(Zipped, self.path.absolute())

    def check_writable(self) -> NoReturn:
        """Raise RequestError: a member cannot appear in one step, and a stopped run would leave no directory."""
        folder = self.path.with_suffix("") if self.path.suffix == ".zip" else self.path
        folder = folder if folder.suffix else folder.with_suffix(".zarr")
        raise RequestError(
            f"store={self.name!r}: a .zip file can be read, but a run that stops could not go on in it. Write the "
            f"folder {folder}, then pack it: apsp.load({str(folder)!r}).save({self.name!r})"
        )

    def write(self, key: str, pieces: Sequence[bytes]) -> None:  # noqa: ARG002
        """Raise RequestError."""
        self.check_writable()

    def create(self, key: str, pieces: Sequence[bytes]) -> bool:  # noqa: ARG002
        """Raise RequestError."""
        self.check_writable()

    def remove(self, key: str) -> None:  # noqa: ARG002
        """Raise RequestError."""
        self.check_writable()

    def claim(self, key: str) -> None:  # noqa: ARG002
        """Raise RequestError."""
        self.check_writable()

    def is_claimed(self, key: str) -> bool:  # noqa: ARG002
        """There are none."""
        return False

    def release_claims(self) -> None:
        """There are none."""

    def end_claims(self) -> None:
        """There are none."""

    def free_bytes(self) -> int | None:
        """Unknown, since nothing is written."""
        return None


_opened: weakref.WeakSet[Zipped] = weakref.WeakSet()


def _reopen_all() -> None:
    for each in list(_opened):
        each.reopen()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reopen_all)
