"""GPUs made of this CPU: CuPy as NumPy, and the kernels themselves, compiled by g++ (cuda_on_cpu.hpp).

So drivers and kernels of the published methods run as they are, where there is no GPU. Slow: for small graphs.
"""

from __future__ import annotations

import ctypes
import functools
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from apsp.cuda import jit, nvrtc
from fake_cupy import FakeCuda, FakeGpu, OutOfMemoryError

HERE = Path(__file__).resolve().parent

_FUNCTIONS = (
    "absolute",
    "arange",
    "argsort",
    "array",
    "asarray",
    "ascontiguousarray",
    "cumsum",
    "empty",
    "empty_like",
    "full",
    "maximum",
    "take_along_axis",
    "where",
    "zeros",
)


class DeviceArray(np.ndarray):
    """An array of a GPU that is none."""

    def get(self) -> np.ndarray:
        return np.array(self, subok=False)

    @property
    def device(self) -> Any:
        return jit.cupy().cuda.Device(0)

    @property
    def data(self) -> Any:  # type: ignore[override]
        """Its memory, as CuPy shows it."""

        def copy_to_host_async(address: int, size: int, stream: object) -> None:
            ctypes.memmove(address, self.ctypes.data, size)

        return SimpleNamespace(ptr=self.ctypes.data, copy_to_host_async=copy_to_host_async)


class Launches(list[tuple[str, tuple[int, ...], tuple[int, ...]]]):
    """(kernel, grid, block) of every launch."""

    def of(self, name: str) -> list[tuple[int, ...]]:
        """The grids of a kernel."""
        return [grid for kernel, grid, _ in self if kernel == name]


def install(monkeypatch: pytest.MonkeyPatch, gpus: int = 1, free: int = 1 << 30) -> Launches:
    """Make CuPy and the compiler those of this file; what is launched is written down."""
    if shutil.which("g++") is None:
        pytest.skip("there is no g++")
    fake = FakeCuda([FakeGpu(free=free, total=1 << 30) for _ in range(gpus)]).install(monkeypatch)
    module, launches = __import__("cupy"), Launches()
    module.ndarray = DeviceArray
    for name in _FUNCTIONS:
        setattr(module, name, _on_device(getattr(np, name)))
    module.cuda.get_current_stream = lambda: SimpleNamespace(synchronize=lambda: None)
    module.cuda.Event = lambda **_: SimpleNamespace(record=lambda stream: None, synchronize=lambda: None)
    module.cuda.alloc_pinned_memory = lambda size: np.empty(size, dtype=np.uint8)
    module.cuda.memory = SimpleNamespace(OutOfMemoryError=OutOfMemoryError)

    def kernels(
        source: str, expressions: Sequence[str], *, folder: Path = nvrtc.FOLDER, shared_bytes: int = 0
    ) -> dict[str, Any]:
        assert shared_bytes == 0
        found = compiled(folder / source, tuple(expressions))
        return {name: _launching(kernel, name, launches) for name, kernel in found.items()}

    monkeypatch.setattr(jit, "kernels", kernels)
    monkeypatch.setattr(jit, "current_device", lambda: fake.current)
    return launches


def _on_device(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> Any:
        copied = function.__name__ == "asarray" and not isinstance(arguments[0], DeviceArray)
        made = (np.array if copied else function)(*arguments, **options)
        return made.view(DeviceArray)

    return call


def _launching(kernel: Callable[..., None], expression: str, launches: Launches) -> Callable[..., None]:
    name = expression.removeprefix("apsp::").partition("<")[0]

    def launch(grid: tuple[int, ...], block: tuple[int, ...], arguments: tuple[Any, ...]) -> None:
        assert 0 < np.prod(block) <= 1024
        assert min(grid) > 0
        assert max((*grid, 1)[1:]) < 1 << 16
        launches.append((name, grid, block))
        kernel(grid, block, arguments)

    return launch


@functools.cache
def compiled(source: Path, expressions: tuple[str, ...]) -> dict[str, Callable[..., None]]:
    """The kernels of a file as functions (grid, block, arguments)."""
    lines = [
        f'extern "C" int kernel_{number}(const int* shape, void** given, const int* sizes, int count) {{\n'
        f"  return cuda_on_cpu::run(shape, &{expression}, given, sizes, count);\n}}\n"
        for number, expression in enumerate(expressions)
    ]
    with tempfile.TemporaryDirectory() as folder:
        program, library = Path(folder) / "kernels.cpp", Path(folder) / "kernels.so"
        program.write_text(f'#include "cuda_on_cpu.hpp"\n#include "{source}"\n{"".join(lines)}')
        flags = ["-std=c++20", "-O1", "-U_FORTIFY_SOURCE", "-shared", "-fPIC", "-w", f"-I{HERE}", f"-I{nvrtc.FOLDER}"]
        subprocess.run(["g++", *flags, str(program), "-o", str(library)], check=True)
        loaded = ctypes.CDLL(str(library))
    return {
        expression: functools.partial(_call, getattr(loaded, f"kernel_{number}"), expression)
        for number, expression in enumerate(expressions)
    }


def _call(function: Any, name: str, grid: Sequence[int], block: Sequence[int], arguments: Sequence[Any]) -> None:
    """As CuPy launches, but arguments of a wrong size are an error."""
    values = [_value(argument) for argument in arguments]
    shape = (ctypes.c_int * 4)(*(*grid, 1)[:2], *(*block, 1)[:2])
    given = (ctypes.c_void_p * len(values))(*(value.ctypes.data for value in values))
    sizes = (ctypes.c_int * len(values))(*(value.itemsize for value in values))
    wrong = function(shape, given, sizes, len(values))
    assert wrong == -1, f"{name}: argument {wrong} of {len(values)} has the wrong size (-2: their number)"


def _value(argument: Any) -> np.ndarray:
    """An array of one entry: a number, or the address of an array."""
    if isinstance(argument, np.generic):
        return np.array(argument)
    if argument.dtype.names is not None:  # a struct
        assert argument.ndim == 0
        return argument
    assert isinstance(argument, DeviceArray), f"{type(argument)} is no array of a GPU"
    assert argument.size <= 1 or argument.strides[-1] == argument.itemsize, "the entries of a row lie side by side"
    return np.array(argument.ctypes.data, dtype=np.uintp)
