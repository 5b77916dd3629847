"""Points of a map on the streets of a graph."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from apsp._types import JsonObject, NumPyArray, VertexLike
from apsp.errors import RequestError, shown
from apsp.graph.arcs import Arcs
from apsp.graph.labels import Labels, labels_of
from apsp.graph.long_table import LongTable
from apsp.graph.tabular import Tabular
from apsp.system.lack_of_memory import memory_errors

__all__ = ["Places"]

_ARRAYS = ("points", "arcs", "vertices", "fractions", "on_street", "legs")
"""The attributes of `Places` with a row per place."""


@dataclass(frozen=True, eq=False, repr=False)
class Places(Tabular):
    """Points of a map on the streets of a graph: `Graph.snap` finds them.

    `apsp.matrix`, `distance`, `distances`, `shortest_path`, `within`, `stream_within`, `k_nearest`, `nearest`,
    `isochrone`, `stream_isochrones`, `accessibility` and `skim` take them where they take vertices. Distances, float64,
    then begin and end at the points: with the way between the point and the street, and the part of the street.
    `places[2]`, `places[1:4]` and `places[mask]` are some of them.

    Parameters
    ----------
    graph : Graph
        The graph whose streets these are. Places also belong to the same arcs with other weights.
    labels : Labels
        A different label per place.
    points : (k, 2) float64
        The points, as they were given.
    arcs : (k,) int64
        The street of each place: an arc, as an index of `graph.indices`; of the two arcs of a two-way street that from
        the vertex that comes first. -1 at a vertex, and without a street.
    vertices : (k,) int32
        The tail of the arc, or the vertex where the place is, by position; -1 for points beyond the limit.
    fractions : (k,) float64
        The part of the arc between its tail and the place, between 0 and 1; 0 at a vertex.
    on_street : (k, 2) float64
        Coordinates of the nearest points of the streets.
    legs : (k,) float64
        Lengths of the ways between the points and the streets, in metres, or in units of the coordinates.
    speed : float or None
        Length of a way per unit of the weights.
    unsnapped : {'error', 'unreachable'}
        What points beyond the limit are: an error where they are used, or places that no path reaches.
    crs : {'degrees', 'microdegrees', 'plane'}
        What the coordinates are.

    Examples
    --------
    >>> import apsp
    >>> street = apsp.from_edges([0], [1], [60], directed=False, coordinates=[[0, 0], [100, 0]])
    >>> homes = street.snap([[25, 10], [90, 0]], crs="plane", speed=2, labels=["a", "b"])
    >>> homes.fractions.tolist(), homes.legs.tolist(), homes.costs.tolist()
    ([0.25, 0.9], [10.0, 0.0], [5.0, 0.0])
    >>> apsp.distance(street, homes[0], homes[1])  # 5 to the street, and 65% of it
    44.0
    """

    graph: Arcs
    labels: Labels
    points: npt.NDArray[np.float64]
    arcs: npt.NDArray[np.int64]
    vertices: npt.NDArray[np.int32]
    fractions: npt.NDArray[np.float64]
    on_street: npt.NDArray[np.float64]
    legs: npt.NDArray[np.float64]
    speed: float | None
    unsnapped: Literal["error", "unreachable"]
    crs: str = "plane"

    def __post_init__(self) -> None:
        for name in _ARRAYS:
            getattr(self, name).setflags(write=False)

    def __setstate__(self, state: dict[str, object]) -> None:
        """Copies and pickles are immutable, too."""
        self.__dict__.update(state)
        self.__post_init__()

    def __len__(self) -> int:
        return len(self.points)

    @property
    def snapped(self) -> npt.NDArray[np.bool_]:
        """(k,) whether a place is within the limit."""
        return self.vertices >= 0

    @property
    def costs(self) -> npt.NDArray[np.float64]:
        """(k,) float64, what the ways between the points and the streets cost, in units of the weights.

        Raises
        ------
        RequestError
            If some way has a length, and the speed is not known.
        """
        if self.speed is None:
            if (self.legs[self.snapped] > 0).any():
                raise RequestError(
                    "what the ways between the points and the streets cost is not known: snap(..., speed=) is their "
                    "length per unit of the weights: 1.4 for weights in seconds of a walk over metres, 1 for weights "
                    "that are lengths in the same unit, math.inf for ways that cost nothing"
                )
            return np.zeros(len(self))
        return self.legs / self.speed

    def __getitem__(self, chosen: Any) -> Places:
        """Some places: an index, a slice, a mask or an array of indices."""
        if isinstance(chosen, (str, bytes, tuple)) or chosen is None:
            raise RequestError(f"places[...] takes indices, a slice or a mask, not {shown(chosen)}: places.at(label)")
        try:
            rows = np.atleast_1d(np.arange(len(self))[chosen])
        except (IndexError, TypeError, ValueError):
            raise RequestError(f"there is no place {shown(chosen)} among {len(self):,}") from None
        return self._taken(rows)

    @memory_errors
    def at(self, label: VertexLike) -> Places:
        """Return the place with a label.

        Parameters
        ----------
        label : hashable
            One of `labels`.

        Returns
        -------
        Places
            One place.

        Raises
        ------
        GraphError
            If there is none.

        Examples
        --------
        >>> import apsp
        >>> street = apsp.from_edges([0], [1], [60], directed=False, coordinates=[[0, 0], [100, 0]])
        >>> street.snap({"home": (25, 10), "shop": (90, 0)}, crs="plane").at("shop").points.tolist()
        [[90.0, 0.0]]
        """
        return self._taken(np.array([self.labels.index(label)]))

    def _taken(self, rows: npt.NDArray[Any]) -> Places:
        if len(rows) > 1 and len(np.unique(rows)) != len(rows):
            raise RequestError("places[...] takes each place once: their labels differ")
        arrays = {name: getattr(self, name)[rows] for name in _ARRAYS}
        return replace(self, labels=labels_of(self.labels.take(rows.astype(np.int32))), **arrays)

    @memory_errors
    def to_long(self) -> dict[str, NumPyArray]:
        """Return columns label, tail, head, fraction, leg, x and y, with a row per place.

        Returns
        -------
        dict of str to (k,) array
            Tail and head are the ends of the street, or twice the vertex; -1 or None for points beyond the limit. x and
            y are the coordinates on the street.

        Examples
        --------
        >>> import apsp
        >>> street = apsp.from_edges([0], [1], [60], directed=False, coordinates=[[0, 0], [100, 0]])
        >>> columns = street.snap({"home": (25, 10)}, crs="plane").to_long()
        >>> {name: column.tolist()[0] for name, column in columns.items()}
        {'label': 'home', 'tail': 0, 'head': 1, 'fraction': 0.25, 'leg': 10.0, 'x': 25.0, 'y': 0.0}
        """
        return self._table().to_dict()

    @property
    def __geo_interface__(self) -> JsonObject:
        """The points as a GeoJSON collection of features, in degrees, or in the units of a plane.

        Properties are the columns of `to_long`, except x and y: the points are those beside the streets.
        """
        scale = 1e-6 if self.crs == "microdegrees" else 1.0
        columns = {name: column.tolist() for name, column in self.to_long().items() if name not in ("x", "y")}
        columns["leg"] = [leg if math.isfinite(leg) else None for leg in columns["leg"]]
        rows = zip(*columns.values(), strict=True)
        return {
            "type": "FeatureCollection",
            "features": [
                {
                    "type": "Feature",
                    "geometry": {"type": "Point", "coordinates": [x * scale, y * scale]},
                    "properties": dict(zip(columns, row, strict=True)),
                }
                for (x, y), row in zip(self.points.tolist(), rows, strict=True)
            ],
        }

    def _table(self) -> LongTable:
        return self._table_of(slice(None))

    def _head(self, rows: int) -> tuple[LongTable, int]:
        return self._table_of(slice(rows)), len(self)

    def _table_of(self, rows: slice) -> LongTable:
        arcs, vertices = self.arcs[rows], self.vertices[rows]
        heads = np.where(arcs < 0, vertices, self.graph.indices[arcs] if self.graph.m else -1)
        columns: dict[str, NumPyArray] = {
            "label": np.arange(len(self), dtype=np.int32)[rows],
            "tail": vertices,
            "head": heads.astype(np.int32),
            "fraction": self.fractions[rows],
            "leg": self.legs[rows],
            "x": self.on_street[rows, 0],
            "y": self.on_street[rows, 1],
        }
        return LongTable(
            self.graph.labels, columns, numbers=("fraction", "leg", "x", "y"), others={"label": self.labels}
        )

    def __repr__(self) -> str:
        beyond = len(self) - int(self.snapped.sum())
        return f"Places({len(self):,}{f', {beyond:,} beyond the limit' if beyond else ''})"
