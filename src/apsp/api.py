"""The front door: validate, plan, solve, hand over the result."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp.cuda.memory import free_on_failure
from apsp.errors import DeviceError, MemoryLimitError, RequestError
from apsp.graph.accept import as_graph
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.output import apart, checked, new_array, taken, wait_for
from apsp.place import gpu_of, is_on_gpu
from apsp.plan.attempts import attempt
from apsp.plan.planner import Plan, Request, plan_for
from apsp.progress import Progress, offset, reporting
from apsp.result import Result
from apsp.semiring import SEMIRINGS
from apsp.solvers import registry
from apsp.solvers.problem import IntArray, Problem, RowSums, Solver

if TYPE_CHECKING:
    from apsp.solvers.dense.closure import Reachability

__all__ = ["Block", "plan", "reachable", "solve", "stream", "stream_sums", "vertices_of"]

Vertices = Any
"""A sequence of vertex numbers or names, or None for all."""


def solve(
    graph: Any,
    *,
    sources: Vertices = None,
    targets: Vertices = None,
    cutoff: float | None = None,
    dtype: str = "auto",
    paths: bool = False,
    method: str = "auto",
    device: str = "auto",
    gpu_memory: int | str | None = None,
    pages_file: str | Path | None = None,
    semiring: str = "min_plus",
    out: Any = None,
    threads: int | None = None,
    progress: Progress = False,
) -> Result:
    """All shortest distances, and paths if asked, at once in memory.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        A dense array on a GPU (CuPy, PyTorch, JAX: DLPack) is read where it lies, and with device='auto' the
        distances are computed there and stay there.
    sources, targets : sequence of int or str, optional
        Rows and columns to compute; all n by default.
    cutoff : int or float, optional
        Longest distance of interest, itself included; longer ones come out as "no path".
    dtype : {'auto', 'uint16', 'int32', 'int64', 'float32', 'float64'}
        'auto' takes the narrowest that provably holds every distance exactly (integers), or the weights' own (floats).
    paths : bool
        Keep predecessors: 4 bytes a pair, and paths without a search.
    method : str
        'auto' or a name from `apsp.methods()`.
    device : 'auto', 'cpu', 'cuda', 'cuda:1' or 'cuda:0,2'
        'auto' takes what is faster, and the result lies in host memory. 'cuda' is the first GPU, 'cuda:1' the GPU of
        that number, 'cuda:0,2' both of these; the result stays there where it fits.
    gpu_memory : int or str, optional
        Most bytes to use of each GPU, or '16GiB'; by default APSP_GPU_MEMORY, or all that is free.
    pages_file : path, optional
        Keep the matrix in this file while computing on a GPU: the same call resumes a run that was stopped.
    semiring : {'min_plus', 'max_min', 'min_max'}
        Shortest, widest or minimax paths.
    out : (S, T) array, optional
        Where to write the distances; its dtype must be the planned one (give `dtype` as well, or ask `apsp.plan`).
        NumPy, or a writable array of the GPU that computes (CuPy, PyTorch, ...: DLPack).
    threads : int, optional
        CPU threads; by default APSP_NUM_THREADS or all cores.
    progress : bool or callable
        True draws a bar; a callable gets (stage, done, total).

    Returns
    -------
    Result

    Raises
    ------
    GraphError, RequestError, UnknownMethodError, MethodRefusedError, DtypeRangeError, DeviceError
        If the input or the request makes no sense.
    NegativeCycleError
        With the cycle.
    MemoryLimitError
        Before the work, if it does not fit; the message says what would.
    """
    out = taken(out)
    if is_on_gpu(out) and device == "auto":
        device = f"cuda:{gpu_of(out)}"
    graph, rows, columns, request = _asked(
        graph, sources, targets, cutoff=cutoff, dtype=dtype, paths=paths, method=method, device=device,
        gpu_memory=gpu_memory, pages_file=pages_file, threads=threads, semiring=semiring, out_given=out is not None,
    )  # fmt: skip
    apart(out, graph)
    wanted = np.arange(graph.n, dtype=np.int32) if rows is None else rows
    info: dict[str, Any] = {}

    def work(decided: Plan) -> tuple[Any, Any]:
        started = time.perf_counter()
        solver = _prepare(graph, decided, columns, request)
        gpu = _stays_on(request, decided)
        shape = (len(wanted), graph.n if columns is None else len(columns))
        here = decided.gpus[0] if decided.gpus else None
        if out is not None:
            dist = checked(out, shape, decided.dtype, here)
        elif decided.pages_file is not None and rows is None and columns is None:
            dist = solver.output()  # type: ignore[attr-defined] # what keeps pages in a file can give them as the result
        else:
            dist = new_array(shape, decided.dtype, gpu)
        pred = new_array((len(wanted), graph.n), np.int32, gpu if is_on_gpu(dist) else None) if paths else None
        with reporting(progress) as report:
            solver.fill(wanted, dist, pred, offset(report, decided.method, 0, len(wanted)))
        if out is not None:
            wait_for(dist)
        elif decided.pages_file is not None:
            dist.flags.writeable = False  # what would be written would be in the file
        info.update(_facts(decided, getattr(solver, "ran_on", decided.device)), seconds=time.perf_counter() - started)
        return dist, pred

    (dist, pred), note = attempt(graph, request, work)
    info |= {} if note is None else {"note": note}
    return Result(
        graph, dist, sources=rows, targets=columns, pred=pred, cutoff=request.cutoff,
        semiring=request.semiring, info=info,
    )  # fmt: skip


def plan(
    graph: Any,
    *,
    sources: Vertices = None,
    targets: Vertices = None,
    cutoff: float | None = None,
    dtype: str = "auto",
    paths: bool = False,
    method: str = "auto",
    device: str = "auto",
    gpu_memory: int | str | None = None,
    pages_file: str | Path | None = None,
    semiring: str = "min_plus",
    threads: int | None = None,
) -> Plan:
    """What `solve` with the same arguments would run, why, how long and with how many bytes.

    `Plan.explain()` says it in sentences. Raises what `solve` would raise before its work.
    """
    graph, _, _, request = _asked(
        graph, sources, targets, cutoff=cutoff, dtype=dtype, paths=paths, method=method, device=device,
        gpu_memory=gpu_memory, pages_file=pages_file, threads=threads, semiring=semiring,
    )  # fmt: skip
    return plan_for(graph, request)


@dataclass(frozen=True)
class Block:
    """Some rows of the distances.

    Attributes
    ----------
    sources : (R,) int32
    dist : (R, T) array
        dist[i, j] from sources[i] to the j-th target; `apsp.unreachable(dist.dtype)` where there is no path.
    pred : (R, n) int32 or None
    """

    sources: IntArray
    dist: npt.NDArray[Any]
    pred: IntArray | None = None


def stream(
    graph: Any,
    *,
    rows: int | None = None,
    sources: Vertices = None,
    targets: Vertices = None,
    cutoff: float | None = None,
    dtype: str = "auto",
    paths: bool = False,
    method: str = "auto",
    device: str = "auto",
    gpu_memory: int | str | None = None,
    pages_file: str | Path | None = None,
    threads: int | None = None,
    reuse: bool = False,
    progress: Progress = False,
) -> Iterator[Block]:
    """The same distances as `solve`, a block of rows at a time: for results that do not fit in memory.

    Parameters
    ----------
    rows : int, optional
        Rows a block; by default as many as fit in an eighth of the memory, at most 256 MiB.
    reuse : bool
        Hand out the same arrays again and again: faster, but copy what you keep.
    graph, sources, targets, cutoff, dtype, paths, method, device, gpu_memory, pages_file, threads, progress
        As for `solve`.

    Yields
    ------
    Block

    Raises
    ------
    As `solve`, at the call (a negative cycle too), not at the first block.
    """
    if rows is not None and rows < 1:
        raise RequestError(f"rows must be at least 1, not {rows}")
    graph, chosen, columns, request = _asked(
        graph, sources, targets, cutoff=cutoff, dtype=dtype, paths=paths, method=method, device=device,
        gpu_memory=gpu_memory, pages_file=pages_file, threads=threads, mode="stream", rows=rows,
    )  # fmt: skip
    decided = plan_for(graph, request)
    solver = _prepare(graph, decided, columns, request)
    wanted = np.arange(graph.n, dtype=np.int32) if chosen is None else chosen
    width = graph.n if columns is None else len(columns)
    return _blocks(solver, decided, wanted, (width, graph.n if paths else None), reuse, progress)


def stream_sums(
    graph: Any, *, rows: int | None = None, sources: Vertices = None, progress: Progress = False, **options: Any
) -> Iterator[Block | RowSums]:
    """What `summarize` wants of all rows: their sums where the method takes them on the way, else blocks of them.

    Parameters
    ----------
    graph, rows, sources, progress, **options
        As for `stream`.
    """
    if rows is not None and rows < 1:
        raise RequestError(f"rows must be at least 1, not {rows}")
    graph, chosen, columns, request = _asked(graph, sources, None, mode="stream", rows=rows, **_STREAMED | options)
    decided = plan_for(graph, request)
    solver = _prepare(graph, decided, columns, request)
    wanted = np.arange(graph.n, dtype=np.int32) if chosen is None else chosen
    return _sums(solver, decided, wanted, graph.n, progress)


_STREAMED: dict[str, Any] = {
    "cutoff": None, "dtype": "auto", "method": "auto", "device": "auto", "gpu_memory": None, "pages_file": None,
    "threads": None,
}  # fmt: skip
_SUMS_AT_ONCE = 16_384
"""Sources whose sums are taken in one call of a solver."""


def _sums(solver: Solver, decided: Plan, wanted: IntArray, width: int, progress: Progress) -> Iterator[Block | RowSums]:
    measure = getattr(solver, "measure", None)
    first = None if measure is None else measure(wanted[:0])
    if measure is None or first is None:
        yield from _blocks(solver, decided, wanted, (width, None), True, progress)
        return
    with reporting(progress) as report:
        for start in range(0, len(wanted), _SUMS_AT_ONCE):
            told = offset(report, decided.method, start, len(wanted))
            yield measure(wanted[start : start + _SUMS_AT_ONCE], told)


def _blocks(
    solver: Solver, decided: Plan, wanted: IntArray, widths: tuple[int, int | None], reuse: bool, progress: Progress
) -> Iterator[Block]:
    height = min(decided.block_rows, len(wanted))
    dist: npt.NDArray[Any] | None = None
    pred: IntArray | None = None
    with reporting(progress) as report:
        for start in range(0, len(wanted), max(height, 1)):
            part = wanted[start : start + height]
            if dist is None or not reuse:
                dist = np.empty((len(part), widths[0]), dtype=decided.dtype)
                pred = None if widths[1] is None else np.empty((len(part), widths[1]), dtype=np.int32)
            block = Block(part, dist[: len(part)], None if pred is None else pred[: len(part)])
            solver.fill(block.sources, block.dist, block.pred, offset(report, decided.method, start, len(wanted)))
            yield block


def reachable(
    graph: Any,
    *,
    device: str = "auto",
    gpu_memory: int | str | None = None,
    threads: int | None = None,
    progress: Progress = False,
) -> Reachability:
    """Which vertices can be reached from which (the transitive closure), one bit a pair; weights are ignored.

    Every vertex reaches itself. n^2 / 8 bytes.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
    device : {'auto', 'cpu', 'cuda', 'cuda:1', 'cuda:0,1'}
        'auto' takes a GPU where there is one and the graph is large, and returns the bits to the host; with one GPU
        named they stay there, as a CuPy array, if they fit.
    gpu_memory : int or str, optional
        Bytes of each GPU that may be used, or words such as '16GiB'; by default all that are free.
    threads : int, optional
        CPU threads; by default APSP_NUM_THREADS or all cores.
    progress : bool or callable
        True draws a bar; a callable gets (stage, done, total).

    Raises
    ------
    GraphError, RequestError, DeviceError
        If the input or the request makes no sense, or there is no such GPU.
    MemoryLimitError
        Before the work, if it does not fit.
    """
    from apsp.plan.closure import check_closure_memory, closure_gpus
    from apsp.plan.devices import gpu_memory_from, parse_bytes
    from apsp.plan.machine import threads_from
    from apsp.solvers.dense.closure import Reachability, closure
    from apsp.solvers.dense.closure_by_strips import closure_on_gpus

    graph = as_graph(graph)
    gpus = closure_gpus(graph.n, device)
    limit = gpu_memory_from(None if gpu_memory is None else parse_bytes(gpu_memory, "gpu_memory"))
    if len(gpus) != 1 or device == "auto":  # the bits come to the host
        check_closure_memory(graph.n)
    with reporting(progress) as report:
        tell = offset(report, "closure", 0, graph.n)
        if gpus:
            try:
                with free_on_failure(gpus):
                    bits = closure_on_gpus(graph, gpus, limit, tell)
                    on_host = isinstance(bits, np.ndarray) or device != "auto"
                    return Reachability(graph.n, bits if on_host else bits.get())
            except (MemoryLimitError, DeviceError):
                if device != "auto":
                    raise  # nobody asked for a GPU otherwise, and the CPU does the work
        return Reachability(graph.n, closure(graph, threads_from(threads), tell))


def _asked(
    graph: Any, sources: Vertices, targets: Vertices, *, semiring: str = "min_plus", **options: Any
) -> tuple[Graph, IntArray | None, IntArray | None, Request]:
    """The validated graph, sources and targets, and the request for the planner."""
    graph = as_graph(graph)
    if semiring not in SEMIRINGS:
        raise RequestError(f"unknown semiring {semiring!r}; there are: {', '.join(SEMIRINGS)}")
    if isinstance(graph, DeviceGraph) and options["device"] == "auto" and "mode" not in options:
        method = options["method"]
        if method == "auto" or "cuda" in registry.get(method).devices:
            options["device"] = f"cuda:{gpu_of(graph.matrix)}"
    rows, columns = vertices_of(graph, sources, "sources"), vertices_of(graph, targets, "targets")
    options["sources"] = None if rows is None else len(rows)
    options["targets"] = None if columns is None else len(columns)
    return graph, rows, columns, Request(semiring=SEMIRINGS[semiring], **options)


def _prepare(graph: Graph, decided: Plan, targets: IntArray | None, request: Request) -> Solver:
    problem = Problem(
        graph,
        decided.dtype,
        semiring=request.semiring,
        targets=targets,
        cutoff=request.cutoff,
        threads=decided.threads,
        device=decided.device,
        gpus=decided.gpus,
        gpu_memory=decided.gpu_memory,
        pages_file=decided.pages_file,
        matrix_in=decided.matrix_in if decided.gpus else None,
    )
    solver: Solver = registry.load(registry.get(decided.method)).prepare(problem)
    return solver


def _facts(decided: Plan, ran_on: str) -> dict[str, Any]:
    """What `Result.info` says about a run, without its seconds."""
    facts = {"method": decided.method, "device": ran_on, "threads": decided.threads, "dtype": decided.dtype.name}
    on_gpus = {"gpus": list(decided.gpus), "matrix_in": decided.matrix_in}
    return facts | on_gpus if ran_on == "cuda" else facts


def _stays_on(request: Request, decided: Plan) -> int | None:
    """The GPU in whose memory the results stay: where one was asked for by name, and holds the matrix."""
    asked = request.device == "cuda" and decided.matrix_in == "device"
    return decided.gpus[0] if asked and decided.gpus else None


def vertices_of(graph: Graph, chosen: Vertices, word: str) -> IntArray | None:
    """Vertex numbers of what the user gave as sources or targets."""
    if chosen is None:
        return None
    if isinstance(chosen, (int, str, np.integer)):
        chosen = [chosen]
    if isinstance(chosen, np.ndarray) and chosen.ndim == 1 and chosen.dtype.kind in "UO":
        chosen = chosen.tolist()
    if not isinstance(chosen, Iterable):
        raise RequestError(f"{word} must be a sequence of vertex numbers or names, not {chosen!r}")
    numbers = [graph.vertex(vertex) for vertex in chosen] if not isinstance(chosen, np.ndarray) else chosen
    array = np.asarray(numbers)
    if array.size == 0:
        return np.empty(0, dtype=np.int32)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        mask = " (numpy.flatnonzero turns a mask into numbers)" if array.dtype.kind == "b" else ""
        raise RequestError(f"{word} must be a sequence of vertex numbers or names{mask}")
    wrong = array[(array < 0) | (array >= graph.n)]
    if len(wrong):
        raise RequestError(f"{word} names vertex {wrong[0]}, but the graph has vertices 0 to {graph.n - 1}")
    return array.astype(np.int32)
