"""A collate function: a list of graphs -> padded tensors with encodings, which one call computes for the whole list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch

from apsp.compat.torch.encoding import shortest_path_encoding
from apsp.compat.torch.packing import members
from apsp.compat.torch.transform import ShortestPathEncoding, attribute
from apsp.errors import GraphError, RequestError, shown

__all__ = ["ShortestPathCollater"]


class ShortestPathCollater:
    """Collate function of a DataLoader: graphs become padded tensors with the encodings of their shortest paths.

    One `apsp.solve_batch` computes the distances and paths of all graphs of a batch. In a worker process of the
    DataLoader it uses one thread, unless the encoding has `threads` or APSP_NUM_THREADS sets another number.

    Parameters
    ----------
    encoding : ShortestPathEncoding, optional
        The choices; by default those of `ShortestPathEncoding()`.
    vertex_attrs : sequence of str
        Attributes with a row per vertex, padded with 0 to (b, n, ...), if all graphs of the batch have them.
    graph_attrs : sequence of str
        Attributes of whole graphs, stacked to (b, ...), if all graphs of the batch have them; a first axis of 1 is left
        out.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> import torch
    >>> import apsp.torch
    >>> path = SimpleNamespace(edge_index=torch.tensor([[0, 1], [1, 2]]), num_nodes=3)
    >>> arc = SimpleNamespace(edge_index=torch.tensor([[1], [0]]), num_nodes=2)
    >>> collate = apsp.torch.ShortestPathCollater()
    >>> loader = torch.utils.data.DataLoader([path, arc], batch_size=2, collate_fn=collate)
    >>> [batch] = loader
    >>> batch["distances"].tolist()
    [[[0, 1, 2], [510, 0, 1], [510, 510, 0]], [[0, 510, -1], [1, 0, -1], [-1, -1, -1]]]
    >>> batch["mask"].tolist()
    [[True, True, True], [True, True, False]]
    """

    def __init__(
        self,
        encoding: ShortestPathEncoding | None = None,
        *,
        vertex_attrs: Sequence[str] = ("x", "z", "pos"),
        graph_attrs: Sequence[str] = ("y",),
    ) -> None:
        self.encoding = ShortestPathEncoding() if encoding is None else encoding
        if not isinstance(self.encoding, ShortestPathEncoding):
            raise RequestError(f"encoding must be a ShortestPathEncoding, not {shown(encoding)}")
        for names, word in ((vertex_attrs, "vertex_attrs"), (graph_attrs, "graph_attrs")):
            if isinstance(names, str) or not all(isinstance(name, str) for name in names):
                raise RequestError(f"{word} must be a list of names, not {shown(names)}")
        self.vertex_attrs, self.graph_attrs = tuple(vertex_attrs), tuple(graph_attrs)

    def __call__(self, graphs: Sequence[Any]) -> dict[str, torch.Tensor]:
        """Pad and encode a list of graphs.

        Parameters
        ----------
        graphs : sequence of torch_geometric.data.Data
            Or of any objects with an `edge_index`, and `num_nodes` or `x`.

        Returns
        -------
        dict
            `distances` (b, n, n), `edges` (b, n, n, k), `features`, if the graphs have features of edges, and `mask`
            (b, n): see `PathEncoding`; `edge_index` (2, m) of all graphs, with vertices counted through them, whose
            columns `edges` are; `edge_attr` (m, f) and the attributes of vertices and graphs, if there.
        """
        if not isinstance(graphs, Sequence) or not graphs:
            raise GraphError(f"a batch must be a list of at least one graph, not {shown(graphs)}")
        lists = [attribute(graph, "edge_index") for graph in graphs]
        numbers = [_vertices(graph) for graph in graphs]
        device = lists[0].device
        sizes = torch.tensor(numbers, device=device)
        n, total = max(numbers), sum(numbers)
        first = sizes.cumsum(0) - sizes
        batch = members(sizes, total)
        counts = torch.tensor([edges.shape[-1] for edges in lists], device=device)
        edge_index = _together(torch.hstack, lists, "edge_index")
        member = members(counts, edge_index.shape[-1])
        _check_ends(edge_index, member, sizes)
        edge_index = edge_index + first.index_select(0, member)
        edge_attr = _joined(graphs, self.encoding.edge_attr)
        weight = None
        if self.encoding.weight is not None:
            lengths = [attribute(graph, self.encoding.weight) for graph in graphs]
            weight = _together(torch.cat, lengths, self.encoding.weight)
        options = vars(self.encoding.options)
        found = shortest_path_encoding(
            edge_index, edge_attr, weight=weight, batch=batch, num_graphs=len(graphs), **options
        )  # fmt: skip
        result = {"distances": found.distances, "edges": found.edges, "mask": found.mask, "edge_index": edge_index}
        if found.features is not None:
            result["features"] = found.features
        if edge_attr is not None:
            result["edge_attr"] = edge_attr
        place = batch * n + torch.arange(total, device=device) - first.index_select(0, batch)
        for name in self.vertex_attrs:
            values = _joined(graphs, name)
            if values is not None:
                if len(values) != total:
                    raise GraphError(f"{name} has {len(values)} rows for {total} vertices: it is not of vertices")
                padded = values.new_zeros((len(graphs) * n, *values.shape[1:]))
                result[name] = padded.index_copy(0, place, values).view(len(graphs), n, *values.shape[1:])
        for name in self.graph_attrs:
            parts = [getattr(graph, name, None) for graph in graphs]
            if all(part is not None for part in parts):
                values = _together(partial(_stacked, device), parts, name)
                result[name] = values.squeeze(1) if values.ndim > 1 and values.shape[1] == 1 else values
        return result

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.encoding!r})"


def _stacked(device: Any, parts: list[Any]) -> Any:
    return torch.stack([torch.as_tensor(part, device=device) for part in parts])


def _vertices(graph: Any) -> int:
    """The number of vertices of a graph; the rows of x if there, since PyG counts slowly."""
    x = getattr(graph, "x", None)
    number = len(x) if x is not None else getattr(graph, "num_nodes", None)
    if number is None:
        raise GraphError(f"the {type(graph).__name__} has neither x nor num_nodes: its number of vertices is unknown")
    return int(number)


def _check_ends(edge_index: Any, member: Any, sizes: Any) -> None:
    """Raise GraphError if an edge is not between vertices of its own graph, given the graph of each edge."""
    outside = ((edge_index < 0) | (edge_index >= sizes.index_select(0, member))).any(0)
    if bool(outside.any()):
        wrong = int(outside.nonzero()[0])
        graph = int(member[wrong])
        edge, ends = wrong - int((member < graph).sum()), edge_index[:, wrong].tolist()
        raise GraphError(
            f"graph {graph} of the batch: edge {edge} joins {ends[0]} and {ends[1]}: "
            f"vertices are 0 to {int(sizes[graph]) - 1}"
        )


def _joined(graphs: Sequence[Any], name: str | None) -> Any:
    """The rows of an attribute of all graphs, None if one of them does not have it."""
    parts = [None if name is None else getattr(graph, name, None) for graph in graphs]
    return None if any(part is None for part in parts) else _together(torch.cat, parts, name)


def _together(join: Callable[[Any], Any], parts: list[Any], name: str | None) -> Any:
    """One tensor of an attribute of all graphs.

    Raises
    ------
    GraphError
        If shapes, devices or types do not allow it.
    """
    try:
        return join(parts)
    except (RuntimeError, TypeError, ValueError) as error:
        raise GraphError(f"{name} of the graphs of the batch cannot be joined: {error}") from error
