"""The factor of a graph whose weights change, or some of whose edges are closed.

Source: Dibbelt, Strasser and Wagner 2016, "Customizable contraction hierarchies" (partial customisation), here on
supernodes. Input: a factor, and its graph with other weights. Output: the factor of that graph. Cost: the entries that
depend on the changed arcs, of floats the supernodes that have some; those near the root depend on most arcs, but few of
them change with few arcs.

The idea: what each supernode hands up to its parent is kept. A supernode is looked at again if one of its arcs has
changed, or what a child hands up: of integers, shorter steps shorten the entries that are longer than the way along
them, and entries with a shortest path along longer steps are computed again. Subtrees do not depend on each other, so
that threads share them; the result does not depend on their number. A closed edge has no path in the factor,
so it costs as much as a new weight. The values are in two copies: readers of the old ones hold these, and otherwise
they lack only what changed last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.arc_positions import arcs_between
from apsp.graph.csr import arc_arrays
from apsp.graph.equality import shared
from apsp.graph.model import Graph
from apsp.graph.some_edges import SomeWeights
from apsp.methods.elimination.factor import Factor, fitting, sound_factor
from apsp.methods.elimination.tree import EliminationTree
from apsp.system.two_copies import TwoCopies

if TYPE_CHECKING:
    from apsp.methods.elimination.values_on_gpu import FactorsOnGpu

__all__ = ["CHANGES_BYTES", "Changed", "FactorChanges", "changed_factor"]

_FEW, _FEW_ARCS = 0.01, 16
"""Share of the arcs up to which changed weights are few; so many are in any graph."""

_MOST_WORK = 0.5
"""Of the pairs of the whole factor, beyond which it is computed as a whole, on all threads."""

CHANGES_BYTES = 20
"""Bytes per arc: where it belongs in the factor."""

_NODE_BYTES = 52
"""Bytes per supernode: for what changes in its front, and which threads work on it."""

_NONE: npt.NDArray[np.int32] = np.empty(0, dtype=np.int32)


class Changed(NamedTuple):
    """A factor after a change.

    Attributes
    ----------
    factor : Factor
    changes : FactorChanges or None
        For the next change; None if there is no memory.
    renewed : (k,) int32 or None
        The supernodes whose values differ from the old ones; None if all may.
    """

    factor: Factor
    changes: FactorChanges | None
    renewed: npt.NDArray[np.int32] | None

    @property
    def renewed_unless_mirrored(self) -> npt.NDArray[np.int32] | None:
        """`renewed`, to see whether distances are still the same in both directions; none if they surely are."""
        return _NONE if self.factor.is_surely_mirrored else self.renewed


class FactorChanges:
    """What a factor is computed from, to compute it again where it changes; for one change at a time.

    Parameters
    ----------
    graph : Graph
        Of its arcs some may be closed later. No weight is negative.
    factor : Factor
        Of the tree and the dtype.

    Attributes
    ----------
    weights : TwoCopies
        Of the weights of the arcs of the graph.
    pairs : float
        (add, min) pairs of the whole factor.
    is_new : bool
        Whether no factor has been computed yet.
    """

    def __init__(self, graph: Graph, factor: Factor) -> None:
        self._arcs, self.pairs = (graph.indptr, graph.indices), factor.tree.factor_pairs
        assembly = _assembly_of(graph, factor.tree)
        self._kernels = _cpu.FactorChanges(assembly, factor.values)
        self.weights, self._values = TwoCopies(), TwoCopies()
        self.is_new = True
        width = factor.dtype.itemsize
        rows = np.diff(factor.tree.row_start)
        self._bytes = (graph.m + int(rows @ rows)) * width + CHANGES_BYTES * graph.m
        self._bytes += _NODE_BYTES * len(rows)

    @property
    def indices(self) -> npt.NDArray[np.int32]:
        """Those of the graph that has all arcs."""
        return self._arcs[1]

    @property
    def nbytes(self) -> int:
        """Bytes of what is stored beside a factor."""
        return self._bytes + self._values.nbytes + self.weights.nbytes

    def take(self, graph: Graph, some: SomeWeights | None, most: int) -> int:
        """Take the weights of a graph: how many arcs they change, of which `most` are remembered.

        -1 if it has arcs that are not known here.
        """
        if some is None or self.is_new:
            return self._kernels.take(arc_arrays(graph, graph.weights), most)
        is_own = not some.shut.any() and shared(graph.indices, self._arcs[1])
        arcs = some.arcs if is_own else arcs_between(*self._arcs, some.tails, some.heads)
        if (arcs < 0).any():
            return self._kernels.take(arc_arrays(graph, graph.weights), most)
        open_ = ~some.shut
        return self._kernels.take_some(arcs[open_], some.weights[open_], arcs[some.shut])

    def values(
        self, old: Factor, most_pairs: float | None, threads: int
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.int32] | None]:
        """The values of the factor of the weights that were taken, and the supernodes where they differ.

        most_pairs: beyond which all are computed; None if the arcs that have changed are not remembered.
        """
        if most_pairs is not None and not self.is_new:
            values, stale = self._values.begin(old.values, _NONE)
            renewed = self._kernels.some(
                before=old.values, stale=stale, values=values, most=most_pairs, threads=threads
            )
            if renewed is not None:
                self._values.end(old.values, values, renewed)
                return values, renewed
        self._values = TwoCopies()
        values = np.empty_like(old.values)
        self._kernels.all(values, threads)
        self.is_new = False
        return values, None


def changed_factor(
    old: Factor,
    changes: FactorChanges | None,
    graph: Graph,
    dtype: np.dtype[Any],
    some: SomeWeights | None = None,
    *,
    keep: bool,
    threads: int,
    on_gpu: FactorsOnGpu | None = None,
    few: float = _FEW,
    most_work: float = _MOST_WORK,
) -> Changed:
    """The factor of a graph of the same vertices, whose edges fit the tree of the old one.

    Parameters
    ----------
    changes : FactorChanges or None
        Those of `old`, if they are known; they become those of the new factor.
    some : SomeWeights, optional
        In what the graph differs from that of `old`, if it is known.
    keep : bool
        There is memory for changes.
    on_gpu : FactorsOnGpu, optional
        Computes factors of the tree as a whole on a GPU, sooner than what changes is computed here.
    few : float
        Share of the arcs up to which changed weights are few.
    most_work : float
        Share of the pairs of the whole factor beyond which it is computed as a whole.

    Raises
    ------
    GraphError, MethodRefusedError, NegativeCycleError
        As `sound_factor`.
    """
    tree = old.tree
    if on_gpu is not None and (there := on_gpu.factors([graph], dtype, threads)):
        return Changed(there[0], None, None)
    if not keep or dtype != old.dtype or old.graph.has_negative_arc or graph.has_negative_arc:
        return Changed(sound_factor(graph, dtype, tree, threads), None, None)
    changes = changes or FactorChanges(old.graph, old)
    most = max(int(few * graph.m), _FEW_ARCS)
    changed = changes.take(graph, some, most)
    if changed < 0:
        changes = FactorChanges(graph, old)
        changed = changes.take(graph, None, most)
    if changed == 0 and not changes.is_new:
        return Changed(old.on(graph, old.values), changes, _NONE)
    values, renewed = changes.values(old, most_work * changes.pairs if changed <= most else None, threads)
    return Changed(old.on(graph, values), changes, renewed)


def _assembly_of(graph: Graph, tree: EliminationTree) -> _cpu.FactorAssembly:
    """Stored with the tree, since it does not depend on the weights."""
    known: tuple[npt.NDArray[np.int32], _cpu.FactorAssembly] | None = tree.__dict__.get("_assembly")
    if known is None or not shared(known[0], graph.indices):
        with fitting():
            known = graph.indices, _cpu.FactorAssembly(tree, arc_arrays(graph))
        tree.__dict__["_assembly"] = known
    return known[1]
