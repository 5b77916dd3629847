"""A store that was packed into a `.zip` file: it can be read, not written."""

from __future__ import annotations

import functools
import threading
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from apsp.errors import FileFormatError, RequestError
from apsp.store.places import Place, required

__all__ = ["Zipped"]


class Zipped:
    """A `.zip` file whose members are the keys; the folder that was packed may be their first part.

    Raises
    ------
    FileFormatError
        At the first access, if it is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The path."""
        return str(self.path)

    @functools.cached_property
    def _members(self) -> tuple[zipfile.ZipFile | None, frozenset[str]]:
        try:
            archive = zipfile.ZipFile(self.path)
        except FileNotFoundError:
            return None, frozenset()
        except (OSError, zipfile.BadZipFile) as error:
            words = f"neither a folder nor a .zip file of a store ({str(error).rstrip('.')}); name another place"
            raise FileFormatError(self.path, words) from error
        return archive, frozenset(archive.namelist())

    def read(self, key: str) -> bytes | None:
        """Return the bytes of a member."""
        archive, names = self._members
        if archive is None or key not in names:
            return None
        try:
            with self._lock:
                return archive.read(key)
        except Exception as error:  # of damaged bytes
            raise FileFormatError(self.path, f"its member {key} is damaged ({error})") from error

    def has(self, key: str) -> bool:
        """Whether there is such a member."""
        return key in self._members[1]

    def keys(self, folder: str) -> list[str]:
        """Return the members of a folder."""
        return sorted(name for name in self._members[1] if name.startswith(f"{folder}/") and not name.endswith("/"))

    def for_zarr(self) -> Any:
        """Return a ZipStore."""
        return required("zarr.storage").ZipStore(self.path, mode="r")

    def reopened(self) -> Callable[[], Place]:
        """Return a function that opens the file again."""
        return functools.partial(Zipped, self.path.absolute())

    def check_writable(self) -> NoReturn:
        """Raise RequestError: a member cannot appear in one step, and a stopped run would leave no directory."""
        folder = self.path.with_suffix("") if self.path.suffix == ".zip" else self.path
        folder = folder if folder.suffix else folder.with_suffix(".zarr")
        raise RequestError(
            f"store={self.name!r}: a .zip file can be read, but a run that stops could not go on in it. Write the "
            f"folder {folder}, then pack it without compression: cd {folder} && zip -0 -r ../{self.path.name} ."
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

    def end_claims(self) -> None:
        """There are none."""

    def room(self) -> int | None:
        """Unknown, since nothing is written."""
        return None
