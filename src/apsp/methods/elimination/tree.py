"""The order of elimination and the entries of the factor, which do not depend on the weights.

Sources: George 1973 (nested dissection); Sanders and Schulz 2011 (separators by flow); Liu 1990 (elimination trees);
Ashcraft and Grimes 1989 (relaxed supernodes).
Input: a graph. Output: `EliminationTree`. Cost: O(m log n) in practice; 0.2 s for a road graph of 264,346 vertices on
two cores, 20 ms for a grid of 128 x 128.

The idea: vertices with at most two neighbours go first, round by round; small separators of the remaining graph go
last. A separator is first found on coarser graphs. If many rows or queries follow, it is replaced by the smallest one
in a corridor around it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.system.cached import cached_property
from apsp.system.progress import ProgressReport, offset

if TYPE_CHECKING:
    from apsp.methods.elimination.kernels.layout import Layout

__all__ = ["EliminationTree", "Order", "elimination_tree", "keep_tree", "order_for", "share_tree"]

IntArray = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]

Order = Literal["quick", "fast", "best"]

_EFFORTS: tuple[Order, ...] = ("quick", "fast", "best")
"""In the order of the kernel."""

_GIVEN = 1
"""Effort of an order that others found: it is replaced only by the best one."""

_ROWS, _ROWS_ON_GPU = 1 << 15, 1 << 18

_NO_LIMIT = 2**62


@dataclass(frozen=True)
class EliminationTree:
    """Supernodes: vertices that are eliminated together (columns), and their later neighbours at that point (rows).

    Attributes
    ----------
    order : (n,) int32
        The vertex at each place; the columns of a supernode are consecutive places, children come before parents.
    first : (s + 1,) int32
        The columns of supernode k are the places first[k] .. first[k + 1] - 1.
    parent : (s,) int32
        The supernode of its first row; -1 at a root.
    row_start : (s + 1,) int64
    rows : (row_start[s],) int32
        Places, ascending.
    panel_start : (s + 1,) int64
        Where the values of a supernode with k columns and r rows start in the factor: `out` (k, k + r), from its
        columns to its columns and rows, then `in` (r, k), from its rows to its columns.
    """

    order: IntArray
    first: IntArray
    parent: IntArray
    row_start: Offsets
    rows: IntArray
    panel_start: Offsets

    @property
    def entries(self) -> int:
        """Values of the factor."""
        return int(self.panel_start[-1])

    @property
    def columns(self) -> npt.NDArray[np.float64]:
        """(s,) columns of each supernode."""
        return np.diff(self.first).astype(np.float64)

    @property
    def row_counts(self) -> npt.NDArray[np.float64]:
        """(s,) rows of each supernode."""
        return np.diff(self.row_start).astype(np.float64)

    @property
    def factor_pairs(self) -> float:
        """(add, min) pairs to compute the factor."""
        return float(np.sum(self.columns * (self.columns + self.row_counts) ** 2))

    @property
    def row_pairs(self) -> float:
        """(add, min) pairs for one row of all distances, without the way up."""
        return float(np.sum(self.columns * self.row_counts))

    @property
    def climb_pairs(self) -> float:
        """(add, min) pairs of the way up from a vertex, on average."""
        below: npt.NDArray[np.int32] = self.first[1:] - self.layout.lowest
        panels = self.columns * (self.columns + self.row_counts)
        return float(np.sum(below * panels) / max(len(self.order), 1))

    @property
    def largest(self) -> int:
        """Columns of the largest supernode."""
        return int(np.diff(self.first).max(initial=0))

    @cached_property
    def layout(self) -> Layout:
        """The layout for the kernels of GPUs."""
        from apsp.methods.elimination.kernels.layout import Layout

        return Layout(self)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return all arrays by name."""
        names = ("order", "first", "parent", "row_start", "rows", "panel_start")
        return {name: getattr(self, name) for name in names}

    def check(self) -> None:
        """Raise ValueError if the arrays are not an elimination tree."""
        _cpu.elimination_check(self)


def elimination_tree(
    graph: Graph,
    *,
    most: int | None = None,
    widest: int | None = None,
    order: Order | IntArray = "quick",
    threads: int = 1,
    progress: ProgressReport | None = None,
) -> EliminationTree | None:
    """Return the tree of a graph; it is stored with the graph, as are the limits of a search that failed.

    Parameters
    ----------
    order : {'quick', 'fast', 'best'} or (n,) int32
        The effort for short separators. 'fast' takes up to twice as long as 'quick', and pays if many rows or queries
        follow (see `order_for`). An order found with the same or a greater effort is used if it is stored with the
        graph. An array has the vertices in the order in which they are eliminated.
    most : int, optional
        Stop, and return None, if the factor would have more entries.
    widest : int, optional
        Stop as soon as a separator has more vertices.
    """
    effort = _EFFORTS.index(order) if isinstance(order, str) else None
    known = graph.__dict__.get("_elimination_tree")
    if isinstance(known, EliminationTree) and effort is not None and effort <= graph.__dict__["_elimination_effort"]:
        return known if most is None or known.entries <= most else None
    limits = (_NO_LIMIT if most is None else most, _NO_LIMIT if widest is None else widest)
    vain = graph.__dict__.get("_no_elimination_tree", (-1, -1))
    is_limited = effort is not None and order != "best"
    if is_limited and limits[0] <= vain[0] and limits[1] <= vain[1]:
        return None
    found = _cpu.elimination_tree(
        arc_arrays(graph), most=limits[0], widest=limits[1], effort=effort or 0,
        given=None if isinstance(order, str) else order, threads=threads,
        progress=offset(progress, "order", 0, graph.n) if isinstance(order, str) else None,
    )  # fmt: skip
    if found is None:
        if is_limited:
            graph.__dict__["_no_elimination_tree"] = limits
        return None
    tree = EliminationTree(*found)
    _store(graph, tree, _GIVEN if effort is None else effort)
    return tree


def order_for(rows: int, *, on_gpu: bool) -> Order:
    """Return the order that pays: flows take a microsecond per vertex, and save a tenth of the time of rows."""
    return "fast" if rows >= (_ROWS_ON_GPU if on_gpu else _ROWS) else "quick"


def keep_tree(graph: Graph, tree: EliminationTree) -> None:
    """Store a tree with its graph, unless there is one."""
    if "_elimination_tree" not in graph.__dict__:
        _store(graph, tree, _GIVEN)


def share_tree(graph: Graph, others: Iterable[Graph]) -> None:
    """Store what is known of the tree of a graph with others that have the same arcs."""
    known = graph.__dict__.get("_elimination_tree")
    for other in others:
        if isinstance(known, EliminationTree) and "_elimination_tree" not in other.__dict__:
            _store(other, known, graph.__dict__["_elimination_effort"])
        if "_no_elimination_tree" in graph.__dict__:
            other.__dict__.setdefault("_no_elimination_tree", graph.__dict__["_no_elimination_tree"])


def _store(graph: Graph, tree: EliminationTree, effort: int) -> None:
    graph.__dict__["_elimination_tree"], graph.__dict__["_elimination_effort"] = tree, effort
