"""A store in a folder of a file system."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apsp.errors import OutputError, format_bytes
from apsp.store.access import GOES_ON, reason, unreadable
from apsp.store.locks import Lock
from apsp.store.storage import CLAIMS, Storage, others_among, required
from apsp.system.replacing import replacing

__all__ = ["Folder"]

_TRIES = 100
"""To make the folder of claims, which any run may remove."""


@dataclass(frozen=True)
class Folder:
    """A folder, which need not exist before the first bytes are written."""

    path: Path
    _claimed: set[Lock] = field(default_factory=set, init=False, repr=False, compare=False)
    at_once = 1

    @property
    def name(self) -> str:
        """The path."""
        return str(self.path)

    def read(self, key: str) -> bytes | None:
        """Return the bytes of a file; None if it does not exist."""
        try:
            return (self.path / key).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise unreadable(self.name, key, error) from error

    def tail(self, key: str, size: int) -> tuple[int, bytes] | None:
        """Return the number of bytes of a file, and the last ones."""
        try:
            with (self.path / key).open("rb", buffering=0) as file:
                count = os.fstat(file.fileno()).st_size
                file.seek(max(count - size, 0))
                return count, file.read(size)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise unreadable(self.name, key, error) from error

    def has(self, key: str) -> bool:
        """Whether there is such a file."""
        return os.path.isfile(self.path / key)  # noqa: PTH113 # half the time of Path.is_file

    def keys(self, folder: str) -> list[str]:
        """Return the keys of all files below a folder, but for those that are being written."""
        found = []

        def fail(error: OSError) -> None:
            if not isinstance(error, (FileNotFoundError, NotADirectoryError)):
                raise unreadable(self.name, folder, error) from error

        for parent, _, names in os.walk(self.path / folder, onerror=fail):
            where = Path(parent).relative_to(self.path).as_posix()
            found += [f"{where}/{name}" for name in names if not name.startswith(".")]
        return found

    def write(self, key: str, pieces: Sequence[bytes]) -> None:
        """Write a file, which appears complete and is on the disk then."""
        path = self.path / key
        with self._saying():
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with replacing(path) as file:
                for piece in pieces:
                    file.write(piece)
        except OutputError as error:
            raise self._failed(path, error, sum(map(len, pieces))) from None

    def create(self, key: str, pieces: Sequence[bytes]) -> bool:
        """Write a file unless it exists; whether it was written. The caller has a claim."""
        if self.has(key):
            return False
        self.write(key, pieces)
        return True

    def remove(self, key: str) -> None:
        """Remove a file, if it exists."""
        with self._saying():
            (self.path / key).unlink(missing_ok=True)

    def claim(self, key: str) -> Lock | None:
        """Lock a file; the system unlocks it when the process ends, however it ends."""
        mine = Lock(self._claims / key)
        self._claimed.add(mine)  # before it is locked: Ctrl-C may arrive before the caller has the claim
        with self._saying():
            for _ in range(_TRIES):
                # Another run that has ended may remove the folder between the two steps, and within the first one.
                with contextlib.suppress(FileExistsError, FileNotFoundError):
                    self._claims.mkdir(parents=True, exist_ok=True)
                    return mine if mine.take() else None
            self._claims.mkdir(parents=True, exist_ok=True)
            return mine if mine.take() else None

    def release_claims(self) -> None:
        """Unlock the files that are still locked."""
        while self._claimed:
            self._claimed.pop().release()

    def is_claimed(self, key: str) -> bool:
        """Whether there is such a file."""
        return (self._claims / key).exists()

    def end_claims(self) -> None:
        """Remove the folder of the locks, if there are no others."""
        with contextlib.suppress(OSError, OutputError):  # of a folder that can only be read
            for path in list(self._claims.iterdir()):  # of processes that were killed
                held = self.claim(path.name)
                if held is not None:
                    held.release()
            self._claims.rmdir()

    @property
    def _claims(self) -> Path:
        """Inside of an array that every store has: there readers of Zarr expect no groups."""
        return self.path / CLAIMS

    def free_bytes(self) -> int:
        """Return the free bytes of the disk."""
        with self._saying():
            return shutil.disk_usage(self._existing()).free

    def check_writable(self) -> None:
        """Raise OutputError if the folder cannot be made, or files in it, or if it has other files than a store."""
        if self.path.exists() and not self.path.is_dir():
            raise OutputError(f"{self.path} is a file: name a folder for the store")
        if not self.path.absolute().parent.is_dir():
            raise OutputError(f"cannot write {self.path}: the folder {self.path.absolute().parent} does not exist")
        with self._saying():
            others = self._others()
        if others:
            raise OutputError(
                f"{self.path} is a folder with other files ({others}), and no store: name a folder that does not exist"
            )
        with self._saying():
            import tempfile

            with tempfile.TemporaryFile(dir=self._existing()):
                pass

    def _others(self) -> str:
        """What the folder has, if it is no store, and no run has begun to create one."""
        if not self.path.is_dir() or self.has("zarr.json") or self._claims.parent.is_dir():
            return ""
        return others_among(path.name for path in self.path.iterdir())

    def _existing(self) -> Path:
        return self.path if self.path.is_dir() else self.path.absolute().parent

    def for_zarr(self) -> Any:
        """Return a LocalStore."""
        return required("zarr.storage").LocalStore(self.path, read_only=True)

    def reopened(self) -> Callable[[], Storage]:
        """Return a function that makes this folder again."""
        return functools.partial(Folder, self.path.absolute())

    @contextlib.contextmanager
    def _saying(self) -> Iterator[None]:
        try:
            yield
        except OutputError:
            raise
        except OSError as error:
            raise self._failed(self.path, error) from None

    def _failed(self, path: Path, error: BaseException, size: int | None = None) -> OutputError:
        """The error that names a file, the bytes that were to be written, and what helps."""
        if isinstance(error, OutputError) and not isinstance(error.__context__, OSError):
            return error
        of_bytes = "" if size is None else f" ({format_bytes(size)})"
        return OutputError(f"cannot write {path}{of_bytes}: {reason(error, GOES_ON)}")
