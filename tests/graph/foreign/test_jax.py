from __future__ import annotations

import numpy as np
import pytest

import apsp
from outside import edges, expected, found

jax = pytest.importorskip("jax")
sparse = pytest.importorskip("jax.experimental.sparse")


def test_bcoo_is_the_graph_of_its_entries() -> None:
    given = edges()
    array = sparse.BCOO((np.float32(given.weights), np.column_stack([given.tails, given.heads])), shape=(12, 12))
    assert np.array_equal(found(array), expected(True, True))
    assert np.array_equal(found(array, weight=None), expected(True, False))


def test_bcsr_and_padding() -> None:
    whole = np.float32([[0, 2, 0], [0, 0, 3], [0, 0, 0]])
    padded = sparse.BCOO.fromdense(jax.numpy.asarray(whole), nse=5)
    for array in (padded, sparse.BCSR.from_bcoo(sparse.BCOO.fromdense(jax.numpy.asarray(whole)))):
        assert apsp.solve(array).to_dict() == {0: {0: 0, 1: 2, 2: 5}, 1: {1: 0, 2: 3}, 2: {2: 0}}


def test_other_shapes_are_refused() -> None:
    with pytest.raises(apsp.GraphError, match=r"shape \(n, n\)"):
        apsp.solve(sparse.BCOO.fromdense(jax.numpy.ones((2, 3))))
