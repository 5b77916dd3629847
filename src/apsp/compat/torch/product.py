"""The product of matrices over a semiring as a differentiable function of PyTorch.

The idea: an entry of the product is a[i, w] join b[w, j] for its witness w, so its gradient goes to these two entries.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.autograd.function import once_differentiable

import apsp
from apsp._types import ProductSemiringName
from apsp.errors import GraphError, shown

__all__ = ["product"]


def product(
    a: torch.Tensor,
    b: torch.Tensor,
    *,
    semiring: ProductSemiringName = "min_plus",
    witness: bool = False,
    threads: int | None = None,
) -> torch.Tensor | tuple[torch.Tensor, torch.Tensor]:
    """Compute the product of matrices over a semiring, with gradients.

    As `apsp.product`, for tensors on the CPU or on a GPU, which are not copied. Computed on the device of the tensors.

    Parameters
    ----------
    a : (..., m, k) tensor
        Left operand.
    b : (..., k, n) tensor
        Right operand, on the device of a; the first axes of both are broadcast.
    semiring : {'min_plus', 'max_plus', 'max_min', 'min_max', 'or_and'}
        Names of the operations: the first chooses, the second joins. 'or_and' takes booleans and has no gradient.
    witness : bool
        Also return the smallest k that attains each entry: int32, -1 where there is no path.
    threads : int, optional
        CPU threads; by default APSP_NUM_THREADS or all cores.

    Returns
    -------
    (..., m, n) tensor, or (product, witness) with `witness`
        On the device of the operands.

    Raises
    ------
    GraphError, RequestError, DtypeRangeError, DeviceError, MemoryLimitError
        As `apsp.product`.

    Notes
    -----
    The gradient of an entry goes to a[i, w] and b[w, j], where w is the witness: to both for sums; for 'max_min' and
    'min_max' to the one that decided, half to each if they are equal. Entries without a path have gradient zero. Where
    several k attain an entry, only the smallest gets the gradient (`torch.amin` shares it between them). On a GPU
    gradients that meet in one entry are added in any order.

    The first derivative is supported, also by `torch.func.grad`; the second is zero almost everywhere, and computing it
    is an error. The backward pass takes 8 bytes per entry of the product, and no pass over the pairs.

    Examples
    --------
    >>> import torch
    >>> import apsp.torch
    >>> a = torch.tensor([[0.0, 3.0], [2.0, 9.0]], requires_grad=True)
    >>> b = torch.tensor([[5.0], [1.0]])
    >>> c = apsp.torch.product(a, b)
    >>> c.tolist()
    [[4.0], [7.0]]
    >>> c.sum().backward()
    >>> a.grad.tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    for tensor, name in ((a, "a"), (b, "b")):
        if not isinstance(tensor, torch.Tensor):
            raise GraphError(
                f"{name} must be a tensor of PyTorch, not {shown(tensor)}; apsp.product takes other arrays"
            )
    if a.device != b.device:
        raise GraphError(f"a is on {a.device}, b on {b.device}: move one of them to the other")
    if not (torch.is_grad_enabled() and (a.requires_grad or b.requires_grad)):
        found: Any = apsp.product(a.detach(), b.detach(), semiring=semiring, witness=witness, threads=threads)
        return found
    result, via = _Product.apply(a, b, semiring, threads)
    return (result, via) if witness else result


class _Product(torch.autograd.Function):  # type: ignore[misc]
    """The function that `product` applies when a gradient may be needed."""

    @staticmethod
    def forward(a: Any, b: Any, semiring: str, threads: int | None) -> tuple[Any, Any]:
        """The product and the witness."""
        found = apsp.product(a.detach(), b.detach(), semiring=semiring, witness=True, threads=threads)
        return found[0], found[1]

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Any, Any]) -> None:
        """Keep what the gradient needs: the entries themselves only where they decide."""
        a, b, semiring, _ = inputs
        ctx.mark_non_differentiable(output[1])
        ctx.is_sum = semiring.endswith("_plus")
        ctx.takes_lesser = semiring == "max_min"
        ctx.shapes, ctx.dtypes = (a.shape, b.shape), (a.dtype, b.dtype)
        ctx.save_for_backward(output[1], *(() if ctx.is_sum else (a, b)))

    @staticmethod
    @once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, gradient: Any, _: Any) -> tuple[Any, Any, None, None]:
        """Send the gradient of each entry to the entries at its witness."""
        via, *operands = ctx.saved_tensors
        batch = via.shape[:-2]
        gradient = gradient.masked_fill(via < 0, 0)
        index = via.clamp(min=0).long()
        to_a = to_b = gradient
        if not ctx.is_sum and index.numel() and ctx.shapes[0][-1]:
            left = operands[0].expand(*batch, *ctx.shapes[0][-2:]).gather(-1, index)
            right = operands[1].expand(*batch, *ctx.shapes[1][-2:]).gather(-2, index)
            by_a = (left < right) if ctx.takes_lesser else (left > right)
            share = by_a.to(gradient.dtype) + 0.5 * (left == right).to(gradient.dtype)
            to_a, to_b = gradient * share, gradient * (1 - share)
        found: list[Any] = []
        for part, axis, shape, dtype, needed in zip(
            (to_a, to_b), (-1, -2), ctx.shapes, ctx.dtypes, ctx.needs_input_grad[:2], strict=True
        ):
            if not needed:
                found.append(None)
                continue
            whole = torch.zeros((*batch, *shape[-2:]), dtype=part.dtype, device=part.device)
            if shape[axis]:
                whole.scatter_add_(axis, index, part)
            found.append(whole.sum_to_size(shape).to(dtype))
        return found[0], found[1], None, None
