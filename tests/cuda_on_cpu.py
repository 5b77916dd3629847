"""The kernels themselves, compiled for the CPU: a thread of the host plays a thread of the block."""

from __future__ import annotations

import contextlib
import ctypes
from types import SimpleNamespace
from typing import Any

import numpy as np

from apsp.solvers.published.katz_kider_gpu import GpuWorker

BLOCK = 3
"""Of the passes of katz_kider.cu that kernels_on_cpu.cpp compiles."""


class _DeviceArray(np.ndarray):
    def get(self) -> np.ndarray:
        return np.array(self, subok=False)


def argument(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    return ctypes.c_longlong(int(value)) if isinstance(value, np.int64) else ctypes.c_int(int(value))


def worker_on_cpu(library: ctypes.CDLL, operations: str, launches: list[str] | None = None) -> GpuWorker:
    """A GpuWorker whose device is this machine; operations is 'paths' (of int32) or 'closure'."""

    def kernel(name: str) -> Any:
        function = getattr(library, f"{operations}_{name}")

        def launch(grid: tuple[int, ...], block: tuple[int, int], arguments: tuple[Any, ...]) -> None:
            assert block == (BLOCK, BLOCK)
            if launches is not None:
                launches.append(f"{name} {'x'.join(map(str, grid))}")
            function(*map(argument, ((*grid, 1)[:2] + arguments)))

        return launch

    stream = SimpleNamespace(synchronize=lambda: None)
    worker = GpuWorker.__new__(GpuWorker)
    worker._cupy = SimpleNamespace(
        asarray=lambda array: np.array(array).view(_DeviceArray),
        cuda=SimpleNamespace(get_current_stream=lambda: stream),
    )
    worker._on_gpu = lambda _: contextlib.nullcontext()
    worker._gpu, worker._block, worker._primary = 0, BLOCK, None
    worker._primary_pass, worker._single_pass, worker._double_pass = map(kernel, ("primary", "singly", "doubly"))
    return worker
