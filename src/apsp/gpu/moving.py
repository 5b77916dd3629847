"""Arrays where the work is done: on the host, or on a GPU."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from apsp.system.array_device import gpu_of, is_on_gpu, to_host

__all__ = ["empty", "moved", "on"]


def moved(array: Any, gpu: int | None) -> Any:
    """The array on the device that does the work."""
    if gpu is None:
        return to_host(array)
    if is_on_gpu(array) and gpu_of(array) == gpu:
        return array
    from apsp.gpu import jit

    with on(gpu):
        return jit.cupy().asarray(to_host(array) if is_on_gpu(array) else array)


def empty(shape: Iterable[int], dtype: str, gpu: int | None) -> Any:
    """An uninitialised array on the host, or on the current GPU."""
    if gpu is None:
        return np.empty(tuple(shape), dtype=dtype)
    from apsp.gpu import jit

    return jit.cupy().empty(tuple(shape), dtype=dtype)


def on(gpu: int | None) -> AbstractContextManager[None]:
    """Work on this GPU; a lack of its memory raises MemoryLimitError."""
    if gpu is None:
        return nullcontext()
    from apsp.gpu.memory import on_gpu

    return on_gpu(gpu)
