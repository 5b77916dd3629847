"""Periods: one graph with several weights per link, such as the hours of a day.

Each period is an ordinary `Graph`; all of them share the arrays of vertices and arcs, so that another period costs its
weights.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ForwardRef, TypeAlias

import numpy as np

from apsp._types import ArrayLike, NumPyArray, Vertex
from apsp.errors import GraphError, RequestError, shown
from apsp.graph.arrays import number_array
from apsp.graph.exploring import Explorable
from apsp.system.arguments import flag, is_integer, name_fault

if TYPE_CHECKING:
    from apsp.graph.model import Graph
else:
    Graph = ForwardRef("Graph", module="apsp.graph.model")  # evaluated at run time, with the signatures

__all__ = ["Periods", "WeightsOfPeriod", "as_axis", "checked_period", "in_period", "periods_of"]

WeightsOfPeriod: TypeAlias = ArrayLike | str | Mapping[tuple[Vertex, Vertex], float]
"""Weights of one period: numbers of the arcs or links, the name of a cost, or those of some edges by (tail, head)."""


class Periods(Explorable):
    """A graph with weights per period, by name as in a dictionary; `Graph.with_periods` makes them.

    Every function and method takes the graph of one period: `apsp.solve(periods["am"])`. `apsp.prepare(periods)` and
    `apsp.skim(periods)` answer for all of them.

    Parameters
    ----------
    base : Graph
        The graph without periods.
    names : tuple of str or int
        The names of the periods.
    graphs : tuple of Graph
        The graph of each period: the arcs of `base` with other weights.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 5, 12])
    >>> day = graph.with_periods({"am": [9, 12, 5], "noon": [4, 12, 5]})
    >>> day
    Periods(am, noon; n=3, m=3, directed)
    >>> apsp.shortest_path(day["am"], 0, 2), apsp.shortest_path(day["noon"], 0, 2)
    ([0, 2], [0, 1, 2])
    """

    def __init__(self, base: Graph, names: tuple[str | int, ...], graphs: tuple[Graph, ...]) -> None:
        self.base = base
        self.names = names
        self._graphs = dict(zip(names, graphs, strict=True))

    def __getitem__(self, period: str | int) -> Graph:
        return self._graphs[checked_period(period, self.names)]

    def __contains__(self, period: object) -> bool:
        return period in self.names

    def __iter__(self) -> Iterator[str | int]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def keys(self) -> tuple[str | int, ...]:
        """Return the names of the periods.

        Returns
        -------
        tuple of str or int
            The names, in the order in which they were given.

        Examples
        --------
        >>> import apsp
        >>> apsp.from_edges([0, 1], [1, 2], [4, 5]).with_periods([[4, 5], [9, 9]]).keys()
        (0, 1)
        """
        return self.names

    def values(self) -> list[Graph]:
        """Return the graphs of the periods.

        Returns
        -------
        list of Graph
            In the order of the names.

        Examples
        --------
        >>> import apsp
        >>> day = apsp.from_edges([0, 1], [1, 2], [4, 5]).with_periods({"am": [9, 9], "noon": [4, 5]})
        >>> [graph.weight_range for graph in day.values()]
        [(9, 9), (4, 5)]
        """
        return list(self._graphs.values())

    def items(self) -> list[tuple[str | int, Graph]]:
        """Return the names with the graphs of the periods.

        Returns
        -------
        list of (str or int, Graph)
            A pair per period.

        Examples
        --------
        >>> import apsp
        >>> day = apsp.from_edges([0, 1], [1, 2], [4, 5]).with_periods({"am": [9, 9], "noon": [4, 5]})
        >>> {name: apsp.distance(graph, 0, 2) for name, graph in day.items()}
        {'am': 18, 'noon': 9}
        """
        return list(self._graphs.items())

    def _explored(self) -> dict[str, Any]:
        return {"graph": self}

    def __repr__(self) -> str:
        first = ", ".join(map(str, self.names[:4])) + (f", ... {len(self):,} periods" if len(self) > 4 else "")
        kind = "directed" if self.base.directed else "undirected"
        return f"Periods({first}; n={self.base.n}, m={self.base.m}, {kind})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Periods):
            return NotImplemented
        return self.names == other.names and self.base == other.base and self._graphs == other._graphs

    __hash__ = None  # type: ignore[assignment]


def checked_period(period: object, names: Sequence[str | int]) -> str | int:
    """The name of a period that there is.

    Raises
    ------
    RequestError
    """
    for name in names:
        if type(name) is type(period) and name == period:
            return name
    listed = ", ".join(map(repr, names[:8])) + (f", ... {names[-1]!r}" if len(names) > 8 else "")
    raise RequestError(f"there is no period {shown(period)}; there are {listed}")


def as_axis(names: Sequence[str | int]) -> NumPyArray:
    """The names as the labels of an axis: integers, or text."""
    whole = all(isinstance(name, int) for name in names)
    return np.array(names) if whole else np.array([str(name) for name in names], dtype=object)


def periods_of(graph: Graph, weights: Any, links: bool) -> Periods:
    """The periods of a graph; see `Graph.with_periods`, whose errors this raises."""
    flag(links, "links")
    given = weights if isinstance(weights, Mapping) else _rows(weights)
    if not given:
        raise RequestError("with_periods needs the weights of at least one period: {'am': weights, 'pm': others}")
    names: list[str | int] = []
    for name in given:
        whole = is_integer(name)
        if not whole and (fault := name_fault(name)) is not None:
            raise RequestError(f"the name of a period {fault}; numbers of hours are names, too")
        names.append(int(name) if whole else name)
    if len(spelled := {str(name) for name in names}) < len(names):
        twice = next(name for name in spelled if sum(str(each) == name for each in names) > 1)
        raise RequestError(f"two periods have the name {shown(twice)}, as text and as a number: rename one of them")
    graphs = []
    for name, each in zip(names, given.values(), strict=True):
        with in_period(name):
            graphs.append(graph.with_weights(each, links=links and not isinstance(each, (str, Mapping))))
    return Periods(graph, tuple(names), tuple(graphs))


@contextlib.contextmanager
def in_period(name: str | int) -> Iterator[None]:
    """Errors within begin with the name of the period."""
    try:
        yield
    except (GraphError, RequestError) as error:
        kind = GraphError if isinstance(error, GraphError) else RequestError
        raise kind(f"period {name!r}: {error}") from None


def _rows(weights: Any) -> dict[int, Any]:
    """The rows of a (periods, links) array by their numbers."""
    array = number_array(weights, "weights")
    if array.ndim != 2:
        raise GraphError(
            f"weights of periods are a mapping of names to weights, or an array (periods, links), not of shape "
            f"{array.shape}"
        )
    return dict(enumerate(array))
