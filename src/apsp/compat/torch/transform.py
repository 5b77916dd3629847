"""Encodings as a transform of PyTorch Geometric, which is not imported: any object with an `edge_index` will do."""

from __future__ import annotations

import copy
from typing import Any

from apsp.compat.torch.encoding import shortest_path_encoding
from apsp.compat.torch.options import Options
from apsp.errors import GraphError, RequestError, shown
from apsp.system.arguments import flag

__all__ = ["ShortestPathEncoding", "attribute"]


class ShortestPathEncoding:
    """Transform of PyG that adds distances, and edges along shortest paths, to a graph.

    It sets `path_distances`, `path_edges` and, if the graph has features of edges, `path_features`: see `PathEncoding`.
    A `Batch` of PyG gets padded tensors, and `path_mask`.

    Parameters
    ----------
    edge_attr : str or None
        Attribute with the features of edges; they are left out if a graph does not have it.
    weight : str or None
        Attribute with the lengths of edges; None counts hops.
    directed : bool
        False if a column of `edge_index` stands for both directions; graphs of PyG have both arcs of an edge.
    max_distance, unreachable : number, optional
        Largest distance, and the code of pairs without a path: see `shortest_path_encoding`.
    max_path_edges : int, optional
        Edges kept per path; None keeps all.
    reduce : {'stack', 'sum', 'mean', None}
        Combination of the features.
    padding : number
        Value of stacked features beyond the end of a path.
    threads : int, optional
        CPU threads; in a worker process of a DataLoader one by default.

    Notes
    -----
    PyG's own DataLoader joins attributes along their first axis, which (n, n) tensors of different graphs do not allow:
    `ShortestPathCollater` pads them, and computes those of a whole batch in one call.

    Examples
    --------
    >>> import apsp.torch
    >>> transform = apsp.torch.ShortestPathEncoding(max_path_edges=3, reduce="mean")
    >>> transform
    ShortestPathEncoding(max_path_edges=3, reduce='mean')
    >>> from types import SimpleNamespace
    >>> import torch
    >>> data = SimpleNamespace(edge_index=torch.tensor([[0, 1], [1, 2]]), num_nodes=3)
    >>> transform(data).path_distances.tolist()
    [[0, 1, 2], [510, 0, 1], [510, 510, 0]]
    """

    def __init__(
        self,
        *,
        edge_attr: str | None = "edge_attr",
        weight: str | None = None,
        directed: bool = True,
        max_distance: float | None = None,
        unreachable: float | None = None,
        max_path_edges: int | None = 5,
        reduce: str | None = "stack",
        padding: float = -1,
        threads: int | None = None,
    ) -> None:
        for value, word in ((edge_attr, "edge_attr"), (weight, "weight")):
            if value is not None and not isinstance(value, str):
                raise RequestError(f"{word} must be the name of an attribute or None, not {shown(value)}")
        self.edge_attr, self.weight = edge_attr, weight
        self.options = Options(
            flag(directed, "directed"), max_distance, unreachable, max_path_edges, reduce, padding, threads
        )  # fmt: skip

    def __call__(self, data: Any) -> Any:
        """Return a shallow copy of a graph with the encodings."""
        edge_index = attribute(data, "edge_index")
        batch = getattr(data, "batch", None)
        found = shortest_path_encoding(
            edge_index,
            None if self.edge_attr is None else getattr(data, self.edge_attr, None),
            weight=None if self.weight is None else attribute(data, self.weight),
            **vars(self.options),
            num_nodes=None if batch is not None else getattr(data, "num_nodes", None),
            batch=batch,
            num_graphs=None if batch is None else getattr(data, "num_graphs", None),
        )
        data = copy.copy(data)
        data.path_distances, data.path_edges = found.distances, found.edges
        if found.features is not None:
            data.path_features = found.features
        if batch is not None:
            data.path_mask = found.mask
        return data

    def __repr__(self) -> str:
        names = [f"edge_attr={self.edge_attr!r}"] if self.edge_attr != "edge_attr" else []
        names += [f"weight={self.weight!r}"] if self.weight is not None else []
        return f"{type(self).__name__}({', '.join([*names, *self.options.words()])})"


def attribute(data: Any, name: str) -> Any:
    """An attribute of a graph that must be there.

    Raises
    ------
    GraphError
        If it is missing.
    """
    value = getattr(data, name, None)
    if value is None:
        raise GraphError(f"the {type(data).__name__} has no {name}")
    return value
