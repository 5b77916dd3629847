"""Numbers of shortest paths, all shortest paths and tied predecessors, against enumeration and NetworkX."""

from __future__ import annotations

import itertools
import math
import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networkx.algorithms.centrality.betweenness import (
    _single_source_dijkstra_path_basic,
    _single_source_shortest_path_basic,
)

import apsp
from apsp.methods.flows import counts as counting
from apsp.system.machine import Machine
from examples import examples


def simple_paths(graph: apsp.Graph, source: int) -> dict[int, list[tuple[Fraction, list[int]]]]:
    """All simple paths from a source, with their exact lengths, by their ends."""
    weights = [1] * graph.m if graph.weights is None else graph.weights.tolist()
    zones = [False] * graph.n if graph.zones is None else graph.zones.tolist()
    found: dict[int, list[tuple[Fraction, list[int]]]] = {v: [] for v in range(graph.n)}

    def walk(path: list[int], length: Fraction) -> None:
        tail = path[-1]
        found[tail].append((length, path))
        if zones[tail] and tail != source:
            return
        for k in range(graph.indptr[tail], graph.indptr[tail + 1]):
            head = int(graph.indices[k])
            if head not in path:
                walk([*path, head], length + Fraction(weights[k]))

    walk([source], Fraction(0))
    return found


def is_there_and_back(part: nx.DiGraph) -> bool:
    """Whether the arcs are those of a tree whose edges may be used both ways."""
    pairs = part.number_of_edges() == 2 * (len(part) - 1)
    return pairs and all(part.has_edge(v, u) for u, v in part.edges)


class Truth:
    """Exact distances from a source, its shortest simple paths, tied predecessors, and ends beyond a refused cycle."""

    def __init__(self, graph: apsp.Graph, source: int) -> None:
        every = simple_paths(graph, source)
        self.distance = {v: min(length for length, _ in paths) for v, paths in every.items() if paths}
        self.paths = {v: sorted(path for length, path in every[v] if length == self.distance[v]) for v in self.distance}
        weights = [1] * graph.m if graph.weights is None else graph.weights.tolist()
        zones = [False] * graph.n if graph.zones is None else graph.zones.tolist()
        tight, walks = nx.DiGraph(), nx.DiGraph()
        tight.add_nodes_from(range(graph.n))
        for u, v, w in zip(graph.tails().tolist(), graph.indices.tolist(), weights, strict=True):
            there = u in self.distance and v in self.distance and u != v
            if there and self.distance[u] + Fraction(w) == self.distance[v] and (not zones[u] or u == source):
                tight.add_edge(u, v)
                if not zones[u]:
                    walks.add_edge(u, v)
        parts = (walks.subgraph(part) for part in nx.strongly_connected_components(walks) if len(part) > 1)
        cyclic = set().union(*(part for part in parts if not is_there_and_back(part)))
        self.refused = cyclic.union(*(nx.descendants(tight, v) for v in cyclic)) - {source}
        self.before = {v: sorted(tight.predecessors(v)) if v != source else [] for v in range(graph.n)}


@st.composite
def graphs(draw: st.DrawFn) -> apsp.Graph:
    n = draw(st.integers(1, 6))
    vertex = st.integers(0, n - 1)
    pairs = draw(st.lists(st.tuples(vertex, vertex), max_size=13))
    kinds: list[Any] = [
        st.none(), st.integers(1, 3), st.integers(0, 2), st.integers(-1, 3), st.sampled_from([0.25, 0.5, 0.75, 0.0]),
    ]  # fmt: skip
    kind = draw(st.sampled_from(kinds))
    weights = draw(st.lists(kind, min_size=len(pairs), max_size=len(pairs)))
    zones = draw(st.lists(st.booleans(), min_size=n, max_size=n)) if draw(st.booleans()) else None
    return apsp.from_edges(
        [u for u, _ in pairs], [v for _, v in pairs], None if None in weights or not weights else weights, n=n,
        directed=draw(st.booleans()), zones=zones,
    )  # fmt: skip


