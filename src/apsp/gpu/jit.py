"""Run-time compilation of CUDA kernels, and detection of CUDA. All other modules use this one.

CuPy is not imported before a function is called. CuPy compiles, loads and caches kernels; see nvrtc.py for machines
without a GPU.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apsp.errors import DeviceError
from apsp.gpu.emulated.run import emulation
from apsp.gpu.recorder import Recorder, active_recorder, kernel_name

__all__ = [
    "capability", "cupy", "current_device", "kernels", "multiprocessors", "recorded", "resident_blocks",
    "shared_memory", "why_no_gpu", "why_unusable",
]  # fmt: skip

LEAST_CAPABILITY = (7, 0)
LEAST_OF_CUDA_13 = (7, 5)

_INSTALL = "pip install 'apsp[cuda]' (for drivers before CUDA 13, and GPUs before capability 7.5: 'apsp[cuda12]')"
_FOR_CUDA_12 = "pip uninstall cupy-cuda13x, then pip install 'apsp[cuda12]'"


_is_fork_of_gpu_process = False


def _after_fork() -> None:
    """Record a fork: the child cannot use CUDA if the parent has started it."""
    global _is_fork_of_gpu_process
    if "cupy" in sys.modules:
        _is_fork_of_gpu_process = True
        why_no_gpu.cache_clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def cupy() -> Any:
    """Return CuPy, or its replacement on emulated GPUs; DeviceError with the remedy without a GPU."""
    if emulation() is not None:
        from apsp.gpu.emulated import module

        return module.cupy()
    reason = why_no_gpu()
    if reason is not None:
        raise DeviceError(f"device='cuda': {reason}; or use device='cpu'")
    return sys.modules.get("cupy") or importlib.import_module("cupy")


@functools.cache
def why_no_gpu() -> str | None:
    """Return why this process cannot compute on a GPU, with the remedy; None if it can."""
    if _is_fork_of_gpu_process:
        return (
            "this process was forked from one that uses GPUs, and CUDA does not work in such a child: start processes "
            "with multiprocessing.get_context('spawn')"
        )
    if importlib.util.find_spec("cupy") is None:
        return f"GPU solvers need CuPy: {_INSTALL}"
    try:
        module = importlib.import_module("cupy")
    except Exception as error:  # a broken installation can raise any exception; each means that there is no GPU
        return f"CuPy cannot be imported ({_first_line(error)}): {_INSTALL}"
    try:
        module.cuda.nvrtc.getVersion()
    except Exception as error:
        return f"the CUDA compiler NVRTC cannot be loaded ({_first_line(error)}): {_INSTALL}"
    try:
        reasons = [why_unusable(module, number) for number in range(module.cuda.runtime.getDeviceCount())]
    except Exception as error:
        return _driver_trouble(module, error)
    if not reasons:
        return "CuPy finds no NVIDIA GPU on this machine; check nvidia-smi and CUDA_VISIBLE_DEVICES"
    return reasons[0] if None not in reasons else None


def why_unusable(module: Any, number: int) -> str | None:
    """Return why kernels cannot run on a GPU, with the remedy; None if they can."""
    properties = module.cuda.runtime.getDeviceProperties(number)
    capability = int(properties["major"]), int(properties["minor"])
    name, words = properties["name"].decode(), f"compute capability {capability[0]}.{capability[1]}"
    if capability < LEAST_CAPABILITY:
        least = ".".join(map(str, LEAST_CAPABILITY))
        return f"GPU {number} ({name}) has {words}, but at least {least} is needed"
    if capability < LEAST_OF_CUDA_13 and module.cuda.nvrtc.getVersion() >= (13, 0):
        return f"GPU {number} ({name}) has {words}, which CUDA 13 no longer supports: {_FOR_CUDA_12}"
    return None


def _driver_trouble(module: Any, error: Exception) -> str:
    """Return why the CUDA runtime does not start: no driver, an old one, or its own message."""
    try:
        driver, runtime = (
            int(version()) for version in (module.cuda.runtime.driverGetVersion, module.cuda.runtime.runtimeGetVersion)
        )
    except Exception:
        driver = runtime = -1
    if driver == 0:
        return "there is no NVIDIA driver; install it, and check that nvidia-smi works"
    if 0 < driver < runtime // 1000 * 1000:
        return (
            f"the NVIDIA driver is too old: it supports CUDA {_version(driver)}, and CuPy here needs "
            f"{_version(runtime // 1000 * 1000)}; update the driver, or {_FOR_CUDA_12}"
        )
    return f"CuPy finds no usable GPU ({_first_line(error)}); check that nvidia-smi works"


def _version(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"


def _first_line(error: Exception) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


def current_device() -> int:
    """Number of the GPU that this thread works on."""
    return int(cupy().cuda.Device().id)


def capability() -> tuple[int, int]:
    """Compute capability of the GPU that this thread works on, for example (9, 0)."""
    return _properties(current_device(), emulated=emulation() is not None)[:2]


def multiprocessors() -> int:
    """Streaming multiprocessors of the GPU that this thread works on."""
    return _properties(current_device(), emulated=emulation() is not None)[2]


def resident_blocks(kernel: Any, threads: int, shared_bytes: int = 0) -> int:
    """Blocks of a kernel that all multiprocessors of the current GPU together hold at a time; at least 1.

    On emulated GPUs 1: their blocks run one after another, and may not wait for each other.
    """
    if emulation() is not None:
        return 1
    of_one = cupy().cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(kernel.kernel.ptr, threads, shared_bytes)
    return max(int(of_one), 1) * multiprocessors()


def shared_memory() -> int:
    """Return the bytes of dynamic shared memory of a block on the current GPU, less 2 KiB for static arrays."""
    return _shared_memory(current_device(), emulated=emulation() is not None) - 2048


@functools.cache
def _shared_memory(device: int, *, emulated: bool) -> int:  # noqa: ARG001 - real and emulated GPUs share numbers
    return int(cupy().cuda.Device(device).attributes["MaxSharedMemoryPerBlockOptin"])


@functools.cache
def _properties(device: int, *, emulated: bool) -> tuple[int, int, int]:  # noqa: ARG001 - as above
    properties = cupy().cuda.runtime.getDeviceProperties(device)
    return int(properties["major"]), int(properties["minor"]), int(properties["multiProcessorCount"])


def kernels(
    source: str,
    expressions: Sequence[str],
    *,
    shared_bytes: int = 0,
    cooperative: bool = False,
) -> dict[str, Any]:
    """Compile (or take from the cache) kernels for the current GPU.

    Parameters
    ----------
    source : str
        A file of kernels of this package, for example 'update.cu'.
    expressions : sequence of str
        Instantiations, for example 'apsp::fill<apsp::MinPlus<int>>'.
    shared_bytes : int
        Maximum dynamic shared memory per block of a launch.
    cooperative : bool
        Either all blocks of a launch start together or none: they may wait for each other. No launch may have more than
        `resident_blocks`; CuPy would leave out the rest.

    Returns
    -------
    dict
        Expression -> cupy.RawKernel, or its replacement on emulated GPUs.

    Raises
    ------
    DeviceError
        If there is no GPU, or compilation fails (an old CUDA toolkit): the message contains the compiler's first error.
    """
    if emulation() is not None:
        from apsp.gpu.emulated import kernels as emulated

        return emulated.kernels(expressions, cooperative=cooperative)
    from apsp.gpu.nvrtc import source_file  # with the first kernel: `import apsp` stays quick

    return recorded(_kernels(source_file(source), tuple(expressions), shared_bytes, cooperative, current_device()))


def recorded(found: dict[str, Any]) -> dict[str, Any]:
    """The kernels, whose launches are counted if this context has a recorder; so they are not to be kept."""
    recorder = active_recorder()
    return found if recorder is None else {name: Recorded(kernel, name, recorder) for name, kernel in found.items()}


@functools.cache
def _kernels(
    source: Path, expressions: tuple[str, ...], shared_bytes: int, cooperative: bool, device: int
) -> dict[str, Any]:
    from apsp.gpu.machine_code import machine_code

    module = importlib.import_module("cupy")
    try:
        code = machine_code(module, source, expressions, capability())
    except DeviceError as error:
        raise DeviceError(f"CUDA cannot compile {source.name} for GPU {device}: {error}; {_INSTALL}") from error
    found = {
        expression: module.RawModule(path=str(path), enable_cooperative_groups=cooperative).get_function(name)
        for expression, (path, name) in code.items()
    }
    if shared_bytes:
        for kernel in found.values():
            _allow_shared(kernel, shared_bytes, f"{source.name} on GPU {device}")
    return found


class Recorded:
    """A kernel of a real GPU whose launches are counted.

    Parameters
    ----------
    kernel : cupy.RawKernel
    expression : str
        For example 'apsp::relax_pairs<int>'.
    recorder : Recorder
    """

    def __init__(self, kernel: Any, expression: str, recorder: Recorder) -> None:
        self.name, self._recorder, self._launch = kernel_name(expression), recorder, kernel

    def __call__(self, grid: tuple[int, ...], block: tuple[int, ...], arguments: tuple[Any, ...], **how: Any) -> None:
        """Launch it."""
        blocks = math.prod(grid)
        self._recorder.add(self.name, {"launches": 1, "blocks": blocks, "threads": blocks * math.prod(block)})
        self._launch(grid, block, arguments, **how)

    def __getattr__(self, name: str) -> Any:
        """What else the kernel has, such as its registers."""
        return getattr(self._launch, name)


def _allow_shared(kernel: Any, shared_bytes: int, what: str) -> None:
    """Allow blocks this much shared memory; DeviceError if the GPU has less (64 KiB with capability 7.5)."""
    try:
        kernel.max_dynamic_shared_size_bytes = shared_bytes
    except RuntimeError as error:  # of the driver
        raise DeviceError(
            f"{what} needs {shared_bytes:,} bytes of shared memory per block, which the GPU does not provide "
            f"({_first_line(error)}); a narrower dtype may need less, or use device='cpu'"
        ) from error
