from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp.errors import ApspWarning, GraphError, MissingDependencyError, RequestError
from apsp.graph.convert import from_edges, from_scipy
from apsp.graph.dense import from_dense
from apsp.graph.model import Graph
from apsp.graph.networkx_graph import from_networkx
from apsp.semiring import unreachable


def same(a: Graph, b: Graph) -> bool:
    weights = (a.weights is None) == (b.weights is None) and (
        a.weights is None or (a.weights.dtype == b.weights.dtype and np.array_equal(a.weights, b.weights))
    )
    return (
        weights
        and np.array_equal(a.indptr, b.indptr)
        and np.array_equal(a.indices, b.indices)
        and a.directed == b.directed
    )


def merged(arcs, directed, parallel):
    """The rule in plain Python: (tail, head) -> weight."""
    kept = {}
    for u, v, w in arcs:
        for pair in [(u, v)] if directed or u == v else [(u, v), (v, u)]:
            if pair not in kept or parallel == "last" or (parallel == "min" and w < kept[pair]):
                kept[pair] = w
    return kept


vertices = st.integers(0, 6)
arc_lists = st.lists(st.tuples(vertices, vertices, st.integers(-5, 5)), max_size=60)


@given(arc_lists, st.booleans(), st.sampled_from(["min", "first", "last"]), st.sampled_from(["i4", "i8", "f4", "f8"]))
def test_from_edges_follows_the_rule(arcs, directed, parallel, dtype):
    tails, heads, weights = ([arc[k] for arc in arcs] for k in range(3))
    graph = from_edges(tails, heads, np.array(weights, dtype), n=7, directed=directed, parallel=parallel)
    found = dict(zip(zip(graph.tails().tolist(), graph.indices.tolist(), strict=True), graph.weights, strict=True))
    assert found == merged(arcs, directed, parallel)
    assert graph.weights.dtype == np.dtype(dtype)
    Graph(graph.indptr, graph.indices, graph.weights, directed=directed)  # the full check, symmetry included


@given(arc_lists, st.booleans())
def test_there_and_back(arcs, directed):
    graph = from_edges(*([arc[k] for arc in arcs] for k in range(3)), n=7, directed=directed)
    assert same(from_edges(*graph.to_edges(), n=7, directed=directed), graph)
    assert same(from_scipy(graph.to_scipy(), directed=directed), graph)
    hops = graph.unweighted()
    assert same(from_edges(*hops.to_edges(), n=7, directed=directed), hops)
    back = from_networkx(graph.to_networkx())
    assert np.array_equal(back.to_scipy().toarray(), graph.to_scipy().toarray())
    for dtype in (np.int32, np.float64):
        dense = graph.to_dense(dtype)
        assert np.array_equal(from_dense(dense, directed=directed).to_dense(dtype), dense)


def test_from_edges_counts_vertices():
    assert from_edges([], []).n == 0
    assert from_edges([0], [3]).n == 4
    assert from_edges([0], [1], n=9).n == 9
    assert from_edges([0], [1], labels=["a", "b", "c"]).n == 3
    assert from_edges(np.array([0], np.uint8), np.array([1], np.int64)).m == 1
    assert from_edges([0], [1]).weights is None
    assert from_edges([0, 1], [1, 0], [True, False]).weights.tolist() == [1, 0]


