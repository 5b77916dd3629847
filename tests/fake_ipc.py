"""CUDA IPC between threads with emulated GPUs: handles are names of memory and events in this process."""

import ctypes
import itertools
import threading

from apsp.gpu.emulated.arrays import aligned
from spmd_threads import late


class Event:
    """An event that knows which thread has made it, and how often it was recorded."""

    def __init__(self):
        self.recorded = 0

    def record(self, stream):
        self.recorded += 1


class FakeIpc:
    """In place of `apsp.gpu.ipc.Ipc`; one for all threads."""

    def __init__(self, least=None):
        self.least = least
        self.things, self.opened, self.copies = {}, [], 0
        self._numbers, self._lock = itertools.count(1), threading.Lock()
        self.copy = late(self._copy)

    def _handle(self, thing):
        with self._lock:
            number = next(self._numbers)
        self.things[number.to_bytes(64)] = thing
        return number.to_bytes(64)

    def memory(self, size):
        if self.least is not None and size > self.least:
            raise MemoryError(f"no {size} bytes")
        made = aligned(size, "uint8")
        return made, made.ctypes.data, self._handle(made.ctypes.data)

    def event(self):
        made = Event()
        return made, self._handle(made)

    def open_memory(self, handle):
        self.opened.append(self.things[handle])
        return self.things[handle]

    def close_memory(self, place):
        self.opened.remove(place)

    def open_event(self, handle):
        self.opened.append(self.things[handle])
        return self.things[handle]

    def close_event(self, event):
        self.opened.remove(event)

    def wait(self, stream, event):
        assert event.recorded, "an event of another thread has not been recorded"

    def _copy(self, target, source, size, stream):
        ctypes.memmove(target, source, size)
        self.copies += 1
