"""Single distances of the roads of New York: the first call about a graph, and calls after an oracle is kept; paths.

The roads are those of `elimination.py`; a generated city of that size takes their place if the file is not there.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

import apsp
from apsp.result.paths import replay
from benchmarks.elimination import fresh, new_york
from benchmarks.harness import Comparison

__all__ = ["comparisons"]

FIRST, LATER, SHARE = 20, 2000, 100
"""Pairs of first calls and of later ones, of which other packages compute one of so many."""

SECONDS_FIRST, SECONDS_LATER, SECONDS_PATH = 0.020, 20e-6, 300e-6
"""The targets for the median of a first call, for the mean of a later one, and for the mean of a path."""

Pairs = list[tuple[int, int]]


def first_calls(graph: apsp.Graph, plain: set[str], pairs: Pairs) -> list[float]:
    """A distance of each pair, as if the graph had just been made: all that is stored with it is removed before."""
    found = []
    for s, t in pairs:
        for name in set(vars(graph)) - plain:
            del graph.__dict__[name]
        found.append(float(apsp.distance(graph, s, t)))
    return found


def later_calls(graph: apsp.Graph, pairs: Pairs) -> list[float]:
    """A distance of each pair, with the oracle that is kept."""
    return [float(apsp.distance(graph, s, t)) for s, t in pairs]


def by_scipy(matrix: Any, pairs: Pairs) -> list[float]:
    """A search per pair, through the graph."""
    from scipy.sparse.csgraph import dijkstra

    return [float(dijkstra(matrix, indices=np.array([s]), min_only=True)[t]) for s, t in pairs]


def by_networkx(graph: Any, pairs: Pairs) -> list[float]:
    """A search from both ends per pair."""
    import networkx as nx

    return [float(nx.bidirectional_dijkstra(graph, s, t)[0]) for s, t in pairs]


def by_igraph(graph: Any, pairs: Pairs) -> list[float]:
    """A search per pair, up to the target."""
    return [float(graph.distances(s, t, weights="weight")[0][0]) for s, t in pairs]


def paths_of(oracle: apsp.Oracle, pairs: Pairs) -> list[list[int]]:
    """The paths of pairs, found one by one."""
    return [oracle.path(s, t) for s, t in pairs]


def distances_of(oracle: apsp.Oracle, pairs: Pairs) -> list[float]:
    """The distances of pairs, found one by one."""
    return [float(oracle.distance(s, t)) for s, t in pairs]


def paths_by_networkx(graph: Any, pairs: Pairs) -> list[list[int]]:
    """A search from both ends per pair, and its path."""
    import networkx as nx

    return [nx.bidirectional_dijkstra(graph, s, t)[1] for s, t in pairs]


def peers(graph: apsp.Graph) -> dict[str, Callable[[Pairs], list[float]]]:
    """Other packages, with the graph in their form."""
    igraph = importlib.import_module("igraph")
    tails, heads, weights = graph.to_edges()
    assert weights is not None
    edges = np.stack([tails, heads], axis=1)
    theirs = igraph.Graph(graph.n, edges, directed=graph.directed, edge_attrs={"weight": weights.tolist()})
    return {
        "scipy dijkstra(min_only)": partial(by_scipy, graph.to_scipy()),
        "networkx bidirectional_dijkstra": partial(by_networkx, graph.to_networkx()),
        "igraph distances": partial(by_igraph, theirs),
    }


def same_paths(graph: apsp.Graph, results: Mapping[str, list[Any]]) -> None:
    """All paths are as long as the distances."""
    distances = results["Oracle.distance"]
    for name, found in results.items():
        if name != "Oracle.distance":
            expected = distances if name == "Oracle.path" else distances[::SHARE]
            assert [float(replay(graph, path)) for path in found] == expected, name


def same(share: int, results: Mapping[str, list[float]]) -> None:
    """Lengths are integers, so they are equal; other packages have one pair of `share`."""
    ours = results["apsp.distance"]
    for name, found in results.items():
        assert found == (ours if name == "apsp.distance" else ours[::share]), name


def facts_of_first(graph: apsp.Graph, plain: set[str], pairs: Pairs, _: float) -> dict[str, Any]:
    """Quantiles of a call, and the third call, which prepares the oracle."""
    seconds = np.array([timed(partial(first_calls, graph, plain, [pair])) for pair in pairs])
    again = fresh(graph)
    calls = [timed(partial(apsp.distance, again, *pair)) for pair in pairs[:3]]
    return {
        **{f"ms {word}": round(1e3 * float(np.quantile(seconds, part)), 2) for word, part in QUANTILES.items()},
        "target ms": 1e3 * SECONDS_FIRST,
        "ms of the third call": round(1e3 * calls[2], 1),
    }


def facts_of_paths(oracle: apsp.Oracle, pairs: Pairs, _: float) -> dict[str, Any]:
    """The time of a path, of its vertices, and of a path among many."""
    vertices: list[int] = []
    one_by_one = timed(lambda: vertices.extend(len(oracle.path(s, t)) for s, t in pairs)) / len(pairs)
    together = timed(lambda: oracle.paths(*zip(*pairs, strict=True))) / len(pairs)
    many = np.random.default_rng(5).integers(0, oracle.graph.n, (2, 10_000))
    return {
        "us per path": round(1e6 * one_by_one, 1),
        "target us": 1e6 * SECONDS_PATH,
        "vertices of a path": round(float(np.mean(vertices)), 1),
        f"us per path of {len(pairs):,} in one call": round(1e6 * together, 1),
        "10,000 paths in one call, s": round(timed(lambda: oracle.paths(*many)), 3),
    }


def facts_of_later(count: int, seconds: float) -> dict[str, Any]:
    """The time of a call."""
    return {"us per call": round(1e6 * seconds / count, 2), "target us": 1e6 * SECONDS_LATER}


QUANTILES = {"least": 0, "median": 0.5, "90%": 0.9, "most": 1}


def timed(run: Callable[[], Any]) -> float:
    """The seconds of a call."""
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def comparisons(quick: bool) -> Iterator[Comparison]:
    """The undirected roads, and the same as a directed graph."""
    roads = None if quick else new_york()
    place = "New York" if roads is not None else "a city"
    roads = roads or apsp.generate("city", 2_000 if quick else 264_346, seed=1)
    for directed in (True,) if roads.directed else (False, True):
        graph = apsp.Graph(roads.indptr, roads.indices, roads.weights, directed=directed)
        plain = set(vars(graph))
        kind = f"{place}, {'directed' if directed else 'undirected'}, n = {graph.n:,}"
        rng = np.random.default_rng(3)
        pairs = list(zip(*rng.integers(0, graph.n, (2, FIRST)).tolist(), strict=True))
        others = peers(graph)
        yield Comparison(
            f"{FIRST} first calls, {kind}",
            {
                "apsp.distance": partial(first_calls, graph, plain, pairs),
                **{name: partial(run, pairs) for name, run in others.items()},
            },
            partial(same, 1),
            facts=partial(facts_of_first, graph, plain, pairs),
        )
        pairs = list(zip(*rng.integers(0, graph.n, (2, LATER)).tolist(), strict=True))
        later_calls(graph, pairs[:3])
        yield Comparison(
            f"{LATER:,} calls with an oracle, {kind}",
            {
                "apsp.distance": partial(later_calls, graph, pairs),
                **{f"{name}, 1/{SHARE} of them": partial(run, pairs[::SHARE]) for name, run in others.items()},
            },
            partial(same, SHARE),
            facts=partial(facts_of_later, LATER),
        )
        oracle = apsp.prepare(graph)
        yield Comparison(
            f"{LATER:,} paths from an oracle, {kind}",
            {
                "Oracle.path": partial(paths_of, oracle, pairs),
                "Oracle.distance": partial(distances_of, oracle, pairs),
                f"networkx bidirectional_dijkstra, 1/{SHARE} of them": partial(
                    paths_by_networkx, graph.to_networkx(), pairs[::SHARE]
                ),
            },
            partial(same_paths, graph),
            facts=partial(facts_of_paths, oracle, pairs),
        )
