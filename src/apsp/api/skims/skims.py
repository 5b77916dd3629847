"""The public function for several costs along shortest paths."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from apsp._types import ArrayLike, DeviceLike, GraphLike, VerticesLike
from apsp.api.arguments import positions_of
from apsp.api.skims.matrices import Skims
from apsp.errors import DtypeRangeError, GraphError, MemoryLimitError, RequestError, shown
from apsp.graph.accept import as_graph
from apsp.graph.arrays import arc_weight_array
from apsp.graph.model import Graph
from apsp.methods.skims.skims import MOST_COSTS, fill_skims
from apsp.system.arguments import one_of
from apsp.system.lack_of_memory import memory_errors
from apsp.system.machine import Machine, threads_from, usable
from apsp.system.progress import Progress, offset, reporting

__all__ = ["skim"]

_WEIGHTS = "cost"
"""Name of the weights of the graph."""

_EXACT = 2**53
"""float64 holds every integer up to here."""


@memory_errors
def skim(
    graph: GraphLike,
    along: Sequence[str] | Mapping[str, ArrayLike | Graph] | None = None,
    *,
    cost: str = "cost",
    zones: VerticesLike | None = None,
    targets: VerticesLike | None = None,
    intrazonal: Literal["zero", "half_nearest"] = "zero",
    device: DeviceLike = "auto",
    threads: int | None = None,
    progress: Progress = False,
) -> Skims:
    """Compute the costs of shortest paths between zones, and the sums of other costs along the same paths.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, or an object that is converted to one.
    along : sequence of str, or mapping of str to (m,) numbers or Graph, optional
        Other costs of the arcs, at most 15: names of costs of the graph (`Graph.costs`), or arrays by name in the order
        of `graph.indices`: entry k is that of the arc from tails()[k] to indices[k]. Or graphs with the same arcs,
        whose weights are the costs.
    cost : str
        What the paths minimise, which is not negative: the cost of the graph that has this name; if the graph has no
        costs, its weights, whose matrix gets this name. 'cost' is always the weights, unless a cost has this name.
    zones : sequence of vertices, optional
        Origins, and destinations unless `targets` are given. By default the zones of the graph (`Graph.zones`), or all
        vertices if it has none.
    targets : sequence of vertices, optional
        Destinations.
    intrazonal : {'zero', 'half_nearest'}
        Costs within a zone: zero, or half of those to the nearest other destination.
    device : {'auto', 'cpu', 'cuda', 'cuda:1', 'emulated'}
        By default a GPU is used if the CPU would take more than a few seconds. The CPU computes the factor of the
        elimination for it.
    threads : int, optional
        CPU threads; by default APSP_NUM_THREADS or all cores.
    progress : bool or callable
        True draws a bar; a callable is called as progress(stage, done, total).

    Returns
    -------
    Skims
        A mapping of the names to (S, T) float64 matrices, infinite where there is no path. `info` says how they were
        computed.

    Raises
    ------
    GraphError
        If the graph is invalid, has a negative weight, or `along` does not fit its arcs.
    RequestError
        If the graph has no cost of a name, a name is used twice, there are too many costs, or an argument is invalid.
    DtypeRangeError
        If float64 is not proven to hold sums of integers exactly.
    DeviceError
        If the device cannot be used.
    MemoryLimitError
        If the matrices do not fit into memory, or those of one source into that of the GPU.

    Notes
    -----
    Ties are broken in the order of the costs: of the paths with the least cost the one with the least sum of the first
    entry of `along`, of these the one with the least sum of the second, and so on. So the matrices do not depend on how
    they are computed, and all of them belong to one path per pair. Integers are exact. With floats, paths whose costs
    differ by rounding only are ties that either may win.

    The tuples of costs form a (min,+) algebra (Carré 1971, "An algebra for network routing problems"), over which
    elimination, or Dijkstra's method where elimination is slow, compute the matrices without walking a path. Paths do
    not pass through the zones of the graph.

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
    """
    graph = as_graph(graph)
    graph, others = _by_name(graph, {} if along is None else along, cost)
    names, columns = _columns(graph, others, cost)
    one_of(intrazonal, "intrazonal", ("zero", "half_nearest"))
    chosen = positions_of(graph, zones, "zones")
    if chosen is None:
        every = np.ones(graph.n, dtype=bool) if graph.zones is None or not graph.has_zones else graph.zones
        chosen = np.flatnonzero(every).astype(np.int32)
    ends = positions_of(graph, targets, "targets")
    ends = chosen if ends is None else ends
    shape = len(names), len(chosen), len(ends)
    _check_memory(shape, graph)
    matrices = np.empty(shape)
    cores, started = threads_from(threads), time.perf_counter()
    with reporting(progress) as report:
        method, place = fill_skims(
            graph, columns, chosen, ends, matrices, device=device, threads=cores,
            progress=offset(report, "skims", 0, len(chosen)),
        )  # fmt: skip
    info = {"method": method, "device": place, "threads": cores, "seconds": time.perf_counter() - started}
    if intrazonal == "half_nearest":
        _fill_zones(matrices, chosen, ends)
    return Skims(names, matrices, graph.labels.take(chosen), graph.labels.take(ends), info)


def _by_name(graph: Graph, along: object, cost: object) -> tuple[Graph, Mapping[str, object]]:
    """The graph with the cost that the paths minimise as its weights, and the arrays of the others."""
    if not isinstance(cost, str) or not cost:
        raise RequestError(f"the name of a cost must be text, not {shown(cost)}")
    if isinstance(along, str):
        along = [along]
    if isinstance(along, Iterable) and not isinstance(along, (Mapping, Graph, np.ndarray)):
        along = list(along)
        known = ", ".join(map(repr, graph.costs)) if graph.costs else "no costs beside its weights"
        for name in along:
            if not isinstance(name, str) or name not in graph.costs:
                raise RequestError(f"along names {shown(name)}, but the graph has {known}")
        if len(set(along)) < len(along):
            raise RequestError(f"along names a cost twice: {', '.join(along)}")
        along = {name: graph.costs[name] for name in along}
    if not isinstance(along, Mapping):
        raise RequestError(
            f"along must be names of costs of the graph, or map names to costs of the arcs, not {shown(along)}"
        )
    if cost in graph.costs:
        graph = graph.with_weights(cost)
    elif graph.costs and cost != _WEIGHTS:
        raise RequestError(
            f"cost={shown(cost)}: the graph has {', '.join(map(repr, graph.costs))}, and {_WEIGHTS!r} are its weights; "
            f"graph.with_costs({cost if cost.isidentifier() else 'name'}=graph.weights) names them"
        )
    return graph, along


def _columns(graph: Graph, along: Mapping[str, object], cost: str) -> tuple[tuple[str, ...], npt.NDArray[np.float64]]:
    """The names, and all costs of every arc, (m, K)."""
    names = (cost, *along)
    for name in names:
        if not isinstance(name, str) or not name:
            raise RequestError(f"the name of a cost must be text, not {shown(name)}")
    if len(set(names)) < len(names):
        raise RequestError(
            f"along has the name {cost!r} of the cost that the paths minimise: leave it out, or rename it"
        )
    if len(names) > MOST_COSTS:
        raise RequestError(f"along has {len(along)} costs: at most {MOST_COSTS - 1} are summed up in one call")
    if graph.has_negative_arc:
        raise GraphError("the graph has negative weights: skims need costs of 0 and more")
    columns = [graph.arc_weights(np.dtype(np.int64) if graph.weights is None else graph.weights.dtype)]
    columns += [_along(graph, name, given) for name, given in along.items()]
    for name, column in zip(names, columns, strict=True):
        _check_range(graph, name, column)
    for name, column in zip(names[1:], columns[1:], strict=True):
        bad = np.flatnonzero((column < 0) & (columns[0] == 0))
        if len(bad):
            tail, head = graph.word(graph.tails()[bad[0]]), graph.word(graph.indices[bad[0]])
            raise GraphError(
                f"{name!r} is negative on the arc from vertex {tail} to {head}, whose weight is 0: cycles of such arcs "
                "may have no least cost"
            )
    together = np.empty((graph.m, len(columns)))
    for k, column in enumerate(columns):
        together[:, k] = column
    return names, together


def _along(graph: Graph, name: str, given: object) -> npt.NDArray[np.generic]:
    if isinstance(given, Graph):
        same = np.array_equal(given.indptr, graph.indptr) and np.array_equal(given.indices, graph.indices)
        if not same:
            raise GraphError(f"along[{name!r}] is a graph with other arcs: its weights are not costs of the same arcs")
        return given.arc_weights(np.dtype(np.int64) if given.weights is None else given.weights.dtype)
    try:
        return arc_weight_array(given, graph.tails(), graph.indices, graph.labels)
    except GraphError as error:
        raise GraphError(f"along[{name!r}]: {error}") from error


def _check_range(graph: Graph, name: str, column: npt.NDArray[np.generic]) -> None:
    """Raise unless sums along any path of the graph are exact, if the costs are integers."""
    if column.dtype.kind == "f" or not len(column):
        return
    largest = max(abs(int(column.max())), abs(int(column.min())))
    if largest * max(graph.n - 1, 1) > _EXACT:
        raise DtypeRangeError(
            f"{name!r}: sums of up to {graph.n - 1:,} arcs of {largest:,} may exceed 2^53, so float64 may round them; "
            "divide the costs, or give them as floats"
        )


def _check_memory(shape: tuple[int, int, int], graph: Graph) -> None:
    machine = Machine.detect()
    needed = 8 * (shape[0] * shape[1] * shape[2] + 2 * shape[0] * graph.m)
    if needed > usable(machine):
        what = f"{shape[0]} matrices of {shape[1]:,} x {shape[2]:,} costs"
        raise MemoryLimitError(
            what, needed, machine.memory_available, ["some of the zones at a time: zones=, targets="]
        )


def _fill_zones(matrices: npt.NDArray[np.float64], origins: npt.NDArray[np.int32], ends: npt.NDArray[np.int32]) -> None:
    """Set costs within zones to half of those to the nearest other destination; rows without one stay 0."""
    for row, origin in enumerate(origins):
        own = ends == origin
        if not own.any() or own.all():
            continue
        nearest = int(np.argmin(np.where(own, np.inf, matrices[0, row])))
        if np.isfinite(matrices[0, row, nearest]):
            matrices[:, row, own] = matrices[:, row, nearest, None] / 2
