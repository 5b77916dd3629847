"""A result on disk: the arrays of the result and of its graph in one `.npz` file, and the rest as JSON in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import store
from apsp.graph.model import Graph
from apsp.graph.saved import arrays_of_graph, graph_of_arrays
from apsp.progress import ProgressReport, offset
from apsp.semiring import SEMIRINGS, Semiring

__all__ = ["Kept", "read", "write"]


@dataclass(frozen=True)
class Kept:
    """What is kept of a result; see `apsp.result.Result`. None stands for all sources, all targets, no predecessors."""

    graph: Graph
    distances: Any
    pred: Any
    sources: npt.NDArray[np.int32] | None
    targets: npt.NDArray[np.int32] | None
    cutoff: float | None
    semiring: Semiring
    info: Mapping[str, Any]


def write(path: str | Path, kept: Kept, report: ProgressReport | None) -> None:
    """See `apsp.result.Result.save`."""
    graph = kept.graph
    arrays: dict[str, Any] = {
        "dist": kept.distances,
        "pred": kept.pred,
        "sources": kept.sources,
        "targets": kept.targets,
        **arrays_of_graph(graph),
    }
    there = {name: array for name, array in arrays.items() if array is not None}
    meta = {
        "directed": graph.directed, "cutoff": kept.cutoff, "semiring": kept.semiring.name, "info": dict(kept.info)
    }  # fmt: skip
    total = sum(array.nbytes for array in there.values())
    store.save_arrays(path, there, meta, offset(report, "bytes written", 0, total))


def read(path: str | Path) -> Kept:
    """See `apsp.result.load`."""
    arrays, meta = store.load_arrays(path)
    small = {name: np.array(arrays[name]) for name in arrays.keys() - {"dist", "pred"}}
    graph = graph_of_arrays(small, directed=bool(meta["directed"]))
    return Kept(
        graph, arrays["dist"], arrays.get("pred"), small.get("sources"), small.get("targets"), meta["cutoff"],
        SEMIRINGS[meta["semiring"]], meta["info"],
    )  # fmt: skip
