"""Edge lists of many graphs -> (b, n, n) lengths and the edges behind them, without a loop over graphs.

The matrices are reversed, [g, head, tail]: predecessors of the reversed graph are next vertices of the graph itself, so
that paths are walked from their sources, and only as far as they are wanted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch

from apsp.errors import GraphError, RequestError, shown
from apsp.semiring import unreachable

__all__ = ["Edges", "Packed", "edges_of", "members", "pack", "vertex_sizes"]

_WIDER = {
    torch.bool: torch.int32, torch.uint8: torch.int32, torch.int8: torch.int32, torch.int16: torch.int32,
    torch.float16: torch.float32, torch.bfloat16: torch.float32,
}  # fmt: skip
_LENGTHS = (torch.int32, torch.int64, torch.float32, torch.float64)


class Edges(NamedTuple):
    """Arcs of many graphs, in any order.

    Attributes
    ----------
    graphs, tails, heads : (a,) int64
        The graph of each arc, and its ends, counted from 0 in each graph.
    numbers : (a,) int32 or int64
        The column of `edge_index` of each arc: an undirected edge is two arcs of one number.
    weights : (a,) tensor or None
        Their lengths; None to count hops.
    """

    graphs: Any
    tails: Any
    heads: Any
    numbers: Any
    weights: Any


class Packed(NamedTuple):
    """Reversed lengths [g, head, tail], bool or int32 for hops; (b * n * n,) numbers of edges, -1 for none."""

    lengths: Any
    numbers: Any


def vertex_sizes(num_nodes: int | None, batch: Any, num_graphs: int | None, edge_index: Any) -> Any:
    """The (b,) number of vertices of each graph.

    Raises
    ------
    GraphError, RequestError
        If batch is not sorted, or the numbers contradict each other.
    """
    if batch is None:
        if num_graphs is not None:
            raise RequestError("num_graphs goes with batch, the graph of each vertex")
        if num_nodes is None:
            num_nodes = int(edge_index.max()) + 1 if edge_index.numel() else 0
        return torch.tensor([num_nodes], device=edge_index.device)
    if not isinstance(batch, torch.Tensor) or batch.ndim != 1 or batch.is_floating_point() or batch.is_complex():
        raise GraphError("batch must be a tensor of whole numbers, the graph of each vertex")
    if batch.device != edge_index.device:
        raise GraphError(f"edge_index is on {edge_index.device}, batch on {batch.device}: move one of them")
    if num_nodes is not None and num_nodes != len(batch):
        raise RequestError(f"num_nodes is {num_nodes}, but batch has {len(batch)} vertices: leave num_nodes out")
    if len(batch) and (int(batch[0]) < 0 or bool((batch[1:] < batch[:-1]).any())):
        raise GraphError("batch must be sorted, from 0: the vertices of graph 0 first, as in batches of PyG")
    count = int(batch[-1]) + 1 if len(batch) else 0
    if num_graphs is not None and num_graphs < count:
        raise RequestError(f"num_graphs is {num_graphs}, but batch names graph {count - 1}")
    return torch.bincount(batch, minlength=count if num_graphs is None else num_graphs)


def edges_of(edge_index: Any, weight: Any, sizes: Any, *, directed: bool) -> Edges:
    """Check an edge list whose vertices are counted through all graphs, and number its vertices from 0 in each graph.

    Raises
    ------
    GraphError
        If an edge is invalid; the message names it.
    """
    weights = _lengths(weight, edge_index)
    total = int(sizes.sum())
    if edge_index.numel():
        low, high = (int(end) for end in edge_index.aminmax())
        if low < 0 or high >= total:
            wrong = ((edge_index < 0) | (edge_index >= total)).any(0).nonzero()[0].item()
            ends = edge_index[:, wrong].tolist()
            raise GraphError(f"edge {wrong} joins {ends[0]} and {ends[1]}: vertices are 0 to {total - 1}")
    tails, heads = edge_index.long()
    if len(sizes) == 1:
        graphs = torch.zeros_like(tails)
    else:
        of_vertex = members(sizes, total)
        graphs = of_vertex.index_select(0, tails)
        other = of_vertex.index_select(0, heads)
        if bool((graphs != other).any()):
            wrong = (graphs != other).nonzero()[0].item()
            raise GraphError(f"edge {wrong} joins graph {graphs[wrong].item()} and graph {other[wrong].item()}")
        first = (sizes.cumsum(0) - sizes).index_select(0, graphs)
        tails, heads = tails - first, heads - first
    numbers = torch.arange(len(tails), device=tails.device, dtype=number_dtype(len(tails)))
    if not directed:
        tails, heads = torch.cat((tails, heads)), torch.cat((heads, tails))
        graphs, numbers = graphs.repeat(2), numbers.repeat(2)
        weights = None if weights is None else weights.repeat(2)
    return Edges(graphs, tails, heads, numbers, weights)


def members(sizes: Any, total: int) -> Any:
    """The number of the part of each of `total` members of parts of these (b,) sizes: 0, 0, 0, 1, 1, ..."""
    if sizes.device.type != "cpu":
        return torch.repeat_interleave(sizes, output_size=total)
    return torch.from_numpy(np.repeat(np.arange(len(sizes)), sizes.numpy()))  # that of PyTorch starts threads


def number_dtype(count: int) -> torch.dtype:
    """int32, or int64 for numbers that it cannot hold."""
    return torch.int32 if count <= torch.iinfo(torch.int32).max else torch.int64


def _lengths(weight: Any, edge_index: Any) -> Any:
    """The weights in a dtype of distances, checked."""
    if weight is None:
        return None
    if not isinstance(weight, torch.Tensor):
        raise GraphError(f"weight must be a tensor with a length per edge, not {shown(weight)}")
    if weight.requires_grad:
        raise GraphError("weight requires a gradient, which distances do not have: give weight.detach()")
    if weight.device != edge_index.device:
        raise GraphError(f"edge_index is on {edge_index.device}, weight on {weight.device}: move one of them")
    weight = weight[:, 0] if weight.ndim == 2 and weight.shape[1] == 1 else weight
    if weight.ndim != 1 or len(weight) != edge_index.shape[1]:
        raise GraphError(f"weight must have {edge_index.shape[1]} lengths, one per edge, not {tuple(weight.shape)}")
    weight = weight.to(_WIDER.get(weight.dtype, weight.dtype))
    if weight.dtype not in _LENGTHS:
        raise GraphError(f"weight must hold real numbers, not {weight.dtype}")
    if weight.is_floating_point() and not bool(weight.isfinite().all()):
        wrong = (~weight.isfinite()).nonzero()[0].item()
        raise GraphError(f"edge {wrong} has weight {weight[wrong].item()}: weights must be finite")
    return weight


def pack(edges: Edges, count: int, n: int) -> Packed:
    """Pack arcs into `count` reversed matrices of n x n. Of parallel arcs the lightest counts, of equal ones the first.

    Self-loops have no number; their length is kept if it is negative: a negative cycle.
    """
    device = edges.tails.device
    cells = (edges.graphs * n + edges.heads) * n + edges.tails
    chosen = edges.numbers
    if edges.weights is None:
        # On the host booleans are the smallest; kernels of a GPU read int32 as it is.
        is_small = device.type == "cpu"
        dtype, absent = (torch.bool, 0) if is_small else (torch.int32, unreachable("int32"))
        lengths = _full(count * n * n, absent, dtype, device).index_fill_(0, cells, 1)
    else:
        absent = unreachable(str(edges.weights.dtype).removeprefix("torch."))
        lengths = _full(count * n * n, absent, edges.weights.dtype, device)
        lengths.scatter_reduce_(0, cells, edges.weights, "amin")
        loops = lengths.view(count, n, n).diagonal(dim1=1, dim2=2)
        loops.masked_fill_(loops >= 0, absent)  # a full matrix of zeros would cause a warning
        chosen = torch.where(lengths.index_select(0, cells) == edges.weights, chosen, torch.iinfo(chosen.dtype).max)
    numbers = _full(count * n * n, -1, chosen.dtype, device)
    numbers.scatter_reduce_(0, cells, chosen, "amin", include_self=False)
    numbers.view(count, n, n).diagonal(dim1=1, dim2=2).fill_(-1)
    return Packed(lengths.view(count, n, n), numbers)


def _full(size: int, value: float, dtype: torch.dtype, device: Any) -> Any:
    """As `torch.full`, on the CPU without its threads."""
    if device.type != "cpu":
        return torch.full((size,), value, dtype=dtype, device=device)
    return torch.from_numpy(np.full(size, value, dtype=str(dtype).removeprefix("torch.")))
