"""The request of a batch, and its memory."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from apsp.api.solving import solve
from apsp.facts.dtypes import INTEGER_DTYPES
from apsp.graph.model import Graph
from apsp.result.result import Result
from apsp.semiring import Semiring
from apsp.system.array_device import gpu_of, is_on_gpu, to_host

__all__ = [
    "DTYPES", "BatchRequest", "candidates", "empty", "gpu_for", "moved", "of_package", "on", "solve_alone",
]  # fmt: skip

DTYPES = (*INTEGER_DTYPES, "float32", "float64")


@dataclass
class BatchRequest:
    """The request: on a GPU (number) or the CPU (None)."""

    semiring: Semiring
    dtype: str
    threads: int
    gpu: int | None
    paths: bool

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
    dtype = dtype.newbyteorder("=")
    if dtype == np.uint16 and work.semiring.join == "add":
        return list(INTEGER_DTYPES)
    wide = dtype.itemsize == 8 or dtype == np.uint32
    return ["int64"] if wide else ["int32", "int64"]


def solve_alone(graph: Graph, name: str, work: BatchRequest) -> Result:
    """The result of the solver for one graph."""
    return solve(
        graph, paths=work.paths, dtype=name, semiring=work.semiring.name, device=work.device, threads=work.threads
    )  # fmt: skip


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


def gpu_for(numbers: tuple[int, ...], given: Any) -> int:
    """The number of the GPU to compute on: the named one, that of the array, or the first one that can be used."""
    if not numbers and is_on_gpu(given):
        return gpu_of(given)
    from apsp.facts.devices import chosen_gpus
    from apsp.gpu import jit
    from apsp.gpu.gpus import with_gpus
    from apsp.system.machine import Machine

    jit.cupy()
    return chosen_gpus(numbers, with_gpus(Machine.detect()).gpus)[0]


def of_package(result: Any, like: Any) -> Any:
    """The result as an array of the package of `like`, on the same memory."""
    package = type(like).__module__.partition(".")[0]
    if package == "torch":
        return sys.modules["torch"].from_dlpack(result)
    if package in ("jax", "jaxlib"):
        return sys.modules["jax"].dlpack.from_dlpack(result)
    return result
