"""The benchmark set of the planner: graphs as plain data, so that a test can create them again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from apsp.facts.request import Request
from benchmarks.elimination import new_york
from benchmarks.extreme_shapes import SHAPES
from benchmarks.harness import ROOT

__all__ = ["CASES", "GPU_CASES", "SHAPE_CASES", "Case", "case_of", "graph_of", "request_of", "sources_of"]


@dataclass(frozen=True)
class Case:
    """A graph and a request.

    Attributes
    ----------
    name : str
    kind : str
        Of `apsp.generate`; a shape of `extreme_shapes`, undirected; or 'tree', 'caida', 'new york'.
    n : int
        Vertices; files have their own.
    options : dict
        Of `apsp.generate`; of a shape only 'weights'.
    hops : bool
        Weights are dropped.
    floats : str or None
        Weights become this float dtype.
    rows : int or None
        Requested sources; None means all.
    sums : bool
        Only sums over rows are computed (closeness), and no matrix is stored.
    paths : bool
    """

    name: str
    kind: str
    n: int
    options: dict[str, Any] = field(default_factory=dict)
    hops: bool = False
    floats: str | None = None
    rows: int | None = None
    sums: bool = False
    paths: bool = False

    @property
    def is_file(self) -> bool:
        return self.kind in ("caida", "new york")


def case_of(data: dict[str, Any]) -> Case:
    """A case as it was written to JSON."""
    return Case(**data)


def graph_of(case: Case) -> apsp.Graph | None:
    """The graph of a case, always the same; None if a file does not exist."""
    made = _GRAPHS.get(case.kind)
    graph = made(case.n) if made is not None else _shape(case) if case.kind in SHAPES else _generated(case)
    if graph is None or case.hops:
        return graph and graph.unweighted()
    if case.floats is None:
        return graph
    return apsp.Graph(graph.indptr, graph.indices, graph.arc_weights(case.floats), directed=graph.directed)


def _generated(case: Case) -> apsp.Graph:
    options = {name: tuple(value) if isinstance(value, list) else value for name, value in case.options.items()}
    return apsp.generate(case.kind, case.n, seed=1, **options)  # type: ignore[call-overload, no-any-return]


def request_of(case: Case, device: str = "cpu") -> Request:
    """The request for the planner."""
    mode = "stream" if case.sums else "matrix"
    return Request(sources=case.rows, paths=case.paths, device=device, mode=mode)  # type: ignore[arg-type]


def sources_of(case: Case, graph: apsp.Graph) -> Any:
    """The vertices to start from; None means all."""
    return None if case.rows is None else np.random.default_rng(2).permutation(graph.n)[: case.rows]


def _tree(n: int) -> apsp.Graph:
    """Every vertex is joined to a random earlier one."""
    rng = np.random.default_rng(1)
    parents = (rng.random(n - 1) * np.arange(1, n)).astype(np.int64)
    return apsp.from_edges(parents, np.arange(1, n), rng.integers(1, 1001, n - 1), n=n, directed=False)


def _shape(case: Case) -> apsp.Graph:
    n, tails, heads = SHAPES[case.kind](case.n)
    low, high = case.options.get("weights", (1, 1000))
    lengths = np.random.default_rng(1).integers(low, high, len(tails), endpoint=True)
    return apsp.from_edges(tails, heads, lengths, n=n, directed=False)


def caida() -> apsp.Graph | None:
    """The autonomous systems of the internet on 5 November 2007; None if as-caida20071105.txt.gz is not there."""
    folders = [folder / "shared" / "data" / "as" for folder in ROOT.parents[:2]]
    path: Path | None = next((place for f in folders if (place := f / "as-caida20071105.txt.gz").exists()), None)
    if path is None:
        return None
    graph = apsp.read(path)
    return apsp.Graph(graph.indptr, graph.indices, directed=graph.directed)  # without labels: sources are positions


_GRAPHS: dict[str, Callable[[int], apsp.Graph | None]] = {
    "tree": _tree,
    "caida": lambda _: caida(),
    "new york": lambda _: new_york(),
}


CASES = (
    *(Case(f"random, n = {n:,}, m = 4n", "random", n) for n in (200, 1000, 4677, 16_384)),
    *(Case(f"random, n = 2,000, m = {d}n", "random", 2000, {"m": d * 2000}) for d in (2, 16, 64, 128, 256, 512)),
    *(Case(f"random, n = 500, m = {d}n", "random", 500, {"m": d * 500}) for d in (16, 64, 128)),
    *(Case(f"R-MAT, n = {n:,}, m = 8n", "rmat", n) for n in (1000, 4677, 16_384)),
    Case("R-MAT, n = 4,096, m = 128n", "rmat", 4096, {"m": 128 * 4096}),
    *(Case(f"ring, n = {n:,}", "ring", n) for n in (1000, 4677, 10_000)),
    *(Case(f"grid {k} x {k}", "grid", k * k, {"shape": [k, k]}) for k in (16, 32, 64, 128)),
    Case("grid 20 x 20 x 20", "grid", 8000, {"shape": [20, 20, 20]}),
    Case("city, n = 10,000", "city", 10_000),
    Case("path, n = 5,000", "grid", 5000, {"shape": [1, 5000]}),
    Case("tree, n = 10,000", "tree", 10_000),
    Case("star, n = 4,000", "star", 4000),
    Case("dag, n = 5,000", "dag", 5000),
    Case("dag, n = 5,000, m = 200n", "dag", 5000, {"m": 1_000_000}),
    *(Case(f"complete, n = {n:,}", "complete", n) for n in (200, 1000, 3000)),
    Case("complete, n = 1,500, float32", "complete", 1500, floats="float32"),
    Case("complete, n = 1,500, float64", "complete", 1500, floats="float64"),
    Case("random, n = 4,677, m = 4n, float32", "random", 4677, floats="float32"),
    Case("random, n = 4,677, m = 4n, float64", "random", 4677, floats="float64"),
    Case("grid 64 x 64, float64", "grid", 4096, {"shape": [64, 64]}, floats="float64"),
    *(Case(f"negative, n = {n:,}, m = 4n", "negative", n) for n in (300, 2048)),
    Case("negative, n = 1,000, m = 64n", "negative", 1000, {"m": 64_000}),
    Case("negative, n = 1,000, m = 4n, float64", "negative", 1000, floats="float64"),
    *(Case(f"hops: random, n = {n:,}, m = 4n", "random", n, hops=True) for n in (500, 4677, 16_384)),
    Case("hops: random, n = 2,000, m = 128n", "random", 2000, {"m": 256_000}, hops=True),
    Case("hops: R-MAT, n = 16,384, m = 8n", "rmat", 16_384, hops=True),
    Case("hops: grid 128 x 128", "grid", 16_384, {"shape": [128, 128]}, hops=True),
    Case("hops: grid 32 x 32", "grid", 1024, {"shape": [32, 32]}, hops=True),
    Case("hops: ring, n = 4,677", "ring", 4677, hops=True),
    Case("hops: AS graph of CAIDA 2007", "caida", 0, hops=True),
    Case("random, n = 4,677, m = 4n, paths", "random", 4677, paths=True),
    Case("grid 64 x 64, paths", "grid", 4096, {"shape": [64, 64]}, paths=True),
    Case("complete, n = 1,000, paths", "complete", 1000, paths=True),
    Case("hops: random, n = 4,677, m = 4n, paths", "random", 4677, hops=True, paths=True),
    *(Case(f"random, n = 100,000, m = 4n, {r} rows", "random", 100_000, rows=r) for r in (1, 8, 64)),
    *(Case(f"grid 200 x 200, {r} rows", "grid", 40_000, {"shape": [200, 200]}, rows=r) for r in (1, 16, 256)),
    *(Case(f"complete, n = 2,000, {r} rows", "complete", 2000, rows=r) for r in (1, 100)),
    Case("hops: R-MAT, n = 65,536, m = 8n, 64 rows", "rmat", 65_536, hops=True, rows=64),
    Case("New York, 16 rows", "new york", 0, rows=16),
    Case("New York, 512 rows", "new york", 0, rows=512),
    Case("New York, sums of 2,048 rows", "new york", 0, rows=2048, sums=True),
    Case("random, n = 16,384, m = 4n, sums", "random", 16_384, sums=True),
    Case("grid 128 x 128, sums", "grid", 16_384, {"shape": [128, 128]}, sums=True),
)
"""On the CPU."""

_WEIGHTS: dict[str, dict[str, Any]] = {
    "hops": {"hops": True},
    "weights": {},
    "weights of 0": {"options": {"weights": [0, 0]}},
    "weights of 0 to 3": {"options": {"weights": [0, 3]}},
    "float64": {"floats": "float64"},
}

SHAPE_CASES = (
    *(
        Case(f"{shape}, n = 2,500, {name}{', paths' if paths else ''}", shape, 2500, paths=paths, **weights)
        for shape in SHAPES
        for name, weights in _WEIGHTS.items()
        for paths in (False, True)
    ),
    *(
        Case(f"{shape}, n = 6,000, {name}, paths", shape, 6000, paths=True, **_WEIGHTS[name])
        for shape in ("complete bipartite", "two hubs")
        for name in ("hops", "weights", "weights of 0")
    ),
)
"""Graphs of extreme shapes, on the CPU."""

GPU_CASES = (
    *(Case(f"random, n = {n:,}, m = 4n", "random", n) for n in (1000, 4677, 16_384)),
    *(Case(f"random, n = 4,096, m = {d}n", "random", 4096, {"m": d * 4096}) for d in (16, 64, 256, 1024)),
    Case("R-MAT, n = 16,384, m = 8n", "rmat", 16_384),
    *(Case(f"ring, n = {n:,}", "ring", n) for n in (4096, 16_384)),
    *(Case(f"grid {k} x {k}", "grid", k * k, {"shape": [k, k]}) for k in (64, 128)),
    Case("complete, n = 2,000", "complete", 2000),
    Case("negative, n = 2,048, m = 4n", "negative", 2048),
    *(Case(f"hops: random, n = {n:,}, m = 4n", "random", n, hops=True) for n in (4677, 16_384)),
    Case("hops: R-MAT, n = 65,536, m = 8n", "rmat", 65_536, hops=True),
    Case("hops: grid 128 x 128", "grid", 16_384, {"shape": [128, 128]}, hops=True),
    Case("hops: ring, n = 4,096", "ring", 4096, hops=True),
    Case("hops: AS graph of CAIDA 2007", "caida", 0, hops=True),
    Case("random, n = 4,677, m = 4n, paths", "random", 4677, paths=True),
    Case("random, n = 100,000, m = 4n, 1,024 rows", "random", 100_000, rows=1024),
    *(Case(f"grid {k} x {k}, sums", "grid", k * k, {"shape": [k, k]}, sums=True) for k in (128, 250)),
    Case("grid 40 x 40 x 40, sums", "grid", 64_000, {"shape": [40, 40, 40]}, sums=True),
    Case("city, n = 60,000, sums", "city", 60_000, sums=True),
    Case("random, n = 16,384, m = 4n, sums", "random", 16_384, sums=True),
    Case("New York, sums of 2,048 rows", "new york", 0, rows=2048, sums=True),
)
"""On one GPU."""


def as_data(case: Case) -> dict[str, Any]:
    """A case for JSON."""
    return asdict(case)
