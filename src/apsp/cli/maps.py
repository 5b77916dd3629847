"""Maps of values of vertices: the option --plot of several commands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy.typing as npt

from apsp.errors import GraphError
from apsp.figures import files as figures
from apsp.figures.map import MapStyle
from apsp.figures.options import Levels
from apsp.graph import plotting
from apsp.graph.model import Graph
from apsp.system.replacing import check_writable

__all__ = ["check_figure", "check_places", "draw_map"]


def check_figure(path: str) -> None:
    """Check before any work that a figure can be drawn and written there.

    Raises
    ------
    MissingDependencyError, RequestError, OutputError
    """
    figures.require()
    figures.check_ending(path)
    check_writable(path)


def check_places(graph: Graph) -> None:
    """Raise GraphError if the vertices have no places on a map."""
    if graph.coordinates is None:
        raise GraphError("--plot needs coordinates, which this graph does not have: --coordinates FILE")


def draw_map(
    graph: Graph, values: npt.ArrayLike, path: str, *, source: str, label: str, levels: Levels = None,
    marked: Sequence[int] = (),
) -> None:  # fmt: skip
    """Write the map of (n,) values, not-a-number where there is none; the title has their name and that of the input.

    Parameters
    ----------
    levels : sequence of numbers, optional
        Limits of bands of colour.
    marked : sequence of int
        Positions of vertices to mark, at most two.
    """
    style = MapStyle(f"{label[:1].upper()}{label[1:]}\n{Path(source).name}", label, levels)
    figures.save(plotting.draw(graph, values, plotting.route_of(graph, [], marked[:2]), style), path)
