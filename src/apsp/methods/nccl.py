"""Processes with one GPU each, whose pages NCCL sends from GPU to GPU.

Input: a connection of the same processes for everything else (numbers, host arrays); CuPy with NCCL. Pages are in the
memory of the GPU. Errors: DeviceError without NCCL.

The idea: broadcasts are queued on a stream of their own. It waits for what the current stream has queued so far, which
writes the page at its source and reads what was there before elsewhere; to wait for an arrival makes the current stream
wait, not the host. All processes queue their broadcasts in the order of the steps, so that those of rows and columns,
which follow each other on this stream, never wait in a cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import DeviceError
from apsp.gpu import jit
from apsp.gpu.page import Page, address
from apsp.methods.distributed import Arrival, Connection, Number, Parcel

__all__ = ["NcclConnection"]

_URGENT = -5
"""Priority of the stream: a broadcast begins although other blocks wait for the GPU."""


_NAME_BYTES = 128
"""Of what NCCL calls the unique id of a communicator: a tuple of signed numbers, from CuPy 14 on an object of bytes."""


class NcclConnection:
    """Connects processes with one GPU each.

    Parameters
    ----------
    control : Connection
        Of the same processes.
    device : int
        Number of the GPU of this process in CuPy.
    nccl : module, optional
        In place of `cupy.cuda.nccl`.

    Raises
    ------
    DeviceError
        If CuPy, the GPU or NCCL is missing.
    """

    shares_memory = False

    def __init__(self, control: Connection, device: int, nccl: Any = None) -> None:
        self.rank, self.size = control.rank, control.size
        self._control, self._device = control, device
        self._cuda = jit.cupy().cuda
        self._nccl = _loaded() if nccl is None else nccl
        self._row: Any = None
        self._column: Any = None
        with self._cuda.Device(device):
            self._stream = self._cuda.Stream(non_blocking=True, priority=_URGENT)

    def form(self, shape: tuple[int, int]) -> None:
        """Set the rows and columns of the grid, and connect their GPUs."""
        self._control.form(shape)
        row, column = divmod(self.rank, shape[1])
        self._row = self._line(self._control.along_row, column, shape[1])
        self._column = self._line(self._control.along_column, row, shape[0])

    def _line(self, send: Callable[[Page, int], Arrival], place: int, size: int) -> Any:
        """Connect the GPUs of a row or column; None if there is only one."""
        if size == 1:
            return None
        name = np.zeros((1, 1 + _NAME_BYTES), dtype=np.int16)
        if place == 0:
            made = self._nccl.get_unique_id()
            name[0] = isinstance(made, bytes), *made
        send(name, 0).wait()
        is_bytes, *numbers = name[0].tolist()
        with self._cuda.Device(self._device):
            return self._nccl.NcclCommunicator(size, bytes(numbers) if is_bytes else tuple(numbers), place)

    def shared_along_row(self, rows: int, columns: int, dtype: npt.DTypeLike) -> Page | None:  # noqa: ARG002
        """None: each GPU has its own pages."""
        return None

    shared_along_column = shared_along_row

    def shared(self, rows: int, columns: int, dtype: npt.DTypeLike) -> npt.NDArray[Any] | None:
        """Allocate a host array that all processes share."""
        return self._control.shared(rows, columns, dtype)

    def along_row(self, page: Page, source: int) -> Arrival:
        """Begin to send a page along the row of the grid."""
        return self._send(self._row, page, source)

    def along_column(self, page: Page, source: int) -> Arrival:
        """Begin to send a page along the column of the grid."""
        return self._send(self._column, page, source)

    def _send(self, line: Any, page: Page, source: int) -> _Queued:
        """Queue the broadcast of a page with the gaps between its rows, which are the same in all processes."""
        cuda = self._cuda
        if line is None or page.size == 0:
            return _Queued(cuda, self._device, None)
        with cuda.Device(self._device):
            before, after = cuda.Event(disable_timing=True), cuda.Event(disable_timing=True)
            before.record(cuda.get_current_stream())
            self._stream.wait_event(before)
            place, size = address(page), page.shape[0] * page.strides[0]
            line.broadcast(place, place, size, self._nccl.NCCL_UINT8, source, self._stream.ptr)
            after.record(self._stream)
        return _Queued(cuda, self._device, after)

    def largest(self, number: int) -> Number:
        """Begin to find the largest of the numbers that all processes give."""
        return self._control.largest(number)

    def union(self, flags: npt.NDArray[np.uint8]) -> None:
        """Replace the flags by those of any process."""
        self._control.union(flags)

    def exchange(self, sent: Sequence[Parcel], received: Sequence[Parcel]) -> None:
        """Send host arrays to processes and receive others."""
        self._control.exchange(sent, received)

    def release(self) -> None:
        """Disconnect the GPUs, and the processes."""
        for line in (self._row, self._column):
            if line is not None:
                line.destroy()
        self._row = self._column = None
        self._control.release()


class _Queued:
    """A broadcast in the queue; None has arrived."""

    def __init__(self, cuda: Any, device: int, event: Any) -> None:
        self._cuda, self._device, self._event = cuda, device, event

    def advance(self) -> None:
        """The GPU needs no call."""

    def wait(self) -> None:
        """Let the current stream wait for it."""
        if self._event is not None:
            with self._cuda.Device(self._device):
                self._cuda.get_current_stream().wait_event(self._event)


def _loaded() -> Any:
    with suppress(ImportError):
        from cupy.cuda import nccl

        if nccl.available:
            return nccl
    raise DeviceError(
        "GPUs of several processes are connected by NCCL, which CuPy does not find: pip install nvidia-nccl-cu13 "
        "(nvidia-nccl-cu12 for CUDA 12), or use device='cpu'"
    )
