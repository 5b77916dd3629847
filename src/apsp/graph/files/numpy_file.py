"""NumPy files: a dense matrix in `.npy`, a SciPy sparse matrix or a graph saved by this package in `.npz`.

Nothing is unpickled. `absent=` is the entry of a dense matrix that means "no arc" (see `apsp.from_dense`).
"""

from __future__ import annotations

import io
import warnings
import zipfile
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from apsp.errors import ApspError, ApspWarning, GraphError, RequestError, shown
from apsp.graph.convert import from_scipy
from apsp.graph.costs import Costs, named_cost
from apsp.graph.dense import from_dense
from apsp.graph.files.options import ReadOptions, build
from apsp.graph.files.source import Source
from apsp.graph.labels.saved import arrays_of_labels, labels_of_arrays
from apsp.graph.links import rows_of
from apsp.graph.model import Graph
from apsp.graph.saved import (
    arrays_of_bends,
    arrays_of_costs,
    arrays_of_crs,
    bends_of_arrays,
    costs_of_arrays,
    crs_of_arrays,
    zones_of_arrays,
)

NAMES = ("npz", "npy")
SUFFIXES = (".npz", ".npy")
KEEPS = frozenset({"weights", "labels", "coordinates", "zones", "costs", "parallel links", "bends"})
VERSION = 1


def sniff(head: bytes, name: str) -> int:
    """Score how much the file looks like this format: 0 (not) to 100."""
    if head.startswith(b"\x93NUMPY"):
        return 100
    return 60 + 30 * name.endswith(".npz") if head.startswith(b"PK\x03\x04") else 0


def read(source: Source, options: ReadOptions) -> Graph:
    """Read the matrix or the saved graph."""
    data = source.all_bytes()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            graph = _array(data) if data.startswith(b"\x93NUMPY") else _archive(source, data, options)
        return graph if isinstance(graph, Graph) else _dense(graph, options)
    except GraphError as error:
        raise source.fail(str(error)) from error
    except (ApspError, ApspWarning):
        raise
    except Exception as error:  # NumPy, zipfile and SciPy may raise any exception for damaged bytes
        words = str(error).split("\n")[0][:120] or type(error).__name__
        raise source.fail(f"the NumPy file is damaged or of another kind ({words})") from error


def write(graph: Graph, stream: IO[bytes], path: Path) -> None:
    """Write the whole graph (.npz), or its dense matrix (.npy) as float64 or int64."""
    if path.name.lower().split(".")[-1] == "npy" or path.name.lower().endswith((".npy.gz", ".npy.xz", ".npy.bz2")):
        np.save(stream, graph.to_dense(np.int64 if graph.has_integer_weights else np.float64), allow_pickle=False)
        return
    rows = rows_of(graph)
    arrays: dict[str, Any] = {
        "apsp_graph": np.int64(VERSION), "n": np.int64(graph.n), "directed": np.bool_(graph.directed),
        "tails": rows.tails, "heads": rows.heads,
    }  # fmt: skip
    extras = {"weights": rows.weights, "one_way": rows.one_way, "coordinates": graph.coordinates, "zones": graph.zones}
    arrays |= {name: value for name, value in extras.items() if value is not None}
    arrays |= arrays_of_bends(rows.bends) | arrays_of_costs(rows.costs) | arrays_of_crs(graph.crs)
    arrays |= arrays_of_labels(graph.labels) | ({} if graph.links is None else {"links": np.bool_(True)})
    np.savez_compressed(stream, **arrays)


def _array(data: bytes) -> npt.NDArray[Any]:
    """Load a `.npy` after checking its length against its header."""
    stream = io.BytesIO(data)
    version = np.lib.format.read_magic(stream)
    reader = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, dtype = reader(stream)
    if dtype.hasobject:
        raise GraphError("the array holds Python objects, which are never loaded")
    size = dtype.itemsize
    for length in shape:
        size *= length
    if size > len(data):
        raise GraphError(f"the header announces {size} bytes, but the file has {len(data)}: it is cut short")
    stream.seek(0)
    array: npt.NDArray[Any] = np.lib.format.read_array(stream, allow_pickle=False)
    return array


def _no_costs(options: ReadOptions, what: str) -> None:
    for name in ("cost", "costs"):
        if name in options.given():
            raise RequestError(f"{name}= is for graphs saved by this package: {what} has one number per arc")


def _no_absent(options: ReadOptions, why: str) -> None:
    if options.absent is not None:
        raise RequestError(f"absent= is for dense matrices: {why}")


def _dense(array: npt.NDArray[Any], options: ReadOptions) -> Graph:
    _no_costs(options, "a matrix")
    graph = from_dense(array, absent=options.absent, directed=options.direction(True))
    return graph if options.weighted else graph.unweighted()


def _archive(source: Source, data: bytes, options: ReadOptions) -> Graph | npt.NDArray[Any]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sizes = {info.filename: info.file_size for info in archive.infolist()}
        fault = source.expansion.fault(sum(sizes.values()), len(data))
        if fault is not None:
            raise GraphError(fault)
        source.expansion.check_fits(sum(sizes.values()), str(source.path))
        names = {name.removesuffix(".npy") for name in sizes}
        if "apsp_graph" in names:
            return _saved(source, {name: _array(archive.read(name + ".npy")) for name in names}, options)
        if "format" in names and "shape" in names:
            import scipy.sparse as sp

            _no_costs(options, "a matrix")
            _no_absent(options, "a sparse matrix lists its entries")
            for name in names:
                _array(archive.read(name + ".npy"))
            graph = from_scipy(sp.load_npz(io.BytesIO(data)), directed=options.direction(True))
            return graph if options.weighted else graph.unweighted()
    others = [name for name in sizes if not name.endswith((".npy", "/"))]
    if others:
        raise GraphError(
            f"a zip archive of other files, such as {shown(others[0])}: "
            f"apsp.read(zipfile.Path(file, {shown(others[0])})) reads one of them"
        )
    if len(names) == 1:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            array: npt.NDArray[Any] = arrays[next(iter(arrays.files))]
            return array
    raise GraphError(f"an archive of {', '.join(sorted(names))[:80]}: neither a saved graph nor a SciPy sparse matrix")


def _saved(source: Source, arrays: dict[str, npt.NDArray[Any]], options: ReadOptions) -> Graph:
    if int(arrays["apsp_graph"]) != VERSION:
        raise GraphError(f"saved by another version of apsp (layout {int(arrays['apsp_graph'])}, known is {VERSION})")
    _no_absent(options, "this file is a graph, which lists its arcs")
    costs, weights = costs_of_arrays(arrays), arrays.get("weights")
    if options.cost is not None:
        weights = named_cost(Costs(costs), options.cost, "cost")
    found = build(
        source, options, arrays["tails"], arrays["heads"], weights, n=int(arrays["n"]),
        directed=arrays.get("one_way", bool(arrays["directed"])), labels=labels_of_arrays(arrays),
        coordinates=arrays.get("coordinates"), zones=zones_of_arrays(arrays) if options.zones else None, costs=costs,
        fewest_costs=1, links="links" in arrays, bends=bends_of_arrays(arrays),
    )  # fmt: skip
    if found.coordinates is not None and options.coordinates is True:  # not of another file
        found.crs = crs_of_arrays(arrays)
    return found
