"""Many measures from one pass over all distances."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Unpack, get_args

import numpy as np
import numpy.typing as npt

from apsp._types import GraphLike, VerticesLike
from apsp.errors import NegativeCycleError, RequestError, shown
from apsp.facts.keywords import RunKeywords
from apsp.facts.request import Request
from apsp.graph.accept import graph_with_turns
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.graph.turns.turn_graph import TurnGraph, refuse_turns
from apsp.measures.groups import GroupsLike
from apsp.measures.row_summary import SummaryParts, reduction_of
from apsp.methods.problem import IntArray
from apsp.reductions import Direction, Summary
from apsp.reductions.summary import MEASURES
from apsp.running.arguments import distinct, positions_of
from apsp.running.public import public
from apsp.running.run import run
from apsp.system.arguments import flag, one_of, whole_number

__all__ = ["of_vertices", "parts_for", "summarized", "summary", "values_of"]

_BINS = 1024
"""Most bins of a histogram that is requested by its name, as of `apsp.distance_histogram`."""


@public
def summary(
    graph: GraphLike | TurnGraph,
    *,
    measures: str | Iterable[str] | None = None,
    groups: GroupsLike | None = None,
    quantiles: float | Iterable[float] = (),
    columns: bool = False,
    bins: int = 0,
    edges: npt.ArrayLike | None = None,
    reciprocals: bool = True,
    sources: VerticesLike | None = None,
    **keywords: Unpack[RunKeywords],
) -> Summary:
    """Sums, extremes and counts of all distances, taken in one pass.

    Parameters
    ----------
    {graph}
    measures : str or sequence of str, optional
        Names of functions of this package, see Notes: keep what they need, and nothing else. By default all that
        follows from sums and extremes, with sums of 1 / distance.
    groups : (n,) sequence, mapping, Series or sets of vertices, optional
        Keep statistics of the distances within and between groups, as for `apsp.distance_statistics`.
    quantiles : number or sequence of numbers, optional
        Shares from 0 to 1: keep the quantiles between groups, or those of all pairs if there are no groups.
    columns : bool
        Keep sums of incoming distances too, which direction='in' needs in a directed graph.
    bins : int
        Maximum number of bins of the histogram; 0 means no histogram, unless `measures` has 'distance_histogram'
        (then 1024).
    edges : (B + 1,) increasing numbers, optional
        Bins of the histogram instead.
    reciprocals : bool
        Keep sums of 1 / distance, which harmonic centrality and global efficiency need; with `measures`, they are kept
        if one of these is named.
    {sources}
    {options}

    Returns
    -------
    Summary
        The numbers, as attributes and methods.

    Notes
    -----
    All distances are computed once for everything that is kept (quantiles between groups may take more passes, see
    `apsp.distance_statistics`). The value of a measure is found[name], with the default arguments of its function, or
    the method of this name. Measures are 'average_shortest_path_length', 'barycenter', 'center',
    'closeness_centrality', 'diameter', 'distance_histogram', 'distance_statistics', 'eccentricity', 'farness',
    'global_efficiency', 'gutman_index', 'harmonic_centrality', 'hyper_wiener_index', 'periphery', 'radius',
    'schultz_index' and 'wiener_index'.

    For extremes alone, the functions of their names may be faster: a few searches often prove them.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> found = apsp.summary(graph)
    >>> found.radius, found.diameter, found.average_shortest_path_length
    (3, 6, 3.5)
    >>> found.eccentricity
    array([5, 3, 6])
    >>> ring = apsp.generate("ring", 6, directed=False).unweighted()
    >>> found = apsp.summary(ring, measures=["hyper_wiener_index", "closeness_centrality"], groups=[0, 0, 0, 1, 1, 1])
    >>> found["hyper_wiener_index"], round(found.distance_statistics().between, 3)
    (84, 2.111)
    """
    graph = graph_with_turns(graph)
    given = positions_of(graph, sources, "sources")
    options = Request.of(**keywords)
    parts = parts_for(
        graph, given, measures, groups, quantiles, columns=columns, bins=bins, edges=edges, reciprocals=reciprocals
    )
    return summarized(graph, given, options, parts)


_SUMS = SummaryParts(reciprocals=False)


def summarized(graph: Graph, given: IntArray | None, options: Request, parts: SummaryParts = _SUMS) -> Summary:
    """Sums and extremes of the rows at some positions (None means all), and what else is to be kept."""
    reduction, found = reduction_of(parts, graph, options.threads)
    sources = None if given is None else distinct(given)  # sums and extremes are over a set
    run(reduction, found, graph, sources, options)
    return found.result(parts)


def of_vertices(
    graph: Graph,
    direction: Direction,
    given: IntArray | None,
    options: Request,
    *,
    reciprocals: bool = False,
) -> tuple[Summary, Direction]:
    """Sums of the distances from some vertices, or to them, and the direction that they have in the summary."""
    parts = SummaryParts(reciprocals=reciprocals)
    if one_of(direction, "direction", get_args(Direction)) == "out" or not graph.directed:
        return summarized(graph, given, options, parts), "out"
    if isinstance(graph, DeviceGraph):  # its matrix stays on its device
        return summarized(graph, None, options, replace(parts, columns=True)), "in"
    try:
        return summarized(graph.reversed(), given, options, parts), "out"
    except NegativeCycleError as error:
        raise NegativeCycleError(error.positions[::-1], error.length, graph.labels) from None


def values_of(found: Summary, values: npt.NDArray[Any], given: IntArray | None) -> npt.NDArray[Any]:
    """Values of `found.sources`, in the order in which the caller gave the vertices."""
    return values if given is None else values[np.searchsorted(found.source_positions, given)]


def parts_for(
    graph: Graph,
    given: IntArray | None,
    measures: str | Iterable[str] | None,
    groups: Any,
    quantiles: Any,
    *,
    columns: bool,
    bins: int,
    edges: npt.ArrayLike | None,
    reciprocals: bool,
) -> SummaryParts:
    """What is needed for some measures, and what the other arguments of `apsp.summary` request beside it.

    Raises RequestError if an argument is invalid, or a measure is not one of a summary.
    """
    columns, bins = flag(columns, "columns"), whole_number(bins, "bins", least=0)
    reciprocals = flag(reciprocals, "reciprocals")
    names = set() if measures is None else _names(measures)
    if measures is not None:
        reciprocals = bool(names & {"harmonic_centrality", "global_efficiency"})
        columns |= graph.directed and bool(names & {"harmonic_centrality", "closeness_centrality"})
        if "distance_histogram" in names and not bins and edges is None:
            bins = _BINS
    undirected = names & {"hyper_wiener_index", "schultz_index", "gutman_index"}
    if graph.directed and undirected:
        raise RequestError(f"{min(undirected)} is of undirected graphs")
    sets = None
    if groups is not None or "distance_statistics" in names or (not isinstance(quantiles, tuple) or quantiles):
        from apsp.measures.set_statistics import SetsRequest

        refuse_turns(graph, "distance_statistics")
        sets = SetsRequest(graph, groups, "group", quantiles, bins, edges, given)
    return SummaryParts(
        columns, bins, edges, reciprocals, "hyper_wiener_index" in names,
        bool(names & {"schultz_index", "gutman_index"}), sets,
    )  # fmt: skip


def _names(measures: Any) -> set[str]:
    try:
        names = [measures] if isinstance(measures, str) else list(measures)
    except Exception as error:  # of an odd sequence
        raise RequestError(f"measures must be names of measures, not {shown(measures)}") from error
    for name in names:
        if not isinstance(name, str) or name not in MEASURES:
            raise RequestError(f"a summary has no measure {shown(name)}; it may have: {', '.join(MEASURES)}")
    return set(names)
