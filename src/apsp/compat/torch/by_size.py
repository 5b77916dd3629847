"""Encodings of a whole data set: graphs of one size together, so that there is hardly any padding."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from apsp.compat.torch.encoding import PathEncoding, check_edge_index, encoded
from apsp.compat.torch.features import checked
from apsp.compat.torch.options import Options
from apsp.compat.torch.packing import Edges, edges_of, members, vertex_sizes
from apsp.system.arguments import flag, whole_number
from apsp.system.lack_of_memory import memory_errors

__all__ = ["encodings_by_size"]

_SPREAD = 1.1
"""Largest size in a group relative to the smallest: padding is at most a fifth of the pairs."""

_PAIRS, _PAIRS_ON_GPU = 1 << 18, 1 << 26
"""On the CPU the memory of a group is used again for the next one, without new pages; a GPU needs more work at once."""


@memory_errors
def encodings_by_size(
    edge_index: torch.Tensor,
    batch: torch.Tensor,
    edge_attr: torch.Tensor | None = None,
    *,
    num_graphs: int | None = None,
    weight: torch.Tensor | None = None,
    directed: bool = True,
    max_distance: float | None = None,
    unreachable: float | None = None,
    max_path_edges: int | None = 5,
    reduce: str | None = "stack",
    padding: float = -1,
    threads: int | None = None,
    max_pairs: int | None = None,
) -> Iterator[tuple[torch.Tensor, PathEncoding]]:
    """Compute the encodings of many graphs, in groups of graphs of similar size.

    For data sets whose encodings are computed once: little is padded, and the memory is that of one group.

    Parameters
    ----------
    edge_index, batch, edge_attr, num_graphs, weight, directed : see `shortest_path_encoding`
        All graphs of the data set.
    max_distance, unreachable, max_path_edges, reduce, padding, threads : see `shortest_path_encoding`
        The encodings.
    max_pairs : int, optional
        Pairs of vertices in a group; a larger graph is a group alone. By default 2^18, on a GPU 2^26.

    Returns
    -------
    iterator of (graphs, encoding)
        (g,) int64 tensor with the numbers of the graphs of a group, smallest graphs first, and their `PathEncoding`,
        padded to the largest of them. Edges are columns of `edge_index`.

    Raises
    ------
    GraphError, RequestError, DeviceError, MemoryLimitError, NegativeCycleError
        As `shortest_path_encoding`.

    Examples
    --------
    >>> import torch
    >>> import apsp.torch
    >>> edge_index = torch.tensor([[0, 1, 3, 4, 5], [1, 2, 4, 5, 3]])
    >>> batch = torch.tensor([0, 0, 0, 1, 1, 1, 2])
    >>> for graphs, found in apsp.torch.encodings_by_size(edge_index, batch):
    ...     graphs.tolist(), found.distances[:, 0].tolist()
    ([2], [[0]])
    ([0, 1], [[0, 1, 2], [0, 1, 2]])
    """
    options = Options(flag(directed, "directed"), max_distance, unreachable, max_path_edges, reduce, padding, threads)
    check_edge_index(edge_index)
    if max_pairs is None:
        max_pairs = _PAIRS if edge_index.device.type == "cpu" else _PAIRS_ON_GPU
    most = whole_number(max_pairs, "max_pairs", least=1)
    num_graphs = None if num_graphs is None else whole_number(num_graphs, "num_graphs", least=0)
    sizes = vertex_sizes(None, batch, num_graphs, edge_index)
    features = None if edge_attr is None else checked(edge_attr, edge_index)
    edges = _sorted(edges_of(edge_index, weight, sizes, directed=options.directed))
    return _groups(edges, features, sizes, options, most)


def _groups(edges: Edges, features: Any, sizes: Any, options: Options, most: int) -> Iterator[tuple[Any, PathEncoding]]:
    order = sizes.argsort(stable=True)
    counts = torch.bincount(edges.graphs, minlength=len(sizes))
    starts = counts.cumsum(0) - counts
    for first, last in _bounds(sizes, most):
        graphs = order[first:last]
        of_group = counts.index_select(0, graphs)
        total = int(of_group.sum())
        member = members(of_group, total)
        shift = starts.index_select(0, graphs) - of_group.cumsum(0) + of_group
        places = torch.arange(total, device=sizes.device) + shift.index_select(0, member)
        some = _selected(edges, places)._replace(graphs=member)
        yield graphs, encoded(some, features, sizes.index_select(0, graphs), options, graphs)


def _bounds(sizes: Any, most: int) -> Iterator[tuple[int, int]]:
    """The groups as ranges of the graphs in order of their sizes."""
    first = last = smallest = 0
    for size, count in zip(*(part.tolist() for part in sizes.unique(return_counts=True)), strict=True):
        while count:
            if last > first and (size > _SPREAD * smallest or (last - first + 1) * size * size > most):
                yield first, last
                first = last
            if first == last:
                smallest = size
            taken = min(count, max(most // max(size * size, 1) - (last - first), 1))
            last, count = last + taken, count - taken
    if last > first:
        yield first, last


def _sorted(edges: Edges) -> Edges:
    """Arcs in the order of their graphs."""
    if not bool((edges.graphs[1:] < edges.graphs[:-1]).any()):
        return edges
    return _selected(edges, edges.graphs.argsort(stable=True))


def _selected(edges: Edges, places: Any) -> Edges:
    """Some arcs; unlike indexing, `index_select` starts no threads for them."""
    return Edges(*(None if part is None else part.index_select(0, places) for part in edges))
