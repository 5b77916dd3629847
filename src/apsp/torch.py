"""Functions on tensors of PyTorch, with gradients."""

from __future__ import annotations

from apsp.errors import MissingDependencyError

try:
    from apsp.compat.torch.product import product
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] != "torch":
        raise
    raise MissingDependencyError("torch", "apsp.torch") from error

__all__ = ["product"]
