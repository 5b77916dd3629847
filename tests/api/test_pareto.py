"""Paths that no path beats in two costs: those of an enumeration of all paths, and of NetworkX; limits and refusals."""

from __future__ import annotations

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

Link = tuple[int, int, Any, Any]


def every_front(n: int, links: list[Link], source: int, zones: frozenset[int]) -> list[set[tuple[Any, Any]]]:
    """The costs of simple paths to each vertex that none beats; each is the sum in the order of the path."""
    found: list[set[tuple[Any, Any]]] = [set() for _ in range(n)]

    def extend(path: list[int], costs: tuple[Any, Any]) -> None:
        if math.inf in costs:
            return
        found[path[-1]].add(costs)
        if len(path) > 1 and path[-1] in zones:
            return
        for tail, head, first, second in links:
            if tail == path[-1] and head not in path:
                extend([*path, head], (costs[0] + first, costs[1] + second))

    extend([source], (0, 0))
    return [{pair for pair in pairs if not any(beats(other, pair) for other in pairs)} for pairs in found]


def beats(one: tuple[Any, Any], other: tuple[Any, Any]) -> bool:
    return one != other and one[0] <= other[0] and one[1] <= other[1]


def graph_of(n: int, links: list[Link], **options: Any) -> apsp.Graph:
    tails, heads, first, second = zip(*links, strict=True)
    return apsp.from_edges(tails, heads, np.array(first), n=n, costs={"toll": np.array(second)}, links=True, **options)


def check(found: apsp.ParetoPaths, front: set[tuple[Any, Any]], links: list[Link], *, directed: bool) -> None:
    """The costs are the front, ascending; vertices and links are of paths that have these costs."""
    costs = list(zip(found.distances.tolist(), found.costs.tolist(), strict=True))
    assert costs == sorted(front)
    for (first, second), path, numbers in zip(costs, found, found.links, strict=True):
        assert len(numbers) == len(path) - 1
        assert len(set(path)) == len(path)
        sums: list[Any] = [0, 0]
        for (tail, head), number in zip(itertools.pairwise(path), numbers, strict=True):
            u, v, *own = links[number]
            assert (u, v) == (tail, head) or (not directed and (v, u) == (tail, head))
            sums = [total + cost for total, cost in zip(sums, own, strict=True)]
        assert sums == [first, second]


INTEGERS = st.integers(0, 4)
FLOATS = st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.7, 1e-300, 1 / 3, 1e16, 1e307])
COSTS = st.sampled_from([INTEGERS, st.just(0), st.integers(0, 2**40), FLOATS, INTEGERS.map(float)])


@st.composite
def networks(draw: st.DrawFn) -> tuple[int, list[Link], bool, frozenset[int]]:
    n = draw(st.integers(1, 6))
    ends = st.integers(0, n - 1)
    links = draw(st.lists(st.tuples(ends, ends, draw(COSTS), draw(COSTS)), min_size=1, max_size=14))
    zones = draw(st.sampled_from([frozenset(), frozenset({0}), frozenset(range(0, n, 2))]))
    return n, links, draw(st.booleans()), zones


@settings(deadline=None, max_examples=examples(400))
@given(networks(), st.integers(1, 2))
def test_as_an_enumeration(drawn: tuple[int, list[Link], bool, frozenset[int]], threads: int) -> None:
    n, links, directed, zones = drawn
    marks = np.isin(np.arange(n), list(zones)) if zones else None
    graph = graph_of(n, links, directed=directed, zones=marks)
    arcs = links if directed else [*links, *((v, u, *costs) for u, v, *costs in links)]
    pairs = list(itertools.product(range(n), repeat=2))
    found = apsp.pareto(graph, "toll", *zip(*pairs, strict=True), threads=threads)
    fronts = [every_front(n, arcs, source, zones) for source in range(n)]
    for number, (source, target) in enumerate(pairs):
        check(found.of_pair(number), fronts[source][target], links, directed=directed)


