"""An open graph file: its bytes, decompressed, in blocks of whole lines, and errors that name the position."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Self

from apsp._types import FileLike, PathLike
from apsp.errors import FileFormatError, MissingFileError
from apsp.graph.files.copied import Copied, is_file_object
from apsp.graph.files.expansion import Expansion
from apsp.system.file_names import file_path
from apsp.system.inputs import read_input
from apsp.system.progress import ProgressReport

__all__ = ["COMPRESSED", "Source"]

BLOCK = 8 << 20  # bytes read at a time
HEAD = 256 << 10  # bytes from which a format is recognised
COMPRESSED = (".gz", ".xz", ".bz2")

_OPENERS: dict[bytes, tuple[str, Callable[[IO[bytes]], Any]]] = {
    b"\x1f\x8b": ("gzip", lambda raw: gzip.GzipFile(fileobj=raw)),
    b"\xfd7zXZ\x00": ("xz", lzma.LZMAFile),
    b"BZh": ("bzip2", bz2.BZ2File),
}
_DAMAGE = (EOFError, zlib.error, lzma.LZMAError, OSError)


class Source:
    """A file being read; use it in a `with` statement.

    Attributes
    ----------
    path : Path
        The file, or the name of a file object.
    place : Path
        The file on the disk; of a file object its copy.
    folder : Path or None
        Where files beside it are; None for a file object that does not lie on a disk.
    name : str
        The file's name in lower case, without `.gz`, `.xz` or `.bz2`.
    head : bytes
        Its first 256 KiB (decompressed, without a byte-order mark).
    whole : bool
        Whether the head is the whole file.
    expansion : Expansion
        Limit of the bytes per compressed byte.
    notes : list of str
        How the reader resolved ambiguities.
    """

    def __init__(
        self, path: PathLike | FileLike | Copied, report: ProgressReport | None = None,
        max_expansion: float | None = None,
    ) -> None:  # fmt: skip
        self._owned = Copied(path) if is_file_object(path) else None
        self._copied = path if isinstance(path, Copied) else self._owned
        if self._copied is None:
            self.path = self.place = file_path(path)
            self.folder: Path | None = self.path.parent
        else:
            self.path, self.place, self.folder = self._copied.path, self._copied.place, self._copied.beside
        self.expansion = Expansion(max_expansion)
        self._report = report
        self._expanded = 0
        self.notes: list[str] = []
        self.name = self.path.name.lower()
        for suffix in COMPRESSED:
            self.name = self.name.removesuffix(suffix)
        self._compression = ""
        try:
            self._raw: IO[bytes] = self.place.open("rb")
        except FileNotFoundError:
            raise MissingFileError(self.path) from None
        except OSError as error:
            raise FileFormatError(self.path, f"cannot be opened: {error.strerror or error}") from None
        if self.folder is not None:
            read_input(self.path)
        try:
            self._size = self.place.stat().st_size
            self._stream = self._decompressed()
            head = self._read(HEAD)
        except BaseException:
            self._close()
            raise
        self.whole = len(head) < HEAD
        self.head = head.removeprefix(b"\xef\xbb\xbf")

    @property
    def packed(self) -> bool:
        """The file is compressed."""
        return self._compression != ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()
        self._close()

    def _close(self) -> None:
        self._raw.close()
        if self._owned is not None:
            self._owned.close()

    def again(self) -> Source:
        """Open the file once more, from its beginning."""
        return Source(self._copied or self.path, self._report, self.expansion.most)

    def report(self, place: int) -> None:
        """Report a position in the file, for what others read of it."""
        if self._report is not None:
            self._report("reading", place, self._size)

    def fail(self, problem: str, line: int | None = None, column: int | None = None) -> FileFormatError:
        """Return an error with its position in the file."""
        return FileFormatError(self.path, problem, line=line, column=column)

    def blocks(self) -> Iterator[bytes]:
        """Yield the file in blocks of whole lines, about 8 MiB each; only the last may lack its line end."""
        pending = [self.head]
        while True:
            block = b"" if self.whole else self._read(BLOCK)
            cut = block.rfind(b"\n") + 1
            if cut or not block:
                pending.append(block[:cut])
                yield b"".join(pending)
                pending = [block[cut:]]
            else:
                pending.append(block)
                self.expansion.check_fits(sum(map(len, pending)), f"a line of {self.path}")
            if not block:
                return

    def all_bytes(self) -> bytes:
        """Return the whole file."""
        parts, size = [], 0 if self._compression else self._size
        self.expansion.check_fits(size, str(self.path))
        for block in self.blocks():
            parts.append(block)
            size = max(size, sum(map(len, parts)))
            self.expansion.check_fits(size, str(self.path))
        return b"".join(parts)

    def text(self) -> str:
        """Return the whole file as text: UTF-8, or Latin-1 if it is not UTF-8."""
        data = self.all_bytes()
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return data.decode("latin-1")

    def _decompressed(self) -> IO[bytes]:
        magic = self._read_raw_magic()
        for start, (name, opener) in _OPENERS.items():
            if magic.startswith(start):
                self._compression = name
                stream: IO[bytes] = opener(self._raw)
                return stream
        return self._raw

    def _read_raw_magic(self) -> bytes:
        try:
            magic = self._raw.read(6)
            self._raw.seek(0)
        except (OSError, io.UnsupportedOperation) as error:
            raise self.fail(f"cannot be read: {error}") from error
        return magic

    def _count(self, size: int) -> None:
        """Count decompressed bytes; raise an error if there are too many per compressed byte."""
        self._expanded += size
        if self._compression and self._expanded > self.expansion.free:
            fault = self.expansion.fault(self._expanded, self._raw.tell())
            if fault is not None:
                raise self.fail(fault)

    def _read(self, size: int) -> bytes:
        """Read `size` bytes, fewer only at the end."""
        parts: list[bytes] = []
        try:
            while size > 0 and (part := self._stream.read(size)):
                parts.append(part)
                size -= len(part)
                self._count(len(part))
        except _DAMAGE as error:
            if not self._compression:
                raise self.fail(f"cannot be read: {error}") from error
            what = "end too early" if isinstance(error, EOFError) else "are damaged"
            raise self.fail(
                f"the {self._compression} data {what} ({error}): fetch or compress the file again"
            ) from error
        if self._report is not None:
            self._report("reading", self._raw.tell(), self._size)
        return b"".join(parts)
