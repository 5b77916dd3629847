"""Eccentricities that follow from those of others, and bounds by the order of components, against all distances."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import numpy.typing as npt
import pytest

import apsp
from apsp import _cpu
from apsp.bounds.bounded_search import ExtremeName, SearchLimits
from apsp.bounds.few_searches import by_few_searches
from apsp.facts.request import Request
from apsp.graph.csr import arc_arrays, arc_lengths
from apsp.reductions.strong_parts import StrongParts

WANTED: tuple[ExtremeName, ...] = get_args(ExtremeName)
INT64 = np.dtype(np.int64)
ALL_THAT_FOLLOWS = SearchLimits(
    smallest=1, densest=10, few_pairs=0, stays=0, few_searches=1, few_open=1, twins=0, shortest=1, deep=0
)
KINDS = ("hops", "int", "zeros")
FAR = 2**40


def drawn(rng: np.random.Generator, kind: str, *, directed: bool) -> apsp.Graph:
    """A small graph with few arcs: trees, chains, rings, twins and paths of components in great number."""
    n = int(rng.integers(2, 14))
    shape = rng.integers(0, 5)
    v = np.arange(n)
    if shape == 0:  # a tree
        tails, heads = v[1:], (rng.random(n - 1) * v[1:]).astype(int)
    elif shape == 1:  # a ring
        tails, heads = v, (v + 1) % n
    elif shape == 2:  # two sides
        side = rng.random(n) < 0.4
        tails, heads = (each.ravel() for each in np.meshgrid(v[side], v[~side]))
    elif shape == 3:  # an acyclic path with shortcuts
        tails, heads = v[:-1], v[1:]
    else:
        tails, heads = rng.integers(0, n, (2, n))
    more = int(rng.integers(0, 4))
    tails, heads = np.append(tails, rng.integers(0, n, more)), np.append(heads, rng.integers(0, n, more))
    if shape == 3:
        tails, heads = np.minimum(tails, heads), np.maximum(tails, heads)
    if directed and shape < 2 and rng.random() < 0.5:
        tails, heads = heads, tails
    number = rng.permutation(n)
    tails, heads = number[tails], number[heads]
    if kind == "hops":
        return apsp.from_edges(tails, heads, n=n, directed=directed)
    weights = rng.integers(1, 9, len(tails)) if kind == "int" else rng.integers(0, 2, len(tails))
    return apsp.from_edges(tails, heads, weights, n=n, directed=directed)


def distances(graph: apsp.Graph) -> npt.NDArray[np.int64]:
    """All distances, by Floyd's method; FAR where there is no path."""
    dist = np.full((graph.n, graph.n), FAR, dtype=np.int64)
    np.minimum.at(dist, (graph.tails(), graph.indices), arc_lengths(graph, INT64))
    np.fill_diagonal(dist, 0)
    for k in range(graph.n):
        dist = np.minimum(dist, np.minimum(dist[:, k, None] + dist[k], FAR))
    return dist


