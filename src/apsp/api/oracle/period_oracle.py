"""The oracle of all periods: an elimination order and a tree for all of them, a factor for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from apsp._types import DType, NumPyArray, VertexLike, VerticesLike
from apsp.api.oracle.oracle import Oracle
from apsp.api.oracle.requests import dtype_for
from apsp.errors import format_bytes
from apsp.graph.exploring import Explorable
from apsp.graph.model import Graph
from apsp.graph.periods import Periods, checked_period
from apsp.graph.places import Places
from apsp.methods.elimination.factor import Factor
from apsp.methods.elimination.period_factors import factors_of_periods, longest_weights
from apsp.methods.elimination.tree import EliminationTree
from apsp.running.arguments import own_positions
from apsp.running.public import public
from apsp.system.machine import refuse_unless_fits, threads_from
from apsp.system.progress import Progress, ProgressReport

__all__ = ["PeriodOracle", "period_factors"]


class PeriodOracle(Explorable):
    """All distances of a graph in every period, stored as factors; `apsp.prepare(periods)` makes it.

    By the name of a period it gives the `Oracle` of that period, with all its methods. Its own methods answer for all
    periods, or with `period=` for one.

    Parameters
    ----------
    periods : Periods
        The graphs.
    factors : sequence of Factor
        The factor of each, of one tree and one dtype.
    requested : str
        The dtype that was requested, for `Oracle.update`.
    threads : int
        Threads of the CPU.
    gpu : int, optional
        Number of a GPU that computes rows, blocks and many pairs.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 5, 12])
    >>> oracle = apsp.prepare(graph.with_periods({"am": [9, 12, 5], "noon": [4, 12, 5]}))
    >>> oracle
    PeriodOracle(2 periods; n=3, m=3, uint16, 92 B)
    >>> oracle.distance(0, 2, period="am"), oracle["noon"].path(0, 2)
    (12, [0, 1, 2])
    >>> oracle.matrix([0], [1, 2]).tolist()
    [[[9, 12]], [[4, 9]]]
    """

    def __init__(
        self, periods: Periods, factors: Sequence[Factor], *, requested: str = "auto", threads: int = 1,
        gpu: int | None = None,
    ) -> None:  # fmt: skip
        self.periods = periods
        self._factors = dict(zip(periods, factors, strict=True))
        self._requested, self._threads, self._gpu = requested, threads, gpu
        self._oracles: dict[str | int, Oracle] = {}

    def __getitem__(self, period: str | int) -> Oracle:
        factor = self._factors[checked_period(period, self.names)]
        return Oracle(factor, requested=self._requested, threads=self._threads, gpu=self._gpu)

    def __contains__(self, period: object) -> bool:
        return period in self.periods

    def __iter__(self) -> Iterator[str | int]:
        return iter(self.periods)

    def __len__(self) -> int:
        return len(self.periods)

    @property
    def names(self) -> tuple[str | int, ...]:
        """The names of the periods."""
        return self.periods.names

    @property
    def dtype(self) -> DType:
        """Dtype of the distances, the same in all periods."""
        return next(iter(self._factors.values())).dtype

    @property
    def nbytes(self) -> int:
        """Bytes of the factors and of their tree."""
        factors = self._factors.values()
        tree = next(iter(factors)).tree
        return sum(each.nbytes for each in factors) + sum(array.nbytes for array in tree.arrays().values())

    def distance(
        self, source: VertexLike | Places, target: VertexLike | Places, *, period: str | int
    ) -> int | float:  # fmt: skip
        """Return the length of a shortest path between two vertices or places in one period.

        Parameters
        ----------
        source, target : hashable, or Places
            As for `Oracle.distance`.
        period : str or int
            The name of the period.

        Returns
        -------
        int or float
            The length; `math.inf` if there is no path.

        Raises
        ------
        GraphError
            If a vertex does not exist.
        RequestError
            If the period does not exist.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 5, 12])
        >>> oracle = apsp.prepare(graph.with_periods({"am": [9, 12, 5], "noon": [4, 12, 5]}))
        >>> {name: oracle.distance(0, 2, period=name) for name in oracle}
        {'am': 12, 'noon': 9}
        """
        return self._oracle(period).distance(source, target)

    @public
    def distances(
        self,
        sources: VerticesLike | Places,
        targets: VerticesLike | Places,
        *,
        period: str | int | None = None,
        progress: Progress = False,
    ) -> NumPyArray:
        """Compute the lengths of shortest paths for many pairs of vertices, on all threads.

        {narrow_dtype}

        Parameters
        ----------
        {pairs}
        period : str or int, optional
            The name of one period; all of them by default.
        {progress}

        Returns
        -------
        (P, k) or (k,) array of the dtype
            A row per period, in the order of `names`, or those of one period; as `Oracle.distances`.

        Raises
        ------
        GraphError, RequestError, MemoryLimitError
            As `Oracle.distances`; if the period does not exist.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 5, 12])
        >>> oracle = apsp.prepare(graph.with_periods({"am": [9, 12, 5], "noon": [4, 12, 5]}))
        >>> oracle.distances([0, 1], [2, 2]).tolist()
        [[12, 5], [9, 5]]
        """
        if period is not None:
            return self._oracle(period).distances(sources, targets, progress=progress)
        return np.stack([self._oracle(name).distances(sources, targets, progress=progress) for name in self.names])

    @public
    def rows(
        self,
        sources: VerticesLike | Places | None = None,
        *,
        period: str | int | None = None,
        progress: Progress = False,
    ) -> NumPyArray:
        """Compute the distances from some vertices or places to all vertices.

        {narrow_dtype}

        Parameters
        ----------
        sources : sequence of vertices, or Places, optional
            All n vertices by default.
        period : str or int, optional
            The name of one period; all of them by default.
        {progress}

        Returns
        -------
        (P, S, n) or (S, n) array of the dtype
            As `matrix`.

        Raises
        ------
        GraphError, RequestError, MemoryLimitError
            As `matrix`.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 5, 12])
        >>> oracle = apsp.prepare(graph.with_periods({"am": [9, 12, 5], "noon": [4, 12, 5]}))
        >>> oracle.rows([0], period="noon").tolist()
        [[0, 4, 9]]
        """
        return self.matrix(sources, None, period=period, progress=progress)

    @public
    def matrix(
        self, sources: VerticesLike | Places | None = None, targets: VerticesLike | Places | None = None, *,
        period: str | int | None = None, progress: Progress = False,
    ) -> NumPyArray:  # fmt: skip
        """Compute the distances from some vertices or places to some vertices or places.

        {narrow_dtype}

        Parameters
        ----------
        sources : sequence of vertices, or Places, optional
            All n vertices by default.
        targets : sequence of vertices, or Places, optional
            All n vertices by default.
        period : str or int, optional
            The name of one period; all of them by default.
        {progress}

        Returns
        -------
        (P, S, T) or (S, T) array of the dtype
            A matrix per period, in the order of `names`, or that of one period; as `Oracle.matrix`.

        Raises
        ------
        GraphError
            If a vertex does not exist.
        RequestError
            If the period does not exist.
        MemoryLimitError
            If the distances do not fit into memory.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 5, 12])
        >>> oracle = apsp.prepare(graph.with_periods({"am": [9, 12, 5], "noon": [4, 12, 5]}))
        >>> oracle.matrix([0, 1], [2]).tolist()
        [[[12], [5]], [[9], [5]]]
        """
        if period is not None:
            return self._oracle(period).matrix(sources, targets, progress=progress)
        between_places = isinstance(sources, Places) or isinstance(targets, Places)
        shape = len(self), self._count(sources, "sources"), self._count(targets, "targets")
        dtype = np.dtype(np.float64) if between_places else self.dtype
        on_gpu = None if between_places else self._oracle(self.names[0])._now.on_gpu
        remedy = "one period at a time: period="
        found: NumPyArray
        if on_gpu is not None:
            found = on_gpu.empty(shape[0] * shape[1], shape[2], remedy).reshape(shape)
        else:
            refuse_unless_fits(
                int(np.prod(shape, dtype=object)) * dtype.itemsize,
                lambda: f"{shape[0]:,} matrices of {shape[1]:,} x {shape[2]:,} distances",
                remedy,
            )
            found = np.empty(shape, dtype=dtype)
        for name, out in zip(self.names, found, strict=True):
            self._oracle(name).matrix(sources, targets, out=out, progress=progress)
        return found

    def _count(self, chosen: VerticesLike | Places | None, word: str) -> int:
        if isinstance(chosen, Places):
            return len(chosen)
        positions = own_positions(self.periods.base, chosen, word)
        return self.periods.base.n if positions is None else len(positions)

    def _explored(self) -> dict[str, Any]:
        return {"graph": self.periods, "dtype": self.dtype.name, "tree": next(iter(self._factors.values())).tree}

    def _oracle(self, period: str | int) -> Oracle:
        """The oracle of a period, which no caller can update."""
        name = checked_period(period, self.names)
        found = self._oracles.get(name)
        if found is None:
            if self._gpu is not None:  # each takes memory there, and is made in a moment
                self._oracles.clear()
            found = self._oracles[name] = self[name]
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles hold the factors; a restored oracle computes on all cores of its CPU."""
        factors = [self._factors[name] for name in self.names]
        values = [each.values for each in factors]
        return _rebuilt, (self.periods, factors[0].tree.arrays(), values, self._requested)

    def __repr__(self) -> str:
        base = self.periods.base
        size = f"n={base.n}, m={base.m}, {self.dtype}, {format_bytes(self.nbytes)}"
        return f"PeriodOracle({len(self):,} periods; {size})"


