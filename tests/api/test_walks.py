"""The k shortest walks: as those of an enumeration; zero cycles, zones, turns, odd weights, many pairs."""

from __future__ import annotations

import heapq
import itertools
import math
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from examples import examples
from turns_truth import Case, exact, random_case

Edges = dict[tuple[int, int], Any]
Walk = tuple[Any, list[int]]


def enumerated(edges: Edges, source: int, target: int, k: int, zones: frozenset[int] = frozenset()) -> list[Walk]:
    """The k shortest walks, and all that are as long as the last: a heap of all walks that can still get to the target.

    Of weights above zero that rounding does not make zero.
    """
    after = reaching(edges, target, zones)
    found: list[Walk] = []
    queue: list[Walk] = [(0, [source])]
    while queue and (len(found) < k or queue[0][0] <= found[-1][0]):
        length, walk = heapq.heappop(queue)
        if walk[-1] == target:
            found.append((length, walk))
        if len(walk) == 1 or walk[-1] not in zones:
            for head, weight in after.get(walk[-1], []):
                if length + weight != math.inf:
                    heapq.heappush(queue, (length + weight, [*walk, head]))
    return found


def lengths_of_few(edges: Edges, source: int, target: int, k: int, zones: frozenset[int] = frozenset()) -> list[Any]:
    """The k least lengths: a walk goes on from a vertex only if fewer than k shorter ones have done so."""
    after = reaching(edges, target, zones)
    found: list[Any] = []
    taken: dict[int, int] = {}
    queue: list[tuple[Any, int, int]] = [(0, 0, source)]
    while queue and len(found) < k:
        length, steps, last = heapq.heappop(queue)
        taken[last] = taken.get(last, 0) + 1
        if taken[last] > k:
            continue
        if last == target:
            found.append(length)
        if not steps or last not in zones:
            for head, weight in after.get(last, []):
                if length + weight != math.inf:
                    heapq.heappush(queue, (length + weight, steps + 1, head))
    return found


def reaching(edges: Edges, target: int, zones: frozenset[int]) -> dict[int, list[tuple[int, Any]]]:
    """The arcs to vertices from which the target can be reached."""
    edges = {(tail, head): weight for (tail, head), weight in edges.items() if head == target or head not in zones}
    there, size = {target}, 0
    while len(there) > size:
        size = len(there)
        there |= {tail for tail, head in edges if head in there}
    after: dict[int, list[tuple[int, Any]]] = {}
    for (tail, head), weight in edges.items():
        if head in there:
            after.setdefault(tail, []).append((head, weight))
    return after


def check_walks(found: apsp.ManyPaths, edges: Edges, ends: tuple[int, int], zones: frozenset[int]) -> list[Walk]:
    """Different walks between the ends, ascending by length and vertices, with the sums of their arcs."""
    walks = list(zip(found.distances.tolist(), found, strict=True))
    assert walks == sorted(walks)
    assert len({tuple(walk) for _, walk in walks}) == len(walks)
    for length, walk in walks:
        assert (walk[0], walk[-1]) == ends
        assert not zones.intersection(walk[1:-1])
        total: Any = 0
        for step in itertools.pairwise(walk):
            total += edges[step]
        assert total == length
    return walks


def graph_like(edges: Edges, n: int, **options: Any) -> apsp.Graph:
    tails, heads = np.array(list(edges), dtype=int).reshape(-1, 2).T
    return apsp.from_edges(tails, heads, np.array(list(edges.values())), n=n, **options)


POSITIVE = st.integers(1, 4)
FLOATS = st.sampled_from([0.1, 0.2, 0.3, 0.7, 1 / 3])
ODD_FLOATS = st.sampled_from([0.0, 0.1, 0.7, 1 / 3, 1e-300, 1e-17, 1e16, 1e307])
WITH_ZEROS = st.sampled_from([st.integers(0, 4), st.just(0), ODD_FLOATS])


