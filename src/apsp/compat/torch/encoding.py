"""Distances, and edges along shortest paths, as graph transformers take them.

Source: Ying et al., "Do Transformers Really Perform Bad for Graph Representation?" (Graphormer), 2021, sections 3.1.2
and 3.1.3. Input: edge lists. Output: padded tensors. Cost: one `apsp.solve_batch`, and a gather per step of the paths.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch

from apsp.compat.torch.features import checked, gathered
from apsp.compat.torch.memory import check_memory
from apsp.compat.torch.options import Options
from apsp.compat.torch.packing import Edges, edges_of, pack, vertex_sizes
from apsp.compat.torch.solving import solved
from apsp.compat.torch.walking import codes, in_pieces, most_edges, walk
from apsp.errors import GraphError, shown
from apsp.semiring import unreachable as absent_of
from apsp.system.arguments import flag, whole_number
from apsp.system.lack_of_memory import memory_errors

__all__ = ["PathEncoding", "encoded", "shortest_path_encoding"]


class PathEncoding(NamedTuple):
    """Encodings of one graph, or of b graphs, which are padded to the vertices of the largest.

    Parameters
    ----------
    distances : (n, n) or (b, n, n) tensor
        From vertex to vertex: int32 for hops, otherwise of the dtype of the weights. -1 in the padding.
    edges : (n, n, k) or (b, n, n, k) int32 tensor
        Columns of `edge_index` along the paths, -1 beyond their ends.
    features : (n, n, k, f), (n, n, f), these with a first axis b, or None
        Features of these edges, stacked, summed or averaged.
    mask : (n,) or (b, n) bool tensor
        True for vertices, False for padding.
    """

    distances: torch.Tensor
    edges: torch.Tensor
    features: torch.Tensor | None
    mask: torch.Tensor


@memory_errors
def shortest_path_encoding(
    edge_index: torch.Tensor,
    edge_attr: torch.Tensor | None = None,
    *,
    num_nodes: int | None = None,
    batch: torch.Tensor | None = None,
    num_graphs: int | None = None,
    weight: torch.Tensor | None = None,
    directed: bool = True,
    max_distance: float | None = None,
    unreachable: float | None = None,
    max_path_edges: int | None = 5,
    reduce: str | None = "stack",
    padding: float = -1,
    threads: int | None = None,
) -> PathEncoding:
    """Compute clipped distances, and the edges along shortest paths, of one graph or of a batch.

    Parameters
    ----------
    edge_index : (2, m) tensor of integers
        Tails and heads of arcs. Graphs of PyG have both arcs of an undirected edge.
    edge_attr : (m, f) or (m,) tensor, optional
        Features of edges, which are gathered along the paths, with their gradient.
    num_nodes : int, optional
        Number of vertices; by default the largest in `edge_index` plus 1, or those of `batch`.
    batch : (num_nodes,) tensor of integers, optional
        Graph of each vertex, sorted, as in batches of PyG. Graphs are padded to the vertices of the largest.
    num_graphs : int, optional
        Number of graphs of the batch, if the last ones have no vertex.
    weight : (m,) tensor, optional
        Lengths of edges; by default paths have as few edges as possible.
    directed : bool
        False if a column of `edge_index` stands for both directions.
    max_distance : number, optional
        Longer distances become this one. By default 509 for hops, and with `weight` there is no limit.
    unreachable : number, optional
        Code of pairs without a path: by default `max_distance` + 1, or, without a limit, infinity
        (`apsp.unreachable(dtype)` for integers).
    max_path_edges : int, optional
        Edges kept per path, from its source on; None keeps all, 0 none.
    reduce : {'stack', 'sum', 'mean', None}
        Combination of the features of the kept edges of a path; None gathers no features.
    padding : number
        Value of stacked features beyond the end of a path. Sums and means have 0 for paths without edges.
    threads : int, optional
        CPU threads; by default APSP_NUM_THREADS or all cores, in a worker process of a DataLoader one.

    Returns
    -------
    PathEncoding
        Tensors on the device of `edge_index`, and computed there.

    Raises
    ------
    GraphError, RequestError, DeviceError, MemoryLimitError
        If the input or the request is invalid; the message names the edge.
    NegativeCycleError
        If a graph has a cycle of negative length.

    Notes
    -----
    Of parallel edges the lightest is on the path, and of equally light ones the first. Self-loops are on no path. Of
    several shortest paths, one is taken; it does not depend on the other graphs of the batch.

    Graphormer's collator adds 1 to distances and features, so that 0 is the padding: `distances + 1` and `features + 1`
    are its `spatial_pos` and `edge_input` (for padding=-1), and its table of 512 distances has a row for each code.
    It clips longer distances to 510, its code for "no path": max_distance=510, unreachable=510 does so too.

    Examples
    --------
    >>> import torch
    >>> import apsp.torch
    >>> ring = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
    >>> kinds = torch.tensor([[7], [8], [9], [10]])
    >>> found = apsp.torch.shortest_path_encoding(ring, kinds, num_nodes=5, max_path_edges=2)
    >>> found.distances[0].tolist()
    [0, 1, 2, 3, 510]
    >>> found.features[1, :, :, 0].tolist()
    [[8, 9], [-1, -1], [8, -1], [8, 9], [-1, -1]]
    """
    options = Options(flag(directed, "directed"), max_distance, unreachable, max_path_edges, reduce, padding, threads)
    check_edge_index(edge_index)
    num_nodes = None if num_nodes is None else whole_number(num_nodes, "num_nodes", least=0)
    num_graphs = None if num_graphs is None else whole_number(num_graphs, "num_graphs", least=0)
    sizes = vertex_sizes(num_nodes, batch, num_graphs, edge_index)
    features = None if edge_attr is None else checked(edge_attr, edge_index)
    edges = edges_of(edge_index, weight, sizes, directed=options.directed)
    found = encoded(edges, features, sizes, options)
    if batch is not None:
        return found
    return PathEncoding(*(None if part is None else part[0] for part in found))


def check_edge_index(edge_index: Any) -> None:
    """Raise GraphError if it is not a (2, m) tensor of integers."""
    if not isinstance(edge_index, torch.Tensor):
        raise GraphError(f"edge_index must be a tensor of PyTorch, not {shown(edge_index)}")
    if edge_index.device.type not in ("cpu", "cuda"):
        raise GraphError(f"edge_index is on {edge_index.device}: encodings are computed on CPUs and on NVIDIA GPUs")
    whole = not (edge_index.is_floating_point() or edge_index.is_complex() or edge_index.dtype == torch.bool)
    if edge_index.ndim != 2 or edge_index.shape[0] != 2 or (edge_index.numel() and not whole):
        raise GraphError(
            f"edge_index must hold whole numbers, shape (2, m), not {edge_index.dtype} of {tuple(edge_index.shape)}"
        )


def encoded(
    edges: Edges, features: Any, sizes: Any, options: Options, numbers: Sequence[int] | None = None
) -> PathEncoding:
    """Encodings of graphs whose arcs and vertex counts are checked.

    Parameters
    ----------
    features : (m, f) tensor or None
    sizes : (b,) int64 tensor
    numbers : sequence of int, optional
        The caller's numbers of the graphs, for messages.
    """
    count = len(sizes)
    least, n = (int(end) for end in sizes.aminmax()) if count else (0, 0)
    check_memory(count * n * n, edges.weights, features, options, sizes.device)
    packed = pack(edges, count, n)
    most, threads = options.max_path_edges, options.team()
    some = None if least == n else sizes
    distances, predecessors = solved(packed.lengths, some, threads, paths=most != 0, numbers=numbers)
    limit, code = options.codes(distances.dtype, hops=edges.weights is None)
    absent = absent_of(str(distances.dtype).removeprefix("torch."))
    result = torch.empty_like(distances, memory_format=torch.contiguous_format)
    mask = torch.arange(n, device=sizes.device) < sizes[:, None]

    if most is None:
        most = most_edges(predecessors, packed, threads)
    along = torch.empty((count, n, n, most), dtype=packed.numbers.dtype, device=sizes.device)

    def write(piece: slice) -> None:
        codes(distances[piece], absent, limit, code, result[piece])
        if some is not None:
            there = mask[piece]
            result[piece].masked_fill_(~(there[:, :, None] & there[:, None, :]), -1)
        if most:
            walk(predecessors, packed, along, piece)

    in_pieces(write, count, n, sizes.device, threads)
    wanted = features is not None and options.reduce is not None
    return PathEncoding(
        result, along, gathered(features, along, options.reduce or "", options.padding) if wanted else None, mask
    )
