"""What is written about a store: the attribute "apsp" of its group."""

from __future__ import annotations

import hashlib
import json
import uuid
import zlib
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import JsonObject
from apsp.errors import FileFormatError
from apsp.graph.model import Graph
from apsp.reductions.row_sums import total_dtype
from apsp.store.layout import Bands
from apsp.store.storage import Storage

__all__ = ["Arrays", "StoreHeader", "StoreInput", "header_at", "identity_at", "row_bytes"]

VERSION = 2
"""Since 2, the attribute and all files but shards have checksums in it, and shards name the store and their place."""

_REMEDY = "remove this file, and make the call that wrote the store again, which computes all of it again"

Arrays = dict[str, tuple[str, str, int]]
"""Arrays of a measure by name: dtype, what has a row of the array, and number of columns; see `StoreHeader.extra`."""


@dataclass(frozen=True)
class StoreHeader:
    """What is fixed when a store is created.

    Attributes
    ----------
    kind : 'distances', 'sums' or 'measure'
        What is stored: the distances of every row, sums over them, or parts of another measure.
    shape : (int, int)
        Rows and columns of the distances.
    band_rows : int
    dtype : str
        Of the distances.
    paths : bool
        Predecessors are stored.
    reciprocals : bool
        Sums of 1 / distance are stored.
    cutoff : int, float or None
    method, device : str
        What computed the first band; the others too, if `pinned`.
    threads : int
        Of the first run.
    pinned : bool
        The bits depend on method, device and threads: float distances, sums of floats, and predecessors of equally
        short paths.
    directed : bool
    semiring : str
    apsp : str
        The version that created it.
    plan : dict
        The plan of the first run.
    measure : dict
        Of a measure, and of a histogram beside sums: its name and arguments.
    extra : dict
        The arrays of a measure by name: dtype, 'row' or 'band' (what has a row of the array), 'rank' (as 'row', with a
        column per rank of the nearest vertices), 'pair' (a matrix of sources and targets, infinite, or the largest
        integer, where there is no path), 'period' (the same with an axis of periods, `measure["periods"]`, between
        these) or 'table' (a Parquet file per band), and number of columns, of a table the bytes of a source, about.
    identity : str
        A hash of the request and the graph, to which shards belong; empty in stores of version 1, whose shards do not
        name it.
    """

    kind: str
    shape: tuple[int, int]
    band_rows: int
    dtype: str
    paths: bool
    reciprocals: bool
    cutoff: int | float | None
    method: str
    device: str
    threads: int
    pinned: bool
    directed: bool
    semiring: str
    apsp: str
    plan: JsonObject = field(default_factory=dict)
    measure: JsonObject = field(default_factory=dict)
    extra: Arrays = field(default_factory=dict)
    identity: str = ""

    @property
    def bands(self) -> Bands:
        """The bands of the rows."""
        return Bands(self.shape[0], self.band_rows)

    @property
    def contents(self) -> str:
        """What the store holds: 'distances', 'sums', or the name of a measure."""
        return str(self.measure["name"]) if self.kind == "measure" else self.kind

    @property
    def arrays(self) -> tuple[str, ...]:
        """The arrays of a band, in the order in which they are written: the last completes the band."""
        if self.kind == "sums":
            more = (*(["reciprocals"] if self.reciprocals else []), *self.extra)
            return ("reached", "total", *more, "farthest", "largest")
        if self.kind == "measure":
            return tuple(self.extra)
        return ("predecessors", "distances") if self.paths else ("distances",)

    def is_table(self, name: str) -> bool:
        """Whether the shards are tables."""
        return name in self.extra and self.extra[name][1] == "table"

    def has_periods(self, name: str) -> bool:
        """Whether an array has an axis of periods."""
        return name in self.extra and self.extra[name][1] == "period"

    def folder(self, name: str) -> str:
        """Return the folder of the shards."""
        return name if self.is_table(name) else f"{name}/c"

    def key(self, name: str, band: int) -> str:
        """Return the key of the shard of a band: of a table, a matrix, or an array with a number per row."""
        if self.is_table(name):
            return f"{name}/{band:06}.parquet"
        if self.kind == "sums" and name not in self.extra:
            return f"{name}/c/{band}"
        return f"{name}/c/{band}/0/0" if self.has_periods(name) else f"{name}/c/{band}/0"

    def shard_rows(self, name: str) -> int:
        """Return the rows of a shard of an array."""
        return 1 if name in self.extra and self.extra[name][1] == "band" else self.band_rows

    @property
    def band_bytes(self) -> int:
        """Bytes of a band of a measure, without compression."""
        widths = {name: width for name, (_, _, width) in self.extra.items()}
        return sum(self.dtype_of(name).itemsize * widths.get(name, 1) * self.shard_rows(name) for name in self.arrays)

    def dtype_of(self, name: str) -> np.dtype[Any]:
        """Return the dtype of an array."""
        if name in self.extra:
            return np.dtype(self.extra[name][0])
        dtype = np.dtype(self.dtype)
        others = {"predecessors": np.int32, "farthest": np.int32, "reached": np.int64, "reciprocals": np.float64}
        return total_dtype(dtype) if name == "total" else np.dtype(others.get(name, dtype))

    def scale_of(self, name: str) -> int | None:
        """Return how many stored integers are 1; None if an array holds the values themselves."""
        scale: int | None = self.measure.get("scales", {}).get(name)
        return scale

    def identified(self, files: dict[str, int]) -> StoreHeader:
        """Return the header with its identity; parameters as of `to_attributes`."""
        told = {name: value for name, value in asdict(self).items() if name not in ("plan", "identity")}
        text = json.dumps([told, files], sort_keys=True)
        return replace(self, identity=hashlib.sha256(text.encode()).hexdigest())

    def to_attributes(self, files: dict[str, int]) -> JsonObject:
        """Return the attribute.

        Parameters
        ----------
        files : dict
            The checksums of the files that do not change, by key.
        """
        told = asdict(self)
        told["plan"] = json.loads(json.dumps(self.plan, default=str), parse_constant=str)
        if self.cutoff == np.inf:
            told["cutoff"] = "Infinity"
        number = {"id": uuid.uuid4().hex}  # tells stores of the same request apart
        told = {"format": "apsp-store", "version": VERSION, **number, **told, "shape": list(self.shape), "files": files}
        return told | {"checksum": _checksum(told)}


