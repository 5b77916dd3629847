"""The graphs that sweeps of elimination are tried on, and how what they give is judged: by the CPU, to the last bit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import apsp
from apsp.methods.elimination.factor import Factor, factorise
from apsp.methods.elimination.factor_on_gpu import FactorOnGpu, has_sums
from apsp.methods.elimination.kernels.layout import Layout
from apsp.methods.elimination.tree import elimination_tree
from apsp.reductions.row_sums import RowSums
from contract import EdgeList, assert_same_distances, graph_of, random_edges, ring, shifted

DTYPES = ("uint16", "int32", "int64", "float32", "float64")


def factor_of(graph: apsp.Graph, dtype: str) -> Factor:
    tree = elimination_tree(graph)
    assert tree is not None
    factor = factorise(graph, np.dtype(dtype), tree)
    assert factor is not None
    return factor


def rows_of(factor: Factor, sources: np.ndarray, targets: np.ndarray | None = None) -> np.ndarray:
    width = factor.graph.n if targets is None else len(targets)
    dist = np.empty((len(sources), width), dtype=factor.dtype)
    factor.rows(sources, targets, dist)
    return dist


def grid_and_ways(side: int, ways: int, seed: int, low: int = 0) -> EdgeList:
    """Directed streets, some of them closed, and some long arcs."""
    rng = np.random.default_rng(seed)
    at = np.arange(side * side).reshape(side, side)
    pairs = np.concatenate([np.stack([at[:, 1:], at[:, :-1]], 2), np.stack([at[1:], at[:-1]], 2).reshape(side, -1, 2)])
    pairs = pairs.reshape(-1, 2)
    pairs = np.concatenate([pairs, pairs[:, ::-1], rng.integers(0, side * side, (ways, 2))])
    pairs = pairs[rng.random(len(pairs)) < 0.9]
    return [(u, v, w) for (u, v), w in zip(pairs.tolist(), rng.integers(low, 60, len(pairs)).tolist(), strict=True)]


SHAPES: dict[str, Callable[[], apsp.Graph]] = {
    "streets": lambda: graph_of(169, grid_and_ways(13, 6, 1)),
    "chain": lambda: graph_of(40, [(v, v + 1, v % 5) for v in range(39)]),
    "ring": lambda: graph_of(150, ring(150, 7)),
    "star": lambda: graph_of(70, [(0, v, v) for v in range(1, 70)] + [(v, 0, 1) for v in range(1, 50)]),
    "no arc": lambda: graph_of(5, []),
    "dense": lambda: graph_of(45, random_edges(45, 900, 0, 99, 4)),
    "components": lambda: graph_of(90, random_edges(80, 70, 0, 9, 5)),
}


def random_graph(seed: int) -> tuple[apsp.Graph, str]:
    """A directed graph of any kind, and a dtype for its distances."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 400))
    low = int(rng.integers(0, 2))
    kind = seed % 6
    if kind == 0:
        edges = random_edges(n, int(rng.integers(0, 2 * n + 1)), low, 50, seed)
    elif kind == 1:
        side = max(int(n**0.5), 1)
        n, edges = side * side, grid_and_ways(side, n // 40, seed, low)
    elif kind == 2:
        edges = [(v, v + 1, int(w)) for v, w in zip(range(n - 1), rng.integers(low, 9, n), strict=False)]
        edges += random_edges(n, n // 9, low, 99, seed)
    elif kind == 3:
        edges = [(0, v, v % 7) for v in range(1, n)] + [(v, 0, v % 5) for v in range(1, n, 2)]
    elif kind == 4:
        edges = [(int(rng.integers(0, v)), v, v % 11) for v in range(1, n)]
        edges += [(v, u, w) for u, v, w in edges if rng.random() < 0.7]
    else:
        edges = random_edges(n, 5 * n, low, 50, seed)
    dtype = DTYPES[seed % 5]
    negative = dtype != "uint16" and seed % 7 < 3
    if negative:
        edges = shifted(n, edges, seed, 60)
    closed = rng.random(n) < 0.2 if seed % 4 == 0 else None
    if dtype == "uint16":  # distances are proven to fit
        edges = [(u, v, w * 32_000 // (99 * n)) for u, v, w in edges]
    return graph_of(n, edges, dtype="int64", **({} if closed is None else {"zones": closed})), dtype


def climb_of(parent: np.ndarray, s: int) -> list[int]:
    found = []
    while s >= 0:
        found.append(int(s))
        s = parent[s]
    return found


def check_layout(graph: apsp.Graph) -> None:
    tree = elimination_tree(graph)
    assert tree is not None
    layout = Layout(tree)
    for s, parent in enumerate(tree.parent.tolist()):
        assert layout.depth[s] == (0 if parent < 0 else layout.depth[parent] + 1)
    for s in range(layout.count):
        below = [t for t in range(layout.count) if s in climb_of(tree.parent, t)]
        assert layout.lowest[s] == min(tree.first[t] for t in below)
    places = layout.place[np.array([0, graph.n - 1, graph.n // 2, 0], dtype=np.int32)]
    labels = layout.labels(places, 2)
    np.testing.assert_array_equal(labels.places[labels.position], places)
    assert set(labels.nodes.tolist()) == {t for p in places for t in climb_of(tree.parent, layout.owner[p])}
    for s, span in zip(labels.nodes.tolist(), labels.spans, strict=True):
        inside = [p for p in sorted(set(places.tolist())) if s in climb_of(tree.parent, layout.owner[p])]
        assert inside == labels.places[span["low"] : span["high"]].tolist()
    nodes, low, high = layout.above(places)
    assert set(nodes.tolist()) == {t for p in places for t in climb_of(tree.parent, layout.owner[p])}
    assert layout.depth[nodes].tolist() == sorted(layout.depth[nodes])
    for s, start, end in zip(nodes.tolist(), low.tolist(), high.tolist(), strict=True):
        assert [p for p in sorted(places) if s in climb_of(tree.parent, layout.owner[p])] == sorted(places)[start:end]


def assert_equal_in_a_line(actual: np.ndarray, expected: np.ndarray, what: str, slack: float = 0.0) -> None:
    """Equal (or nearly); a failure is one short line, which a log that is cut off still shows."""
    assert actual.shape == expected.shape, f"{what}: shape {actual.shape} for {expected.shape}"
    same = np.isclose(actual, expected, rtol=slack, atol=slack) if slack else actual == expected
    if not same.all():
        at = tuple(np.argwhere(~same)[0].tolist())
        pytest.fail(f"{what} at {at}: {actual[at]} for {expected[at]}, {int((~same).sum())} differ", pytrace=False)


def check_sweeps(graph: apsp.Graph, dtype: str, seed: int = 0) -> None:
    """A whole matrix in two parts, all rows, some rows, and some rows to some targets."""
    from apsp.gpu import jit

    cupy, n, what = jit.cupy(), graph.n, f"seed {seed} {dtype}"
    factor = factor_of(graph, dtype)
    expected = rows_of(factor, np.arange(n, dtype=np.int32))
    on_gpu = FactorOnGpu(factor, None)
    if graph.zones is None:
        whole = cupy.zeros((n, n), dtype=factor.dtype)  # whole words of the first part are read
        for first, last in ((0, n // 3), (n // 3, n)):
            if first < last:
                on_gpu.sweeps.matrix(whole, first, last, None)
        assert_equal_in_a_line(whole.get(), expected, f"{what} matrix")
    rng = np.random.default_rng(seed)
    for count in (n, 3):
        sources = rng.integers(0, n, count).astype(np.int32)
        dist = cupy.empty((count, n), dtype=factor.dtype)
        on_gpu.rows(sources, dist, None)
        assert_equal_in_a_line(dist.get(), expected[sources], f"{what} {count} rows")
        targets = rng.integers(0, n, 4).astype(np.int32)
        dist = cupy.empty((count, 4), dtype=factor.dtype)
        on_gpu.rows(sources, dist, targets)
        assert_equal_in_a_line(dist.get(), expected[sources][:, targets], f"{what} {count} rows to 4 targets")
        if has_sums(graph, factor.dtype):
            check_sums(factor, on_gpu, sources, expected[sources], what)


def sums_of(sources: np.ndarray, rows: np.ndarray) -> RowSums:
    """Of floats that are not negative."""
    reached = rows != np.inf
    known = np.where(reached, rows, -1).astype(np.float64)
    reciprocals = np.divide(1.0, known, out=np.zeros(rows.shape), where=known > 0).sum(axis=1)
    total = np.where(reached, known, 0).sum(axis=1)
    return RowSums(sources, reached.sum(axis=1), total, reciprocals, known.max(axis=1), known.argmax(axis=1))


def check_sums(factor: Factor, on_gpu: FactorOnGpu, sources: np.ndarray, rows: np.ndarray, what: str) -> None:
    expected, actual = (
        factor.measure(sources) if factor.has_sums else sums_of(sources, rows),
        on_gpu.measure(sources, 64),
    )
    for name, values in vars(expected).items():
        sums_up = name == "reciprocals" or (name == "total" and factor.dtype.kind == "f")
        slack = 1e-12 if sums_up else 0  # reciprocals of negative distances cancel
        assert_equal_in_a_line(getattr(actual, name), values, f"{what} {len(sources)} sums {name}", slack)


def check_solved(graph: apsp.Graph, expected: np.ndarray) -> None:
    asked = {"method": "elimination", "device": "cuda"}
    result = apsp.solve(graph, **asked)
    assert result.info["device"] == "cuda"
    assert_same_distances(result.distances, expected)
    if graph.n < 3:
        return
    sources, targets = [0, 2, 2], [1, 0, 1]
    result = apsp.solve(graph, sources=sources, targets=targets, **asked)
    assert_same_distances(result.distances, expected[np.ix_(sources, targets)])
    found = expected[expected != apsp.unreachable(expected.dtype)]
    cutoff = max(float(np.median(found)), 0)
    cut = np.where(expected > cutoff, apsp.unreachable(expected.dtype), expected)
    assert_same_distances(apsp.solve(graph, cutoff=cutoff, **asked).distances, cut)


def check_oracle(graph: apsp.Graph, dtype: str) -> None:
    """All that an oracle computes on a GPU, beside one of the CPU."""
    here, there = (apsp.prepare(graph, dtype=dtype, device=device) for device in ("cpu", "cuda"))
    expected = here.rows()
    assert_same_distances(there.rows(), expected)
    sources, targets = [5, 0, 7, 5], [1, 9, 1]
    assert_same_distances(there.matrix(sources, targets), expected[np.ix_(sources, targets)])
    out = np.empty((4, graph.n), dtype=dtype)
    assert there.rows(sources, out=out) is out
    np.testing.assert_array_equal(out, expected[sources])
    for block in there.stream(rows=31, reuse=True):
        assert_same_distances(block.distances, expected[block.sources])
    if dtype in ("uint16", "int32"):
        np.testing.assert_array_equal(there.summary().eccentricity, here.summary().eccentricity)
        np.testing.assert_array_equal(
            there.summary(rows=33).closeness_centrality("out"), here.summary().closeness_centrality("out")
        )
    assert there.distance(0, 9) == here.distance(0, 9)
    weights = None if graph.weights is None else graph.weights // 2
    for oracle in (here, there):
        oracle.update(weights)
    assert_same_distances(there.rows(sources), here.rows(sources))
    if here.distance(0, 9) < np.inf:
        assert there.path(0, 9)[-1] == 9
