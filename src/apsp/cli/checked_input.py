"""The graph of a command that writes a table or a map: what cannot be written is refused before the work."""

from __future__ import annotations

from apsp.cli.inputs import read_graph
from apsp.cli.maps import check_figure, check_places
from apsp.cli.options import Reading
from apsp.cli.terminal import Show
from apsp.graph.model import Graph
from apsp.graph.table_file import check_table_labels, check_table_path

__all__ = ["read_for_files"]


def read_for_files(
    source: str,
    reading: Reading,
    show: Show,
    output: str | None,
    plot: str | None = None,
    *,
    costs: tuple[str, ...] | bool = False,
    turns: bool = False,
) -> Graph:
    """Read a graph as `read_graph`, of which a table `output` and a map `plot` will be written, if they are given.

    Raises
    ------
    RequestError, GraphError, OutputError, MissingDependencyError
        If the name of a file says no format, if its labels do not fit the table, or if there are no coordinates.
    """
    if output is not None:
        check_table_path(output)
    if plot is not None:
        check_figure(plot)
    graph = read_graph(source, reading, show, costs, turns=turns)
    if output is not None:
        check_table_labels(output, graph.labels)
    if plot is not None:
        check_places(graph)
    return graph
