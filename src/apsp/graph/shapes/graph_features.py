"""The vertices, arcs and paths of a graph as features."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
import numpy.typing as npt

from apsp._types import CrsLike, VertexLike
from apsp.errors import RequestError, shown
from apsp.graph.aligned import per_vertex
from apsp.graph.arcs import Arcs
from apsp.graph.arrays import number_array
from apsp.graph.long_table import LongTable
from apsp.graph.shapes.features import Features, at_vertices, checked_coordinates, path_lines
from apsp.system.arguments import one_of
from apsp.system.array_device import is_on_gpu, to_host
from apsp.system.lack_of_memory import memory_errors

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = ["GraphFeatures"]


class GraphFeatures(Arcs):
    """The features of `apsp.graph.model.Graph`."""

    @memory_errors
    def features(
        self,
        values: npt.ArrayLike | Mapping[str, npt.ArrayLike] | None = None,
        *,
        of: Literal["vertices", "arcs"] = "vertices",
        crs: CrsLike | None = None,
    ) -> Features:
        """Return the vertices as points, or the arcs as lines, with columns of values: for maps and geographic files.

        Parameters
        ----------
        values : (n,) or (m,) numbers, or mapping of str to such, optional
            A number per vertex, such as a centrality, or per arc, such as a flow, in the order of `graph.indices`. One
            array is the column 'value'; a mapping names the columns.
        of : {'vertices', 'arcs'}
            What the values are of.
        crs : str or pyproj.CRS, optional
            What the coordinates are: 'degrees', 'microdegrees' (which become degrees) or 'plane', as for `snap`, or
            what pyproj knows, such as 'EPSG:25832'. By default what the graph knows (`Graph.crs`), which it must not
            contradict; otherwise it is left open.

        Returns
        -------
        Features
            A row per vertex, with its label as column 'vertex', or per arc, with 'tail' and 'head'. Where a vertex has
            no coordinates there is no geometry.

        Raises
        ------
        GraphError
            If the graph has no coordinates.
        RequestError
            If there is not one value per vertex or arc, or the system is not known.
        MissingDependencyError
            If shapely is not installed.

        Examples
        --------
        >>> import apsp, shapely
        >>> city = apsp.generate("city", 400, seed=1)
        >>> city.features({"betweenness": apsp.betweenness_centrality(city)}, crs="plane")
        Features(400 of type Point, a plane)
        >>> city.features(city.weights, of="arcs").geometries[0].geom_type
        'LineString'
        """
        graph = cast("Graph", self)
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
        lines[shown_arcs] = path_lines(2 * np.arange(len(pairs) + 1), pairs.ravel(), places)
        return Features(table, lines, ("LineString",), known=graph.crs)._named(crs)

    @memory_errors
    def path_features(self, paths: Sequence[Sequence[VertexLike]], *, crs: CrsLike | None = None) -> Features:
        """Return paths as lines, for maps and geographic files.

        Parameters
        ----------
        paths : sequence of sequences of hashable
            The vertices of each path, as `Result.path` returns them.
        crs : str or pyproj.CRS, optional
            As for `features`.

        Returns
        -------
        Features
            A row per path, with the columns 'path', its number, and 'source' and 'target', its ends. An empty path has
            neither ends nor a geometry.

        Raises
        ------
        GraphError
            If the graph has no coordinates, or a vertex does not exist or has none.
        RequestError
            If the argument is one path, or the system is not known.
        MissingDependencyError
            If shapely is not installed.

        Examples
        --------
        >>> import apsp, shapely
        >>> city = apsp.generate("city", 400, seed=1)
        >>> features = city.path_features([apsp.shortest_path(city, 0, 399)], crs="plane")
        >>> features, features.geometries[0].geom_type
        (Features(1 of type LineString, a plane), 'LineString')
        """
        graph = cast("Graph", self)
        if isinstance(paths, (str, bytes)) or not isinstance(paths, Iterable) or getattr(paths, "ndim", 1) == 0:
            raise RequestError(f"paths must be a sequence of paths, each of vertices, not {shown(paths)}")
        found = []
        for path in paths:
            if isinstance(path, (str, bytes)) or not isinstance(path, Sequence | np.ndarray):
                raise RequestError("paths must be a sequence of paths: of one path, path_features([path])")
            found.append(graph.labels.positions(list(path)))
        offsets = np.append(0, np.cumsum([len(path) for path in found])).astype(np.int64)
        positions = np.concatenate([*found, np.empty(0, dtype=np.int32)]).astype(np.int32)
        ends = {
            name: np.array([path[at] if len(path) else -1 for path in found], dtype=np.int32)
            for name, at in (("source", 0), ("target", -1))
        }
        table = LongTable(graph.labels, {"path": np.arange(len(found)), **ends}, numbers=("path",))
        lines = path_lines(offsets, positions, graph.coordinates)
        return Features(table, lines, ("LineString",), known=graph.crs)._named(crs)
