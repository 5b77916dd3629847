"""Files of Overture segments with the columns and types of a release."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

__all__ = ["line", "segment", "write_segments"]

TEXTS = pa.list_(pa.string())
BETWEEN = ("between", pa.list_(pa.float64()))
VEHICLE = pa.struct([
    ("dimension", pa.string()), ("comparison", pa.string()), ("value", pa.float64()), ("unit", pa.string()),
])  # fmt: skip
WHEN = pa.struct([
    ("heading", pa.string()), ("during", pa.string()), ("using", TEXTS), ("recognized", TEXTS), ("mode", TEXTS),
    ("vehicle", pa.list_(VEHICLE)),
])  # fmt: skip
SPEED = pa.struct([("value", pa.int32()), ("unit", pa.string())])
STEP = pa.struct([("connector_id", pa.string()), ("segment_id", pa.string())])

SCHEMA = pa.schema([
    ("id", pa.string()),
    ("geometry", pa.binary()),
    ("bbox", pa.struct([(name, pa.float32()) for name in ("xmin", "xmax", "ymin", "ymax")])),
    ("version", pa.int32()),
    ("theme", pa.string()),
    ("type", pa.string()),
    ("subtype", pa.string()),
    ("class", pa.string()),
    ("connectors", pa.list_(pa.struct([("connector_id", pa.string()), ("at", pa.float64())]))),
    ("subclass", pa.string()),
    ("subclass_rules", pa.list_(pa.struct([("value", pa.string()), BETWEEN]))),
    ("road_flags", pa.list_(pa.struct([("values", TEXTS), BETWEEN]))),
    ("access_restrictions", pa.list_(pa.struct([("access_type", pa.string()), ("when", WHEN), BETWEEN]))),
    ("speed_limits", pa.list_(pa.struct([
        ("min_speed", SPEED), ("max_speed", SPEED), ("is_max_speed_variable", pa.bool_()), ("when", WHEN), BETWEEN,
    ]))),
    ("prohibited_transitions", pa.list_(pa.struct([
        ("sequence", pa.list_(STEP)), ("final_heading", pa.string()), ("when", WHEN), BETWEEN,
    ]))),
])  # fmt: skip


def line(points: Any, order: str = "<") -> bytes:
    """A line in Well-Known Binary."""
    head = struct.pack(f"{order}BII", order == "<", 2, len(points))
    return head + b"".join(struct.pack(f"{order}dd", *point) for point in points)


def segment(name: str, points: Any, connectors: dict[str, float] | list[tuple[str, float]], **more: Any) -> Any:
    """A row: a road, unless `more` says something else."""
    pairs = connectors.items() if isinstance(connectors, dict) else connectors
    return {
        "id": name, "geometry": line(points), "version": 1, "theme": "transportation", "type": "segment",
        "subtype": "road", "class": "residential",
        "connectors": [{"connector_id": connector, "at": at} for connector, at in pairs],
    } | more  # fmt: skip


def write_segments(path: Path, rows: list[Any], schema: pa.Schema = SCHEMA) -> Path:
    """Write rows into a file."""
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
    return path
