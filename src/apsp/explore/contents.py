"""What the page needs of a graph: arcs, order and structure of the factor in the order of elimination, and streets.

The factor itself is computed in the browser with the operations of the CPU kernels in their order (`cpp/explore`): its
values are those of `apsp.prepare` to the last bit, and the file is a tenth as large.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp._types import JsonObject
from apsp.explore.sections import Sections
from apsp.figures.options import Scale
from apsp.figures.scale_bar import metres_per_unit
from apsp.graph.arc_positions import arcs_between
from apsp.graph.model import Graph
from apsp.methods.elimination.tree import EliminationTree

__all__ = ["Contents", "Ints", "contents_of", "has_points", "weights_of"]

Points = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_STEPS = 1 << 22
"""Coordinates are rounded to so many steps of the larger extent: 25 mm of 100 km. A browser's floats hold them."""

_LONGEST_INT32 = (2**31 - 1) // 2
"""That of the kernels: longer arcs are on no shortest path of a graph whose distances they hold."""


class Contents(NamedTuple):
    """The header of a page (JSON), its arrays, and the numbers of its arcs in the graph."""

    header: JsonObject
    sections: Sections
    arcs: Ints


class _Arcs(NamedTuple):
    """Arcs between places, by tail and head: their numbers in the graph, and whether each is drawn as a street."""

    number: Ints
    tails: Ints
    heads: Ints
    drawn: npt.NDArray[np.bool_]


def contents_of(graph: Graph, tree: EliminationTree, dtype: str, scale: Scale) -> Contents:
    """Collect what a page needs.

    Parameters
    ----------
    graph : Graph
        Without negative weights; with coordinates of some vertex, or of none.
    tree : EliminationTree
    dtype : {'int32', 'float32', 'float64'}
        Of the numbers of the browser.
    scale : {'metres', 'degrees', 'microdegrees'} or number, optional

    Raises
    ------
    RequestError
        If the scale is invalid.
    """
    sections = Sections()
    sections.add("module", (Path(__file__).parent / "page" / "engine.wasm").read_bytes(), "bytes")
    sections.add("order", tree.order, "numbers")
    sections.add("columns", np.diff(tree.first), "numbers")
    sections.add("row_counts", np.diff(tree.row_start), "numbers")
    sections.add("rows", tree.rows, "steps")
    place = np.empty(graph.n, dtype=np.int64)
    place[tree.order] = np.arange(graph.n)
    arcs = _arcs_of(graph, place)
    sections.add("degrees", np.bincount(arcs.tails, minlength=graph.n), "numbers")
    sections.add("heads", arcs.heads - arcs.tails, "numbers")
    if graph.directed:
        sections.add("drawn", arcs.drawn, "bytes")
    if graph.weights is not None:
        kind: Any = "numbers" if dtype == "int32" else dtype
        sections.add("weights", weights_of(graph, dtype, arcs.number), kind)
    if graph.zones is not None and graph.has_zones:
        sections.add("zones", graph.zones[tree.order], "bytes")
    metres = None
    if has_points(graph):
        metres = _add_points(sections, graph, tree.order, arcs, scale)
    else:
        sections.add("x", np.zeros(graph.n), "numbers")
        sections.add("y", np.zeros(graph.n), "numbers")
    if graph.has_labels:
        names = [graph.labels.text(vertex) for vertex in range(graph.n)]
        words = json.dumps(names, ensure_ascii=False, separators=(",", ":"))
        sections.add("names", words.encode("utf-8", "backslashreplace"), "bytes")
    header = {
        "n": graph.n, "dtype": dtype, "mirrored": not graph.directed, "metres": metres, "sections": sections.table,
    }  # fmt: skip
    return Contents(header, sections, arcs.number)


def has_points(graph: Graph) -> bool:
    """Whether some vertex has coordinates."""
    return graph.coordinates is not None and not np.isnan(graph.coordinates).any(axis=1).all()


def weights_of(graph: Graph, dtype: str, arcs: Ints) -> npt.NDArray[Any]:
    """The weights of some arcs, for numbers of this dtype."""
    weights = np.ones(len(arcs), dtype=np.int64) if graph.weights is None else graph.weights[arcs]
    return np.minimum(weights, _LONGEST_INT32) if dtype == "int32" else weights


def _arcs_of(graph: Graph, place: Ints) -> _Arcs:
    """All arcs but loops; of an edge the arc to the later place, since the other one has its weight."""
    tails, heads = place[graph.tails()], place[graph.indices]
    keep = tails < heads if not graph.directed else tails != heads
    number = np.flatnonzero(keep)
    number = number[np.lexsort((heads[number], tails[number]))]
    alone = arcs_between(graph.indptr, graph.indices, graph.indices[number], graph.tails()[number]) < 0
    tails, heads = tails[number], heads[number]
    return _Arcs(number, tails, heads, (tails < heads) | alone)


def _add_points(
    sections: Sections, graph: Graph, order: npt.NDArray[np.int32], arcs: _Arcs, scale: Scale
) -> float | None:
    """Add the coordinates of vertices and bends; return the metres per step, None if the unit is unknown."""
    points = graph.coordinates
    assert points is not None
    units = scale if scale is not None or graph.crs not in ("degrees", "microdegrees") else graph.crs
    metres = metres_per_unit(units, points)  # type: ignore[arg-type]
    stretch = np.array(metres or (1.0, 1.0))
    low = np.nanmin(points, axis=0) * stretch
    extent = float((np.nanmax(points, axis=0) * stretch - low).max())
    step = extent / _STEPS if extent > 0 else 1.0

    def steps(some: Points) -> Any:
        return np.rint((some * stretch - low) / step).astype(np.int64)

    missing = np.logical_or(*np.isnan(points[order]).T)
    known = steps(np.where(missing[:, None], low / stretch, points[order]))
    sections.add("x", known[:, 0], "steps")
    sections.add("y", known[:, 1], "steps")
    if missing.any():
        sections.add("missing", missing, "bytes")
    if graph.links is not None and graph.links.bends is not None:
        drawn = arcs.number[arcs.drawn]
        bends = graph.links.bends_of(drawn, graph.tails()[drawn])
        assert bends is not None
        sections.add("bend_counts", np.diff(bends.indptr), "numbers")
        corners = steps(bends.points)
        sections.add("bend_x", corners[:, 0], "steps")
        sections.add("bend_y", corners[:, 1], "steps")
    return None if metres is None else step
