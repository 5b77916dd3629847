"""What `apsp tune` measures: pairs of constants, and the graphs that tell them apart; the same every time."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from apsp.graph.generate import generate
from apsp.graph.model import Graph
from apsp.plan.cost import pair_name
from apsp.solvers import registry

__all__ = ["Experiment", "by_elimination", "graphs_of", "grid", "installed_experiments", "random_graph"]


@dataclass(frozen=True)
class Experiment:
    """Two constants of a method, and the two graphs that tell them apart: vertices, and arcs a vertex (0 means a grid).

    `whole`: what the other constants stand for is part of a run, and taken off. `separable`: it needs the separators.
    """

    method: str
    constants: tuple[str, str]
    dtype: str
    graphs: tuple[tuple[int, int], tuple[int, int]]
    negative: bool = False
    whole: bool = False
    separable: bool = False


_SPARSE = ((2000, 4), (2000, 32))

_ROWS = (
    Experiment("dijkstra", ("arc", "heap"), "int32", _SPARSE),
    Experiment("dijkstra-buckets", ("arc", "vertex"), "int32", _SPARSE),
    Experiment("label-correcting", ("arc", "vertex"), "int32", ((4000, 4), (4000, 32))),
    Experiment("bit-bfs", ("arc", "vertex"), "int32", ((4096, 0), (8000, 4)), whole=True),
    Experiment("bfs", ("arc", "vertex"), "uint16", ((4000, 4), (4000, 100))),
    Experiment("johnson", ("arc", "heap"), "float32", _SPARSE),
    Experiment("johnson", ("arc", "vertex"), "int32", _SPARSE),
)


def installed_experiments() -> Iterator[Experiment]:
    """Those of the methods that are here."""
    for experiment in (*_dense(), *_ROWS, *by_elimination()):
        method = registry.METHODS.get(experiment.method)
        if method is not None and importlib.util.find_spec(method.module) is not None:
            yield experiment


def _dense() -> Iterator[Experiment]:
    for dtype in registry.get("floyd-warshall").dtypes:
        for negative in (True, False) if dtype.startswith("float") else (False,):
            constants = (f"entry.{dtype}", pair_name(dtype, negative))
            yield Experiment("floyd-warshall", constants, dtype, ((256, 128), (1024, 512)), negative)


def by_elimination() -> Iterator[Experiment]:
    """On a grid most of the time goes into rows, on a random graph into pairs."""
    for dtype in reversed(registry.get("elimination").dtypes):
        yield Experiment(
            "elimination", ("vertex", f"pair.{dtype}"), dtype, ((4096, 0), (1500, 4)), whole=True, separable=True
        )


def graphs_of(experiment: Experiment, quick: bool) -> Iterator[Graph]:
    """The two graphs; tiny ones where it has to be quick."""
    weighted = experiment.dtype if registry.get(experiment.method).weighted else None
    sizes = ((40, 3), (60, 20)) if quick else experiment.graphs
    if quick and experiment.separable:
        sizes = ((36, 0), (40, 3))
    for n, degree in sizes:
        yield random_graph(n, degree, weighted, negative=experiment.negative) if degree else grid(n, weighted)


def grid(n: int, dtype: str | None) -> Graph:
    """A grid of n vertices with weights from 1 to 100, or without."""
    graph = generate("grid", n, seed=7, weights=(1, 100))
    weights = None if dtype is None else graph.arc_weights("int32" if dtype == "uint16" else dtype)
    return Graph(graph.indptr, graph.indices, weights, directed=False)


def random_graph(n: int, degree: int, dtype: str | None, *, negative: bool = False) -> Graph:
    """About `degree` arcs a vertex with weights from 1 to 100; a potential makes some negative, but no cycle."""
    rng = np.random.default_rng(7)
    keys = np.unique(rng.integers(0, n * n, n * degree))
    tails, heads = keys // n, keys % n
    indptr = np.concatenate([[0], np.cumsum(np.bincount(tails, minlength=n))])
    if dtype is None:
        return Graph(indptr, heads)
    weights = rng.integers(1, 101, len(keys))
    if negative:
        height = rng.integers(0, 200, n)
        weights = weights + height[tails] - height[heads]
    return Graph(indptr, heads, weights.astype("int32" if dtype == "uint16" else dtype))
