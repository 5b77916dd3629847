"""The experiments of `apsp tune` and their graphs, which are deterministic."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import numpy as np

from apsp.graph.generate import generate
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.experiment import Experiment

__all__ = ["graphs_of", "grid", "installed_experiments", "random_graph"]


def installed_experiments() -> Iterator[Experiment]:
    """Return the experiments of the installed methods."""
    for method in registry.METHODS.values():
        if importlib.util.find_spec(method.module) is not None:
            yield from registry.costs(method).experiments()


def graphs_of(experiment: Experiment, quick: bool) -> Iterator[Graph]:
    """Return the two graphs; tiny ones if `quick`."""
    weighted = experiment.dtype if registry.get(experiment.method).weighted else None
    sizes = ((40, 3), (60, 20)) if quick else experiment.graphs
    if quick and experiment.prepared:
        sizes = ((36, 0), (40, 3))
    for n, degree in sizes:
        yield random_graph(n, degree, weighted, negative=experiment.negative) if degree else grid(n, weighted)


def grid(n: int, dtype: str | None) -> Graph:
    """Return a grid of n vertices with weights from 1 to 100, or without weights."""
    graph = generate("grid", n, seed=7, weights=(1, 100))
    weights = None if dtype is None else graph.arc_weights("int32" if dtype == "uint16" else dtype)
    return Graph(graph.indptr, graph.indices, weights, directed=False)


def random_graph(n: int, degree: int, dtype: str | None, *, negative: bool = False) -> Graph:
    """Return about `degree` arcs per vertex with weights from 1 to 100.

    A potential makes some arcs negative, but no cycle.
    """
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
