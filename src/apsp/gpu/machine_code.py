"""Machine code of kernels for the current GPU, cached between processes beside CuPy's.

CuPy compiles with -ftz=true, after which sums of float32 below 2^-126 are 0: a distance of 1e-39 would be lost. So the
compiler library that CuPy has loaded is called here, with our options alone.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apsp.errors import DeviceError
from apsp.gpu.nvrtc import options

__all__ = ["code_folder", "keep", "machine_code"]


def code_folder() -> Path:
    """Return the folder in which CuPy caches compiled kernels."""
    return Path(os.environ.get("CUPY_CACHE_DIR") or Path.home() / ".cupy" / "kernel_cache")


@functools.cache
def _own_folder() -> Path:
    """Return a folder of this process, which is deleted when the process ends."""
    folder = Path(tempfile.mkdtemp(prefix="apsp-kernels-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def keep(path: Path, content: bytes) -> None:
    """Write a file so that other processes see all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        temporary = Path(file.name)
        try:
            file.write(content)
            file.flush()
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    temporary.replace(path)


def machine_code(
    cupy: Any, source: Path, expressions: Sequence[str], capability: tuple[int, int]
) -> tuple[Path, dict[str, str]]:
    """Return the file with the machine code of kernels, compiled if it does not exist yet, and their names in it.

    Parameters
    ----------
    cupy : module
    source : Path
    expressions : sequence of str
        Instantiations, for example 'apsp::fill<apsp::MinPlus<int>>'.
    capability : (int, int)
        Of the GPU. If the compiler does not support it, the code is PTX for the newest one that is supported.

    Raises
    ------
    DeviceError
        If compilation fails; the message is the compiler's first error.
    """
    nvrtc, text = cupy.cuda.nvrtc, source.read_text()
    number = 10 * capability[0] + capability[1]
    known = [each for each in nvrtc.getSupportedArchs() if each <= number]
    flags = (*options(), f"-arch=sm_{number}" if number in known else f"-arch=compute_{max(known, default=number)}")
    key = hashlib.sha256(repr((text, flags, tuple(expressions), nvrtc.getVersion())).encode()).hexdigest()[:24]
    try:
        folder = code_folder()
        folder.mkdir(parents=True, exist_ok=True)
        writable = os.access(folder, os.W_OK)
    except (OSError, RuntimeError):  # there is no home folder, or it is read-only
        writable = False
    folder = folder if writable else _own_folder()
    code, names = folder / f"apsp-{source.stem}-{key}.cubin", folder / f"apsp-{source.stem}-{key}.json"
    if not (names.exists() and code.exists()):
        compiled, found = _compiled(nvrtc, text, source.name, expressions, flags)
        keep(code, compiled)
        keep(names, json.dumps(found).encode())
    lowered: dict[str, str] = json.loads(names.read_text())
    return code, lowered


def _compiled(
    nvrtc: Any, text: str, name: str, expressions: Sequence[str], flags: tuple[str, ...]
) -> tuple[bytes, dict[str, str]]:
    program = nvrtc.createProgram(text, name, [], [])
    try:
        for expression in expressions:
            nvrtc.addNameExpression(program, expression)
        try:
            nvrtc.compileProgram(program, list(flags))
        except nvrtc.NVRTCError as error:
            log = nvrtc.getProgramLog(program)
            raise DeviceError(next((line for line in log.splitlines() if "error" in line), str(error))) from error
        code = nvrtc.getCUBIN(program) if "-arch=sm_" in flags[-1] else nvrtc.getPTX(program)
        names = {expression: nvrtc.getLoweredName(program, expression) for expression in expressions}
    finally:
        nvrtc.destroyProgram(program)
    return code if isinstance(code, bytes) else code.encode(), names
