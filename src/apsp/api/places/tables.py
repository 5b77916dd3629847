"""From two tables of points to a matrix."""

from __future__ import annotations

from typing import Literal, Unpack

from apsp._types import GraphLike, PlacesLike
from apsp.api.places.by_ends import matrix_of_places
from apsp.errors import RequestError
from apsp.facts.keywords import TableKeywords
from apsp.facts.request import Request
from apsp.graph.accept import graph_with_turns
from apsp.graph.places import Places
from apsp.graph.turns.entered import streets_of
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.result.place_matrix import PlaceMatrix
from apsp.running.public import public

__all__ = ["table"]


@public
def table(
    graph: GraphLike | TurnGraph,
    origins: PlacesLike | Places,
    destinations: PlacesLike | Places | None = None,
    *,
    crs: Literal["degrees", "microdegrees", "plane"] | str | None = None,  # noqa: PYI051 - completed by editors
    speed: float | None = None,
    limit: float | None = None,
    to: Literal["edge", "vertex"] = "edge",
    labels: str | None = None,
    largest_component: bool = False,
    unsnapped: Literal["error", "unreachable"] = "error",
    **keywords: Unpack[TableKeywords],
) -> PlaceMatrix:
    """Compute the distances between two tables of points: from addresses to a matrix.

    This is `apsp.matrix(graph, graph.snap(origins, ...), graph.snap(destinations, ...))`.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, with coordinates, or an object that is converted to one.
    origins, destinations : table, array, mapping, file or Places
        Points, as for `Graph.snap`. By default the destinations are the origins.
    crs : {'degrees', 'microdegrees', 'plane'}
        What the coordinates are.
    speed : number, optional
        Length of the way between a point and its street per unit of the weights.
    limit : number, optional
        Points that are farther away from every street are not snapped.
    to : {'edge', 'vertex'}
        Snap to streets, or to vertices.
    labels : str, optional
        The column of both tables that holds the labels of the points.
    largest_component : bool
        Only streets of the largest strong component.
    unsnapped : {'error', 'unreachable'}
        What points beyond the limit are.
    device : 'auto', 'cpu', 'cuda', 'cuda:1', 'cuda:0,2' or 'emulated'
        As for `solve`; the distances are always in host memory.
    threads : int, optional
        CPU threads, by default all cores.
    progress : bool or callable
        True draws a bar; a callable is called as progress(stage, done, total).

    Returns
    -------
    PlaceMatrix
        The distances, float64, with the labels of the points: `to_pandas()` is a DataFrame of them.

    Raises
    ------
    GraphError, RequestError
        If the graph has no streets, or the points or an argument are invalid: see `Graph.snap`.
    FileFormatError, MissingDependencyError
        If a file of points cannot be read.
    NegativeCycleError
        If a source reaches a cycle of negative length.
    MemoryLimitError
        If the distances do not fit into memory.
    DeviceError
        If the device is not there.

    See Also
    --------
    Graph.snap : Where the points are on the streets.
    matrix : The same for places that have been snapped.

    Examples
    --------
    >>> import apsp
    >>> streets = apsp.from_edges([0, 1], [1, 2], [60, 80], coordinates=[[0, 0], [100, 0], [100, 200]], directed=False)
    >>> homes = {"name": ["Ada", "Bob"], "x": [25, 110], "y": [10, 150]}
    >>> shops = {"name": ["bakery"], "x": [90], "y": [0]}
    >>> apsp.table(streets, homes, shops, crs="plane", speed=2, labels="name").to_pandas()
    target  bakery
    source
    Ada       44.0
    Bob       71.0
    """
    graph = graph_with_turns(graph)
    if isinstance(origins, Places) and (destinations is None or isinstance(destinations, Places)):
        how = {
            "crs": (crs, None), "speed": (speed, None), "limit": (limit, None), "to": (to, "edge"),
            "labels": (labels, None), "unsnapped": (unsnapped, "error"),
            "largest_component": (largest_component, False),
        }  # fmt: skip
        for name, (value, usual) in how.items():
            if value is not usual and not (isinstance(value, str) and value == usual):
                raise RequestError(f"{name} is for points, and these are places already: pass it to Graph.snap")

    def snapped(points: PlacesLike | Places) -> Places:
        if isinstance(points, Places):
            return points
        return streets_of(graph).snap(
            points, crs=crs, speed=speed, limit=limit, to=to, labels=labels, largest_component=largest_component,
            unsnapped=unsnapped,
        )  # fmt: skip

    request, starts = Request.of(**keywords), snapped(origins)
    ends = starts if destinations is None else snapped(destinations)
    return matrix_of_places(graph, starts, ends, request=request, of_graph=True)