@pytest.mark.parametrize("kind", ["integers", "floats", "mixed"])
def test_a_grid_as_networkx(kind: str) -> None:
    """All simple paths of a grid, whose costs often tie."""
    rng = np.random.default_rng(4)
    for draw in range(6):
        grid = nx.convert_node_labels_to_integers(nx.grid_2d_graph(4, 4))
        for _, _, data in grid.edges(data=True):
            data["weight"], data["toll"] = rng.integers(1, 9, 2).tolist()
            if kind != "integers":
                data["toll"] /= 10
            if kind == "floats":
                data["weight"] /= 7
        graph = apsp.from_networkx(grid, costs=["toll"])
        paths = list(nx.all_simple_paths(grid, 0, 15))
        costs = {
            tuple(sum(grid[u][v][name] for u, v in itertools.pairwise(path)) for name in ("weight", "toll"))
            for path in paths
        }
        front = sorted(pair for pair in costs if not any(beats(other, pair) for other in costs))
        found = apsp.pareto(graph, "toll", 0, 15)
        assert list(zip(found.distances.tolist(), found.costs.tolist(), strict=True)) == front, draw
        assert all(path in paths for path in found)


def test_the_ends_of_a_front_are_least_costs() -> None:
    city = apsp.generate("city", 3000, seed=2)
    tolls = np.random.default_rng(2).integers(0, 30, city.m)
    graph = city.with_costs(toll=tolls) if city.directed else city.with_costs(
        toll=np.where(city.tails() < city.indices, tolls, tolls[np.lexsort((city.tails(), city.indices))])
    )  # fmt: skip
    sources, targets = np.random.default_rng(5).integers(0, 3000, (2, 6))
    found = apsp.pareto(graph, "toll", sources, targets, threads=2)
    cheapest = apsp.distances(graph.with_weights("toll"), sources, targets)
    quickest = apsp.distances(graph, sources, targets)
    for number in range(6):
        own = found.of_pair(number)
        assert own.distances[0] == quickest[number]
        assert own.costs[-1] == cheapest[number]
        assert (np.diff(own.distances) > 0).all()
        assert (np.diff(own.costs) < 0).all()
    alone = apsp.pareto(graph, "toll", sources[3:4], targets[3:4], threads=1)
    assert list(alone) == list(found.of_pair(3))


def test_rounded_bounds_do_not_hide_a_path() -> None:
    """Sums of many floats from the source and from the target differ in their last bits."""
    rng = np.random.default_rng(8)
    n = 60
    tails = np.repeat(np.arange(n - 1), 2)
    links = [(int(u), int(u) + 1, *rng.choice([0.1, 0.2, 0.3, 0.7], 2).tolist()) for u in tails]
    fronts: set[tuple[float, float]] = {(0.0, 0.0)}
    for vertex in range(n - 1):
        after = {(a + link[2], b + link[3]) for a, b in fronts for link in links[2 * vertex : 2 * vertex + 2]}
        fronts, least = set(), math.inf
        for a, b in sorted(after):
            if b < least:
                fronts.add((a, b))
                least = b
    check(apsp.pareto(graph_of(n, links), "toll", 0, n - 1), fronts, links, directed=True)


def test_costs_have_the_width_of_their_numbers() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], np.array([0.1, 0.2], np.float32), costs={"toll": [2, 2]})
    found = apsp.pareto(graph, "toll", 0, 2)
    assert found.distances.dtype == np.float32
    assert found.distances[0] == np.float32(float(np.float32(0.1)) + float(np.float32(0.2)))
    assert (found.costs.dtype, found.costs.tolist()) == (np.int64, [4])
    hops = apsp.pareto(graph.unweighted(), "toll", 0, 2)
    assert (hops.distances.tolist(), hops.costs.tolist()) == ([2], [4])


