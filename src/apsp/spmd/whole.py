"""The whole matrix, which process 0 returns. If all processes are on one machine, they share its memory and write to
it side by side; otherwise process 0 collects rows, some at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.methods.communicator import Communicator
from apsp.methods.distributed import Connection, Distributed
from apsp.spmd.running import collect
from apsp.spmd.together import exchanging, together

__all__ = ["Whole"]


class Whole:
    """Memory for the matrix, allocated before the work; all processes make it together.

    Parameters
    ----------
    comm : Communicator
    connection : Connection
    rows, columns : int
    dtype : numpy dtype
    """

    def __init__(
        self, comm: Communicator, connection: Connection, rows: int, columns: int, dtype: npt.DTypeLike
    ) -> None:
        self._comm, self._rows, self._row_bytes = comm, rows, columns * np.dtype(dtype).itemsize
        with exchanging(comm):
            self._shared = connection.shared(rows, columns, dtype)
        self._values = self._shared
        if self._shared is None:
            self._values = together(comm, lambda: np.empty((rows, columns), dtype=dtype) if comm.rank == 0 else None)

    def of(self, matrix: Distributed) -> npt.NDArray[Any] | None:
        """Return the values of a matrix in process 0; None in the others."""
        if self._shared is None:
            collect(self._comm, matrix, self._rows, self._row_bytes, into=self._values)
        else:
            with exchanging(self._comm):
                matrix.write(self._shared)
            self._comm.allgather(None)  # all have written
        return self._values if self._comm.rank == 0 else None
