"""`apsp.csgraph` against SciPy: the same values, shapes, dtypes and errors, on both sides of the crossover."""

from __future__ import annotations

import inspect
import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.sparse import csgraph as scipy

import apsp
from apsp import csgraph
from apsp.compat.csgraph import crossover, handing_on, rows, searches, solving

FUNCTIONS = ("shortest_path", "dijkstra", "floyd_warshall", "bellman_ford", "johnson")
SPARSE = ("csr", "csc", "coo", "lil", "bsr", "dok", "dia")


@pytest.fixture(autouse=True)
def no_crossover(monkeypatch):
    """SciPy answers only what this package does not."""
    for module in (searches, handing_on):
        monkeypatch.setattr(module, "scipy_is_faster", lambda *arguments: False)


@pytest.fixture
def answers(monkeypatch):
    """What this package answered, a value per call."""
    found: list[bool] = []

    def counted(call):
        answer = solving.answer(call)
        found.append(answer is not None)
        return answer

    monkeypatch.setattr(searches, "answer", counted)
    monkeypatch.setattr(handing_on, "answer", counted)
    return found


def outcome(function, *args, **kwargs):
    """What a call returns, or the class of its error; and its warnings."""
    with warnings.catch_warnings(record=True) as record:
        warnings.simplefilter("always")
        try:
            found = function(*args, **kwargs)
        except Exception as error:
            found = error
    return found, sorted({each.category.__name__ for each in record})


def replay(graph, directed, sources, dist, pred, *, unweighted=False):
    """Check that every path of the predecessors has the length of its distance."""
    lengths = {}
    coo = sp.coo_array(graph)
    for i, j, w in zip(coo.row.tolist(), coo.col.tolist(), coo.data.tolist(), strict=True):
        for arc in ((i, j),) if directed else ((i, j), (j, i)):
            lengths[arc] = min(lengths.get(arc, np.inf), 1 if unweighted else w)
    for source, distances, before in zip(sources, dist, pred, strict=True):
        for v in range(len(distances)):
            if v == source or not np.isfinite(distances[v]):
                assert before[v] == -9999
                continue
            length, at, steps = 0.0, v, 0
            while at != source and steps <= len(distances):
                length, at, steps = length + lengths[before[at], at], before[at], steps + 1
            assert at == source
            np.testing.assert_allclose(length, distances[v], rtol=1e-12, atol=1e-12)


@st.composite
def graphs(draw):
    """A graph in any form that SciPy takes."""
    n = draw(st.integers(1, 9))
    low = draw(st.sampled_from([0, 0, 0, -2]))
    entry = st.integers(low, 9) if draw(st.booleans()) else st.floats(low, 9, width=32)
    narrow = ["uint8", "bool"] if low == 0 else []
    dtype = draw(st.sampled_from(["float64", "float32", "int64", "int32", *narrow]))
    arcs = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), entry), max_size=30))
    kind = draw(st.sampled_from(["dense", "fortran", "masked", "matrix", *SPARSE]))
    data = np.array([w for _, _, w in arcs], dtype=dtype)
    tails, heads = np.array([arc[:2] for arc in arcs], dtype=int).reshape(-1, 2).T
    sparse = sp.coo_array((data, (tails, heads)), shape=(n, n))
    if kind == "csr" and draw(st.booleans()):  # entries stored twice, in any order
        order = np.argsort(tails, kind="stable")
        indptr = np.concatenate(([0], np.cumsum(np.bincount(tails, minlength=n))))
        return sp.csr_array((data[order], heads[order], indptr), shape=(n, n))
    if kind in SPARSE:
        return sparse.asformat(kind)
    dense = sparse.toarray()
    if kind == "masked":
        mask = draw(st.lists(st.booleans(), min_size=n * n, max_size=n * n))
        return np.ma.masked_array(dense, mask=np.reshape(mask, (n, n)))
    if kind == "matrix":
        return dense.view(np.matrix)
    if dense.dtype.kind == "f":
        dense[dense == 3] = np.inf
        dense[dense == 5] = np.nan
    return np.asfortranarray(dense) if kind == "fortran" else dense


def read_by_scipy(graph):
    """A form that SciPy's function reads as it reads others: its Floyd-Warshall takes fewer."""
    if sp.issparse(graph):
        return graph.tocsr()
    return np.ma.copy(graph) if isinstance(graph, np.ma.MaskedArray) else np.array(graph, order="C")


def has_negative(graph):
    return bool(((sp.coo_array(graph).data if sp.issparse(graph) else graph) < 0).any())


def has_tiny_negative(graph):
    data = sp.coo_array(graph).data if sp.issparse(graph) else np.ma.getdata(graph)
    return bool(((data < 0) & (data > -1e-9)).any())


