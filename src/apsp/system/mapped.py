"""A pickled object in a file, whose arrays are mapped into memory: all processes of a machine share them.

The idea: protocol 5 of pickle gives the arrays as buffers beside the stream. They stand behind it in the file, at
multiples of 64 bytes.
"""

from __future__ import annotations

import mmap
import os
import pickle
import struct
from pathlib import Path
from typing import Any

__all__ = ["mapped", "unpacked", "write_mapped"]

_ALIGNED = 64


def write_mapped(path: Path, thing: Any) -> None:
    """Write the file in one step.

    Raises
    ------
    OSError
    """
    buffers: list[pickle.PickleBuffer] = []
    stream = pickle.dumps(thing, protocol=5, buffer_callback=buffers.append)
    views = [buffer.raw() for buffer in buffers]
    sizes = [len(stream), *(view.nbytes for view in views)]
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            file.write(struct.pack(f"<{1 + len(sizes)}q", len(sizes), *sizes))
            for data in (memoryview(stream), *views):
                file.write(bytes(-file.tell() % _ALIGNED))
                file.write(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def mapped(path: Path) -> Any:
    """Return the object of a file; changes of its arrays stay in this process.

    Raises
    ------
    OSError
    """
    with path.open("rb") as file:
        return unpacked(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY))


def unpacked(data: Any) -> Any:
    """Return the object of the bytes of such a file; its arrays are writable if the bytes are."""
    view = memoryview(data)
    (count,) = struct.unpack_from("<q", view)
    sizes = struct.unpack_from(f"<{count}q", view, 8)
    parts, at = [], 8 + 8 * count
    for size in sizes:
        at += -at % _ALIGNED
        parts.append(view[at : at + size])
        at += size
    return pickle.loads(parts[0], buffers=parts[1:])  # noqa: S301 - from a worker of the same call
