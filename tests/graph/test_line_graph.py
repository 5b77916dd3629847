"""Graphs of links: against NetworkX' line graph, and angles against those of vectors."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest

import apsp
from turns_truth import random_case


@pytest.mark.parametrize("seed", range(60))
def test_it_is_the_line_graph_of_networkx(seed: int) -> None:
    case = random_case(np.random.default_rng(seed))
    graph = case.graph()
    lines = apsp.line_graph(graph)
    ours = nx.MultiDiGraph()
    ours.add_nodes_from(range(case.n))
    for vertex in range(lines.graph.n):
        tail, head, length, _ = case.links[lines.links[vertex]]
        ends = (head, tail) if lines.is_against[vertex] else (tail, head)
        assert ends == (lines.tails[vertex], lines.heads[vertex])
        assert lines.weights[vertex] == length
        ours.add_edge(*ends, key=vertex)
    assert sorted(zip(lines.links.tolist(), lines.is_against.tolist(), strict=True)) == sorted(case.uses())
    wanted = {
        (one[2], other[2]) for one, other in nx.line_graph(ours).edges() if not case.zones[one[1]]
    }  # fmt: skip
    found = set(zip(lines.graph.tails().tolist(), lines.graph.indices.tolist(), strict=True))
    assert found == wanted
    assert all(lines.graph.weights == lines.weights[lines.graph.indices])
    for vertex in range(case.n):
        assert lines.leaving(f"v{vertex}").tolist() == sorted(each for *_, each in ours.out_edges(vertex, keys=True))
        assert lines.entering(f"v{vertex}").tolist() == sorted(each for *_, each in ours.in_edges(vertex, keys=True))


@pytest.mark.parametrize("seed", range(20))
def test_distances_are_those_of_the_vertices(seed: int) -> None:
    case = random_case(np.random.default_rng(seed))
    graph = case.graph()
    lines, between = apsp.line_graph(graph), apsp.solve(graph).to_numpy()
    far = apsp.solve(lines.graph).to_numpy()
    for source in range(case.n):
        for target in range(case.n):
            starts, ends = lines.leaving(f"v{source}"), lines.entering(f"v{target}")
            if source != target:
                found = (lines.weights[starts][:, None] + far[np.ix_(starts, ends)]).min(initial=math.inf)
                assert found == between[source, target]


def test_u_turns_are_left_out() -> None:
    street = apsp.from_edges([("a", "b", 1), ("b", "c", 1)], directed=False)
    assert apsp.line_graph(street).graph.m == 6
    assert apsp.line_graph(street, u_turns=False).graph.m == 2


def test_angles_are_those_of_vectors() -> None:
    rng = np.random.default_rng(4)
    points = rng.random((30, 2))
    tails, heads = rng.permuted(np.tile(np.arange(30), (2, 4)), axis=1)
    apart = tails != heads
    graph = apsp.from_edges(tails[apart], heads[apart], n=30, coordinates=points)
    lines = apsp.line_graph(graph, weight="angle", crs="plane")
    vectors = points[lines.heads] - points[lines.tails]
    first, second = vectors[lines.graph.tails()], vectors[lines.graph.indices]
    cosine = (first * second).sum(axis=1) / np.linalg.norm(first, axis=1) / np.linalg.norm(second, axis=1)
    np.testing.assert_allclose(lines.graph.weights, np.degrees(np.arccos(np.clip(cosine, -1, 1))), atol=1e-5)


def test_angles_on_the_sphere_are_those_of_the_plane_in_the_small() -> None:
    metre = 1 / 111_195
    flat = np.array([[0, 0], [100, 0], [150, 80], [200, -70]], float)
    there = np.array([10, 60]) + flat * metre / [math.cos(math.radians(60)), 1]
    for points, crs in ((there, "degrees"), (there * 1e6, "microdegrees")):
        graph = apsp.from_edges([0, 1, 1], [1, 2, 3], coordinates=points, crs=crs)
        found = apsp.line_graph(graph, weight="angle").graph.weights
        wanted = [math.degrees(math.atan2(80, 50)), math.degrees(math.atan2(70, 100))]
        np.testing.assert_allclose(found, wanted, atol=0.01)


def test_what_has_no_direction_is_refused() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], coordinates=[[0, 0], [0, 0], [1, 1]], labels=["a", "b", "c"])
    with pytest.raises(apsp.GraphError, match="link 0, from 'a' to 'b', or one that follows it, has no direction"):
        apsp.line_graph(graph, weight="angle", crs="plane")
    with pytest.raises(apsp.GraphError, match="angles of movements need the coordinates"):
        apsp.line_graph(apsp.from_edges([0, 1], [1, 2]), weight="angle")
    with pytest.raises(apsp.RequestError, match="weight must be one of cost, angle"):
        apsp.line_graph(graph, weight="odd")
    assert apsp.line_graph(apsp.from_edges([], [], n=3)).graph.n == 0
