"""GPUs of one host, whose processes copy pages from each other's GPU (CUDA IPC).

Input: the processes of a row or column of the grid, and a host array that they share. Output: copies of pages. Errors:
DeviceError if a GPU cannot reach another one. Cost: some milliseconds to connect; two buffers on each GPU per size of a
page.

The idea: a source copies its page to a buffer that the other processes have opened, and records an event; each of them
lets its stream wait for the event, copies from the buffer, and records an event of its own. To wait for an event of
another process is to wait for what was recorded there before that call. So the processes count in the host array what
they have recorded, and look there first. A source uses its buffers in turn: before it writes into one, the others
must have copied what was there, which the steps of Floyd-Warshall have seen to.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.ipc import Ipc
from apsp.gpu.page import Page, address
from apsp.methods.peer_buffers import BUFFERS, PeerBuffers

__all__ = ["PeerLine"]

_LEAST_BYTES = 256

_LOOKS, _SECONDS_BETWEEN_LOOKS = 2000, 2e-5
"""Looks at the count of another process without a pause, and the pause between two later ones."""


class PeerLine:
    """The GPUs of a row or column of the grid.

    Parameters
    ----------
    ipc : Ipc
    gather : callable
        Returns the objects of all processes of the line.
    counts : (P, 1 + P) int64
        A host array that all share. Row p: how many pages process p has sent, and of how many of each process it has
        queued the copy.
    place : int
        Of this process.

    Attributes
    ----------
    seconds : float
        That it took to connect them.

    Raises
    ------
    DeviceError
        In all processes, if a GPU cannot reach that of another one.
    """

    name = "peer copies"

    def __init__(self, ipc: Ipc, gather: Callable[[Any], list[Any]], counts: npt.NDArray[np.int64], place: int) -> None:
        self.seconds = 0.0
        self._ipc, self._gather, self._counts, self._place = ipc, gather, counts, place
        counts[place] = 0
        self._sent = [0] * len(counts)
        self._buffers: dict[int, PeerBuffers] = {}
        self._coming: deque[_Sent] = deque()
        self._buffers_of(_LEAST_BYTES)

    def send(self, page: Page, source: int, before: Any, stream: Any) -> _Sent:
        """Queue the copies of a page with the gaps between its rows, which are the same in all processes."""
        buffers = self._buffers_of(page.shape[0] * page.strides[0])
        slot, buffers.turns[source] = buffers.turns[source], (buffers.turns[source] + 1) % BUFFERS
        self._sent[source] += 1
        sent = _Sent(self, page, buffers, source, slot, self._sent[source], before, stream)
        if source == self._place:
            self._write(sent)
        else:
            self._coming.append(sent)
        return sent

    def _buffers_of(self, size: int) -> PeerBuffers:
        if size not in self._buffers:
            started = time.perf_counter()
            self._buffers[size] = PeerBuffers(self._ipc, self._gather, self._place, len(self._counts), size)
            self.seconds += time.perf_counter() - started
        return self._buffers[size]

    def _write(self, sent: _Sent) -> None:
        """Queue the copy of a page of this process to its buffer."""
        buffers, slot, place = sent.buffers, sent.slot, self._place
        sent.stream.wait_event(sent.before)
        for other in range(len(self._counts)) if buffers.last[slot] else ():
            if other != place:
                self._wait_for(other, 1 + place, buffers.last[slot])
                self._ipc.wait(sent.stream, buffers.read_there[other][slot])
        self._ipc.copy(buffers.address(place, slot), address(sent.page), buffers.size, sent.stream)
        buffers.written[slot].record(sent.stream)
        buffers.last[slot] = sent.number
        sent.queued()
        self._counts[place, 0] = sent.number

    def _copy(self, sent: _Sent) -> None:
        """Queue the copy of a page of another process, which has queued that to its buffer."""
        buffers, slot, source = sent.buffers, sent.slot, sent.source
        sent.stream.wait_event(sent.before)
        self._ipc.wait(sent.stream, buffers.written_there[source][slot])
        self._ipc.copy(address(sent.page), buffers.address(source, slot), buffers.size, sent.stream)
        buffers.read[source][slot].record(sent.stream)
        sent.queued()
        self._counts[self._place, 1 + source] = sent.number

    def receive(self, wanted: _Sent | None = None) -> None:
        """Queue the copies of pages that were sent, in the order of the calls of `send`; wait for one of them."""
        while self._coming:
            first = self._coming[0]
            if wanted is None and self._counts[first.source, 0] < first.number:
                return
            self._wait_for(first.source, 0, first.number)
            self._copy(self._coming.popleft())
            if first is wanted:
                return

    def _wait_for(self, other: int, column: int, number: int) -> None:
        looks = 0
        while self._counts[other, column] < number:
            time.sleep(0 if looks < _LOOKS else _SECONDS_BETWEEN_LOOKS)
            looks += 1

    def release(self) -> None:
        """Free the buffers, which no process copies from any more."""
        for buffers in self._buffers.values():
            buffers.close()
        self._gather(None)  # memory is freed after all have closed it
        self._buffers.clear()


class _Sent:
    """A page on its way along a line.

    Parameters
    ----------
    line : PeerLine
    page : Page
        Of this process.
    buffers : PeerBuffers
    source, slot, number : int
        The process that sends it, from which of its buffers, and how many pages it has sent with this one.
    before : event
        After what was queued before the page was sent.
    stream : stream
    """

    def __init__(
        self, line: PeerLine, page: Page, buffers: PeerBuffers, source: int, slot: int, number: int, before: Any,
        stream: Any,
    ) -> None:  # fmt: skip
        self._line, self._cuda = line, jit.cupy().cuda
        self.page, self.buffers, self.source, self.slot, self.number = page, buffers, source, slot, number
        self.before, self.stream = before, stream
        self._after: Any = None
        self._device = self._cuda.Device().id

    def queued(self) -> None:
        """Record that the copy is queued."""
        self._after = self._cuda.Event(disable_timing=True)
        self._after.record(self.stream)

    def advance(self) -> None:
        """Queue the copy, if the source has sent the page."""
        with self._cuda.Device(self._device):
            self._line.receive()

    def wait(self) -> None:
        """Let the current stream wait for the copy; the host waits until the source has sent the page."""
        with self._cuda.Device(self._device):
            if self._after is None:
                self._line.receive(self)
            self._cuda.get_current_stream().wait_event(self._after)
