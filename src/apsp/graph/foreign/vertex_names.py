"""Names of vertices of another library as labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apsp.errors import GraphError
from apsp.graph.labels import Labels, labels_of

__all__ = ["labels_of_names"]


def labels_of_names(names: Sequence[Any], removal: str) -> Labels:
    """The labels that a vertex attribute `name` gives.

    Parameters
    ----------
    names : sequence of n objects
    removal : str
        The statement that removes the attribute, for messages.

    Raises
    ------
    GraphError
        If names are not labels: they are repeated or missing.
    """
    try:
        return labels_of(names)
    except GraphError as error:
        raise GraphError(
            f"the vertex attribute 'name': {error}; after {removal}, labels are the numbers of the vertices"
        ) from None
