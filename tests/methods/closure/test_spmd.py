"""The closure distributed over processes, here threads that exchange arrays."""

import networkx
import numpy as np
import pytest
import scipy.sparse as sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csgraph

import apsp
from apsp import Graph, RequestError
from apsp.methods.closure import spmd
from apsp.methods.closure.closure import Reachability, closure
from apsp.methods.floyd_warshall.spmd import prepare as distances
from apsp.methods.problem import Problem
from spmd_threads import Saves, StoppedError, all_rows, in_all, joined


def random_graph(n, m, seed, zones=0):
    rng = np.random.default_rng(seed)
    graph = apsp.from_edges(rng.integers(0, n, m), rng.integers(0, n, m), n=n)
    return Graph(graph.indptr, graph.indices, zones=rng.random(n) < zones) if zones else graph


def prepared(graph, connection, block=64, threads=1):
    matrix = spmd.prepare(graph, connection, block, threads)
    connection.form(matrix.shape)
    return matrix


def closed(graph, processes, block=64, threads=1):
    def program(connection):
        matrix = prepared(graph, connection, block, threads)
        matrix.close(None)
        return all_rows(matrix, graph.n, 50)

    return joined(in_all(processes, program))


@given(
    n=st.integers(1, 400), degree=st.floats(0, 3), seed=st.integers(0, 999), processes=st.integers(1, 6),
    block=st.sampled_from([64, 128, 192, None]), threads=st.integers(1, 2), zones=st.sampled_from([0, 0.1, 0.7]),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_the_bits_of_one_process(n, degree, seed, processes, block, threads, zones):
    graph = random_graph(n, int(degree * n), seed, zones)
    assert closed(graph, processes, block, threads).tobytes() == closure(graph).tobytes()


@pytest.mark.parametrize("processes", [1, 2, 4])
def test_other_libraries(processes):
    n, m = 300, 420
    graph = random_graph(n, m, 3)
    found = Reachability(n, closed(graph, processes)).to_numpy()
    matrix = sparse.csr_array((np.ones(graph.m), graph.indices, graph.indptr), shape=(n, n))
    _, component = csgraph.connected_components(matrix, connection="strong")
    assert len(set(component)) > 5
    np.testing.assert_array_equal(found & found.T, component[:, None] == component[None, :])
    peer = networkx.transitive_closure(networkx.from_scipy_sparse_array(matrix, create_using=networkx.DiGraph), True)
    np.testing.assert_array_equal(found, networkx.to_numpy_array(peer, range(n)) > 0)


def test_zones_in_parts(monkeypatch):
    monkeypatch.setattr(spmd, "_ZONE_BYTES", 100)
    monkeypatch.setattr(spmd, "_ROWS_AT_ONCE", 2)
    graph = random_graph(500, 2000, 5, zones=0.3)
    assert closed(graph, 4).tobytes() == closure(graph).tobytes()


@pytest.mark.parametrize("processes", [1, 2, 4])
def test_checkpoints(tmp_path, processes):
    graph = random_graph(520, 700, 4, zones=0.1)
    other_weights = apsp.from_dense(np.full((3, 3), 2.5))

    def run(last, first):
        def program(connection):
            matrix = prepared(graph, connection)
            files = matrix.checkpoints(tmp_path / "saved")
            try:
                if first:
                    files.read(first)
                matrix.close(None, first=first, saving=Saves(files, last, before=connection.rank % 2 == 0))
                found = all_rows(matrix, graph.n)
                files.remove()
                return found
            except StoppedError:
                return files.steps
            finally:
                files.close()

        return in_all(processes, program)

    common = set.intersection(*map(set, run(5, 0)))
    assert common & {3, 4}
    assert joined(run(None, max(common))).tobytes() == closure(graph).tobytes()
    assert not (tmp_path / "saved").exists()

    def saved(graph, make=prepared):
        def program(connection):
            files = make(graph, connection).checkpoints(tmp_path / "saved")
            files.write(1)
            files.close()

        in_all(1, program)

    saved(other_weights)
    saved(other_weights.unweighted())  # lengths are ignored
    with pytest.raises(RequestError, match="its graph has 3 vertices, this one 520"):
        saved(graph)

    def distance_matrix(graph, connection):
        return distances.prepare(Problem(graph, np.dtype(np.float64)), connection, 64)

    with pytest.raises(RequestError, match="it has dtype=uint64, not float64; it has semiring=or_and, not min_plus"):
        saved(other_weights, distance_matrix)


@pytest.mark.parametrize("processes", [1, 2, 6, 7, 16])
@pytest.mark.parametrize("n", [0, 1, 100, 5000])
def test_bytes_of_processes(n, processes):
    for block in (None, 64):
        layout = spmd.layout(n, processes, block)
        assert layout.block % 64 == 0
        assert sum(layout.matrix_bytes(rank) for rank in range(processes)) == n * -(-n // 64) * 8
        assert layout.steps == layout.grid().columns.blocks
        for count in (layout.matrix_bytes, layout.panel_bytes, layout.sent_bytes):
            assert count(0) == max(count(rank) for rank in range(processes))


def test_panels_are_counted():
    layout = spmd.layout(1000, 4, 128)
    matrix = in_all(4, lambda connection: prepared(random_graph(1000, 10, 1), connection, 128))[0]
    rows, words = matrix.page.shape
    assert (rows, words) == (512, 8)
    assert layout.panel_bytes() == 3 * 8 * (128 * 2 + 128 * words + rows * 2)
    assert layout.sent_bytes() == 8 * (1000 * words + 16 * rows)


def test_blocks_of_no_whole_words():
    with pytest.raises(RequestError, match=r"block=100: .* multiple of 64"):
        spmd.layout(1000, 4, 100)
    assert spmd.seconds(spmd.layout(1000, 4), 1) > 0
