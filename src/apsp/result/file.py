"""A result on disk: the arrays of the result and of its graph in one `.npz` file, and the rest as JSON in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import JsonObject, PathLike
from apsp.graph.model import Graph
from apsp.graph.saved import arrays_of_graph, graph_of_arrays
from apsp.semiring import SEMIRINGS, Semiring
from apsp.system import store
from apsp.system.checksums import Unchecked, check_all
from apsp.system.inputs import inputs_among, inputs_at
from apsp.system.progress import ProgressReport, offset

__all__ = ["StoredParts", "read", "write"]

_DTYPES = ("uint16", "int32", "int64", "float32", "float64")


@dataclass(frozen=True)
class StoredParts:
    """The parts of a result that are stored; see `Result`. None stands for all sources, all targets, no
    predecessors, no numbers of paths.
    """

    graph: Graph
    distances: Any
    pred: Any
    sources: npt.NDArray[np.int32] | None
    targets: npt.NDArray[np.int32] | None
    cutoff: float | None
    semiring: Semiring
    info: JsonObject
    unchecked: tuple[Unchecked, ...] = ()
    counts: npt.NDArray[Any] | None = None


def write(path: PathLike, stored: StoredParts, report: ProgressReport | None) -> None:
    """Write a result to a file; `apsp.result.result.Result.save` documents it."""
    graph = stored.graph
    arrays: dict[str, Any] = {
        "dist": stored.distances,
        "pred": stored.pred,
        "counts": stored.counts,
        "sources": stored.sources,
        "targets": stored.targets,
        **arrays_of_graph(graph),
    }
    there = {name: array for name, array in arrays.items() if array is not None}
    cutoff = stored.cutoff.item() if isinstance(stored.cutoff, np.generic) else stored.cutoff
    meta = {
        "directed": graph.directed, "cutoff": cutoff, "semiring": stored.semiring.name, "info": dict(stored.info)
    }  # fmt: skip
    total = sum(array.nbytes for array in there.values())
    with inputs_among(graph._inputs):
        store.save_arrays(path, there, meta, offset(report, "bytes written", 0, total))


def read(path: PathLike, *, check: bool = False) -> StoredParts:
    """Read a result from a file; `apsp.result.result.load` documents it."""
    archive = store.load_arrays(path, mapped=("dist", "pred", "counts"))
    path = Path(path)
    with store.damage(path, "a damaged result", "create it again"):
        stored = _stored(archive)
    stored.graph._read_from(inputs_at(path))
    if check:
        check_all(stored.unchecked)
    return stored


def _stored(archive: store.Archive) -> StoredParts:
    """The parts of a result, after checks that they are consistent.

    Raises
    ------
    ValueError, KeyError, GraphError
    """
    arrays, meta = archive.arrays, archive.meta
    graph = graph_of_arrays(arrays, directed=_flag(meta["directed"]))
    sources, targets = (_vertices(arrays.get(name), graph.n, name) for name in ("sources", "targets"))
    rows, columns = (graph.n if chosen is None else len(chosen) for chosen in (sources, targets))
    distances, pred, counts = arrays["dist"], arrays.get("pred"), arrays.get("counts")
    if distances.shape != (rows, columns) or distances.dtype.name not in _DTYPES:
        raise ValueError(f"dist.npy is {distances.dtype.name} of shape {distances.shape}, not ({rows}, {columns})")
    if pred is not None and (pred.shape != (rows, graph.n) or pred.dtype != np.int32):
        raise ValueError(f"pred.npy is {pred.dtype.name} of shape {pred.shape}, not int32 of ({rows}, {graph.n})")
    if counts is not None and (counts.shape != (rows, columns) or counts.dtype not in (np.int64, np.float64)):
        raise ValueError(f"counts.npy is {counts.dtype.name} of shape {counts.shape}, not of ({rows}, {columns})")
    cutoff, info = meta["cutoff"], meta["info"]
    if cutoff is not None and (type(cutoff) not in (int, float) or not cutoff >= 0):
        raise ValueError("the cutoff is not a number of at least 0")
    if not isinstance(info, dict):
        raise ValueError("info is not an object")
    if not isinstance(meta["semiring"], str) or meta["semiring"] not in SEMIRINGS:
        raise ValueError("the semiring is unknown")
    return StoredParts(
        graph, distances, pred, sources, targets, cutoff, SEMIRINGS[meta["semiring"]], info, archive.unchecked,
        counts=counts,
    )  # fmt: skip


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("directed is neither true nor false")
    return value


def _vertices(chosen: npt.NDArray[Any] | None, n: int, name: str) -> npt.NDArray[np.int32] | None:
    """The sources or targets; ValueError if one is not a vertex."""
    if chosen is None:
        return None
    if chosen.ndim != 1 or chosen.dtype != np.int32 or (len(chosen) and not 0 <= chosen.min() <= chosen.max() < n):
        raise ValueError(f"{name}.npy holds something that is not a vertex")
    return chosen
