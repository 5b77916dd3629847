"""Files of points: CSV, GeoJSON, and Parquet with columns or (GeoParquet) with geometries."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any

from apsp.errors import FileFormatError, MissingFileError, RequestError, shown
from apsp.graph.aligned import POSITIONS
from apsp.system.optional import needed

__all__ = ["POINT_SUFFIXES", "position_columns", "read_points"]

_GEOGRAPHIC = ("CRS84", "4326", "4258", "4269", "4979")
"""Codes of systems of longitude and latitude."""

_ARE_ANGLES = {"GeographicCRS": True, "ProjectedCRS": False}
"""Whether coordinates are angles, by the type of a system in PROJJSON."""

POINT_SUFFIXES = (".csv", ".geojson", ".json", ".parquet")


def position_columns(names: Sequence[Hashable]) -> tuple[Hashable, Hashable] | None:
    """The columns of x and y; None if they are not clear."""
    lower = [str(name).lower() for name in names]
    found = [pair for pair in POSITIONS if all(lower.count(word) == 1 for word in pair)]
    if len(found) != 1:
        return None
    x, y = (names[lower.index(word)] for word in found[0])
    return x, y


def read_points(path: Any, *, angles: bool) -> Any:
    """A dictionary of columns, GeoJSON or a table of PyArrow: what `points_of` takes.

    Parameters
    ----------
    path : path
        The file.
    angles : bool
        The caller says that the coordinates are angles. A file that says something else is refused.

    Raises
    ------
    MissingFileError, FileFormatError
        If the file cannot be read.
    RequestError
        If its name has another ending.
    """
    file = Path(path)
    ending = file.suffix.lower()
    if ending not in POINT_SUFFIXES:
        raise RequestError(f"{shown(str(file))}: points are read from files that end in {', '.join(POINT_SUFFIXES)}")
    if not file.exists():
        raise MissingFileError(file)
    try:
        if ending == ".parquet":
            return _parquet(file, angles)
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise FileFormatError(file, f"it cannot be read: {error}") from error
    return _csv(file, text) if ending == ".csv" else _geojson(file, text, angles)


def _csv(file: Path, text: str) -> dict[str, list[Any]]:
    rows = csv.reader(text.splitlines())
    try:
        header = [name.strip() for name in next(rows, [])]
        if len(set(header)) != len(header) or not header:
            raise FileFormatError(file, "the first line must hold the names of the columns", line=1)
        columns: list[list[Any]] = [[] for _ in header]
        lines: list[int] = []
        for row in rows:
            if not row:
                continue
            if len(row) != len(header):
                raise FileFormatError(file, f"{len(row)} fields, and the header has {len(header)}", line=rows.line_num)
            lines.append(rows.line_num)
            for column, field in zip(columns, row, strict=True):
                column.append(field.strip())
    except csv.Error as error:
        raise FileFormatError(file, f"it is not CSV: {error}", line=rows.line_num) from error
    chosen = position_columns(header)
    return {
        name: _coordinates(file, name, column, lines) if chosen is not None and name in chosen else _labels(column)
        for name, column in zip(header, columns, strict=True)
    }


def _coordinates(file: Path, name: str, column: list[str], lines: list[int]) -> list[float]:
    """Finite floats.

    Raises
    ------
    FileFormatError
        If a field is none.
    """
    found = []
    for field, line in zip(column, lines, strict=True):
        try:
            number = float(field)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise FileFormatError(file, f"column {shown(name)} holds {shown(field)}, not a number", line=line)
        found.append(number)
    return found


def _labels(column: list[str]) -> list[Any]:
    """Integers if all fields are written as integers are; otherwise the text, such as 007."""
    canonical = all(len(field) < 19 and field.lstrip("-").isdecimal() and str(int(field)) == field for field in column)
    return [int(field) for field in column] if canonical else list(column)


def _geojson(file: Path, text: str, angles: bool) -> Any:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise FileFormatError(file, f"it is not JSON: {error}") from error
    if not isinstance(found, dict) or "type" not in found:
        raise FileFormatError(file, "it is not GeoJSON: there is no object with a type")
    try:
        name = str(found["crs"]["properties"]["name"])
    except (KeyError, TypeError):
        return found  # without a name it is degrees by RFC 7946, but files with other coordinates are common
    if name.upper().rsplit(":", 1)[-1] in _GEOGRAPHIC and not angles:
        raise _contradiction(file, name, angles=True)
    return found


def _contradiction(file: Path, name: str, *, angles: bool) -> RequestError:
    kind = "longitudes and latitudes" if angles else "lengths in a plane"
    return RequestError(f"{file}: the points are {kind} ({shown(name)}), which crs= contradicts")


def _parquet(file: Path, angles: bool) -> Any:
    parquet = needed("pyarrow.parquet", "reading Parquet")
    try:
        table = parquet.read_table(file)
    except OSError:
        raise
    except Exception as error:  # of PyArrow
        raise FileFormatError(file, f"it is not Parquet: {str(error)[:120]}") from error
    meta = (table.schema.metadata or {}).get(b"geo")
    if meta is None:
        return table
    try:
        described = json.loads(meta)
        name = described["primary_column"]
        system = described["columns"][name].get("crs", {"type": "GeographicCRS", "name": "OGC:CRS84, the default"})
        shapes = needed("shapely", "reading GeoParquet").from_wkb(table.column(name).to_pylist())
        x, y = ([getattr(shape, axis) for shape in shapes] for axis in ("x", "y"))
    except (KeyError, ValueError, AttributeError) as error:
        raise FileFormatError(file, f"its geometries are not points: {str(error)[:120]}") from error
    kind = system.get("type") if isinstance(system, dict) else None
    if kind in _ARE_ANGLES and _ARE_ANGLES[kind] is not angles:
        raise _contradiction(file, str(system.get("name")), angles=not angles)
    columns = {field: table.column(field).to_pylist() for field in table.column_names if field != name}
    taken = {str(field).lower() for field in columns}
    if taken & {"x", "y", "lon", "lat", "longitude", "latitude"}:  # the geometries say where the points are
        columns = {
            field: column
            for field, column in columns.items()
            if field.lower() not in ("x", "y", "lon", "lat", "longitude", "latitude")
        }
    return {**columns, "x": x, "y": y}