@settings(max_examples=examples(150), deadline=None)
@given(graphs(), st.sampled_from([None, None, 0, 1, 2]), st.data())
def test_numbers_and_paths_are_those_of_enumeration(graph: apsp.Graph, cutoff: int | None, data: st.DataObject) -> None:
    some = st.none() | st.lists(st.integers(0, graph.n - 1), max_size=4)
    sources, targets = data.draw(some), data.draw(some)
    try:
        result = apsp.solve(graph, sources=sources, targets=targets, cutoff=cutoff)
    except apsp.NegativeCycleError:
        with pytest.raises(apsp.NegativeCycleError):
            apsp.solve(graph, sources=sources, targets=targets, cutoff=cutoff, counts=True)
        return
    rows, columns = result.source_positions.tolist(), result.target_positions.tolist()
    truths = {source: Truth(graph, source) for source in rows}
    limit = float("inf") if cutoff is None else cutoff
    within = {s: {v for v, d in truth.distance.items() if d <= limit} for s, truth in truths.items()}
    refused = {(s, t) for s, t in itertools.product(rows, columns) if t in truths[s].refused & within[s]}
    if refused:
        with pytest.raises(apsp.RequestError, match="of length zero"):
            apsp.solve(graph, sources=sources, targets=targets, cutoff=cutoff, counts=True)
    else:
        found = apsp.solve(graph, sources=sources, targets=targets, cutoff=cutoff, counts=True).counts
        assert found.tolist() == [[len(truths[s].paths[t]) if t in within[s] else 0 for t in columns] for s in rows]
        assert found.dtype == np.int64
    for s, t in itertools.product(set(rows), set(columns)):
        if t in within[s]:
            assert list(result.all_paths(s, t)) == truths[s].paths[t]
        else:
            with pytest.raises(apsp.NoPathError):
                result.all_paths(s, t)
    if targets is None:
        for s in rows:
            indptr, indices = result.tied_predecessors(s)
            before = [indices[indptr[v] : indptr[v + 1]].tolist() for v in range(graph.n)]
            assert before == [truths[s].before[v] if v in within[s] else [] for v in range(graph.n)]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("directed", [False, True])
def test_numbers_are_those_of_networkx(weighted: bool, directed: bool) -> None:
    G = nx.gnm_random_graph(150, 450, seed=3, directed=directed)
    rng = np.random.default_rng(4)
    for u, v in G.edges:
        G[u][v]["weight"] = int(rng.integers(1, 4))
    graph = apsp.from_networkx(G, weight="weight" if weighted else None)
    result = apsp.solve(graph, counts=True)
    for s in range(0, 150, 7):
        search = _single_source_dijkstra_path_basic(G, s, "weight") if weighted else None
        _, before, sigma, _ = search or _single_source_shortest_path_basic(G, s)
        assert result.counts[s].tolist() == [sigma.get(v, 0) / sigma[s] for v in range(150)]  # weighted: sigma[s] is 2
        indptr, indices = result.tied_predecessors(s)
        found = [indices[indptr[v] : indptr[v + 1]].tolist() for v in range(150)]
        assert found == [sorted(before.get(v, ())) for v in range(150)]
    for s, t in ((0, 149), (7, 30), (140, 2)):
        if result.counts[s, t]:
            paths = nx.all_shortest_paths(G, s, t, weight="weight" if weighted else None)
            assert list(result.all_paths(s, t)) == sorted(paths)


def diamonds(layers: int, *, weighted: bool = False) -> apsp.Graph:
    """2^layers paths from vertex 0 to vertex 3 * layers."""
    first = np.arange(layers) * 3
    tails = np.concatenate([first, first, first + 1, first + 2])
    heads = np.concatenate([first + 1, first + 2, first + 3, first + 3])
    return apsp.from_edges(tails, heads, [1] * len(tails) if weighted else None)


@pytest.mark.parametrize("weighted", [False, True])
def test_numbers_are_integers_while_they_are_exact(weighted: bool) -> None:
    for layers in (52, 53, 62):
        exact = apsp.solve(diamonds(layers, weighted=weighted), counts=True)
        assert exact.counts.dtype == np.int64
        assert exact.count(0, 3 * layers) == 2**layers
        assert repr(exact.count(0, 3 * layers)) == str(2**layers)
    rounded = apsp.solve(diamonds(63, weighted=weighted), counts=True)
    assert rounded.counts.dtype == np.float64
    assert rounded.count(0, 3 * 63) == 2.0**63
    assert "paths counted in float64" in repr(rounded)
    some = apsp.solve(diamonds(63, weighted=weighted), sources=0, targets=[0, 9, 10], counts=True)
    assert (some.counts.dtype, some.counts.tolist()) == (np.int64, [[1, 8, 8]])


@pytest.mark.parametrize("weights", [None, np.int32, np.int64, np.float64])
def test_numbers_that_float64_does_not_hold(weights: type | None) -> None:
    """Binomial coefficients of a grid; those of other vertices are beyond int64."""
    side, corners = 40, np.arange(1600).reshape(40, 40)
    tails = np.concatenate([corners[:, :-1].ravel(), corners[:-1].ravel()])
    heads = np.concatenate([corners[:, 1:].ravel(), corners[1:].ravel()])
    length = 2**40 if weights is np.int64 else 3
    graph = apsp.from_edges(tails, heads, None if weights is None else np.full(len(tails), length, weights))
    places = [(row, column) for row in range(side) for column in range(side) if row + column <= 64]
    targets = [int(corners[place]) for place in places]
    result = apsp.solve(graph, sources=[0, 1], targets=targets, counts=True, threads=2)
    assert result.counts.dtype == np.int64
    assert result.counts[0].tolist() == [math.comb(row + column, row) for row, column in places]
    assert math.comb(64, 32) > 2**60
    near = apsp.solve(graph, sources=0, targets=targets, cutoff=2 * length if weights else 2, counts=True)
    assert near.counts.sum() == 7
    assert apsp.solve(graph, sources=0, counts=True).counts.dtype == np.float64


