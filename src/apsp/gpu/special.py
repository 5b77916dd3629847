"""Kernels with instructions that only one architecture has (sm_90a), which CuPy does not compile for.

The NVRTC library is called directly, and its machine code is cached beside CuPy's. Kernels are `extern "C"`: the last
part of an expression is their name.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from apsp.errors import DeviceError
from apsp.gpu import jit, nvrtc
from apsp.gpu.machine_code import alone, code_folder, keep

__all__ = ["special_kernels"]


def special_kernels(source: str, expressions: tuple[str, ...], shared_bytes: int, device: int) -> dict[str, Any] | None:
    """As `jit.kernels`, for the current GPU, which is `device`; None if they cannot be compiled."""
    found = _kernels(source, expressions, shared_bytes, device)
    return None if found is None else jit.recorded(found)


@functools.cache
def _kernels(source: str, expressions: tuple[str, ...], shared_bytes: int, device: int) -> dict[str, Any] | None:
    if not nvrtc.nvrtc_is_installed():
        return None
    cupy = jit.cupy()
    with cupy.cuda.Device(device):
        try:
            raw = cupy.RawModule(path=str(_machine_code(source, expressions, jit.capability())))
            found = {expression: raw.get_function(expression.rpartition("::")[2]) for expression in expressions}
            for kernel in found.values():
                if shared_bytes:
                    kernel.max_dynamic_shared_size_bytes = shared_bytes
        except (DeviceError, OSError, RuntimeError):  # of the driver; or there is no home folder
            return None
    return found


def _machine_code(source: str, expressions: tuple[str, ...], capability: tuple[int, int]) -> Path:
    """Return the file with the machine code of kernels, compiled if it does not exist yet."""
    architecture = f"sm_{capability[0]}{capability[1]}a"
    path = code_folder() / f"apsp-{Path(source).stem}-{architecture}-{nvrtc.fingerprint(source)}.cubin"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with alone(path.with_suffix(".lock")):
            if not path.exists():
                keep(path, nvrtc.compile_for(source, expressions, capability, of_this_architecture=True).cubin)
    return path
