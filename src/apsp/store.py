"""Results on disk: an uncompressed `.npz` of plain arrays (no pickle), written in one step and read by mapping."""

from __future__ import annotations

import json
import struct
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import FileFormatError
from apsp.place import to_host
from apsp.replacing import replacing

__all__ = ["load_arrays", "save_arrays"]

VERSION = 1

_WORDS = {"result": "a result", "oracle": "an oracle"}
"""What a file may hold, by its kind."""


def save_arrays(
    path: str | Path,
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
        What the arrays are; `load_arrays` asks for it.
    progress : callable, optional
        Called with the number of array bytes written so far.
    """
    objects = [name for name, array in arrays.items() if array.dtype.hasobject]
    if objects:
        raise ValueError(f"{objects[0]} holds Python objects: only plain arrays are stored")
    written = 0
    header = {"format": f"apsp-{kind}", "version": VERSION, **meta}
    with replacing(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        archive.writestr("meta.json", json.dumps(header))
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                facts = {
                    "descr": np.lib.format.dtype_to_descr(array.dtype),
                    "fortran_order": False,
                    "shape": array.shape,
                }
                np.lib.format.write_array_header_2_0(member, facts)
                for chunk in _chunks(array):
                    member.write(chunk)
                    written += len(chunk)
                    if progress is not None:
                        progress(written)


def _chunks(array: Any, size: int = 1 << 24) -> Iterator[bytes]:
    """The bytes of `array` in C order, about `size` at a time."""
    if array.ndim == 0 or array.size == 0:
        yield to_host(array).tobytes()
        return
    rows = max(1, size // max(1, array[0].nbytes))
    for start in range(0, len(array), rows):
        yield np.ascontiguousarray(to_host(array[start : start + rows])).tobytes()


def load_arrays(
    path: str | Path, *, mapped: bool = True, kind: str = "result"
) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """Read back what `save_arrays` wrote: the arrays, and the facts.

    Parameters
    ----------
    mapped : bool
        Map arrays read-only instead of copying them: a single row of a large matrix costs a few page reads. Copied ones
        are checked against their checksums.
    kind : 'result' or 'oracle'
        What the file must be.

    Raises
    ------
    FileFormatError
        If the file is cut, was not written by `save_arrays`, or is of another kind.
    """
    path = Path(path)
    try:
        with zipfile.ZipFile(path) as archive:
            meta = json.loads(archive.read("meta.json"))
            members = [info for info in archive.infolist() if info.filename.endswith(".npy")]
            arrays = {info.filename[:-4]: _read_member(path, archive, info, mapped) for info in members}
    except FileNotFoundError:
        raise
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError, struct.error, OSError) as error:
        raise FileFormatError(path, f"not {_WORDS[kind]} of apsp, or cut short ({error}); make it again") from error
    if not isinstance(meta, dict) or meta.get("format") != f"apsp-{kind}":
        found = str(meta.get("format") if isinstance(meta, dict) else None).removeprefix("apsp-")
        why = f"it is {_WORDS[found]}" if found in _WORDS else "its meta.json does not say so"
        raise FileFormatError(path, f"not {_WORDS[kind]} of apsp: {why}")
    if int(meta.get("version", 0)) > VERSION:
        raise FileFormatError(path, f"written by a newer apsp (format {meta['version']}): upgrade to read it")
    return arrays, meta


def _read_member(path: Path, archive: zipfile.ZipFile, info: zipfile.ZipInfo, mapped: bool) -> npt.NDArray[Any]:
    if info.compress_type != zipfile.ZIP_STORED or not mapped:
        with archive.open(info) as member:
            array: npt.NDArray[Any] = np.lib.format.read_array(member, allow_pickle=False)
            return array
    with path.open("rb") as file:
        file.seek(info.header_offset)
        name_length, extra_length = struct.unpack("<26x2H", file.read(30))
        file.seek(info.header_offset + 30 + name_length + extra_length)
        version = np.lib.format.read_magic(file)
        read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, fortran, dtype = read_header(file)
        if dtype.hasobject:
            raise ValueError("it holds Python objects")
        start = file.tell()
        end = start + int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        if end > path.stat().st_size:
            raise ValueError("it ends early")
        if 0 in shape or not shape:
            return np.fromfile(file, dtype=dtype, count=int(np.prod(shape, dtype=np.int64))).reshape(shape)
    return np.memmap(path, dtype=dtype, mode="r", offset=start, shape=shape, order="F" if fortran else "C")
