"""Links that an infinite weight closes in an oracle, and that a finite one opens: as a new oracle without them."""

from __future__ import annotations

import copy
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp.graph.closed_links import Closed
from apsp.methods.elimination.factor import sound_factor
from examples import examples

INF = math.inf


class Net:
    """Links of which some are closed, as plain arrays."""

    def __init__(self, rng: np.random.Generator, n: int, m: int, dtype: str, directed: bool, keeps: bool) -> None:
        self.rng, self.n, self.directed, self.keeps = rng, n, directed, keeps
        ends = rng.integers(0, n, (2, m))
        if not keeps:
            ends = np.unique(ends if directed else np.sort(ends, axis=0), axis=1)
        self.tails, self.heads = ends
        self.weights = rng.integers(0, 50, len(self.tails)).astype(dtype)
        self.open = np.ones(len(self.tails), dtype=bool)

    def graph(self) -> apsp.Graph:
        kept = self.open
        return apsp.from_edges(
            self.tails[kept], self.heads[kept], self.weights[kept], n=self.n, directed=self.directed, links=self.keeps
        )

    def change(self, oracle: apsp.Oracle, kind: str) -> None:
        """Close and open some links, or give all of them weights."""
        some = self.rng.choice(len(self.open), min(int(self.rng.integers(0, 6)), len(self.open)), replace=False)
        if kind == "all":
            some = np.arange(len(self.open))
        shut = self.rng.random(len(some)) < (0.2 if kind == "all" else 0.5)
        self.weights[some[~shut]] = self.rng.integers(0, 50, len(some))[~shut]
        self.open[some] = ~shut
        values = np.where(shut, INF, self.weights[some])
        if not shut.any():
            values = values.astype(self.weights.dtype)
        if kind == "edges":
            ends = zip(self.tails[some].tolist(), self.heads[some].tolist(), strict=True)
            whole = [value if value == INF else self.weights.dtype.type(value).item() for value in values.tolist()]
            oracle.update(dict(zip(ends, whole, strict=True)))
        elif self.keeps:
            oracle.update(values, links=True if kind == "all" else some)
        else:
            oracle.update(self.of_arcs(values))

    def of_arcs(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Values of all links in the order of the arcs of the graph with all links."""
        by_ends = dict(zip(zip(self.tails.tolist(), self.heads.tolist(), strict=True), values.tolist(), strict=True))
        if not self.directed:
            by_ends |= {(head, tail): value for (tail, head), value in by_ends.items()}
        return np.array([by_ends[pair] for pair in sorted(by_ends)], dtype=values.dtype)


@settings(max_examples=examples(120), deadline=None)
@given(
    n=st.integers(1, 30), m=st.integers(1, 90), seed=st.integers(0, 9999), directed=st.booleans(), keeps=st.booleans(),
    labels=st.booleans(), dtype=st.sampled_from(["int32", "int64", "float64"]),
)  # fmt: skip
def test_closed_links(n: int, m: int, seed: int, directed: bool, keeps: bool, labels: bool, dtype: str) -> None:
    rng = np.random.default_rng(seed)
    net = Net(rng, n, m, dtype, directed, keeps)
    oracle = apsp.prepare(net.graph(), labels=labels)
    for step in range(10):
        before, old = oracle._now, oracle._now.factor.values.copy()
        net.change(oracle, ["all", "some"][step % 3 == 0] if keeps else ["edges", "edges", "all"][step % 3])
        graph = net.graph()
        assert oracle.graph == graph
        fresh = apsp.prepare(graph, order=oracle.order)
        assert oracle.dtype == fresh.dtype
        factor = oracle._now.factor
        assert np.array_equal(factor.values, sound_factor(graph, factor.dtype, factor.tree, 1).values)
        assert np.array_equal(oracle.rows(), fresh.rows())
        assert np.array_equal(before.factor.values, old), "readers go on with the old weights"
        starts, ends = rng.integers(0, n, (2, 12))
        assert np.array_equal(oracle.distances(starts, ends), fresh.distances(starts, ends))
        assert oracle.paths(starts, ends).distances.tolist() == fresh.distances(starts, ends).tolist()
        if keeps:
            check_links(net, oracle, starts, ends)
        if step % 4 == 3:
            oracle = pickle.loads(pickle.dumps(oracle)) if step % 8 == 3 else copy.deepcopy(oracle)


def check_links(net: Net, oracle: apsp.Oracle, starts: Any, ends: Any) -> None:
    """Links of paths have the numbers that they had when all were open."""
    found = oracle.paths(starts, ends, links=True)
    for start, end, links, length in zip(starts, ends, found, found.distances.tolist(), strict=True):
        at, total = int(start), 0
        for link in links:
            assert net.open[link]
            both = {int(net.tails[link]): int(net.heads[link])}
            both |= {} if net.directed else {int(net.heads[link]): int(net.tails[link])}
            at, total = both[at], total + net.weights[link]
        assert not links or (at, total) == (end, length)
        if links:
            assert len(oracle.path(int(start), int(end), links=True)) > 0
            assert net.open[oracle.path(int(start), int(end), links=True)].all()


def grid() -> apsp.Graph:
    return apsp.from_edges(
        [0, 1, 2, 3], [1, 2, 3, 0], [4, 1, 2, 9], directed=False, crs="plane",
        coordinates=[(0, 0), (4, 0), (4, 1), (4, 3)], labels=["a", "b", "c", "d"], costs={"km": [7, 7, 7, 7]},
    )  # fmt: skip


def test_a_saved_oracle_knows_its_closed_links(tmp_path: Path) -> None:
    oracle = apsp.prepare(grid(), labels=True)
    oracle.update({("a", "b"): INF, ("c", "d"): INF})
    oracle.save(tmp_path / "oracle.npz")
    again = apsp.Oracle.load(tmp_path / "oracle.npz")
    assert again.graph == oracle.graph == grid().without_edges([("a", "b"), ("c", "d")])
    assert again.distance("a", "b") == INF
    again.update({("c", "d"): 1})
    assert (again.distance("a", "b"), again.path("a", "b")) == (11, ["a", "d", "c", "b"])
    assert oracle.distance("a", "b") == INF
    again.update("km")
    assert again.distance("a", "b") == 7, "weights by name are those of all links"


def test_another_graph_has_no_closed_links() -> None:
    oracle = apsp.prepare(grid())
    oracle.update({("a", "b"): INF})
    oracle.update(grid())
    assert (oracle.graph, oracle.distance("a", "b")) == (grid(), 4)


def test_integers_stay_integers_beside_infinity() -> None:
    oracle = apsp.prepare(grid())
    oracle.update({("a", "b"): INF, ("b", "c"): 3.0})
    assert oracle.dtype == "uint16"
    oracle.update({("b", "c"): 3.5, ("c", "d"): INF})
    assert oracle.dtype == "float64"
    oracle = apsp.prepare(grid())
    with pytest.raises(apsp.GraphError, match=r"2\^53.*by themselves"):
        oracle.update({("a", "b"): INF, ("b", "c"): 2**60 + 1})
    assert oracle.distance("a", "b") == 4


def test_hops_close() -> None:
    oracle = apsp.prepare(grid().unweighted())
    oracle.update({("a", "b"): INF})
    assert oracle.distance("a", "b") == 3
    assert not oracle.graph.is_weighted
    oracle.update({("a", "b"): 1})
    assert oracle.distance("a", "b") == 1


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({("a", "c"): INF}, "no edge from 'a' to 'c'.*build the graph with it"),
        ({("a", "c"): 3}, "no edge from 'a' to 'c'.*build the graph with it"),
        ({("a", "b"): -INF}, "weight -inf"),
        ({("a", "b"): math.nan, ("b", "c"): INF}, "weight nan"),
        ({("a", "b"): INF, ("b", "a"): 4}, "two weights"),
        ([INF, 1, 2, 3, 1, 2, 3, 4], "two arcs of equal weight"),
        ([INF], "must be a vector of 8 numbers"),
    ],
)
def test_what_is_refused(weights: Any, message: str) -> None:
    oracle = apsp.prepare(grid())
    oracle.update({("c", "d"): INF})
    graph = oracle.graph
    with pytest.raises(apsp.GraphError, match=message):
        oracle.update(weights)
    assert oracle.graph is graph


def test_graphs_have_no_infinite_weights() -> None:
    with pytest.raises(apsp.GraphError, match=r"weight inf.*without_edges.*Oracle\.update"):
        grid().with_weights({("a", "b"): INF})


def test_parallel_links() -> None:
    graph = apsp.from_edges([0, 0, 1], [1, 1, 2], [10, 12, 5], links=True)
    oracle = apsp.prepare(graph)
    oracle.update([INF], links=[0])
    assert (oracle.distance(0, 2), oracle.path(0, 2, links=True)) == (17, [1, 2])
    assert len(oracle.graph.links or ()) == 2
    with pytest.raises(apsp.GraphError, match="say which"):
        oracle.update({(0, 1): INF})
    oracle.update([INF], links=[1])
    assert oracle.distance(0, 2) == INF
    oracle.update([11], links=[0])
    assert (oracle.distance(0, 2), list(oracle.paths(0, 2, links=True)[0])) == (16, [0, 2])


def test_places(tmp_path: Path) -> None:
    graph, labels = grid(), ["a", "b", "c", "d"]
    places = graph.snap([(1, 0), (4, 2), (4, 0.5), (2, 2)], speed=1.0)
    oracle = apsp.prepare(graph)
    oracle.update({("b", "c"): INF})
    left = graph.without_edges([("b", "c")])
    own = left.snap([(1, 0), (4, 2)], speed=1.0)
    assert np.array_equal(oracle.distances(places[:2], places[[1, 0]]), apsp.distances(left, own, own[[1, 0]]))
    assert np.array_equal(oracle.matrix(places[:2], labels), apsp.matrix(left, own, labels).distances)
    assert oracle.path(places[0], places[1]) == apsp.shortest_path(left, own[0], own[1])
    assert list(oracle.paths(places[0], places[1])[0]) == apsp.shortest_path(left, own[0], own[1])
    assert oracle.distance(places[2], "b") == INF, "its street is closed"
    oracle.save(tmp_path / "closed.npz")
    for each in (
        oracle,
        apsp.Oracle.load(tmp_path / "closed.npz"),
    ):  # the graph without the closed links has streets, too
        there = each.graph.snap([(1, 0), (4, 2)], speed=1.0)
        assert np.array_equal(each.matrix(there, there), apsp.matrix(left, own, own).distances)
        assert each.path(there[0], there[1]) == apsp.shortest_path(left, own[0], own[1])
    oracle.update({("b", "c"): 1})
    assert oracle.distance(places[2], "b") == apsp.distance(graph, places[2], "b") < INF


def test_places_on_streets_with_one_direction_closed() -> None:
    graph = apsp.from_edges(
        [0, 1, 1, 2], [1, 0, 2, 1], [4, 4, 6, 6], coordinates=[(0, 0), (4, 0), (10, 0)], crs="plane"
    )
    place = graph.snap([(1, 0)])
    oracle = apsp.prepare(graph)
    oracle.update({(0, 1): INF})
    assert oracle.matrix(place, [0, 1, 2]).tolist() == [[1.0, INF, INF]]
    assert oracle.matrix([0, 1, 2], place).tolist() == [[INF], [3.0], [9.0]]


@settings(max_examples=examples(40), deadline=None)
@given(seed=st.integers(0, 9999), keeps=st.booleans(), directed=st.booleans())
def test_turns(seed: int, keeps: bool, directed: bool) -> None:
    rng, far = np.random.default_rng(seed), 10**6
    n, net = 9, Net(rng, 9, 30, "int64", directed, keeps)
    graph = net.graph()
    turned = apsp.with_turns(graph, u_turns=INF, crs=None) if seed % 2 else apsp.with_turns(graph, u_turns=7)
    oracle = apsp.prepare(turned)
    for step in range(5):
        net.change(oracle, "some" if keeps else ["edges", "all"][step % 2])
        weights = np.where(net.open, net.weights, far)
        known = turned.with_weights(weights, links=True) if keeps else turned.with_weights(net.of_arcs(weights))
        expected = apsp.solve(known, dtype="int64").distances[:, :n].astype(np.int64)
        rows = oracle.matrix(range(n), range(n)).astype(np.int64)
        rows[rows == apsp.unreachable(oracle.dtype)] = far
        assert np.array_equal(rows, np.minimum(expected, far))
        assert oracle.turned is not None
        assert oracle.turned.graph.m == graph.m
        for start, end in rng.integers(0, n, (6, 2)).tolist():
            if keeps and rows[start, end] < far:
                links = oracle.path(start, end, links=True)
                assert net.open[links].all()
        if step == 2:
            oracle = pickle.loads(pickle.dumps(oracle))


def test_a_graph_with_turns_is_saved(tmp_path: Path) -> None:
    turned = apsp.with_turns(grid(), u_turns=5)
    oracle = apsp.prepare(turned)
    oracle.update({("a", "b"): INF})
    oracle.save(tmp_path / "oracle.npz")
    again = apsp.Oracle.load(tmp_path / "oracle.npz")
    assert again.distance("a", "b") == oracle.distance("a", "b") == 12
    again.update({("a", "b"): 4})
    assert again.distance("a", "b") == 4
    assert again.turned == turned


def test_periods() -> None:
    day = grid().with_periods({"am": [4, 9, 4, 1, 1, 2, 9, 2], "pm": "km"})
    oracle = apsp.prepare(day)
    one = oracle["am"]
    one.update({("a", "b"): INF})
    assert (one.distance("a", "b"), oracle["am"].distance("a", "b"), oracle["pm"].distance("a", "b")) == (12, 4, 7)


@pytest.mark.parametrize("rows", [[4], [-1], [1, 1], [2, 1]])
def test_closed_links_fit_their_graph(rows: list[int]) -> None:
    with pytest.raises(apsp.GraphError, match="closed links do not fit"):
        Closed(apsp.from_edges([0, 1, 2], [1, 2, 3], [1, 1, 1]), np.array(rows))


def test_the_dtype_narrows_where_links_open_and_widens_where_they_close() -> None:
    ends, weights = ([0, 1, 2, 0], [1, 2, 3, 3]), [22_000, 22_000, 22_000, 9]
    oracle = apsp.prepare(apsp.from_edges(*ends, weights, directed=False))
    assert oracle.dtype == "uint16"
    for weight, dtype, length in ((INF, "int32", 66_000), (9, "uint16", 9), (INF, "int32", 66_000), (10, "uint16", 10)):
        oracle.update({(0, 3): weight})
        assert (oracle.dtype, oracle.distance(0, 3)) == (dtype, length)


@pytest.mark.parametrize("weight", [np.float32(INF), np.array(INF), np.inf])
def test_infinity_of_any_kind(weight: Any) -> None:
    oracle = apsp.prepare(grid())
    oracle.update({("a", "b"): weight})
    assert oracle.distance("a", "b") == 12
