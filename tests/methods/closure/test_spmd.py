"""The closure distributed over processes, here threads that exchange arrays."""

import shutil

import networkx
import numpy as np
import pytest
import scipy.sparse as sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csgraph

import apsp
from apsp import Graph, MemoryLimitError, RequestError
from apsp.methods.closure import columns, spmd
from apsp.methods.closure.closure import Reachability, closure
from apsp.methods.floyd_warshall.spmd import prepare as distances
from apsp.methods.floyd_warshall.spmd.checkpoints import Checkpoints
from apsp.methods.problem import Problem
from examples import examples
from spmd_threads import Saves, StoppedError, all_rows, in_all, joined


def random_graph(n, m, seed, zones=0, acyclic=False):
    rng = np.random.default_rng(seed)
    tails, heads = rng.integers(0, max(n, 1), (2, m if n else 0))
    if acyclic:
        order = rng.permutation(n)
        tails, heads = order[np.maximum(tails, heads)], order[np.minimum(tails, heads)]
    graph = apsp.from_edges(tails, heads, n=n)
    return Graph(graph.indptr, graph.indices, zones=rng.random(n) < zones) if zones else graph


def prepared(graph, connection, block=64, threads=1, products=None):
    matrix = spmd.prepare(graph, spmd.condensation(graph), connection, block, threads, products=products)
    connection.form(matrix.shape)
    return matrix


def closed(graph, processes, block=64, threads=1, products=None):
    def program(connection):
        matrix = prepared(graph, connection, block, threads, products)
        matrix.close(None)
        return all_rows(matrix, graph.n, 50)

    return joined(in_all(processes, program))


@pytest.mark.parametrize("products", [False, True])
@given(
    n=st.integers(1, 400), degree=st.floats(0, 3), seed=st.integers(0, 999), processes=st.integers(1, 6),
    block=st.sampled_from([64, 128, 192, None]), threads=st.integers(1, 2), zones=st.sampled_from([0, 0.1, 0.7]),
    acyclic=st.booleans(),
)  # fmt: skip
@settings(max_examples=examples(60), deadline=None)
def test_the_bits_of_one_process(products, n, degree, seed, processes, block, threads, zones, acyclic):
    graph = random_graph(n, int(degree * n), seed, zones, acyclic)
    assert closed(graph, processes, block, threads, products).tobytes() == closure(graph).tobytes()


