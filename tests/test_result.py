"""What comes out, on disk and under suspicion."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import apsp
from apsp.semiring import is_unreachable
from contract import GRAPHS, assert_paths_replay, graph_of


@pytest.mark.parametrize("paths", [False, True])
@pytest.mark.parametrize("name", ["no vertex", "one vertex", "zones", "undirected", "several components"])
def test_save_and_load(tmp_path: Path, name: str, paths: bool) -> None:
    graph = GRAPHS[name]("int32")
    result = apsp.solve(graph, paths=paths)
    result.save(tmp_path / "result.npz")
    again = apsp.load(tmp_path / "result.npz")
    np.testing.assert_array_equal(again.distances, result.distances)
    assert again.distances.dtype == result.distances.dtype
    assert again.graph.directed == graph.directed
    np.testing.assert_array_equal(again.graph.indices, graph.indices)
    assert again.info["method"] == result.info["method"]
    if paths:
        assert_paths_replay(again)
    again.verify()


def test_save_keeps_names_sources_and_targets(tmp_path: Path) -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [5, 6], labels=["a", "b", "c"], coordinates=np.eye(3, 2))
    apsp.solve(graph, sources=["b"], targets=["c", "a"], cutoff=100).save(tmp_path / "some.npz")
    again = apsp.load(tmp_path / "some.npz")
    assert again.distance("b", "c") == 6
    assert again.cutoff == 100
    assert list(again.graph.labels) == ["a", "b", "c"]
    with pytest.raises(apsp.RequestError, match="vertex 'a' is not among the sources"):
        again.distance("a", "c")


def test_long_form() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [5, 6], labels=["a", "b", "c"])
    table = apsp.solve(graph).to_long()
    rows = list(zip(*(column.tolist() for column in table.values()), strict=True))
    assert ("a", "c", 11) in rows
    assert len(rows) == 6
    assert len(apsp.solve(graph).to_long(only_reachable=False)["source"]) == 9


def test_next_hops_agree_with_paths() -> None:
    result = apsp.solve(GRAPHS["several components"]("int32"), paths=True)
    hops = result.next_hops()
    for source in range(0, 90, 7):
        for target in range(0, 90, 5):
            hop = int(hops[source, target])
            assert result.next_hop(source, target) == (None if hop < 0 else hop)


@pytest.mark.parametrize("weights", ["int32", "float64"])
@pytest.mark.parametrize("name", ["zero weights", "zero cycle", "negative arcs", "zones", "several components"])
def test_verify_finds_every_wrong_distance(name: str, weights: str) -> None:
    result = apsp.solve(GRAPHS[name](weights), paths=True)
    result.verify()
    rng = np.random.default_rng(3)
    reached = np.argwhere(~is_unreachable(result.distances))
    for row, column in rng.choice(reached, 40).tolist():
        right = result.distances[row, column].item()
        for wrong in (right + 1, right - 1):
            if wrong < 0 and result.distances.dtype.kind == "u":
                continue
            result.distances[row, column] = wrong
            with pytest.raises(apsp.VerificationError, match="is wrong"):
                result.verify()
            result.distances[row, column] = right
    result.verify()


def test_verify_finds_wrong_reachability_and_predecessors() -> None:
    result = apsp.solve(graph_of(4, [(0, 1, 2), (1, 2, 2), (0, 2, 4)]), paths=True)
    none = apsp.unreachable(result.distances.dtype)
    for row, column, wrong in ((0, 3, 5), (0, 2, none), (3, 0, 0), (1, 1, 1)):
        right = result.distances[row, column]
        result.distances[row, column] = wrong
        with pytest.raises(apsp.VerificationError):
            result.verify()
        result.distances[row, column] = right
    result.predecessors[0, 2] = 3
    with pytest.raises(apsp.VerificationError):
        result.verify()


def negative_with_cutoff(method: str, *, paths: bool = True, **options: object) -> apsp.Result:
    """0 -> 1 -> 2 of lengths 9 and -5, with a cutoff of 6: the path to 2 passes 1, which lies beyond."""
    graph = graph_of(4, [(0, 1, 9), (1, 2, -5), (1, 3, 1)])
    return apsp.solve(graph, method=method, cutoff=6, paths=paths, **options)


@pytest.mark.parametrize("targets", [None, [1, 2, 3], [0]])
@pytest.mark.parametrize("method", ["floyd-warshall", "johnson", "reference"])
def test_paths_within_a_cutoff_may_pass_vertices_beyond_it(method: str, targets: list[int] | None) -> None:
    result = negative_with_cutoff(method, targets=targets)
    assert result.path(0, 2) == [0, 1, 2]
    for beyond in (1, 3):
        with pytest.raises(apsp.NoPathError):
            result.path(0, beyond)
    assert result.predecessors[0].tolist() == [-1, 0, 1, -1]


def test_a_cutoff_with_negative_arcs_leaves_no_paths_to_find_and_nothing_to_check() -> None:
    result = negative_with_cutoff("johnson", paths=False)
    with pytest.raises(apsp.PathsNotKeptError, match="beyond the cutoff"):
        result.path(0, 2)
    with pytest.raises(apsp.RequestError, match="Solve without the cutoff"):
        result.verify()


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_no_path_of_other_algebras(dtype: str) -> None:
    graph = graph_of(3, [(0, 1, 7)], dtype=dtype)
    for semiring, none in (("max_min", -math.inf), ("min_max", math.inf)):
        result = apsp.solve(graph, semiring=semiring)
        assert (result.distance(0, 1), result.distance(0, 2), result.distance(0, 0)) == (7, none, -none)
        pairs = result.to_long()
        assert list(zip(pairs["source"], pairs["target"], strict=True)) == [(0, 0), (0, 1), (1, 1), (2, 2)]


def test_via_splits_every_path() -> None:
    result = apsp.solve(GRAPHS["zero cycle"]("int32"), paths=True)
    via = result.via()
    for source in range(result.graph.n):
        for target in range(result.graph.n):
            if not is_unreachable(result.distances[source, target]):
                assert apsp.result.paths.expand_via(via, source, target) == result.path(source, target)
    with pytest.raises(apsp.RequestError, match="all vertices"):
        apsp.solve(result.graph, sources=[1], paths=True).via()


@pytest.mark.parametrize("paths", [False, True])
def test_many_paths_at_once(paths: bool) -> None:
    graph = GRAPHS["several components"]("int32")
    result = apsp.solve(graph, paths=paths)
    sources, targets = [0, 0, 5, 31, 7], [29, 40, 5, 50, 3]
    found = result.paths(sources, targets)
    assert found[1] == []
    assert found[2] == [5]
    for source, target, path in zip(sources, targets, found, strict=True):
        expected = result.distance(source, target)
        assert path == [] if math.isinf(expected) else apsp.result.paths.replay(graph, path) == expected
    with pytest.raises(apsp.RequestError, match="5 sources but 1 targets"):
        result.paths(sources, [1])


def test_many_paths_respect_the_cutoff() -> None:
    graph = graph_of(3, [(0, 1, 5), (1, 2, -3)])
    result = apsp.solve(graph, paths=True, cutoff=4)
    assert result.paths([0, 0], [1, 2]) == [[], [0, 1, 2]]
