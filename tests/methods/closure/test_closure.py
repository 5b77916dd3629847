"""Transitive closure against SciPy's searches, by both methods and on every instruction set."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sparse
import scipy.sparse.csgraph as csgraph

from apsp import Graph, _cpu
from apsp.errors import GraphError
from apsp.graph.convert import from_edges
from apsp.graph.csr import arc_arrays
from apsp.methods.closure.closure import Reachability, closure
from contract import graph_of

METHODS = {"components": True, "four-russians": False}


def random_graph(n: int, m: int, seed: int, *, acyclic: bool = False) -> Graph:
    rng = np.random.default_rng(seed)
    tails, heads = rng.integers(0, max(n, 1), m), rng.integers(0, max(n, 1), m)
    if acyclic:
        order = rng.permutation(n)
        tails, heads = order[np.minimum(tails, heads)], order[np.maximum(tails, heads)]
    return from_edges(tails, heads, n=n)


def expected(graph: Graph) -> npt.NDArray[np.bool_]:
    matrix = sparse.csr_array((np.ones(graph.m), graph.indices, graph.indptr), shape=(graph.n, graph.n))
    return np.isfinite(csgraph.shortest_path(matrix, unweighted=True)) if graph.n else np.empty((0, 0), dtype=bool)


@pytest.mark.parametrize("isa", ["baseline", "avx2", "avx512"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("n", "m"),
    [(0, 0), (1, 0), (1, 1), (2, 1), (63, 90), (64, 64), (65, 70), (128, 4000), (257, 300), (1100, 1300), (1025, 9000)],
)
def test_random(n: int, m: int, method: str, isa: str) -> None:
    before = _cpu.isa()
    try:
        _cpu.set_isa(isa)
    except ValueError:
        pytest.skip(f"this machine has no {isa}")
    try:
        for acyclic in (False, True):
            graph = random_graph(n, m, n, acyclic=acyclic)
            reachable = Reachability(n, closure(graph, 2, components=METHODS[method]))
            oracle = expected(graph)
            np.testing.assert_array_equal(reachable.to_numpy(), oracle)
            assert reachable.count() == oracle.sum()
    finally:
        _cpu.set_isa(before)


def test_reachability_answers() -> None:
    reachable = Reachability(70, closure(graph_of(70, [(0, 65, 1), (65, 69, -4)])))
    assert reachable.reaches(0, 69)
    assert reachable.reaches(5, 5)
    assert not reachable.reaches(69, 0)
    assert np.flatnonzero(reachable.row(0)).tolist() == [0, 65, 69]
    assert reachable.row(0).dtype == np.bool_
    assert repr(reachable) == "Reachability(n=70, cpu, 1.1 KiB)"
    for wrong in ((-1, 0), (0, 70)):
        with pytest.raises(GraphError, match="0 to 69"):
            reachable.reaches(*wrong)
    with pytest.raises(GraphError):
        reachable.row(70)


def test_a_cycle_longer_than_any_stack() -> None:
    n = 5000
    graph = graph_of(n, [(v, (v + 1) % n, 1) for v in range(n)])
    assert Reachability(n, closure(graph)).count() == n * n


@pytest.mark.parametrize("seed", range(5))
def test_zones_are_not_passed(seed: int) -> None:
    graph = random_graph(80, 200, seed)
    zones = np.arange(80) % 3 == 0
    graph = Graph(graph.indptr, graph.indices, zones=zones)
    result = Reachability(80, closure(graph)).to_numpy()
    for source in range(80):
        passable = ~zones[graph.tails()] | (graph.tails() == source)
        matrix = sparse.csr_array(
            (np.ones(passable.sum()), (graph.tails()[passable], graph.indices[passable])), shape=(80, 80)
        )
        oracle = np.zeros(80, dtype=bool)
        oracle[csgraph.breadth_first_order(matrix, source, return_predecessors=False)] = True
        np.testing.assert_array_equal(result[source], oracle)


@pytest.mark.parametrize("threads", [1, 3])
def test_updates_of_several_tiles(threads: int) -> None:
    """Rows and columns of more than one tile; pivots that are selected by no row, by few and by most."""
    rng = np.random.default_rng(1)
    rows, depth, columns = 4500, 300, 1300
    share = np.repeat([0.0, 0.001, 0.3, 0.002, 0.9], 64)[:depth]
    a, b = rng.random((rows, depth)) < share, rng.random((depth, columns)) < 0.003
    b[:, 1024:] = False
    c = rng.random((rows, columns)) < 0.01
    packed = pack(c)
    _cpu.update_bits(packed, pack(a), pack(b), columns, threads)
    product = (a.astype(np.float32) @ b.astype(np.float32)) > 0
    unpacked = np.unpackbits(packed.view(np.uint8), axis=1, count=columns, bitorder="little").astype(bool)
    np.testing.assert_array_equal(unpacked, c | product)


@pytest.mark.parametrize("n", [0, 1, 64, 65, 200, 1100])
def test_close_bits_and_pages(n: int) -> None:
    """The closure of a matrix, and an update of a rectangle, on packed bits."""
    graph = random_graph(n, 2 * n, n + 1)
    dense = np.eye(n, dtype=bool)
    dense[graph.tails(), graph.indices] = True
    bits = pack(dense)
    _cpu.close_bits(bits, 2)
    np.testing.assert_array_equal(Reachability(n, bits).to_numpy(), expected(graph))
    rng = np.random.default_rng(n)
    a, b, c = (rng.random(shape) < 0.05 for shape in ((n, 90), (90, n), (n, n)))
    packed = pack(c)
    _cpu.update_bits(packed, pack(a), pack(b), n, 2)
    product = (a.astype(np.int64) @ b.astype(np.int64)) > 0
    np.testing.assert_array_equal(Reachability(n, packed).to_numpy(), c | product)


def pack(matrix: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint64]:
    rows, columns = matrix.shape
    padded = np.zeros((rows, -(-columns // 64) * 64), dtype=bool)
    padded[:, :columns] = matrix
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def test_strong_components() -> None:
    for seed in range(10):
        graph = random_graph(200, 250, seed)
        count, labels = _cpu.strong_components(arc_arrays(graph))
        matrix = sparse.csr_array((np.ones(graph.m), graph.indices, graph.indptr), shape=(200, 200))
        oracle_count, oracle = csgraph.connected_components(matrix, connection="strong")
        assert count == oracle_count
        assert len(set(zip(labels.tolist(), oracle.tolist(), strict=True))) == count
        assert (labels[graph.tails()] >= labels[graph.indices]).all(), "sinks come first"


def test_progress_ends_at_n() -> None:
    for components in METHODS.values():
        seen: list[int] = []
        closure(random_graph(300, 600, 1), 2, seen.append, components=components)
        assert seen[-1] == 300