@given(graphs(), st.sampled_from(FUNCTIONS), st.data())
def test_all_options_are_as_in_scipy(graph, name, data):
    options = {each: data.draw(st.booleans()) for each in ("directed", "return_predecessors", "unweighted")}
    n = graph.shape[0]
    if name != "floyd_warshall":
        index = st.integers(-n, n - 1)
        options["indices"] = data.draw(st.one_of(st.none(), index, st.lists(index, max_size=4)))
    if name == "dijkstra":
        options["limit"] = data.draw(st.sampled_from([np.inf, np.inf, 0, 3, 4.5, np.nan, -1]))
        options["min_only"] = data.draw(st.booleans())
    if name == "shortest_path":
        options["method"] = data.draw(st.sampled_from(["auto", "D", "J", "BF", "FW", "nothing"]))
    if (name == "dijkstra" or options.get("method") == "D") and not options["unweighted"]:
        assume(not has_negative(graph))  # where SciPy 1.17 may not come to an end
    if not options["unweighted"]:
        assume(not has_tiny_negative(graph))  # SciPy takes no cycle above -2.2e-16 for negative
    # SciPy's Floyd-Warshall takes zeros that are not masked for missing arcs
    is_matrix = name == "floyd_warshall" or (name == "shortest_path" and options["method"] in ("auto", "FW"))
    assume(not (is_matrix and isinstance(graph, np.ma.MaskedArray) and (graph.compressed() == 0).any()))
    ours, our_warnings = outcome(getattr(csgraph, name), graph, **options)
    theirs, their_warnings = outcome(getattr(scipy, name), read_by_scipy(graph), **options)
    assert our_warnings == their_warnings
    if isinstance(theirs, Exception):
        assume("Buffer dtype mismatch" not in str(theirs))  # CSC arrays with indices of 64 bits, before SciPy 1.15
        assert isinstance(ours, type(theirs)), (ours, theirs)
        return
    assert not isinstance(ours, Exception), ours
    ours, theirs = (each if isinstance(each, tuple) else (each,) for each in (ours, theirs))
    facts = [[(each.shape, each.dtype, each.flags.c_contiguous) for each in both] for both in (ours, theirs)]
    assert facts[0] == facts[1]
    np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-12, atol=1e-12)
    if len(ours) == 2 and not (theirs[0] < 0).any():
        arcs = read_by_scipy(graph)
        if not sp.issparse(arcs):
            masked = isinstance(arcs, np.ma.MaskedArray)
            if masked and (arcs.compressed() == 0).any():
                return
            arcs = scipy.csgraph_from_masked(arcs) if masked else scipy.csgraph_from_dense(arcs)
        sources = np.atleast_1d(np.arange(n) if options.get("indices") is None else options["indices"]) % n
        distances, predecessors = (each.reshape(-1, n) for each in ours)
        # Of entries stored twice, SciPy takes the smallest or the sum: that depends on the function and the dtype.
        summed = arcs.copy()
        summed.sum_duplicates()
        try:
            replay(arcs, options["directed"], sources, distances, predecessors, unweighted=options["unweighted"])
        except AssertionError:
            if summed.nnz == arcs.nnz:
                raise
            replay(summed, options["directed"], sources, distances, predecessors, unweighted=options["unweighted"])


def random_arcs():
    rng = np.random.default_rng(1)
    return sp.csr_array(np.where(rng.random((60, 60)) < 0.06, rng.random((60, 60)), 0.0))


RANDOM = random_arcs()


def test_every_public_name_of_scipy_is_there():
    assert set(scipy.__all__) <= set(dir(csgraph))
    for name in scipy.__all__:
        ours, theirs = getattr(csgraph, name), getattr(scipy, name)
        assert ours is theirs or name in (*FUNCTIONS, "yen")
    with pytest.raises(AttributeError, match="nothing"):
        csgraph.nothing  # noqa: B018


@pytest.mark.parametrize("name", FUNCTIONS)
def test_signatures_are_those_of_scipy(name):
    ours, theirs = (inspect.signature(getattr(module, name)).parameters.values() for module in (csgraph, scipy))
    assert [(each.name, each.default, each.kind) for each in ours] == [
        (each.name, each.default, each.kind) for each in theirs
    ]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_functions_compute_here(name, answers):
    getattr(csgraph, name)(RANDOM)
    assert answers == [True]


@pytest.mark.parametrize("n", [0, 1])
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_least_graphs(name, n, form):
    distances, predecessors = getattr(csgraph, name)(form(np.zeros((n, n))), return_predecessors=True)
    assert distances.tolist() == [[0.0]] * n
    assert predecessors.tolist() == [[-9999]] * n
    assert predecessors.dtype == np.int32