class Exporter:
    """Anything that speaks DLPack, as tensors of other libraries do."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **kwargs):
        return self.array.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_dlpack():
    a, b, w = Exporter(np.array([0, 1])), Exporter(np.array([1, 2])), Exporter(np.array([0.5, 2.0]))
    assert from_edges(a, b, w).weights.tolist() == [0.5, 2.0]
    assert from_dense(Exporter(np.array([[0.0, 2.0], [np.inf, 0.0]]))).m == 1


BAD_EDGES = [
    (([0, 1], [1]), {}, "2 tails but 1 heads"),
    (([0, -1], [1, 1]), {}, "arc 1 has tail -1"),
    (([0, 1], [1, 7]), {"n": 3}, "arc 1 has head 7: vertices are 0 to 2; pass n="),
    (([0], [0]), {"n": 0}, "there are no vertices"),
    (([0.0], [1.0]), {}, "tails must be a vector of vertex numbers, not float64"),
    (([[0]], [[1]]), {}, "of shape"),
    (([0, [1]], [1, 0]), {}, "tails must be numbers"),
    ((["a"], [1.5]), {"labels": ["a", "b"]}, "row 0 of column 'heads': there is no vertex 1.5"),
    ((["a"], ["b"]), {"labels": ["a"]}, "row 0 of column 'heads': there is no vertex 'b'"),
    ((["a"], ["b"]), {"n": 2}, "tails and heads are text: labels= gives all vertices"),
    ((["a"], ["b"]), {"source": "a"}, "name the columns of a table"),
    ((["a", "b"], ["b"]), {}, "column 'heads' has 1 rows, 'tails' has 2"),
    ((np.array([["a"]]), np.array([["b"]])), {}, "must be a vector with a value per edge"),
    (([0], [1], [1, 2]), {}, "weights must be a vector of 1 numbers"),
    (([0], [1], ["x"]), {}, "weights must be integers or floats"),
    (([0], [1], [1j]), {}, "weights must be integers or floats"),
    (([0, 0], [1, 2], [1, np.nan]), {}, "arc 1, from vertex 0 to 2, has weight nan: omit an arc"),
    (([0], [1], [-np.inf]), {}, "has weight -inf"),
    (([0], [2**40]), {}, "not supported"),
    (([0], [1]), {"n": 2**31}, "n, the number of vertices, must be a whole number from 0 to"),
    (([0], [1]), {"parallel": "sum"}, "parallel must be one of min, first, last"),
    (([0], [1]), {"labels": ["a", "a"]}, "occurs twice"),
    (([0], [1], np.array([2**64 - 1], np.uint64)), {}, "2\\^63"),
]


@pytest.mark.parametrize(("arrays", "options", "message"), BAD_EDGES)
def test_from_edges_refuses(arrays, options, message):
    with pytest.raises((GraphError, RequestError), match=message):
        from_edges(*arrays, **options)


def test_from_dense_reads_absent_entries():
    inf = np.inf
    graph = from_dense([[5.0, 0.0, inf], [inf, -1.0, 2.0], [inf, inf, 0.0]])
    assert list(zip(graph.tails(), graph.indices, graph.weights, strict=True)) == [(0, 1, 0), (1, 1, -1), (1, 2, 2)]
    for dtype in (np.int32, np.int64, np.uint16):
        none = unreachable(dtype)
        graph = from_dense(np.array([[0, none], [3, 0]], dtype=dtype))
        assert (graph.m, graph.weights[0], graph.has_integer_weights) == (1, 3, True)
    assert from_dense([[0, 1], [0, 0]], absent=0).m == 1
    assert from_dense([[0.0, np.nan], [2.0, 0.0]], absent=np.nan).m == 1
    for absent in (np.nan, -np.inf):  # of which the diagonal is full, too
        assert from_dense([[absent, absent], [2.0, absent]], absent=absent).m == 1
    adjacency = from_dense(np.array([[True, True], [False, False]]))
    assert (adjacency.m, adjacency.is_weighted) == (1, False)
    assert from_dense(np.empty((0, 0))).n == 0
    assert not from_dense([[0, 4], [4, 0]], directed=False).directed


BAD_DENSE = [
    ([[0.0, np.nan], [1.0, 0.0]], {}, r"entry \[0, 1\] is nan"),
    ([[np.nan, 1.0], [1.0, 0.0]], {}, r"entry \[0, 0\] is nan"),
    ([[np.nan, 1.0], [1.0, 0.0]], {"absent": 0}, r"entry \[0, 0\] is nan"),
    ([[0.0, 1.0], [1.0, -np.inf]], {"absent": np.nan}, r"entry \[1, 1\] is -inf"),
    ([[0.0, -np.inf], [1.0, 0.0]], {}, r"entry \[0, 1\] is -inf"),
    ([[0.0, np.inf], [1.0, 0.0]], {"absent": 0}, r"entry \[0, 1\] is inf"),
    ([[0, 1, 2]], {}, "shape"),
    ([0, 1], {}, "shape"),
    ([["a"]], {}, "numbers"),
    ([[0, 1], [2, 0]], {"directed": False}, r"\[0, 1\] is 1 but \[1, 0\] is 2"),
]


@pytest.mark.parametrize(("matrix", "options", "message"), BAD_DENSE)
def test_from_dense_refuses(matrix, options, message):
    with pytest.raises(GraphError, match=message):
        from_dense(matrix, **options)


def test_from_scipy():
    matrix = sp.coo_array(([0, 3, 2], ([0, 0, 0], [1, 2, 2])), shape=(3, 3))
    for layout in ("coo", "csr", "csc"):
        graph = from_scipy(matrix.asformat(layout))
        assert graph.indices.tolist() == [1, 2]
        assert graph.weights[0] == 0  # an explicit zero is an arc
    assert from_scipy(matrix).weights.tolist() == [0, 2]  # the smaller of two entries counts
    assert from_scipy(matrix, directed=False).m == 4
    assert not from_scipy(sp.csr_array(np.array([[False, True], [True, False]]))).is_weighted
    damaged = sp.csr_array(np.eye(3))
    damaged.indices[0] = 9
    for bad, message in [(np.eye(2), "not a SciPy sparse"), (sp.csr_array((2, 3)), "shape"), (damaged, "damaged")]:
        with pytest.raises(GraphError, match=message):
            from_scipy(bad)


def test_from_networkx():
    source = nx.MultiDiGraph()
    source.add_edge("a", "b", weight=3)
    source.add_edge("a", "b", weight=2)
    source.add_edge("b", "c")
    graph = from_networkx(source, missing=1)
    assert list(graph.labels) == ["a", "b", "c"]
    assert graph.weights.tolist() == [2, 1]
    assert not from_networkx(source, weight=None).is_weighted
    assert not from_networkx(nx.path_graph(3)).is_weighted
    placed = nx.path_graph(3)
    nx.set_node_attributes(placed, {v: (v, 2 * v) for v in placed}, "pos")
    graph = from_networkx(placed)
    assert (graph.has_labels, graph.directed, graph.m) == (False, False, 4)
    assert graph.coordinates.tolist() == [[0, 0], [1, 2], [2, 4]]
    assert nx.get_node_attributes(graph.to_networkx(), "pos")[2] == (2, 4)
    source.add_edge("c", "a", weight="far")
    with pytest.raises(GraphError, match="edge 'c' - 'a' has weight='far'"):
        from_networkx(source, missing=1)


@pytest.mark.parametrize("odd", ["NN", ("a", "b"), (1, None), (10**400, 1), (1j, 2), ((1,), (2,)), (1, 2, 3)])
def test_an_attribute_pos_that_is_no_position_is_ignored(odd: object) -> None:
    """In graphs of words it is the part of speech."""
    tagged = nx.path_graph(3)
    nx.set_node_attributes(tagged, {0: (0, 0), 1: (1, 1), 2: odd}, "pos")
    assert apsp.from_networkx(tagged).coordinates is None
    nx.set_node_attributes(tagged, odd, "pos")
    assert apsp.solve(tagged).distance(0, 2) == 2


def test_networkx_may_be_missing(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "networkx", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'apsp\[networkx\]'"):
        from_edges([0], [1]).to_networkx()


def test_to_dense_refuses_what_does_not_fit():
    graph = from_edges([0, 1], [1, 0], [1.5, 2.0])
    with pytest.raises(GraphError, match="do not fit int32"):
        graph.to_dense(np.int32)
    with pytest.raises(GraphError, match="do not fit uint16"):
        from_edges([0], [1], [70000]).to_dense(np.uint16)
    with pytest.raises(GraphError, match="do not fit uint16"):
        from_edges([0], [1], [-1]).to_dense(np.uint16)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_long_rows_are_sorted(seed):
    rng = np.random.default_rng(seed)
    m = 3000
    tails, heads = rng.integers(0, 3, m), rng.integers(0, 2**20, m)
    weights = rng.integers(0, 9, m)
    graph = from_edges(tails, heads, weights, n=2**20)
    expected = sp.csr_array((np.ones(m), (tails, heads)), shape=(2**20, 2**20))
    expected.sum_duplicates()
    assert np.array_equal(graph.indices, expected.indices)
    assert np.array_equal(graph.indptr, expected.indptr)


ADJACENCY = np.array([[0, 3, 0, 0], [3, 0, 2, 0], [0, 2, 0, 1], [0, 0, 1, 0]])


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.int64, np.uint8])
def test_many_zeros_without_absent_are_a_warning(dtype):
    matrix = ADJACENCY.astype(dtype)
    with pytest.warns(
        ApspWarning, match=r"50% of the matrix off its diagonal is zero.* length 0: pass absent=0"
    ) as told:
        graph = from_dense(matrix)
    assert len(told) == 1
    assert told[0].filename == __file__
    assert graph.m == 12
    assert from_dense(matrix, absent=0).m == 6
    with pytest.warns(ApspWarning, match="50%"):
        assert apsp.solve(matrix).distance(0, 3) == 0


@pytest.mark.parametrize(
    ("matrix", "options"),
    [
        (ADJACENCY, {"absent": apsp.unreachable(np.int64)}),
        (ADJACENCY.astype(float), {"absent": math.inf}),
        (ADJACENCY != 0, {}),
        (np.ma.masked_equal(ADJACENCY, 0), {}),
        (np.where(ADJACENCY == 3, math.inf, ADJACENCY), {}),  # infinity says where there is no arc
        (np.ones((3, 3)) - np.eye(3), {}),
        (np.zeros((1, 1)), {}),
        (np.zeros((0, 0)), {}),
    ],
)
def test_zeros_that_are_meant_are_no_warning(matrix, options):
    assert from_dense(matrix, **options).n == len(matrix)


def test_a_batch_warns_of_zeros_once():
    batch = np.stack([ADJACENCY] * 5)
    for graphs in (batch, list(batch)):
        with pytest.warns(ApspWarning) as told:
            apsp.solve_batch(graphs)
        assert len(told) == 1
    padded = np.zeros((2, 9, 9))
    padded[:, :3, :3] = 1
    apsp.solve_batch(padded, sizes=[3, 3])


def test_files_of_dense_matrices_warn_of_zeros(tmp_path):
    np.save(tmp_path / "a.npy", ADJACENCY)
    np.savez(tmp_path / "b.npz", matrix=ADJACENCY)
    (tmp_path / "c.mtx").write_text(
        "%%MatrixMarket matrix array integer general\n4 4\n" + "\n".join(map(str, ADJACENCY.ravel())) + "\n"
    )
    for name in ("a.npy", "b.npz", "c.mtx"):
        with pytest.warns(ApspWarning, match="absent=0"):
            assert apsp.read(tmp_path / name).m == 12
        assert apsp.read(tmp_path / name, absent=0).m == 6


@pytest.mark.parametrize("absent", [2**64 - 1, 2**63])
def test_no_arc_may_be_said_by_an_entry_beyond_all_lengths(absent: int) -> None:
    graph = apsp.from_dense(np.array([[0, 5], [absent, 0]], dtype=np.uint64), absent=absent)
    assert graph.m == 1
    assert graph.weights.tolist() == [5]


def test_lengths_beyond_float64_are_refused_without_a_warning() -> None:
    wide = np.array([[0, 1], [np.finfo(np.longdouble).max, 0]], dtype=np.longdouble)
    with np.errstate(over="ignore"):
        if not np.isinf(wide.astype(np.float64)).any():
            pytest.skip("long doubles are doubles here")
    for make in (
        from_dense,
        lambda matrix: from_scipy(sp.csr_array(matrix)),
        lambda matrix: apsp.from_edges([0, 1], [1, 0], matrix[[0, 1], [1, 0]]),
    ):
        with pytest.raises(GraphError, match="has weight inf"):
            make(wide)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float32", "float64", "longdouble"])
@pytest.mark.parametrize("absent", [10**400, -(10**400), 2**64, 70_001, 2**24 + 1, 1.5, math.inf])
def test_an_absent_entry_that_the_dtype_does_not_hold_is_nowhere(absent: float, dtype: str) -> None:
    matrix = np.array([[0, 1], [1, 0]], dtype=dtype)
    assert from_dense(matrix, absent=absent).m == 2


def test_an_absent_entry_is_compared_exactly() -> None:
    assert from_dense(np.array([[0, 2**24], [2**24, 0]], dtype=np.float32), absent=2**24 + 1).m == 2
    assert from_dense(np.array([[0, 2**53 + 1], [2**53, 0]]), absent=2.0**53).m == 1
    assert from_dense(np.array([[False, True], [False, False]]), absent=True).m == 1


@pytest.mark.parametrize("absent", [np.timedelta64(3, "D"), np.timedelta64(3, "s"), "0", 1j, np.array([1]), [0]])
def test_absent_must_be_a_number(absent: object) -> None:
    with pytest.raises(RequestError, match="absent must be a number, not"):
        from_dense([[0, 1], [1, 0]], absent=absent)  # type: ignore[arg-type]


TEXTS = {
    "list": list,
    "tuple": tuple,
    "numpy": np.array,
    "objects": lambda names: np.array(names, dtype=object),
    "strided": lambda names: np.array([each for name in names for each in (name, "?")])[::2],
    "StringDType": lambda names: np.array(names, dtype=np.dtypes.StringDType()),
    "Series": lambda names: pytest.importorskip("pandas").Series(names),
    "Series of objects": lambda names: pytest.importorskip("pandas").Series(names, dtype=object),
    "categories": lambda names: pytest.importorskip("pandas").Series(names).astype("category"),
    "Index": lambda names: pytest.importorskip("pandas").Index(names),
    "polars": lambda names: pytest.importorskip("polars").Series(names),
    "pyarrow": lambda names: pytest.importorskip("pyarrow").array(names),
    "chunked": lambda names: pytest.importorskip("pyarrow").chunked_array([names[:1], names[1:]]),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_text_as_ends_is_labels(kind):
    tails, heads = TEXTS[kind](["b", "a", "b"]), TEXTS[kind](["a", "caf\u00e9", "b"])
    expected = from_edges([0, 1, 0], [1, 2, 0], [3, 4, 5], labels=["b", "a", "caf\u00e9"])
    assert from_edges(tails, heads, [3, 4, 5]) == expected
    assert from_edges(tails, heads) == expected.unweighted()
    km = np.array([1.5, 2.5, 3.5])
    assert from_edges(tails, heads, [3, 4, 5], costs={"km": km}) == from_edges(
        [0, 1, 0], [1, 2, 0], [3, 4, 5], labels=["b", "a", "caf\u00e9"], costs={"km": km}
    )
    ways = np.array([True, False, True])
    assert from_edges(tails, heads, [3, 4, 5], directed=ways) == from_edges(
        [0, 1, 0], [1, 2, 0], [3, 4, 5], labels=["b", "a", "caf\u00e9"], directed=ways
    )
    every = ["caf\u00e9", "z", "a", "b"]
    assert from_edges(tails, heads, [3, 4, 5], labels=every) == from_edges(
        [3, 2, 3], [2, 0, 3], [3, 4, 5], labels=every
    )


def test_text_of_series_with_other_rows():
    pd = pytest.importorskip("pandas")
    tails, heads = pd.Series(["a", "b"]), pd.Series(["b", "c"])
    turned = pd.Series([1, 2], index=[1, 0])
    for more in ({"weights": turned}, {"costs": {"km": turned}}, {"directed": turned == 1}):
        with pytest.raises(GraphError, match="different labels of their rows"):
            from_edges(tails, heads, **more)
    with pytest.raises(GraphError, match="row 1 of column 'tails' is missing"):
        from_edges(pd.Series(["a", None]), heads)