def test_labels_pairs_and_tables() -> None:
    graph = apsp.from_edges(
        ["a", "a", "b"], ["b", "c", "c"], [2, 7, 2], directed=False, costs={"toll": [3, 0, 0]}, links=True
    )
    found = apsp.pareto(graph, "toll", ["a", "b", "c"], ["c", "b", "a"])
    assert list(found) == [["a", "b", "c"], ["a", "c"], ["b"], ["c", "b", "a"], ["c", "a"]]
    assert [len(found.of_pair(number)) for number in range(3)] == [2, 1, 2]
    assert list(found.of_pair(2).links) == [[2, 0], [1]]
    assert list(found.of_pair(1).links) == [[]]
    table = found.to_pandas()
    assert table.columns.tolist() == ["pair", "path", "source", "target", "distance", "toll"]
    assert table["toll"].tolist() == [3, 0, 0, 3, 0]
    assert "ParetoPaths(5 paths, distance and toll)" in found._repr_html_()
    assert len(apsp.pareto(graph, "toll", [], [])) == 0
    assert apsp.pareto(graph, "toll", [], []).to_long()["toll"].tolist() == []


def test_no_path() -> None:
    found = apsp.pareto(apsp.from_edges([0], [1], [1], n=3, costs={"toll": [1]}), "toll", [1, 0], [0, 2])
    assert (len(found), found.of_pair(0).costs.tolist(), found.of_pair(1).costs.tolist()) == (0, [], [])


def exponential(steps: int) -> apsp.Graph:
    """Two ways per step, of costs that are powers of two: every path is a compromise."""
    powers = [0, 1] * steps
    first = [power << (at // 2) for at, power in enumerate(powers)]
    second = [(1 - power) << (at // 2) for at, power in enumerate(powers)]
    tails = np.repeat(np.arange(steps), 2)
    return apsp.from_edges(tails, tails + 1, first, costs={"toll": second}, links=True)


def test_too_many_labels_are_refused() -> None:
    graph = exponential(8)
    found = apsp.pareto(graph, "toll", 0, 8, most=511)
    assert len(found) == 2**8
    with pytest.raises(apsp.RequestError, match=r"the search from 0 to 8 has more than most=510 labels.*coarser"):
        apsp.pareto(graph, "toll", [8, 0], [8, 8], most=510)


def test_too_much_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from apsp.methods.pareto import pareto

    monkeypatch.setattr(pareto, "usable", lambda _: 1 << 21)
    with pytest.raises(apsp.MemoryLimitError, match=r"paths of 1 pairs.*fewer pairs at a time"):
        apsp.pareto(exponential(15), "toll", 0, 15)


def test_refused() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [1, 1], costs={"toll": [2, -1]})
    with pytest.raises(apsp.RequestError, match=r"cost 'toll'.*negative"):
        apsp.pareto(graph, "toll", 0, 2)
    with pytest.raises(apsp.RequestError, match=r"cost='fee': the graph has the costs toll.*with_costs"):
        apsp.pareto(graph, "fee", 0, 2)
    with pytest.raises(apsp.RequestError, match="the weights of the graph are negative"):
        apsp.pareto(graph.with_costs(toll=[1, 1]).with_weights([1, -1]), "toll", 0, 2)
    with pytest.raises(apsp.DtypeRangeError, match=r"'toll'.*2\^61"):
        apsp.pareto(graph.with_costs(toll=[2**62, 1]), "toll", 0, 2)
    with pytest.raises(apsp.RequestError, match="keeps no links"):
        _ = apsp.pareto(graph.with_costs(toll=[1, 1]), "toll", 0, 2).links
    named = graph.with_costs(path=[1, 1])
    with pytest.raises(apsp.RequestError, match="name of the column 'path'"):
        apsp.pareto(named, "path", 0, 2).to_long()
    street = apsp.from_edges([0], [1], [9], costs={"toll": [1]}, coordinates=[[0, 0], [0, 9]])
    with pytest.raises(apsp.RequestError, match=r"sources: .* takes vertices here, not places"):
        apsp.pareto(street, "toll", street.snap([[0, 3]], crs="plane", speed=1), 1)


def test_turns_are_refused() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [1, 1], costs={"toll": [1, 1]}, links=True)
    with pytest.raises(apsp.RequestError, match="turns"):
        apsp.pareto(apsp.with_turns(graph, forbidden=[[0, 1]]), "toll", 0, 2)


def test_progress() -> None:
    seen: list[tuple[str, int, int]] = []
    apsp.pareto(exponential(9), "toll", [0, 1, 2], 9, progress=lambda *said: seen.append(said))
    assert seen[-1] == ("pareto", 3, 3)