@st.composite
def graphs(draw: st.DrawFn, weights: Any) -> tuple[int, Edges, bool, frozenset[int]]:
    n = draw(st.integers(1, 5))
    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
    directed = draw(st.booleans())
    edges: Edges = draw(st.dictionaries(pairs, draw(weights), min_size=1, max_size=12))
    if not directed:
        edges = {(min(pair), max(pair)): weight for pair, weight in edges.items()}
    zones = draw(st.sampled_from([frozenset(), frozenset({0}), frozenset(range(0, n, 2))]))
    return n, edges, directed, zones


def walks_of(drawn: tuple[int, Edges, bool, frozenset[int]], k: int, threads: int) -> tuple[Edges, Any, Any]:
    """The arcs, all pairs of vertices, and their walks."""
    n, edges, directed, zones = drawn
    marks = np.isin(np.arange(n), list(zones)) if zones else None
    graph = graph_like(edges, n, directed=directed, zones=marks)
    arcs = edges if directed else {**edges, **{(v, u): weight for (u, v), weight in edges.items()}}
    pairs = list(itertools.product(range(n), repeat=2))
    found = apsp.shortest_walks(graph, *zip(*pairs, strict=True), k, threads=threads)
    return arcs, pairs, found


@settings(deadline=None, max_examples=examples(300))
@given(graphs(st.sampled_from([POSITIVE, st.just(1), FLOATS])), st.sampled_from([1, 2, 3, 7]), st.integers(1, 2))
def test_as_an_enumeration(drawn: tuple[int, Edges, bool, frozenset[int]], k: int, threads: int) -> None:
    """All walks that are shorter than the last, and as many as k of those as long."""
    arcs, pairs, found = walks_of(drawn, k, threads)
    for number, ends in enumerate(pairs):
        every = enumerated(arcs, *ends, k, drawn[3])
        assert [length for length, _ in every[:k]] == lengths_of_few(arcs, *ends, k, drawn[3])
        walks = check_walks(found.of_pair(number), arcs, ends, drawn[3])
        assert [length for length, _ in walks] == [length for length, _ in every[:k]]
        last = every[-1][0] if len(every) > k else math.inf
        assert [walk for walk in walks if walk[0] < last] == [walk for walk in sorted(every) if walk[0] < last]


@settings(deadline=None, max_examples=examples(300))
@given(graphs(WITH_ZEROS), st.sampled_from([1, 2, 3, 7, 40]), st.integers(1, 2))
def test_cycles_of_length_zero(drawn: tuple[int, Edges, bool, frozenset[int]], k: int, threads: int) -> None:
    arcs, pairs, found = walks_of(drawn, k, threads)
    for number, ends in enumerate(pairs):
        walks = check_walks(found.of_pair(number), arcs, ends, drawn[3])
        assert [length for length, _ in walks] == lengths_of_few(arcs, *ends, k, drawn[3])


@settings(deadline=None, max_examples=examples(100))
@given(st.integers(2, 5), st.data())
def test_negative_arcs(n: int, data: st.DataObject) -> None:
    """With heights that lengths of arcs are changed by, so that there is no negative cycle."""
    heights = data.draw(st.lists(st.integers(-9, 9), min_size=n, max_size=n))
    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
    drawn = data.draw(st.dictionaries(pairs, st.integers(0, 4), min_size=1, max_size=12))
    edges = {(u, v): weight + heights[u] - heights[v] for (u, v), weight in drawn.items()}
    found = apsp.shortest_walks(graph_like(edges, n), [0] * n, range(n), 9, threads=1)
    for target in range(n):
        walks = check_walks(found.of_pair(target), edges, (0, target), frozenset())
        expected = [length + heights[0] - heights[target] for length in lengths_of_few(drawn, 0, target, 9)]
        assert [length for length, _ in walks] == expected


