"""What callers give as points: arrays, tables, dictionaries, geometries and files."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError, RequestError, shown
from apsp.graph.labels import Labels, RangeLabels, labels_of
from apsp.graph.places.frames import Frame
from apsp.graph.places.point_files import position_columns, read_points
from apsp.graph.tables.catalogue import is_frame, reader_of

__all__ = ["Points", "points_of"]


_GEOJSON = ("FeatureCollection", "Feature", "MultiPoint", "Point")


class Points(NamedTuple):
    """Points with labels.

    Attributes
    ----------
    points : (k, 2) float64
    labels : Labels
    """

    points: npt.NDArray[np.float64]
    labels: Labels


def points_of(given: Any, labels: Any, frame: Frame) -> Points:
    """The points that a caller gives.

    Parameters
    ----------
    given : object
        See `Graph.snap`.
    labels : sequence, str or None
        Labels, or the column that holds them.
    frame : Frame
        What the coordinates are.

    Raises
    ------
    RequestError
        If they are not points, a label occurs twice, or a coordinate is not a finite number.
    """
    column = labels if isinstance(labels, str) else None
    if isinstance(given, (str, PathLike)):
        content = read_points(given, angles=frame.degree is not None)
        try:
            return points_of(content, labels, frame)
        except RequestError as error:
            raise RequestError(f"{given}: {error}") from None
    found, own = _read(given, column, frame)
    try:
        plain = np.asarray(found)
        if plain.dtype.kind == "c":
            raise TypeError("complex numbers are not coordinates")
        array = np.ascontiguousarray(plain, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise RequestError(f"points must be pairs of numbers x, y: {str(error)[:120]}") from None
    if array.ndim == 1 and len(array) == 2:
        array = array[None, :]
    if array.size == 0:
        array = array.reshape(0, 2)
    if array.ndim != 2 or array.shape[1] != 2:
        raise RequestError(f"points must have shape (k, 2), x and y of each, not {array.shape}")
    if array is given or array.base is not None:
        array = array.copy()
    called = own if labels is None or column is not None else labels
    try:
        names = RangeLabels(0, len(array)) if called is None else labels_of(called)
    except GraphError as error:
        raise RequestError(f"places need different labels: {error}") from None
    if len(names) != len(array):
        raise RequestError(f"there are {len(names):,} labels for {len(array):,} points")
    _check(array, names, frame)
    return Points(array, names)


def _check(points: npt.NDArray[np.float64], labels: Labels, frame: Frame) -> None:
    wrong = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if len(wrong):
        raise RequestError(
            f"point {labels.word(int(wrong[0]))} has no place ({points[wrong[0]].tolist()}), and {len(wrong) - 1:,} "
            "others have none: leave them out"
        )
    if frame.degree is None:
        return
    wrong = np.flatnonzero((np.abs(points * frame.degree) > (180.0, 90.0)).any(axis=1))
    if len(wrong):
        raise RequestError(
            f"point {labels.word(int(wrong[0]))}, {points[wrong[0]].tolist()}, is not a longitude from -180 to 180 and "
            "a latitude from -90 to 90: the longitude comes first, and crs='plane' is for projected coordinates"
        )


def _read(given: Any, column: str | None, frame: Frame) -> tuple[Any, Any]:
    """Pairs of coordinates, and their own labels or None."""
    if hasattr(given, "geometry") and hasattr(given, "geom_type"):
        return _of_geopandas(given, column, frame)
    kind = getattr(given, "__geo_interface__", None)
    if (
        kind is None
        and isinstance(given, Mapping)
        and "type" in given
        and ("features" in given or "coordinates" in given)
    ):
        kind = given
    if kind is not None and not hasattr(given, "iloc"):
        return _of_geo(kind, column)
    if isinstance(given, Mapping) and position_columns([*given]) is None and column is None:
        return list(given.values()), list(given)
    if isinstance(given, Mapping) or is_frame(given):
        return _of_table(given, column)
    if column is not None:
        raise RequestError(f"there is no column {shown(column)} for labels: the points are not a table")
    if isinstance(given, (list, tuple)) and any(hasattr(each, "__geo_interface__") for each in given):
        return [_of_point(each.__geo_interface__) for each in given], None
    return given, None


def _of_table(given: Any, column: str | None) -> tuple[Any, Any]:
    read = reader_of(given)
    assert read is not None
    reader, table = read
    names = [name for name, _ in reader.columns(table)]
    pair = position_columns(names)
    if pair is None:
        words = ", ".join(map(shown, names[:12]))
        raise RequestError(
            f"points need two columns, x and y, or longitude and latitude, or lon and lat, of which there is one pair, "
            f"not {words}: rename them, or give an array (k, 2)"
        )
    if column is not None and column not in names:
        raise RequestError(f"there is no column {shown(column)} for labels, only {', '.join(map(shown, names[:12]))}")
    x, y, *further = reader.read(table, [*pair, *([] if column is None else [column])])
    for each in (x, y):
        if each.values.dtype.kind not in "iuf" and len(each.values):
            raise RequestError(f"column {shown(each.name)} of the points does not hold numbers")
    places = np.stack(
        [np.where(each.missing, np.nan, each.values.astype(np.float64)) for each in (x, y)], axis=1
    )  # fmt: skip
    if further:
        if further[0].missing.any():
            row = int(np.argmax(further[0].missing))
            raise RequestError(f"row {row + 1} of the points has no label in the column {shown(column)}")
        return places, further[0].values.tolist()
    index = getattr(given, "index", None) if hasattr(given, "iloc") else None
    return places, None if index is None or type(index).__name__ == "RangeIndex" else index


def _of_geopandas(given: Any, column: str | None, frame: Frame) -> tuple[Any, Any]:
    crs = given.crs
    if crs is not None and bool(crs.is_geographic) != (frame.degree is not None):
        kind = "longitudes and latitudes" if crs.is_geographic else "lengths in a plane"
        raise RequestError(
            f"the points are {kind} ({crs.to_string()}), which crs= or that of the graph contradicts: to_crs converts "
            "them"
        )
    geometry = given.geometry
    if not (geometry.geom_type == "Point").all():
        raise RequestError("the geometries must be points: frame.representative_point() is a point of each")
    if column is not None and column not in given:
        raise RequestError(f"there is no column {shown(column)} for labels")
    index = given.index
    own = list(given[column]) if column is not None else None if type(index).__name__ == "RangeIndex" else index
    return np.stack([geometry.x.to_numpy(), geometry.y.to_numpy()], axis=1), own


def _of_geo(kind: Any, column: str | None) -> tuple[Any, Any]:
    """The points of a geometry or of features, as GeoJSON describes them."""
    if kind.get("type") == "FeatureCollection":
        features = kind.get("features", [])
        places = [_of_point(each.get("geometry") or {}, f"feature {row}: ") for row, each in enumerate(features, 1)]
        if column is None:
            return places, None
        try:
            return places, [each["properties"][column] for each in features]
        except (KeyError, TypeError):
            raise RequestError(f"some feature has no property {shown(column)} for labels") from None
    if column is not None:
        raise RequestError(f"there is no property {shown(column)} for labels: the points are not features")
    if kind.get("type") == "Feature":
        return [_of_point(kind.get("geometry") or {})], None
    if kind.get("type") == "MultiPoint":
        return [tuple(each)[:2] for each in kind["coordinates"]], None
    return [_of_point(kind)], None


def _of_point(geometry: Any, where: str = "") -> Any:
    if geometry.get("type") != "Point":
        raise RequestError(f"{where}the geometries must be points, not {shown(geometry.get('type'))}")
    return tuple(geometry["coordinates"])[:2]
