"""Maps of values of vertices: the option --plot of several commands."""

from __future__ import annotations

from pathlib import Path

import numpy.typing as npt

from apsp.errors import GraphError
from apsp.figures import files as figures
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


def draw_map(graph: Graph, values: npt.ArrayLike, path: str, *, source: str, label: str) -> None:
    """Write the map of (n,) values, not-a-number where there is none; its title is the name of the input."""
    figures.save(graph.plot(values, title=Path(source).name, label=label), path)
