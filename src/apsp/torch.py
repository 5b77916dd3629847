"""Functions on tensors of PyTorch: products with gradients, and encodings of paths for graph transformers."""

from __future__ import annotations

from apsp.errors import MissingDependencyError

try:
    from apsp.compat.torch.by_size import encodings_by_size
    from apsp.compat.torch.collate import ShortestPathCollater
    from apsp.compat.torch.encoding import PathEncoding, shortest_path_encoding
    from apsp.compat.torch.product import product
    from apsp.compat.torch.transform import ShortestPathEncoding
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] != "torch":
        raise
    raise MissingDependencyError("torch", "apsp.torch") from error

__all__ = [
    "PathEncoding",
    "ShortestPathCollater",
    "ShortestPathEncoding",
    "encodings_by_size",
    "product",
    "shortest_path_encoding",
]
