"""The formats, one module each, in the order in which ties are broken. A new format needs a module and a line here."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable
from typing import Any

from apsp.errors import RequestError, shown

__all__ = ["OPTIONS", "check_options", "format_named", "format_of_suffix", "known_formats", "modules"]

_MODULES = ("parquet", "overture", "numpy_file", "osm", "graphml", "matrix_market", "tntp", "pajek", "gml", "dimacs",
            "caida", "metis", "orlib", "edge_list")  # fmt: skip

_NAMED = ("edge-list", "parquet", "graphml", "gml", "tntp", "npz")
OPTIONS: dict[str, tuple[str, ...]] = {
    "cost": (*_NAMED, "osm", "overture"),
    "costs": _NAMED,
    "columns": ("edge-list", "parquet"),
    "source": ("edge-list", "parquet"),
    "target": ("edge-list", "parquet"),
    "delimiter": ("edge-list",),
    "header": ("edge-list",),
    "comments": ("edge-list",),
    "decimal": ("edge-list",),
    "labels": ("edge-list",),
    "relations": ("caida", "pajek"),
    "absent": ("npz", "matrix-market"),
    "missing": ("edge-list", "graphml", "gml", "pajek"),
    "coordinates": ("dimacs", "tntp"),
    "mode": ("osm", "overture"),
    "turns": ("osm", "overture", "npz"),
}
"""The options of `apsp.read` that only some formats have, and these formats; all formats have the others."""


def modules() -> list[Any]:
    """Return all format modules."""
    return [importlib.import_module(f"apsp.graph.files.{name}") for name in _MODULES]


def known_formats() -> list[str]:
    """Return the name of every format."""
    return sorted(module.NAMES[0] for module in modules())


def format_named(name: str) -> Any:
    """Find a format by one of its names.

    Raises
    ------
    RequestError
        If there is none; the message lists similar names.
    """
    names = {alias: module for module in modules() for alias in module.NAMES}
    if not isinstance(name, str):
        raise RequestError(
            f"format must be the name of a format, not {shown(name)}; there are {', '.join(known_formats())}"
        )
    if name.lower() in names:
        return names[name.lower()]
    near = difflib.get_close_matches(name.lower()[:80], names, n=2, cutoff=0.5)
    hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"there are {', '.join(known_formats())}"
    raise RequestError(f"unknown format {shown(name)}; {hint}")


def check_options(module: Any, given: Iterable[str]) -> None:
    """Check that a format has the options that a caller gave.

    Raises
    ------
    RequestError
        If not; the message names the formats that have it.
    """
    name = module.NAMES[0]
    for option in given:
        if option in OPTIONS and name not in OPTIONS[option]:
            raise RequestError(f"{option}= is an option of {', '.join(OPTIONS[option])}; this file is read as {name}")


def format_of_suffix(file_name: str) -> Any | None:
    """Find the format of the ending of a file name, without `.gz` and the like; None if there is none."""
    from apsp.graph.files.source import COMPRESSED  # with the first file: `import apsp` stays quick

    name = file_name.lower()
    for suffix in COMPRESSED:
        name = name.removesuffix(suffix)
    return next((module for module in modules() if name.endswith(module.SUFFIXES)), None)
