"""The plan of a call, without its work."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, Unpack, get_args

from apsp._types import GraphLike, SemiringName, VerticesLike
from apsp.api.planned_sets import planned_sets
from apsp.errors import RequestError
from apsp.facts.keywords import PlanKeywords
from apsp.facts.request import Request
from apsp.graph.accept import as_graph, graph_with_turns
from apsp.graph.places import Places
from apsp.graph.places.placed import placed
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.measures.groups import GroupsLike
from apsp.planning.closures import plan_closure
from apsp.planning.planner import Plan, plan_for
from apsp.running.arguments import positions_of, requested, without_far_cycles
from apsp.running.component_rows import plan_to_reduce
from apsp.running.public import public
from apsp.semiring import MIN_PLUS
from apsp.system.arguments import one_of

__all__ = ["Purpose", "plan"]

Purpose = Literal["solve", "stream", "summary", "flows", "reachable"]
"""The functions that `plan` plans for."""

_UNSET = ("auto", MIN_PLUS.name)


@public
def plan(
    graph: GraphLike | TurnGraph,
    *,
    sources: VerticesLike | Places | None = None,
    targets: VerticesLike | Places | None = None,
    semiring: SemiringName = "min_plus",
    groups: GroupsLike | None = None,
    quantiles: float | Iterable[float] = (),
    bins: int = 0,
    for_: Purpose = "solve",
    **keywords: Unpack[PlanKeywords],
) -> Plan:
    """Plan what `solve` (or `stream`, `summary`, `reachable` or flows) with the same arguments would run.

    Parameters
    ----------
    {graph}
    sources, targets : vertex or sequence of vertices, or Places, optional
        As for `apsp.solve`; places only with for_='solve' or 'stream'.
    semiring : {'min_plus', 'max_min', 'min_max'}
        As for `apsp.solve`.
    groups : (n,) sequence, mapping, Series or sets of vertices, optional
        As for `apsp.summary`; only with for_='summary'. The numbers of the groups count as a part of the result.
    quantiles : number or sequence of numbers, optional
        As for `apsp.summary`.
    bins : int
        Of the histograms of the groups, as for `apsp.summary`; the number of bins if that has `edges`.
    for_ : {'solve', 'stream', 'summary', 'flows', 'reachable'}
        The function that is planned for. `solve` stores all distances; `stream`, and `summary` and the other measures
        that reduce rows, hold only blocks of rows, so that they run even if the distances do not fit into memory.
        `summary` has neither `targets` nor `paths`, and both compute only shortest paths. `flows` stands for
        betweenness and `arc_flows`; it takes sources, targets, cutoff, device, threads and executor. `reachable` plans
        the bits of all pairs, which for large graphs are computed when they are read; it takes method, device,
        gpu_memory, pages_file and threads.
        With an `executor`, the tasks of workers like this machine are planned, and none is started; for 'solve', they
        write a store. `rows` is not for 'solve'.
    {solve_options}

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
    >>> apsp.plan(graph, for_="reachable").method
    'strong-components'
    >>> apsp.plan(graph, for_="summary", groups=[0, 0, 1]).bytes_output - apsp.plan(graph, for_="summary").bytes_output
    384
    """
    options = Request.of(**keywords)
    one_of(for_, "for_", get_args(Purpose))
    graph, sets = planned_sets(graph_with_turns(graph), sources, groups, quantiles, bins, for_)
    if for_ == "flows":
        from apsp.api.flow_planning import plan_flows

        _check_unset(
            "for_='flows' plans betweenness and arc_flows", dtype=options.dtype, paths=options.paths,
            method=options.method, gpu_memory=options.gpu_memory, pages_file=options.pages_file, semiring=semiring,
            rows=options.rows,
        )  # fmt: skip
        return plan_flows(graph, sources, targets, options)
    if for_ == "reachable":
        _check_unset(
            "for_='reachable' plans the bits of all pairs", sources=sources, targets=targets, cutoff=options.cutoff,
            dtype=options.dtype, paths=options.paths, semiring=semiring, rows=options.rows, executor=options.executor,
        )  # fmt: skip
        return plan_closure(as_graph(graph), options)
    if for_ == "solve" and options.rows is not None:
        raise RequestError("rows= sets the blocks of a stream: plan with for_='stream' or for_='summary'")
    if for_ == "summary":
        positions_of(graph, sources, "sources")
    else:
        graph = placed(graph, leaving=(sources,), entering=(targets,), rows=sources)
    if for_ != "solve" or options.executor is not None:
        _check_streamed(for_, semiring, targets, options.paths)
    if options.executor is not None:
        from apsp.api.worker_planning import planned

        return planned(graph, sources, targets, options, for_, sets)
    mode: dict[str, Any] = {} if for_ == "solve" else {"mode": for_}
    graph, chosen, _, request = requested(graph, sources, targets, semiring=semiring, turns=True, **keywords, **mode)
    if for_ == "summary":
        found = plan_to_reduce(graph, chosen, request, explained=True)
    else:
        found = without_far_cycles(graph, chosen, lambda part: plan_for(part, request))
    return found if sets is None else sets.added_to(found)


def _check_unset(what: str, **others: object) -> None:
    """Raise an error for arguments that are not those of the planned function, unless they have their defaults."""
    for name, given in others.items():
        if not any(given is default for default in (None, False)) and not (isinstance(given, str) and given in _UNSET):
            raise RequestError(f"{what}, which have no {name}: leave it out")


def _check_streamed(for_: str, semiring: str, targets: object, paths: bool) -> None:
    """Raise an error for arguments that the planned function does not take."""
    if not isinstance(semiring, str) or semiring != MIN_PLUS.name:
        raise RequestError(f"for_={for_!r} is of shortest paths only: leave out semiring, or plan with for_='solve'")
    if for_ == "summary" and (targets is not None or paths):
        raise RequestError("a summary reduces whole rows, without targets and paths: plan with for_='stream'")
