from __future__ import annotations

import numpy as np
import pytest

import apsp
from outside import edges, expected, found

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore:Sparse:UserWarning")  # torch says that its CSR and CSC are in beta
DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]


@pytest.fixture(params=DEVICES)
def coo(request: pytest.FixtureRequest) -> torch.Tensor:
    """Not coalesced: entries that are stored twice are parallel arcs."""
    given = edges()
    return torch.sparse_coo_tensor(
        torch.tensor([given.tails, given.heads]), torch.tensor(given.weights), (12, 12), device=request.param
    )


def test_coo_is_the_graph_of_its_entries(coo: torch.Tensor) -> None:
    assert np.array_equal(found(coo), expected(True, True))
    assert np.array_equal(found(coo, weight=None), expected(True, False))


def test_gradients_are_not_lost_silently(coo: torch.Tensor) -> None:
    for tensor in (coo, coo.to_dense()):
        with pytest.raises(apsp.GraphError, match=r"requires a gradient.*detach"):
            apsp.solve(tensor.requires_grad_())


@pytest.mark.parametrize("layout", ["csr", "csc"])
def test_csr_and_csc(coo: torch.Tensor, layout: str) -> None:
    whole = coo.coalesce()  # torch adds parallel entries
    compressed = whole.to_sparse_csr() if layout == "csr" else whole.to_sparse_csc()
    assert np.array_equal(found(compressed), found(whole))


def test_one_entry_booleans_and_integers() -> None:
    one = torch.sparse_coo_tensor(torch.tensor([[0], [1]]), torch.tensor([2**60 + 1]), (2, 2))
    assert apsp.solve(one).distance(0, 1) == 2**60 + 1
    hops = torch.sparse_coo_tensor(torch.tensor([[0, 1], [1, 0]]), torch.tensor([True, False]), (2, 2))
    assert apsp.solve(hops).to_dict() == {0: {0: 0, 1: 1}, 1: {1: 0}}


@pytest.mark.parametrize("device", DEVICES)
def test_dense_tensors(device: str) -> None:
    dense = torch.tensor([[0.0, 2.0], [float("inf"), 0.0]], device=device)
    assert apsp.solve(dense).to_dict() == {0: {0: 0.0, 1: 2.0}, 1: {1: 0.0}}


def test_other_shapes_are_refused() -> None:
    with pytest.raises(apsp.GraphError, match=r"shape \(n, n\), not \(2, 3\)"):
        apsp.solve(torch.ones(2, 3).to_sparse())
    with pytest.raises(apsp.RequestError, match="are its entries"):
        apsp.as_graph(torch.ones(2, 2).to_sparse(), weight="minutes")
