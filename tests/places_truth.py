"""Distances between places in exact arithmetic: the places inserted as vertices in their streets."""

from __future__ import annotations

import heapq
import itertools
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

import apsp
from apsp.graph.labels import labels_of

Arcs = list[tuple[int, int, int]]


def dijkstra(arcs: dict[Any, dict[Any, Fraction]], source: Any, zones: set[Any]) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    heap = [(Fraction(0), 0, source)]
    count = 1
    while heap:
        far, _, vertex = heapq.heappop(heap)
        if vertex in found:
            continue
        found[vertex] = far
        if vertex in zones and vertex != source:
            continue
        for head, length in arcs.get(vertex, {}).items():
            heapq.heappush(heap, (far + length, count, head))
            count += 1
    return found


def reference(
    arcs: Arcs, sources: apsp.Places, targets: apsp.Places, zones: set[int], indices: np.ndarray, tails: np.ndarray
) -> np.ndarray:
    """Distances in the graph whose streets are cut at the places, which are further vertices."""
    best: dict[tuple[int, int], Fraction] = {}
    for tail, head, length in arcs:
        best[tail, head] = min(best.get((tail, head), Fraction(length)), Fraction(length))
    cuts: dict[tuple[int, int], set[Fraction]] = {}

    def spot(places: apsp.Places, row: int) -> Any:
        arc = int(places.arcs[row])
        if arc < 0:
            return int(places.vertices[row])
        street = int(tails[arc]), int(indices[arc])
        at = Fraction(float(places.fractions[row]))
        cuts.setdefault(street, set()).add(at)
        return street, at

    spots = {(id(places), row): spot(places, row) for places in (sources, targets) for row in range(len(places))}
    links: dict[Any, dict[Any, Fraction]] = {}

    def link(tail: Any, head: Any, length: Fraction) -> None:
        links.setdefault(tail, {})[head] = min(length, links.get(tail, {}).get(head, length))

    for (tail, head), length in best.items():
        link(tail, head, length)
        street = (tail, head) if (tail, head) in cuts else (head, tail)
        if street not in cuts:
            continue
        stops = [(Fraction(0), street[0])]
        stops += [(at, (street, at)) for at in sorted(cuts[street])]
        stops += [(Fraction(1), street[1])]
        for (start, first), (stop, second) in itertools.pairwise(stops):
            if street == (tail, head):
                link(first, second, (stop - start) * length)
            else:
                link(second, first, (stop - start) * length)
    found = np.full((len(sources), len(targets)), np.inf)
    for row in range(len(sources)):
        leg = Fraction(float(sources.costs[row]))
        lengths = dijkstra(links, spots[id(sources), row], zones)
        lengths = {vertex: length + leg for vertex, length in lengths.items()}
        for column in range(len(targets)):
            last = Fraction(float(targets.costs[column]))
            length = lengths.get(spots[id(targets), column])
            if length is not None:
                found[row, column] = float(length + last)
            if leg and last and (sources.points[row] == targets.points[column]).all():
                found[row, column] = 0.0
    return found


PLACE = st.tuples(
    st.integers(0, 30), st.sampled_from([0.0, 0.25, 0.5, 0.3, 0.999, 1.0]), st.sampled_from([0.0, 1.5, 7.0])
)
CASE = st.tuples(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 9)), min_size=1, max_size=14),
    st.booleans(),
    st.lists(PLACE, max_size=5),
    st.lists(PLACE, max_size=5),
)


def placed(graph: apsp.Graph, chosen: list[tuple[int, float, float]], tag: str) -> apsp.Places:
    """Places on streets by their number, made without a map."""
    some = graph.snap(np.zeros((0, 2)), crs="plane", speed=1) if not chosen else None
    streets = street_list(graph)
    tails = graph.tails()
    arcs = np.array([streets[number % len(streets)] for number, *_ in chosen], dtype=np.int64)
    fractions = np.array([part for _, part, _ in chosen])
    legs = np.array([leg for *_, leg in chosen])
    vertices = np.where(fractions == 1, graph.indices[arcs], tails[arcs]) if len(arcs) else np.zeros(0)
    on = (fractions > 0) & (fractions < 1)
    points = np.stack([arcs + fractions, legs], axis=1) if len(arcs) else np.zeros((0, 2))
    base = some if some is not None else graph.snap(np.zeros((len(chosen), 2)), crs="plane", speed=1)
    return replace(
        base, labels=labels_of([f"{tag}{row}" for row in range(len(chosen))]), points=points,
        arcs=np.where(on, arcs, -1), vertices=vertices.astype(np.int32), fractions=np.where(on, fractions, 0.0),
        on_street=points.copy(), legs=legs,
    )  # fmt: skip


def street_list(graph: apsp.Graph) -> list[int]:
    """One arc per street, of those back and forth that from the smaller vertex."""
    arcs = list(zip(graph.tails().tolist(), graph.indices.tolist(), strict=True))
    zones = np.zeros(graph.n, bool) if graph.zones is None else graph.zones
    return [
        number for number, (tail, head) in enumerate(arcs)
        if tail != head and (tail < head or (head, tail) not in arcs) and not zones[tail] and not zones[head]
    ]  # fmt: skip


def graph_of_case(arcs: Arcs, directed: bool, zones: set[int] | None = None) -> tuple[apsp.Graph, Arcs]:
    columns = [list(column) for column in zip(*arcs, strict=True)]
    mask = None if zones is None else [vertex in zones for vertex in range(6)]
    rng = np.random.default_rng(0)
    graph = apsp.from_edges(
        columns[0], columns[1], columns[2], n=6, directed=directed, coordinates=rng.random((6, 2)), zones=mask
    )
    both = arcs if directed else [*arcs, *((head, tail, length) for tail, head, length in arcs)]
    return graph, both


def usable(graph: apsp.Graph) -> bool:
    return len(street_list(graph)) > 0


def at_vertices(graph: apsp.Graph) -> apsp.Places:
    """The vertices themselves as places."""
    base = graph.snap(np.zeros((graph.n, 2)), crs="plane", speed=1)
    nothing = np.zeros(graph.n)
    return replace(
        base, labels=labels_of([f"v{vertex}" for vertex in range(graph.n)]), points=np.stack([nothing - 7, nothing], 1),
        arcs=np.full(graph.n, -1), vertices=np.arange(graph.n, dtype=np.int32), fractions=nothing, legs=nothing,
    )  # fmt: skip


def ends_of(graph: apsp.Graph, best: dict[tuple[int, int], int], places: apsp.Places, *, leaving: bool) -> Any:
    """The ends of the street of a place, and the lengths to them or from them."""
    cost = Fraction(float(places.costs[0]))
    tail = int(places.vertices[0])
    if places.arcs[0] < 0:
        return [(tail, cost)]
    head, part = int(graph.indices[places.arcs[0]]), Fraction(float(places.fractions[0]))
    along, back = best[tail, head], best.get((head, tail))
    to_tail, to_head = (back, along) if leaving else (along, back)
    found = [] if to_tail is None else [(tail, cost + part * to_tail)]
    return found if to_head is None else [*found, (head, cost + (1 - part) * to_head)]
