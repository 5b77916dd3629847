"""The CUDA compiler library NVRTC without CuPy: every kernel can be compiled on every machine, GPU or not.

Both interfaces to the compiler share the paths of the kernels and the options, which contain a hash of the headers.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import importlib.util
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apsp.errors import DeviceError, MissingDependencyError

__all__ = ["ROOT", "Compiled", "compile_for", "fingerprint", "nvrtc_is_installed", "options", "source_file"]

ROOT = Path(__file__).resolve().parents[1]
"""The package: kernels are in the folders of their methods, headers beside them or here. Their names are unique."""


@functools.cache
def source_file(name: str) -> Path:
    """Return the path of a file of kernels, for example 'update.cu'."""
    return next(ROOT.rglob(name))


def _headers() -> list[Path]:
    return sorted(ROOT.rglob("*.cuh"), key=lambda path: path.name)


def options() -> tuple[str, ...]:
    """Return the options of every compilation. They include a hash of the headers, which CuPy's cache ignores."""
    folders = sorted({header.parent for header in _headers()})
    return (
        "-std=c++17", "-default-device", *(f"-I{folder}" for folder in folders), f"-DAPSP_HEADERS={_headers_hash()}",
    )  # fmt: skip


def _headers_hash() -> str:
    digest = hashlib.sha256()
    for header in _headers():
        digest.update(header.name.encode() + b"\0" + header.read_bytes() + b"\0")
    return "0x" + digest.hexdigest()[:15]


def fingerprint(source: str) -> str:
    """Return a hash of the file, the headers, the options and the compiler library."""
    key = source_file(source).read_bytes() + repr((options(), _nvrtc_path())).encode()
    return hashlib.sha256(key).hexdigest()[:20]


@dataclass(frozen=True)
class Compiled:
    """The output of the compiler for one architecture.

    Attributes
    ----------
    cubin : bytes
    registers, spilled_bytes : dict
        By instantiation: registers of a thread; bytes of register spills to local memory.
    log : str
        The output of the compiler.
    """

    cubin: bytes
    registers: dict[str, int]
    spilled_bytes: dict[str, int]
    log: str


def nvrtc_is_installed() -> bool:
    """Whether `compile_for` can be used."""
    return _nvrtc_path() is not None


def compile_for(
    source: str,
    expressions: Sequence[str],
    capability: tuple[int, int],
    *,
    of_this_architecture: bool = False,
) -> Compiled:
    """Compile kernels to machine code; no GPU, driver or CUDA toolkit is needed.

    Parameters
    ----------
    source, expressions
        As for `kernels`.
    capability : (int, int)
        For example (9, 0).
    of_this_architecture : bool
        Allow the instructions that only this architecture has (sm_90a).

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
    text = source_file(source).read_bytes()
    _check(library.nvrtcCreateProgram(ctypes.byref(program), text, source.encode(), 0, None, None))
    try:
        for expression in expressions:
            _check(library.nvrtcAddNameExpression(program, expression.encode()))
        flags = [
            *options(),
            f"-arch=sm_{capability[0]}{capability[1]}{'a' if of_this_architecture else ''}",
            "--ptxas-options=-v",
        ]
        encoded = (ctypes.c_char_p * len(flags))(*(flag.encode() for flag in flags))
        status = library.nvrtcCompileProgram(program, len(flags), encoded)
        log = _read(library, program, "ProgramLog").decode(errors="replace").rstrip("\0")
        if status != 0:
            raise DeviceError(f"{source} does not compile for {flags[-2]}: {log}")
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
        raise DeviceError(f"the compiler library NVRTC failed with status {status}; reinstall nvidia-cuda-nvrtc")


def _nvrtc_path() -> Path | None:
    """The library in the wheels nvidia-cuda-nvrtc (CUDA 13) or nvidia-cuda-nvrtc-cu12, the newest first."""
    return next((path for folder in _wheel_folders() for path in sorted(folder.glob("libnvrtc.so.*[0-9]"))), None)


def _wheel_folders() -> Iterator[Path]:
    spec = importlib.util.find_spec("nvidia")
    for root in spec.submodule_search_locations or () if spec is not None else ():
        yield from sorted(Path(root).glob("cu[0-9]*/lib"), reverse=True)
        yield Path(root) / "cuda_nvrtc" / "lib"
