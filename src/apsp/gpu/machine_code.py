"""Machine code of kernels for the current GPU, compiled once per machine: cached beside CuPy's, by source and headers,
options, compiler and architecture.

CuPy compiles with -ftz=true, after which sums of float32 below 2^-126 are 0: a distance of 1e-39 would be lost. So the
compiler library that CuPy has loaded is called here, with our options alone.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from apsp.errors import DeviceError
from apsp.gpu.nvrtc import options
from apsp.system.file_locks import locked, remove_and_close
from apsp.system.limits import allowed_cores
from apsp.system.threads import Threads

__all__ = ["alone", "code_folder", "keep", "machine_code"]


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
) -> dict[str, tuple[Path, str]]:
    """Return the files with the machine code of kernels, and the names in them; what is not there yet is compiled.

    Each instantiation is a program of its own, so that they are compiled in several threads.

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
    nvrtc, text = cupy.cuda.nvrtc, source.read_text(encoding="utf-8")
    number = 10 * capability[0] + capability[1]
    known = [each for each in nvrtc.getSupportedArchs() if each <= number]
    flags = (*options(), f"-arch=sm_{number}" if number in known else f"-arch=compute_{max(known, default=number)}")
    folder, found, missing = _folder(), {}, {}
    for expression in expressions:
        key = hashlib.sha256(repr((text, flags, expression, nvrtc.getVersion())).encode()).hexdigest()[:24]
        name = folder / f"apsp-{source.stem}-{key}.json"  # written after the code
        if name.exists():
            found[expression] = name
        else:
            missing[expression] = name
    if missing:
        with Threads(min(len(missing), allowed_cores()), "apsp-nvrtc") as threads:
            works = [
                threads.submit(_keep_compiled, nvrtc, text, source.name, expression, flags, name)
                for expression, name in missing.items()
            ]
            for work in works:
                work.result()
    return {
        expression: (name.with_suffix(".cubin"), json.loads(name.read_text()))
        for expression, name in (found | missing).items()
    }


def _folder() -> Path:
    """Return the folder for the code: that of this process if the cache cannot be written."""
    try:
        folder = code_folder()
        folder.mkdir(parents=True, exist_ok=True)
        writable = os.access(folder, os.W_OK)
    except (OSError, RuntimeError):  # there is no home folder, or it is read-only
        writable = False
    return folder if writable else _own_folder()


def _keep_compiled(nvrtc: Any, text: str, source: str, expression: str, flags: tuple[str, ...], name: Path) -> None:
    """Compile a kernel and write its files, unless another process does so meanwhile."""
    with alone(name.with_suffix(".lock")):
        if not name.exists():
            code, lowered = _compiled(nvrtc, text, source, expression, flags)
            keep(name.with_suffix(".cubin"), code)
            keep(name, json.dumps(lowered).encode())


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Lock a file, which no process leaves behind; without locks several processes write the same bytes."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        yield
        return
    try:
        with contextlib.suppress(OSError):  # of a file system without locks
            locked(handle, wait=True)
        yield
    finally:
        with contextlib.suppress(OSError):
            remove_and_close(path, lambda: os.close(handle))  # a process that waits for it finds the code


def _compiled(nvrtc: Any, text: str, name: str, expression: str, flags: tuple[str, ...]) -> tuple[bytes, str]:
    program = nvrtc.createProgram(text, name, [], [])
    try:
        nvrtc.addNameExpression(program, expression)
        try:
            nvrtc.compileProgram(program, list(flags))
        except nvrtc.NVRTCError as error:
            log = nvrtc.getProgramLog(program)
            raise DeviceError(next((line for line in log.splitlines() if "error" in line), str(error))) from error
        code = nvrtc.getCUBIN(program) if "-arch=sm_" in flags[-1] else nvrtc.getPTX(program)
        lowered: str = nvrtc.getLoweredName(program, expression)
    finally:
        nvrtc.destroyProgram(program)
    return code if isinstance(code, bytes) else code.encode(), lowered
