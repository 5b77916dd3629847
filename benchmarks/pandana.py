"""The interface of pandana beside pandana itself, and a city for which pandana takes hours."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

import apsp
import apsp.pandana
from benchmarks.harness import Comparison

__all__ = ["comparisons"]

CITIES = ((20_000, 600), (160_000, 300))
"""Vertices, and the radius in seconds."""

LARGE = (1_300_000, 1800, 40_000)
"""Vertices, the radius in seconds, and the part of the sources that SciPy computes (one of so many)."""

POINTS = 49_460
"""Points of interest in the large city."""


def network(module: Any, city: apsp.Graph) -> Any:
    """The network of a city, of one of the two modules."""
    x, y = (pd.Series(column) for column in np.asarray(city.coordinates).T)
    ends = pd.DataFrame({"from": city.tails(), "to": city.indices, "seconds": city.weights})
    return module.Network(x, y, ends["from"], ends["to"], ends[["seconds"]], twoway=False)


def with_points(module: Any, city: apsp.Graph, count: int) -> Any:
    """The network of a city, with rents at some nodes, and shops at others."""
    net = network(module, city)
    rng = np.random.default_rng(1)
    net.set(pd.Series(rng.integers(0, city.n, count)), variable=pd.Series(rng.integers(1, 1000, count)), name="rent")
    shops = pd.DataFrame(np.asarray(city.coordinates)[rng.integers(0, city.n, 200)], columns=["x", "y"])
    net.set_pois("shops", 900, 5, shops.x, shops.y)
    return net


def by_scipy(city: apsp.Graph, radius: float, share: int) -> np.ndarray:
    """Values within the radius of some nodes, by searches with a limit."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    rng = np.random.default_rng(1)
    nodes, rents = rng.integers(0, city.n, POINTS), rng.integers(1, 1000, POINTS)
    sums = np.bincount(nodes, rents, minlength=city.n)
    matrix: Any = csr_array((city.arc_weights(np.float64), city.indices, city.indptr), shape=(city.n, city.n))
    sources = np.arange(0, city.n, share)
    reached = (dijkstra(matrix, indices=sources[i : i + 1], limit=radius)[0] <= radius for i in range(len(sources)))
    return np.array([sums[near].sum() for near in reached])


def same(results: Mapping[str, Any]) -> None:
    """All are equal up to rounding, with the same index."""
    ours, theirs = (pd.DataFrame(found) for found in results.values())
    pd.testing.assert_frame_equal(ours, theirs, check_names=False, check_dtype=False, rtol=1e-6, atol=1e-6)


def same_pairs(results: Mapping[str, Any]) -> None:
    """The pairs are the same, in any order; equally near nodes have none."""
    order = ["source", "destination"]
    same({name: found.sort_values(order).reset_index(drop=True) for name, found in results.items()})


def same_size(results: Mapping[str, Any]) -> None:
    """Both networks have all nodes and edges."""
    ours, theirs = results.values()
    assert (len(ours.node_ids), len(ours.edges_df)) == (len(theirs.node_ids), len(theirs.edges_df))


def same_part(share: int, results: Mapping[str, Any]) -> None:
    """SciPy has one source of `share`; sums of integers are exact."""
    ours, theirs = results.values()
    np.testing.assert_array_equal(ours.to_numpy()[::share], theirs)


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Building a network, and each kind of question; sums in the large city beside a part of them by SciPy."""
    modules = {"apsp.pandana": apsp.pandana, "pandana": importlib.import_module("pandana")}
    for n, radius in CITIES[: 1 if quick else None]:
        city = apsp.generate("city", n, seed=1)
        size = f"n = {n:,}"
        yield Comparison(
            f"Network, {size}", {name: partial(network, module, city) for name, module in modules.items()}, same_size
        )
        nets = {name: with_points(module, city, n) for name, module in modules.items()}
        rng = np.random.default_rng(2)
        starts, ends = rng.integers(0, city.n, (2, 10_000))
        questions: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {
            f"aggregate sum, linear, {radius} s": ("aggregate", (radius,), {"name": "rent"}),
            f"aggregate median, {radius} s": ("aggregate", (radius, "median"), {"name": "rent"}),
            "nearest_pois, 5 of 200": ("nearest_pois", (900, "shops", 5), {}),
            "shortest_path_lengths, 10,000 pairs": ("shortest_path_lengths", (starts, ends), {}),
            f"nodes_in_range, 100 nodes, {radius} s": ("nodes_in_range", (starts[:100], radius), {}),
        }
        for question, (method, given, named) in questions.items():
            yield Comparison(
                f"{question}, {size}",
                {name: partial(getattr(net, method), *given, **named) for name, net in nets.items()},
                same_pairs if method == "nodes_in_range" else same,
            )
    if quick:
        return
    n, radius, share = LARGE
    city = apsp.generate("city", n, seed=1)
    net = with_points(apsp.pandana, city, POINTS)
    yield Comparison(
        f"aggregate sum, flat, {radius} s, n = {n:,}",
        {
            "apsp.pandana": partial(net.aggregate, radius, "sum", "flat", name="rent"),
            f"scipy dijkstra(limit), 1/{share} of them": partial(by_scipy, city, radius, share),
        },
        partial(same_part, share),
    )
