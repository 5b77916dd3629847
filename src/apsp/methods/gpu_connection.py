"""Processes with one GPU each, whose pages are sent from GPU to GPU.

Input: a connection of the same processes for everything else (numbers, host arrays), and where each of them runs. Pages
are in the memory of the GPU. Errors: DeviceError if NCCL is needed and missing.

The idea: pages are sent on a stream of their own. It waits for what the current stream has queued so far, which writes
the page at its source and reads what was there before elsewhere; to wait for an arrival makes the current stream wait,
not the host. A row or column of the grid whose processes are on one host copies pages from GPU to GPU
(peer_copies.py), which connects in some milliseconds; NCCL connects the others (nccl.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from apsp.errors import DeviceError
from apsp.gpu import jit
from apsp.gpu.ipc import Ipc
from apsp.gpu.page import Page
from apsp.methods.distributed import Arrival, Number, Parcel
from apsp.methods.host_connection import HostConnection
from apsp.methods.nccl import NcclLine
from apsp.methods.peer_copies import PeerLine
from apsp.system.threads import Threads

__all__ = ["GpuConnection", "Member"]

_URGENT = -5
"""Priority of the stream: pages are sent although other blocks wait for the GPU."""

Gather = Callable[[Any], list[Any]]


class Member(NamedTuple):
    """A process.

    Attributes
    ----------
    host : object
        The same for the processes of one machine.
    name : str
        Differs between all processes, also earlier ones.
    """

    host: object
    name: str


class _Line(Protocol):
    """The other processes of a row or column of the grid.

    Attributes
    ----------
    name : str
        How they are connected.
    seconds : float
        That it took to connect them.
    """

    name: str

    @property
    def seconds(self) -> float: ...

    def send(self, page: Page, source: int, before: Any, stream: Any) -> Arrival:
        """Begin to send a page after an event; all processes call this in the same order."""
        ...

    def release(self) -> None:
        """Free what is not kept for the next call."""
        ...


class GpuConnection:
    """Connects processes with one GPU each.

    Parameters
    ----------
    control : HostConnection
        Of the same processes; those of one host may share pages.
    device : int
        Number of the GPU of this process in CuPy.
    members : sequence of Member
        All processes, by rank.
    nccl : module, optional
        In place of `cupy.cuda.nccl`.
    ipc : Ipc, optional
        In place of that of the CUDA runtime.

    Raises
    ------
    DeviceError
        If CuPy or the GPU is missing.
    """

    shares_memory = False

    def __init__(
        self, control: HostConnection, device: int, members: Sequence[Member], nccl: Any = None, ipc: Ipc | None = None
    ) -> None:
        self.rank, self.size = control.rank, control.size
        self._control, self._device, self._members = control, device, members
        self._nccl, self._ipc, self._threads = nccl, ipc, Threads(1, "apsp-nccl")
        self._cuda = jit.cupy().cuda
        self._row: _Line | None = None
        self._column: _Line | None = None
        with self._cuda.Device(device):
            self._stream = self._cuda.Stream(non_blocking=True, priority=_URGENT)

    @property
    def facts(self) -> Mapping[str, Any]:
        """How the GPUs are connected, for `Result.info`; empty for a single process."""
        lines = [line for line in (self._row, self._column) if line is not None]
        if not lines:
            return {}
        by = " and ".join(sorted({line.name for line in lines}))
        return {"connected_by": by, "seconds_to_connect": sum(line.seconds for line in lines)}

    def form(self, shape: tuple[int, int]) -> None:
        """Set the rows and columns of the grid, and begin to connect their GPUs."""
        control, members = self._control, self._members
        control.form(shape)
        row, column = divmod(self.rank, shape[1])
        of_row = members[row * shape[1] : (row + 1) * shape[1]]
        with self._cuda.Device(self._device):
            self._row = self._line(control.gather_along_row, control.shared_along_row, column, of_row)
            self._column = self._line(
                control.gather_along_column, control.shared_along_column, row, members[column :: shape[1]]
            )

    def _line(
        self, gather: Gather, shared: Callable[..., Page | None], place: int, members: Sequence[Member]
    ) -> _Line | None:
        """Connect the GPUs of a row or column; None if there is only one."""
        if len(members) == 1:
            return None
        if len({member.host for member in members}) == 1:
            counts = shared(len(members), 1 + len(members), np.int64)
            if counts is not None:
                with suppress(DeviceError):  # a launcher may show each process its own GPU only
                    return PeerLine(Ipc() if self._ipc is None else self._ipc, gather, counts, place)
        names = tuple(member.name for member in members)
        return NcclLine(gather, place, names, self._device, self._threads, self._nccl)

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

    def _send(self, line: _Line | None, page: Page, source: int) -> Arrival:
        if line is None or page.size == 0:
            return _Here()
        with self._cuda.Device(self._device):
            before = self._cuda.Event(disable_timing=True)
            before.record(self._cuda.get_current_stream())
            return line.send(page, source, before, self._stream)

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
        """Disconnect the processes; NCCL stays connected for the next call."""
        for line in (self._row, self._column):
            if line is not None:
                line.release()
        self._row = self._column = None
        self._control.release()


class _Here:
    """What has arrived."""

    def advance(self) -> None:
        """Nothing is on its way."""

    wait = advance
