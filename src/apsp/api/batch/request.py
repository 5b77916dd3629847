"""The request of a batch, and its memory."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from apsp.api import solve
from apsp.facts.dtypes import INTEGER_DTYPES
from apsp.graph.model import Graph
from apsp.semiring import Semiring
from apsp.system.place import gpu_of, is_on_gpu, to_host

__all__ = ["DTYPES", "BatchRequest", "candidates", "empty", "moved", "on", "solve_alone"]

DTYPES = (*INTEGER_DTYPES, "float32", "float64")


@dataclass
class BatchRequest:
    """The request: on a GPU (number) or the CPU (None)."""

    semiring: Semiring
    dtype: str
    threads: int
    gpu: int | None

    @property
    def device(self) -> str:
        """The device as in `solve`."""
        return "cpu" if self.gpu is None else f"cuda:{self.gpu}"


def candidates(dtype: np.dtype[Any], work: BatchRequest) -> list[str]:
    """Return the requested dtype; or that of the weights, and for integers the wider ones."""
    if work.dtype != "auto":
        return [work.dtype]
    if dtype.kind == "f":
        return ["float32" if dtype.itemsize <= 4 else "float64"]
    if dtype == np.uint16 and work.semiring.join == "add":
        return list(INTEGER_DTYPES)
    wide = dtype.itemsize == 8 or dtype == np.uint32
    return ["int64"] if wide else ["int32", "int64"]


def solve_alone(graph: Graph, name: str, work: BatchRequest) -> Any:
    """Distances of one graph by the solver for one graph."""
    return solve(
        graph, dtype=name, semiring=work.semiring.name, device=work.device, threads=work.threads
    ).distances  # fmt: skip


def moved(array: Any, gpu: int | None) -> Any:
    """The array on the device that does the work."""
    if gpu is None:
        return to_host(array)
    if is_on_gpu(array) and gpu_of(array) == gpu:
        return array
    from apsp.gpu import jit

    with on(gpu):
        return jit.cupy().asarray(to_host(array) if is_on_gpu(array) else array)


def empty(shape: Iterable[int], dtype: str, gpu: int | None) -> Any:
    """An uninitialised array on the host, or on the current GPU."""
    if gpu is None:
        return np.empty(tuple(shape), dtype=dtype)
    from apsp.gpu import jit

    return jit.cupy().empty(tuple(shape), dtype=dtype)


def on(gpu: int | None) -> AbstractContextManager[None]:
    """Work on this GPU; a lack of its memory raises MemoryLimitError."""
    if gpu is None:
        return nullcontext()
    from apsp.gpu.memory import on_gpu

    return on_gpu(gpu)
