"""Memory and events of a GPU that other processes of the host can open (CUDA IPC)."""

from __future__ import annotations

from typing import Any

from apsp.gpu import jit
from apsp.gpu.memory import free_unused

__all__ = ["HANDLE_BYTES", "Ipc"]

HANDLE_BYTES = 64
"""Of what CUDA calls the handle of a memory or of an event."""


class Ipc:
    """Calls of the CUDA runtime, on the current GPU; their errors are those of CuPy."""

    def __init__(self) -> None:
        self._cuda = jit.cupy().cuda
        self._runtime = self._cuda.runtime

    def memory(self, size: int) -> tuple[Any, int, bytes]:
        """Allocate memory: what keeps it, its address, and its handle."""
        allocate = self._cuda.memory.Memory  # not from the pool, whose memory has no handle of its own
        try:
            made = allocate(size)
        except self._cuda.memory.OutOfMemoryError:
            free_unused((self._cuda.Device().id,))
            made = allocate(size)
        return made, int(made.ptr), bytes(self._runtime.ipcGetMemHandle(made.ptr))

    def event(self) -> tuple[Any, bytes]:
        """Make an event: the event, and its handle."""
        made = self._cuda.Event(disable_timing=True, interprocess=True)
        return made, bytes(self._runtime.ipcGetEventHandle(made.ptr))

    def open_memory(self, handle: bytes) -> int:
        """Return the address of memory of another process."""
        return int(self._runtime.ipcOpenMemHandle(handle))

    def close_memory(self, place: int) -> None:
        """Close memory of another process."""
        self._runtime.ipcCloseMemHandle(place)

    def open_event(self, handle: bytes) -> int:
        """Return the event of another process."""
        return int(self._runtime.ipcOpenEventHandle(handle))

    def close_event(self, event: int) -> None:
        """Close the event of another process."""
        self._runtime.eventDestroy(event)

    def wait(self, stream: Any, event: int) -> None:
        """Let a stream wait for what was last recorded in an event of another process."""
        self._runtime.streamWaitEvent(stream.ptr, event)

    def copy(self, target: int, source: int, size: int, stream: Any) -> None:
        """Queue a copy between GPUs, or on one."""
        self._runtime.memcpyAsync(target, source, size, self._runtime.memcpyDefault, stream.ptr)
