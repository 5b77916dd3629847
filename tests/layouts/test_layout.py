"""Layouts: their stress beside that of other programs, and what they are of."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path
from scipy.spatial import procrustes
from scipy.spatial.distance import pdist, squareform

import apsp

Points = npt.NDArray[np.float64]


def distances_of(graph: nx.Graph) -> Points:
    """By SciPy; the direction of arcs is ignored."""
    found: Points = shortest_path(nx.to_scipy_sparse_array(graph, dtype=float), directed=False)
    return found


def stress_of(points: Points, distances: Points) -> float:
    """The mean over all pairs at a finite distance above 0, at the best scale."""
    straight, wanted = pdist(points), squareform(distances)
    straight, wanted = straight[(wanted > 0) & np.isfinite(wanted)], wanted[(wanted > 0) & np.isfinite(wanted)]
    scale = (straight / wanted).sum() / np.square(straight / wanted).sum()
    return float(np.square((scale * straight - wanted) / wanted).mean())


def random_graph(n: int, edges: int, seed: int) -> nx.Graph:
    graph = nx.gnm_random_graph(n, edges, seed=seed)
    return nx.convert_node_labels_to_integers(graph.subgraph(max(nx.connected_components(graph), key=len)))


def weighted(graph: nx.Graph, seed: int) -> nx.Graph:
    random = np.random.default_rng(seed)
    for _, _, data in graph.edges(data=True):
        data["weight"] = int(random.integers(1, 9))
    return graph


def grid(rows: int, columns: int) -> nx.Graph:
    return nx.convert_node_labels_to_integers(nx.grid_2d_graph(rows, columns))


GRAPHS: dict[str, Callable[[], nx.Graph]] = {
    "path": lambda: nx.path_graph(60),
    "cycle": lambda: nx.cycle_graph(60),
    "grid": lambda: grid(6, 10),
    "star": lambda: nx.star_graph(59),
    "complete": lambda: nx.complete_graph(60),
    "binary tree": lambda: nx.balanced_tree(2, 5),
    "weighted grid": lambda: weighted(grid(6, 10), 1),
    "weighted": lambda: weighted(random_graph(60, 120, 5), 2),
    **{f"random {seed}": lambda seed=seed: random_graph(60, 120, seed) for seed in range(3)},
    **{f"tree {seed}": lambda seed=seed: nx.random_labeled_tree(60, seed=seed) for seed in range(3)},
    **{f"hubs {seed}": lambda seed=seed: nx.barabasi_albert_graph(60, 2, seed=seed) for seed in range(3)},
}


@pytest.mark.parametrize("name", GRAPHS)
def test_stress_is_no_worse_than_that_of_networkx(name: str) -> None:
    graph = GRAPHS[name]()
    other = nx.kamada_kawai_layout(graph)
    distances = distances_of(graph)
    bound = stress_of(np.array([other[vertex] for vertex in graph]), distances)
    assert stress_of(apsp.layout(graph), distances) <= 1.1 * bound + 1e-6


def test_the_measure_of_stress_sees_a_bad_layout() -> None:
    distances = distances_of(grid(6, 10))
    scattered = np.random.default_rng(1).normal(size=(60, 2))
    assert stress_of(scattered, distances) > 4 * stress_of(apsp.layout(grid(6, 10)), distances)


@pytest.mark.parametrize("pivots", [200, 30])
def test_a_grid_is_a_grid(pivots: int) -> None:
    found = apsp.layout(grid(9, 14), pivots=pivots)
    wanted = np.array(list(itertools.product(range(9), range(14))), dtype=float)
    assert procrustes(wanted, found)[2] < 0.01


def test_a_path_is_straight_and_as_long_as_its_distances() -> None:
    lengths = np.arange(1, 40)
    points = apsp.layout(apsp.from_edges(range(39), range(1, 40), lengths))
    np.testing.assert_allclose(pdist(points), pdist(np.cumsum([0, *lengths])[:, None]), rtol=1e-3)


def test_a_cycle_is_round() -> None:
    points = apsp.layout(nx.cycle_graph(50))
    radii = np.hypot(*(points - points.mean(axis=0)).T)
    assert radii.max() < 1.01 * radii.min()


def test_few_pivots_come_near_to_all() -> None:
    graph = random_graph(400, 800, 4)
    distances = distances_of(graph)
    few, every = (stress_of(apsp.layout(graph, pivots=pivots), distances) for pivots in (60, 400))
    assert every <= few <= 1.25 * every


@pytest.mark.parametrize("pivots", [20, 200])
def test_points_are_those_of_the_seed_with_any_number_of_threads(pivots: int) -> None:
    graph = random_graph(700, 1500, 4)
    one = apsp.layout(graph, pivots=pivots, threads=1)
    np.testing.assert_array_equal(apsp.layout(graph, pivots=pivots, threads=2), one)
    np.testing.assert_array_equal(apsp.layout(graph, pivots=pivots, threads=3, seed=0), one)
    assert (apsp.layout(graph, pivots=pivots, seed=1) != one).any()


def test_points_scale_with_the_weights() -> None:
    graph = apsp.as_graph(weighted(grid(5, 5), 3))
    one = apsp.layout(graph.with_weights(graph.weights.astype(float)))
    np.testing.assert_array_equal(apsp.layout(graph.with_weights(graph.weights * 2.0**400)), one * 2.0**400)
    np.testing.assert_array_equal(apsp.layout(graph.with_weights(graph.weights * 2.0**-400)), one * 2.0**-400)


def test_integers_beyond_int32_are_as_small_ones() -> None:
    graph = apsp.as_graph(weighted(grid(5, 5), 3))
    large = apsp.layout(graph.with_weights(graph.weights.astype(np.int64) << 40))
    np.testing.assert_allclose(large / 2.0**40, apsp.layout(graph), atol=1e-9)


def test_arcs_count_in_both_directions() -> None:
    pairs = [(0, 1), (1, 2), (2, 3), (3, 0), (3, 1)]
    edges = apsp.from_edges(*zip(*pairs, strict=True), [1, 2, 3, 4, 5], directed=False)
    arcs = apsp.from_edges(*zip(*pairs, (1, 0), (2, 1), strict=True), [1, 2, 3, 4, 5, 9, 2])
    np.testing.assert_array_equal(apsp.layout(arcs), apsp.layout(edges))


def test_of_parallel_edges_the_shortest_counts_and_loops_do_not() -> None:
    found = apsp.layout(apsp.from_edges([0, 0, 1, 1, 0], [1, 1, 1, 2, 0], [7, 3, 9, 2, 1], directed=False))
    assert pdist(found) == pytest.approx([3, 5, 2], rel=1e-3)


def test_vertices_at_distance_0_lie_on_one_point() -> None:
    found = apsp.layout(apsp.from_edges([0, 1, 2, 3], [1, 2, 3, 4], [2, 0, 0, 3], n=6))
    assert (found[1] == found[2]).all()
    assert (found[2] == found[3]).all()
    assert pdist(found[[0, 1, 4]]) == pytest.approx([2, 5, 3], rel=1e-3)
    assert (apsp.layout(apsp.from_edges([0, 1, 2], [1, 2, 0], [0, 0, 0])) == 0).all()


def test_a_weight_below_the_rounding_of_the_largest_counts_as_0() -> None:
    found = apsp.layout(apsp.from_edges([0, 1, 2], [1, 2, 3], [1.0, 1e-300, 1.0]))
    assert (found[1] == found[2]).all()
    assert np.isfinite(found).all()


def test_loops_and_longer_arcs_back_make_no_weight_small() -> None:
    plain = apsp.layout(apsp.from_edges([0, 1], [1, 2], [1.0, 2.0]))
    np.testing.assert_array_equal(apsp.layout(apsp.from_edges([0, 1, 1], [1, 2, 1], [1.0, 2.0, 1e300])), plain)
    np.testing.assert_array_equal(apsp.layout(apsp.from_edges([0, 1, 1], [1, 2, 0], [1.0, 2.0, 1e300])), plain)


def boxes_apart(points: Points, members: list[list[int]]) -> bool:
    corners = [(points[part].min(axis=0), points[part].max(axis=0)) for part in members]
    pairs = itertools.combinations(corners, 2)
    return all((low > other[1]).any() or (high < other[0]).any() for (low, high), other in pairs)


def test_components_lie_apart_and_the_largest_first() -> None:
    graph = nx.disjoint_union_all([nx.path_graph(2), grid(4, 5), nx.cycle_graph(6), nx.empty_graph(3), grid(3, 3)])
    points = apsp.layout(graph)
    members = [sorted(part) for part in nx.connected_components(graph)]
    assert boxes_apart(points, members)
    largest = max(members, key=len)
    assert (points[largest].min(axis=0) == 0).all()
    assert (points >= 0).all()
    for part in members:
        alone = apsp.layout(nx.convert_node_labels_to_integers(graph.subgraph(part)))
        np.testing.assert_allclose(np.sort(pdist(points[part])), np.sort(pdist(alone)), atol=0.02)


def test_a_thousand_components() -> None:
    tails = np.arange(0, 2000, 2)
    points = apsp.layout(apsp.from_edges(tails, tails + 1, n=2500))
    assert len(np.unique(points.round(9), axis=0)) == 2500
    np.testing.assert_array_equal(np.abs(points[tails] - points[tails + 1]), np.tile([1.0, 0.0], (1000, 1)))
    assert np.ptp(points, axis=0).max() < 5 * np.ptp(points, axis=0).min()


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_few_vertices(n: int) -> None:
    assert apsp.layout(apsp.from_edges([], [], n=n)).shape == (n, 2)
    connected = apsp.layout(apsp.from_edges(range(n - 1), range(1, n), [3] * (n - 1), n=n))
    assert connected.dtype == np.float64
    wanted = 3.0 * np.arange(n)[:, None]
    np.testing.assert_allclose(pdist(connected), pdist(wanted) if n else [], rtol=1e-3)


@pytest.mark.parametrize("pivots", [1, 2, 3, 10**12])
def test_any_number_of_pivots(pivots: int) -> None:
    points = apsp.layout(grid(5, 6), pivots=pivots)
    assert points.shape == (30, 2)
    assert len(np.unique(points, axis=0)) == 30


def test_the_graph_stays() -> None:
    graph = apsp.as_graph(weighted(grid(3, 4), 1))
    before = apsp.as_graph(weighted(grid(3, 4), 1))
    apsp.layout(graph)
    assert graph == before


def test_points_are_in_the_order_of_the_vertices() -> None:
    named = nx.relabel_nodes(nx.path_graph(9), dict(enumerate("ihgfedcba")))
    points = apsp.layout(named)
    graph = apsp.as_graph(named)
    drawn = apsp.Graph(
        graph.indptr, graph.indices, graph.weights, directed=graph.directed, labels=graph.labels, coordinates=points
    )
    assert np.hypot(*(drawn.coordinates[drawn.index("i")] - drawn.coordinates[drawn.index("a")])) > 7.9


def test_other_graphs_are_taken() -> None:
    matrix = nx.to_scipy_sparse_array(grid(3, 4))
    np.testing.assert_array_equal(apsp.layout(matrix), apsp.layout(apsp.from_scipy(csr_array(matrix))))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"pivots": 0}, "pivots must be a whole number of at least 1"),
        ({"pivots": 2.5}, "pivots must be a whole number"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
        ({"seed": None}, "seed must be a whole number"),
        ({"threads": 0}, "threads must be"),
        ({"progress": "yes"}, "progress must be"),
    ],
)
def test_odd_arguments(given: dict[str, Any], words: str) -> None:
    with pytest.raises(apsp.RequestError, match=words):
        apsp.layout(grid(2, 2), **given)


def test_negative_weights_are_refused() -> None:
    with pytest.raises(apsp.RequestError, match=r"not negative; the smallest is -2"):
        apsp.layout(apsp.from_edges([0, 1], [1, 2], [4, -2]))


def test_turns_are_refused() -> None:
    with pytest.raises(apsp.ApspError, match="turn"):
        apsp.layout(apsp.with_turns(apsp.from_edges([0, 1], [1, 2]), forbidden=[(0, 1)]))  # type: ignore[arg-type]


def test_points_beyond_floats_are_refused() -> None:
    with pytest.raises(apsp.RequestError, match="beyond the largest float64"):
        apsp.layout(apsp.from_edges([0, 1, 2], [1, 2, 3], [1e308] * 3))


def test_memory_is_refused_before_the_work() -> None:
    graph = apsp.from_edges([0], [1], n=3_000_000)
    with pytest.raises(apsp.MemoryLimitError, match=r"3,000,000 vertices from 3,000,000 pivots.*\n?.*pivots=\d+"):
        apsp.layout(graph, pivots=3_000_000, progress=lambda *_: pytest.fail("work began"))


def test_progress_ends_at_its_total() -> None:
    seen: list[tuple[str, int, int]] = []
    graph = nx.disjoint_union(random_graph(300, 700, 1), nx.cycle_graph(7))
    apsp.layout(graph, pivots=20, progress=lambda *report: seen.append(report))
    stages = [stage for stage, _ in itertools.groupby(stage for stage, _, _ in seen)]
    assert stages == ["pivots", "sweeps"]
    for stage in stages:
        done = [report[1:] for report in seen if report[0] == stage]
        assert done == sorted(done)
        assert len({total for _, total in done}) == 1
        assert done[-1][0] == done[-1][1]


def test_an_error_of_the_progress_stops_the_work() -> None:
    def stop(stage: str, done: int, total: int) -> None:
        raise KeyError(stage)

    with pytest.raises(KeyError):
        apsp.layout(grid(4, 4), progress=stop)


@pytest.mark.parametrize("draw", [lambda graph: graph.plot(), lambda graph: graph.explore("map.html")])
def test_errors_of_maps_name_the_layout(draw: Callable[[apsp.Graph], Any]) -> None:
    graph = apsp.from_edges(range(2500), range(1, 2501))
    with pytest.raises(apsp.GraphError, match=r"graph\.with_coordinates\(apsp\.layout\(graph\)\)"):
        draw(graph)


def test_the_remedy_of_maps_works(tmp_path: Any) -> None:
    graph = apsp.from_edges(range(2500), range(1, 2501), [2] * 2500, directed=False)
    drawn = apsp.Graph(
        graph.indptr, graph.indices, graph.weights, directed=graph.directed, labels=graph.labels,
        coordinates=apsp.layout(graph, pivots=10),
    )  # fmt: skip
    drawn.explore(tmp_path / "map.html")
    assert (tmp_path / "map.html").stat().st_size > 10_000
