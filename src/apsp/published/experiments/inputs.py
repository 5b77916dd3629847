"""The graphs of the experiments, generated or read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from apsp.errors import RequestError
from apsp.graph.convert import from_edges
from apsp.graph.files import read
from apsp.graph.generate import generate
from apsp.graph.model import Graph
from apsp.published.experiments.model import Input

__all__ = ["make"]

_SEED = 2008


def make(wanted: Input, caida: Path | None = None) -> Graph:
    """Generate or read the graph; it is the same every time.

    Parameters
    ----------
    caida : Path, optional
        A file of AS relationships, for the kind 'caida'.

    Raises
    ------
    RequestError
        If a file is needed and none is passed.
    """
    if wanted.kind == "caida":
        if caida is None:
            raise RequestError("it needs a file of AS relationships: --caida FILE")
        return _first(read(caida, relations="customer-provider"), wanted.n)
    options: dict[str, Any] = {"weights": (1, wanted.n) if wanted.weights == "n" else wanted.weights}
    if wanted.kind == "ring":
        options["directed"] = True
    if wanted.kind == "rmat":
        options["rmat"] = wanted.rmat
    return generate(wanted.kind, wanted.n, m=wanted.m, seed=_SEED, **options)


def _first(graph: Graph, n: int) -> Graph:
    """The graph of the first `n` vertices and the arcs between them, as hops."""
    tails, heads, _ = graph.to_edges()
    inside = (tails < n) & (heads < n)
    return from_edges(tails[inside], heads[inside], n=min(n, graph.n))
