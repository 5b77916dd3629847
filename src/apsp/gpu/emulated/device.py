"""Emulated GPUs, and which of them is current."""

from __future__ import annotations

from contextvars import ContextVar, Token
from typing import ClassVar, Self

from apsp.gpu.emulated.run import emulation

__all__ = ["MULTIPROCESSORS", "SHARED_BYTES", "CUDARuntimeError", "Device", "current_device"]

MULTIPROCESSORS = 16
SHARED_BYTES = 96 << 10
"""Bytes of shared memory of a block, as in cpp/emulated/run/here.hpp."""

_current: ContextVar[int] = ContextVar("apsp_emulated_device", default=0)


def current_device() -> int:
    """Return the number of the current emulated GPU."""
    return _current.get()


class CUDARuntimeError(RuntimeError):
    """As CuPy's: never raised by an emulated GPU."""


class Device:
    """An emulated GPU; as a context, the current one."""

    attributes: ClassVar = {"MaxSharedMemoryPerBlockOptin": SHARED_BYTES, "MultiProcessorCount": MULTIPROCESSORS}

    def __init__(self, number: int | None = None) -> None:
        self.id = current_device() if number is None else int(number)
        self._tokens: list[Token[int]] = []

    def __enter__(self) -> Self:
        before = emulation()
        if before is not None and not 0 <= self.id < before.devices:
            raise CUDARuntimeError(f"there is no emulated GPU {self.id}")
        self._tokens.append(_current.set(self.id))
        return self

    def __exit__(self, *_: object) -> None:
        _current.reset(self._tokens.pop())

    def use(self) -> None:
        """Make it current."""
        _current.set(self.id)

    def synchronize(self) -> None:
        """Return at once: a launch has ended when it returns."""