def eccentricities(dist: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.where(dist < FAR, dist, 0).max(axis=1)


def lengths_of(graph: apsp.Graph) -> npt.NDArray[np.int64] | None:
    return None if graph.weights is None else arc_lengths(graph, INT64)


def rows_of(dist: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.where(dist < FAR, dist, np.iinfo(np.int64).max)


def many(kind: str, *, directed: bool, count: int = 400) -> Any:
    rng = np.random.default_rng([count, KINDS.index(kind), directed])
    for _ in range(count):
        graph = drawn(rng, kind, directed=directed)
        dist = distances(graph)
        yield graph, dist, eccentricities(dist)


@pytest.mark.few(3)
@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("kind", KINDS)
def test_ways_and_trees(kind: str, directed: bool) -> None:
    settled = 0
    for graph, dist, ecc in many(kind, directed=directed):
        arcs = arc_arrays(graph, lengths_of(graph))
        arc, anchor, members = _cpu.single_arcs(arcs, directed)
        assert np.array_equal(np.bincount(anchor[anchor != np.arange(graph.n)], minlength=graph.n), members)
        for u in np.flatnonzero(members).tolist():
            out = np.ascontiguousarray(rows_of(dist)[u])
            found = _cpu.settle_single(arcs, u, out, directed)
            assert found is not None
            vertices, values, reached = found
            assert sorted(vertices.tolist()) == [v for v in range(graph.n) if anchor[v] == u and v != u]
            assert np.array_equal(values, ecc[vertices])
            assert np.array_equal(reached, (dist[vertices] < FAR).sum(axis=1))
            assert (arc[vertices] >= 0).all()
            settled += len(vertices)
    assert settled > 500


@pytest.mark.parametrize("kind", KINDS)
def test_chains(kind: str) -> None:
    settled = 0
    for graph, dist, ecc in many(kind, directed=False):
        arcs = arc_arrays(graph, lengths_of(graph))
        first, inner, ends = _cpu.chains(arcs, 1)
        assert len(set(inner.tolist())) == len(inner)
        rows = rows_of(dist)
        for k in range(len(first) - 1):
            chain = inner[first[k] : first[k + 1]]
            one, other = ends[2 * k : 2 * k + 2].tolist()
            found = np.empty(len(chain), dtype=np.int64)
            from_one, from_other = np.ascontiguousarray(rows[one]), np.ascontiguousarray(rows[other])
            _cpu.settle_chain(arcs, chain, one, other, from_one, from_other, found)
            assert np.array_equal(found, ecc[chain])
            settled += len(chain)
    assert settled > 500


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("kind", KINDS)
def test_twins_have_one_eccentricity(kind: str, directed: bool) -> None:
    twins = 0
    for graph, _, ecc in many(kind, directed=directed):
        into = graph.reversed() if directed else None
        first = _cpu.twins(arc_arrays(graph, graph.weights), None if into is None else arc_arrays(into, into.weights))
        assert np.array_equal(ecc[first], ecc)
        assert np.array_equal(first[first], first)
        twins += int((first != np.arange(graph.n)).sum())
    assert twins > 20


@pytest.mark.parametrize("kind", KINDS)
def test_bounds_by_the_order_of_components(kind: str) -> None:
    rng = np.random.default_rng(4)
    for graph, dist, ecc in many(kind, directed=True):
        parts = StrongParts(graph, INT64)
        if parts.is_one:
            continue
        rows, most = rows_of(dist), np.iinfo(np.int64).max
        upper = np.full(graph.n, most)
        parts.bound_upper(upper)
        assert (upper >= ecc).all()
        middle = int(np.flatnonzero(parts.part == parts.largest)[0])
        parts.bound_reach(dist[middle] < FAR, dist[:, middle] < FAR)
        reached = (dist < FAR).sum(axis=1)
        assert (parts.reach[parts.part] >= reached).all()
        known = parts.reach_known[parts.part]
        assert np.array_equal(parts.reach[parts.part][known], reached[known])
        upper[parts.part == parts.largest] = ecc[parts.part == parts.largest]
        parts.bound_upper(upper, by_leading=bool(rng.random() < 0.8))
        assert ((upper >= ecc) & (upper < most)).all()
        for v in range(graph.n):
            lower = np.zeros(graph.n, dtype=np.int64)
            parts.bound_lower(np.ascontiguousarray(rows[v]), lower)
            assert (lower <= ecc).all()


@pytest.mark.few(2)
@pytest.mark.parametrize("device", ["cpu", "emulated"])
@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("kind", KINDS)
def test_searches_with_all_that_follows(kind: str, directed: bool, device: str) -> None:
    options = Request() if device == "cpu" else Request(device=device, threads=2)
    for graph, dist, ecc in many(kind, directed=directed, count=150 if device == "cpu" else 12):
        reach = (dist < FAR).sum(axis=1)
        most = np.flatnonzero(reach == reach.max())
        radius = ecc[most].min()
        for wanted in (*WANTED, None):
            names = WANTED if wanted is None else (wanted,)
            found = by_few_searches(graph, options, *names, limits=ALL_THAT_FOLLOWS)
            if found is None:  # on GPUs
                continue
            assert found.searches <= graph.n
            expected = {
                "diameter": ecc.max(), "periphery": np.flatnonzero(ecc == ecc.max()).tolist(), "radius": radius,
                "center": most[ecc[most] == radius].tolist(), "eccentricity": ecc.tolist(),
            }  # fmt: skip
            for name in WANTED if wanted is None else (wanted,):
                value = getattr(found, name)
                assert (value.tolist() if name == "eccentricity" else value) == expected[name], (name, wanted)


N = 5000
V = np.arange(N)
RNG = np.random.default_rng(3)
PARENT = (RNG.random(N - 1) * V[1:]).astype(int)
SKIPS = RNG.integers(2, 20, N - 20)
SIDE = np.sort(RNG.integers(0, N, N // 2))
WEIGHTS = RNG.integers(1, 100, 2 * N)
TRAPS: dict[str, tuple[Any, Any, bool]] = {
    "path": (V[:-1], V[1:], False),
    "path one way": (V[:-1], V[1:], True),
    "ring": (V, (V + 1) % N, False),
    "ring one way": (V, (V + 1) % N, True),
    "star": (np.zeros(N - 1, int), V[1:], False),
    "two to all": (np.repeat([0, 1], N - 2), np.tile(V[2:], 2), False),
    "tree": (PARENT, V[1:], False),
    "tree to the leaves": (PARENT, V[1:], True),
    "tree to the root": (V[1:], PARENT, True),
    "caterpillar": (np.r_[V[: N // 2 - 1], V[: N // 2]], np.r_[V[1 : N // 2], V[N // 2 :]], False),
    "lollipop": (np.r_[np.repeat(V[:40], 40), V[39:-1]], np.r_[np.tile(V[:40], 40), V[40:]], False),
    "acyclic and deep": (np.r_[V[:-1], V[:-20]], np.r_[V[1:], V[:-20] + SKIPS], True),
}


@pytest.mark.few(8)
@pytest.mark.parametrize("weighted", [False, True], ids=["hops", "int"])
@pytest.mark.parametrize("name", TRAPS)
def test_traps_of_shape_take_few_searches(name: str, weighted: bool) -> None:
    tails, heads, directed = TRAPS[name]
    graph = (
        apsp.from_edges(tails, heads, WEIGHTS[: len(tails)], n=N, directed=directed)
        if weighted
        else apsp.from_edges(tails, heads, n=N, directed=directed)
    )
    every = apsp.summary(graph, reciprocals=False)
    for wanted in (("diameter", "radius"), ("periphery",), ("center",), ("eccentricity",)):
        if name == "acyclic and deep" and wanted == ("eccentricity",):
            continue
        if weighted and name == "two to all":  # no twins
            continue
        found = by_few_searches(graph, Request(), *wanted)
        assert found is not None
        assert found.searches < 60, wanted
        for measure in wanted:
            assert np.array_equal(getattr(found, measure), getattr(every, measure)), measure


@pytest.mark.few(1)
@pytest.mark.parametrize("device", ["cpu", pytest.param("emulated", marks=pytest.mark.slow)])
@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
def test_components_are_searched_one_by_one(directed: bool, device: str) -> None:
    rng = np.random.default_rng(5)
    tails, heads, first = [], [], 0
    for size in (4200, 4500, 300, *(2,) * 400, *(1,) * 50):
        v = first + np.arange(size)
        before = first + (rng.random(size - 1) * np.arange(1, size)).astype(int)
        tails, heads, first = [*tails, before], [*heads, v[1:]], first + size
    tail, head = np.concatenate(tails), np.concatenate(heads)
    options = Request() if device == "cpu" else Request(device=device)
    kinds = None, rng.integers(0, 50, len(tail)), rng.integers(1, 9, len(tail)).astype(float)
    for weights in kinds if device == "cpu" else kinds[1:2]:
        given = (tail, head) if weights is None else (tail, head, weights)
        graph = apsp.from_edges(*given, n=first, directed=directed)
        every = apsp.summary(graph, reciprocals=False)
        for wanted in (("diameter", "radius"), ("periphery",), ("center",), ("eccentricity",)):
            found = by_few_searches(graph, options, *wanted, pair="diameter" in wanted)
            if found is None:
                continue
            for measure in wanted:
                values = getattr(found, measure), getattr(every, measure)
                assert np.array_equal(*values), measure
                assert type(values[0]) is type(values[1])
            if "diameter" in wanted:
                assert found.searches < 900 or device != "cpu"
                pair = found.farthest_pair
                assert apsp.solve(graph, sources=[pair.source]).distance(pair.source, pair.target) == pair.distance
                assert found.center_vertex in every.center
