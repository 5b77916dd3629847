"""Orders of elimination beside METIS' nested dissection (`pip install pymetis`): time, and what queries pay for them.

The numbers of an order: entries of the columns below the diagonal (fill), the ancestors of a vertex (its depth) and the
arcs to all of them (its search space), on average; the largest depth (height); and the sum of the squared columns, to
which the time of a factor is proportional. No columns are amalgamated. KaHIP's Python package has no orders.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import statistics
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

import apsp
from apsp.methods.elimination.tree import elimination_tree
from benchmarks.elimination import forget_order, new_york
from benchmarks.harness import Comparison

__all__ = ["comparisons", "quality"]

Order = npt.NDArray[np.int32]


def quality(graph: apsp.Graph, order: Order) -> dict[str, float]:
    """The numbers of an order."""
    place = np.empty(graph.n, dtype=np.int64)
    place[order] = np.arange(graph.n)
    later = [set[int]() for _ in range(graph.n)]
    for tail, head in zip(place[graph.tails()].tolist(), place[graph.indices].tolist(), strict=True):
        if tail != head:
            later[min(tail, head)].add(max(tail, head))
    count, parent = [0] * graph.n, [-1] * graph.n
    for column, rows in enumerate(later):
        count[column] = len(rows)
        if rows:
            parent[column] = min(rows)
            rows.discard(parent[column])
            later[parent[column]] |= rows
        later[column] = set()
    space, depth = [0] * graph.n, [0] * graph.n
    for column in range(graph.n - 1, -1, -1):
        above = parent[column]
        space[column] = count[column] + (space[above] if above >= 0 else 0)
        depth[column] = 1 + (depth[above] if above >= 0 else 0)
    return {
        "search space": round(statistics.fmean(space)),
        "depth": round(statistics.fmean(depth)),
        "height": max(depth),
        "fill": sum(count),
        "squared columns": sum(each * each for each in count),
    }


def ours(graph: apsp.Graph, order: Any) -> Order:
    """The vertices in the order of their elimination, without one that is stored."""
    forget_order(graph)
    tree = elimination_tree(graph, order=order, threads=2)
    assert tree is not None
    return tree.order


def metis(graph: apsp.Graph) -> Order:
    """METIS' nested dissection of the undirected graph without loops."""
    pymetis = importlib.import_module("pymetis")
    matrix = graph.to_scipy().astype(np.float64)
    matrix = (matrix + matrix.T).tocsr()
    matrix.setdiag(0)
    matrix.eliminate_zeros()
    order, _ = pymetis.nested_dissection(pymetis.CSRAdjacency(matrix.indptr, matrix.indices))
    return np.array(order, dtype=np.int32)


def comparison(name: str, graph: apsp.Graph) -> Comparison:
    """Orders of a graph; each is checked and described once."""
    contestants: dict[str, Callable[[], Order]] = {
        "apsp fast": functools.partial(ours, graph, "fast"),
        "apsp best": functools.partial(ours, graph, "best"),
    }
    if importlib.util.find_spec("pymetis") is not None:
        contestants["METIS, one thread"] = functools.partial(metis, graph)
    known: dict[str, str] = {}

    def agree(results: Mapping[str, Order]) -> None:
        for each, order in results.items():
            assert sorted(order.tolist()) == list(range(graph.n))
            known[each] = ", ".join(f"{name} {value:,}" for name, value in quality(graph, order).items())

    return Comparison(name, contestants, agree, facts=lambda _: known)


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Roads, a city, a country and a grid."""
    size, side = (5_000, 60) if quick else (200_000, 400)
    roads = None if quick else new_york()
    if roads is not None:
        yield comparison(f"New York, n = {roads.n:,}", roads)
    for kind in ("city", "country"):
        yield comparison(f"{kind}, n = {size:,}", apsp.generate(kind, size, seed=1))
    yield comparison(f"grid {side} x {side}", apsp.generate("grid", side * side, seed=1))
