"""Elimination: the supernodes of the tree with their fill, then the sweeps up and down it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.elimination.factor import Factor, sound_factor
from apsp.methods.elimination.tree import EliminationTree, elimination_tree
from apsp.methods.problem import Problem
from apsp.methods.registry import METHODS

from .example import example
from .launches import Launch, Watcher, host, watched
from .trace import NO_PATH, Trace, lengths_in, listed, vertices, worded

__all__ = ["traces"]

_PAPER = "Carré 1971; George 1973; Sao, Kannan, Gera, Vuduc 2020: A supernodal all-pairs shortest path algorithm"
_FAR = np.iinfo(np.int32).max // 2
_TITLE = "Elimination: order, fill, sweeps up and down the tree"


class _Sweeps(Watcher):
    """The launches of the sweeps, after the steps of the factor, which the CPU computes."""

    def __init__(self, graph: Graph, factor: Factor) -> None:
        self.trace = Trace("elimination", _TITLE, _PAPER, graph, lengths_in(graph))
        self.tree, labels = factor.tree, factor.tree.layout.labels_of_all(1)
        self.spans = dict(zip(labels.nodes.tolist(), labels.spans, strict=True))
        _eliminate(self.trace, graph, factor)
        self.last = ""

    def after(self, launch: Launch) -> None:
        if launch.kernel not in ("climb", "descend"):
            return
        ways = {"climb": ("sweep up", self._climbed), "descend": ("sweep down", self._descended)}
        stage, show = ways[launch.kernel]
        if launch.kernel != self.last:
            self.trace.stage(stage)
        self.last = launch.kernel
        show(launch, self._nodes(launch))

    def _nodes(self, launch: Launch) -> list[int]:
        """The supernodes of a launch, from its units."""
        width = 3 if launch.kernel == "climb" else 2
        units = host(launch.arguments[4]).reshape(-1, width)[: int(launch.arguments[5])]
        return sorted(set(units[:, 0].tolist()))

    def _climbed(self, launch: Launch, nodes: list[int]) -> None:
        opened, closed = host(launch.arguments[7]), host(launch.arguments[8])
        matrix = self.trace.matrix.copy()
        for node in nodes:
            for labels, supernode in [(closed, node), *((opened, above) for above in self._above(node))]:
                self._lower(matrix, labels, supernode)
        trace, columns = self.trace, _columns(self.tree, nodes)
        fewer = trace.changed(matrix)
        top = not any(self._above(node) for node in nodes)
        onward = (
            "These are roots, so the labels are complete." if top else "The rows of the supernodes are updated, too."
        )
        trace.step(
            f"Up: for every target in {_named(self.tree, nodes)} or below, the distance from each of the columns is "
            f"computed through these columns. {onward} "
            f"{fewer} {worded(fewer, 'entry becomes', 'entries become')} smaller.",
            "the way up; Delling, Goldberg, Nowatzyk, Werneck 2011 (PHAST)", launch.words, matrix, active=columns,
            table=_table(self.tree, nodes),
        )  # fmt: skip

    def _lower(self, matrix: npt.NDArray[np.int64], labels: npt.NDArray[Any], node: int) -> None:
        """Labels of a supernode: a line per column, a value per lane (a place) in its subtree."""
        span, order = self.spans[node], self.tree.order
        low, high, width, start = (int(span[name]) for name in ("low", "high", "width", "start"))
        for column in range(int(self.tree.first[node + 1] - self.tree.first[node])):
            begin = start - (low & ~1) + column * width
            line = labels[begin + low : begin + high].astype(np.int64)
            line[line >= _FAR] = NO_PATH
            tail = order[self.tree.first[node] + column]
            heads = order[low:high]
            matrix[tail, heads] = np.minimum(matrix[tail, heads], line)

    def _above(self, node: int) -> list[int]:
        found = []
        while (node := int(self.tree.parent[node])) >= 0:
            found.append(node)
        return found

    def _descended(self, launch: Launch, nodes: list[int]) -> None:
        lines = host(launch.arguments[0]).astype(np.int64)
        lines[lines == np.iinfo(np.int32).max] = NO_PATH
        matrix, columns = self.trace.matrix.copy(), _columns(self.tree, nodes)
        matrix[columns] = lines[columns]
        fewer = self.trace.changed(matrix)
        rows = [int(self.tree.order[row]) for node in nodes for row in _rows(self.tree, node)]
        why = (
            f"through the rows, {vertices(sorted(set(rows)))}, whose lines the launch before has finished"
            if rows
            else "from the labels alone, since it has no rows"
        )
        self.trace.step(
            f"Down: the lines of {_named(self.tree, nodes)} are computed {why}. A line has the distances from one "
            f"vertex to all targets; it is final now. "
            f"{fewer} {worded(fewer, 'entry becomes', 'entries become')} smaller.",
            "the way down; Delling, Goldberg, Nowatzyk, Werneck 2011 (PHAST)", launch.words, matrix, active=columns,
            read=[(row, 0, 1, len(matrix)) for row in sorted(set(rows))],
            write=[(column, 0, 1, len(matrix)) for column in columns], table=_table(self.tree, nodes),
        )  # fmt: skip


def traces() -> list[Trace]:
    """One trace."""
    graph = example()
    problem = Problem(graph, np.dtype(np.int32), device="emulated", gpus=(0,))
    tree = elimination_tree(graph)
    assert tree is not None
    watcher = _Sweeps(graph, sound_factor(graph, problem.dtype, tree, 1))
    with watched(watcher):
        dist = jit.cupy().empty((graph.n, graph.n), dtype=np.int32)
        registry.prepare(METHODS["elimination"])(problem).fill(np.arange(graph.n, dtype=np.int32), dist, None)
    return [watcher.trace]


def _eliminate(trace: Trace, graph: Graph, factor: Factor) -> None:
    """A step per supernode: its panel of the factor."""
    tree, arcs = factor.tree, set(zip(graph.tails().tolist(), graph.indices.tolist(), strict=True))
    trace.stage("factor")
    done: list[int] = []
    for node in range(len(tree.parent)):
        matrix, columns = trace.matrix.copy(), _columns(tree, [node])
        rows = [int(tree.order[row]) for row in _rows(tree, node)]
        panel = _panel(factor, node)
        fill = sorted(pair for pair in panel if pair not in arcs)
        for pair, value in panel.items():
            matrix[pair] = min(matrix[pair], value)
        connected = (
            f"Its later neighbours, its rows, are {vertices(rows)}; they are connected through it."
            if rows
            else "It is the root of the tree: it has no later neighbours; its columns separate the other supernodes."
        )
        trace.step(
            f"Supernode {node} of the order: {vertices(columns)}, its columns, are eliminated together. {connected} "
            f"{len(fill)} entries of its panel are fill: pairs without an arc.",
            "the order: George 1973; the panels: Sao, Kannan, Gera, Vuduc 2020",
            f"the CPU computes the panel of supernode {node}",
            matrix, active=columns, now=rows, done=list(done), fill=fill, table=_table(tree, [node]),
        )  # fmt: skip
        done += columns


def _panel(factor: Factor, node: int) -> dict[tuple[int, int], int]:
    """The finite values of a supernode: from its columns to columns and rows, and from its rows to its columns."""
    tree, begin = factor.tree, int(factor.tree.panel_start[node])
    columns, rows = _columns(tree, [node]), [int(tree.order[row]) for row in _rows(tree, node)]
    k, r = len(columns), len(rows)
    out = factor.values[begin : begin + k * (k + r)].reshape(k, k + r)
    back = factor.values[begin + k * (k + r) : begin + k * (k + r) + r * k].reshape(r, k)
    pairs = [(columns[i], (columns + rows)[j], out[i, j]) for i, j in np.ndindex(*out.shape)]
    pairs += [(rows[i], columns[j], back[i, j]) for i, j in np.ndindex(*back.shape)]
    return {(tail, head): int(value) for tail, head, value in pairs if value < _FAR and tail != head}


def _columns(tree: EliminationTree, nodes: list[int]) -> list[int]:
    return [int(vertex) for node in nodes for vertex in tree.order[tree.first[node] : tree.first[node + 1]]]


def _rows(tree: EliminationTree, node: int) -> list[int]:
    return tree.rows[tree.row_start[node] : tree.row_start[node + 1]].tolist()


def _named(tree: EliminationTree, nodes: list[int]) -> str:
    return f"{worded(len(nodes), 'supernode', 'supernodes')} {listed(nodes)} ({vertices(_columns(tree, nodes))})"


def _table(tree: EliminationTree, nodes: list[int]) -> list[list[Any]]:
    """The supernodes: columns, rows, parent."""
    found = []
    for node, parent in enumerate(tree.parent.tolist()):
        rows = listed(tree.order[_rows(tree, node)].tolist())
        mark = "\N{BLACK RIGHT-POINTING TRIANGLE} " if node in nodes else ""
        under = "root" if parent < 0 else f"parent {parent}"
        found.append([f"{mark}supernode {node}", f"columns {listed(_columns(tree, [node]))}; rows {rows}; {under}"])
    return found
