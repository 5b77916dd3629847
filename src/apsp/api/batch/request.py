"""The request of a batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from apsp.api.solving import solve
from apsp.facts.dtypes import INTEGER_DTYPES
from apsp.graph.model import Graph
from apsp.result.result import Result
from apsp.semiring import Semiring
from apsp.system.array_device import gpu_of, is_on_gpu

__all__ = ["DTYPES", "BatchRequest", "candidates", "gpu_for", "solve_alone"]

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
