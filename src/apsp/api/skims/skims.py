"""The public function for several costs along shortest paths."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, Unpack, overload

import numpy as np
import numpy.typing as npt

from apsp._types import ArrayLike, GraphLike, VerticesLike
from apsp.api.skims.job import SkimJob, SkimRows
from apsp.api.skims.period_job import PeriodSkimJob
from apsp.errors import RequestError, shown
from apsp.facts.keywords import FlowKeywords
from apsp.facts.request import Request
from apsp.graph.accept import graph_with_turns
from apsp.graph.model import Graph
from apsp.graph.periods import Periods, in_period
from apsp.graph.places import Places
from apsp.graph.places.placed import own_vertices
from apsp.graph.turns.entered import streets_of
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.methods.elimination.tree import share_tree
from apsp.methods.problem import IntArray
from apsp.methods.skims.arc_costs import SkimCosts, check_names, costs_of, costs_with_places
from apsp.methods.skims.stored_forms import scales_in_store
from apsp.result.skims.matrices import Skims
from apsp.result.skims.period_skims import PeriodSkims
from apsp.running.arguments import positions_of
from apsp.running.public import public
from apsp.running.run import run_job
from apsp.store.array_names import check_array_names
from apsp.system.arguments import one_of
from apsp.system.machine import refuse_unless_fits

__all__ = ["skim"]


class _Keywords(FlowKeywords, total=False):
    cost: str
    zones: VerticesLike | Places | None
    targets: VerticesLike | Places | None
    intrazonal: Literal["zero", "half_nearest"]
    scales: Mapping[str, int] | None


@overload
def skim(
    graph: GraphLike | TurnGraph,
    along: Sequence[str] | Mapping[str, ArrayLike | Graph] | None = ...,
    **keywords: Unpack[_Keywords],
) -> Skims: ...
@overload
def skim(
    graph: Periods,
    along: Sequence[str] | Mapping[str, ArrayLike | Graph | Periods] | None = ...,
    **keywords: Unpack[_Keywords],
) -> PeriodSkims: ...
@public
def skim(
    graph: GraphLike | TurnGraph | Periods,
    along: Sequence[str] | Mapping[str, ArrayLike | Graph | Periods] | None = None,
    *,
    cost: str = "cost",
    zones: VerticesLike | Places | None = None,
    targets: VerticesLike | Places | None = None,
    intrazonal: Literal["zero", "half_nearest"] = "zero",
    scales: Mapping[str, int] | None = None,
    **keywords: Unpack[FlowKeywords],
) -> Skims | PeriodSkims:
    """Compute the costs of shortest paths between zones, and the sums of other costs along the same paths.

    Parameters
    ----------
    {graph}
    along : sequence of str, or mapping of str to (m,) numbers or Graph, optional
        Other costs of the arcs, at most 15: names of costs of the graph (`Graph.costs`), or arrays by name in the order
        of `graph.indices`: entry k is that of the arc from tails()[k] to indices[k]. Or graphs with the same arcs,
        whose weights are the costs. Of parallel links (`Graph.links`), names take the costs of the link that a path
        uses; numbers of arcs are refused where `cost` takes other links than the arcs. Of periods, a value may be
        `Periods` with the same names, whose weights are the costs.
    cost : str
        What the paths minimise, which is not negative: the cost of the graph that has this name; if the graph has no
        costs, its weights, whose matrix gets this name. 'cost' is always the weights, unless a cost has this name.
        Of periods it is the name of their weights, which no cost may have.
    zones : sequence of vertices, or Places, optional
        Origins, and destinations unless `targets` are given. By default the zones of the graph (`Graph.zones`), or all
        vertices if it has none.
    targets : sequence of vertices, or Places, optional
        Destinations.
    intrazonal : {'zero', 'half_nearest'}
        Costs within a zone: zero, or half of those to the nearest other destination. Of equally near ones it is the one
        with the least first entry of `along`, of these the one with the least second, as for ties between paths.
    scales : mapping of str to int, optional
        With `store`: matrices that it keeps as integers, in the narrowest of uint16, int32 and int64 that is proven to
        hold the sums of all paths: value times scale, rounded. ``{"minutes": 100}`` keeps hundredths of minutes.
    device : {'auto', 'cpu', 'cuda', 'cuda:1', 'emulated'}
        By default a GPU is used if the CPU would take more than a few seconds. The CPU computes the factor of the
        elimination for it.
    {threads}
    executor : 'processes', concurrent.futures.Executor or dask.distributed.Client, optional
        Compute bands of origins in the workers of this engine; `threads` is then the number per worker.
    store : str, Path or store of obstore, optional
        Write the matrices there, a band of origins at a time: they need not fit into memory, the same call resumes
        after an interruption, also with another number of threads or an executor, and several such calls share the
        work, as for `apsp.solve`.
    {progress}

    Returns
    -------
    Skims or PeriodSkims
        A mapping of the names to (S, T) float64 matrices, infinite where there is no path; with `store` these are
        `StoredSkims`, whose matrices are read when they are indexed. `info` says how they were computed. Of periods
        (`Graph.with_periods`) `PeriodSkims`: the skims of each by its name, along its own paths; with `store`
        `StoredPeriodSkims`, in arrays with an axis of periods.

    Raises
    ------
    GraphError
        If the graph is invalid, has a negative weight, or `along` does not fit its arcs.
    RequestError
        If the graph has no cost of a name, a name is used twice, there are too many costs, or an argument is invalid;
        if the store is of another graph or request, or a name cannot be that of an array in a store.
    DtypeRangeError
        If float64 is not proven to hold sums of integers exactly.
    DeviceError
        If the device cannot be used.
    MemoryLimitError
        If the matrices (with a store, some rows of them) do not fit into memory, or those of one source into that of
        the GPU.
    ExecutorError
        If an engine (`executor`) or one of its workers fails.
    OutputError
        If a store cannot be written; what is there stays.

    Notes
    -----
    Ties are broken in the order of the costs, also between parallel links: of the paths with the least cost the one
    with the least sum of the first entry of `along`, of these the one with the least sum of the second, and so on. So
    the matrices do not depend on how they are computed, and all of them belong to one path per pair. Integers are
    exact. With floats, paths whose costs differ by rounding only are ties that either may win.

    The tuples of costs form a (min,+) algebra (Carré 1971, "An algebra for network routing problems"), over which
    elimination, or Dijkstra's method where elimination is slow, compute the matrices without walking a path. Paths do
    not pass through the zones of the graph.

    Between places, a part of a street has this part of each of its costs. The way between a point and its street adds
    to the cost that the paths minimise (its length / the speed of the snap), and nothing to the others.

    Where there are turns (`with_turns`), paths minimise the weights and penalties, whose unit is that of the weights;
    other costs are those of the links that a path uses, and penalties add nothing to them.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [5, 6, 4, 3], labels=["a", "b", "c", "d"])
    >>> found = apsp.skim(graph, {"toll": [2, 0, 2, 1]}, cost="minutes", zones=["a", "d"])
    >>> found["minutes"].tolist(), found["toll"].tolist()
    ([[0.0, 9.0], [inf, 0.0]], [[0.0, 1.0], [inf, 0.0]])

    By the names of costs that the graph has, such as those of a file:

    >>> roads = graph.with_costs(toll=[2, 0, 2, 1], km=[3, 9, 3, 9])
    >>> apsp.skim(roads, ["toll"], cost="km", zones=["a", "d"])
    Skims(km, toll; 2 x 2)

    In a store, which the same call completes after an interruption:

    >>> import zarr
    >>> kept = apsp.skim(roads, ["toll"], cost="km", zones=["a", "d"], store="skims.zarr")
    >>> kept["toll"][0].tolist(), zarr.open_group("skims.zarr", mode="r")["toll"][0].tolist()
    ([0.0, 4.0], [0.0, 4.0])
    """
    one_of(intrazonal, "intrazonal", ("zero", "half_nearest"))
    between, options = _Between(zones, targets, intrazonal == "half_nearest", scales), Request.of(**keywords)
    if isinstance(graph, Periods):
        return _skims_of_periods(graph, along, cost, between, options)
    return _skims(*costs_of(graph_with_turns(graph), along, cost), between, options)


class _Between(NamedTuple):
    """The zones of a request."""

    zones: VerticesLike | Places | None
    targets: VerticesLike | Places | None
    half_nearest: bool
    scales: Mapping[str, int] | None


def _skims(
    graph: Graph, costs: SkimCosts, between: _Between, options: Request, out: npt.NDArray[np.float64] | None = None
) -> Skims:
    """The skims of a graph, in an array if it is given."""
    zones, targets, half_nearest, scales = between
    graph, costs = costs_with_places(graph, costs, zones, zones if targets is None else targets)
    chosen, ends = _positions(graph, between)
    started = time.perf_counter()
    job = SkimJob(
        graph, costs, chosen, ends, half_nearest, options, scales=scales_in_store(scales, costs.names, options.store)
    )
    if options.store is not None:
        check_array_names(costs.names)
    elif out is None:
        _check_memory(job.shape, graph)
        out = np.empty(job.shape)
    found = SkimRows(np.empty(0) if out is None else out)
    done = run_job(job, found)
    if done.store is not None:
        from apsp.methods.skims.stored_skims import StoredSkims  # with the first store: `import apsp` stays quick

        stored = StoredSkims(done.store.storage, done.store.header, done.store.problem)
        stored.info |= {"seconds": time.perf_counter() - started, "rows_computed": done.store.computed}
        return stored
    seconds = time.perf_counter() - started
    info = {"method": found.method, "device": found.device, "threads": done.threads, "seconds": seconds}
    skims = Skims(costs.names, found.matrices, graph.labels.take(chosen), graph.labels.take(ends), info)
    skims._inputs = graph.labels.inputs
    return skims


def _positions(graph: Graph, between: _Between) -> tuple[IntArray, IntArray]:
    """The origins and the destinations."""
    zones, targets, *_ = between
    chosen = positions_of(graph, zones, "zones")
    if zones is None or chosen is None:
        own, of = own_vertices(graph), streets_of(graph).zones
        every = np.ones(own, dtype=bool) if of is None or not of[:own].any() else of[:own]
        chosen = np.flatnonzero(every).astype(np.int32)
    ends = positions_of(graph, targets, "targets")
    ends = chosen if ends is None else ends
    return chosen, ends


def _skims_of_periods(
    periods: Periods,
    along: Sequence[str] | Mapping[str, ArrayLike | Graph | Periods] | None,
    cost: str,
    between: _Between,
    options: Request,
) -> PeriodSkims:
    """The skims of each period; one elimination order serves all of them."""
    check_names((cost,))
    taken = next((name for name in (cost, "cost") if name in periods.base.costs), None)
    if taken is not None:
        raise RequestError(
            f"the cost {shown(taken)} of the graph is the same in every period: with_periods({{...: name}}) makes "
            "weights of a cost, and cost= is the name of these weights, which no cost may have"
        )
    graphs = periods.values()
    requests = [_costs_in(periods, name, along) for name in periods]
    names = (cost, *requests[0][1].names[1:])
    check_names(names)
    started = time.perf_counter()
    sides = (between.zones, between.zones if between.targets is None else between.targets)
    if options.store is not None:
        return _stored_skims_of_periods(periods, names, requests, between, options)
    with_ends = costs_with_places(*requests[0], *sides)[0]
    rows, columns = map(len, _positions(with_ends, between))
    _check_memory((len(periods) * len(names), rows, columns), with_ends)
    found = np.empty((len(periods), len(names), rows, columns))
    for place, (graph, costs) in enumerate(requests):
        last = _skims(graph, costs, between, options, found[place])
        share_tree(graph, graphs[place + 1 :])
    info = {**last.info, "seconds": time.perf_counter() - started}
    skims = PeriodSkims(periods.names, names, found, last.zones, last.targets, info)
    skims._inputs = last._inputs
    return skims


def _stored_skims_of_periods(
    periods: Periods, names: tuple[str, ...], requests: list[tuple[Graph, SkimCosts]], between: _Between,
    options: Request,
) -> PeriodSkims:  # fmt: skip
    """The skims of all periods, in one store."""
    from apsp.methods.skims.stored_skims import StoredPeriodSkims

    check_array_names(names)
    started = time.perf_counter()
    sides = (between.zones, between.zones if between.targets is None else between.targets)
    each = tuple(costs_with_places(*request, *sides) for request in requests)
    costs = each[0][1]._replace(names=names)
    graph = costs_with_places(periods.base, requests[0][1], *sides)[0]
    chosen, ends = _positions(graph, between)
    job = PeriodSkimJob(
        graph, costs, chosen, ends, between.half_nearest, options, periods=periods.names, each=each,
        scales=scales_in_store(between.scales, names, options.store),
    )  # fmt: skip
    done = run_job(job, job.empty(0))
    assert done.store is not None
    stored = StoredPeriodSkims(done.store.storage, done.store.header, done.store.problem)
    stored.info |= {"seconds": time.perf_counter() - started, "rows_computed": done.store.computed}
    return stored


def _costs_in(periods: Periods, name: str | int, along: object) -> tuple[Graph, SkimCosts]:
    """The graph of a period, and its costs: of `Periods` among them those of its name."""
    if isinstance(along, Mapping):
        for key, given in along.items():
            if isinstance(given, Periods) and given.names != periods.names:
                raise RequestError(f"along[{shown(key)}] has other periods than the graph")
        along = {key: given[name] if isinstance(given, Periods) else given for key, given in along.items()}
    with in_period(name):
        return costs_of(periods[name], along, "cost")


def _check_memory(shape: tuple[int, int, int], graph: Graph) -> None:
    needed = 8 * (shape[0] * shape[1] * shape[2] + 2 * shape[0] * graph.m)
    what = f"{shape[0]} matrices of {shape[1]:,} x {shape[2]:,} costs"
    refuse_unless_fits(needed, what, "some of the zones at a time: zones=, targets=")
