"""What is left of device memory after a failure: nothing that this package holds, and an error that can be understood.

The idea: the frames of a traceback keep the arrays of the work alive, and CuPy's pool keeps their memory. Both are
emptied before the error travels on, so that who catches it (or Ctrl-C) finds the GPU as it was before.
"""

from __future__ import annotations

import gc
import re
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from apsp.errors import DeviceError, MemoryLimitError
from apsp.gpu import jit

__all__ = ["free_bytes", "free_on_failure", "free_unused", "on_gpu", "used_up"]


@contextmanager
def free_on_failure(gpus: Sequence[int]) -> Iterator[None]:
    """Free the device memory of work that fails inside.

    Raises
    ------
    MemoryLimitError, DeviceError
        Instead of the errors of CuPy and of the CUDA runtime.
    """
    try:
        yield
    except BaseException as error:
        told = _told(error, gpus)
        _forget_frames(error)
        gc.collect()
        free_unused(gpus)
        if told is None:
            raise
        raise told from error


def free_bytes(gpu: int, most: int | None = None) -> int:
    """Memory of a GPU that this process can get (what CuPy's pool keeps unused too), but no more than `most`."""
    cupy = jit.cupy()
    with cupy.cuda.Device(gpu):
        free = int(cupy.cuda.runtime.memGetInfo()[0] + cupy.get_default_memory_pool().free_bytes())
    return free if most is None else min(free, most)


def used_up(what: str, error: BaseException, free: int, *remedies: str) -> MemoryLimitError:
    """The error for memory that ran out on the way: of it CuPy says at most how much it was asked for at last."""
    wanted = re.search(r"allocating ([\d,]+) bytes", str(error))
    needed = int(wanted[1].replace(",", "")) if wanted else 0
    every = ["a narrower dtype", *remedies, "an idle GPU"]
    return MemoryLimitError(f"{what} (during the run: {_first_line(error)})", max(needed, free + 1), free, every)


def free_unused(gpus: Sequence[int]) -> None:
    """Give what CuPy's pools hold but no array uses back to the system. Never raises."""
    cupy = sys.modules.get("cupy")
    if cupy is None:
        return
    for number in gpus:
        try:
            with cupy.cuda.Device(number):
                cupy.get_default_memory_pool().free_all_blocks()
        except Exception:  # noqa: S112 - a GPU that has failed for good has nothing to give back
            continue
    try:
        cupy.get_default_pinned_memory_pool().free_all_blocks()
    except Exception:
        return


def _told(error: BaseException, gpus: Sequence[int]) -> Exception | None:
    """What to say instead of an error of CuPy; None if it is not one."""
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
    except Exception:  # the GPU may have failed for good
        return 0


def _forget_frames(error: BaseException) -> None:
    """Let go of the local variables of every frame that the error came through."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        traceback.clear_frames(current.__traceback__)
        current = current.__cause__ or current.__context__


@contextmanager
def on_gpu(device: int) -> Iterator[None]:
    """Work on this GPU; its lack of memory becomes MemoryLimitError."""
    cupy = jit.cupy()
    try:
        with cupy.cuda.Device(device):
            yield
    except cupy.cuda.memory.OutOfMemoryError as error:
        with cupy.cuda.Device(device):
            free, _ = cupy.cuda.runtime.memGetInfo()
        raise used_up(f"work on GPU {device}", error, free, "device='cpu'") from error
