"""The lengths of the edges of another library's graph: the attribute that holds them, and its values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy.typing as npt

from apsp._types import USUAL, WeightLike
from apsp.errors import GraphError, RequestError, shown
from apsp.graph.checks import array_of
from apsp.graph.python_numbers import array_of_numbers, is_number

__all__ = ["attribute_of", "chosen_lengths", "edge_values", "entry_weights", "host_array", "is_array", "lengths_of"]


def attribute_of(
    weight: WeightLike, names: Collection[str], library: str, *, usual: Sequence[str] = ("weight",)
) -> str | None:
    """The name of the attribute with the lengths; None to count hops.

    Parameters
    ----------
    weight : str, None or USUAL
        What the caller chose.
    names : collection of str
        The attributes of the edges.
    library : str
        For messages.
    usual : sequence of str
        The names that are looked up if the caller chose none.

    Raises
    ------
    RequestError
        If it does not exist, or is not a name.
    """
    if weight is None:
        return None
    if weight is USUAL:
        return next((name for name in usual if name in names), None)
    if not isinstance(weight, str):
        raise RequestError(
            f"weight must be the name of an edge attribute, one number per edge or None, not {shown(weight)}: "
            "functions of edges are for graphs of NetworkX and rustworkx"
        )
    if weight not in names:
        there = f"the edges have {shown(', '.join(map(str, names)))[1:-1]}" if names else "the edges have no attributes"
        raise RequestError(
            f"the {library} graph has no edge attribute {shown(weight)}: {there}; weight=None counts hops"
        )
    return weight


def chosen_lengths(
    weight: WeightLike,
    names: Collection[str],
    library: str,
    values: Callable[[str], npt.NDArray[Any]],
    *,
    usual: Sequence[str] = ("weight",),
) -> npt.NDArray[Any] | None:
    """The lengths of the edges: the caller's own, or an attribute; None to count hops.

    Parameters
    ----------
    weight, names, library, usual
        As of `attribute_of`; `weight` may also be the lengths.
    values : callable
        The values of an attribute, of its name.

    Raises
    ------
    RequestError, GraphError
        If the attribute does not exist, or a value is not a number.
    """
    if is_array(weight):
        return edge_values(weight)
    name = attribute_of(weight, names, library, usual=usual)
    return None if name is None else values(name)


def is_array(weight: Any) -> bool:
    """Whether the caller gave lengths themselves: an array, a tensor, a list, a series."""
    return isinstance(weight, (list, tuple)) or (hasattr(weight, "__array__") and not isinstance(weight, str))


def host_array(values: Any) -> npt.NDArray[Any]:
    """An array in host memory: tensors with gradients or on a GPU are copied."""
    if hasattr(values, "detach"):
        try:
            values = values.detach().cpu()
        except (NotImplementedError, RuntimeError) as error:  # on a device without data, or without memory
            raise GraphError(f"a tensor cannot be copied to the CPU: {str(error)[:200]}") from error
        values = values.float() if str(values.dtype) == "torch.bfloat16" else values  # NumPy does not have it
    return array_of(values, "weights")


def edge_values(values: Any) -> npt.NDArray[Any]:
    """Lengths that are an array or a tensor, (m,) or (m, 1), as (m,) in host memory."""
    array = host_array(values)
    return array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array


def lengths_of(values: Sequence[Any], edge: Callable[[int], str], source: str) -> npt.NDArray[Any]:
    """An array of Python numbers, one per edge; integers of 64 bits stay exact.

    Parameters
    ----------
    values : sequence of m objects
    edge : callable
        The words for the edge of a number, for messages.
    source : str
        The words between the edge and the value, for messages: " has weight=".

    Raises
    ------
    GraphError
        Naming the edge: a value that is not a number, or an integer that does not fit int64.
    """
    if not set(map(type, values)) <= {int, float}:
        for place, value in enumerate(values):
            if not is_number(value):
                missing = ", which is missing" if value is None else ""
                raise GraphError(f"{edge(place)}{source}{shown(value)}{missing}: a weight must be a number")
    return array_of_numbers(values, lambda place: f"{edge(place)}{source}")


def entry_weights(weight: WeightLike, what: str) -> bool:
    """Whether the entries of a matrix are its lengths: there is no attribute to choose.

    Raises
    ------
    RequestError
        If the caller chose one.
    """
    if weight is not USUAL and weight is not None:
        raise RequestError(f"the lengths of {what} are its entries: weight must be None (hops) or left out")
    return weight is USUAL
