"""A factor in a file of an oracle: the graph, the tree and the values as plain arrays, in the format of
`apsp.system.store`.

Labels take several times as many bytes as the factor, and less time to compute than to read: the file says whether the
oracle has them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.facts.request import Request
from apsp.graph.closed_links import Closed
from apsp.graph.model import Graph
from apsp.graph.saved import arrays_of_graph, graph_of_arrays
from apsp.methods.elimination.factor import Factor
from apsp.methods.elimination.tree import EliminationTree
from apsp.semiring import ALL_DTYPES
from apsp.system import store
from apsp.system.inputs import inputs_among, inputs_at
from apsp.system.progress import ProgressReport, offset

__all__ = ["factor_of", "read_factor", "write_factor"]

_TREE = "tree_"
"""Prefix of the names of the arrays of the tree."""

_META = {"directed": bool, "dtype": str, "labels": bool}
"""Facts in a file, and their types."""


def write_factor(
    path: Path, factor: Factor, closed: Closed | None, requested: str, report: ProgressReport | None, *, labels: bool
) -> None:
    """Write a factor, the links that are closed, the requested dtype, and whether there are labels.

    Raises OutputError if the file cannot be written.
    """
    tree = {_TREE + name: array for name, array in factor.tree.arrays().items()}
    graph = factor.graph if closed is None else closed.searched
    arrays = {**arrays_of_graph(graph), **tree, "values": factor.values}
    if closed is not None:
        arrays["closed"] = closed.rows
    total = sum(array.nbytes for array in arrays.values())
    meta = {"directed": graph.directed, "dtype": requested, "labels": labels}
    with inputs_among(factor.graph._inputs):
        store.save_arrays(path, arrays, meta, offset(report, "bytes written", 0, total), kind="oracle")


def read_factor(path: Path) -> tuple[Factor, Closed | None, str, bool]:
    """Read the factor, the links that are closed, the requested dtype, and whether there were labels.

    Raises FileFormatError if the file is truncated or damaged, or is not an oracle; MissingFileError.
    """
    archive = store.load_arrays(path, kind="oracle")
    with store.damage(path, "a damaged oracle", "prepare it again"):
        arrays, meta = archive.arrays, {"labels": False, **archive.meta}  # older files do not mention them
        if not all(isinstance(meta[name], kind) for name, kind in _META.items()):
            raise ValueError("meta.json is damaged")
        graph = graph_of_arrays(arrays, directed=meta["directed"])
        graph._read_from(inputs_at(path))
        named = {name.removeprefix(_TREE): array for name, array in arrays.items() if name.startswith(_TREE)}
        closed = Closed.of(graph, arrays.get("closed"))
        factor = factor_of(graph if closed is None else closed.graph, named, arrays["values"])
        return factor, closed, Request(dtype=meta["dtype"]).dtype, meta["labels"]


def factor_of(graph: Graph, arrays: dict[str, npt.NDArray[Any]], values: npt.NDArray[Any]) -> Factor:
    """The factor of a graph, the arrays of a tree and the values, after checks that they are consistent.

    Raises KeyError, TypeError or ValueError.
    """
    tree = _tree(arrays)
    if len(tree.order) != graph.n or values.shape != (tree.entries,) or values.dtype.name not in ALL_DTYPES:
        raise ValueError("its arrays do not fit each other")
    if not _hold(values.dtype, graph):
        raise ValueError("its weights do not fit its distances")
    return Factor(graph, tree, values)


def _hold(dtype: np.dtype[Any], graph: Graph) -> bool:
    """Whether the dtype is possible for distances of the graph."""
    if dtype.kind == "f":
        return True
    least = 0 if dtype.kind == "u" else -(np.iinfo(dtype).max // 4)
    return graph.has_integer_weights and graph.weight_range[0] >= least


def _tree(arrays: dict[str, npt.NDArray[Any]]) -> EliminationTree:
    """The tree of these arrays, after checks that its indices are in range.

    Raises KeyError, TypeError or ValueError.
    """
    for name, array in arrays.items():
        dtype = np.int64 if name in ("row_start", "panel_start") else np.int32
        if array.ndim != 1 or array.dtype != dtype:
            raise ValueError(f"{_TREE}{name} is {array.dtype} of shape {array.shape}")
    tree = EliminationTree(**arrays)
    tree.check()
    return tree
