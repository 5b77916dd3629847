"""Statistics of the distances between groups and per source, against NumPy on the whole matrix."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp import _cpu
from apsp.errors import GraphError, MemoryLimitError, NegativeCycleError, RequestError
from apsp.reductions.group_counts import GroupCounts
from apsp.reductions.group_quantiles import KeyQuantiles, keys_of, values_of_keys
from apsp.reductions.group_sums import GroupSums
from apsp.reductions.groups import GroupedRows, Groups
from set_statistics import DTYPES, SHARES, check_statistics, quantile, random_graph


@settings(deadline=None)
@given(
    seed=st.integers(0, 10**6), dtype=st.sampled_from(DTYPES), directed=st.booleans(), per=st.booleans(),
    inwards=st.booleans(), some=st.booleans(), given_edges=st.booleans(),
)  # fmt: skip
def test_equals_numpy(seed, dtype, directed, per, inwards, some, given_edges) -> None:
    graph = random_graph(seed, dtype, directed=directed)
    dist, n, rng = apsp.solve(graph, dtype=dtype).distances, graph.n, np.random.default_rng(seed + 1)
    of = rng.integers(-1, int(rng.integers(1, 5)), n)
    sources = rng.integers(0, n, 4) if some else None
    found = apsp.distance_statistics(
        graph, [None if group < 0 else int(group) for group in of], per="source" if per else "group",
        quantiles=SHARES, sources=sources, direction="in" if per and inwards else "out", dtype=dtype, rows=7,
        edges=[0, 1, 8, 900, 1e5] if given_edges else None, bins=0 if given_edges else 8,
    )  # fmt: skip
    check_statistics(found, dist.T if per and inwards else dist, of, sources, dtype)


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("threads", [1, 3])
def test_quantiles_that_need_more_passes(dtype, threads) -> None:
    """The bins of the first pass hold many distances: their range is many times the number of bins."""
    graph, told = random_graph(5, dtype, directed=True), []
    dist, of = apsp.solve(graph, dtype=dtype).distances, np.arange(graph.n) % 3
    found = apsp.distance_statistics(
        graph, of, quantiles=SHARES, dtype=dtype, rows=5, threads=threads, progress=lambda *each: told.append(each[1:])
    )
    assert told.count((graph.n, graph.n)) > 1
    for i in range(3):
        for j in range(3):
            part = dist[of == i][:, of == j]
            if i == j:
                part = part[~np.eye(len(part), dtype=bool)]
            values = part[part != apsp.unreachable(dtype)]
            assert found.quantiles[i, j].tolist() == [quantile(values, share) for share in SHARES]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_keys_are_in_the_order_of_the_distances(dtype) -> None:
    tiny, huge = np.finfo(dtype).smallest_subnormal, np.finfo(dtype).max
    values = np.array([-huge, -1.5, -1, -tiny, 0, tiny, 1e-30, 1, 1.5, huge], dtype=dtype)
    keys = keys_of(values)
    assert (np.diff(keys) > 0).all()
    assert keys_of(np.array([-0.0], dtype=dtype)) == 0
    np.testing.assert_array_equal(values_of_keys(keys, values.dtype), values)


def test_negative_distances() -> None:
    graph = apsp.from_edges([0, 1, 2, 3], [1, 2, 3, 0], [-5, -7, 4, 9])
    dist = apsp.solve(graph).distances
    found = apsp.distance_statistics(graph, ["a", "b", "a", "b"], quantiles=0.5, bins=4)
    part = dist[[0, 2]][:, [1, 3]].ravel()
    assert (found.smallest[0, 1], found.largest[0, 1]) == (part.min(), part.max())
    assert found.quantiles[0, 1, 0] == quantile(part, 0.5)
    assert found.counts.sum() == 12
    assert found.edges[0] <= dist.min()


def test_communities_of_networkx() -> None:
    karate = nx.karate_club_graph()
    communities = nx.community.greedy_modularity_communities(karate)
    graph = apsp.from_networkx(karate, weight=None)
    found = apsp.distance_statistics(graph, communities)
    rows = dict(nx.shortest_path_length(karate))
    for i, ours in enumerate(communities):
        for j, others in enumerate(communities):
            values = [rows[u][v] for u in ours for v in others if u != v]
            assert found.mean[i, j] == pytest.approx(sum(values) / len(values), rel=1e-15)
            assert found.largest[i, j] == max(values)
    same = {node: group for group, nodes in enumerate(communities) for node in nodes}
    inside = [d for u, row in rows.items() for v, d in row.items() if u != v and same[u] == same[v]]
    across = [d for u, row in rows.items() for v, d in row.items() if same[u] != same[v]]
    assert found.within == pytest.approx(np.mean(inside), rel=1e-14)
    assert found.between == pytest.approx(np.mean(across), rel=1e-14)
    by_mapping = apsp.distance_statistics(graph, same)
    np.testing.assert_array_equal(by_mapping.mean, found.mean)


def test_only_rows_of_groups_are_computed() -> None:
    graph = apsp.generate("random", 300, m=1200, weights=(1, 50), seed=3)
    told: list[int] = []
    found = apsp.distance_statistics(
        graph, [{5, 7}, {9}], sources=[7, 9, 11], progress=lambda _stage, _done, total: told.append(total)
    )
    dist = apsp.solve(graph).distances
    assert set(told) <= {2}
    assert found.pairs.tolist() == [[1, 1], [2, 0]]
    assert found.total.tolist() == [[dist[7, 5], dist[7, 9]], [dist[9, 5] + dist[9, 7], 0]]


def test_means_of_all_are_the_other_measures() -> None:
    graph = apsp.generate("random", 300, m=1200, weights=(1, 50), seed=3)
    whole = apsp.distance_statistics(graph, quantiles=[0.5], bins=64)
    assert whole.mean.item() == apsp.average_shortest_path_length(graph)
    assert whole.largest.item() == apsp.diameter(graph)
    assert whole.histogram("all") == apsp.distance_histogram(graph, bins=64)
    each = apsp.distance_statistics(graph, per="source", sources=[5, 2, 5])
    np.testing.assert_array_equal(each.total[:, 0], apsp.farness(graph, vertices=[5, 2, 5]))
    np.testing.assert_array_equal(each.largest[:, 0], apsp.eccentricity(graph, sources=[5, 2, 5]))


def test_sums_beyond_int64_are_exact() -> None:
    n = 30
    graph = apsp.from_edges(range(n - 1), range(1, n), [2**53] * (n - 1), directed=False)
    found = apsp.distance_statistics(graph)
    expected = 2**53 * sum(abs(i - j) for i in range(n) for j in range(n))
    assert expected > 2**63
    assert found.total.item() == expected
    assert found.mean.item() == expected / (n * (n - 1))


def test_labels_and_tables(tmp_path) -> None:
    pandas, _, _ = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    graph = apsp.from_edges([0, 1], [1, 2], [4, 3], labels=["b", "a", "c"])
    groups = pandas.Series(["x", "y", None], index=["a", "c", "b"])
    found = apsp.distance_statistics(graph, groups, quantiles=[0.5])
    assert found.names == ("x", "y")
    frame = found.to_pandas()
    assert frame.columns.tolist() == [
        "from",
        "to",
        "pairs",
        "pairs_without_path",
        "mean",
        "smallest",
        "largest",
        "q0.5",
    ]
    assert frame["from"].tolist() == ["x", "x", "y", "y"]
    assert frame["largest"].isna().tolist() == [True, False, True, True]
    assert found.to_polars()["largest"].to_list() == found.to_arrow()["largest"].to_pylist() == [None, 3, None, None]
    file = tmp_path / "groups.csv"
    found.write(file)
    assert file.read_text().splitlines()[:3] == [
        "from,to,pairs,pairs_without_path,mean,smallest,largest,q0.5", "x,x,0,0,,,,", "x,y,1,0,3.0,3.0,3.0,3.0",
    ]  # fmt: skip
    assert found.to_arrow()["pairs"].to_pylist() == [0, 1, 0, 0]
    each = apsp.distance_statistics(graph, per="source", sources=["b", "a"])
    assert each.to_dict()["from"].tolist() == ["b", "a"]
    assert repr(found) == "DistanceStatistics(2 groups, int64)"
    assert repr(each) == "DistanceStatistics(2 sources to 1 group, int64)"


def test_empty_graphs_and_groups() -> None:
    none = apsp.distance_statistics(apsp.from_edges([], [], n=0), quantiles=0.5, bins=3)
    assert (none.pairs.tolist(), none.total.tolist()) == ([[0]], [[0]])
    assert np.isnan(none.within)
    one = apsp.distance_statistics(apsp.from_edges([], [], n=1), per="source", quantiles=[])
    assert (one.pairs.tolist(), one.quantiles.shape) == ([[0]], (1, 1, 0))
    empty = apsp.distance_statistics(apsp.from_edges([0], [1]), [{0, 1}, set()])
    assert empty.pairs.tolist() == [[1, 0], [0, 0]]
    left_out = apsp.distance_statistics(apsp.from_edges([0], [1]), [None, None], bins=3, quantiles=0.5)
    assert left_out.pairs.shape == (0, 0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"groups": [0, 1]}, "one entry per vertex, 3"),
        ({"groups": "abc"}, "must be a sequence"),
        ({"groups": 5}, "must be a sequence"),
        ({"groups": [{0, 1}, {1}]}, "has vertex 1 twice"),
        ({"groups": [{}, {}, {}]}, "names that are hashable"),
        ({"per": "vertex"}, "per must be one of group, source"),
        ({"direction": "in"}, "direction='in' is for per='source'"),
        ({"quantiles": 1.5}, "quantiles must be numbers from 0 to 1, not 1.5"),
        ({"quantiles": "half"}, "quantiles"),
        ({"bins": 4, "edges": [1, 2]}, "bins or edges"),
        ({"bins": -1}, "bins must be"),
    ],
)
def test_odd_requests(options, words) -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [4, 3])
    with pytest.raises(RequestError, match=words):
        apsp.distance_statistics(graph, **options)


def test_other_errors(monkeypatch) -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [4, 3], labels=["a", "b", "c"])
    with pytest.raises(GraphError, match="'d'"):
        apsp.distance_statistics(graph, {"d": 1})
    found = apsp.distance_statistics(graph, {"a": 1, "b": 2}, per="source")
    with pytest.raises(RequestError, match="give bins or edges"):
        found.histogram("a", 1)
    with pytest.raises(RequestError, match="per='group'"):
        found.within  # noqa: B018
    counted = apsp.distance_statistics(graph, {"a": 1, "b": 2}, bins=4)
    with pytest.raises(RequestError, match="there is no group 3; there are: 1, 2"):
        counted.histogram(3, 1)
    with pytest.raises(RequestError, match="name the group of the targets"):
        counted.histogram(1)
    with monkeypatch.context() as patch:
        patch.setattr("apsp.system.machine.usable", lambda _: 99)
        with pytest.raises(MemoryLimitError, match="3 sources and 1 groups"):
            apsp.distance_statistics(graph, per="source")
    cycle = apsp.from_edges([0, 1, 2], [1, 2, 0], [1, -5, 2], labels=["a", "b", "c"])
    with pytest.raises(NegativeCycleError) as caught:
        apsp.distance_statistics(cycle, per="source", direction="in")
    start = caught.value.cycle.index("a")
    assert caught.value.cycle[start:] + caught.value.cycle[:start] == ["a", "b", "c"]


def test_kernels_check_their_arrays() -> None:
    dist = np.zeros((1, 3), dtype=np.int32)
    whole = {"starts": np.array([0, 3]), "own": np.zeros(1, dtype=np.int64), "threads": 1}
    room = {"shares": np.array([0.5]), "quantiles": np.zeros(1, dtype=np.int32)}
    with pytest.raises(ValueError, match="order must hold columns"):
        _cpu.quantiles_of_groups(dist, order=np.array([0, 1, 3], dtype=np.int32), **whole, **room)
    with pytest.raises(ValueError, match="starts must ascend"):
        _cpu.quantiles_of_groups(dist, order=np.array([0, 1], dtype=np.int32), **whole, **room)


@pytest.mark.parametrize("least", [0.0, -1.0])
def test_bins_do_not_depend_on_the_order_of_blocks(least: float) -> None:
    rng = np.random.default_rng(0)
    dist = (rng.uniform(least, 1, (40, 40)) * 10.0 ** rng.integers(-3, 6, (40, 1))).astype(np.float64)
    groups = Groups(("a", "b"), (np.arange(40) % 2).astype(np.int32))
    results = []
    for order in (np.arange(40), rng.permutation(40)):
        sums, counts = GroupSums(2, 2, each=False), GroupCounts(2, 2, 64, None)
        quantiles = KeyQuantiles(2, 2, np.array([0.5]))
        for part in np.split(order.astype(np.int32), 8):
            block = GroupedRows(dist[part], groups.of[part], groups.arguments(part), 2)
            extremes = sums.add(block)
            counts.add(block, extremes)
            quantiles.add(block, extremes)
        results.append((*counts.result(), quantiles._counts))
    for one, other in zip(*results, strict=True):
        np.testing.assert_array_equal(one, other)


def test_quantiles_of_negative_distances_after_large_ones() -> None:
    graph = apsp.from_edges([0, 1, 2, 3], [1, 0, 3, 2], [300_000, 0, -5, 6])
    found = apsp.distance_statistics(graph, dict.fromkeys(range(4), "a"), quantiles=[0.25, 1.0], rows=1)
    assert found.quantiles.tolist() == [[[-5, 300_000]]]