def shapes():
    """Graphs with few and many components."""
    n = 230
    ring = np.arange(n)
    yield "one component", apsp.from_edges(ring, (ring + 7) % n)
    yield (
        "a component and its tails",
        apsp.from_edges(np.r_[ring[:99], 99, 50, ring[100:]], np.r_[ring[1:100], 0, 120, 3 + 0 * ring[100:]], n=n),
    )
    yield "acyclic", random_graph(n, 500, 1, acyclic=True)
    yield "dense and acyclic", random_graph(n, n * n, 2, acyclic=True)
    yield "many components", random_graph(n, 250, 3)
    yield "self-loops", apsp.from_edges(ring, ring, n=n + 5)
    yield "undirected", apsp.from_edges(ring[:80], ring[:80] // 3, n=n, directed=False)
    yield "no arcs", apsp.from_edges([], [], n=n)
    for n in (0, 1):
        yield f"n = {n}", apsp.from_edges([], [], n=n)
    yield "one vertex with a loop", apsp.from_edges([0], [0])


@pytest.mark.few(4)
@pytest.mark.parametrize(("name", "graph"), list(shapes()), ids=lambda value: value if isinstance(value, str) else "")
@pytest.mark.parametrize("processes", [1, 2, 4])
def test_other_libraries(name, graph, processes):
    n = graph.n
    bits = closed(graph, processes) if n else np.zeros((0, 0), dtype=np.uint64)
    found = Reachability(n, bits).to_numpy()
    matrix = sparse.csr_array((np.ones(graph.m), graph.indices, graph.indptr), shape=(n, n))
    count, component = csgraph.connected_components(matrix, connection="strong") if n else (0, np.empty(0))
    np.testing.assert_array_equal(found & found.T, component[:, None] == component[None, :])
    peer = networkx.transitive_closure(networkx.from_scipy_sparse_array(matrix, create_using=networkx.DiGraph), True)
    np.testing.assert_array_equal(found, networkx.to_numpy_array(peer, range(n)) > 0 if n else found)
    condensed = spmd.condensation(graph)
    assert condensed.count == count
    tails, heads = component[graph.tails()], component[graph.indices]
    assert condensed.graph.m == len({*zip(tails[tails != heads].tolist(), heads[tails != heads].tolist(), strict=True)})
    if name == "undirected":
        assert condensed.graph.m == 0


def test_an_empty_graph_is_closed():
    graph = apsp.from_edges([], [], n=0)
    for matrix in in_all(3, lambda connection: prepared(graph, connection)):
        matrix.close(None)
        assert matrix.page.shape == (0, 0)


def test_how_it_is_closed():
    sparse_one, dense = random_graph(400, 900, 1, acyclic=True), random_graph(400, 400 * 400, 1, acyclic=True)
    assert not spmd.layout(spmd.condensation(sparse_one), 2).products
    assert spmd.layout(spmd.condensation(dense), 2).products
    assert spmd.layout(spmd.condensation(sparse_one), 2, None, "cuda").products
    whole = spmd.layout(spmd.condensation(random_graph(400, 400 * 400, 1)), 2)
    assert (whole.components, whole.arcs, whole.products, whole.steps) == (1, 0, False, 1)


@pytest.mark.slow
def test_bands_of_few_rows():
    graph = random_graph(24_000, 20_000, 5, zones=0.3)  # 16 MiB are not all rows of a process
    whole = np.empty((graph.n, -(-graph.n // 64)), dtype=np.uint64)

    def program(connection):
        matrix = prepared(graph, connection)
        matrix.close(None)
        matrix.write(whole)
        return all_rows(matrix, graph.n, 50)

    assert joined(in_all(4, program)).tobytes() == closure(graph).tobytes() == whole.tobytes()


def test_zones_that_lead_to_zones():
    graph = apsp.from_edges([0, 1, 1, 2, 3, 3], [1, 2, 1, 3, 0, 4], n=5)
    graph = Graph(graph.indptr, graph.indices, zones=np.arange(5) % 2 == 1)
    expected = [[1, 1, 0, 0, 0], [0, 1, 1, 1, 0], [0, 0, 1, 1, 0], [1, 1, 0, 1, 1], [0, 0, 0, 0, 1]]
    np.testing.assert_array_equal(Reachability(5, closed(graph, 2)).to_numpy(), np.array(expected) > 0)


@pytest.mark.parametrize("processes", [1, 2, 4])
def test_checkpoints(tmp_path, processes):
    graph = random_graph(520, 500, 4, zones=0.1)
    assert spmd.layout(spmd.condensation(graph), processes, 64).steps > 6
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

    def of_an_earlier_version(folder, what, *rest):
        return Checkpoints(folder, {key: value for key, value in what.items() if key != "rows"}, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "Checkpoints", of_an_earlier_version)
        shutil.rmtree(tmp_path / "saved")
        saved(other_weights)  # rows of vertices, whose closure is not the same matrix
    with pytest.raises(RequestError, match="its rows are vertices, not components"):
        saved(other_weights)
    shutil.rmtree(tmp_path / "saved")
    saved(other_weights)

    def distance_matrix(graph, connection):
        return distances.prepare(Problem(graph, np.dtype(np.float64)), connection, 64)

    with pytest.raises(RequestError, match="it has dtype=uint64, not float64; it has semiring=or_and, not min_plus"):
        saved(other_weights, distance_matrix)


@pytest.mark.parametrize("processes", [1, 2, 6, 7, 16])
@pytest.mark.parametrize("n", [0, 1, 100, 5000])
def test_bytes_of_processes(n, processes):
    condensed = spmd.condensation(random_graph(n, n, 1))
    layout = spmd.layout(condensed, processes)
    assert layout.block % 64 == 0
    assert sum(layout.matrix_bytes(rank) for rank in range(processes)) == condensed.count * -(-n // 64) * 8
    assert layout.steps == -(-condensed.count // layout.block)
    assert layout.matrix_bytes(0) == max(layout.matrix_bytes(rank) for rank in range(processes))
    owned = np.zeros(layout.words, dtype=int)
    for rank in range(processes):
        owned += layout.columns(rank).places() >= 0
    assert (owned == 1).all()


def test_rows_that_are_sent():
    graph = apsp.from_edges([0, 1, 2, 3, 9], [1, 2, 0, 4, 3], n=10)  # 0, 1, 2 and seven more components
    condensed = spmd.condensation(graph)
    assert [spmd.rows_sent(condensed, height) for height in (1, 2, 4, 10)] == [10, 9, 8, 8]
    sizes = []

    def program(connection):
        matrix = prepared(graph, connection)
        matrix.close(None)
        exchange = connection.exchange
        connection.exchange = lambda sent, received: (sizes.append(sum(len(each) for each, _ in sent)),
                                                      exchange(sent, received))  # fmt: skip
        return [matrix.bands([(start, min(start + 4, 10), 0)]) for start in range(0, 10, 4)]

    in_all(1, program)
    assert sum(sizes) == 8


def test_what_is_refused(monkeypatch):
    condensed = spmd.condensation(random_graph(1000, 1000, 1))
    with pytest.raises(RequestError, match=r"block=100: .* multiple of 64"):
        spmd.layout(condensed, 4, 100)
    monkeypatch.setattr(distances, "allowed_memory", lambda: (1 << 40, 1000))
    with pytest.raises(MemoryLimitError, match="over 2 processes, in process"):
        closed(random_graph(1000, 1000, 1), 2)


def test_estimates():
    sparse_one, dense = (spmd.condensation(random_graph(600, m, 1, acyclic=True)) for m in (900, 600 * 600))
    for condensed in (sparse_one, dense):
        assert 0 < spmd.seconds(spmd.layout(condensed, 4), 1) < spmd.seconds(spmd.layout(condensed, 1), 1)
