"""Device memory after a failure: this package frees all of its memory, and raises a clear error.

The idea: the frames of a traceback keep the arrays of the work alive, and CuPy's pool keeps their memory. Both are
cleared before the error (or Ctrl-C) propagates, so that the memory is free again when it is caught.
"""

from __future__ import annotations

import gc
import re
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType

from apsp.errors import DeviceError, MemoryLimitError
from apsp.gpu import jit

__all__ = ["free_bytes", "free_on_failure", "free_unused", "on_gpu", "used_up"]


@contextmanager
def free_on_failure(gpus: Sequence[int]) -> Iterator[None]:
    """Free the device memory of work that fails within the context.

    Raises
    ------
    MemoryLimitError, DeviceError
        Instead of the errors of CuPy and of the CUDA runtime.
    """
    try:
        yield
    except BaseException as error:
        told = _clear_error(error, gpus)
        _forget_frames(error)
        gc.collect()
        free_unused(gpus)
        if told is None:
            raise
        raise told from error


def free_bytes(gpu: int, most: int | None = None) -> int:
    """Return the memory of a GPU available to this process (including unused memory in CuPy's pool), at most `most`."""
    cupy = jit.cupy()
    with cupy.cuda.Device(gpu):
        free = int(cupy.cuda.runtime.memGetInfo()[0] + cupy.get_default_memory_pool().free_bytes())
    return free if most is None else min(free, most)


def used_up(what: str, error: BaseException, free: int, *remedies: str) -> MemoryLimitError:
    """Return the error for memory that ran out during the work; CuPy reports at most the size of the last
    allocation.
    """
    wanted = re.search(r"allocating ([\d,]+) bytes", str(error))
    needed = int(wanted[1].replace(",", "")) if wanted else 0
    every = ["a narrower dtype", *remedies, "an idle GPU"]
    return MemoryLimitError(f"{what} (during the run: {_first_line(error)})", max(needed, free + 1), free, every)


def free_unused(gpus: Sequence[int]) -> None:
    """Return unused memory of CuPy's pools to the system. Never raises."""
    cupy = sys.modules.get("cupy")
    if cupy is None:
        return
    for number in gpus:
        try:
            with cupy.cuda.Device(number):
                cupy.get_default_memory_pool().free_all_blocks()
        except Exception:  # noqa: S112 - a GPU that failed permanently returns no memory
            continue
    try:
        cupy.get_default_pinned_memory_pool().free_all_blocks()
    except Exception:
        return


def _clear_error(error: BaseException, gpus: Sequence[int]) -> Exception | None:
    """Return the error to raise instead of one of CuPy; None if it is not one."""
    if not type(error).__module__.startswith(("cupy", "cupy_backends")):
        return None
    named = "GPU " + " and ".join(map(str, gpus))
    if isinstance(error, MemoryError) or "cudaErrorMemoryAllocation" in _first_line(error):
        return used_up(
            f"work on {named}", error, _free_bytes(gpus), "a smaller gpu_memory, to compute in pages", "device='cpu'"
        )
    return DeviceError(f"{named} failed during the run: {_first_line(error)}; see nvidia-smi, or use device='cpu'")


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _free_bytes(gpus: Sequence[int]) -> int:
    try:
        return free_bytes(gpus[0])
    except Exception:  # the GPU may have failed permanently
        return 0


def _forget_frames(error: BaseException) -> None:
    """Clear the local variables of every frame of the traceback."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        traceback.clear_frames(current.__traceback__)
        current = current.__cause__ or current.__context__


class on_gpu:  # noqa: N801 - used as a function is
    """Work on this GPU; a lack of its memory raises MemoryLimitError. Each object is entered once."""

    __slots__ = ("_cupy", "_device", "_number")

    def __init__(self, device: int) -> None:
        self._cupy, self._number = jit.cupy(), device
        self._device = self._cupy.cuda.Device(device)

    def __enter__(self) -> None:
        self._device.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._device.__exit__(kind, error, traceback)
        if isinstance(error, self._cupy.cuda.memory.OutOfMemoryError):
            with self._device:
                free, _ = self._cupy.cuda.runtime.memGetInfo()
            raise used_up(f"work on GPU {self._number}", error, free, "device='cpu'") from error
