"""The arguments of `apsp.spmd`, validated."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from apsp._types import GraphLike
from apsp.errors import RequestError
from apsp.facts.request import Request
from apsp.facts.statistics import statistics_of
from apsp.graph.accept import as_graph
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.distributed import Connection, Distances
from apsp.methods.problem import Problem
from apsp.planning.dtype_choice import decide_dtype
from apsp.semiring import SEMIRINGS
from apsp.spmd.devices import device_of
from apsp.spmd.storing import Output
from apsp.system.arguments import flag, one_of, whole_number

__all__ = ["SpmdJob", "accepted", "block_of", "threads_of"]


def accepted(graph: GraphLike | None) -> Graph:
    """Return the graph of process 0.

    Raises GraphError or RequestError.
    """
    if graph is None:
        raise RequestError("process 0 needs the graph; the other processes may pass None")
    accepted = as_graph(graph)
    if isinstance(accepted, DeviceGraph):
        raise RequestError("the processes need a graph in host memory: apsp.from_dense(matrix.get())")
    return accepted


def block_of(block: Any) -> int | None:
    """Return the validated size of the blocks; None if it is chosen."""
    return None if block is None else whole_number(block, "block", least=1)


def threads_of(threads: Any) -> int:
    """Return the validated number of threads of a process of a closure."""
    return 1 if threads is None else whole_number(threads, "threads", least=1)


@dataclass(frozen=True)
class SpmdJob:
    """The validated request.

    Attributes
    ----------
    given : dict
        The options of the caller, without those that have been decided.
    """

    request: Request
    block: int | None
    given: dict[str, Any]

    @classmethod
    def of(
        cls, graph: Graph, dtype: Any, paths: Any, semiring: str, block: Any, threads: int | None, device: Any,
        to_store: bool,
    ) -> SpmdJob:  # fmt: skip
        """Choose the method and the dtype."""
        algebra = SEMIRINGS[one_of(semiring, "semiring", SEMIRINGS)]
        paths = flag(paths, "paths")
        if paths and not to_store:
            raise RequestError("paths=True stores predecessors: name a store; a result in memory needs none for paths")
        methods = [row for row in registry.automatic() if row.distributed and algebra.name in row.semirings]
        request = Request(
            dtype=dtype, method=methods[0].name, semiring=algebra, threads=threads or 1, paths=paths,
            device=device_of(device),
        )  # fmt: skip
        statistics = statistics_of(graph, sums=algebra.join == "add")
        size = block_of(block)
        return cls(replace(request, dtype=decide_dtype(statistics, request)[0]), size, vars(request))

    def for_store(self, output: Output) -> SpmdJob:
        """The request with what a store that exists has fixed."""
        header = output.header
        if header is None:
            return self
        request = replace(self.request, dtype=header.dtype)
        return replace(self, request=request, block=output.block_size)

    def matrix(self, graph: Graph, connection: Connection, gpu: int | None) -> Distances:
        """Allocate the part of this process."""
        found: Distances = self.module.prepare(self.problem(graph, gpu), connection, self.block)
        return found

    def problem(self, graph: Graph, gpu: int | None = None) -> Problem:
        """What every process solves its part of, on a GPU if one is named."""
        request = self.request
        return Problem(
            graph, np.dtype(request.dtype), semiring=request.semiring, threads=request.threads or 1,
            device=request.device, gpus=() if gpu is None else (gpu,),
        )  # fmt: skip

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the distances."""
        return np.dtype(self.request.dtype)

    @property
    def module(self) -> Any:
        """The module of the method that is distributed."""
        name = registry.get(self.request.method).distributed
        assert name is not None
        return importlib.import_module(name)
