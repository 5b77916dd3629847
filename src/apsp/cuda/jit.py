"""The only door to run-time compilation of CUDA kernels, and to the question whether there is a GPU.

Nothing here imports CuPy or NVRTC before a function is called. With a GPU, CuPy compiles, loads and caches; without
one, `compile_for` compiles through the NVRTC library alone, so that every kernel can be compiled on every machine.
CuPy's cache does not see edits of included headers: their hash is part of the options.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import importlib
import importlib.util
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apsp.errors import DeviceError, MissingDependencyError

__all__ = [
    "Compiled",
    "capability",
    "compile_for",
    "cupy",
    "current_device",
    "fingerprint",
    "kernels",
    "multiprocessors",
    "nvrtc_is_installed",
    "why_no_gpu",
    "why_unusable",
]  # fmt: skip

FOLDER = Path(__file__).resolve().parent
LEAST_CAPABILITY = (7, 0)
LEAST_OF_CUDA_13 = (7, 5)

_INSTALL = "pip install 'apsp[cuda]' (for drivers before CUDA 13, and GPUs before capability 7.5: 'apsp[cuda12]')"
_FOR_CUDA_12 = "pip uninstall cupy-cuda13x, then pip install 'apsp[cuda12]'"


def cupy() -> Any:
    """The module CuPy; DeviceError with the remedy where it or a GPU is missing."""
    reason = why_no_gpu()
    if reason is not None:
        raise DeviceError(f"device='cuda': {reason}; or use device='cpu'")
    return importlib.import_module("cupy")


@functools.cache
def why_no_gpu() -> str | None:
    """Why this process cannot compute on a GPU, with the remedy; None if it can."""
    if importlib.util.find_spec("cupy") is None:
        return f"GPU solvers need CuPy: {_INSTALL}"
    try:
        module = importlib.import_module("cupy")
    except Exception as error:  # a broken installation fails in many ways, and all of them mean: no GPU
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
        return "this machine has no NVIDIA GPU that CuPy can see; check nvidia-smi and CUDA_VISIBLE_DEVICES"
    return reasons[0] if None not in reasons else None


def why_unusable(module: Any, number: int) -> str | None:
    """Why no kernel can run on one of the GPUs, with the remedy; None if they can."""
    properties = module.cuda.runtime.getDeviceProperties(number)
    capability = int(properties["major"]), int(properties["minor"])
    name, words = properties["name"].decode(), f"compute capability {capability[0]}.{capability[1]}"
    if capability < LEAST_CAPABILITY:
        least = ".".join(map(str, LEAST_CAPABILITY))
        return f"GPU {number} ({name}) has {words}, and at least {least} is needed"
    if capability < LEAST_OF_CUDA_13 and module.cuda.nvrtc.getVersion() >= (13, 0):
        return f"GPU {number} ({name}) has {words}, which CUDA 13 no longer compiles for: {_FOR_CUDA_12}"
    return None


def _driver_trouble(module: Any, error: Exception) -> str:
    """Why the CUDA runtime does not start: no driver, an old one, or what it says itself."""
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
    return _properties(current_device())[:2]


def multiprocessors() -> int:
    """Streaming multiprocessors of the GPU that this thread works on."""
    return _properties(current_device())[2]


@functools.cache
def _properties(device: int) -> tuple[int, int, int]:
    properties = cupy().cuda.runtime.getDeviceProperties(device)
    return int(properties["major"]), int(properties["minor"]), int(properties["multiProcessorCount"])


def kernels(source: str, expressions: Sequence[str], *, shared_bytes: int = 0) -> dict[str, Any]:
    """Compile (or take from the cache) kernels for the current GPU.

    Parameters
    ----------
    source : str
        A file of this folder, for example 'update.cu'.
    expressions : sequence of str
        Instantiations, for example 'apsp::update<apsp::MinPlus<int>, true>'.
    shared_bytes : int
        Dynamic shared memory of a block that the kernels may be launched with.

    Returns
    -------
    dict
        Expression -> cupy.RawKernel.

    Raises
    ------
    DeviceError
        If there is no GPU, or the compiler refuses (an old CUDA toolkit): the message holds the compiler's first error.
    """
    return _kernels(source, tuple(expressions), shared_bytes, current_device())


@functools.cache
def _kernels(source: str, expressions: tuple[str, ...], shared_bytes: int, device: int) -> dict[str, Any]:
    module = importlib.import_module("cupy")
    raw = module.RawModule(
        code=(FOLDER / source).read_text(), options=(*_options(),), name_expressions=list(expressions), backend="nvrtc"
    )
    try:
        found = {expression: raw.get_function(expression) for expression in expressions}
    except module.cuda.compiler.CompileException as error:
        first = next((line for line in str(error).splitlines() if "error" in line), str(error))
        raise DeviceError(f"the CUDA compiler refuses {source} on GPU {device}: {first}; {_INSTALL}") from error
    for kernel in found.values():
        if shared_bytes:
            kernel.max_dynamic_shared_size_bytes = shared_bytes
    return found


def fingerprint(source: str) -> str:
    """Changes with the file, the headers, the options and the compiler library."""
    key = (FOLDER / source).read_bytes() + repr((_options(), _nvrtc_path())).encode()
    return hashlib.sha256(key).hexdigest()[:20]


def _options() -> tuple[str, ...]:
    return ("-std=c++17", f"-I{FOLDER}", f"-DAPSP_HEADERS={_headers_hash()}")


def _headers_hash() -> str:
    digest = hashlib.sha256()
    for header in sorted(FOLDER.glob("*.cuh")):
        digest.update(header.name.encode() + b"\0" + header.read_bytes() + b"\0")
    return "0x" + digest.hexdigest()[:15]


# -- without a GPU ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Compiled:
    """What the compiler made for one architecture.

    Attributes
    ----------
    cubin : bytes
    registers, spilled_bytes : dict
        By instantiation: registers of a thread; bytes that it stores to and loads from local memory for want of them.
    log : str
        What the compiler said.
    """

    cubin: bytes
    registers: dict[str, int]
    spilled_bytes: dict[str, int]
    log: str


def nvrtc_is_installed() -> bool:
    """Whether `compile_for` can work."""
    return _nvrtc_path() is not None


def compile_for(
    source: str, expressions: Sequence[str], capability: tuple[int, int], *, of_this_architecture: bool = False
) -> Compiled:
    """Compile kernels to machine code; no GPU, driver or CUDA toolkit is needed.

    Parameters
    ----------
    source, expressions
        As for `kernels`.
    capability : (int, int)
        For example (9, 0).
    of_this_architecture : bool
        With the instructions that no other architecture has (sm_90a).

    Raises
    ------
    MissingDependencyError
        Without the NVRTC library.
    DeviceError
        If the source does not compile; the message is the compiler's.
    """
    path = _nvrtc_path()
    if path is None:
        raise MissingDependencyError("nvidia-cuda-nvrtc", "compiling CUDA kernels without a GPU")
    library = ctypes.CDLL(str(path))
    program = ctypes.c_void_p()
    text = (FOLDER / source).read_bytes()
    _check(library.nvrtcCreateProgram(ctypes.byref(program), text, source.encode(), 0, None, None))
    try:
        for expression in expressions:
            _check(library.nvrtcAddNameExpression(program, expression.encode()))
        options = [
            *_options(),
            f"-arch=sm_{capability[0]}{capability[1]}{'a' if of_this_architecture else ''}",
            "--ptxas-options=-v",
        ]
        encoded = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
        status = library.nvrtcCompileProgram(program, len(options), encoded)
        log = _read(library, program, "ProgramLog").decode(errors="replace").rstrip("\0")
        if status != 0:
            raise DeviceError(f"{source} does not compile for {options[-2]}: {log}")
        names = {_lowered(library, program, expression): expression for expression in expressions}
        registers, spilled = _resources(log, names)
        return Compiled(_read(library, program, "CUBIN"), registers, spilled, log)
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))


def _resources(log: str, names: dict[str, str]) -> tuple[dict[str, int], dict[str, int]]:
    registers: dict[str, int] = {}
    spilled: dict[str, int] = {}
    current = None
    for line in log.splitlines():
        if found := re.search(r"(?:Compiling entry function '|Function properties for )(\w+)", line):
            current = names.get(found[1])
        if current and (found := re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line)):
            spilled[current] = int(found[1]) + int(found[2])
        if current and (found := re.search(r"Used (\d+) registers", line)):
            registers[current] = int(found[1])
    return registers, spilled


def _read(library: Any, program: ctypes.c_void_p, what: str) -> bytes:
    size = ctypes.c_size_t()
    _check(getattr(library, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
    buffer = ctypes.create_string_buffer(max(size.value, 1))
    _check(getattr(library, f"nvrtcGet{what}")(program, buffer))
    return buffer.raw[: size.value]


def _lowered(library: Any, program: ctypes.c_void_p, expression: str) -> str:
    name = ctypes.c_char_p()
    _check(library.nvrtcGetLoweredName(program, expression.encode(), ctypes.byref(name)))
    return (name.value or b"").decode()


def _check(status: int) -> None:
    if status != 0:
        raise DeviceError(f"the CUDA compiler library NVRTC failed with status {status}")


def _nvrtc_path() -> Path | None:
    """The library in the wheels nvidia-cuda-nvrtc (CUDA 13) or nvidia-cuda-nvrtc-cu12, the newest first."""
    return next((path for folder in _wheel_folders() for path in sorted(folder.glob("libnvrtc.so.*[0-9]"))), None)


def _wheel_folders() -> Iterator[Path]:
    spec = importlib.util.find_spec("nvidia")
    for root in spec.submodule_search_locations or () if spec is not None else ():
        yield from sorted(Path(root).glob("cu[0-9]*/lib"), reverse=True)
        yield Path(root) / "cuda_nvrtc" / "lib"