def _rebuilt(periods: Periods, tree: dict[str, NumPyArray], values: list[NumPyArray], requested: str) -> PeriodOracle:
    from apsp.methods.elimination.factor_file import factor_of  # with the first copy: `import apsp` stays quick

    # joblib maps large arrays from files, for reading; the kernels take writable ones
    first, *others = (np.require(each, requirements="W") for each in values)
    graph, *graphs = periods.values()
    factor = factor_of(graph, tree, first)
    factors = [factor, *(Factor(each, factor.tree, own) for each, own in zip(graphs, others, strict=True))]
    return PeriodOracle(periods, factors, requested=requested, threads=threads_from(None))


def _dtype_of_periods(periods: Periods, requested: str, threads: int) -> DType:
    """The dtype that is proven to hold all distances in all periods.

    Raises DtypeRangeError.
    """
    graphs = periods.values()
    weights = [graph.weights for graph in graphs if graph.weights is not None]
    if all(each.dtype.kind == "i" for each in weights) and not any(graph.has_negative_arc for graph in graphs):
        # No distance of a period is longer than that in the graph of the longest weights.
        return dtype_for(_weighted(graphs[0], longest_weights(weights, threads)), requested, None)
    widest = np.result_type(*(dtype_for(graph, requested, None) for graph in graphs))
    for graph in graphs:
        dtype_for(graph, widest.name, None)
    return widest