@pytest.mark.parametrize("bad", [np.zeros((2, 3)), np.zeros(3), np.zeros((2, 2, 2)), sp.csr_array((2, 3)), None, "abc"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_errors_are_those_of_scipy(name, bad):
    ours, _ = outcome(getattr(csgraph, name), bad)
    theirs, _ = outcome(getattr(scipy, name), bad)
    assert isinstance(theirs, Exception)
    assert type(ours) is type(theirs)
    assert str(ours) == str(theirs)


@pytest.mark.parametrize("indices", [[60], [-61], "a", [[0, 99]], 2**40])
@pytest.mark.parametrize("name", ["shortest_path", "dijkstra", "bellman_ford", "johnson"])
def test_wrong_sources_are_the_errors_of_scipy(name, indices):
    ours, _ = outcome(getattr(csgraph, name), RANDOM, indices=indices)
    theirs, _ = outcome(getattr(scipy, name), RANDOM, indices=indices)
    assert type(ours) is type(theirs)
    assert isinstance(ours, Exception)


CYCLE = sp.csr_array(np.array([[0, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 1], [0, 0, -3, 0.0]]))


@pytest.mark.parametrize("name", ["shortest_path", "floyd_warshall", "bellman_ford", "johnson"])
@pytest.mark.parametrize("small", [False, True])
def test_a_negative_cycle_is_an_error_of_both_packages(name, small, monkeypatch):
    for module in (searches, handing_on):
        monkeypatch.setattr(module, "scipy_is_faster", lambda *arguments: small)
    with pytest.raises(scipy.NegativeCycleError) as error:
        getattr(csgraph, name)(CYCLE)
    assert isinstance(error.value, apsp.NegativeCycleError)
    assert sorted(error.value.cycle) == [2, 3]
    assert error.value.length == -2
    again = pickle.loads(pickle.dumps(error.value))
    assert (type(again), again.cycle, str(again)) == (type(error.value), error.value.cycle, str(error.value))


def test_a_negative_cycle_out_of_reach_is_an_error_of_johnson_alone():
    apart = sp.block_diag([RANDOM, CYCLE], format="csr")
    assert np.isfinite(csgraph.bellman_ford(apart, indices=0)[:60]).any()
    for function in (csgraph.johnson, scipy.johnson):
        with pytest.raises(scipy.NegativeCycleError):
            function(apart, indices=0)


def test_floyd_warshall_ignores_loops():
    graph = np.array([[-1.0, 2], [3, -5]])
    assert csgraph.floyd_warshall(graph).tolist() == scipy.floyd_warshall(graph).tolist() == [[0, 2], [3, 0]]
    for function in (csgraph.bellman_ford, scipy.bellman_ford):
        with pytest.raises(scipy.NegativeCycleError):
            function(graph)


def test_dijkstra_with_negative_weights_warns_as_scipy_and_is_right(answers):
    graph = np.array([[0, 2, 4.0], [0, 0, 0], [0, -3, 0]])
    ours, theirs = outcome(csgraph.dijkstra, graph), outcome(scipy.dijkstra, graph)
    assert ours[1] == theirs[1] == ["UserWarning"]
    assert ours[0].tolist() == scipy.johnson(graph).tolist()
    assert answers == [True]


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("form", [sp.csr_array, sp.lil_array, np.asarray, lambda dense: np.ma.masked_equal(dense, 0)])
def test_dijkstra_ends_with_an_error_where_that_of_scipy_does_not_end(form, small, monkeypatch):
    """SciPy's function does not end if a source reaches a negative cycle."""
    monkeypatch.setattr(searches, "scipy_is_faster", lambda *arguments: small)
    arc = form(np.array([[0, -1.0, 0], [0, 0, 2], [0, 0, 0]]))
    cycle = form(np.array([[0, -1.0, 0], [-2, 0, 2], [0, 0, 0]]))
    for graph, directed in ((arc, False), (cycle, True), (cycle, False)):
        for options in ({}, {"indices": [0]}, {"indices": [0], "min_only": True}, {"return_predecessors": True}):
            with pytest.raises(scipy.NegativeCycleError) as error:
                csgraph.dijkstra(graph, directed=directed, **options)
            assert sorted(error.value.cycle) == [0, 1]
        with pytest.raises(apsp.NegativeCycleError):
            csgraph.shortest_path(graph, "D", directed=directed)
    with pytest.warns(UserWarning, match="negative"):  # it does not reach the cycle
        assert csgraph.dijkstra(cycle, indices=2).tolist() == [np.inf, np.inf, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert csgraph.dijkstra(cycle, unweighted=True, indices=0).tolist() == [0, 1, 2]


@pytest.mark.parametrize("paths", [False, True])
def test_overwrite_writes_into_a_float64_array_in_c_order(paths):
    for form in (np.array, np.asfortranarray, lambda values: np.array(values, dtype=np.float32)):
        graph = form(RANDOM.toarray())
        expected, before = scipy.floyd_warshall(RANDOM.toarray()), graph.copy()
        found = csgraph.floyd_warshall(graph, overwrite=True, return_predecessors=paths)
        distances = found[0] if paths else found
        np.testing.assert_allclose(distances, expected, rtol=1e-6)
        fits = form is np.array
        assert np.shares_memory(distances, graph) == fits
        assert np.array_equal(graph, distances if fits else before)


def test_integers_are_exact():
    """In float64, as SciPy adds, the small arc would be lost after the large one."""
    large = 2**53
    graph = sp.csr_array(np.array([[0, large, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]], dtype=np.int64))
    call = solving.Call(graph, True, None, False, False, "dijkstra")
    assert solving._rows(call, None, integers=True).distances[0, 3] == large + 2
    assert scipy.dijkstra(graph)[0, 3] == large


@pytest.mark.parametrize("integers", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.uint64, np.int8, np.uint16, np.float32])
def test_integers_among_floats(integers, dtype):
    """What is computed in integers, of any dtype, comes back in float64, infinite where there is no path."""
    graph = RANDOM.copy()
    graph.data = np.floor(graph.data * 100).astype(dtype)
    usual = {"directed": True, "indices": None, "unweighted": False, "limit": np.inf}
    for options in ({}, {"unweighted": True}, {"directed": False}, {"limit": 70}, {"indices": [3, -1]}):
        call = solving.Call(graph, paths=True, algorithm="dijkstra", **usual | options)
        ours = solving.answer(call, integers_from=0 if integers else 1 << 60)
        theirs = scipy.dijkstra(graph, return_predecessors=True, **options)
        assert np.array_equal(ours[0], theirs[0])
        assert np.array_equal(ours[1] < 0, theirs[1] < 0)
        assert ours[1].min() == -9999


def test_wide_results_are_converted_in_blocks():
    graph = apsp.from_scipy(RANDOM).unweighted()
    blocks = rows.BlockLimits(bytes=1, least_rows=7, converted=100)
    ours = rows.rows_of(graph, None, limit=None, paths=True, method="auto", in_floats=False, blocks=blocks)
    assert np.array_equal(ours[0], scipy.dijkstra(RANDOM, unweighted=True))
    replay(RANDOM, True, range(60), *ours, unweighted=True)


def test_a_result_that_does_not_fit_is_refused_before_it_is_allocated():
    huge = sp.csr_array((np.ones(1), ([0], [1])), shape=(3_000_000, 3_000_000))
    with pytest.raises(MemoryError, match=r"at most [0-9,]+ sources at a time"):
        csgraph.shortest_path(huge)


def test_the_limit_is_applied_to_sums_as_scipy_adds_them():
    graph = sp.csr_array(np.diag(np.full(11, 0.1), 1))
    for limit in (0.3, 0.30000000000000004, 0.8, 1.0):
        assert np.array_equal(csgraph.dijkstra(graph, limit=limit), scipy.dijkstra(graph, limit=limit))


@pytest.mark.parametrize(
    ("n", "arcs", "indices", "by_scipy"),
    [
        (10, 40, None, True),
        (100, 400, None, False),
        (1000, 4000, 3, True),
        (1000, 4000, range(500), False),
        (1000, 4000, list(range(500)), False),
        (3000, 12000, np.arange(500), False),
        (3000, 1500, np.arange(500), True),  # of which a search reaches one or two vertices
    ],
)
def test_the_crossover(n, arcs, indices, by_scipy):
    random = np.random.default_rng(1)
    graph = sp.csr_array(sp.coo_array((random.random(arcs), random.integers(0, n, (2, arcs))), shape=(n, n)))
    for directed in (True, False) if arcs > n else (True,):
        assert crossover.scipy_is_faster(graph, directed, indices, "dijkstra") == by_scipy


def test_a_search_tells_whether_a_graph_falls_apart():
    chain, apart = (sp.diags_array([np.ones(4000)], offsets=[k], shape=(4000, 4000)).tocsr() for k in (1, 2500))
    assert not crossover.scipy_is_faster(chain, False, None, "dijkstra")
    assert crossover.scipy_is_faster(apart, False, None, "dijkstra")


def test_fortran_order_is_solved_where_scipy_is_faster_too(monkeypatch):
    monkeypatch.setattr(handing_on, "scipy_is_faster", lambda *arguments: True)
    graph = np.asfortranarray([[0, 1.0, 5], [0, 0, 2], [0, 0, 0]])
    assert csgraph.floyd_warshall(graph)[0, 2] == csgraph.shortest_path(graph, method="FW")[0, 2] == 3
