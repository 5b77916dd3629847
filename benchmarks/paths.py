"""Predecessors: their cost relative to the distances alone, and to SciPy's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import apsp
from benchmarks.dense import complete_matrix
from benchmarks.harness import Comparison


def replayed(results: Mapping[str, Any]) -> None:
    """Our predecessors are checked arc by arc; SciPy's distances must be ours."""
    ours = results["apsp with predecessors"]
    ours.verify(threads=2)
    assert (results["scipy with predecessors"][0] == ours.distances).all()


def comparisons(quick: bool) -> Iterator[Comparison]:
    """A complete graph with positive weights, integers and floats."""
    from scipy.sparse.csgraph import floyd_warshall

    n = 512 if quick else 2048
    exact = complete_matrix(n, 1, 1000, "float64")
    for dtype in ("int32", "float32"):
        graph = apsp.from_dense(complete_matrix(n, 1, 1000, dtype), absent=-1)

        solve = partial(apsp.solve, graph, method="floyd-warshall", dtype=dtype)
        yield Comparison(
            f"dense {dtype} with predecessors, n = {n:,}",
            {
                "apsp with predecessors": partial(solve, paths=True),
                "apsp distances alone": solve,
                "scipy with predecessors": partial(floyd_warshall, exact, return_predecessors=True),
            },
            replayed,
            {"apsp distances alone": 1 / 1.1, "scipy with predecessors": 30.0},
        )
