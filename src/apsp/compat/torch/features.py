"""Features of edges, gathered along paths: stacked, summed or averaged. They keep their gradient."""

from __future__ import annotations

from typing import Any

import torch

from apsp.errors import GraphError, RequestError, shown

__all__ = ["checked", "gathered"]


def checked(edge_attr: Any, edge_index: Any) -> Any:
    """The features as an (m, f) tensor.

    Raises
    ------
    GraphError
        If there is not a row per edge.
    """
    if not isinstance(edge_attr, torch.Tensor):
        raise GraphError(f"edge_attr must be a tensor with a row per edge, not {shown(edge_attr)}")
    if edge_attr.device != edge_index.device:
        raise GraphError(f"edge_index is on {edge_index.device}, edge_attr on {edge_attr.device}: move one of them")
    edge_attr = edge_attr[:, None] if edge_attr.ndim == 1 else edge_attr
    if edge_attr.ndim != 2 or len(edge_attr) != edge_index.shape[1]:
        raise GraphError(
            f"edge_attr must have shape ({edge_index.shape[1]}, features), a row per edge, not {tuple(edge_attr.shape)}"
        )
    return edge_attr


def gathered(edge_attr: Any, edges: Any, reduce: str, padding: float) -> Any:
    """(m, f) features along (..., k) edges: (..., k, f) for 'stack', else (..., f)."""
    if reduce == "mean" and not (edge_attr.is_floating_point() or edge_attr.is_complex()):
        edge_attr = edge_attr.to(torch.get_default_dtype())
    columns = edge_attr.shape[1]
    beyond = edge_attr.new_full((1, columns), _of_dtype(padding, edge_attr.dtype) if reduce == "stack" else 0)
    table = torch.cat((edge_attr, beyond))
    rows = torch.where(edges < 0, len(edge_attr), edges)
    if reduce == "stack":
        return table.index_select(0, rows.view(-1)).view(*edges.shape, columns)
    total = table.new_zeros((edges.shape[:-1].numel(), columns))
    for step in range(edges.shape[-1]):
        total += table.index_select(0, rows[..., step].reshape(-1))
    total = total.view(*edges.shape[:-1], columns)
    if reduce == "sum":
        return total
    return total / (edges >= 0).sum(-1, keepdim=True).clamp(min=1)


def _of_dtype(padding: float, dtype: torch.dtype) -> float:
    if not (dtype.is_floating_point or dtype.is_complex):
        least, most = (0, 1) if dtype == torch.bool else (torch.iinfo(dtype).min, torch.iinfo(dtype).max)
        if not least <= padding <= most or padding != int(padding):
            raise RequestError(f"padding={padding} is not a number of the features' dtype {dtype}: give padding=")
    return padding
