"""Buffers on the GPUs of one host from which processes copy pages of each other, for pages of one size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apsp.errors import DeviceError
from apsp.gpu.ipc import Ipc

__all__ = ["BUFFERS", "PeerBuffers"]

BUFFERS = 2
"""In each process, which it uses in turn."""


class PeerBuffers:
    """The buffers of all processes of a line, which make this together.

    Parameters
    ----------
    ipc : Ipc
    gather : callable
        Returns the objects of all processes of the line.
    place, count : int
        Of this process; of processes.
    size : int
        Bytes of a buffer.

    Attributes
    ----------
    addresses : list of int
        The first buffer of each process.
    written : list
        An event per buffer of this process, after its page was written.
    read : list of list
        Per process, an event per buffer of it, after this process has copied from it.
    written_there, read_there : list of list of int
        Per process, its events for its own buffers, and those for the buffers of this process.
    last : list of int
        Per buffer of this process, the number of the page in it; 0 before the first one.
    turns : list of int
        Per process, the buffer that it uses next.

    Raises
    ------
    DeviceError
        In all processes, if the buffers of one cannot be made, or another cannot open them.
    """

    def __init__(self, ipc: Ipc, gather: Callable[[Any], list[Any]], place: int, count: int, size: int) -> None:
        self.size, self.last, self.turns = size, [0] * BUFFERS, [0] * count
        self._ipc = ipc
        self.addresses, self._opened = [0] * count, list[int]()
        none: list[list[int]] = [[] for _ in range(count)]
        self.written_there, self.read_there = none, none.copy()
        error, handles = None, None
        try:
            self._memory, self.addresses[place], memory = ipc.memory(BUFFERS * size)
            events = [[ipc.event() for _ in range(BUFFERS)] for _ in range(1 + count)]
            self.written, *self.read = [[event for event, _ in each] for each in events]
            handles = memory, [[handle for _, handle in each] for each in events]
        except Exception as failure:  # of CUDA: the others must hear of it
            error = failure
        found = gather(handles)
        try:
            for other in range(count) if None not in found else ():
                if other != place:
                    memory, handles_of_events = found[other]
                    self._open(other, memory, handles_of_events, place)
        except Exception as failure:
            error = failure
        words = [each for each in gather(None if error is None else str(error)) if each is not None]
        if words:
            self.close()
            raise DeviceError(f"processes of this host cannot copy from each other's GPU: {words[0]}") from error

    def _open(self, other: int, memory: bytes, events: list[list[bytes]], place: int) -> None:
        self.addresses[other] = self._ipc.open_memory(memory)
        self._opened.append(self.addresses[other])
        written, *read = events
        self.written_there[other] = [self._ipc.open_event(handle) for handle in written]
        self.read_there[other] = [self._ipc.open_event(handle) for handle in read[place]]

    def address(self, process: int, buffer: int) -> int:
        """Return the address of a buffer of a process."""
        return self.addresses[process] + buffer * self.size

    def close(self) -> None:
        """Close what other processes have made; they may free it then."""
        for events in (*self.written_there, *self.read_there):
            for event in events:
                self._ipc.close_event(event)
        for address in self._opened:
            self._ipc.close_memory(address)
        self.written_there, self.read_there, self._opened = [], [], []
