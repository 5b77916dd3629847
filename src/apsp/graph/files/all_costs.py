"""Reading all columns of costs of a file, or none of them where one holds something else than numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from apsp.errors import FileFormatError
from apsp.graph.files.options import ReadOptions
from apsp.graph.files.source import Source
from apsp.graph.model import Graph

__all__ = ["read_costs_too"]


def read_costs_too(source: Source, options: ReadOptions, read: Callable[[Source, ReadOptions], Graph]) -> Graph:
    """Read a graph with the costs of its file; if that fails and the caller names none of them, without.

    So a column that the caller does not need cannot make a file unreadable.
    """
    try:
        return read(source, options)
    except FileFormatError:
        if options.costs is not True or not source.place.is_file():
            raise
    with source.again() as again:
        graph = read(again, replace(options, costs=False))
    source.notes += again.notes
    source.notes.append("some columns hold entries that are not numbers: costs beside the weights were not kept")
    return graph
