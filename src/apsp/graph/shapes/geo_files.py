"""Files of features: GeoParquet 1.1 and GeoJSON, written a block of features at a time.

A block of GeoParquet is a row group. Its boxes are a column, so that a reader of a part of the map skips the others.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from concurrent.futures import Future
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from apsp._types import JsonObject, PathLike
from apsp.errors import RequestError
from apsp.graph.long_table import LongTable
from apsp.graph.shapes.systems import CoordinateSystem
from apsp.system.inputs import inputs_among
from apsp.system.optional import needed
from apsp.system.replacing import check_output, replacing
from apsp.system.threads import Threads

if TYPE_CHECKING:
    from apsp.graph.shapes.features import Features

__all__ = ["GEO_ENDINGS", "check_columns", "check_geo_path", "write_features"]

GEO_ENDINGS = (".parquet", ".geojson")

_CORNERS = ("xmin", "ymin", "xmax", "ymax")


def check_columns(table: LongTable) -> None:
    """Raise RequestError if a column has the name of that of the geometries, or of their boxes."""
    for name in ("geometry", "bbox"):
        if name in table.columns:
            raise RequestError(f"features have a column {name!r} of their own: give these values another name")


def check_geo_path(path: PathLike, system: CoordinateSystem | None) -> Path:
    """Check before any work that a file can hold features of a system.

    Raises
    ------
    RequestError
        If it has another ending, or is GeoJSON and the coordinates are not longitudes and latitudes.
    MissingDependencyError, OutputError
        If the package for it is missing, or the place is not writable.
    """
    place = check_output(path, GEO_ENDINGS)
    needed("shapely", "writing geometries")
    if place.suffix.lower() == ".parquet":
        needed("pyarrow", "writing Parquet")
    elif system is None or not system.is_usual:
        raise RequestError(
            "GeoJSON holds longitudes and latitudes (RFC 7946): crs='degrees' says that the coordinates are, and "
            ".parquet holds others"
        )
    return place


def write_features(first: Features, rest: Iterator[Features], path: PathLike) -> None:
    """Write blocks of features of one kind to a file that `check_geo_path` has checked.

    Parameters
    ----------
    first : Features
        The first block, which may be empty.
    rest : iterator of Features
        Each is made when those before it are written, or are being written.
    path : path
    """
    check_columns(first.table)
    inputs = first.table.labels.inputs.union(*(labels.inputs for labels in first.table.others.values()))
    place = Path(path)
    with inputs_among(inputs), replacing(place) as file:
        if place.suffix.lower() == ".parquet":
            _write_parquet(file, first, rest)
        else:
            _write_geojson(file, chain([first], rest))


def _write_parquet(file: IO[bytes], first: Features, rest: Iterator[Features]) -> None:
    parquet = needed("pyarrow.parquet", "writing Parquet")
    head = _arrow(first)
    schema = head.schema.with_metadata({"geo": json.dumps(_description(first))})
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer, Threads(1, "apsp-features") as other:
        behind: list[Future[None]] = []
        for table in chain([head], map(_arrow, rest)):  # another thread writes a block while the next one is made
            for written in behind:
                written.result()
            if len(table):
                behind = [other.submit(writer.write_table, table.replace_schema_metadata(schema.metadata))]
        for written in behind:
            written.result()


def _arrow(features: Features) -> Any:
    """The table of PyArrow, with the geometries as WKB, and their boxes."""
    shapely, arrow = needed("shapely", "writing geometries"), needed("pyarrow", "writing Parquet")
    table = features.table.to_arrow("writing Parquet")
    bytes_of = shapely.to_wkb(features.geometries, byte_order=1)
    boxes = shapely.bounds(features.geometries).reshape(-1, 4)
    mask = np.isnan(boxes).any(axis=1)
    table = table.append_column("geometry", arrow.array(bytes_of.tolist(), arrow.binary()))
    corners = [arrow.array(boxes[:, axis], mask=mask) for axis in range(4)]
    return table.append_column("bbox", arrow.StructArray.from_arrays(corners, _CORNERS))


def _description(features: Features) -> JsonObject:
    """The metadata of GeoParquet."""
    column: JsonObject = {
        "encoding": "WKB",
        "geometry_types": list(features.kinds),
        "covering": {"bbox": {name: ["bbox", name] for name in _CORNERS}},
    }
    if any("Polygon" in kind for kind in features.kinds):
        column["orientation"] = "counterclockwise"
    system = features.system
    if system is None or not system.is_usual:  # without "crs" they are longitudes and latitudes
        column["crs"] = None if system is None else system.described
    return {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": column}}


def _write_geojson(file: IO[bytes], blocks: Iterator[Features]) -> None:
    file.write(b'{"type": "FeatureCollection", "features": [')
    between = b"\n"
    for block in blocks:
        for feature in block.each():
            feature["properties"] = {name: _plain(value) for name, value in feature["properties"].items()}
            file.write(between + json.dumps(feature, default=str).encode())
            between = b",\n"
    file.write(b"\n]}\n")


def _plain(value: Any) -> Any:
    """A value that JSON has: nothing for infinity and not-a-number."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
