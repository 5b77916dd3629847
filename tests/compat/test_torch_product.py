"""apsp.torch.product: the values and the gradients of broadcasting in PyTorch, where PyTorch is installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import apsp
from products import matrices

torch = pytest.importorskip("torch")

SEMIRINGS = ("min_plus", "max_plus", "max_min", "min_max")
DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
BATCHES = [((), ()), ((3,), (3,)), ((2, 1), (1, 3)), ((4,), ()), ((), (2, 2)), ((1,), (3,))]


@pytest.fixture
def product() -> Any:
    from apsp.torch import product

    return product


def tensor(shape: tuple[int, ...], seed: int, device: str, dtype: Any = None) -> Any:
    """Numbers that differ from each other and have no ties in sums, so that every gradient is defined."""
    values = np.random.default_rng(seed).random(shape)
    return torch.tensor(values, device=device, dtype=dtype or torch.float64, requires_grad=True)


def broadcast(a: Any, b: Any, semiring: str) -> Any:
    left, right = a[..., :, :, None], b[..., None, :, :]
    join = {"min_plus": torch.add, "max_plus": torch.add, "max_min": torch.minimum, "min_max": torch.maximum}[semiring]
    pairs = join(left, right)
    return pairs.amax(-2) if semiring.startswith("max") else pairs.amin(-2)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("semiring", SEMIRINGS)
@pytest.mark.parametrize("batches", BATCHES)
def test_values_and_gradients(product: Any, batches: Any, semiring: str, device: str) -> None:
    left, right = batches
    a, b = tensor((*left, 4, 6), 1, device), tensor((*right, 6, 5), 2, device)
    expected = broadcast(a, b, semiring)
    weights = torch.rand_like(expected)
    right_a, right_b = torch.autograd.grad((expected * weights).sum(), (a, b))
    found = product(a, b, semiring=semiring)
    assert found.device.type == device
    torch.testing.assert_close(found, expected, rtol=0, atol=0)
    ours_a, ours_b = torch.autograd.grad((found * weights).sum(), (a, b))
    assert (ours_a.shape, ours_b.shape) == (a.shape, b.shape)
    # The bottlenecks of many entries are one entry of an operand: sums of gradients in another order.
    torch.testing.assert_close(ours_a, right_a, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(ours_b, right_b, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("semiring", SEMIRINGS)
def test_numerical_gradients(product: Any, semiring: str) -> None:
    a, b = tensor((2, 3, 4), 3, "cpu"), tensor((4, 2), 4, "cpu")
    assert torch.autograd.gradcheck(lambda x, y: product(x, y, semiring=semiring), (a, b), eps=1e-7)


@pytest.mark.parametrize("device", DEVICES)
def test_only_one_operand_has_a_gradient(product: Any, device: str) -> None:
    a, b = tensor((3, 4), 1, device, torch.float32), tensor((4, 2), 2, device, torch.float32).detach()
    found, via = product(a, b, witness=True)
    assert via.dtype == torch.int32
    assert not via.requires_grad
    found.sum().backward()
    expected = torch.zeros_like(a).scatter_add_(1, via.long(), torch.ones_like(found))
    torch.testing.assert_close(a.grad, expected)
    assert b.grad is None


def test_entries_without_a_path_have_no_gradient(product: Any) -> None:
    inf = torch.inf
    a = torch.tensor([[0.0, inf], [inf, inf]], requires_grad=True)
    b = torch.tensor([[inf, 1.0], [2.0, 3.0]], requires_grad=True)
    found, via = product(a, b, witness=True)
    assert found.tolist() == [[inf, 1.0], [inf, inf]]
    assert via.tolist() == [[-1, 0], [-1, -1]]
    found[torch.isfinite(found)].sum().backward()
    assert a.grad.tolist() == [[1.0, 0.0], [0.0, 0.0]]
    assert b.grad.tolist() == [[0.0, 1.0], [0.0, 0.0]]


def test_of_ties_the_smallest_pivot_has_the_gradient(product: Any) -> None:
    a, b = torch.zeros((1, 3), requires_grad=True), torch.zeros((3, 1), requires_grad=True)
    product(a, b).backward()
    assert a.grad.tolist() == [[1.0, 0.0, 0.0]]
    a, b = torch.ones((1, 3), requires_grad=True), torch.ones((3, 1), requires_grad=True)
    product(a, b, semiring="max_min").backward()
    assert a.grad.tolist() == [[0.5, 0.0, 0.0]]
    assert b.grad.tolist() == [[0.5], [0.0], [0.0]]


def test_without_gradients(product: Any) -> None:
    a, b = tensor((3, 4), 1, "cpu"), tensor((4, 2), 2, "cpu")
    with torch.no_grad():
        found, via = product(a, b, witness=True)
    assert not found.requires_grad
    assert via.dtype == torch.int32
    integers = torch.from_numpy(matrices((3, 4), "int32", "min_plus"))
    np.testing.assert_array_equal(product(integers, integers.T.contiguous()), apsp.product(integers, integers.T))
    flags = torch.tensor([[True, False]])
    assert product(flags, flags.T, semiring="or_and").tolist() == [[True]]


@pytest.mark.parametrize("shape", [(0, 3, 4), (3, 0, 4), (3, 4, 0)])
@pytest.mark.parametrize("semiring", SEMIRINGS)
def test_nothing_to_do(product: Any, semiring: str, shape: tuple[int, int, int]) -> None:
    m, k, n = shape
    a, b = tensor((2, m, k), 1, "cpu"), tensor((k, n), 2, "cpu")
    found = product(a, b, semiring=semiring)
    assert found.shape == (2, m, n)
    found.sum().backward()
    assert (a.grad.shape, b.grad.shape) == (a.shape, b.shape)
    assert not a.grad.any()


def test_the_second_derivative_is_an_error(product: Any) -> None:
    a, b = tensor((3, 4), 1, "cpu"), tensor((4, 2), 2, "cpu")
    (first,) = torch.autograd.grad((product(a, b) ** 2).sum(), a, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        first.sum().backward()


def test_functional_gradients(product: Any) -> None:
    a, b = (tensor(shape, 1, "cpu").detach() for shape in ((3, 4), (4, 2)))
    found = torch.func.grad(lambda x: product(x, b).sum())(a)
    a.requires_grad_()
    torch.testing.assert_close(found, torch.autograd.grad(broadcast(a, b, "min_plus").sum(), a)[0])


def test_half_precision_gets_its_gradient_back(product: Any) -> None:
    a = torch.tensor([[1.0, 2.0]], dtype=torch.float16, requires_grad=True)
    found = product(a, torch.tensor([[3.0], [1.0]], dtype=torch.float16))
    assert (found.dtype, found.item()) == (torch.float32, 3.0)
    found.backward()
    assert (a.grad.dtype, a.grad.tolist()) == (torch.float16, [[0.0, 1.0]])


def test_bad_operands_are_refused(product: Any) -> None:
    a = torch.ones((2, 2))
    with pytest.raises(apsp.GraphError, match="b must be a tensor"):
        product(a, np.ones((2, 2)))
    with pytest.raises(apsp.GraphError, match="as many columns"):
        product(a.requires_grad_(), torch.ones((3, 2)))
    with pytest.raises(apsp.GraphError, match=r"b: entry \[0, 1\] is nan"):
        product(a, torch.tensor([[0.0, torch.nan], [0.0, 0.0]]))