def test_progress_of_numbers_that_are_counted_twice_goes_on() -> None:
    seen: list[tuple[str, int, int]] = []
    graph = diamonds(60)
    found = apsp.solve(graph, sources=[0] * 3000, targets=180, counts=True, threads=1,
                       progress=lambda *told: seen.append(told))  # fmt: skip
    assert set(found.counts.ravel().tolist()) == {2**60}
    told = [(done, total) for stage, done, total in seen if stage == "sources counted"]
    assert told == sorted(told)
    assert told[-1] in ((3000, 3000), (6000, 6000))


@pytest.mark.parametrize("weighted", [False, True])
def test_more_paths_than_float64_counts(weighted: bool) -> None:
    graph = diamonds(1030, weighted=weighted)
    with pytest.raises(apsp.RequestError, match=r"more than 1.8e308 shortest paths from vertex 0"):
        apsp.solve(graph, sources=0, counts=True)
    assert apsp.solve(graph, sources=0, targets=3 * 1000, counts=True).counts.tolist() == [[2.0**1000]]


def test_paths_come_one_at_a_time() -> None:
    result = apsp.solve(diamonds(70), sources=0)
    first, second = itertools.islice(result.all_paths(0, 210), 2)
    assert first == [v for v in range(211) if v % 3 != 2]
    assert second == [*first[:-2], 209, 210]


def test_labels_are_spoken() -> None:
    graph = apsp.from_edges([0, 0, 1, 2], [1, 2, 3, 3], labels=["home", "north", "south", "work"])
    result = apsp.solve(graph, counts=True)
    paths = result.all_paths("home", "work")
    assert iter(paths) is paths
    assert list(paths) == [["home", "north", "work"], ["home", "south", "work"]]
    assert list(result.all_paths("work", "work")) == [["work"]]
    assert (result.count("home", "work"), result.count("work", "home"), result.count("work", "work")) == (2, 0, 1)
    assert isinstance(result.count("home", "work"), int)
    with pytest.raises(apsp.NoPathError, match=r"'work'.*'home'"):
        result.all_paths("work", "home")
    with pytest.raises(apsp.GraphError, match="'nowhere'"):
        result.all_paths("home", "nowhere")


def test_paths_visit_no_vertex_of_a_zero_cycle_twice() -> None:
    pairs = list(itertools.combinations(range(6), 2))
    graph = apsp.from_edges(
        [6, *(u for u, _ in pairs), 5], [0, *(v for _, v in pairs), 7], [3, *[0] * len(pairs), 4], directed=False
    )
    paths = list(apsp.solve(graph).all_paths(6, 7))
    assert len(paths) == len({tuple(path) for path in paths}) == 65  # 1 + 4 + 12 + 24 + 24 inside the six vertices
    assert all(len(set(path)) == len(path) and path[-2:] == [5, 7] for path in paths)


def test_a_cycle_of_length_zero_is_named_with_the_remedy() -> None:
    graph = apsp.from_edges([0, 1, 2, 5, 2, 0], [1, 2, 5, 1, 3, 4], [1, 0, 0, 0, 1, 1], labels=list("abcdef"))
    with pytest.raises(apsp.RequestError, match=r"vertex '[bcf]' lies on a cycle of length zero.*positive weight"):
        apsp.solve(graph, counts=True)
    with pytest.raises(apsp.RequestError, match=r"vertex '[bcf]' lies on a cycle of length zero"):
        apsp.solve(graph, sources="a", targets="d", counts=True)
    assert apsp.solve(graph, sources="a", targets=["a", "e"], counts=True).counts.tolist() == [[1, 1]]
    assert apsp.solve(graph, sources=["a"], cutoff=0, counts=True).counts.tolist() == [[1, 0, 0, 0, 0, 0]]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_within_a_cutoff_have_paths_where_they_have_distances(dtype: Any) -> None:
    rng = np.random.default_rng(7)
    graph = apsp.generate("random", 60, m=300, seed=2)
    graph = graph.with_weights(rng.integers(1, 4, graph.m).astype(dtype) / 10)
    for method in ("auto", "floyd-warshall"):
        result = apsp.solve(graph, counts=True, cutoff=dtype(0.7), method=method)
        assert ((result.counts > 0) == (result.distances < np.inf)).all()
        pairs = np.argwhere(result.counts > 0)[::97].tolist()
        for s, t in pairs:
            assert len(list(result.all_paths(s, t))) == result.count(s, t)


