"""scikit-learn's Isomap, unchanged, with this package in the place of SciPy."""

from __future__ import annotations

import numpy as np
import pytest

from apsp import csgraph
from apsp.compat.csgraph import handing_on, searches, solving

sklearn = pytest.importorskip("sklearn")


@pytest.mark.parametrize("method", ["auto", "FW", "D"])
def test_isomap_is_the_same(method, monkeypatch):
    from sklearn.datasets import make_swiss_roll
    from sklearn.manifold import Isomap, _isomap

    cloud, _ = make_swiss_roll(400, random_state=0)
    model = Isomap(n_neighbors=8, path_method=method)
    expected = model.fit(cloud).dist_matrix_
    answered = []

    def noted(call):
        answered.append(found := solving.answer(call))
        return found

    monkeypatch.setattr(searches, "answer", noted)
    monkeypatch.setattr(handing_on, "answer", noted)
    before = _isomap.shortest_path
    with csgraph.installed():
        distances = model.fit(cloud).dist_matrix_
        assert _isomap.shortest_path is not before
    assert _isomap.shortest_path is before
    assert len(answered) == 1
    assert answered[0] is not None
    np.testing.assert_allclose(distances, expected, rtol=1e-6)
