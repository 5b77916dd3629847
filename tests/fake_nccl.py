"""NCCL between threads: pages of emulated GPUs are copied when a broadcast is queued."""

import ctypes
import itertools
import threading
from typing import ClassVar


class Meeting:
    """The members of a communicator, who wait for each other at each broadcast."""

    def __init__(self, size):
        self.barrier, self.source = threading.Barrier(size, timeout=30), None


class FakeNccl:
    """In place of `cupy.cuda.nccl`; one for all threads. Names are bytes from CuPy 14 on, before tuples."""

    NCCL_UINT8 = 1
    available = True

    def __init__(self, names=bytes):
        self._names = names
        self._numbers = itertools.count(1)
        self._meetings = {}
        self._lock = threading.Lock()
        self.sent = []

    def get_unique_id(self):
        number = next(self._numbers)
        parts = [(number >> 7 * place) & 127 for place in range(128)]
        return bytes(200 - part for part in parts) if self._names is bytes else tuple(part - 64 for part in parts)

    def NcclCommunicator(self, size, name, rank):
        assert isinstance(name, self._names)
        assert len(name) == 128
        with self._lock:
            meeting = self._meetings.setdefault(name, Meeting(size))
        return Communicator(self, meeting, size, rank)


class Communicator:
    aborted: ClassVar[int] = 0

    def __init__(self, nccl, meeting, size, rank):
        assert 0 <= rank < size
        self._nccl, self._meeting, self._rank = nccl, meeting, rank

    def broadcast(self, source, target, count, kind, root, stream):
        assert source == target
        assert kind == FakeNccl.NCCL_UINT8
        meeting = self._meeting
        if self._rank == root:
            meeting.source = source, count
            self._nccl.sent.append((count, stream))
        meeting.barrier.wait()
        if self._rank != root:
            assert meeting.source[1] == count
            ctypes.memmove(target, meeting.source[0], count)
        meeting.barrier.wait()

    def abort(self):
        Communicator.aborted += 1
