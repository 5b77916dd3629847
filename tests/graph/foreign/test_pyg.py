from __future__ import annotations

import numpy as np
import pytest

import apsp
from outside import edges, every_kind, expected, found

torch = pytest.importorskip("torch")
torch_geometric = pytest.importorskip("torch_geometric")


def data(directed: bool, weighted: bool) -> torch_geometric.data.Data:
    from torch_geometric.data import Data
    from torch_geometric.utils import to_undirected

    given = edges()
    index, weights = torch.tensor([given.tails, given.heads]), torch.tensor(given.weights)
    if not directed:
        index, weights = to_undirected(index, weights, reduce="min")
    return Data(edge_index=index, num_nodes=given.n, **({"edge_weight": weights} if weighted else {}))


@every_kind
def test_distances_are_those_of_the_edges(directed: bool, weighted: bool) -> None:
    assert np.array_equal(found(data(directed, weighted)), expected(directed, weighted))


def test_distances_are_those_of_networkx_from_pyg() -> None:
    networkx = pytest.importorskip("networkx")
    from torch_geometric.utils import to_networkx

    given = data(True, False)
    assert apsp.solve(given).to_dict() == dict(networkx.all_pairs_shortest_path_length(to_networkx(given)))


def test_ends_that_are_not_two_rows_are_refused() -> None:
    for shape in ((3, 4), (4,), (1, 4)):
        with pytest.raises(apsp.GraphError, match=r"edge_index must have shape \(2, m\)"):
            apsp.as_graph(torch_geometric.data.Data(edge_index=torch.zeros(shape, dtype=torch.long)))
    with pytest.raises(apsp.GraphError, match="copied to the CPU"):
        apsp.as_graph(torch_geometric.data.Data(edge_index=torch.zeros((2, 4), dtype=torch.long, device="meta")))


def test_features_of_edges_and_positions() -> None:
    given = data(True, False)
    given.edge_attr = torch.tensor(edges().weights)[:, None]
    given.pos = torch.arange(24.0).reshape(12, 2)
    assert np.array_equal(found(given), expected(True, False))
    assert np.array_equal(found(given, weight="edge_attr"), expected(True, True))
    assert np.array_equal(found(given, weight=given.edge_attr), expected(True, True))
    assert apsp.as_graph(given).coordinates.tolist() == given.pos.tolist()
    with pytest.raises(apsp.RequestError, match=r"no edge attribute 'minutes': the edges have .*edge_attr"):
        apsp.as_graph(given, weight="minutes")
