"""Accessibility: what every vertex reaches within cutoffs, and with competition for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, Unpack

import numpy as np
import numpy.typing as npt

from apsp._types import GraphLike, NumPyArray, VerticesLike
from apsp.errors import RequestError, shown
from apsp.facts.keywords import WholeKeywords
from apsp.facts.request import Request
from apsp.graph.accept import graph_with_turns
from apsp.graph.labels import Labels
from apsp.graph.long_table import LongTable
from apsp.graph.model import Graph
from apsp.graph.places import Places
from apsp.graph.places.placed import placed
from apsp.graph.shapes import Features, Mapped
from apsp.graph.shapes.features import at_vertices
from apsp.graph.tabular import Tabular
from apsp.graph.turns.turn_graph import TurnGraph, own_labels
from apsp.measures.amounts import Amounts, AmountsLike, amounts_of
from apsp.measures.weighing import weighed
from apsp.methods.problem import IntArray
from apsp.reductions.weighing import DECAYS, Weighing
from apsp.running.arguments import own_positions, positions_of
from apsp.running.public import public
from apsp.system.arguments import cutoffs_of, number, one_of
from apsp.system.numbers import number_name

__all__ = ["Accessibility", "accessibility"]


@dataclass(frozen=True, eq=False, repr=False)
class Accessibility(Tabular, Mapped):
    """Sums of amounts, such as jobs, that can be reached from every source.

    Parameters
    ----------
    names : tuple of str
        The w kinds of amounts.
    cutoffs : tuple of int or float, or None
        The c cutoffs, ascending; None if there are none.
    cube : (S, w, c) float64
        The sums; `values` has only the axes that were requested.
    source_positions : (S,) int32
        The sources, by position.
    labels : Labels
        Of all vertices.
    several_kinds, several_cutoffs : bool
        Whether several kinds of amounts were given, and a sequence of cutoffs.
    coordinates : (n, 2) float64, optional
        Of all vertices, if the graph has coordinates.
    crs : str or None
        What the coordinates are, if the graph knows it.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1], [1, 2], [4, 3], directed=False, labels=["a", "b", "c"])
    >>> found = apsp.accessibility(graph, {"jobs": [10, 20, 30], "shops": [1, 0, 2]}, cutoffs=[4, 7])
    >>> found.names, found.cutoffs, found.values.shape
    (('jobs', 'shops'), (4, 7), (3, 2, 2))
    >>> found["jobs"].tolist()
    [[30.0, 60.0], [60.0, 60.0], [50.0, 60.0]]
    """

    names: tuple[str, ...]
    cutoffs: tuple[int | float, ...] | None
    cube: npt.NDArray[np.float64]
    source_positions: npt.NDArray[np.int32]
    labels: Labels
    several_kinds: bool
    several_cutoffs: bool
    coordinates: npt.NDArray[np.float64] | None = None
    crs: str | None = None

    @property
    def values(self) -> NumPyArray:
        """(S,), (S, w), (S, c) or (S, w, c) float64: the sums, a row per source, in their order.

        There is an axis of kinds if several were given (a matrix, named columns), and one of cutoffs if a sequence of
        cutoffs was given.
        """
        found = self.cube if self.several_cutoffs else self.cube[:, :, 0]
        return found if self.several_kinds else found[:, 0]

    @property
    def sources(self) -> NumPyArray:
        """(S,) labels of the sources."""
        return self.labels.take(self.source_positions)

    def __getitem__(self, name: str) -> NumPyArray:
        """The sums of one kind of amounts, (S,) or (S, c)."""
        if name not in self.names:
            raise RequestError(f"no amounts are called {shown(name)}; there are: {', '.join(self.names)}")
        found = self.cube[:, self.names.index(name)]
        return found if self.several_cutoffs else found[:, 0]

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> NumPyArray:
        return np.array(self.values, dtype=dtype) if copy or dtype is not None else self.values

    def __len__(self) -> int:
        return len(self.cube)

    def to_dict(self) -> dict[str, NumPyArray]:
        """Return the column 'vertex', and a column per kind and cutoff, such as 'jobs' or 'jobs_900'.

        Returns
        -------
        dict of str to (S,) array
            Labels of the sources, and the sums.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1], [1, 2], [4, 3], labels=["a", "b", "c"])
        >>> found = apsp.accessibility(graph, {"jobs": [10, 20, 30]}, cutoffs=[4, 7])
        >>> {name: column.tolist() for name, column in found.to_dict().items()}
        {'vertex': ['a', 'b', 'c'], 'jobs_4': [30.0, 50.0, 30.0], 'jobs_7': [60.0, 50.0, 30.0]}
        """
        return self._table().to_dict()

    def _table(self) -> LongTable:
        return self._table_of(slice(None))

    def _head(self, rows: int) -> tuple[LongTable, int]:
        return self._table_of(slice(rows)), len(self)

    def _table_of(self, rows: slice) -> LongTable:
        if "vertex" in self.names and not self.several_cutoffs:
            raise RequestError("the table has a column 'vertex' of labels: give these weights another name")
        columns: dict[str, Any] = {}
        for kind, name in enumerate(self.names):
            if not self.several_cutoffs:
                columns[name] = self.cube[rows, kind, 0]
                continue
            for place, cutoff in enumerate(self.cutoffs or ()):
                columns[f"{name}_{number_name(cutoff)}"] = self.cube[rows, kind, place]
        sources = self.source_positions[rows]
        return LongTable(self.labels, {"vertex": sources, **columns}, numbers=tuple(columns), among={"vertex": sources})

    def _features(self) -> Features:
        return at_vertices(self._table(), self.coordinates, self.crs)

    def __repr__(self) -> str:
        kinds, sources = len(self.names), len(self.source_positions)
        cutoffs = 0 if self.cutoffs is None else len(self.cutoffs)
        counts = {"kind": kinds, "cutoff": cutoffs, "source": sources}
        words = [f"{count} {word}{'s' if count != 1 else ''}" for word, count in counts.items()]
        return f"Accessibility({', '.join(words)})"


_Sums = Callable[[Weighing, IntArray | None, bool], npt.NDArray[np.float64]]
"""Sums (S, c, w) for some sources (None: all), of distances from them or, with True, to them."""


@public
def accessibility(
    graph: GraphLike | TurnGraph,
    weights: AmountsLike,
    *,
    cutoffs: float | Iterable[float] | None = None,
    decay: Literal["exponential", "gaussian", "logistic", "power", "linear"] | str | None = None,  # noqa: PYI051
    beta: float | None = None,
    midpoint: float | None = None,
    competition: AmountsLike | None = None,
    at: Places | None = None,
    sources: VerticesLike | Places | None = None,
    direction: Literal["out", "in"] | str = "out",  # noqa: PYI051
    **keywords: Unpack[WholeKeywords],
) -> Accessibility:
    """Add up what every vertex reaches: the sum over all vertices j of weights[j] * f(distance to j).

    Parameters
    ----------
    {graph}
    weights : (n,) or (n, w) array, mapping or table
        Amounts at the vertices, such as jobs; w kinds are summed in one pass. A mapping of vertices to numbers (other
        vertices have 0), a mapping of names to arrays or such mappings, a pandas Series (its index holds vertices), or
        a table whose column 'vertex' (or the index of a pandas DataFrame) holds vertices and whose other columns of
        numbers are the kinds.
    cutoffs : number or sequence of numbers, optional
        Vertices at a distance of at most the cutoff count, the cutoff itself included. All are done in one pass.
    decay : {'exponential', 'gaussian', 'logistic', 'power', 'linear'}, optional
        The function f of the distance, see Notes; by default 1. At least one of `cutoffs` and `decay` is needed.
    beta : number, optional
        Parameter of the decay, greater than 0; needed with `decay`.
    midpoint : number, optional
        Parameter of decay='logistic', and needed there: the distance of the inflection.
    competition : (n,) array, mapping or Series, optional
        Number of people at every vertex who compete for the amounts: two-step floating catchment area, see Notes.
    at : Places, optional
        The amounts are at these places: weights[i] at the i-th one, and labels are those of the places.
    sources : vertex or sequence of vertices, or Places, optional
        The rows of the result, in this order, also repeated; all vertices by default.
    direction : {'out', 'in'}
        Distances from the sources, or to them.
    {options}

    Returns
    -------
    Accessibility
        The sums, as an array and as tables.

    Notes
    -----
    The functions of the distance d are::

        exponential   exp(-beta d)
        gaussian      exp(-beta d^2)
        logistic      (1 + exp(-beta midpoint)) / (1 + exp(beta (d - midpoint)))
        power         d^-beta, and 1 for d <= 1
        linear        1 - beta d, and 0 for d >= 1 / beta

    The source itself counts, at distance 0. Sums are float64: exact for integer weights without decay while they are
    below 2^53, and the same for any number of threads. Methods may add in different orders, so other sums agree up to
    rounding between them.

    With `competition`, every vertex j offers weights[j] / (the sum over all vertices i of competition[i] f(d_ij)) per
    person, and the result for i is the sum of these over j, times f(d_ij) [2]_. Amounts that
    no people reach are left out. With direction='in' both steps use distances in the other direction.

    With cutoffs, elimination and Dijkstra's method skip what is farther than the longest: a search from a source
    touches only the vertices within it, and the sweeps of elimination skip subtrees for whole batches of sources. Other
    methods compute whole rows, a block of `rows` at a time. For method='auto' the part of the graph that is within the
    longest cutoff is estimated from a few searches first.

    References
    ----------
    .. [1] W. G. Hansen, "How accessibility shapes land use", Journal of the American Institute of Planners 25 (1959),
       73-76.
    .. [2] W. Luo, F. Wang, "Measures of spatial accessibility to health care in a GIS environment", Environment and
       Planning B 30 (2003), 865-884.

    Examples
    --------
    >>> import apsp
    >>> streets = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 3, 2], directed=False)
    >>> jobs = [100, 0, 50, 10]
    >>> apsp.accessibility(streets, jobs, cutoffs=[3, 5]).values.tolist()
    [[100.0, 100.0], [50.0, 160.0], [60.0, 60.0], [60.0, 60.0]]
    >>> doctors, people = {0: 2, 3: 1}, [500, 300, 800, 200]
    >>> apsp.accessibility(streets, doctors, cutoffs=4, competition=people).values.round(4).tolist()
    [0.0025, 0.0025, 0.001, 0.001]
    """
    searched = graph_with_turns(graph)
    vertices = searched if searched._turned is None else _bare(own_labels(searched))
    one_of(direction, "direction", ("out", "in"))
    if isinstance(weights, Places):
        raise RequestError(
            "weights are numbers, not places: accessibility(graph, numbers, at=places) has one per place"
        )
    graph = _with_places(searched, sources, at, competition, direction)
    given_at = vertices if at is None else _bare(at.labels)
    amounts = _amounts_at(graph, vertices, at, amounts_of(given_at, weights, "weights"))
    bounds, several = ((np.inf,), False) if cutoffs is None else cutoffs_of(cutoffs)
    if cutoffs is None and decay is None:
        raise RequestError("accessibility needs cutoffs, or a decay, or both")
    weighing = _weighing_of(amounts, bounds, decay, beta, midpoint)
    given = own_positions(graph, sources, "sources")
    options = Request.of(**keywords)
    turned: list[Graph] = []

    def sums_of(part: Weighing, some: IntArray | None, inwards: bool) -> npt.NDArray[np.float64]:
        if inwards and graph.directed:
            if not turned:
                turned.append(graph.reversed())
            return weighed(turned[0], part, some, options)
        return weighed(graph, part, some, options)

    inwards = direction == "in"
    if options.store is not None and competition is not None:
        raise RequestError("competition takes several passes, and a store resumes one: leave out store, or competition")
    if competition is None:
        cube = sums_of(weighing, given, inwards)
    else:
        people = _amounts_at(graph, vertices, None, amounts_of(vertices, competition, "competition"))
        cube = _with_competition(graph, weighing, people, given, inwards, sums_of)
    shown_cutoffs = None if cutoffs is None else bounds
    positions = np.arange(graph.n, dtype=np.int32) if given is None else given
    return Accessibility(
        amounts.names, shown_cutoffs, np.ascontiguousarray(cube.transpose(0, 2, 1)), positions, graph.labels,
        not amounts.single, several, graph.coordinates, graph.crs,
    )  # fmt: skip


def _with_places(graph: Graph, sources: object, at: object, competition: object, direction: str) -> Graph:
    if at is not None and not isinstance(at, Places):
        raise RequestError(f"at must be places, which graph.snap returns, not {shown(at)}")
    here: tuple[object, ...] = (sources,)
    there: tuple[object, ...] = (at,)
    if competition is not None:  # the first step goes back
        here = there = (sources, at)
    if direction == "in":
        here, there = there, here
    return placed(graph, leaving=here, entering=there, rows=sources)


def _bare(labels: Labels) -> Graph:
    """A graph without arcs whose vertices, or places, have these labels."""
    return Graph(np.zeros(len(labels) + 1, np.int64), np.empty(0, np.int32), labels=labels)


def _amounts_at(graph: Graph, vertices: Graph, at: Places | None, amounts: Amounts) -> Amounts:
    """The amounts of vertices or places as those of a graph that has further vertices, such as places."""
    if graph is vertices:
        return amounts
    values = np.zeros((graph.n, amounts.values.shape[1]))
    values[slice(vertices.n) if at is None else positions_of(graph, at, "at")] = amounts.values
    return amounts._replace(values=values)


def _weighing_of(
    amounts: Amounts, cutoffs: tuple[int | float, ...], decay: str | None, beta: Any, midpoint: Any
) -> Weighing:
    if decay is None:
        if beta is not None or midpoint is not None:
            raise RequestError(f"beta and midpoint are parameters of a decay: name one of {', '.join(DECAYS)}")
        return Weighing(amounts.values, cutoffs)
    one_of(decay, "decay", DECAYS)
    if beta is None:
        raise RequestError(f"decay={decay!r} needs beta, greater than 0")
    rate = float(number(beta, "beta"))
    if not 0 < rate < np.inf:
        raise RequestError(f"beta must be a finite number greater than 0, not {beta}")
    if (midpoint is None) == (decay == "logistic"):
        raise RequestError("decay='logistic' needs a midpoint, and no other decay has one")
    middle = 0.0 if midpoint is None else float(number(midpoint, "midpoint", least=0))
    if middle == np.inf:
        raise RequestError("midpoint must be finite")
    return Weighing(amounts.values, cutoffs, decay, rate, middle)


def _with_competition(
    graph: Graph, weighing: Weighing, people: Amounts, given: IntArray | None, inwards: bool, sums_of: _Sums
) -> npt.NDArray[np.float64]:
    """Two-step floating catchment area: the ratios of supply to people within reach, then their sums."""
    if people.values.shape[1] != 1 or (people.values < 0).any():
        raise RequestError("competition must be one number of at least 0 per vertex")
    supply = weighing.amounts
    places = np.flatnonzero(supply.any(axis=1)).astype(np.int32)
    demand = sums_of(replace(weighing, amounts=people.values), places, not inwards)[:, :, 0]  # (places, c)
    rows = graph.n if given is None else len(given)
    found = np.zeros((rows, len(weighing.cutoffs), supply.shape[1]))
    for c, cutoff in enumerate(weighing.cutoffs):  # the ratios differ per cutoff
        ratios = np.zeros_like(supply)
        ratios[places] = np.divide(
            supply[places],
            demand[:, c, None],
            out=np.zeros((len(places), supply.shape[1])),
            where=demand[:, c, None] > 0,
        )
        if not np.isfinite(ratios).all():
            raise RequestError("competition: a ratio of weights to people is beyond float64; use other units")
        found[:, c] = sums_of(replace(weighing, amounts=ratios, cutoffs=(cutoff,)), given, inwards)[:, 0]
    return found
