"""`apsp.csgraph` on graphs whose cycles are zero within rounding, where SciPy's own searches do not end."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse import csgraph as scipy

import apsp
from apsp import csgraph

FUNCTIONS = ("dijkstra", "johnson", "bellman_ford", "floyd_warshall", "shortest_path")
SECONDS = 240
"""Limit of calls that do not end without the checks; they take about two seconds."""

CALLS = """
import json, sys, warnings
import numpy as np
import scipy.sparse as sp
from apsp import csgraph
warnings.simplefilter("ignore")
FORMS = {
    "dense": np.asarray, "csr": sp.csr_array, "lil": sp.lil_array, "object": lambda dense: dense.astype(object),
    "masked": lambda dense: np.ma.masked_equal(dense, 0),
}
def cycle(n, *weights):
    dense = np.zeros((n, n))
    for tail, weight in enumerate(weights):
        dense[tail, (tail + 1) % len(weights)] = weight
    dense[0, len(weights)] = 1.5
    return dense
def rates(n, seed):
    prices = np.random.default_rng(seed).random(5) + 0.5
    dense = np.zeros((n, n))
    dense[:5, :5] = np.log(prices[:, None] / prices)
    return dense
name, found = sys.argv[1], []
function = getattr(csgraph, name)
for formed in FORMS.values():
    for n in (6, 130):
        graph = formed(cycle(n, 0.1, 0.7, -0.8))
        found.append(function(graph)[:4, :4].tolist())
        if name == "dijkstra":
            function(graph, indices=[0, 1], min_only=True, return_predecessors=True)
            function(graph, indices=[0, 1], limit=0.5)
        for seed in range(16):
            function(formed(rates(n, seed)))
print(json.dumps(found))
"""


@pytest.mark.few(1)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_cycles_that_are_zero_within_rounding_have_one_answer_at_every_size(name):
    """0.1 + 0.7 - 0.8 is -1.1e-16 in floats; logarithms of consistent exchange rates add up to about zero."""
    done = subprocess.run(
        [sys.executable, "-c", CALLS, name], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr
    expected = [[0, 0.1, 0.8, 1.5], [-0.1, 0, 0.7, 1.4], [-0.8, -0.7, 0, 0.7], [np.inf, np.inf, np.inf, 0]]
    for found in json.loads(done.stdout):
        np.testing.assert_allclose(found, expected, atol=1e-15)


@pytest.mark.parametrize("n", [5, 40])
@pytest.mark.parametrize("indices", [None, 2, [0, -1], []])
@pytest.mark.parametrize("limit", [np.inf, 1.5])
def test_dijkstra_with_negative_arcs_warns_and_is_exact(n, indices, limit):
    rng = np.random.default_rng(3)
    heights = rng.integers(0, 9, n)
    dense = np.where(rng.random((n, n)) < 0.4, rng.integers(1, 9, (n, n)) + heights - heights[:, None], 0.0)
    np.fill_diagonal(dense, 0)
    exact = scipy.johnson(sp.csr_array(dense))
    exact[exact > limit] = np.inf
    rows = np.arange(n) if indices is None else np.array(indices, dtype=int)
    with pytest.warns(UserWarning, match="negative"):
        found, pred = csgraph.dijkstra(dense, indices=indices, limit=limit, return_predecessors=True)
    assert np.array_equal(found, exact[rows])
    tree = np.isfinite(found) & (np.arange(n) != (rows[..., None] % n))
    assert (pred[tree] >= 0).all()
    assert np.array_equal(pred == -9999, ~tree) or limit < np.inf  # a path may pass vertices beyond the limit
    if np.size(rows):
        with pytest.warns(UserWarning, match="negative"):
            nearest, pred, sources = csgraph.dijkstra(
                dense, indices=indices, limit=limit, min_only=True, return_predecessors=True
            )
        assert np.array_equal(nearest, np.atleast_2d(exact[rows]).min(axis=0))
        reached = np.flatnonzero(np.isfinite(nearest))
        assert np.array_equal(exact[sources[reached], reached], nearest[reached])
        assert (sources[np.isinf(nearest)] == -9999).all()
        assert set(sources[reached].tolist()) <= set((np.atleast_1d(rows) % n).tolist())
        for vertex in reached.tolist():
            length, at = 0.0, vertex
            while pred[at] != -9999:
                length, at = length + dense[pred[at], at], pred[at]
            assert (length, at) == (nearest[vertex], sources[vertex])


@pytest.mark.parametrize("function", [csgraph.johnson, csgraph.dijkstra])
@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_stored_entries_that_are_not_lengths_beside_negative_arcs(function, bad):
    """They are no arcs, as in arrays; SciPy's search may not end on the others."""
    graph = sp.csr_array(([0.1, 0.7, -0.8, bad], ([0, 1, 2, 0], [1, 2, 0, 3])), shape=(4, 4))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = function(graph)
    np.testing.assert_allclose(found[0], [0, 0.1, 0.8, np.inf])


