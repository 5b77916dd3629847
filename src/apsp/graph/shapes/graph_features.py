"""The vertices, arcs and paths of a graph as features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp._types import CrsLike, VertexLike
from apsp.errors import RequestError, shown
from apsp.graph.aligned import per_vertex
from apsp.graph.arrays import number_array
from apsp.graph.long_table import LongTable
from apsp.graph.places.path_ends import paths_in
from apsp.graph.places.path_steps import links_of_steps
from apsp.graph.places.places import Places
from apsp.graph.shapes.features import Features, at_vertices, checked_coordinates, path_lines
from apsp.system.arguments import one_of
from apsp.system.array_device import is_on_gpu, to_host

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = ["features_of", "features_of_paths"]


def features_of(
    graph: Graph, values: npt.ArrayLike | Mapping[str, npt.ArrayLike] | None, of: str, crs: CrsLike | None
) -> Features:
    """Return the vertices of a graph as points, or its arcs as lines: `Graph.features`."""
    along = one_of(of, "of", ("vertices", "arcs")) == "arcs"
    named: Mapping[Any, Any]
    if values is None:
        named = {}
    elif isinstance(values, Mapping) and all(isinstance(name, str) and name not in graph.labels for name in values):
        named = values
    else:
        named = {"value": values}
    count = graph.m if along else graph.n
    ends: dict[str, Any]
    if along:
        ends = {"tail": graph.tails().astype(np.int32), "head": graph.indices}
    else:
        ends = {"vertex": np.arange(graph.n, dtype=np.int32)}
    columns = {}
    for name, given in named.items():
        if name in ends:
            raise RequestError(f"features have a column {name!r} of labels: give these values another name")
        what = f"values {shown(name)}"
        aligned = given if along else per_vertex(given, graph.labels, what)
        found = to_host(aligned) if is_on_gpu(aligned) else number_array(aligned, what)
        if found.shape != (count,) or found.dtype.kind not in "iufb":
            raise RequestError(
                f"values {shown(name)} must be {count:,} numbers, one per {of[:-1] if along else 'vertex'}, not "
                f"{found.dtype} of shape {found.shape}"
            )
        columns[name] = found
    table = LongTable(graph.labels, {**ends, **columns}, numbers=tuple(columns))
    if not along:
        return at_vertices(table, graph.coordinates, graph.crs)._named(crs)
    places = checked_coordinates(graph.coordinates)
    known = np.asarray(np.isfinite(places).all(axis=1))
    shown_arcs = np.flatnonzero(known[ends["tail"]] & known[ends["head"]])
    pairs = np.stack([ends["tail"][shown_arcs], ends["head"][shown_arcs]], axis=1)
    lines = np.full(graph.m, None, dtype=object)
    lines[shown_arcs] = path_lines(graph, 2 * np.arange(len(pairs) + 1), pairs.ravel())
    return Features(table, lines, ("LineString",), known=graph.crs)._named(crs)


def features_of_paths(
    graph: Graph, paths: Sequence[Sequence[VertexLike]], sources: Places | None, targets: Places | None,
    crs: CrsLike | None, links: Sequence[Sequence[int]] | None,
) -> Features:  # fmt: skip
    """Return paths of a graph as lines: `Graph.path_features`."""
    found = paths_in(graph, paths, sources, targets)
    numbers = np.arange(len(found.offsets) - 1)
    columns: dict[str, Any] = {"path": numbers, "source": found.sources, "target": found.targets}
    others = {name: places.labels for name, places in (("source", sources), ("target", targets)) if places is not None}
    table = LongTable(graph.labels, columns, numbers=("path",), others=others)
    taken = None if links is None else links_of_steps(graph, found, links, sources, targets)
    lines = path_lines(graph, found.offsets, found.positions, found.before, found.after, taken)
    return Features(table, lines, ("LineString",), known=graph.crs)._named(crs)
