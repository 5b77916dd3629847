"""A store filled by a method that computes the whole matrix: once, after which its bands are written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from apsp.errors import RequestError
from apsp.facts.request import Request
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.problem import KernelProgress, Solver
from apsp.planning.attempts import attempt
from apsp.planning.plan import Plan
from apsp.running.arguments import without_far_cycles
from apsp.running.planned_rows import filled
from apsp.running.storing.bands import BandSource
from apsp.store.header import StoreHeader, StoreInput, header_at
from apsp.store.storage import Storage
from apsp.system.array_device import to_host

__all__ = ["MatrixJob", "computes_matrix"]


def computes_matrix(request: Request, stored: StoreHeader | None) -> bool:
    """Whether the method of the request, or that on which the bits of a store depend, computes the whole matrix."""
    method = request.method
    if method == "auto" and stored is not None and stored.pinned:
        method = stored.method
    return method != "auto" and not registry.get(method).by_rows


@dataclass(frozen=True)
class MatrixJob:
    """A request for a whole matrix, which this process computes once."""

    any_threads: ClassVar[bool] = False
    storage: Storage
    problem: StoreInput
    options: Request

    def begin(self) -> tuple[Plan, dict[str, Any]]:
        """Compute the matrix: its errors come before there is a store."""
        return self._computed(self.options)

    def prepare(self, options: Request, prepared: dict[str, Any] | None = None) -> dict[str, Any]:
        """Compute the matrix, unless `begin` has done so for this store.

        Raises RequestError if its bits depend on blocks that were distributed over processes.
        """
        header = header_at(self.storage)
        if header is not None and header.pinned and "processes" in header.plan:
            raise RequestError(
                f"the store {self.storage.name} was begun by apsp.spmd.solve, on which its bits depend: complete it "
                "by that, or name another store"
            )
        return self._computed(replace(options, rows=None))[1] if prepared is None else prepared

    def work(self, matrix: dict[str, Any], header: StoreHeader) -> BandSource:
        """Return the bands of the matrix."""
        return _MatrixBands(matrix, header, self.options.threads)

    def _computed(self, options: Request) -> tuple[Plan, dict[str, Any]]:
        """Compute distances and predecessors, in host memory, in a file of pages or on the GPU.

        With the progress of the call, before that of the bands.
        """
        problem = self.problem
        request = replace(options.of_rows(problem.sources, problem.targets), mode="matrix")
        sources = np.arange(problem.graph.n, dtype=np.int32) if problem.sources is None else problem.sources

        def in_file(solver: Solver, _shape: tuple[int, int]) -> Any:
            whole = problem.sources is None and problem.targets is None
            return solver.output() if whole and request.pages_file is not None else None

        def work(part: Graph, plan: Plan) -> tuple[Plan, dict[str, Any]]:
            dist, pred, _ = filled(part, plan, sources, problem.targets, request, in_file)
            return plan, {"distances": dist} | ({} if pred is None else {"predecessors": pred})

        return without_far_cycles(
            problem.graph, problem.sources, lambda part: attempt(part, request, lambda plan: work(part, plan))[0]
        )


class _MatrixBands:
    """Bands of a matrix that is there."""

    stage = "rows written"

    def __init__(self, arrays: dict[str, Any], header: StoreHeader, threads: int | None) -> None:
        self.threads = threads
        self.band_bytes = sum(
            min(header.band_rows, len(array)) * array.shape[1] * array.dtype.itemsize for array in arrays.values()
        )
        self._arrays = arrays

    def compute(self, band: slice, progress: KernelProgress | None) -> dict[str, Any]:
        """Return the rows of a band, from the GPU if they are there."""
        found = {name: to_host(array[band]) for name, array in self._arrays.items()}
        if progress is not None:
            progress(len(found["distances"]))
        return found

    def close(self) -> None:
        """Free the matrix."""
        self._arrays = {}
