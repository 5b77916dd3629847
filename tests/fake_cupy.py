"""A CuPy of plain Python: GPUs, drivers and errors as a test wants them."""

from __future__ import annotations

import sys
import types
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from typing import Any

import pytest

from apsp.gpu import jit


class CUDARuntimeError(RuntimeError):
    __module__ = "cupy_backends.cuda.api.runtime"


class OutOfMemoryError(MemoryError):
    __module__ = "cupy.cuda.memory"


@dataclass
class FakeGpu:
    name: str = "NVIDIA H200"
    capability: tuple[int, int] = (9, 0)
    total: int = 140 << 30
    free: int = 138 << 30
    error: str | None = None


@dataclass
class FakeCuda:
    """What the machine is like; `install` makes it CuPy."""

    gpus: list[FakeGpu] = field(default_factory=lambda: [FakeGpu()])
    driver: int = 13010
    runtime: int = 13000
    nvrtc: tuple[int, int] | str = (13, 0)
    count_error: str | None = None
    pool_free: int = 0
    pool_used: int = 0
    current: int = 0
    freed: list[int] = field(default_factory=list)

    def install(self, monkeypatch: pytest.MonkeyPatch) -> FakeCuda:
        module = types.ModuleType("cupy")
        module.__spec__ = ModuleSpec("cupy", None)
        module.cuda = types.SimpleNamespace(runtime=self, nvrtc=types.SimpleNamespace(getVersion=self._nvrtc))  # type: ignore[attr-defined]
        module.cuda.Device = self._device
        module.ndarray = type("ndarray", (), {})  # type: ignore[attr-defined]
        module.get_default_memory_pool = lambda: self  # type: ignore[attr-defined]
        module.get_default_pinned_memory_pool = lambda: self  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "cupy", module)
        monkeypatch.setattr(jit, "why_no_gpu", getattr(jit.why_no_gpu, "__wrapped__", jit.why_no_gpu))
        return self

    def _nvrtc(self) -> tuple[int, int]:
        if isinstance(self.nvrtc, str):
            raise RuntimeError(self.nvrtc)
        return self.nvrtc

    def _device(self, number: int) -> Any:
        fake = self

        class Device:
            id = number

            def __enter__(self) -> None:
                fake.current = number

            def __exit__(self, *_: object) -> None:
                fake.current = 0

        return Device()

    # -- the CUDA runtime ---------------------------------------------------------------------------------------------

    def driverGetVersion(self) -> int:
        return self.driver

    def runtimeGetVersion(self) -> int:
        return self.runtime

    def getDeviceCount(self) -> int:
        if self.count_error:
            raise CUDARuntimeError(self.count_error)
        return len(self.gpus)

    def getDeviceProperties(self, number: int) -> dict[str, Any]:
        gpu = self.gpus[number]
        major, minor = gpu.capability
        return {"name": gpu.name.encode(), "major": major, "minor": minor, "totalGlobalMem": gpu.total}

    def deviceGetAttribute(self, attribute: int, number: int) -> int:
        return {13: 1_980_000, 16: 132}[attribute]

    def deviceCanAccessPeer(self, number: int, other: int) -> bool:
        return number != other

    def getDevice(self) -> int:
        return self.current

    def setDevice(self, number: int) -> None:
        if self.gpus[number].error:
            raise CUDARuntimeError(self.gpus[number].error)
        self.current = number

    def memGetInfo(self) -> tuple[int, int]:
        return self.gpus[self.current].free, self.gpus[self.current].total

    # -- the memory pool ----------------------------------------------------------------------------------------------

    def free_bytes(self) -> int:
        return self.pool_free

    def used_bytes(self) -> int:
        return self.pool_used

    def free_all_blocks(self) -> None:
        self.freed.append(self.current)
