"""An oracle on disk: the graph, the tree and the factor as plain arrays, in the format of `apsp.store`."""

from __future__ import annotations

from pathlib import Path

from apsp import store
from apsp.errors import FileFormatError
from apsp.graph.saved import arrays_of_graph, graph_of_arrays
from apsp.plan.request import Request
from apsp.progress import ProgressReport, offset
from apsp.solvers.sparse.elimination_tree import EliminationTree
from apsp.solvers.sparse.factor import Factor

__all__ = ["read_oracle", "write_oracle"]

_TREE = "tree_"
"""Before the names of the arrays of the tree."""


def write_oracle(path: Path, factor: Factor, asked: str, report: ProgressReport | None) -> None:
    """Write a factor and the dtype that was asked for.

    Raises
    ------
    OutputError
        If the file cannot be written.
    """
    tree = {_TREE + name: array for name, array in factor.tree.arrays().items()}
    arrays = {**arrays_of_graph(factor.graph), **tree, "values": factor.values}
    total = sum(array.nbytes for array in arrays.values())
    meta = {"directed": factor.graph.directed, "dtype": asked}
    store.save_arrays(path, arrays, meta, offset(report, "bytes written", 0, total), kind="oracle")


def read_oracle(path: Path) -> tuple[Factor, str]:
    """The factor and the dtype that was asked for.

    Raises
    ------
    FileFormatError
        If the file is cut or damaged, or is no oracle.
    FileNotFoundError
    """
    arrays, meta = store.load_arrays(path, mapped=False, kind="oracle")
    try:
        graph = graph_of_arrays(arrays, directed=bool(meta["directed"]))
        named = {name.removeprefix(_TREE): array for name, array in arrays.items() if name.startswith(_TREE)}
        tree = EliminationTree(**named)
        tree.check()
        values = arrays["values"]
        if len(tree.order) != graph.n or values.shape != (tree.entries,):
            raise ValueError("its arrays do not fit each other")
        return Factor(graph, tree, values), Request(dtype=str(meta["dtype"])).dtype
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise FileFormatError(path, f"a damaged oracle ({error}); prepare it again") from error