def turned_walks(case: Case, source: int, target: int, k: int) -> list[tuple[Any, list[int]]]:
    """The k shortest walks of links from the longest walks so far, with turns, as their vertices."""
    out: dict[int, list[Any]] = {}
    for use in case.uses():
        out.setdefault(case.ends(use)[0], []).append(use)
    memory = max([2, *map(len, case.forbidden)]) - 1
    found: list[tuple[Any, list[int]]] = []
    taken: dict[Any, int] = {}
    queue: list[tuple[Any, int, Any]] = [(0, 0, ())]
    while queue and len(found) < k:
        length, steps, walk = heapq.heappop(queue)
        here = case.ends(walk[-1])[1] if walk else source
        state = walk[-memory:] or source
        taken[state] = taken.get(state, 0) + 1
        if taken[state] > k:
            continue
        if here == target:
            found.append((length, [source, *(case.ends(use)[1] for use in walk)]))
        if walk and case.zones[here]:
            continue
        for use in out.get(here, ()):
            path = (*walk, use)
            penalty = case.penalty(walk[-1], use) if walk else 0
            is_open = not any(path[len(path) - len(each) :] == tuple(each) for each in case.forbidden)
            if is_open and not math.isinf(penalty):
                longer = length + case.links[use[0]][2] + exact(penalty)
                heapq.heappush(queue, (longer, steps + 1, path))
    return found


@pytest.mark.parametrize("seed", range(120))
def test_turns(seed: int) -> None:
    case = random_case(np.random.default_rng(seed), parallel=False)
    turned = case.turned()
    pairs = list(itertools.product(range(case.n), repeat=2))
    found = apsp.shortest_walks(turned, *([f"v{v}" for v in side] for side in zip(*pairs, strict=True)), 6)
    for number, (source, target) in enumerate(pairs):
        every = turned_walks(case, source, target, 6)
        walks = found.of_pair(number)
        assert [float(length) for length in walks.distances] == [float(length) for length, _ in every]
        numbers = [[int(name[1:]) for name in walk] for walk in walks]
        assert len({tuple(walk) for walk in numbers}) == len(numbers)
        order = list(zip(walks.distances.tolist(), numbers, strict=True))
        assert order == sorted(order)


@pytest.mark.parametrize("weights", ["int32", "int64", "float32", "float64", "hops"])
def test_walks_of_an_acyclic_graph_are_its_simple_paths(weights: str) -> None:
    """As NetworkX finds them."""
    rng = np.random.default_rng(4)
    tails, heads = np.triu_indices(14, 1)
    some = rng.random(len(tails)) < 0.5
    lengths = rng.integers(1, 30, some.sum())
    graph = apsp.from_edges(tails[some], heads[some], lengths, n=14)
    unit = 8 if weights.startswith("float") else 1
    theirs = nx.DiGraph()
    theirs.add_nodes_from(range(14))
    for tail, head, length in zip(tails[some].tolist(), heads[some].tolist(), lengths.tolist(), strict=True):
        theirs.add_edge(tail, head, weight=1 if weights == "hops" else length / unit)
    graph = graph.unweighted() if weights == "hops" else graph.with_weights((lengths / unit).astype(weights))
    found = apsp.shortest_walks(graph, [0, 2], [13, 12], 50)
    for number, ends in enumerate([(0, 13), (2, 12)]):
        paths = list(itertools.islice(nx.shortest_simple_paths(theirs, *ends, weight="weight"), 50))
        own = found.of_pair(number)
        assert own.distances.tolist() == [nx.path_weight(theirs, path, "weight") for path in paths]
        assert all(path in paths for path in own if nx.path_weight(theirs, path, "weight") < own.distances[-1])


