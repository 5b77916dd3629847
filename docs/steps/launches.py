"""Looks at the launches of the emulated GPU: what the arrays of the device hold before and after each of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu.emulated.kernels import EmulatedKernel
from apsp.gpu.emulated.run import entered
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.problem import Problem
from apsp.methods.registry import METHODS

__all__ = ["Launch", "Watcher", "host", "solve", "watched"]


@dataclass(frozen=True)
class Launch:
    """One launch: name of the kernel, grid, block, and arguments, among them arrays of the device."""

    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    arguments: tuple[Any, ...]

    @property
    def words(self) -> str:
        """For readers: 'apsp_basic, grid 3 x 3, blocks of 4 x 4 threads'."""
        grid, block = (" x ".join(map(str, size)) for size in (self.grid, self.block))
        return f"{self.kernel}, grid {grid}, blocks of {block} threads"


class Watcher:
    """Called around every launch."""

    def before(self, launch: Launch) -> None:
        """Look at the arrays before it."""

    def after(self, launch: Launch) -> None:
        """Look at the arrays after it."""


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """One emulated GPU, all launches of which are passed to the watcher."""
    launch = EmulatedKernel.__call__

    def call(
        self: EmulatedKernel, grid: tuple[int, ...], block: tuple[int, ...], arguments: tuple[Any, ...], **options: Any
    ) -> None:
        seen = Launch(self.name, grid, block, arguments)
        watcher.before(seen)
        launch(self, grid, block, arguments, **options)
        watcher.after(seen)

    EmulatedKernel.__call__ = call  # type: ignore[method-assign]
    try:
        with entered(1, None):
            yield
    finally:
        EmulatedKernel.__call__ = launch  # type: ignore[method-assign]


def solve(name: str, graph: Graph, watcher: Watcher, **options: int) -> None:
    """Compute all rows by a method of this package, while its launches are watched.

    They are read from the arrays of the launches.
    """
    with watched(watcher):
        problem = Problem(graph, np.dtype(np.int32), device="emulated", gpus=(0,))
        solver = registry.prepare(METHODS[name])(problem, **options)
        solver.fill(np.arange(graph.n, dtype=np.int32), np.empty((graph.n, graph.n), dtype=np.int32), None)


def host(array: Any) -> npt.NDArray[Any]:
    """A copy on the host, whatever the array is."""
    return np.array(array.get() if hasattr(array, "get") else array)
