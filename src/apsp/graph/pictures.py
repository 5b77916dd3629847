"""Pictures of a graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy.typing as npt

from apsp._types import Axes, Figure, VertexLike
from apsp.figures.options import Levels, Scale
from apsp.graph.shapes.graph_features import GraphFeatures
from apsp.system.lack_of_memory import memory_errors

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = ["Pictures"]


class Pictures(GraphFeatures):
    """The pictures of `apsp.graph.model.Graph`."""

    @memory_errors
    def plot(
        self,
        values: npt.ArrayLike | None = None,
        *,
        route: Sequence[VertexLike] = (),
        title: str = "",
        label: str = "",
        levels: Levels = None,
        scale: Scale = None,
        ax: Axes | None = None,
    ) -> Figure:
        """Draw the graph at its coordinates, every arc in the colour of its ends, and a path on top.

        Parameters
        ----------
        values : (n,) numbers, optional
            A number per vertex, such as a row of distances or a centrality; "no path" and not-a-number are grey.
            By default all arcs have one colour.
        route : sequence of hashable
            Vertices of a path, as the graph labels them. A short one is drawn again in an inset.
        title, label : str
            Texts above the map, and above the colour bar.
        levels : int or sequence of numbers, optional
            Approximate number of bands of colour, or their upper limits; about twelve by default. Values above the last
            level are grey.
        scale : {'metres', 'degrees', 'microdegrees'} or number, optional
            Unit of the coordinates (a number: metres per unit; DIMACS files hold microdegrees). If given, a scale bar
            is drawn, and degrees have their true proportions.
        ax : matplotlib Axes, optional
            Axes to draw in; by default a new figure, which shows itself in notebooks.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.

        Raises
        ------
        GraphError
            If the graph has no coordinates, or a vertex does not exist.
        RequestError
            If an argument is invalid.
        MissingDependencyError
            If Matplotlib is not installed.

        Examples
        --------
        >>> import apsp, matplotlib
        >>> city = apsp.generate("city", 400, seed=1)
        >>> figure = city.plot(apsp.closeness_centrality(city), label="closeness", scale="metres")
        >>> figure.savefig("city.png")
        """
        from apsp.figures.map import MapStyle
        from apsp.graph import plotting

        style = MapStyle(title, label, levels, scale, ax)
        graph = cast("Graph", self)
        return plotting.draw(graph, values, (), plotting.positions_on(graph, route), style)

    def _repr_html_(self) -> str:
        from apsp.graph import plotting

        return plotting.graph_html(cast("Graph", self))
