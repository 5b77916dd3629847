"""Files of points: CSV, GeoJSON, and Parquet with columns or (GeoParquet) with geometries."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from apsp.errors import FileFormatError, MissingFileError, RequestError
from apsp.system.optional import needed

__all__ = ["POINT_SUFFIXES", "read_points"]

POINT_SUFFIXES = (".csv", ".geojson", ".json", ".parquet")


def read_points(path: Any) -> Any:
    """A dictionary of columns, GeoJSON or a table of PyArrow: what `points_of` takes.

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
        raise RequestError(f"{file}: points are read from files that end in {', '.join(POINT_SUFFIXES)}")
    if not file.exists():
        raise MissingFileError(file)
    try:
        if ending == ".parquet":
            return _parquet(file)
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise FileFormatError(file, f"it cannot be read: {error}") from error
    return _csv(file, text) if ending == ".csv" else _geojson(file, text)


def _csv(file: Path, text: str) -> dict[str, list[Any]]:
    rows = csv.reader(text.splitlines())
    try:
        header = [name.strip() for name in next(rows, [])]
        if len(set(header)) != len(header) or not header:
            raise FileFormatError(file, "the first line must hold the names of the columns", line=1)
        columns: list[list[Any]] = [[] for _ in header]
        for row in rows:
            if not row:
                continue
            if len(row) != len(header):
                raise FileFormatError(file, f"{len(row)} fields, and the header has {len(header)}", line=rows.line_num)
            for column, field in zip(columns, row, strict=True):
                column.append(field.strip())
    except csv.Error as error:
        raise FileFormatError(file, f"it is not CSV: {error}", line=rows.line_num) from error
    return {name: _numbers(column) for name, column in zip(header, columns, strict=True)}


def _numbers(column: list[str]) -> list[Any]:
    """Integers or floats if all fields are; text otherwise. An empty field of floats is missing."""
    for kind in (int, float):
        try:
            return [None if kind is float and not field else kind(field) for field in column]
        except ValueError:
            continue
    return column


def _geojson(file: Path, text: str) -> Any:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise FileFormatError(file, f"it is not JSON: {error}") from error
    if not isinstance(found, dict) or "type" not in found:
        raise FileFormatError(file, "it is not GeoJSON: there is no object with a type")
    return found


def _parquet(file: Path) -> Any:
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
        name = json.loads(meta)["primary_column"]
        shapes = needed("shapely", "reading GeoParquet").from_wkb(table.column(name).to_pylist())
        x, y = ([getattr(shape, axis) for shape in shapes] for axis in ("x", "y"))
    except (KeyError, ValueError, AttributeError) as error:
        raise FileFormatError(file, f"its geometries are not points: {str(error)[:120]}") from error
    columns = {field: table.column(field).to_pylist() for field in table.column_names if field != name}
    taken = {str(field).lower() for field in columns}
    if taken & {"x", "y", "lon", "lat", "longitude", "latitude"}:  # the geometries say where the points are
        columns = {
            field: column
            for field, column in columns.items()
            if field.lower() not in ("x", "y", "lon", "lat", "longitude", "latitude")
        }
    return {**columns, "x": x, "y": y}