def _weighted(graph: Graph, weights: NumPyArray) -> Graph:
    """The arcs of a graph, and its zones, with other weights."""
    return Graph._made(graph.indptr, graph.indices, weights, directed=graph.directed, zones=graph.zones)


def period_factors(
    periods: Periods,
    requested: str,
    threads: int,
    tree_of: Callable[[Graph, DType], EliminationTree],
    gpu: int | None,
    progress: ProgressReport | None = None,
) -> list[Factor]:
    """The factor of each period, on the tree of the graph without periods, computed on a GPU if it can.

    Raises MemoryLimitError, DtypeRangeError, MethodRefusedError or NegativeCycleError.
    """
    dtype = _dtype_of_periods(periods, requested, threads)
    tree = tree_of(periods.base, dtype)
    if gpu is not None:
        from apsp.methods.elimination.values_on_gpu import FactorsOnGpu  # what GPUs need is loaded where one is used

        if there := FactorsOnGpu(tree, gpu).factors(periods.values(), dtype, threads):
            return there
    refuse_unless_fits(
        len(periods) * tree.entries * dtype.itemsize,
        lambda: f"the factors of {len(periods):,} periods in {dtype}",
        "some of the periods at a time",
    )
    return factors_of_periods(periods.values(), dtype, tree, threads, progress=progress)
