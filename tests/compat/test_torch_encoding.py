"""apsp.torch's encodings of paths: NetworkX's distances, replayed paths, and Graphormer's loops in plain Python."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import apsp

torch = pytest.importorskip("torch")
networkx = pytest.importorskip("networkx")

DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
KINDS = [(directed, weight) for directed in (True, False) for weight in (None, "float64", "int32")]
NO_PATH = 510


@pytest.fixture
def encode() -> Any:
    from apsp.torch import shortest_path_encoding

    return shortest_path_encoding


def edges(n: int, m: int, seed: int, device: str = "cpu") -> Any:
    """Random edges with parallel ones, self-loops and a vertex without any; weights of few values, with zeros."""
    rng = np.random.default_rng(seed)
    index = rng.integers(0, n - 1, (2, m))
    index = np.concatenate((index, index[:, : m // 3], [[0], [0]]), axis=1)
    weights = rng.integers(0, 9, index.shape[1])
    return torch.tensor(index, device=device), torch.tensor(weights, device=device)


def batch_of(seeds: Any, device: str = "cpu") -> Any:
    """Graphs of 4 to 12 vertices: edge lists of each, and of all with the graph of each vertex."""
    sizes = [4 + seed % 9 for seed in seeds]
    parts = [edges(n, n + 3, seed, device) for n, seed in zip(sizes, seeds, strict=True)]
    first = np.cumsum([0, *sizes[:-1]])
    index = torch.cat([part + int(start) for (part, _), start in zip(parts, first, strict=True)], dim=1)
    batch = torch.repeat_interleave(torch.arange(len(sizes)), torch.tensor(sizes)).to(device)
    return sizes, parts, index, torch.cat([weights for _, weights in parts]), batch


def distances_of(index: Any, weights: Any, n: int, directed: bool) -> np.ndarray:
    graph = (networkx.MultiDiGraph if directed else networkx.MultiGraph)()
    graph.add_nodes_from(range(n))
    values = [1] * index.shape[1] if weights is None else weights.tolist()
    graph.add_weighted_edges_from([(*ends, w) for ends, w in zip(index.T.tolist(), values, strict=True)])
    found = np.full((n, n), math.inf)
    for source, row in networkx.all_pairs_dijkstra_path_length(graph):
        found[source, list(row)] = list(row.values())
    return found


def replay(found: Any, index: Any, weights: Any, directed: bool) -> None:
    """The edges of each path are contiguous, and as long together as the distance, if all were kept."""
    ends = index.T.tolist()
    values = [1] * len(ends) if weights is None else weights.tolist()
    best: dict[Any, Any] = {}
    for edge, (tail, head) in enumerate(ends):
        for pair in [(tail, head)] if directed else [(tail, head), (head, tail)]:
            best[pair] = min(best.get(pair, (math.inf, 0)), (values[edge], edge))
    for i, rows in enumerate(found.edges.tolist()):
        for j, along in enumerate(rows):
            distance = found.distances[i, j].item()
            path = [edge for edge in along if edge >= 0]
            assert along == path + [-1] * (len(along) - len(path))
            at, length = i, 0
            for edge in path:
                tail, head = ends[edge] if directed or ends[edge][0] == at else ends[edge][::-1]
                assert tail == at
                assert best[tail, head] == (values[edge], edge)  # the lightest, and of these the first
                at, length = head, length + values[edge]
            assert (at == j and length == distance) or not path
            assert bool(path) == (i != j and distance not in (NO_PATH, math.inf, 2**31 - 1))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("directed", "weighted"), KINDS)
def test_distances_and_paths(encode: Any, directed: bool, weighted: str | None, device: str) -> None:
    for seed in range(4):
        index, weights = edges(11, 14, seed, device)
        weights = None if weighted is None else weights.to(getattr(torch, weighted))
        found = encode(index, num_nodes=11, weight=weights, directed=directed, max_path_edges=None)
        assert found.distances.device.type == found.edges.device.type == device
        assert str(found.distances.dtype) == f"torch.{weighted or 'int32'}"
        expected = distances_of(index, weights, 11, directed)
        absent = {None: NO_PATH, "float64": math.inf, "int32": 2**31 - 1}[weighted]
        np.testing.assert_array_equal(found.distances.cpu(), np.where(np.isinf(expected), absent, expected))
        replay(found, index, weights, directed)
        assert found.mask.all()
        few = encode(index, num_nodes=11, weight=weights, directed=directed, max_path_edges=2)
        torch.testing.assert_close(few.edges, found.edges[..., :2], rtol=0, atol=0)


def graphormer(index: Any, kinds: Any, n: int, most: int) -> Any:
    """Floyd-Warshall with 510 for "no path", the vertices between by recursion, features of -1 beyond the path."""
    distances = np.full((n, n), 510)
    distances[tuple(index)] = 1
    np.fill_diagonal(distances, 0)
    between = np.full((n, n), -1)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if distances[i, k] + distances[k, j] < distances[i, j]:
                    distances[i, j], between[i, j] = distances[i, k] + distances[k, j], k

    def inner(i: int, j: int) -> list[int]:
        k = between[i, j]
        return [] if k < 0 else [*inner(i, k), k, *inner(k, j)]

    of_pair = {tuple(ends): kind for ends, kind in zip(index.T.tolist(), kinds.tolist(), strict=True)}
    features = np.full((n, n, most, kinds.shape[1]), -1)
    for i, j in np.ndindex(n, n):
        if i != j and distances[i, j] < 510:
            path = [i, *inner(i, j), j]
            for step, pair in enumerate(list(pairwise(path))[:most]):
                features[i, j, step] = of_pair[pair]
    return distances, features


def test_encodings_are_those_of_graphormer(encode: Any) -> None:
    """On trees, where every path is the only one."""
    for seed in range(3):
        tree = networkx.random_labeled_tree(12, seed=seed)
        tree.remove_edge(*next(iter(tree.edges)))  # two components
        ends = np.array(tree.edges).T
        index = np.concatenate((ends, ends[::-1]), axis=1)
        kinds = np.random.default_rng(seed).integers(0, 5, (index.shape[1], 3))
        distances, features = graphormer(index, kinds, 12, 5)
        found = encode(torch.tensor(index), torch.tensor(kinds), num_nodes=12)
        np.testing.assert_array_equal(found.distances, distances)
        np.testing.assert_array_equal(found.features, features)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("weighted", [False, True])
def test_a_batch_is_its_graphs(encode: Any, weighted: bool, device: str) -> None:
    sizes, parts, index, weights, batch = batch_of(range(20), device)
    kinds = torch.arange(2 * len(weights), device=device).view(-1, 2)
    options = {"max_path_edges": 3, "unreachable": 77, "threads": 2}
    found = encode(index, kinds, batch=batch, num_graphs=21, weight=weights if weighted else None, **options)
    assert found.distances.shape == (21, 12, 12)
    start = 0
    for number, (n, (own, lengths)) in enumerate(zip(sizes, parts, strict=True)):
        count = own.shape[1]
        one = encode(
            own, kinds[start : start + count], num_nodes=n, weight=lengths if weighted else None, **options
        )  # fmt: skip
        torch.testing.assert_close(found.distances[number, :n, :n].long(), one.distances.long(), rtol=0, atol=0)
        edges = torch.where(one.edges < 0, -1, one.edges + start)
        torch.testing.assert_close(found.edges[number, :n, :n], edges, rtol=0, atol=0)
        torch.testing.assert_close(found.features[number, :n, :n], one.features, rtol=0, atol=0)
        start += count
    there = found.mask[:, :, None] & found.mask[:, None]
    assert found.mask.sum(1).tolist() == [*sizes, 0]
    for part in (found.distances, found.edges, found.features):
        assert (part[~there] == -1).all()


def test_groups_by_size_are_the_batch(encode: Any) -> None:
    from apsp.torch import encodings_by_size

    sizes, _, index, weights, batch = batch_of(range(30))
    order = torch.randperm(index.shape[1], generator=torch.Generator().manual_seed(1))
    whole = encode(index[:, order], batch=batch, weight=weights[order], max_path_edges=4)
    seen: list[int] = []
    groups = encodings_by_size(index[:, order], batch, weight=weights[order], max_path_edges=4, max_pairs=300)
    for graphs, found in groups:
        n = found.distances.shape[1]
        assert len(graphs) * n * n <= 300
        assert {sizes[graph] for graph in graphs.tolist()} <= {n, n - 1}
        seen += graphs.tolist()
        torch.testing.assert_close(found.distances, whole.distances[graphs, :n, :n], rtol=0, atol=0)
        torch.testing.assert_close(found.edges, whole.edges[graphs, :n, :n], rtol=0, atol=0)
    assert sorted(seen) == list(range(30))


def test_pieces_from_several_threads_are_the_whole(encode: Any) -> None:
    _, _, index, _, batch = batch_of(range(800))
    whole = encode(index, batch=batch, max_path_edges=None, threads=1)
    assert whole.distances.numel() > 3 << 15  # pairs of a piece
    with torch.inference_mode():
        parts = encode(index, batch=batch, max_path_edges=None, threads=3)
    for part, expected in zip(parts, whole, strict=True):
        assert part is expected is None or torch.equal(part, expected)


def test_sums_means_and_their_gradients(encode: Any) -> None:
    index, _ = edges(9, 12, 3)
    kinds = torch.rand((index.shape[1], 2), dtype=torch.float64, requires_grad=True)
    stacked = encode(index, kinds, num_nodes=9, padding=0)
    number = (stacked.edges >= 0).sum(-1, keepdim=True)
    total = stacked.features.sum(2)
    weights = torch.rand_like(total)
    for reduce, expected in (("sum", total), ("mean", total / number.clamp(min=1))):
        found = encode(index, kinds, num_nodes=9, reduce=reduce).features
        torch.testing.assert_close(found, expected)
        (ours,) = torch.autograd.grad((found * weights).sum(), kinds, retain_graph=True)
        (theirs,) = torch.autograd.grad((expected * weights).sum(), kinds, retain_graph=True)
        torch.testing.assert_close(ours, theirs)
    assert encode(index, kinds, num_nodes=9, reduce=None).features is None
    counts = torch.arange(index.shape[1])
    assert encode(index, counts, num_nodes=9, reduce="sum").features.dtype == torch.int64
    assert encode(index, counts, num_nodes=9, reduce="mean").features.dtype == torch.float32


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("most", [0, 2, None])
@pytest.mark.parametrize("weighted", [False, True])
def test_graphs_without_edges(encode: Any, n: int, most: int | None, weighted: bool) -> None:
    index, kinds = torch.empty((2, 0), dtype=torch.int64), torch.empty((0, 4))
    weight = torch.empty(0) if weighted else None
    found = encode(index, kinds, num_nodes=n, weight=weight, max_path_edges=most, max_distance=20)
    assert found.distances.tolist() == [[0 if i == j else 21 for j in range(n)] for i in range(n)]
    kept = most or 0
    assert (found.edges.shape, found.features.shape) == ((n, n, kept), (n, n, kept, 4))
    assert (found.features == -1).all()
    total = encode(index, kinds, num_nodes=n, max_path_edges=most, reduce="sum").features
    assert (total.shape, total.any().item()) == ((n, n, 4), False)
    no_graphs = encode(index, kinds, batch=torch.empty(0, dtype=torch.int64))
    assert no_graphs.features.shape == (0, 0, 0, 5, 4)
    empties = encode(index, batch=torch.empty(0, dtype=torch.int64), num_graphs=2)
    assert (empties.edges.shape, empties.mask.shape) == ((2, 0, 0, 5), (2, 0))


def test_codes(encode: Any) -> None:
    path = torch.tensor([[0, 1, 2], [1, 2, 3]])
    assert encode(path).distances[0].tolist() == [0, 1, 2, 3]
    assert encode(path, max_distance=2).distances[:2].tolist() == [[0, 1, 2, 2], [3, 0, 1, 2]]
    assert encode(path, max_distance=2, unreachable=0).distances[2].tolist() == [0, 0, 0, 1]
    lengths = torch.tensor([0.5, 2.0, 4.0])
    assert encode(path, weight=lengths).distances[1].tolist() == [math.inf, 0, 2, 6]
    assert encode(path, weight=lengths, max_distance=2.5).distances[1].tolist() == [3.5, 0, 2, 2.5]
    assert encode(path, weight=lengths.half()).distances.dtype == torch.float32
    assert encode(path, weight=lengths.long(), unreachable=-5).distances[1].tolist() == [-5, 0, 2, 6]


def test_lengths_of_zero_are_no_mistake(encode: Any) -> None:
    """Without a warning, as for a matrix of zeros: warnings are errors here."""
    index = torch.tensor([[0, 1, 0, 1], [1, 0, 0, 1]])
    found = encode(index, weight=torch.zeros(4, dtype=torch.int64), max_path_edges=1)
    assert found.distances.tolist() == [[0, 0], [0, 0]]
    assert found.edges[..., 0].tolist() == [[-1, 0], [1, -1]]


def test_what_is_invalid_is_refused(encode: Any) -> None:
    index = torch.tensor([[0, 1, 2], [1, 2, 0]])
    batch = torch.tensor([0, 0, 1])
    ones = torch.ones(3)
    for arguments, options, words in [
        ((index.numpy(),), {}, "must be a tensor"),
        ((index.float(),), {}, "whole numbers"),
        ((index[0],), {}, r"shape \(2, m\)"),
        ((index.to("meta"),), {}, "edge_index is on meta"),
        ((index,), {"num_nodes": 2}, "edge 1 joins 1 and 2: vertices are 0 to 1"),
        ((index - 1,), {"num_nodes": 3}, "edge 0 joins -1 and 0"),
        ((index,), {"batch": batch}, "edge 1 joins graph 0 and graph 1"),
        ((index,), {"batch": batch.flip(0)}, "sorted"),
        ((index, torch.ones(2, 2)), {}, "edge_attr must have shape"),
        ((index,), {"weight": torch.ones(2)}, "3 lengths"),
        ((index,), {"weight": torch.tensor([1, math.nan, 1])}, "edge 1 has weight nan"),
        ((index,), {"weight": torch.ones(3, requires_grad=True)}, "requires a gradient"),
    ]:
        with pytest.raises(apsp.GraphError, match=words):
            encode(*arguments, **options)
    for options, words in [
        ({"reduce": "max"}, "stack, sum, mean"),
        ({"max_path_edges": -1}, "max_path_edges"),
        ({"max_distance": 2.5}, "max_distance must be a whole number"),
        ({"num_graphs": 2}, "goes with batch"),
        ({"batch": torch.zeros(3, dtype=torch.int64), "num_nodes": 4}, "leave num_nodes out"),
        ({"edge_attr": torch.ones(3, dtype=torch.uint8)}, "padding=-1 is not a number"),
        ({"threads": 0}, "threads"),
    ]:
        with pytest.raises(apsp.RequestError, match=words):
            encode(index, **options)
    with pytest.raises(apsp.MemoryLimitError, match="encodings_by_size"):
        encode(index, num_nodes=10**6)
    with pytest.raises(apsp.NegativeCycleError) as caught:
        encode(index + 1, weight=-ones)
    assert sorted(caught.value.cycle) == [1, 2, 3]
    first = caught.value.cycle.index(1)
    assert [*caught.value.cycle[first:], *caught.value.cycle[:first]] == [1, 2, 3]
