"""What all results share that have places on a map: features, GeoPandas, and the protocol of geometries."""

from __future__ import annotations

from apsp._types import CrsLike, GeoDataFrame, JsonObject
from apsp.graph.shapes.features import Features
from apsp.system.lack_of_memory import memory_errors

__all__ = ["Mapped"]


class Mapped:
    """The conversions of a result whose geometries are `_features()`."""

    def _features(self) -> Features:
        raise NotImplementedError

    @memory_errors
    def features(self, crs: CrsLike | None = None) -> Features:
        """Return the table of this result with geometries, for maps and geographic files.

        Parameters
        ----------
        crs : str or pyproj.CRS, optional
            What the coordinates of the graph are: 'degrees', 'microdegrees' (which become degrees) or 'plane', as for
            `Graph.snap`, or what pyproj knows, such as 'EPSG:25832'. By default what the graph knows (`Graph.crs`),
            which it must not contradict; otherwise it is left open.

        Returns
        -------
        Features
            A geometry per row: vertices are points, and paths lines.

        Raises
        ------
        GraphError
            If the graph has no coordinates.
        RequestError
            If the system is not known, or contradicts that of the graph.
        MissingDependencyError
            If shapely (or pyproj, which knows other systems) is not installed.

        Examples
        --------
        >>> import apsp, shapely
        >>> street = apsp.from_edges([0], [1], [60], directed=False, coordinates=[[9.0, 45.5], [9.1, 45.5]])
        >>> apsp.nearest(street, [1]).features(crs="degrees")
        Features(2 of type Point, EPSG:4326)
        """
        return self._features()._named(crs)

    @memory_errors
    def to_geopandas(self, crs: CrsLike | None = None) -> GeoDataFrame:
        """Return a GeoDataFrame of GeoPandas.

        Parameters
        ----------
        crs : str or pyproj.CRS, optional
            As for `features`.

        Returns
        -------
        geopandas.GeoDataFrame
            The columns of the table, and a column 'geometry'.

        Raises
        ------
        GraphError, RequestError
            As `features`.
        MissingDependencyError
            If GeoPandas is not installed.

        Examples
        --------
        >>> import apsp, geopandas
        >>> street = apsp.from_edges([0], [1], [60], directed=False, coordinates=[[9.0, 45.5], [9.1, 45.5]])
        >>> apsp.nearest(street, [1]).to_geopandas(crs="degrees").columns.tolist()
        ['vertex', 'facility', 'distance', 'geometry']
        """
        return self.features(crs).to_geopandas()

    @property
    def __geo_interface__(self) -> JsonObject:
        """A FeatureCollection of GeoJSON, in the coordinates of the graph (in degrees if these are microdegrees)."""
        return self.features().__geo_interface__
