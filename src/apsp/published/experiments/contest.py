"""One contestant on one graph, ready to run.

Methods are looked up by name in the registry at run time; for those that cannot run, the reason is recorded. GPU
methods leave their distances on the GPU, others in host memory; the arrays are written once beforehand, so that no run
includes their first touch. On an emulated GPU a run is counted instead of timed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import api
from apsp.api.reaching import bits_of
from apsp.errors import ApspError
from apsp.gpu.gpus import with_gpus
from apsp.gpu.recorder import Recorder, recording
from apsp.graph.model import Graph
from apsp.methods import emulated as emulated_solvers
from apsp.methods import registry
from apsp.methods.closure.closure import Reachability
from apsp.methods.problem import KernelProgress, Problem, Solver
from apsp.planning.plan import Plan
from apsp.published.experiments.counting import can_emulate
from apsp.published.experiments.model import Contestant
from apsp.running.output import new_array, wait_for
from apsp.semiring import SEMIRINGS, Semiring, is_unreachable
from apsp.system.array_device import to_host
from apsp.system.machine import Machine

__all__ = ["NotRunError", "Run", "device_of", "ready"]

Rows = npt.NDArray[np.int32]


class NotRunError(Exception):
    """A contestant cannot run here, for the given reason; `lacks` names what the machine lacks."""

    def __init__(self, reason: str, lacks: str | None = None) -> None:
        super().__init__(reason)
        self.lacks = lacks


@dataclass(frozen=True)
class Run:
    """A contestant that is ready.

    Attributes
    ----------
    work : callable
        Everything from the graph in host memory to the finished (n, n) array, which the next call overwrites.
    rows : callable
        Takes sources; returns rows of the result of `work` on the host: distances, or whether there is a path.
    method, device, dtype : str
        Of the plan.
    timings : callable
        Timings of the last run of the solver: seconds of 'kernels', 'recording_share'; may be empty.
    expected : float
        Seconds expected by the plan; 0 without a plan.
    """

    work: Callable[[KernelProgress | None], None]
    rows: Callable[[Rows], npt.NDArray[Any]]
    method: str
    device: str
    dtype: str
    timings: Callable[[], Mapping[str, float]] = dict
    expected: float = 0.0

    def count(self, progress: KernelProgress | None) -> Recorder:
        """Run on the emulated GPU, and count."""
        with recording() as recorder:
            self.work(progress)
        return recorder


def ready(
    graph: Graph,
    contestant: Contestant,
    problem: str,
    threads: int | None,
    *,
    emulated: bool = False,
    sources: Rows | None = None,
) -> Run:
    """Plan the run and allocate its arrays.

    Parameters
    ----------
    problem : 'distances' or 'closure'
    threads : int or None
        For contestants without a number of threads.
    emulated : bool
        Use emulated GPUs in place of real ones.
    sources : (r,) int32, optional
        Compute these rows only, in ascending order.

    Raises
    ------
    NotRunError
        If there is no such method, GPU or memory, or the method does not accept the graph.
    """
    threads = contestant.threads or threads
    device = device_of(contestant, emulated=emulated)
    try:
        if contestant.method == "reachable":
            return _reachable(graph, "auto", device, threads)
        if contestant.method in registry.CLOSURES:
            return _reachable(graph, contestant.method, device, threads)
        semirings = () if contestant.method == "auto" else registry.get(contestant.method).semirings
        semiring = "or_and" if problem == "closure" and "or_and" in semirings else "min_plus"
        plan = api.plan(
            graph, method=contestant.method, device=device, threads=threads, paths=contestant.paths, semiring=semiring
        )
        rows = np.arange(graph.n, dtype=np.int32) if sources is None else sources
        stays, closure = device.startswith("cuda"), problem == "closure"
        return _solver(graph, contestant, plan, SEMIRINGS[semiring], rows, closure=closure, stays=stays)
    except (ApspError, MemoryError) as error:
        raise NotRunError(str(error)) from error


def device_of(contestant: Contestant, *, emulated: bool = False) -> str:
    """Return the device for the planner; NotRunError if the method or the GPU does not exist."""
    if contestant.method not in ("auto", "reachable", *registry.CLOSURES, *registry.METHODS):
        raise NotRunError(f"this version has no method {contestant.method!r}")
    device = contestant.device or _first_device(contestant.method)
    if device not in ("cuda", "gpus"):
        return device
    if emulated and not contestant.is_tuned:
        if not can_emulate():
            raise NotRunError("it needs a GPU, and this build has no emulated one", "a CUDA GPU")
        return "emulated:0,1" if device == "gpus" else "emulated"
    machine = with_gpus(Machine.detect())
    usable = [str(number) for number, gpu in enumerate(machine.gpus) if gpu.unusable is None]
    if not usable:
        raise NotRunError(f"it needs a GPU: {machine.no_gpu}", "a CUDA GPU")
    if device == "gpus" and len(usable) < 2:
        raise NotRunError("it needs at least two GPUs", "two CUDA GPUs")
    return f"cuda:{','.join(usable)}" if device == "gpus" else f"cuda:{usable[0]}"


def _first_device(method: str) -> str:
    return (registry.CLOSURES.get(method) or registry.get(method)).devices[0]


def _solver(
    graph: Graph,
    contestant: Contestant,
    plan: Plan,
    semiring: Semiring,
    sources: Rows,
    *,
    closure: bool,
    stays: bool,
) -> Run:
    """Return the solver of the plan, prepared as by `apsp.solve`, with the options of the contestant."""
    request = Problem(
        graph, plan.dtype, semiring=semiring, threads=plan.threads, device=plan.device, gpus=plan.gpus,
        gpu_memory=plan.gpu_memory, matrix_in=plan.matrix_in if plan.gpus else None,
    )  # fmt: skip
    row = registry.get(plan.method)
    ends_on_host = row.family == "published" and not row.by_rows  # in their papers, the matrix ends on the host
    gpu = plan.gpus[0] if stays and plan.matrix_in == "device" and not ends_on_host else None
    shape = (len(sources), graph.n)
    dist = new_array(shape, plan.dtype, gpu)
    dist[...] = 0
    pred = new_array(shape, np.int32, gpu) if contestant.paths else None
    if pred is not None:
        pred[...] = 0
    prepare = _prepare(registry.prepare(row), contestant.options)
    timings: dict[str, float] = {}

    def work(progress: KernelProgress | None) -> None:
        solver = emulated_solvers.prepare(prepare, request)
        solver.fill(sources, dist, pred, progress)
        wait_for(dist)
        timings.clear()
        timings.update(solver.timings)

    def rows(wanted: Rows) -> npt.NDArray[Any]:
        found = to_host(dist[np.searchsorted(sources, wanted)])
        if not closure:
            return found
        return found != 0 if semiring.name == "or_and" else np.logical_not(is_unreachable(found))

    where = plan.device if len(plan.gpus) < 2 else f"{len(plan.gpus)} x {plan.device}"
    return Run(work, rows, plan.method, where, plan.dtype.name, lambda: timings, plan.seconds)


def _prepare(prepare: Callable[..., Solver], options: Mapping[str, Any]) -> Callable[[Problem], Solver]:
    """`prepare` of a method with options, which are its keyword arguments."""
    unknown = [name for name in options if name not in inspect.signature(prepare).parameters]
    if unknown:
        raise NotRunError(f"the method has no option {', '.join(unknown)}")
    return partial(prepare, **options)


def _reachable(graph: Graph, method: str, device: str, threads: int | None) -> Run:
    """A transitive closure of this package, or a published one by name."""
    found: list[Any] = []
    timings: dict[str, float] = {}
    plan = None
    if method != "auto":
        plan = api.plan(graph, for_="reachable", method=method, device=device, threads=threads)

    def work(progress: KernelProgress | None) -> None:
        found.clear()
        if plan is not None:
            found.append(Reachability(graph.n, bits_of(graph, plan, progress, timings)))
            return

        def report(_stage: str, done: int, _total: int) -> None:
            if progress is not None:
                progress(done)

        reporter = report if progress else False
        found.append(api.reachable(graph, device=device, threads=threads, progress=reporter))

    def rows(wanted: Rows) -> npt.NDArray[Any]:
        return np.stack([np.asarray(to_host(found[0].row(int(row))), dtype=bool) for row in wanted])

    name, kind = "reachable" if method == "auto" else method, device.partition(":")[0]
    return Run(work, rows, name, kind, "bits", lambda: timings, 0.0 if plan is None else plan.seconds)
