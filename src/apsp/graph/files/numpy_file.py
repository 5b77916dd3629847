"""NumPy files: a dense matrix in `.npy`, a SciPy sparse matrix or a graph saved by this package in `.npz`.

Nothing is unpickled. `absent=` is the entry of a dense matrix that means "no arc" (see `apsp.from_dense`).
"""

from __future__ import annotations

import contextlib
import gzip
import io
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from apsp.errors import ApspError, ApspWarning, GraphError, RequestError, shown, warn
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
from apsp.graph.turns.making import with_turns
from apsp.graph.turns.saved import arrays_of_recipe, recipe_of_arrays
from apsp.graph.turns.turn_graph import TurnGraph

NAMES = ("npz", "npy")
SUFFIXES = (".npz", ".npy")
KEEPS = frozenset({"weights", "labels", "coordinates", "zones", "costs", "parallel links", "bends", "turns"})
VERSION, WITH_TURNS = 1, 2
"""Layouts of graphs, and of graphs with turns."""


def sniff(head: bytes, name: str) -> int:
    """Score how much the file looks like this format: 0 (not) to 100."""
    if head.startswith(b"\x93NUMPY"):
        return 100
    return 60 + 30 * name.endswith(".npz") if head.startswith(b"PK\x03\x04") else 0


def read(source: Source, options: ReadOptions) -> Graph:
    """Read the matrix or the saved graph."""
    data = source.all_bytes()
    with _failing(source):
        graph = _read(source, data, options)
    assert isinstance(graph, Graph)
    if _has_turns(data):
        warn(f"{source.path} has turns, which are not read; turns=True (--turns) honours them")
    return graph


def read_turned(source: Source, options: ReadOptions) -> TurnGraph:
    """Read a saved graph with its turns."""
    if options.directed is not None or options.parallel is not None:
        raise RequestError("turns=True needs the links of the file: leave out directed and parallel")
    with _failing(source):
        graph = _read(source, source.all_bytes(), options)
    if not isinstance(graph, TurnGraph):
        raise RequestError(f"turns=True: {source.path} holds a graph without turns")
    return graph


@contextlib.contextmanager
def _failing(source: Source) -> Iterator[None]:
    """Within the context, errors are those of the file."""
    try:
        yield
    except GraphError as error:
        raise source.fail(str(error)) from error
    except (ApspError, ApspWarning):
        raise
    except Exception as error:  # NumPy, zipfile and SciPy may raise any exception for damaged bytes
        words = str(error).split("\n")[0][:120] or type(error).__name__
        raise source.fail(f"the NumPy file is damaged or of another kind ({words})") from error


def kept_in(path: Path) -> frozenset[str]:
    """What a file of this name keeps: a matrix has the weights alone."""
    return frozenset({"weights"}) if _is_matrix(path) else KEEPS


def _is_matrix(path: Path) -> bool:
    return path.name.lower().endswith((".npy", ".npy.gz", ".npy.xz", ".npy.bz2"))


def write(graph: Graph, stream: IO[bytes], path: Path) -> None:
    """Write the whole graph (.npz), or its dense matrix (.npy) as float64 or int64."""
    if _is_matrix(path):
        np.save(stream, graph.to_dense(np.int64 if graph.has_integer_weights else np.float64), allow_pickle=False)
        return
    _save(stream, _arrays_of(graph))


def write_turned(turned: TurnGraph, stream: IO[bytes]) -> None:
    """Write a graph with turns (.npz), as what `with_turns` makes it of."""
    _ = turned._ways  # checks that it makes the same
    _save(stream, _arrays_of(turned.graph) | {"apsp_graph": np.int64(WITH_TURNS)} | arrays_of_recipe(turned))


def _save(stream: IO[bytes], arrays: dict[str, Any]) -> None:
    """Write an archive, whose writer goes back in the stream, as gzip cannot."""
    if not isinstance(stream, gzip.GzipFile):
        np.savez_compressed(stream, **arrays)
        return
    whole = io.BytesIO()
    np.savez_compressed(whole, **arrays)
    stream.write(whole.getbuffer())


def _arrays_of(graph: Graph) -> dict[str, Any]:
    rows = rows_of(graph)
    arrays: dict[str, Any] = {
        "apsp_graph": np.int64(VERSION), "n": np.int64(graph.n), "directed": np.bool_(graph.directed),
        "tails": rows.tails, "heads": rows.heads,
    }  # fmt: skip
    extras = {"weights": rows.weights, "one_way": rows.one_way, "coordinates": graph.coordinates, "zones": graph.zones}
    arrays |= {name: value for name, value in extras.items() if value is not None}
    arrays |= arrays_of_bends(rows.bends) | arrays_of_costs(rows.costs) | arrays_of_crs(graph.crs)
    return arrays | arrays_of_labels(graph.labels) | ({} if graph.links is None else {"links": np.bool_(True)})


def _has_turns(data: bytes) -> bool:
    if not data.startswith(b"PK\x03\x04"):
        return False
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return "turn_rules.npy" in archive.namelist()


def _read(source: Source, data: bytes, options: ReadOptions) -> Graph | TurnGraph:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = _array(data) if data.startswith(b"\x93NUMPY") else _archive(source, data, options)
    return _dense(found, options) if isinstance(found, np.ndarray) else found


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


def _archive(source: Source, data: bytes, options: ReadOptions) -> Graph | TurnGraph | npt.NDArray[Any]:
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


def _saved(source: Source, arrays: dict[str, npt.NDArray[Any]], options: ReadOptions) -> Graph | TurnGraph:
    layout = int(arrays["apsp_graph"])
    if layout not in (VERSION, WITH_TURNS):
        raise GraphError(f"saved by another version of apsp (layout {layout}, known are {VERSION} and {WITH_TURNS})")
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
    return _with_turns(found, arrays, options) if layout == WITH_TURNS and options.turns else found


def _with_turns(graph: Graph, arrays: dict[str, npt.NDArray[Any]], options: ReadOptions) -> TurnGraph:
    """The graph with the turns of the file.

    Raises
    ------
    RequestError
        If it has other weights than the file, whose unit is that of penalties.
    """
    movements, forbidden, rules = recipe_of_arrays(graph, arrays)
    penalties = np.array([] if movements is None else movements["penalty"])
    named = [rules[name] for name in ("u_turns", "dead_ends", "left", "right", "straight")]
    given = np.concatenate([penalties, named])
    if (options.cost is not None or not options.weighted) and ((given > 0) & (given < np.inf)).any():
        what = "weighted=False" if options.cost is None else f"cost={shown(options.cost)}"
        raise RequestError(
            f"{what}: the penalties of the turns are in the unit of the weights of the file: leave it out"
        )
    try:
        return with_turns(graph, movements if len(penalties) else None, forbidden=forbidden, **rules)
    except RequestError as error:
        raise GraphError(f"its turns are damaged: {error}") from error
