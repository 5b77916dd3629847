"""The plan of a call, without its work."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, get_args

from apsp._types import (
    BytesLike,
    DeviceLike,
    DTypeLike,
    ExecutorLike,
    GraphLike,
    MethodName,
    PathLike,
    SemiringName,
    VerticesLike,
)
from apsp.api.planned_sets import planned_sets
from apsp.errors import RequestError
from apsp.measures.groups import GroupsLike
from apsp.planning.planner import Plan, plan_for
from apsp.running.arguments import requested, without_far_cycles
from apsp.running.component_rows import plan_to_reduce
from apsp.running.options import RunOptions
from apsp.semiring import MIN_PLUS
from apsp.system.arguments import one_of
from apsp.system.lack_of_memory import memory_errors

__all__ = ["Purpose", "plan"]

Purpose = Literal["solve", "stream", "summary", "flows"]
"""The functions that `plan` plans for."""


@memory_errors
def plan(
    graph: GraphLike,
    *,
    sources: VerticesLike | None = None,
    targets: VerticesLike | None = None,
    cutoff: float | None = None,
    dtype: DTypeLike = "auto",
    paths: bool = False,
    method: MethodName = "auto",
    device: DeviceLike = "auto",
    gpu_memory: BytesLike | None = None,
    pages_file: PathLike | None = None,
    semiring: SemiringName = "min_plus",
    threads: int | None = None,
    rows: int | None = None,
    groups: GroupsLike | None = None,
    quantiles: float | Iterable[float] = (),
    bins: int = 0,
    executor: ExecutorLike | None = None,
    for_: Purpose = "solve",
) -> Plan:
    """Plan what `solve` (or `stream`, `summary`, or flows) with the same arguments would run, without running it.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, or an object that is converted to one.
    sources, targets : vertex or sequence of vertices, optional
        As for `apsp.solve`.
    cutoff : int or float, optional
        As for `apsp.solve`.
    dtype : {'auto', 'uint16', 'int32', 'int64', 'float32', 'float64'}
        As for `apsp.solve`.
    paths : bool
        As for `apsp.solve`.
    method, device : str
        As for `apsp.solve`.
    gpu_memory : int or str, optional
        As for `apsp.solve`.
    pages_file : path, optional
        As for `apsp.solve`.
    semiring : {'min_plus', 'max_min', 'min_max'}
        As for `apsp.solve`.
    threads : int, optional
        As for `apsp.solve`.
    rows : int, optional
        Rows per block, as for `apsp.stream`; not with for_='solve'.
    groups : (n,) sequence, mapping, Series or sets of vertices, optional
        As for `apsp.summary`; only with for_='summary'. The numbers of the groups count as a part of the result.
    quantiles : number or sequence of numbers, optional
        As for `apsp.summary`.
    bins : int
        Of the histograms of the groups, as for `apsp.summary`; the number of bins if that has `edges`.
    executor : 'processes', concurrent.futures.Executor or dask.distributed.Client, optional
        Plan the tasks of the workers of this engine, for workers like this machine: none is started. For 'solve', they
        write a store.
    for_ : {'solve', 'stream', 'summary', 'flows'}
        The function that is planned for. `solve` stores all distances; `stream`, and `summary` and the other measures
        that reduce rows, hold only blocks of rows, so that they run even if the distances do not fit into memory.
        `summary` has neither `targets` nor `paths`, and both compute only shortest paths. `flows` stands for
        betweenness and `arc_flows`; it takes sources, targets, cutoff, device, threads and executor.

    Returns
    -------
    Plan
        What would run, why, and the time and memory it needs; `Plan.explain()` says this in sentences.

    Raises
    ------
    GraphError, RequestError, UnknownMethodError, MethodRefusedError, DtypeRangeError, DeviceError, MemoryLimitError
        As the function that is planned for, if it raises them before its work.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> chosen = apsp.plan(graph, method="dijkstra")
    >>> chosen.method, chosen.bytes_output
    ('dijkstra', 18)
    >>> print(chosen.explain().splitlines()[0])
    The graph has 3 vertices, 3 arcs (50% of all pairs) and integer weights from 1 to 4.
    >>> apsp.plan(graph, for_="stream", rows=1).block_rows
    1
    >>> apsp.plan(graph, for_="stream", rows=1, executor="processes").shared.tasks
    3
    >>> apsp.plan(graph, for_="summary", groups=[0, 0, 1]).bytes_output - apsp.plan(graph, for_="summary").bytes_output
    384
    """
    options: dict[str, Any] = {}
    one_of(for_, "for_", get_args(Purpose))
    graph, sets = planned_sets(graph, sources, groups, quantiles, bins, for_)
    if for_ == "flows":
        from apsp.api.flow_planning import plan_flows

        return plan_flows(
            graph, sources, targets, cutoff=cutoff, device=device, threads=threads, executor=executor, dtype=dtype,
            paths=paths, method=method, gpu_memory=gpu_memory, pages_file=pages_file, semiring=semiring, rows=rows,
        )  # fmt: skip
    if for_ != "solve":
        options = {"mode": for_, "rows": rows}
        _check_streamed(for_, semiring, targets, paths)
    elif rows is not None:
        raise RequestError("rows= sets the blocks of a stream: plan with for_='stream' or for_='summary'")
    if executor is not None:
        from apsp.api.worker_planning import planned

        _check_streamed(for_, semiring, targets, paths)
        given = RunOptions(
            cutoff=cutoff, dtype=dtype, paths=paths, method=method, device=device, gpu_memory=gpu_memory,
            pages_file=pages_file, threads=threads, rows=rows, executor=executor,
        )  # fmt: skip
        return planned(graph, sources, targets, given, for_, sets)
    graph, chosen, _, request = requested(
        graph, sources, targets, cutoff=cutoff, dtype=dtype, paths=paths, method=method, device=device,
        gpu_memory=gpu_memory, pages_file=pages_file, threads=threads, semiring=semiring, **options,
    )  # fmt: skip
    if for_ == "summary":
        found = plan_to_reduce(graph, chosen, request, explained=True)
    else:
        found = without_far_cycles(graph, chosen, lambda part: plan_for(part, request))
    return found if sets is None else sets.added_to(found)


def _check_streamed(for_: str, semiring: str, targets: object, paths: object) -> None:
    """Raise an error for arguments that the planned function does not take."""
    if not isinstance(semiring, str) or semiring != MIN_PLUS.name:
        raise RequestError(f"for_={for_!r} is of shortest paths only: leave out semiring, or plan with for_='solve'")
    if for_ == "summary" and (targets is not None or (isinstance(paths, bool) and paths)):
        raise RequestError("a summary reduces whole rows, without targets and paths: plan with for_='stream'")
