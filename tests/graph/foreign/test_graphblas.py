from __future__ import annotations

import numpy as np
import pytest

import apsp
from outside import Edges, edges, expected, found

graphblas = pytest.importorskip("graphblas")


def matrix(given: Edges) -> graphblas.Matrix:
    return graphblas.Matrix.from_coo(
        given.tails, given.heads, given.weights, nrows=given.n, ncols=given.n, dup_op=graphblas.binary.min
    )


def own(given: graphblas.Matrix) -> np.ndarray:
    """Powers of the matrix over (min, plus), until nothing changes."""
    closed = given.dup()
    diagonal = graphblas.Vector.from_scalar(0.0, given.nrows).diag()
    closed(graphblas.binary.min) << diagonal
    for _ in range(4):
        closed(graphblas.binary.min) << closed.mxm(closed, graphblas.semiring.min_plus)
    return closed.to_dense(fill_value=np.inf)


def test_distances_are_those_of_graphblas() -> None:
    given = matrix(edges())
    assert np.array_equal(found(given), own(given))
    assert np.array_equal(found(given, weight=None), expected(True, False))


def test_both_directions_are_two_entries() -> None:
    given = matrix(edges())
    both = given.ewise_add(given.T, graphblas.binary.min).new()
    assert np.array_equal(found(both), expected(False, True))


def test_integers_booleans_and_shapes() -> None:
    large = graphblas.Matrix.from_coo([0], [1], [2**60 + 1], nrows=2, ncols=2)
    assert apsp.solve(large).distance(0, 1) == 2**60 + 1
    hops = graphblas.Matrix.from_coo([0, 1], [1, 0], [True, False], nrows=2, ncols=2)
    assert apsp.solve(hops).to_dict() == {0: {0: 0, 1: 1}, 1: {1: 0}}
    with pytest.raises(apsp.GraphError, match=r"shape \(n, n\), not \(2, 3\)"):
        apsp.solve(graphblas.Matrix(float, 2, 3))
    with pytest.raises(apsp.RequestError, match="are its entries"):
        apsp.as_graph(large, weight="minutes")
