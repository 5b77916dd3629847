"""NetworkX through the backend beside NetworkX alone. Every call converts its graph: conversions are not kept.

NetworkX must find the backend, so the package must be installed (`scripts/bench` does that).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import networkx as nx

from benchmarks.harness import Comparison
from benchmarks.small import many

__all__ = ["comparisons"]

OURS, PEER = "apsp backend", "networkx"

FUNCTIONS = {
    "mean distance": "average_shortest_path_length",
    "closeness": "closeness_centrality",
    "diameter": "diameter",
}
TARGETS = {"mean distance": 500.0, "closeness": 250.0, "diameter": 300.0}


def connected(n: int, m: int) -> Any:
    """A random graph whose edges have weights from 1 to 20: a path through all nodes, and other edges."""
    G = nx.gnm_random_graph(n, m - n + 1, seed=n)
    nx.add_path(G, range(n))
    for u, v, data in G.edges(data=True):
        data["weight"] = (7 * u + 3 * v) % 20 + 1
    return G


def call(name: str, G: Any, weighted: bool, **how: Any) -> Callable[[], Any]:
    """A call that forgets what was converted."""
    weight = {"distance" if name == "closeness_centrality" else "weight": "weight" if weighted else None}

    def run() -> Any:
        G.__networkx_cache__.clear()
        return getattr(nx, name)(G, **weight, **how)

    return run


def without_weight(name: str, G: Any, backend: str) -> Callable[[], Any]:
    """A call of a function that counts hops, which forgets what was converted."""

    def run() -> Any:
        G.__networkx_cache__.clear()
        return getattr(nx, name)(G, backend=backend)

    return run


def by_priority(run: Callable[[], Any]) -> Callable[[], Any]:
    """The call of a user who has set the priority of the backend, which decides whether it runs."""

    def configured() -> Any:
        before = nx.config.backend_priority.algos
        nx.config.backend_priority.algos = ["apsp"]
        try:
            return run()
        finally:
            nx.config.backend_priority.algos = before

    return configured


def agree(results: Mapping[str, Any]) -> None:
    """Equal numbers; of nodes that a contestant left out, none are compared."""
    mine, *others = results.values()
    for other in others:
        if isinstance(other, dict):
            assert all(math.isclose(mine[node], value, rel_tol=1e-12) for node, value in other.items())
            assert len(other) == len(mine) or len(other) == len(mine) // 100
        else:
            assert math.isclose(mine, other, rel_tol=1e-12)


def some_nodes(G: Any) -> Callable[[], Any]:
    """Closeness of a hundredth of the nodes by NetworkX."""
    return lambda: {
        node: nx.closeness_centrality(G, node, distance="weight", backend="networkx")
        for node in range(G.number_of_nodes() // 100)
    }


def comparisons(quick: bool) -> Iterator[Comparison]:
    """1,000 nodes; 20 nodes, where NetworkX may be faster; 5,000 nodes from graph to dictionary."""
    if "apsp" not in nx.utils.backends.backends:
        raise RuntimeError("NetworkX does not find the backend: install the package (pip install -e .)")
    n, times = (100, 2) if quick else (1_000, 5)
    G = connected(n, 3 * n)
    for weighted in (True, False):
        for what, name in FUNCTIONS.items():
            yield Comparison(
                f"{what}, n = {n:,}, m = {3 * n:,}, {'weights' if weighted else 'hops'}: {times} calls",
                {
                    OURS: many(call(name, G, weighted, backend="apsp"), times),
                    PEER: many(call(name, G, weighted, backend="networkx"), times),
                },
                agree,
                {PEER: TARGETS[what]} if weighted else {},
            )
    yield Comparison(
        f"local efficiency, n = {n:,}, m = {3 * n:,}: {times} calls",
        {
            OURS: many(without_weight("local_efficiency", G, "apsp"), times),
            PEER: many(without_weight("local_efficiency", G, "networkx"), times),
        },
        agree,
    )
    small = connected(20, 60)
    times = 10 if quick else 500
    for weighted in (True, False):
        for what, name in FUNCTIONS.items():
            yield Comparison(
                f"{what}, n = 20, m = 60, {'weights' if weighted else 'hops'}: {times} calls",
                {
                    "apsp by priority": by_priority(many(call(name, small, weighted), times)),
                    PEER: many(call(name, small, weighted, backend="networkx"), times),
                },
                agree,
                {PEER: 1.0},
                facts=lambda seconds, times=times: {"microseconds per call": round(1e6 * seconds / times, 1)},  # type: ignore[misc]
            )
    n = 500 if quick else 5_000
    G = connected(n, 4 * n)
    for weighted, name, peer in (
        (True, f"{PEER}, 1/100 of them", some_nodes(G)),
        (False, PEER, call("closeness_centrality", G, False, backend="networkx")),
    ):
        yield Comparison(
            f"closeness, n = {n:,}, m = {4 * n:,}, {'weights' if weighted else 'hops'}",
            {OURS: call("closeness_centrality", G, weighted, backend="apsp"), name: peer},
            agree,
            facts=lambda seconds: {"seconds from nx.Graph to dict": round(seconds, 3), "target": 0.1},
        )
