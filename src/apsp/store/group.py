"""The Zarr group of a store: its arrays and their metadata (zarr-python).

- distances (source, target): shards of whole bands; the fill value stands for "no path"
- predecessors (source, vertex), if they are stored: positions, -1 for none
- or, of a store of sums, a number per row: reached, total, reciprocals, farthest, largest (`apsp.reductions.row_sums`)
- or arrays of a measure, with a row per source or per block of sources; of skims a matrix (source, target) per cost; of
  the nearest vertices (source, rank) their positions, -1 for none, and distances, with a fill value for none
- of skims, some as integers, whole multiples of a unit: attributes scale_factor and _FillValue say so
- of skims of periods, such a matrix per period and cost: (source, period, target), and the names of the periods
- or tables, Parquet files that are no part of the group, with an array of numbers per source beside them
- source, target: labels of the rows and columns, unless they are 0, 1, 2, ...
- graph/: the arrays of the graph (indptr, indices, weights, ...), and positions of sources and targets

The metadata is written before the bands, and the group itself at the end, in one step: without it there is no store.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import JsonObject
from apsp.errors import FileFormatError, MissingFileError, RequestError
from apsp.graph.labels import Labels, labels_of
from apsp.graph.periods import as_axis
from apsp.graph.saved import arrays_of_graph, graph_of_arrays
from apsp.semiring import NO_VERTEX, unreachable
from apsp.store.access import is_access, unreadable
from apsp.store.fixed import GROUP, FixedFiles, checksums, fixed_files
from apsp.store.header import StoreHeader, StoreInput, header_at
from apsp.store.layout import Chunks
from apsp.store.native import native
from apsp.store.shard import COMPRESSION
from apsp.store.storage import Storage, required

__all__ = ["create", "open_group", "parts_of", "problem_of"]

_NAMES = {"distances": ("source", "target"), "predecessors": ("source", "vertex")}


def create(storage: Storage, header: StoreHeader, problem: StoreInput) -> StoreHeader | None:
    """Create a store without bands, and return what is written about it; None if another run did so meanwhile.

    The caller has a claim. In a bucket it may have ended while a request was delayed, so nothing that another run has
    written is replaced. Shards that are there are those of a store whose group was removed, perhaps of another graph.

    Raises
    ------
    OutputError
    """
    wanted = _fixed(header, problem)
    sums = checksums(wanted.items())
    header = header.identified(sums)
    *before, last = wanted = wanted | {GROUP: _root(header.to_attributes(sums), wanted)}
    shards = [key for name in header.arrays for key in storage.keys(header.folder(name))]
    for key in [*shards, *(key for key in before if storage.has(key))]:
        storage.remove(key)
    for key in [*before, last]:
        if not storage.create(key, [wanted[key]]) and storage.read(key) != wanted[key]:
            return None
    return header


def _fixed(header: StoreHeader, problem: StoreInput) -> dict[str, bytes]:
    """The bytes by key of a store without bands and the metadata of its group."""
    objects: dict[str, Any] = {}
    group = _new_group(objects)
    for name in (name for name in header.arrays if not header.is_table(name)):
        _new_array(group, name, header, problem.graph.n)
    graph = problem.graph
    for name, positions in (("source", problem.sources), ("target", problem.targets)):
        _add_coordinate(group, name, graph.labels, positions)
    if "periods" in header.measure:
        periods = labels_of(as_axis(header.measure["periods"]).tolist())
        _add_coordinate(group, "period", periods, np.arange(len(periods), dtype=np.int32))
    arrays = arrays_of_graph(graph)
    names = arrays.pop("cost_names", None)
    part = group.create_group("graph", attributes={} if names is None else {"cost_names": names.tolist()})
    for name, positions in (("sources", problem.sources), ("targets", problem.targets)):
        if positions is not None:
            arrays[name] = positions
    for name, array in arrays.items():
        plain = np.ascontiguousarray(array).view(array.dtype.str)  # long long is int64, too
        part.create_array(name, data=plain, compressors=list(_codec(array.dtype)))
    return {key: value.to_bytes() for key, value in objects.items() if key != GROUP}


def _root(attribute: JsonObject, fixed: dict[str, bytes]) -> bytes:
    """The metadata of the group, with all other metadata once more, as xarray and readers of buckets expect it."""
    parts = {key.removesuffix(f"/{GROUP}"): json.loads(text) for key, text in fixed.items() if key.endswith(GROUP)}
    root = {
        "attributes": {"apsp": attribute}, "zarr_format": 3, "node_type": "group",
        "consolidated_metadata": {"kind": "inline", "must_understand": False, "metadata": parts},
    }  # fmt: skip
    return json.dumps(root, indent=2).encode()


def open_group(storage: Storage) -> Any:
    """Return the group of a store, for reading.

    Raises
    ------
    FileFormatError
    """
    try:
        return required("zarr").open_group(storage.for_zarr(), mode="r", zarr_format=3)
    except Exception as error:  # zarr-python and the packages below it raise many kinds
        if is_access(error):
            raise unreadable(storage.name, "zarr.json", error) from error
        raise FileFormatError(storage.name, f"not a store of apsp, or damaged ({_line(error)})") from error


def parts_of(storage: Storage, *contents: str) -> tuple[Storage, StoreHeader, StoreInput]:
    """Return what makes a stored result of a store of one of these contents; see `StoreHeader.contents`.

    Raises
    ------
    MissingFileError, FileFormatError
        If there is no store, or it is damaged or has other contents.
    """
    header = header_at(storage)
    if header is None:
        raise MissingFileError(storage.name)
    if header.contents not in contents:
        words = f"a store of {header.contents}, not of {contents[0]}: it is read by the measure that wrote it"
        raise FileFormatError(storage.name, f"{words} (store=)")
    return storage, header, problem_of(storage, header)


def problem_of(storage: Storage, header: StoreHeader, wanted: StoreInput | None = None) -> StoreInput:
    """Return the graph, sources and targets of a store.

    Parameters
    ----------
    wanted : StoreInput, optional
        Of a call that writes the store: damaged files of the same graph, and damaged metadata, are written again.

    Raises
    ------
    FileFormatError
        If a file is damaged that does not change.
    """
    files = fixed_files(storage, header)
    if files.damage and wanted is not None:
        _repair(storage, header, files, wanted)
    files.check(storage)
    try:
        part = _group_of(files.whole)["graph"]
        arrays = {name: native(array[...]) for name, array in part.arrays()}
        if "cost_names" in part.attrs:
            arrays["cost_names"] = np.array(part.attrs["cost_names"], dtype=np.str_)
        sources, targets = arrays.pop("sources", None), arrays.pop("targets", None)
        graph = graph_of_arrays(arrays, directed=header.directed)
        _check(header.shape, graph.n, sources, targets)
    except Exception as error:
        if is_access(error):
            raise unreadable(storage.name, "its graph", error) from error
        raise FileFormatError(
            storage.name,
            f"its graph is damaged ({_line(error)}): remove the store, and make the call that wrote it again",
        ) from error
    return StoreInput(graph, sources, targets)


def _repair(storage: Storage, header: StoreHeader, files: FixedFiles, wanted: StoreInput) -> None:
    """Write damaged files again, if this call has what they should hold."""
    right = _fixed(header, wanted)
    repaired = {key: files.bytes_of(key, right) for key in files.damage}
    for key, data in repaired.items():
        if data is None:
            raise FileFormatError(
                storage.name, f"{key} is damaged ({files.damage[key]}), and was written for another graph, or by other "
                "versions of apsp or zarr: remove the store, and make the same call again"
            )  # fmt: skip
    try:
        storage.check_writable()
    except RequestError:  # of a .zip file
        return
    for key, data in repaired.items():
        if data is not None:
            storage.write(key, [data])
            files.whole[key] = data
            del files.damage[key]


def _group_of(files: dict[str, bytes]) -> Any:
    """The group of files in memory."""
    bytes_of = required("zarr.core.buffer").default_buffer_prototype().buffer.from_bytes
    store = required("zarr.storage").MemoryStore({key: bytes_of(data) for key, data in files.items()}, read_only=True)
    return required("zarr").open_group(store, mode="r", zarr_format=3)


def _check(shape: tuple[int, int], n: int, *chosen: npt.NDArray[np.int32] | None) -> None:
    for count, positions in zip(shape, chosen, strict=True):
        if count != (n if positions is None else len(positions)):
            raise ValueError("the shape of the distances is another one")
        if positions is not None and len(positions) and not 0 <= positions.min() <= positions.max() < n:
            raise ValueError("a source or target is not a vertex")


def _new_group(objects: dict[str, Any]) -> Any:
    store = required("zarr.storage").MemoryStore(objects)
    return required("zarr").create_group(store, zarr_format=3)


def _new_array(group: Any, name: str, header: StoreHeader, n: int) -> Any:
    dtype, rows = header.dtype_of(name), header.shape[0]
    if name in header.extra:
        _, per, width = header.extra[name]
        if per == "period":
            return _new_array_of_periods(group, name, header)
        chunks = Chunks.of(header.shard_rows(name), width, dtype.itemsize)
        axes = {
            "row": ("source", f"column of {name}"), "band": ("block", f"column of {name}"), "rank": ("source", "rank"),
        }  # fmt: skip
        return group.create_array(
            name, shape=(header.bands.count if per == "band" else rows, width), dtype=dtype, chunks=chunks.chunk,
            shards=chunks.shard, compressors=list(_codec(dtype)), fill_value=_nothing(name, per, dtype),
            dimension_names=axes.get(per, ("source", "target")), attributes=_attributes(header, name),
        )  # fmt: skip
    if header.kind == "sums":
        return group.create_array(
            name, shape=(rows,), dtype=dtype, chunks=(header.band_rows,), shards=(header.band_rows,),
            compressors=list(_codec(dtype)), fill_value=NO_VERTEX if name == "farthest" else 0,
            dimension_names=("source",),
        )  # fmt: skip
    shape = header.shape if name == "distances" else (rows, n)
    chunks = Chunks.of(header.band_rows, shape[1], dtype.itemsize)
    return group.create_array(
        name, shape=shape, dtype=dtype, chunks=chunks.chunk, shards=chunks.shard, compressors=list(_codec(dtype)),
        fill_value=unreachable(dtype) if name == "distances" else NO_VERTEX, dimension_names=_NAMES[name],
    )  # fmt: skip


def _new_array_of_periods(group: Any, name: str, header: StoreHeader) -> Any:
    """An array (source, period, target), whose chunks hold whole rows of some periods."""
    (dtype, _, width), (rows, columns) = header.extra[name], header.shape
    unit = max(columns, 1)
    chunks = Chunks.of(header.band_rows, width, np.dtype(dtype).itemsize, unit=unit)
    chunk, shard = ((height, across // unit, unit) for height, across in (chunks.chunk, chunks.shard))
    return group.create_array(
        name, shape=(rows, len(header.measure["periods"]), columns), dtype=np.dtype(dtype), chunks=chunk, shards=shard,
        compressors=list(_codec(np.dtype(dtype))), fill_value=unreachable(np.dtype(dtype)),
        dimension_names=("source", "period", "target"), attributes=_attributes(header, name),
    )  # fmt: skip


def _attributes(header: StoreHeader, name: str) -> JsonObject:
    """Those of the CF conventions, of integers that are whole multiples of a unit: other programs read the values."""
    scale = header.scale_of(name)
    return {} if scale is None else {"scale_factor": 1 / scale, "_FillValue": int(unreachable(header.dtype_of(name)))}


def _nothing(name: str, per: str, dtype: np.dtype[Any]) -> int | float:
    """What stands for no path or vertex in an array of a measure; sums have a plain zero."""
    if per == "rank":
        return NO_VERTEX if name == "positions" else unreachable(dtype)
    return unreachable(dtype) if per == "pair" else 0


def _codec(dtype: np.dtype[Any]) -> Iterator[Any]:
    """The compression, with a checksum."""
    codecs = required("zarr.codecs")
    yield codecs.BloscCodec(**COMPRESSION, typesize=dtype.itemsize)
    yield codecs.Crc32cCodec()


def _add_coordinate(group: Any, name: str, labels: Labels, positions: npt.NDArray[np.int32] | None) -> None:
    """The labels of an axis, if they are integers or strings: xarray and others read them as its coordinates."""
    if positions is None and labels.are_positions:
        return
    values = labels.take(np.arange(len(labels), dtype=np.int32) if positions is None else positions)
    if values.dtype.kind in "iu":
        group.create_array(name, data=values, dimension_names=(name,))
    elif all(type(label) is str and label.isprintable() for label in values.tolist()):
        array = group.create_array(name, shape=values.shape, dtype="string", dimension_names=(name,))
        array[:] = values


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
