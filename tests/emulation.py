"""GPUs of a test that are emulated by this CPU: for the planner they are real, for drivers and kernels emulated.

So whatever runs on real GPUs runs where there is none: with device='cuda', and with results that stay there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from apsp.gpu import gpus as finding
from apsp.gpu import jit
from apsp.gpu.emulated.arrays import DeviceArray
from apsp.gpu.emulated.run import entered
from apsp.gpu.recorder import kernel_name
from fake_cupy import FakeCuda, FakeGpu

MEMORY = 1 << 30
"""Bytes of each GPU."""


class Launches(list[tuple[str, tuple[int, ...], tuple[int, ...]]]):
    """(kernel, grid, block) of every launch."""

    def of(self, name: str) -> list[tuple[int, ...]]:
        """The grids of a kernel."""
        return [grid for kernel, grid, _ in self if kernel == name]


@contextmanager
def emulated_gpus(monkeypatch: pytest.MonkeyPatch, gpus: int = 1) -> Iterator[Launches]:
    """So many GPUs inside; what is launched is written down."""
    FakeCuda([FakeGpu(free=MEMORY, total=MEMORY) for _ in range(gpus)]).install(monkeypatch)
    module = __import__("cupy")
    module.ndarray = DeviceArray
    seen = SimpleNamespace(cupy=lambda: module, why_no_gpu=jit.why_no_gpu, why_unusable=jit.why_unusable)
    monkeypatch.setattr(finding, "jit", seen)
    launches, kernels = Launches(), jit.kernels

    def recorded(source: str, expressions: Sequence[str], **options: Any) -> dict[str, Any]:
        found = kernels(source, expressions, **options)
        return {name: _recorded(kernel, name, launches) for name, kernel in found.items()}

    monkeypatch.setattr(jit, "kernels", recorded)
    with entered(gpus, MEMORY, cores=2):
        yield launches


def _recorded(kernel: Any, expression: str, launches: Launches) -> Any:
    def launch(grid: tuple[int, ...], block: tuple[int, ...], arguments: tuple[Any, ...], **options: Any) -> None:
        launches.append((kernel_name(expression), grid, block))
        kernel(grid, block, arguments, **options)

    return launch
