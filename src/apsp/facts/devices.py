"""The names of devices and sizes of their memory: 'auto', 'cpu', 'cuda', 'cuda:0,2', 'emulated', 'emulated:0'.

'16GiB'.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Sequence

import numpy as np

from apsp.errors import DeviceError, RequestError, shown
from apsp.system.arguments import is_integer
from apsp.system.machine import Gpu

__all__ = ["chosen_gpus", "gpu_memory_from", "gpus_named", "parse_bytes", "parse_device"]

DEVICES = (
    "auto, cpu, cuda (the first GPU), cuda:1 (the GPU of that number), cuda:0,2 (several of them), "
    "emulated (the kernels of a GPU, run on the CPU), emulated:0,1 (several emulated GPUs)"
)

_DEVICE = re.compile(r"auto|cpu|(cuda|emulated)(:\d{1,4}(,\d{1,4})*)?", re.ASCII)

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 1 << 10, "mi": 1 << 20, "gi": 1 << 30}
_UNITS["ti"] = 1 << 40


def parse_device(device: object) -> tuple[str, tuple[int, ...]]:
    """'cuda:0,2' -> ('cuda', (0, 2)); 'auto', 'cpu', 'cuda' and 'emulated' name no GPUs.

    Raises
    ------
    RequestError
        If it is not one of these, or names a GPU twice.
    """
    if not isinstance(device, str) or not _DEVICE.fullmatch(device):
        raise RequestError(f"unknown device {shown(device)}; there are: {DEVICES}")
    kind, _, listed = device.partition(":")
    numbers = tuple(int(number) for number in listed.split(",")) if listed else ()
    if len(set(numbers)) < len(numbers):
        raise RequestError(f"device={device!r} names a GPU twice")
    return kind, numbers


def parse_bytes(size: object, name: str) -> int:
    """A number of bytes, or words such as '16GiB', '500 MB', '2.5g' (G is 10^9, Gi is 2^30).

    Raises
    ------
    RequestError
        If it is neither, or less than 1; the message contains `name`.
    """
    found: float = 0
    if isinstance(size, str):
        parts = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*([kmgt]?i?)b?\s*", size.lower(), re.ASCII)
        if parts is not None and parts[2] in _UNITS:
            found = float(parts[1]) * _UNITS[parts[2]]
    elif is_integer(size) or (isinstance(size, (float, np.floating)) and math.isfinite(size)):
        found = int(size)
    if not 1 <= found < 2**63:
        raise RequestError(f"{name} must be a number of bytes such as 17179869184 or '16GiB', not {shown(size)}")
    return int(found)


def gpu_memory_from(requested: int | None) -> int | None:
    """Bytes of each GPU that may be used: the argument, else the environment variable APSP_GPU_MEMORY, else all.

    Raises
    ------
    RequestError
        If the variable is not a size.
    """
    text = os.environ.get("APSP_GPU_MEMORY", "").strip()
    if requested is not None or not text:
        return requested
    return parse_bytes(text, "the environment variable APSP_GPU_MEMORY")


def chosen_gpus(numbers: Sequence[int], gpus: Sequence[Gpu]) -> tuple[int, ...]:
    """Return the numbers of the GPUs to use: the named ones, or the first usable one.

    Raises
    ------
    DeviceError
        If a GPU does not exist or cannot be used; the message lists the available ones.
    """
    usable = [number for number, gpu in enumerate(gpus) if gpu.unusable is None]
    for number in numbers:
        if number >= len(gpus):
            raise DeviceError(f"there is no GPU {number}; there {'is' if len(gpus) == 1 else 'are'} {gpus_named(gpus)}")
        if gpus[number].unusable is not None:
            raise DeviceError(f"GPU {number} ({gpus[number].name}) cannot be used: {gpus[number].unusable}")
    if not numbers and not usable:
        raise DeviceError(f"no GPU can be used: {gpus_named(gpus)}; use device='cpu'")
    return tuple(numbers) or (usable[0],)


def gpus_named(gpus: Sequence[Gpu]) -> str:
    """'0 (NVIDIA H200), 1 (NVIDIA H200)'."""
    return ", ".join(
        f"{number} ({gpu.name}{'' if gpu.unusable is None else f': {gpu.unusable}'})" for number, gpu in enumerate(gpus)
    )
