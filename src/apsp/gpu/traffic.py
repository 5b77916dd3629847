"""Copies between the host and the current GPU, counted while a run is recorded."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.recorder import active_recorder
from apsp.system.array_device import is_on_gpu

__all__ = ["fetched", "first_of", "sent"]


def sent(array: npt.NDArray[Any]) -> Any:
    """Copy a host array to the current GPU."""
    recorder = active_recorder()
    if recorder is not None:
        recorder.sent(array.nbytes)
    return jit.cupy().array(array)


def fetched(array: Any) -> npt.NDArray[Any]:
    """Copy an array of a GPU to host memory."""
    if not is_on_gpu(array):
        return np.asarray(array)
    recorder = active_recorder()
    if recorder is not None:
        recorder.fetched(array.nbytes)
    copy: npt.NDArray[Any] = array.get()
    return copy


def first_of(array: Any) -> int:
    """Return the first entry of an array of integers; the host waits for it."""
    return int(fetched(array[:1])[0])
