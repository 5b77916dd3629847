"""`apsp.csgraph.yen` beside SciPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse import csgraph as scipy

import apsp
from apsp import csgraph
from apsp.compat.csgraph import peer, simple_paths

needs_yen = pytest.mark.skipif(peer.yen is None, reason="an old SciPy")


def graphs() -> dict[str, Any]:
    rng = np.random.default_rng(4)
    dense = rng.integers(0, 9, (9, 9)) * (rng.random((9, 9)) < 0.5)
    heights = rng.integers(0, 9, 9)
    negative = np.where(dense > 0, dense + heights[:, None] - heights, 0)
    return {
        "dense": dense, "floats": dense / 7, "sparse": sp.csr_array(dense), "coo": sp.coo_array(dense / 3),
        "negative": negative, "masked": np.ma.masked_equal(dense, 0), "negative floats": negative / 4,
        "list": dense.tolist(),
    }  # fmt: skip


@needs_yen
@pytest.mark.parametrize("unweighted", [False, True])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("kind", graphs())
def test_as_scipy(kind: str, directed: bool, unweighted: bool) -> None:
    graph = graphs()[kind]
    if "negative" in kind and not directed:
        with pytest.raises(scipy.NegativeCycleError):
            csgraph.yen(graph, 0, 1, 3, directed=False)
        return
    for source, sink in [(0, 8), (3, 4), (2, 2)]:
        ends, options = (source, sink), {"directed": directed, "unweighted": unweighted}
        lengths, before = csgraph.yen(graph, *ends, 20, return_predecessors=True, **options)
        theirs, theirs_before = scipy.yen(graph, *ends, 20, return_predecessors=True, **options)
        np.testing.assert_allclose(lengths, theirs, rtol=1e-12)
        assert (lengths.dtype, before.dtype, before.shape) == (theirs.dtype, theirs_before.dtype, theirs_before.shape)
        np.testing.assert_array_equal(csgraph.yen(graph, *ends, 20, **options), lengths)
        unique = [i for i in range(len(lengths)) if np.isclose(theirs, theirs[i]).sum() == 1 and i < 19]
        np.testing.assert_array_equal(before[unique], theirs_before[unique])


@needs_yen
def test_no_path_and_no_paths() -> None:
    graph = np.array([[0, 1], [0, 0]])
    for call in ((1, 0, 3), (0, 1, 0)):
        lengths, before = csgraph.yen(graph, *call, return_predecessors=True)
        assert (lengths.tolist(), before.shape) == ([], scipy.yen(graph, *call, return_predecessors=True)[1].shape)


def test_errors() -> None:
    graph = np.array([[0, 1], [0, 0]])
    for call in ((-1, 0, 3), (0, 2, 1), (0, 1, -1)):
        with pytest.raises(ValueError, match="must be"):
            csgraph.yen(graph, *call)
    with pytest.raises(TypeError):
        csgraph.yen(graph, 0, 1, 2.0)
    with pytest.raises(apsp.NegativeCycleError):
        csgraph.yen(np.array([[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, -1], [0, 0, -1, 0]]), 0, 1, 1)
    with pytest.raises(ValueError, match="square"):
        csgraph.yen(np.ones((2, 3)), 0, 1, 1)


def test_an_old_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simple_paths.peer, "yen", None)
    assert csgraph.yen([[0, 1], [0, 0]], 0, 1, 1).tolist() == [1]
    with pytest.raises(ValueError, match="square"):
        csgraph.yen(np.ones((2, 3)), 0, 1, 1)
