"""The files in which one process saves its blocks, so that a run that was stopped can go on.

Layout of a file: a header of 4 KiB (a line of JSON with its checksum), then the page without gaps, native byte order.
A process has two of them and replaces the older one, in one step: so all processes have the blocks of the step before
until all of them have saved the next. Errors: RequestError for the files of another problem or of a run that is still
going on, FileFormatError for a damaged file, OutputError if the disk cannot be written.
"""

from __future__ import annotations

import contextlib
import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np

from apsp.errors import FileFormatError, OutputError, RequestError
from apsp.gpu.page import Page
from apsp.methods.backend import Backend
from apsp.store.locks import Lock
from apsp.system.array_device import to_host
from apsp.system.replacing import replacing

__all__ = ["Checkpoints"]

_FORMAT, _VERSION = "apsp-blocks", 1
_HEADER = 4096
_BYTES_AT_ONCE = 1 << 24

_WORDS = {
    "rows": "its rows are {}, not {}",
    "n": "its graph has {} vertices, this one {}", "graph": "its graph has other arcs or weights",
    "dtype": "it has dtype={}, not {}", "semiring": "it has semiring={}, not {}",
    "grid": "its processes form a grid of {}, these of {}", "block": "it has block={}, not {}",
    "device": "its blocks are in the values of kernels for {}, not {}",
}  # fmt: skip

_VERTICES = "vertices"
"""The rows of blocks about which nothing is written."""


class Checkpoints:
    """The files of one process.

    Parameters
    ----------
    folder : Path
        Made if it does not exist; its parent must.
    what : mapping
        What the blocks depend on (JSON-ready).
    rank : int
        Number of this process.
    page : page of the device
        The blocks.
    backend : Backend
        Copies to that page.

    Attributes
    ----------
    steps : tuple of int
        The steps for which there is a file.
    """

    def __init__(self, folder: Path, what: Mapping[str, Any], rank: int, page: Page, backend: Backend) -> None:
        self._folder, self._what, self._page, self._backend = folder, dict(what), page, backend
        self._name = f"process-{rank:05d}"
        self._slots: list[int | None] = [None, None]
        self._lock = self._locked()
        try:
            for slot in range(2):
                header = self._header(slot)
                self._slots[slot] = None if header is None else int(header["step"])
        except BaseException:
            self.close()
            raise

    @property
    def steps(self) -> tuple[int, ...]:
        """The steps for which there is a file."""
        return tuple(step for step in self._slots if step is not None)

    def write(self, step: int) -> None:
        """Save the page as ready for a step, in place of the older file."""
        ages = [-1 if each is None else each for each in self._slots]
        slot = ages.index(min(ages))
        facts = {"format": _FORMAT, "version": _VERSION, "what": self._what, "step": step}
        with replacing(self._path(slot)) as file:
            file.write(bytes(_HEADER))
            crc = 0
            for part in self._parts():
                data = np.ascontiguousarray(to_host(part)).reshape(-1).view(np.uint8).data
                crc = zlib.crc32(data, crc)
                file.write(data)
            text = json.dumps(facts | {"crc32": crc}).encode()
            file.seek(0)
            file.write(b"%08x %s\n" % (zlib.crc32(text), text))
        self._slots[slot] = step

    def read(self, step: int) -> None:
        """Read the page that was saved for a step; the next `write` keeps its file.

        Raises
        ------
        FileFormatError
            If the file is damaged.
        """
        slot = self._slots.index(step)
        header = self._header(slot)
        assert header is not None
        crc = 0
        with self._opened(slot) as file:
            file.seek(_HEADER)
            for part in self._parts():
                host = np.empty(part.shape, dtype=part.dtype)
                data = host.reshape(-1).view(np.uint8).data
                if file.readinto(data) != len(data):  # type: ignore[attr-defined] # a file that is opened for reading
                    raise self._damaged(slot, "it is truncated")
                crc = zlib.crc32(data, crc)
                self._backend.copy(host, part)
        if crc != header["crc32"]:
            raise self._damaged(slot, "its checksum is wrong")
        self._slots = [each if each == step else None for each in self._slots]

    def remove(self) -> None:
        """Remove the files, and the folder with the last of them."""
        for slot in range(2):
            with contextlib.suppress(OSError):
                self._path(slot).unlink(missing_ok=True)
        self.close()
        with contextlib.suppress(OSError):
            self._folder.rmdir()

    def close(self) -> None:
        """Unlock."""
        self._lock.release()

    def _path(self, slot: int) -> Path:
        return self._folder / f"{self._name}-{'ab'[slot]}.blocks"

    def _parts(self) -> list[Page]:
        """The rows of the page, some at a time."""
        rows, columns = self._page.shape
        height = max(_BYTES_AT_ONCE // max(columns * self._page.dtype.itemsize, 1), 1)
        return [self._page[start : start + height] for start in range(0, rows, height)]

    def _locked(self) -> Lock:
        held = Lock(self._folder / f"{self._name}.lock")
        try:
            self._folder.mkdir(exist_ok=True)
            mine = held.take()
        except OSError as error:
            raise OutputError(f"cannot save checkpoints in {self._folder}: {error.strerror or error}") from None
        if not mine:
            raise RequestError(
                f"another run saves its checkpoints in {self._folder}: wait for it, or give another checkpoint folder"
            )
        return held

    def _header(self, slot: int) -> dict[str, Any] | None:
        """What is written about a file, or None without one."""
        try:
            with self._opened(slot) as file:
                line = file.read(_HEADER).partition(b"\n")[0]
        except FileNotFoundError:
            return None
        try:
            if int(line[:8], 16) != zlib.crc32(line[9:]):
                raise ValueError("its header is damaged")
            header: dict[str, Any] = json.loads(line[9:])
        except ValueError:
            raise self._damaged(slot, "its header is damaged") from None
        if header["version"] != _VERSION:
            raise FileFormatError(self._path(slot), "written by another version of apsp: remove its folder")
        found = [
            _WORDS[key].format(header["what"].get(key, _VERTICES), wanted)
            for key, wanted in self._what.items()
            if header["what"].get(key) != wanted
        ]
        if found:
            raise RequestError(
                f"the checkpoint in {self._folder} is of another request: {'; '.join(found)}. Give another checkpoint "
                "folder, or remove this one"
            )
        return header

    def _opened(self, slot: int) -> IO[bytes]:
        path = self._path(slot)
        try:
            return path.open("rb")
        except FileNotFoundError:
            raise
        except OSError as error:
            raise FileFormatError(path, f"cannot be read: {error.strerror or error}") from None

    def _damaged(self, slot: int, problem: str) -> FileFormatError:
        return FileFormatError(
            self._path(slot), f"a damaged checkpoint ({problem}): remove the folder {self._folder} to start again"
        )