def test_lengths_of_minus_infinity_are_refused():
    graph = sp.csr_array(([0.1, 0.7, -0.8, -np.inf], ([0, 1, 2, 0], [1, 2, 0, 3])), shape=(4, 4))
    for function in (csgraph.johnson, csgraph.dijkstra):
        with pytest.raises(apsp.GraphError, match="negative"):
            function(graph)


def test_sums_beyond_float64_are_refused_where_arcs_are_negative():
    graph = sp.csr_array(([1.5e308, 1.5e308, -1.0], ([0, 1, 2], [1, 2, 3])), shape=(4, 4))
    for function in (csgraph.johnson, csgraph.dijkstra):
        with pytest.raises(apsp.GraphError, match="negative"):
            function(graph)


@pytest.mark.parametrize("n", [3, 60])
def test_masked_arrays_without_masked_entries(n):
    lengths = np.random.default_rng(n).integers(0, 9, (n, n)).astype(float)
    np.fill_diagonal(lengths, 0)
    whole = sp.csr_array((lengths.ravel(), np.indices((n, n)).reshape(2, -1)), shape=(n, n))
    for name in FUNCTIONS:
        function = getattr(csgraph, name)
        assert np.array_equal(function(np.ma.masked_array(lengths, mask=False)), scipy.dijkstra(whole)), name
        assert np.array_equal(function(np.ma.masked_array(lengths)), scipy.dijkstra(lengths)), name  # as an array


@pytest.mark.parametrize("n", [4, 30, 150])
@pytest.mark.parametrize("density", [0.05, 0.6])
@pytest.mark.parametrize("dtype", [np.float64, np.int64])
@pytest.mark.parametrize("directed", [False, True])
def test_zeros_that_are_not_masked_are_arcs_of_length_zero(n, density, dtype, directed):
    rng = np.random.default_rng(n)
    lengths = rng.integers(0, 4, (n, n)).astype(dtype)
    there = rng.random((n, n)) < density
    there[0, 1], lengths[0, 1] = True, 0
    masked = np.ma.masked_array(lengths, mask=~there)
    tails, heads = np.nonzero(there)
    stored = sp.csr_array((lengths[there].astype(float), (tails, heads)), shape=(n, n))  # a stored zero is an arc
    expected = scipy.dijkstra(stored, directed=directed)
    assert expected[0, 1] == 0
    for name in FUNCTIONS:
        assert np.array_equal(getattr(csgraph, name)(masked, directed=directed), expected), name
    for method in ("auto", "FW", "D", "BF", "J"):
        assert np.array_equal(csgraph.shortest_path(masked, method, directed=directed), expected), method
    hops = scipy.dijkstra(stored, directed=directed, unweighted=True)
    for name in FUNCTIONS:
        assert np.array_equal(getattr(csgraph, name)(masked, directed=directed, unweighted=True), hops), name


@pytest.mark.parametrize("number", [int, float, np.int8, np.float32, Fraction, Decimal])
@pytest.mark.parametrize(
    "form",
    [lambda m: m, list, lambda m: m.tolist(), lambda m: m.view(np.matrix), lambda m: np.ma.array(m, mask=m == 0)],
)
@pytest.mark.parametrize("n", [4, 60])
def test_objects_that_are_numbers_are_lengths(number, form, n):
    rng = np.random.default_rng(n)
    lengths = np.where(rng.random((n, n)) < 0.3, rng.integers(1, 50, (n, n)), 0)
    objects = np.empty((n, n), dtype=object)
    for place, length in np.ndenumerate(lengths):
        objects[place] = number(int(length))
    expected = scipy.dijkstra(lengths)
    for name in FUNCTIONS:
        assert np.array_equal(getattr(csgraph, name)(form(objects)), expected), name


def test_objects_that_are_no_numbers_are_refused():
    graph = np.array([[0, "far"], [None, 0]], dtype=object)
    for name in FUNCTIONS:
        with pytest.raises(apsp.GraphError, match="far"):
            getattr(csgraph, name)(graph)
