"""What holds more than a graph, recognised by its content: results and stores of apsp solve, oracles of Oracle.save."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Collection
from pathlib import Path
from typing import Literal

from apsp.api.oracle.oracle import Oracle
from apsp.api.stored.loading import is_store, load
from apsp.cli.options import Keywords, Reading
from apsp.errors import RequestError
from apsp.result.result import Result

__all__ = ["kind_of", "load_oracle", "load_result"]

_MOST = 1 << 20
"""Maximum number of bytes of the JSON that names the kind."""

_OFF = {"zones": "--no-zones", "directed": "--directed or --undirected"}
"""Options whose names are not those of their fields."""


def kind_of(path: str) -> Literal["result", "oracle"] | None:
    """Return the kind of a file written by apsp; None for graphs (which can be .npz files too) and everything else.

    A store is a result.
    """
    if path != "-" and is_store(path):
        return "result"
    if path == "-" or not Path(path).is_file() or not zipfile.is_zipfile(path):
        return None
    try:
        with zipfile.ZipFile(path) as archive:
            if "meta.json" not in archive.namelist():
                return None
            with archive.open("meta.json") as member:
                meta = json.loads(member.read(_MOST))
    except Exception:  # a damaged file can raise any error; its reader names the damage
        return "result"
    return "oracle" if isinstance(meta, dict) and meta.get("format") == "apsp-oracle" else "result"


def load_result(path: str, reading: Reading, keywords: Keywords | None = None) -> Result:
    """Load a result; options for reading or solving a graph do not apply to it.

    Raises
    ------
    RequestError, FileFormatError
    """
    late = _given(reading, keywords)
    if late:
        raise RequestError(f"{path} is a result, which is solved already: {late} must be given to apsp solve")
    found = load(path)
    if not isinstance(found, Result):
        raise RequestError(f"{path} holds skims, not distances: apsp.load(...) of Python reads and writes them")
    return found


def load_oracle(path: str, reading: Reading, keywords: Keywords | None = None) -> Oracle:
    """Load an oracle; of the options, only sources, threads and device apply to it.

    Raises
    ------
    RequestError, FileFormatError, DeviceError, DtypeRangeError
    """
    late = _given(reading, keywords, allowed=("sources", "threads", "device"))
    if late:
        raise RequestError(
            f"{path} is an oracle, whose graph and distances are fixed: {late} cannot be used with it (give the graph)"
        )
    chosen: Keywords = {"threads": None, "device": "auto"} | (keywords or {})
    return Oracle.load(
        path, threads=chosen["threads"], device="cpu" if chosen["device"] == "auto" else chosen["device"]
    )


def _given(reading: Reading, keywords: Keywords | None, allowed: Collection[str] = ()) -> str:
    """Return the options that differ from their defaults, but for the allowed ones, as text."""
    defaults = vars(Reading())
    late = [name for name, value in vars(reading).items() if value != defaults[name]]
    late += [name for name, value in (keywords or {}).items() if value not in (None, "auto") and name not in allowed]
    return ", ".join(_OFF.get(name, f"--{name.removesuffix('_column').replace('_', '-')}") for name in late)
