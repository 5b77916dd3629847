"""All distances at once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack, cast

import numpy as np

from apsp._types import AnyArray, GraphLike, SemiringName, VerticesLike
from apsp.errors import RequestError
from apsp.facts.keywords import SolveKeywords
from apsp.facts.request import Request
from apsp.facts.ties import check_comparable, comparable_cutoff
from apsp.graph.accept import graph_with_turns
from apsp.graph.model import Graph
from apsp.graph.places import Places
from apsp.graph.places.placed import placed
from apsp.graph.turns.turn_graph import TurnGraph, refuse_turns
from apsp.methods.problem import IntArray, Solver
from apsp.planning.attempts import attempt
from apsp.planning.planner import Plan
from apsp.result.result import Result
from apsp.running.arguments import requested, without_far_cycles
from apsp.running.output import apart, checked, taken, wait_for
from apsp.running.planned_rows import filled
from apsp.running.public import public
from apsp.semiring import MIN_PLUS, is_unreachable
from apsp.system.arguments import flag
from apsp.system.array_device import gpu_of, is_on_gpu, to_host
from apsp.system.checksums import Unchecked
from apsp.system.machine import threads_from
from apsp.system.progress import Progress, offset, reporting

__all__ = ["solve"]


@public
def solve(
    graph: GraphLike | TurnGraph,
    *,
    sources: VerticesLike | Places | None = None,
    targets: VerticesLike | Places | None = None,
    counts: bool = False,
    semiring: SemiringName = "min_plus",
    out: AnyArray | None = None,
    **keywords: Unpack[SolveKeywords],
) -> Result:
    """Compute all shortest distances, and paths if requested, at once in memory, or band by band in a store.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        A dense array on a GPU (CuPy, PyTorch, JAX: DLPack) is not copied, and with device='auto' the distances are
        computed there and stay there.
    sources, targets : vertex or sequence of vertices, or Places, optional
        Rows and columns to compute, as the graph labels its vertices; all n by default. A value that is a label itself
        is one vertex, also a tuple; a range, list, array, pandas index or series gives one vertex per item. Of places
        see Notes.
    counts : bool
        Count the shortest paths of every pair (`Result.counts`), on the CPU: about the time of a search per source, and
        8 bytes per pair of host memory.
    semiring : {'min_plus', 'max_min', 'min_max'}
        Shortest, widest or minimax paths.
    out : (S, T) array, optional
        Array for the distances; its dtype must be the planned one (pass `dtype` too, or see `apsp.plan`). NumPy, or a
        writable array on the GPU that computes (CuPy, PyTorch, ...: DLPack).
    cutoff : int or float, optional
        Maximum distance; larger distances become "no path". Integers are compared exactly; infinity includes all. The
        result has all pairs of rows and columns; `apsp.within` keeps only those within the cutoff.
    dtype : {'auto', 'uint16', 'int32', 'int64', 'float32', 'float64'}
        'auto' chooses the narrowest that provably holds every distance exactly (integers), or that of the weights
        (floats).
    paths : bool
        Keep predecessors: 4 bytes per pair, and paths need no search.
    method : str
        'auto' or a name from `apsp.list_methods()`.
    device : 'auto', 'cpu', 'cuda', 'cuda:1', 'cuda:0,2' or 'emulated'
        'auto' chooses what is faster, and the result is in host memory. 'cuda' is the first GPU, 'cuda:1' the GPU with
        this number, 'cuda:0,2' both of these; the result stays there if it fits. 'emulated' runs GPU kernels on the CPU
        ('emulated:0,1': as on two GPUs), as does 'auto' for published methods if there is no GPU.
    gpu_memory : int or str, optional
        Maximum number of bytes to use of each GPU, or text such as '16GiB'; by default APSP_GPU_MEMORY, or all that is
        free.
    pages_file : path, optional
        Store the matrix in this file while computing on a GPU: the same call resumes a run that was stopped.
    threads : int, optional
        CPU threads; by default APSP_NUM_THREADS or all cores, fewer if more would not be faster.
    executor : 'processes', concurrent.futures.Executor or dask.distributed.Client, optional
        With `store`: the workers of this engine compute the rows, and write them into the store, which all must see.
        `threads` is then the number per worker.
    store : str, Path or store of obstore, optional
        Write bands of rows into this store as they are computed: a folder, such as 'distances.zarr', or a URL, such as
        's3://bucket/distances.zarr'. The same call goes on in a store that was not completed (see Notes).
    progress : bool or callable
        True draws a bar; a callable is called as progress(stage, done, total).

    Returns
    -------
    Result
        Distances, paths, and a description of the run.

    Raises
    ------
    GraphError, RequestError, UnknownMethodError, MethodRefusedError, DtypeRangeError, DeviceError
        If the input or the request is invalid; with `counts`, also if shortest paths of a pair pass a cycle of length
        zero other than there and back along a tree, or are more than 1.8e308, or if float weights are negative.
    NegativeCycleError
        If a requested source reaches a cycle of negative length; the error holds the cycle.
    MemoryLimitError
        Before the work, if it does not fit; the message lists what would fit.

    OutputError
        If the store cannot be written; what is there stays.
    ExecutorError
        If the engine or a worker fails, or a worker does not see the store; what is there stays.

    See Also
    --------
    Result.counts : Which paths are equally short, and how exact their numbers are.
    within : Only the pairs within a cutoff, as sparse rows.
    nearest : The distances from (or to) the nearest of several sources, and which it is, with paths.
    load : Read a store, also while it is written.

    Notes
    -----
    A store is a Zarr group (version 3), which zarr-python, xarray and Dask read without this package: `distances`, with
    "no path" as fill value, `predecessors` if `paths=True`, and the arrays of the graph. A shard holds some rows. It
    appears in one step when they are complete, so after an interruption, or `kill -9`, only the rows that were being
    computed are computed again. Several runs on one store, also on different machines, share the rows that are missing.
    All must be the same call; a store of another graph or request raises RequestError. Integer distances do not depend
    on the method, the device or the number of threads; float distances and predecessors may, so their stores keep those
    of the first run. A method that computes all rows at once, such as Floyd-Warshall, runs if it is named: it computes
    the matrix before the store appears, and again if bands are missing.

    Places (`Graph.snap`) become vertices of a copy of the graph, `Result.graph`, behind its own; no path passes through
    one. The distances are float64. The labels of a row or column are those of its places; `path` needs `paths=True`.
    `apsp.matrix` computes the same distances faster, without paths. Stores keep results of places; other semirings than
    min_plus take none.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> result = apsp.solve(graph, paths=True)
    >>> result.distances.tolist()
    [[0, 4, 5], [3, 0, 1], [2, 6, 0]]
    >>> result.path(0, 2)
    [0, 1, 2]
    >>> apsp.solve(graph, sources=[2], targets=[0, 1]).distances.tolist()
    [[2, 6]]
    >>> square = apsp.from_edges([0, 0, 1, 2], [1, 2, 3, 3])
    >>> apsp.solve(square, sources=0, counts=True).counts.tolist()
    [[1, 1, 1, 2]]
    """
    if isinstance(sources, Places) or isinstance(targets, Places):
        graph = placed(graph_with_turns(graph), leaving=(sources,), entering=(targets,), rows=sources)
    if keywords.get("store") is not None:
        from apsp.api.stored.solving import (  # with the first store: `import apsp` stays quick
            check_storable,
            solve_into,
        )

        check_storable(counts, semiring, out)
        return solve_into(cast("GraphLike", graph), sources, targets, Request.of(**keywords))
    if keywords.get("executor") is not None:
        raise RequestError(
            "solve keeps all distances in this process: name a store, which the workers of the executor write, or use "
            "apsp.stream(..., executor=...), which yields their rows"
        )
    out = taken(out)
    if is_on_gpu(out) and keywords.get("device", "auto") == "auto":
        keywords["device"] = f"cuda:{gpu_of(out)}"
    graph, rows, columns, request = requested(
        graph, sources, targets, semiring=semiring, turns=True, out_given=out is not None, **keywords
    )
    if flag(counts, "counts"):
        refuse_turns(graph, "counts=True")
    apart(out, graph)
    counting = _Counting(graph, rows, columns, request) if counts else None
    positions = np.arange(graph.n, dtype=np.int32) if rows is None else rows
    info: dict[str, Any] = {}

    def work(part: Graph, plan: Plan) -> tuple[Any, Any, Sequence[Unchecked]]:
        started = time.perf_counter()
        here = plan.gpus[0] if plan.device == "cuda" and plan.gpus else None
        in_file = out is None and plan.pages_file is not None and rows is None and columns is None

        def given(solver: Solver, shape: tuple[int, int]) -> Any:
            return checked(out, shape, plan.dtype, here) if out is not None else solver.output() if in_file else None

        dist, pred, solver = filled(part, plan, positions, columns, request, given)
        if out is not None:
            wait_for(dist)
        elif plan.pages_file is not None:
            dist.flags.writeable = False  # the bytes to write would be in the file
        info.update(_facts(plan, solver.ran_on or plan.device), seconds=time.perf_counter() - started)
        return dist, pred, solver.unchecked if in_file else ()

    (dist, pred, unchecked), note = without_far_cycles(
        graph, rows, lambda part: attempt(part, request, lambda plan: work(part, plan))
    )
    info |= {} if note is None else {"note": note}
    numbers = None if counting is None else counting.count(dist, request.progress)
    return Result(
        graph, dist, source_positions=rows, target_positions=columns, pred=pred, counts=numbers,
        cutoff=request.cutoff, semiring=request.semiring, info=info, unchecked=unchecked,
    )  # fmt: skip


def _facts(plan: Plan, ran_on: str) -> dict[str, Any]:
    """Return the content of `Result.info`, without the seconds."""
    facts = {"method": plan.method, "device": ran_on, "threads": plan.threads, "dtype": plan.dtype.name}
    on_gpus = {"gpus": list(plan.gpus), "matrix_in": plan.matrix_in}
    return facts if ran_on == "cpu" else facts | on_gpus


@dataclass(frozen=True)
class _Counting:
    """Numbers of paths besides distances that any method computes; checked when it is made, before these are.

    Raises RequestError if the request is not of shortest paths, or it is not known which paths of the graph are equally
    short; MemoryLimitError if the numbers do not fit.
    """

    graph: Graph
    rows: IntArray | None
    columns: IntArray | None
    request: Request

    def __post_init__(self) -> None:
        from apsp.methods.flows.counts import check_memory  # `import apsp` loads no solver

        if self.request.semiring is not MIN_PLUS:
            raise RequestError(f"counts=True counts shortest paths, not those of {self.request.semiring.name}")
        check_comparable(self.graph)
        n = self.graph.n
        shape = (n if chosen is None else len(chosen) for chosen in (self.rows, self.columns))
        check_memory(self.graph, *shape, threads=threads_from(self.request.threads), besides=2)

    def count(self, dist: Any, progress: Progress) -> Any:
        """Count the paths of the pairs whose distances these are, (S, T); 0 where there is no path."""
        from apsp.methods.flows.counts import count_paths

        sources = np.arange(self.graph.n, dtype=np.int32) if self.rows is None else self.rows
        cutoff = self.request.cutoff
        if cutoff is not None:
            cutoff = comparable_cutoff(self.graph, cutoff, dist.dtype)
        with reporting(progress) as report:
            kernel_progress = offset(report, "sources counted", 0, len(sources))
            found = count_paths(
                self.graph, sources, self.columns, cutoff=cutoff, threads=threads_from(self.request.threads),
                progress=kernel_progress,
            )  # fmt: skip
        if cutoff is not None and not self.graph.has_integer_weights:  # distances decide what is within it
            found[is_unreachable(to_host(dist))] = 0
        return found
