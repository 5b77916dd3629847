"""Costs of the arcs of a graph beside its weights, by name: lengths, times, tolls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray
from apsp.errors import GraphError, RequestError, shown
from apsp.graph.arrays import arc_weight_array
from apsp.graph.checks import frozen
from apsp.graph.columns import alike
from apsp.graph.labels import Labels
from apsp.system.arguments import name_fault

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = ["NO_COSTS", "Costs", "cost_arrays", "costs_of", "named_cost"]


class Costs(Mapping[str, NumPyArray]):
    """Read-only arrays of (m,) numbers by name, in the order of the arcs of a graph; `Graph.costs`.

    A name that differs from that of one cost in its case only means that cost.

    Parameters
    ----------
    arrays : dict of str to (m,) array
        Checked arrays.
    arcs : (k,) integers, optional
        Take these entries of the arrays, when they are read.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1], [1, 2], [5, 4], costs={"toll": [2, 0]})
    >>> graph.costs
    Costs(toll)
    >>> graph.costs["toll"].tolist()
    [2, 0]
    """

    __slots__ = ("_arcs", "_arrays")

    def __init__(self, arrays: Mapping[str, NumPyArray], arcs: npt.NDArray[Any] | None = None) -> None:
        self._arrays = {name: frozen(array, array) for name, array in arrays.items()}
        self._arcs = arcs

    def __getitem__(self, name: str) -> NumPyArray:
        array = self._arrays.get(name)
        if array is None:
            names = list(self._arrays)
            if len(places := alike(names, name)) != 1:
                raise KeyError(name)
            array = self._arrays[names[places[0]]]
        if self._arcs is None:
            return array
        taken: NumPyArray = array[self._arcs]
        taken.flags.writeable = False
        return taken

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        return f"Costs({', '.join(self._arrays)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Costs):
            return NotImplemented
        return set(self) == set(other) and all(np.array_equal(array, other[name]) for name, array in self.items())

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return Costs, (dict(self),)

    def of_arcs(self, arcs: Any) -> Costs:
        """The costs of some arcs, by position, as (m,) bool or as a slice."""
        return Costs({name: array[arcs] for name, array in self.items()})

    def of_links(self, chosen: npt.NDArray[Any]) -> Costs:
        """The costs of the links that arcs take: they are not copied."""
        return Costs(self._arrays, chosen)


NO_COSTS = Costs({})


def costs_of(given: Any, graph: Graph) -> Costs:
    """Check and copy the costs of all arcs of a graph.

    Raises
    ------
    GraphError
        If it is not a mapping of names to one finite number per arc, or the arcs of an undirected edge differ.
    """
    if isinstance(given, Costs) and all(len(array) == graph.m for array in given.values()):
        return given
    tails, heads = graph.tails(), graph.indices
    found = cost_arrays(given, tails, heads, graph.labels)
    if not graph.directed:
        opposite = np.lexsort((tails, heads))
        for name, array in found.items():
            if not np.array_equal(array[opposite], array):
                raise GraphError(
                    f"costs[{shown(name)}]: the two arcs of an undirected edge have equal costs: "
                    "apsp.from_edges(..., directed=False, costs=...) takes each edge once"
                )
    return Costs(found)


def cost_arrays(
    given: Any, tails: npt.NDArray[Any], heads: npt.NDArray[Any], labels: Labels | None
) -> dict[str, NumPyArray]:
    """Arrays of one finite number per arc, by name, in the order of the arcs given."""
    if not isinstance(given, Mapping):
        raise GraphError(f"costs must map names to numbers of the arcs, not {shown(given)}")
    found: dict[str, NumPyArray] = {}
    for name, values in given.items():
        fault = name_fault(name)
        if fault is not None:
            raise GraphError(f"the name of a cost {fault}")
        try:
            found[name] = arc_weight_array(values, tails, heads, labels)
        except GraphError as error:
            raise GraphError(f"costs[{shown(name)}]: {error}") from None
    return found


def named_cost(costs: Costs, name: str, what: str) -> NumPyArray:
    """The cost of this name.

    Raises
    ------
    RequestError
        If the graph has none; the message lists those that it has.
    """
    if not isinstance(name, str) or name not in costs:
        known = f"the graph has the costs {', '.join(costs)}" if costs else "the graph has no costs beside its weights"
        raise RequestError(f"{what}={shown(name)}: {known}; graph.with_costs(name=numbers) adds one")
    return costs[name]
