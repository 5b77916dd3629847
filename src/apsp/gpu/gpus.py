"""Detection of the GPUs of this machine. It imports CuPy and starts CUDA, about a second the first time."""

from __future__ import annotations

import contextlib
import ctypes
import functools
from dataclasses import replace
from typing import Any

from apsp.gpu import jit
from apsp.system.machine import CudaVersions, Gpu, Machine

__all__ = ["names_of_gpus", "with_gpus"]

_CLOCK_RATE, _MULTIPROCESSORS = 13, 16  # cudaDeviceAttr


def with_gpus(machine: Machine) -> Machine:
    """Return the machine with the GPUs that CuPy finds, in its order; or with the reason why none is usable."""
    reason = jit.why_no_gpu()
    if reason is not None:
        return replace(machine, gpus=(), no_gpu=reason)
    cupy = jit.cupy()
    runtime = cupy.cuda.runtime
    before = runtime.getDevice()
    try:
        gpus = tuple(_gpu(cupy, number) for number in range(runtime.getDeviceCount()))
    finally:
        with contextlib.suppress(Exception):  # that GPU may be the one that does not start
            runtime.setDevice(before)
    if all(gpu.unusable for gpu in gpus):
        return replace(machine, gpus=(), no_gpu="; ".join(str(gpu.unusable) for gpu in gpus))
    return replace(machine, gpus=gpus, cuda=_versions(runtime), no_gpu=None)


def names_of_gpus() -> list[str | None]:
    """Return the names of the GPUs that this process sees, by which all processes know them; None for unusable ones."""
    runtime = jit.cupy().cuda.runtime
    gpus = with_gpus(Machine.detect()).gpus
    names = (str(runtime.getDeviceProperties(number).get("uuid", number)) for number in range(len(gpus)))
    return [name if gpu.unusable is None else None for name, gpu in zip(names, gpus, strict=True)]


def _versions(runtime: Any) -> CudaVersions:
    versions = runtime.driverGetVersion(), runtime.runtimeGetVersion()
    supported, used = (f"{version // 1000}.{version % 1000 // 10}" for version in versions)
    return CudaVersions(_driver_version(), supported, used)


@functools.cache
def _driver_version() -> str | None:
    """Return the driver version from NVIDIA's management library; None without it."""
    try:
        library = ctypes.CDLL("libnvidia-ml.so.1")
        text = ctypes.create_string_buffer(80)
        if library.nvmlInit_v2() != 0:
            return None
        failed = library.nvmlSystemGetDriverVersion(text, len(text))
        library.nvmlShutdown()
        return None if failed else text.value.decode() or None
    except (OSError, AttributeError, ValueError):
        return None


def _gpu(cupy: Any, number: int) -> Gpu:
    """Return the current state of a GPU. Unused memory in CuPy's pool counts as free."""
    gpu = _model(cupy, number)
    if gpu.unusable is not None:
        return gpu
    try:
        cupy.cuda.runtime.setDevice(number)
        free, total = cupy.cuda.runtime.memGetInfo()
        pool = cupy.get_default_memory_pool()
        return replace(
            gpu, memory_total=total, memory_free=free + pool.free_bytes(), memory_held=pool.used_bytes()
        )  # fmt: skip
    except Exception as error:  # exclusive use by another process, full memory, broken hardware, ...
        return replace(gpu, unusable=f"it does not start ({str(error).splitlines()[0]}); see nvidia-smi")


@functools.cache
def _model(cupy: Any, number: int) -> Gpu:
    """Return the properties that do not change."""
    runtime = cupy.cuda.runtime
    properties = runtime.getDeviceProperties(number)
    others = (other for other in range(runtime.getDeviceCount()) if other != number)
    return Gpu(
        properties["name"].decode(),
        int(properties["totalGlobalMem"]),
        0,
        (int(properties["major"]), int(properties["minor"])),
        peers=tuple(other for other in others if runtime.deviceCanAccessPeer(number, other)),
        multiprocessors=runtime.deviceGetAttribute(_MULTIPROCESSORS, number),
        clock=runtime.deviceGetAttribute(_CLOCK_RATE, number) * 1000,
        unusable=jit.why_unusable(cupy, number),
    )
