"""What may be a map, its file, and what notebooks show: all methods `explore` and `apsp explore` end here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from apsp._types import PathLike
from apsp.errors import GraphError, RequestError, format_bytes
from apsp.explore.contents import contents_of, has_points
from apsp.explore.document import html_of, matrix_html_of
from apsp.explore.sets import chosen_of, factors_held, refuse_unless_weights_fit, sections_of_sets
from apsp.facts.dtypes import choose_dtype
from apsp.facts.request import Request
from apsp.facts.statistics import statistics_of
from apsp.figures.explored_map import HEIGHT, Map, page_path, refuse_unless_cell_holds
from apsp.figures.options import Scale
from apsp.graph.exploring import Exploring
from apsp.graph.model import Graph
from apsp.graph.periods import Periods, in_period
from apsp.graph.turns.turn_graph import refuse_turns
from apsp.methods.elimination.tree import EliminationTree, elimination_tree
from apsp.running.arguments import positions_of
from apsp.system.machine import refuse_unless_fits
from apsp.system.replacing import replacing

__all__ = ["MOST_BYTES", "MOST_IN_CELL", "MOST_IN_MATRIX", "write_map"]

MOST_BYTES = 1 << 30
"""Bytes of the factor in the browser: its memory is at most 4 GiB, and phones have less."""

MOST_IN_MATRIX = 2000
"""Vertices of a graph without coordinates, whose distances are a matrix: a page draws 4 million of them."""

MOST_IN_CELL = 10 << 20
"""Bytes of the output of a cell, which the notebook stores in its own file."""

_BYTES_PER_ARC, _BYTES_PER_VERTEX, _BYTES_PER_ARC_AND_SET = 90, 60, 28
"""Memory while a file is written."""

_EXACT = 2**53
"""Integers up to this one are exact in the floats of a browser."""

_IN_BROWSER = {"uint16": "int32", "int32": "int32", "int64": "float64", "float32": "float32", "float64": "float64"}


def write_map(
    graph: Graph | Periods, path: PathLike | None, options: Exploring, *, height: int | None = None,
    dtype: str = "auto", tree: EliminationTree | None = None, most_bytes: int = MOST_BYTES,
    most_in_cell: int = MOST_IN_CELL,
) -> Map | None:  # fmt: skip
    """Write the map of a graph, or of one with several sets of weights; without a path, return it for a notebook.

    Parameters
    ----------
    graph : Graph or Periods
    path : path, optional
        Its ending is .html or .htm.
    options : Exploring
    height : int, optional
        Pixels in a notebook.
    dtype : {'auto', 'uint16', 'int32', 'int64', 'float32', 'float64'}
        Of the distances.
    tree : EliminationTree, optional
        By default one that is found, and stored with the graph.
    most_bytes : int
        Of the factors, and of the weights of several sets.
    most_in_cell : int
        Of the output of a cell.

    Raises
    ------
    GraphError
        If the graph has no coordinates and is not shown as a matrix, or a vertex does not exist.
    RequestError
        If an argument is invalid, a weight is negative, or the map is too large for a browser.
    MemoryLimitError
        Before the work, if it does not fit into memory.
    OutputError
        If the file cannot be written.
    """
    if path is None:
        empty = Map("", height=HEIGHT if height is None else height)  # refuses a height before the work
        title, page = _page(graph, options, dtype, tree, most_bytes)
        shown = replace(empty, html=page.decode(), title=title)
        refuse_unless_cell_holds(shown, most_in_cell)
        return shown
    place = page_path(path)
    if height is not None:
        raise RequestError("height is that of a map in a notebook: leave it out, or the path")
    page = _page(graph, options, dtype, tree, most_bytes)[1]
    with replacing(place) as file:
        file.write(page)
    return None


def _page(
    graph: Graph | Periods, options: Exploring, dtype: str, tree: EliminationTree | None, most_bytes: int
) -> tuple[str, bytes]:
    """The title of the page, and the page."""
    several = graph if isinstance(graph, Periods) else None
    graphs: list[Graph] = graph.values() if isinstance(graph, Periods) else [graph]
    start = {} if several is None else chosen_of(several, options.period, options.compare)
    first, others = graphs[0], len(graphs) - 1
    refuse_turns(first, "a map to explore")
    if not has_points(first):
        _refuse_unless_matrix(first, others, options.scale)
    sources = positions_of(first, options.sources, "sources")
    needed = (_BYTES_PER_ARC + _BYTES_PER_ARC_AND_SET * others) * first.m + _BYTES_PER_VERTEX * first.n
    refuse_unless_fits(needed, lambda: f"a map of {first.n:,} vertices", "a part of the graph (graph.subgraph)")
    kinds = [_dtype_in_browser(first, dtype)] if several is None else _dtypes_of_sets(several, dtype)
    widest = np.dtype(max(kinds, key=lambda kind: np.dtype(kind).itemsize))
    tree = _tree(first, tree, widest, most_bytes)
    if others:
        start["held"] = factors_held(len(kinds), tree.entries, widest, most_bytes)
        refuse_unless_weights_fit(first.m if first.directed else first.m // 2, kinds, most_bytes)
    contents = contents_of(first, tree, kinds[0], options.scale)
    ends = "any vertex" if has_points(first) else "all vertices to all"
    title = options.title or f"{options.label[:1].upper()}{options.label[1:]} from {ends}"
    header = contents.header | {
        "label": options.label, "unit": options.unit,
        "sources": [] if sources is None else np.unique(sources).tolist(),
        "target": None if options.target is None else first.index(options.target),
        "limit": None if options.limit is None else float(options.limit),
    }  # fmt: skip
    more = None
    if several is not None and others:
        sections = sections_of_sets(graphs, kinds, contents.arcs)
        names, more = [str(name) for name in several], sections.text()
        about = {"names": names, "kinds": kinds, "slider": options.slider, "sections": sections.table}
        header["sets"] = start | about
    if has_points(first):
        return title, html_of(title, options.label, header, contents.sections.text(), more)
    return title, matrix_html_of(title, options.label, header, contents.sections.text())


def _refuse_unless_matrix(graph: Graph, others: int, scale: Scale) -> None:
    """Raise an error if a graph without coordinates is not shown as a matrix."""
    remedy = (
        "this graph has none: from_edges(..., coordinates=points), or graph.with_coordinates(apsp.layout(graph)), "
        "points by its distances"
    )
    if others:
        raise GraphError(f"a map of several sets of weights needs coordinates, and {remedy}")
    if not 0 < graph.n <= MOST_IN_MATRIX:
        raise GraphError(
            f"a map needs coordinates, and {remedy}; up to {MOST_IN_MATRIX:,} vertices are shown as a matrix"
        )
    if scale is not None:
        raise RequestError(f"scale={scale!r} is the unit of coordinates, and this graph has none: leave it out")


def _dtypes_of_sets(periods: Periods, dtype: str) -> list[str]:
    found = []
    for name, graph in periods.items():
        with in_period(name):
            found.append(_dtype_in_browser(graph, dtype))
    return found


def _dtype_in_browser(graph: Graph, dtype: str) -> str:
    """The numbers that hold all distances exactly.

    Raises
    ------
    DtypeRangeError, RequestError
    """
    if graph.has_negative_arc:
        raise RequestError("a map to explore takes weights of 0 and more, and this graph has negative ones")
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
