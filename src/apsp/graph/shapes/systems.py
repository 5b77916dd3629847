"""Coordinate reference systems: what a caller names, for lengths and for files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from apsp._types import JsonObject
from apsp.errors import RequestError, shown
from apsp.system.optional import needed

__all__ = ["CoordinateSystem", "system_known", "system_of"]

_LONGITUDE_FIRST = "EPSG:4326"


@dataclass(frozen=True)
class CoordinateSystem:
    """What coordinates are.

    Attributes
    ----------
    degree : float or None
        Degrees per unit of longitude and latitude; None for lengths in a plane.
    name : str or None
        As GeoPandas and pyproj take it; None for a plane of which no more is known.
    described : dict or None
        PROJJSON. None for longitudes and latitudes on WGS 84, the default of GeoParquet, and for an unknown plane.
    """

    degree: float | None
    name: str | None
    described: JsonObject | None = None

    @property
    def is_usual(self) -> bool:
        """Whether these are longitudes and latitudes on WGS 84, as in GeoJSON."""
        return self.name == _LONGITUDE_FIRST


def system_of(crs: Any) -> CoordinateSystem:
    """The system that a caller names: as for `Graph.snap`, or as pyproj knows it.

    Raises
    ------
    RequestError
        If it is not clear what the coordinates are.
    MissingDependencyError
        If only pyproj knows the name, and is not installed.
    """
    is_code = isinstance(crs, str) and ":" in crs
    if not is_code and not hasattr(crs, "to_json_dict"):
        return _plain(crs)
    try:
        return _plain(crs)
    except RequestError:
        pyproj = needed("pyproj", f"crs={shown(crs)}")
    try:
        found = pyproj.CRS.from_user_input(crs)
    except Exception as error:  # of pyproj
        raise RequestError(f"crs={shown(crs)}: {str(error)[:120]}") from error
    units = {axis.unit_name for axis in found.axis_info}
    if not found.is_projected and units != {"degree"}:
        raise RequestError(f"crs={shown(str(crs))} is neither a projection nor longitudes and latitudes in degrees")
    return CoordinateSystem(None if found.is_projected else 1.0, found.to_string(), found.to_json_dict())


def system_known(crs: Any, known: str | None) -> CoordinateSystem | None:
    """The system that a caller names, or that the graph knows (`Graph.crs`); None if neither does.

    Raises
    ------
    RequestError
        As `system_of`, or if one contradicts the other.
    MissingDependencyError
    """
    if crs is None:
        return None if known is None else system_of(known)
    found = system_of(crs)
    if known is not None and found.degree != _plain(known).degree:
        raise RequestError(
            f"crs={shown(crs if isinstance(crs, str) else str(crs))}: the coordinates of the graph are {known}; leave "
            "crs out, or name what they are where the graph is made: apsp.from_edges(..., crs=...)"
        )
    return found


def _plain(crs: Any) -> CoordinateSystem:
    from apsp.graph.places.frames import frame_of  # places have a graph, which has features

    degree = frame_of(crs).degree
    return CoordinateSystem(degree, None if degree is None else _LONGITUDE_FIRST)