def test_lengths_lost_in_rounding_are_refused() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [1e30, 1.0], labels=["a", "b", "c"], directed=False)
    words = r"arc from 'c' to 'b' is lost in rounding.*integer weights"
    with pytest.raises(apsp.RequestError, match=words):
        apsp.solve(graph, counts=True)
    with pytest.raises(apsp.RequestError, match=words):
        apsp.betweenness_centrality(graph)  # half of what goes to b would be lost
    assert list(apsp.solve(graph).all_paths("a", "b")) == [["a", "b"]]
    assert list(apsp.solve(graph).all_paths("a", "c")) == [["a", "b", "c"]]


def test_what_cannot_be_counted_is_refused() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [-0.5, 1.0])
    for ask in (
        lambda: apsp.solve(graph, counts=True),
        lambda: apsp.solve(graph).all_paths(0, 2),
        lambda: apsp.solve(graph).tied_predecessors(0),
    ):
        with pytest.raises(apsp.RequestError, match=r"negative float weights.*integer weights"):
            ask()
    widest = apsp.from_edges([0], [1], [2])
    with pytest.raises(apsp.RequestError, match="not those of max_min"):
        apsp.solve(widest, semiring="max_min", counts=True)
    with pytest.raises(apsp.RequestError, match=r"all_paths\(\) is of shortest paths"):
        apsp.solve(widest, semiring="max_min").all_paths(0, 1)
    with pytest.raises(apsp.RequestError, match="counts must be True or False"):
        apsp.solve(widest, counts=3)  # type: ignore[arg-type]
    plain = apsp.solve(widest, sources=0, targets=1)
    assert not plain.has_counts
    with pytest.raises(apsp.PathsNotKeptError, match="counts=True"):
        plain.count(0, 1)
    with pytest.raises(apsp.RequestError, match="not among the targets"):
        plain.all_paths(0, 0)
    negative = apsp.solve(apsp.from_edges([0, 1], [1, 2], [3, -2]), targets=[2], cutoff=1)
    assert list(negative.all_paths(0, 2)) == [[0, 1, 2]]
    with pytest.raises(apsp.PathsNotKeptError, match="solve without targets"):
        negative.tied_predecessors(0)


@pytest.mark.parametrize("wrong", [1, 3, np.nan])
def test_distances_of_another_graph_are_noticed(wrong: float) -> None:
    graph = diamonds(1, weighted=True)
    distances = np.full((4, 4), wrong) if np.isnan(wrong) else np.full((4, 4), int(wrong), np.int32)
    with pytest.raises(apsp.VerificationError, match="no path has the distance from 0 to 3"):
        apsp.Result(graph, distances).all_paths(0, 3)


def test_numbers_survive_files_and_pickles(tmp_path: Path) -> None:
    result = apsp.solve(diamonds(4), sources=[0, 3], counts=True, device="emulated")
    assert result.info["device"] == "emulated"
    result.save(tmp_path / "result.npz")
    for again in (apsp.load(tmp_path / "result.npz", check=True), pickle.loads(pickle.dumps(result))):
        assert (again.counts == result.counts).all()
        assert again.count(3, 12) == 8


def test_threads_and_progress() -> None:
    graph = apsp.generate("random", 700, m=2800, seed=6).unweighted()
    seen: list[tuple[str, int, int]] = []
    one = apsp.solve(graph, counts=True, threads=1, progress=lambda *told: seen.append(told))
    assert seen[-1] == ("sources counted", 700, 700)
    assert (apsp.solve(graph, counts=True, threads=3).counts == one.counts).all()


def test_a_lack_of_memory_is_an_error_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "usable", lambda _machine: 2_000_000)
    assert Machine.detect().memory_available > 2_000_000
    graph = diamonds(200)
    with pytest.raises(apsp.MemoryLimitError, match=r"the numbers of paths of all pairs.*fewer sources"):
        apsp.solve(graph, counts=True)


def test_the_cycle_is_named_behind_a_tree() -> None:
    """The paths from the cycle of 1, 2, 4, 5 enter the tree of 6 and 7 at 6, and leave it at 7."""
    tails, heads = [3, 1, 4, 2, 7, 5, 5, 6, 7], [0, 2, 1, 5, 3, 4, 6, 7, 6]
    graph = apsp.from_edges(tails, heads, np.zeros(9, dtype=np.int32))
    for targets in (None, [7], [3], [0]):
        with pytest.raises(apsp.RequestError, match=r"vertex [1245] lies on a cycle of length zero"):
            apsp.solve(graph, counts=True, sources=[1], targets=targets)
    assert apsp.solve(graph, counts=True, sources=[6]).counts[0].tolist() == [1, 0, 0, 1, 0, 0, 1, 1]
