"""The preparation of an oracle: order the vertices, eliminate them, store the factor."""

from __future__ import annotations

from typing import Any, Literal, cast, overload

import numpy as np

from apsp._types import DeviceLike, DType, DTypeLike, GraphLike, VerticesLike
from apsp.api.oracle.oracle import Oracle
from apsp.api.oracle.period_oracle import PeriodOracle, period_factors
from apsp.api.oracle.requests import dtype_for, gpu_named
from apsp.errors import MemoryLimitError, RequestError, shown
from apsp.facts.request import Request
from apsp.graph.accept import graph_with_turns
from apsp.graph.model import Graph
from apsp.graph.periods import Periods
from apsp.graph.turns.turn_graph import TurnGraph, refuse_turns
from apsp.methods.elimination.factor import sound_factor
from apsp.methods.elimination.labels import label_bytes, refuse_unless_labels_fit
from apsp.methods.elimination.tree import EliminationTree, elimination_tree
from apsp.methods.problem import IntArray
from apsp.running.arguments import positions_of
from apsp.running.public import public
from apsp.system.arguments import flag
from apsp.system.machine import Machine, threads_from, usable
from apsp.system.progress import Progress, ProgressReport, reporting

__all__ = ["prepare"]


@overload
def prepare(
    graph: GraphLike | TurnGraph,
    *,
    dtype: DTypeLike = ...,
    order: Literal["fast", "best"] | VerticesLike = ...,
    labels: bool = ...,
    threads: int | None = ...,
    device: DeviceLike = ...,
    progress: Progress = ...,
) -> Oracle: ...
@overload
def prepare(
    graph: Periods,
    *,
    dtype: DTypeLike = ...,
    order: Literal["fast", "best"] | VerticesLike = ...,
    labels: Literal[False] = ...,
    threads: int | None = ...,
    device: DeviceLike = ...,
    progress: Progress = ...,
) -> PeriodOracle: ...
@public
def prepare(
    graph: GraphLike | TurnGraph | Periods,
    *,
    dtype: DTypeLike = "auto",
    order: Literal["fast", "best"] | VerticesLike = "fast",
    labels: bool = False,
    threads: int | None = None,
    device: DeviceLike = "cpu",
    progress: Progress = False,
) -> Oracle | PeriodOracle:
    """Prepare an oracle: order the vertices, eliminate them, store the factor.

    It is useful for graphs with small separators (roads, grids, trees, rings). On random and social graphs the factor
    grows towards n x n: `Oracle.nbytes` is its size, and MemoryLimitError is raised if it does not fit.

    Parameters
    ----------
    {graph}
    dtype : {'auto', 'uint16', 'int32', 'int64', 'float32', 'float64'}
        Of the distances, as in `apsp.solve`.
    order : {'fast', 'best'} or the n vertices
        The order in which the vertices are eliminated. 'fast' takes little of the time of a preparation. 'best' takes
        about ten times as long to find and gives a smaller factor with a lower tree: worth it for many questions or
        updates. It is stored with the graph, and later preparations and methods use it. Otherwise the vertices in their
        order, from another program or from `Oracle.order`.
    labels : bool
        Keep the distances of every vertex to its ancestors in the elimination tree (hub labels; not the names of
        vertices, which are those of the graph). Single distances and pairs then take a tenth of the time and less,
        and the oracle takes several times the memory: one value of the dtype per vertex and ancestor, twice unless
        distances are the same in both directions. With `order='best'` both are smaller. A GPU keeps them, too, if they
        fit into a quarter of its free memory.
    {threads}
    device : 'cpu', 'cuda' or 'cuda:1'
        With a GPU, rows, blocks and sums of distances are computed there, and stay there, and many pairs at once; the
        CPU computes the order and the factor, and single pairs and paths.
    {progress}
        Its stages are 'order' (of the vertices, unless it is stored with the graph), 'factor' (in sums of two values)
        and 'labels' (of the vertices).

    Returns
    -------
    Oracle or PeriodOracle
        The object that computes distances, rows, blocks and paths. Of the periods of a graph (`Graph.with_periods`) it
        answers for all of them: they have one order of elimination, and integers one dtype, which is proven by the
        longest weight of each arc. It keeps no labels. On a GPU the factors of integers of at least 0 are computed
        there, and copied to the host for the first method that needs them there.

    Raises
    ------
    GraphError, RequestError, DtypeRangeError, DeviceError
        If the input or the request is invalid.
    NegativeCycleError
        If the graph has a cycle of negative length; the error holds the cycle.
    MemoryLimitError
        Before the factor or the labels are computed, if they do not fit.
    MethodRefusedError
        If rounding makes many cycles of a float graph negative.

    Notes
    -----
    Carré, "An algebra for network routing problems", 1971; George, "Nested dissection of a regular finite element
    mesh", 1973; Sanders and Schulz, "Engineering multilevel graph partitioning algorithms", 2011; Sao, Kannan, Gera and
    Vuduc, "A supernodal all-pairs shortest path algorithm", 2020. Labels: Ouyang, Qin, Chang, Lin, Zhang and Zhu, "When
    hierarchy meets 2-hop-labeling", 2018, on supernodes.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> oracle = apsp.prepare(graph)
    >>> oracle.distance(0, 3)
    7
    >>> oracle.rows([2]).tolist()
    [[5, 1, 0, 2]]
    >>> apsp.prepare(graph, labels=True)
    Oracle(n=4, m=6, uint16, labels, cpu, 464 B)
    """
    requested, gpu = Request(dtype=cast("str", dtype)), gpu_named(device)  # it becomes the name of a dtype there
    workers, keeps = threads_from(threads), flag(labels, "labels")
    with reporting(progress) as report:

        def tree_of(graph: Graph, dtype: DType) -> EliminationTree:
            return _tree_of(graph, dtype, order, workers, report)

        if isinstance(graph, Periods):
            if keeps:
                raise RequestError(
                    "an oracle of periods takes no labels=True: prepare the graph of one period, "
                    "apsp.prepare(periods[name])"
                )
            factors = period_factors(graph, requested.dtype, workers, tree_of, gpu, report)
            return PeriodOracle(graph, factors, requested=requested.dtype, threads=workers, gpu=gpu)
        graph = graph_with_turns(graph)
        kind = dtype_for(graph, requested.dtype, gpu)
        tree = tree_of(graph, kind)
        if keeps:
            least = label_bytes(tree, graph, kind)  # of one direction
            refuse_unless_labels_fit(graph, tree.entries * kind.itemsize + least)
        factor = sound_factor(graph, kind, tree, workers, report)
        return Oracle(factor, requested=requested.dtype, threads=workers, gpu=gpu, labels=keeps, progress=report)


