"""The file that stores a matrix while it is computed, with a lock and the progress of the work.

Layout: two headers of 4 KiB, then the rows without gaps, native byte order, then a checksum (CRC-32) per row. A header
is one line of JSON and its checksum; the valid one with the higher number is used, so that a crash while one is written
leaves the other. Raises OutputError if the disk cannot be written, FileFormatError for a truncated or other file,
RequestError for the file of another run or one that another process uses.

The idea of resuming: (min,+) and similar semirings only replace a value by a better one, which is the length of a walk
in the graph. So a step can be repeated from its start, whatever part of it was on the disk. `commit` records a step
after all of it is on the disk; before the first commit, the content of the file is invalid.

The checksums of the rows are written when the file is closed or finished, and the header records this until a row is
written again: a run that was killed leaves rows of two steps, which are valid, without checksums. A row is compared
with its checksum when it is read for the first time.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import sys
import threading
import weakref
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import FileFormatError, OutputError, RequestError, format_bytes
from apsp.graph.model import Graph
from apsp.methods.floyd_warshall.strips.row_checksums import RowChecksums
from apsp.system.checksums import Unchecked
from apsp.system.file_locks import locked, remove_and_close
from apsp.system.positioned import read_at, write_at

__all__ = ["PageFile", "fingerprint"]

MAGIC = "apsp-pages"
VERSION = 2
_WITHOUT_SUMS = 1
"""The version before there were checksums of rows."""

_SLOT = 4096
_BODY = 2 * _SLOT


def fingerprint(graph: Graph, *, lengths: bool = True) -> str:
    """SHA-256 of everything that distances depend on; without lengths, of what reachability depends on."""
    digest = hashlib.sha256(str(graph.n).encode())
    weights = graph.weights if lengths else None
    for name, array in (
        ("indptr", graph.indptr), ("indices", graph.indices), ("weights", weights), ("terminals", graph.zones)
    ):  # fmt: skip
        digest.update(name.encode())
        if array is not None:
            digest.update(array.dtype.str.encode())
            digest.update(np.ascontiguousarray(array).data.cast("B") if array.size else b"")
    return digest.hexdigest()


class PageFile:
    """A matrix in a file, locked for this process until `close`.

    Parameters
    ----------
    path : Path
        Created if it does not exist; otherwise it must be of the same run.
    shape, dtype
        Of the matrix.
    run : dict
        Other data that the values depend on (JSON-ready): the fingerprint of the graph, the semiring.

    Attributes
    ----------
    is_new : bool
        The file was made by this object.
    next_pivot : int
        All rows are relaxed through the pivots before it. While it is 0, the content of the file is invalid.
    finished : bool
        The matrix holds the result.
    """

    def __init__(self, path: Path, shape: tuple[int, int], dtype: npt.DTypeLike, run: dict[str, Any]) -> None:
        self.path, self.shape, self.dtype = Path(path), shape, np.dtype(dtype)
        self._what = {"rows": shape[0], "columns": shape[1], "dtype": self.dtype.str, **run}
        self._pitch = shape[1] * self.dtype.itemsize
        self._number = 0
        self.next_pivot = 0
        self.finished = False
        self._sums = RowChecksums(shape[0])
        self._has_sums = False  # in the file
        self._writing = threading.Lock()
        self._file, self.is_new = self._open()
        self._closing = weakref.finalize(self, os.close, self._file)  # a failure before `close` must not leave a lock
        try:
            _lock(self._file, self.path)
            if self.is_new:
                self._make()
            else:
                self._recognise()
        except BaseException:
            self.close(keep=not self.is_new)
            raise

    @property
    def matrix(self) -> npt.NDArray[Any]:
        """The matrix, mapped into memory: reading a row costs a few page reads."""
        if 0 in self.shape:
            return np.empty(self.shape, dtype=self.dtype)
        return np.memmap(self.path, dtype=self.dtype, mode="r+", offset=_BODY, shape=self.shape)

    def read(self, row_from: int, rows: npt.NDArray[Any]) -> None:
        """Fill an array without gaps with the rows from row_from on."""
        buffer, offset = rows.data.cast("B"), _BODY + row_from * self._pitch
        try:
            while buffer:
                count = read_at(self._file, buffer, offset)
                if count == 0:
                    raise FileFormatError(self.path, "the file ends early: another program truncated it; delete it")
                buffer, offset = buffer[count:], offset + count
        except OSError as error:
            raise self._refused(error) from error
        self._sums.compare(self.path, row_from, rows)

    def write(self, row_from: int, rows: npt.NDArray[Any]) -> None:
        """Write an array without gaps as the rows from row_from on."""
        buffer, offset = rows.data.cast("B"), _BODY + row_from * self._pitch
        try:
            self._begin_writing()
            self._sums.note(row_from, rows)
            while buffer:
                count = write_at(self._file, buffer, offset)
                buffer, offset = buffer[count:], offset + count
        except OSError as error:
            raise self._refused(error) from error

    def commit(self, next_pivot: int, *, finished: bool = False, changed: bool = False) -> None:
        """Record that all rows in the file are relaxed through the pivots before next_pivot.

        Parameters
        ----------
        changed : bool
            The rows were also written to through `matrix`.
        """
        try:
            os.fsync(self._file)
            self.next_pivot, self.finished = next_pivot, finished
            if changed:
                self._sums.forget()
            if next_pivot == 0:  # the content of the file is invalid
                self._has_sums = False
            if finished:
                self._complete_sums()
                self._write_sums()
            self._write_header()
            os.fsync(self._file)
            if self._has_sums:  # in both headers, so that damage to one does not hide them
                self._write_header()
                os.fsync(self._file)
        except OSError as error:
            raise self._refused(error) from error

    def close(self, *, keep: bool = True) -> None:
        """Unlock; remove the file too unless it can be resumed."""
        if self._file >= 0:
            if not keep:
                remove_and_close(self.path, self._closing)
            elif self.next_pivot > 0 and not self._has_sums and self._sums.are_complete:
                with contextlib.suppress(OSError):  # they are not needed
                    self._write_sums()
                    self._write_header()
                    os.fsync(self._file)
                    self._write_header()
            self._closing()
            self._file = -1

    # -- opening ------------------------------------------------------------------------------------------------------

    def _open(self) -> tuple[int, bool]:
        if self.path.is_dir():
            raise OutputError(f"{self.path} is a folder: give the name of a file for the pages")
        if not self.path.parent.is_dir():
            raise OutputError(f"cannot write {self.path}: the folder {self.path.parent} does not exist")
        flags = os.O_RDWR | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
        try:
            try:
                return os.open(self.path, flags | os.O_CREAT | os.O_EXCL, 0o666), True
            except FileExistsError:
                return os.open(self.path, flags), False
        except OSError as error:
            raise self._refused(error) from error

    @property
    def _size(self) -> int:
        return self._end_of_rows + self._sums.nbytes

    @property
    def _end_of_rows(self) -> int:
        return _BODY + self.shape[0] * self._pitch

    def _make(self) -> None:
        size = self._size
        try:
            # first, so that the file is recognised if the process is killed during the allocation
            self._write_header()
            _allocate(self._file, size)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT):
                raise OutputError(
                    f"cannot write {self.path}: the matrix takes {format_bytes(size)} and the disk has less "
                    f"space ({error.strerror}); give a file on another disk"
                ) from error
            raise self._refused(error) from error

    def _recognise(self) -> None:
        if os.fstat(self._file).st_size == 0:  # its writer was killed before the first header
            self._make()
            return
        headers = [header for header in map(self._read_header, (0, 1)) if header is not None]
        if not headers:
            raise FileFormatError(self.path, "not a file of pages; it is left as it is: delete it or give another name")
        header = max(headers, key=lambda found: int(found["number"]))
        if header["version"] not in (VERSION, _WITHOUT_SUMS):
            raise FileFormatError(self.path, f"pages of format {header['version']}, written by another version of apsp")
        for key, wanted in self._what.items():
            if header["what"].get(key) != wanted:
                found = header["what"].get(key)
                raise RequestError(
                    f"{self.path} holds the pages of another run: its {key} is {found}, not {wanted}; "
                    "delete it or give another name"
                )
        self._number = int(header["number"])
        self.next_pivot, self.finished = int(header["next_pivot"]), bool(header["finished"])
        size = os.fstat(self._file).st_size
        if size > self._size:
            problem = "the file is longer than its matrix: another program changed it; delete it to start again"
            raise FileFormatError(self.path, problem)
        if size < (self._end_of_rows if header["version"] == _WITHOUT_SUMS else self._size):
            if self.next_pivot > 0 or self.finished:
                problem = "the file is truncated: it is smaller than its matrix; delete it to start again"
                raise FileFormatError(self.path, problem)
            self._make()
        elif header.get("sums"):
            self._read_sums(int(header["sums_crc32"]))

    # -- checksums ----------------------------------------------------------------------------------------------------

    @property
    def unchecked(self) -> tuple[Unchecked, ...]:
        """The checksums of `matrix`, for readers of all of it."""
        if not self._has_sums or 0 in self.shape:
            return ()
        return (Unchecked(self.path, "a row", self.matrix, self._sums.values(), block=self._pitch),)

    def _begin_writing(self) -> None:
        """Record, before the first row is written, that the checksums in the file are no longer valid."""
        with self._writing:
            if self._has_sums:
                self._has_sums = False
                self._write_header()
                os.fsync(self._file)

    def _complete_sums(self) -> None:
        """Compute the checksums of rows that were written in another way, or before a crash."""
        row = np.empty((1, self.shape[1]), dtype=self.dtype)
        for number in self._sums.missing:
            self.read(number, row)
            self._sums.note(number, row)

    def _write_sums(self) -> None:
        write_at(self._file, self._sums.to_bytes(), self._end_of_rows)
        os.fsync(self._file)
        self._has_sums = True

    def _read_sums(self, crc: int) -> None:
        self._sums.take(self.path, self._bytes_at(self._end_of_rows, self._sums.nbytes), crc)
        self._has_sums = True

    # -- headers ------------------------------------------------------------------------------------------------------

    def _write_header(self) -> None:
        self._number += 1
        facts = {
            "format": MAGIC, "version": VERSION, "number": self._number, "what": self._what,
            "next_pivot": self.next_pivot, "finished": self.finished,
            "sums": self._has_sums, "sums_crc32": zlib.crc32(self._sums.to_bytes()) if self._has_sums else 0,
        }  # fmt: skip
        text = json.dumps(facts).encode()
        line = b"%08x %s\n" % (zlib.crc32(text), text)
        write_at(self._file, line.ljust(_SLOT, b"\0"), self._number % 2 * _SLOT)

    def _read_header(self, slot: int) -> dict[str, Any] | None:
        line = self._bytes_at(slot * _SLOT, _SLOT).split(b"\n", 1)[0]
        try:
            if int(line[:8], 16) != zlib.crc32(line[9:]):
                return None
            header = json.loads(line[9:])
        except ValueError:
            return None
        return header if isinstance(header, dict) and header.get("format") == MAGIC else None

    def _bytes_at(self, position: int, count: int) -> bytes:
        """Return the bytes from a position on, fewer at the end of the file."""
        found = bytearray(count)
        return bytes(found[: read_at(self._file, memoryview(found), position)])

    def _refused(self, error: OSError) -> OutputError:
        if isinstance(error, OutputError):
            return error
        return OutputError(f"cannot use {self.path} for the pages: {error.strerror or error}")


def _allocate(file: int, size: int) -> None:
    """Allocate the disk space now, if the system can; otherwise the file is sparse, and the disk may become full."""
    if sys.platform == "win32" or not hasattr(os, "posix_fallocate"):
        os.ftruncate(file, size)
        return
    try:
        os.posix_fallocate(file, 0, size)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP):
            raise
        os.ftruncate(file, size)


def _lock(file: int, path: Path) -> None:
    try:
        is_mine = locked(file)
    except OSError as error:
        if error.errno in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP):  # a file system without locks
            return
        raise OutputError(f"cannot lock {path}: {error.strerror or error}") from error
    if not is_mine:
        raise RequestError(f"another process uses {path}: wait for it, or give another name")
