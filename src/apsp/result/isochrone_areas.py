"""Polygons around what is within cutoffs of sources, with their sources and cutoffs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray, PathLike
from apsp.graph.labels import Labels
from apsp.graph.long_table import LongTable
from apsp.graph.shapes import Features, Mapped
from apsp.graph.shapes.systems import CoordinateSystem
from apsp.system.numbers import counted

__all__ = ["IsochroneAreas"]


@dataclass(frozen=True, eq=False, repr=False)
class IsochroneAreas(Mapped):
    """A polygon per source and cutoff; `Isochrones.areas` and `apsp.stream_isochrones` make them.

    Parameters
    ----------
    labels : Labels
        Of all vertices.
    source_positions : (S,) int32
        The sources, by position.
    cutoffs : tuple of int or float
        The c cutoffs, ascending.
    polygons : (S, c) array of objects
        Polygons and MultiPolygons of shapely, valid, with outer rings counter-clockwise.
    system : CoordinateSystem
        What their coordinates are.

    Examples
    --------
    >>> import apsp, shapely
    >>> city = apsp.generate("city", 400, seed=1)
    >>> areas = apsp.isochrone(city, [17, 200], [30, 60]).areas(width=25, crs="plane")
    >>> areas
    IsochroneAreas(2 sources, 2 cutoffs, a plane)
    >>> bool(shapely.covers(areas.polygons[:, 1], shapely.points(city.coordinates[[17, 200]])).all())
    True
    """

    labels: Labels
    source_positions: npt.NDArray[np.int32]
    cutoffs: tuple[int | float, ...]
    polygons: NumPyArray
    system: CoordinateSystem

    @property
    def sources(self) -> NumPyArray:
        """(S,) labels of the sources."""
        return self.labels.take(self.source_positions)

    def __len__(self) -> int:
        return len(self.source_positions)

    def _features(self) -> Features:
        table = LongTable(
            self.labels,
            {
                "source": np.repeat(self.source_positions, len(self.cutoffs)),
                "cutoff": np.tile(np.asarray(self.cutoffs), len(self)),
            },
            numbers=("cutoff",),
        )
        return Features(table, self.polygons.ravel(), ("Polygon", "MultiPolygon"), self.system)

    def write(self, path: PathLike) -> None:
        """Write a GeoParquet or GeoJSON file, which appears complete or not at all.

        Parameters
        ----------
        path : str or Path
            The file, which ends in .parquet (GeoParquet 1.1) or .geojson. GeoJSON holds longitudes and latitudes only.

        Raises
        ------
        RequestError
            If it has another ending, or the coordinates are not those of GeoJSON.
        MissingDependencyError
            If pyarrow, which writes Parquet, is not installed.
        OutputError
            If the file cannot be written.

        Examples
        --------
        >>> import apsp, shapely, pyarrow.parquet
        >>> city = apsp.generate("city", 400, seed=1)
        >>> apsp.isochrone(city, [17, 200], [30, 60]).areas(width=25, crs="plane").write("areas.parquet")
        >>> pyarrow.parquet.read_table("areas.parquet").column_names
        ['source', 'cutoff', 'geometry', 'bbox']
        """
        self._features().write(path)

    def __repr__(self) -> str:
        sources, cutoffs = counted(len(self), "source"), counted(len(self.cutoffs), "cutoff")
        return f"IsochroneAreas({sources}, {cutoffs}, {self.system.name or 'a plane'})"
