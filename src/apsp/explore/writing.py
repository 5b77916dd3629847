"""What may be a map, and its file: `Graph.explore`, `Result.explore`, `Oracle.explore` and `apsp explore` end here."""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp._types import PathLike
from apsp.errors import GraphError, RequestError, format_bytes
from apsp.explore.contents import contents_of
from apsp.explore.document import html_of
from apsp.facts.dtypes import choose_dtype
from apsp.facts.request import Request
from apsp.facts.statistics import statistics_of
from apsp.graph.exploring import Exploring
from apsp.graph.model import Graph
from apsp.graph.turns.turn_graph import refuse_turns
from apsp.methods.elimination.tree import EliminationTree, elimination_tree
from apsp.running.arguments import positions_of
from apsp.system.machine import refuse_unless_fits
from apsp.system.replacing import check_output, replacing

__all__ = ["MOST_BYTES", "write_map"]

MOST_BYTES = 1 << 30
"""Bytes of the factor in the browser: its memory is at most 4 GiB, and phones have less."""

_BYTES_PER_ARC, _BYTES_PER_VERTEX = 90, 60
"""Memory while a file is written."""

_EXACT = 2**53
"""Integers up to this one are exact in the floats of a browser."""

_IN_BROWSER = {"uint16": "int32", "int32": "int32", "int64": "float64", "float32": "float32", "float64": "float64"}


def write_map(
    graph: Graph, path: PathLike, options: Exploring, *, dtype: str = "auto", tree: EliminationTree | None = None,
    most_bytes: int = MOST_BYTES,
) -> None:  # fmt: skip
    """Write the map of a graph.

    Parameters
    ----------
    graph : Graph
    path : path
        Its ending is .html or .htm.
    options : Exploring
    dtype : {'auto', 'uint16', 'int32', 'int64', 'float32', 'float64'}
        Of the distances.
    tree : EliminationTree, optional
        By default one that is found, and stored with the graph.
    most_bytes : int
        Of the factor.

    Raises
    ------
    GraphError
        If the graph has no coordinates, or a vertex does not exist.
    RequestError
        If an argument is invalid, a weight is negative, or the map is too large for a browser.
    MemoryLimitError
        Before the work, if it does not fit into memory.
    OutputError
        If the file cannot be written.
    """
    place = check_output(path, (".html", ".htm"))
    refuse_turns(graph, "a map to explore")
    if graph.coordinates is None or np.isnan(graph.coordinates).any(axis=1).all():
        raise GraphError("a map needs coordinates, and this graph has none: from_edges(..., coordinates=points)")
    if graph.has_negative_arc:
        raise RequestError("a map to explore takes weights of 0 and more, and this graph has negative ones")
    sources = positions_of(graph, options.sources, "sources")
    needed = _BYTES_PER_ARC * graph.m + _BYTES_PER_VERTEX * graph.n
    refuse_unless_fits(needed, lambda: f"a map of {graph.n:,} vertices", "a part of the graph (graph.subgraph)")
    kind = _dtype_in_browser(graph, dtype)
    contents = contents_of(graph, _tree(graph, tree, np.dtype(kind), most_bytes), kind, options.scale)
    title = options.title or f"{options.label[:1].upper()}{options.label[1:]} from any vertex"
    header = contents.header | {
        "label": options.label, "unit": options.unit,
        "sources": [] if sources is None else np.unique(sources).tolist(),
        "target": None if options.target is None else graph.index(options.target),
        "limit": None if options.limit is None else float(options.limit),
    }  # fmt: skip
    page = html_of(title, options.label, header, contents.sections.text())
    with replacing(place) as file:
        file.write(page)


def _dtype_in_browser(graph: Graph, dtype: str) -> str:
    """The numbers that hold all distances exactly.

    Raises
    ------
    DtypeRangeError, RequestError
    """
    statistics = statistics_of(graph)
    name = choose_dtype(statistics, Request(dtype=dtype))[0]
    if name == "int64" and statistics.bound.high > _EXACT:
        raise RequestError(
            f"distances of this graph may reach {statistics.bound.high:,}, and a browser counts to {_EXACT:,}: "
            "scale the weights down"
        )
    return _IN_BROWSER[name]


def _tree(graph: Graph, tree: EliminationTree | None, dtype: np.dtype[Any], most_bytes: int) -> EliminationTree:
    most = most_bytes // dtype.itemsize
    tree = tree or elimination_tree(graph, most=most, order="fast")
    if tree is None or tree.entries > most:
        raise RequestError(
            f"the factor of this graph takes more than the {format_bytes(most_bytes)} of a page in a browser, since "
            "its separators are large: write a part (graph.subgraph), or one source (Result.plot)"
        )
    return tree