def test_threads_and_the_order_of_pairs_do_not_matter() -> None:
    graph = apsp.generate("city", 900, seed=3, weights=(0, 4))
    sources, targets = np.random.default_rng(1).integers(0, 900, (2, 60))
    found = apsp.shortest_walks(graph, sources, targets, 30, threads=1)
    again = apsp.shortest_walks(graph, sources, targets, 30, threads=3)
    assert list(found) == list(again)
    order = np.random.default_rng(2).permutation(60)
    other = apsp.shortest_walks(graph, sources[order], targets[order], 30)
    for place, pair in enumerate(order.tolist()):
        assert list(other.of_pair(place)) == list(found.of_pair(pair))


def test_many_walks_of_a_city() -> None:
    """Their lengths are those of a search that passes each vertex k times."""
    graph = apsp.generate("city", 300, seed=5, weights=(0, 6))
    assert graph.weights is not None
    arcs = zip(graph.tails().tolist(), graph.indices.tolist(), graph.weights.tolist(), strict=True)
    edges = {(tail, head): weight for tail, head, weight in arcs}
    found = apsp.shortest_walks(graph, [3, 7], [290, 7], 400)
    for number, ends in enumerate([(3, 290), (7, 7)]):
        walks = check_walks(found.of_pair(number), edges, ends, frozenset())
        assert [length for length, _ in walks] == lengths_of_few(edges, *ends, 400)


def test_cycles_through_both_ends() -> None:
    graph = apsp.from_edges([("a", "b", 1), ("b", "a", 2), ("c", "a", 1)])
    found = apsp.shortest_walks(graph, ["a", "a", "a", "c"], ["a", "b", "c", "c"], 3)
    assert [list(found.of_pair(number)) for number in range(4)] == [
        [["a"], ["a", "b", "a"], ["a", "b", "a", "b", "a"]],
        [["a", "b"], ["a", "b", "a", "b"], ["a", "b", "a", "b", "a", "b"]],
        [],
        [["c"]],
    ]
    assert found.distances.tolist() == [0, 3, 6, 1, 4, 7, 0]
    assert len(apsp.shortest_walks(graph, [], [], 3)) == 0


def test_columns_and_links() -> None:
    graph = apsp.from_edges(
        {"u": ["a", "a", "b", "a"], "v": ["b", "c", "a", "b"], "w": [5, 9, 1, 2]}, source="u", target="v", weight="w",
        links=True,
    )  # fmt: skip
    found = apsp.shortest_walks(graph, "a", ["b", "c"], 2)
    assert found.to_pandas().to_dict("list") == {
        "pair": [0] * 6 + [1] * 6, "path": [0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1],
        "vertex": ["a", "b", "a", "b", "a", "b", "a", "c", "a", "b", "a", "c"],
    }  # fmt: skip
    assert list(apsp.shortest_walks(graph, "a", ["b", "c"], 2, links=True)) == [[3], [3, 2, 3], [1], [3, 2, 1]]


def corner(**options: Any) -> apsp.TurnGraph:
    """a - x - b and c, where a - x - b is forbidden."""
    roads = [("a", "x", 60), ("x", "b", 60), ("x", "c", 60), ("c", "b", 60)]
    return apsp.with_turns(apsp.from_edges(roads, directed=False, links=True), [("a", "x", "b")], **options)


def test_turns_keep_pairs_links_and_names() -> None:
    found = apsp.shortest_walks(corner(u_turns=5), ["b", "a"], ["a", "b"], 2)
    assert list(found.of_pair(0)) == [["b", "x", "a"], ["b", "c", "x", "a"]]
    assert list(found.of_pair(1)) == [["a", "x", "c", "b"], ["a", "x", "c", "x", "b"]]
    assert found.distances.tolist() == [120, 180, 180, 245]
    links = apsp.shortest_walks(corner(u_turns=5), ["b", "a"], ["a", "b"], 2, links=True)
    assert list(links.of_pair(1)) == [[0, 2, 3], [0, 2, 2, 1]]


