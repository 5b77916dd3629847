"""A store filled by a method that computes the whole matrix: once, after which its bands are written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from apsp.errors import RequestError
from apsp.facts.request import Request
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.problem import KernelProgress, Solver
from apsp.planning.attempts import attempt
from apsp.planning.plan import Plan
from apsp.running.arguments import without_far_cycles
from apsp.running.filling import filled
from apsp.running.options import RunOptions
from apsp.running.storing.computing import Computer
from apsp.running.storing.runner import as_begun, is_plan_of
from apsp.store.header import StoreHeader, StoreInput
from apsp.store.storage import Storage
from apsp.system.array_device import to_host
from apsp.system.machine import threads_named

__all__ = ["WholeRunner", "is_whole"]


def is_whole(request: Request, stored: StoreHeader | None) -> bool:
    """Whether the method of the request, or that on which the bits of a store depend, computes the whole matrix."""
    method = request.method
    if method == "auto" and stored is not None and stored.pinned:
        method = stored.method
    return method != "auto" and not registry.get(method).by_rows


@dataclass(frozen=True)
class _Whole:
    """The whole matrix, in host memory, in a file of pages or on the GPU."""

    plan: Plan
    arrays: dict[str, Any]


class WholeRunner:
    """The process of the call.

    Parameters
    ----------
    storage : Storage
    problem : StoreInput
    options : RunOptions
    """

    workers = 1

    def __init__(self, storage: Storage, problem: StoreInput, options: RunOptions) -> None:
        self._storage, self._problem, self._options = storage, problem, options
        self._whole: _Whole | None = None

    def plan(self) -> Plan:
        """Compute the matrix: its errors come before there is a store."""
        self._whole = self._computed(self._options)
        return self._whole.plan

    def bands_of(self, header: StoreHeader) -> Computer:
        """Compute the matrix, unless `plan` has done so for this store.

        Raises
        ------
        RequestError
            If its bits depend on blocks that were distributed over processes.
        """
        if header.pinned and "processes" in header.plan:
            raise RequestError(
                f"the store {self._storage.name} was begun by apsp.spmd.solve, on which its bits depend: complete it "
                "by that, or name another store"
            )
        whole, self._whole = self._whole, None
        if whole is None or not is_plan_of(whole.plan, header):
            whole = self._computed(replace(as_begun(self._options, header), rows=None))
        return Computer(self._storage, header, _WholeWork(whole, header, threads_named(self._options.threads)))

    def close(self) -> None:
        """Free the matrix, if no band was to be written."""
        self._whole = None

    def _computed(self, options: RunOptions) -> _Whole:
        """Compute the matrix, with the progress of the call, before that of the bands."""
        problem = self._problem
        request = replace(options.request(problem.sources, problem.targets), mode="matrix")
        sources = np.arange(problem.graph.n, dtype=np.int32) if problem.sources is None else problem.sources

        def in_file(solver: Solver, _shape: tuple[int, int]) -> Any:
            whole = problem.sources is None and problem.targets is None
            return solver.output() if whole and request.pages_file is not None else None

        def work(part: Graph, plan: Plan) -> _Whole:
            dist, pred, _ = filled(part, plan, sources, problem.targets, request, options.progress, in_file)
            return _Whole(plan, {"distances": dist} | ({} if pred is None else {"predecessors": pred}))

        return without_far_cycles(
            problem.graph, problem.sources,
            lambda part: attempt(part, request, lambda plan: work(part, plan))[0],
        )  # fmt: skip


class _WholeWork:
    """Bands of a matrix that is there."""

    stage = "rows written"

    def __init__(self, whole: _Whole, header: StoreHeader, threads: int | None) -> None:
        self.threads = threads
        self.band_bytes = sum(
            min(header.band_rows, len(array)) * array.shape[1] * array.dtype.itemsize for array in whole.arrays.values()
        )
        self._arrays = whole.arrays

    def compute(self, band: slice, progress: KernelProgress | None) -> dict[str, Any]:
        """Return the rows of a band, from the GPU if they are there."""
        found = {name: to_host(array[band]) for name, array in self._arrays.items()}
        if progress is not None:
            progress(len(found["distances"]))
        return found

    def close(self) -> None:
        """Free the matrix."""
        self._arrays = {}