def _tree_of(graph: Graph, dtype: DType, order: Any, threads: int, progress: ProgressReport | None) -> EliminationTree:
    """Raises MemoryLimitError if the factor does not fit."""
    machine = Machine.detect()
    most = usable(machine) // dtype.itemsize
    tree = elimination_tree(graph, most=most, order=_order_of(graph, order), threads=threads, progress=progress)
    if tree is None:
        what = f"an oracle of {graph.n:,} vertices without small separators"
        remedy = "a stream of rows (apsp.stream), or some sources at a time (apsp.solve(sources=...))"
        raise MemoryLimitError(what, most * dtype.itemsize, machine.memory_available, [remedy])
    return tree


def _order_of(graph: Graph, order: Any) -> Literal["fast", "best"] | IntArray:
    """A name, or the positions of all vertices."""
    if isinstance(order, str) and order in ("fast", "best"):
        return "best" if order == "best" else "fast"
    if isinstance(order, str) or order is None:
        raise RequestError(f"order is 'fast', 'best' or all vertices in their order, not {shown(order)}")
    refuse_turns(graph, "an order of given vertices", "order='best' finds a better one")
    positions = positions_of(graph, order, "order")
    if positions is None or len(positions) != graph.n or len(np.unique(positions)) != graph.n:
        count = 0 if positions is None else len(np.unique(positions))
        raise RequestError(f"order names {count:,} different vertices, and the graph has {graph.n:,}: each one once")
    return positions
