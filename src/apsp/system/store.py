"""Results on disk: an uncompressed `.npz` of plain arrays (no pickle), written in one step and read by mapping.

The members of the archive: `meta.json` (a description of the file), `NAME.npy` for each array, and `contents.json`
(from format 2 on) with the dtype, the shape and a checksum per block of every array. Reading checks all of these: any
damage raises a FileFormatError that names the member.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
import time
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from apsp.errors import FileFormatError, MissingFileError, RequestError
from apsp.system.array_device import to_host
from apsp.system.checksums import BLOCK, BlockSums, Unchecked
from apsp.system.file_names import file_path
from apsp.system.inputs import read_input
from apsp.system.lack_of_memory import is_lack_of_memory
from apsp.system.npy import read_header, size_of
from apsp.system.replacing import check_free, replacing

__all__ = ["Archive", "damage", "load_arrays", "save_arrays"]

VERSION = 2

_WORDS = {"result": "a result", "oracle": "an oracle"}
"""Names of the kinds of files in messages."""

_MOST_TEXT = 1 << 28  # bytes of JSON
_ALIGNED = 64
_PADDING = 0xD935  # the identifier that other programs use for padding of archives, too


@dataclass(frozen=True)
class Archive:
    """The content of a file.

    Attributes
    ----------
    arrays : dict
    meta : dict
        The facts passed to `save_arrays`, and the format.
    unchecked : tuple of Unchecked
        The mapped arrays, which have not been read yet.
    """

    arrays: dict[str, npt.NDArray[Any]]
    meta: dict[str, Any]
    unchecked: tuple[Unchecked, ...]


def save_arrays(
    path: str | os.PathLike[str],
    arrays: Mapping[str, Any],
    meta: Mapping[str, Any],
    progress: Callable[[int], None] | None = None,
    *,
    kind: str = "result",
) -> None:
    """Write named arrays (of the host or of a GPU) and JSON-ready facts.

    Parameters
    ----------
    kind : 'result' or 'oracle'
        The kind of the arrays, which `load_arrays` checks.
    progress : callable, optional
        Called with the number of array bytes written so far.

    Raises
    ------
    OutputError
        If the file cannot be written.
    RequestError
        If the facts are not JSON-ready.
    """
    objects = [name for name, array in arrays.items() if array.dtype.hasobject]
    if objects:
        raise ValueError(f"{objects[0]} holds Python objects: only plain arrays are stored")
    try:
        header = json.dumps({"format": f"apsp-{kind}", "version": VERSION, **meta})
    except (TypeError, ValueError, RecursionError) as error:
        raise RequestError(f"the facts of {_WORDS[kind]} must be ready for JSON: {error}") from error
    written, contents = 0, {}
    check_free(path, sum(array.nbytes for array in arrays.values()))
    with replacing(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        archive.writestr("meta.json", header)
        for name, array in arrays.items():
            sums = BlockSums()
            with archive.open(_aligned_member(archive, f"{name}.npy"), "w", force_zip64=True) as member:
                facts = {
                    "descr": np.lib.format.dtype_to_descr(array.dtype),
                    "fortran_order": False,
                    "shape": array.shape,
                }
                np.lib.format.write_array_header_2_0(member, facts)
                for chunk in _chunks(array):
                    member.write(chunk)
                    sums.add(chunk)
                    written += len(chunk)
                    if progress is not None:
                        progress(written)
            contents[name] = {"dtype": array.dtype.str, "shape": list(array.shape), "crc32": sums.sums()}
        archive.writestr("contents.json", json.dumps({"block": BLOCK, "arrays": contents}))


def _aligned_member(archive: zipfile.ZipFile, name: str) -> zipfile.ZipInfo:
    """Return a member whose first byte is at a multiple of _ALIGNED: numbers that are mapped must be aligned."""
    info = zipfile.ZipInfo(name, time.localtime()[:6])
    header = 30 + len(name.encode()) + 20  # the last 20 bytes: sizes of 64 bits
    field = 4  # an extra field of zeros, after its identifier and its length
    padding = -(archive.fp.tell() + header + field) % _ALIGNED  # type: ignore[union-attr]
    info.extra = struct.pack("<2H", _PADDING, padding) + bytes(padding)
    return info


def _chunks(array: Any, size: int = 1 << 24) -> Iterator[bytes]:
    """The bytes of `array` in C order, about `size` at a time."""
    if array.ndim == 0 or array.size == 0:
        yield to_host(array).tobytes()
        return
    rows = max(1, size // max(1, array[0].nbytes))
    for start in range(0, len(array), rows):
        yield np.ascontiguousarray(to_host(array[start : start + rows])).tobytes()


# -- reading ----------------------------------------------------------------------------------------------------------


def load_arrays(path: str | os.PathLike[str], *, mapped: Collection[str] = (), kind: str = "result") -> Archive:
    """Read the arrays that `save_arrays` wrote.

    Parameters
    ----------
    mapped : collection of str
        Arrays to map read-only instead of copying them: a single row of a large matrix costs a few page reads. Copied
        ones are checked against their checksums.
    kind : 'result' or 'oracle'
        The required kind of file.

    Raises
    ------
    FileFormatError
        If the file is truncated or damaged, was not written by `save_arrays`, or is of another kind.
    MissingFileError
        If the file does not exist.
    """
    path = file_path(path)
    read_input(path)
    try:
        with path.open("rb") as file:
            return _read(path, file, mapped, kind)
    except FileNotFoundError:
        raise MissingFileError(path) from None
    except OSError as error:
        if is_lack_of_memory(error):
            raise
        raise FileFormatError(path, f"cannot be read: {error.strerror or error}") from None


def _read(path: Path, file: IO[bytes], mapped: Collection[str], kind: str) -> Archive:
    with damage(path, f"not {_WORDS[kind]} of apsp, or cut short", "create it again"), zipfile.ZipFile(file) as archive:
        members = _members(archive)
        meta = _json(file, members, "meta.json")
        _recognise(path, meta, kind)
        reader = _Reader(path, file, members, archive.start_dir, meta["version"])
        names = [name.removesuffix(".npy") for name in members if name.endswith(".npy")]
        arrays = {name: reader.array(name, mapped=name in mapped) for name in names}
        if reader.contents is not None and set(reader.contents) != set(names):
            raise ValueError("contents.json names other arrays than the file has")
    return Archive(arrays, meta, tuple(reader.unchecked))


@contextlib.contextmanager
def damage(path: Path, what: str, remedy: str) -> Iterator[None]:
    """Report any failure of the block as damage of the file."""
    try:
        yield
    except (FileFormatError, MemoryError):
        raise
    except Exception as error:  # zipfile, JSON and NumPy may raise any exception for damaged bytes
        if is_lack_of_memory(error):
            raise
        words = " ".join(str(error).split())[:200] or type(error).__name__
        raise FileFormatError(path, f"{what} ({words}); {remedy}") from error


def _members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    members: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        if info.filename in members:
            raise ValueError(f"it has two members {info.filename!r}")
        if info.compress_type != zipfile.ZIP_STORED or info.flag_bits & 1 or info.compress_size != info.file_size:
            raise ValueError(f"its member {info.filename!r} is compressed or encrypted")
        members[info.filename] = info
    return members


def _recognise(path: Path, meta: dict[str, Any], kind: str) -> None:
    if meta.get("format") != f"apsp-{kind}":
        found = str(meta.get("format")).removeprefix("apsp-")
        why = f"it is {_WORDS[found]}" if found in _WORDS else "its meta.json is of another kind"
        raise FileFormatError(path, f"not {_WORDS[kind]} of apsp: {why}")
    version = meta.get("version")
    if type(version) is not int or version < 1:
        raise FileFormatError(path, "meta.json names no version of the format: it is damaged; create the file again")
    if version > VERSION:
        raise FileFormatError(
            path, f"written by a newer version of apsp (format {str(version)[:20]}): upgrade to read it"
        )


def _json(file: IO[bytes], members: Mapping[str, zipfile.ZipInfo], name: str) -> dict[str, Any]:
    """Read a member that is a JSON object, and check it."""
    info = members.get(name)
    if info is None:
        raise ValueError(f"it has no member {name}")
    if info.file_size > _MOST_TEXT:
        raise ValueError(f"its member {name} is too large")
    start = _start(file, info)
    file.seek(start)
    text = file.read(info.file_size)
    if len(text) < info.file_size or zlib.crc32(text) != info.CRC:
        raise ValueError(f"its member {name} differs from its checksum")
    found = json.loads(text)
    if not isinstance(found, dict):
        raise ValueError(f"its member {name} is not an object")
    return found


def _start(file: IO[bytes], info: zipfile.ZipInfo) -> int:
    """Return the position of the bytes of a member."""
    file.seek(info.header_offset)
    header = file.read(30)
    if len(header) < 30 or not header.startswith(b"PK\3\4"):
        raise ValueError(f"the place of its member {info.filename!r} is damaged")
    name_length, extra_length = struct.unpack("<26x2H", header)
    if file.read(name_length) != info.orig_filename.encode():
        raise ValueError(f"the name of its member {info.filename!r} is damaged")
    return info.header_offset + 30 + name_length + extra_length  # type: ignore[no-any-return]


class _Reader:
    """Reads or maps the arrays of an archive."""

    def __init__(
        self, path: Path, file: IO[bytes], members: Mapping[str, zipfile.ZipInfo], end: int, version: int
    ) -> None:
        self._path, self._file, self._members, self._end = path, file, members, end
        self.contents: dict[str, Any] | None = None
        self.unchecked: list[Unchecked] = []
        if version >= 2:
            found = _json(file, members, "contents.json")
            if found.get("block") != BLOCK or not isinstance(found.get("arrays"), dict):
                raise ValueError("its contents.json is damaged")
            self.contents = found["arrays"]

    def array(self, name: str, *, mapped: bool) -> npt.NDArray[Any]:
        info = self._members[f"{name}.npy"]
        with damage(self._path, f"{info.filename} is damaged", "fetch or create the file again"):
            start = _start(self._file, info)
            if start + info.file_size > self._end:
                raise ValueError("it extends beyond the end of the file")
            self._file.seek(start)
            shape, dtype = read_header(self._file)
            data = self._file.tell()
            size = size_of(shape, dtype)
            if data - start + size != info.file_size:
                raise ValueError(f"its header declares {size} bytes, and there are {info.file_size - data + start}")
            sums = self._sums(name, shape, dtype, size)
            self._file.seek(start)
            before = zlib.crc32(self._file.read(data - start))
            if mapped and size and data % dtype.alignment == 0:
                array: npt.NDArray[Any] = np.memmap(self._path, dtype=dtype, mode="r", offset=data, shape=shape)
                kept = ([info.CRC], before) if sums is None else (sums, None)
                self.unchecked.append(Unchecked(self._path, info.filename, array, *kept))
                return array
            array = np.empty(shape, dtype=dtype)
            if self._filled(array, size, before) != info.CRC:
                raise ValueError("its bytes differ from their checksum")
            if dtype.kind == "U" and size and array.reshape(-1).view(np.uint32).max() > 0x10FFFF:
                raise ValueError("it contains something that is not text")
            return array

    def _filled(self, array: npt.NDArray[Any], size: int, before: int) -> int:
        """Read the bytes of an array; returns their checksum."""
        rest = array.reshape(-1).view(np.uint8).data if size else memoryview(b"")
        while rest:
            count = self._file.readinto(rest[: 1 << 24])  # type: ignore[attr-defined]
            if not count:
                raise ValueError("it ends early")
            before, rest = zlib.crc32(rest[:count], before), rest[count:]
        return before

    def _sums(self, name: str, shape: tuple[int, ...], dtype: np.dtype[Any], size: int) -> list[int] | None:
        """The checksums of the blocks, if the file has any and they match this array."""
        if self.contents is None:
            return None
        about = self.contents.get(name)
        sums = about.get("crc32") if isinstance(about, dict) else None
        blocks = -(-size // BLOCK)
        if not isinstance(about, dict) or not isinstance(sums, list) or len(sums) != blocks:
            raise ValueError("contents.json does not fit it")
        if about.get("dtype") != dtype.str or about.get("shape") != list(shape):
            raise ValueError("its header differs from contents.json")
        return sums
