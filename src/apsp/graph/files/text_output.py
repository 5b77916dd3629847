"""Writing columns of numbers as lines of text."""

from __future__ import annotations

from typing import IO, Any

import numpy as np
import numpy.typing as npt

__all__ = ["write_rows"]

_ROWS = 1 << 16  # lines formatted at a time


def write_rows(
    stream: IO[bytes], columns: list[npt.NDArray[Any]], prefix: str = "", *, offset: int = 0, delimiter: str = " "
) -> None:
    """Write one line for each entry of the columns. The first two columns are vertices: `offset` is added to them.

    Floats are written with as many digits as are needed to read the same number again.
    """
    for start in range(0, len(columns[0]), _ROWS):
        part = [np.asarray(column[start : start + _ROWS]) for column in columns]
        words = [map(str, (array + offset if i < 2 else array).tolist()) for i, array in enumerate(part)]
        lines = "\n".join(prefix + delimiter.join(row) for row in zip(*words, strict=True))
        stream.write(lines.encode() + b"\n")
