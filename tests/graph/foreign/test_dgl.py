from __future__ import annotations

import numpy as np
import pytest

import apsp
from outside import edges, expected, found

torch = pytest.importorskip("torch")
dgl = pytest.importorskip("dgl")


def graph() -> dgl.DGLGraph:
    given = edges()
    return dgl.graph((torch.tensor(given.tails), torch.tensor(given.heads)), num_nodes=given.n)


def test_hops_are_those_of_dgl() -> None:
    own = dgl.shortest_dist(graph()).numpy()
    assert np.array_equal(found(graph()), np.where(own < 0, np.inf, own))


def test_weights_positions_and_other_types() -> None:
    given = graph()
    given.edata["weight"] = torch.tensor(edges().weights)
    given.ndata["pos"] = torch.arange(24.0).reshape(12, 2)
    assert np.array_equal(found(given), expected(True, True))
    assert np.array_equal(found(given, weight="weight"), expected(True, True))
    assert apsp.as_graph(given).coordinates.tolist() == given.ndata["pos"].tolist()
    with pytest.raises(apsp.RequestError, match="no edge attribute 'minutes': the edges have weight"):
        apsp.as_graph(given, weight="minutes")