def row_bytes(arrays: Arrays) -> int:
    """Return the bytes of a source in the arrays that have a row per source."""
    return sum(np.dtype(kind).itemsize * width for kind, per, width in arrays.values() if per != "band")


def header_at(storage: Storage) -> StoreHeader | None:
    """Return what is written about the store in a storage; None if there is nothing.

    Raises
    ------
    FileFormatError
        If there is something else, or a store of a newer version.
    """
    text = storage.read("zarr.json")
    if text is None:
        if storage.has(".zgroup") or storage.has(".zarray"):
            raise FileFormatError(storage.name, "a Zarr group of version 2, not a store of apsp; name another folder")
        return None
    try:
        told = json.loads(text)["attributes"]["apsp"]
        if told["format"] != "apsp-store" or type(told["version"]) is not int or told["version"] < 1:
            raise ValueError("of another format")
    except (ValueError, LookupError, TypeError):
        words = "its zarr.json is not that of a store of apsp; name another folder"
        if not text.strip(b"\0 \r\n"):
            words = f"its zarr.json is empty: {_REMEDY}"
        raise FileFormatError(storage.name, words) from None
    if told["version"] > VERSION:
        raise FileFormatError(
            storage.name, f"written by a newer version of apsp (format {told['version']}): upgrade to read it"
        )
    try:
        return _checked(told)
    except (ValueError, LookupError, TypeError) as error:
        raise FileFormatError(storage.name, f"its zarr.json is damaged ({error!r}): {_REMEDY}") from None


def identity_at(storage: Storage) -> str | None:
    """Return text that is the same wherever this store is seen, and no other store has; None if there is nothing.

    Raises
    ------
    FileFormatError
        If it cannot be read.
    """
    text = storage.read("zarr.json")
    return None if text is None else hashlib.sha256(text).hexdigest()


def _checksum(told: JsonObject) -> int:
    """The checksum of the attribute, but for this number itself."""
    rest = {name: value for name, value in told.items() if name != "checksum"}
    return zlib.crc32(json.dumps(rest, sort_keys=True).encode())


def _checked(told: dict[str, Any]) -> StoreHeader:
    if told["version"] == 1:
        told = told | {"identity": ""}
    elif told["checksum"] != _checksum(told):
        raise ValueError("its attribute differs from its checksum")
    rows, columns = (int(each) for each in told["shape"])
    cutoff = np.inf if told["cutoff"] == "Infinity" else told["cutoff"]
    others = ("shape", "cutoff", "measure", "extra")  # stores of distances may lack the last two
    known = {name: told[name] for name in StoreHeader.__dataclass_fields__ if name not in others}
    extra = {
        name: (str(np.dtype(kind)), str(per), int(width)) for name, (kind, per, width) in told.get("extra", {}).items()
    }
    header = StoreHeader(
        shape=(rows, columns), cutoff=cutoff, measure=dict(told.get("measure", {})), extra=extra, **known
    )
    if header.kind not in ("distances", "sums", "measure"):
        raise ValueError("of an unknown kind")
    if header.kind == "measure" and not extra:
        raise ValueError("no arrays")
    if header.band_rows < 1 or min(header.shape) < 0 or header.semiring != "min_plus":
        raise ValueError("a number is out of range")
    np.dtype(header.dtype)
    return header


@dataclass(frozen=True)
class StoreInput:
    """What the distances of a store are of.

    Attributes
    ----------
    graph : Graph
    sources, targets : (S,), (T,) int32 or None
        Positions; None means all.
    """

    graph: Graph
    sources: npt.NDArray[np.int32] | None
    targets: npt.NDArray[np.int32] | None