def test_refusals() -> None:
    graph = apsp.from_edges([0, 1], [1, 0], [1, -2], coordinates=[[0, 0], [1, 0]])
    with pytest.raises(apsp.NegativeCycleError):
        apsp.shortest_walks(graph, 0, 1, 2)
    with pytest.raises(apsp.RequestError, match="use integer weights"):
        apsp.shortest_walks(graph.with_weights([2.0, -1.5]), 0, 1, 2)
    for k in (0, -1, 1.5, None):
        with pytest.raises(apsp.RequestError, match="k must"):
            apsp.shortest_walks(graph, 0, 1, k)
    with pytest.raises(apsp.RequestError, match="keeps no links"):
        apsp.shortest_walks(graph.with_weights([2, 1]), 0, 1, 2, links=True)


def test_long_lengths() -> None:
    """Integers up to 2^61; more walks, which would be longer, are refused."""
    graph = apsp.from_edges([0, 1], [1, 0], [2**58, 2**58 + 1])
    found = apsp.shortest_walks(graph, 0, 1, 4)
    assert found.distances.tolist() == [2**58 * (1 + 2 * turns) + turns for turns in range(4)]
    with pytest.raises(apsp.DtypeRangeError, match=r"walks may be longer than 2\^61.*smaller k"):
        apsp.shortest_walks(graph, 0, 1, 5)
    assert apsp.shortest_walks(graph.with_weights([2.0**58, 2.0**58]), 0, 1, 6).distances[5] == 11 * 2.0**58


def test_whole_floats_are_summed_as_floats() -> None:
    """Longer walks than paths have sums that are rounded, one arc after the other."""
    odd = 2.0**52 + 1
    found = apsp.shortest_walks(apsp.from_edges([0], [0], [odd]), 0, 0, 8)
    assert found.distances.tolist() == list(itertools.accumulate([odd] * 7, initial=0.0))


def test_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    from apsp.methods.walks import walks

    graph = apsp.from_edges([0, 0, 1], [0, 1, 1], [0, 1, 0])
    monkeypatch.setattr(walks, "usable", lambda _: 1 << 20)
    assert len(apsp.shortest_walks(graph, 0, 1, 100)) == 100
    with pytest.raises(apsp.MemoryLimitError, match=r"100,000 shortest walks of 1 pairs.*a smaller k"):
        apsp.shortest_walks(graph, 0, 1, 100_000)
    with pytest.raises(apsp.MemoryLimitError, match="a smaller k"):
        apsp.shortest_walks(graph.with_weights([0.0, 0.1, 0.0]), 0, 1, 100_000)


@pytest.mark.parametrize("zones", [None, np.arange(5) == 2])
def test_walks_that_surely_exist_are_refused_before_they_are_computed(zones: Any) -> None:
    """Cycles make walks longer and longer: memory would be filled for minutes."""
    cycle = apsp.from_edges([0, 1, 2, 3, 3], [1, 2, 1, 0, 4], [1, 2, 3, 4, 1], zones=zones)
    if zones is None:
        with pytest.raises(apsp.MemoryLimitError, match=r"the 2,147,483,648 shortest walks of 1 pairs needs"):
            apsp.shortest_walks(cycle, 0, 2, k=2**31)
    else:  # no walk passes the zone, so that there is no cycle
        assert apsp.shortest_walks(cycle, 0, 2, k=2**31).distances.tolist() == [3]
    loop = apsp.Graph([0, 2, 2], [0, 1], [5, 1])
    with pytest.raises(apsp.MemoryLimitError):
        apsp.shortest_walks(loop, 0, 1, k=2**62)
    assert apsp.shortest_walks(cycle, 3, 4, k=2**62).distances.tolist() == [1]  # its cycles do not lead there


def test_progress() -> None:
    graph = apsp.generate("city", 3000, seed=3, weights=(1, 40))
    sources, targets = np.random.default_rng(1).integers(0, 3000, (2, 50))
    seen: list[tuple[str, int, int]] = []
    apsp.shortest_walks(graph, sources, targets, 20, progress=lambda *said: seen.append(said))
    assert seen[-1] == ("walks", 50, 50)
