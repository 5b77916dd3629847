"""The number of pairs by distance: with given bins, or automatic ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp._types import Axes, Figure, NumPyArray
from apsp.errors import RequestError, shown
from apsp.figures.html import rows_words, table_card
from apsp.graph.tabular import ROWS_SHOWN
from apsp.system.arguments import whole_number
from apsp.system.numbers import number_words

__all__ = ["Bins", "Histogram"]

_MOST_BINS = 1 << 20


@dataclass(frozen=True, eq=False)
class Histogram:
    """The number of ordered pairs (u, v), u != v, per distance; pairs without a path are not counted.

    Parameters
    ----------
    edges : (bins + 1,) int64 or float64
        Integers if the distances are. Bin k holds distances d with edges[k] <= d < edges[k + 1]; with given
        edges the last bin includes its end.
    counts : (bins,) int64
        Pairs per bin.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> apsp.distance_histogram(graph, edges=[0, 4, 8]).counts
    array([6, 6])
    """

    edges: NumPyArray
    counts: npt.NDArray[np.int64]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Histogram):
            return NotImplemented
        return np.array_equal(self.edges, other.edges) and np.array_equal(self.counts, other.counts)

    __hash__ = None  # type: ignore[assignment]  # arrays may change

    def plot(self, *, title: str = "", label: str = "distance", ax: Axes | None = None) -> Figure:
        """Draw the histogram; bars of integers are centred on them.

        Parameters
        ----------
        title, label : str
            Texts above the figure, and below its horizontal axis.
        ax : matplotlib Axes, optional
            Axes to draw in; by default a new figure, which shows itself in notebooks.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.

        Raises
        ------
        RequestError
            If an argument is invalid.
        MissingDependencyError
            If Matplotlib is not installed.

        Examples
        --------
        >>> import apsp, matplotlib
        >>> graph = apsp.generate("random", 200, m=800, seed=1)
        >>> figure = apsp.distance_histogram(graph, bins=16).plot(label="hops")
        >>> figure.savefig("hops.png")
        """
        from apsp.figures.histogram import draw_histogram

        return draw_histogram(self.edges, self.counts, title=title, label=label, ax=ax)

    def _repr_html_(self) -> str:
        some = slice(ROWS_SHOWN)
        columns = {
            "from": [number_words(edge) for edge in self.edges[:-1][some].tolist()],
            "to": [number_words(edge) for edge in self.edges[1:][some].tolist()],
            "pairs": [number_words(count) for count in self.counts[some].tolist()],
        }
        return table_card(repr(self), columns, rows_words(len(columns["pairs"]), len(self.counts)))

    def __repr__(self) -> str:
        bins, pairs = len(self.counts), int(self.counts.sum())
        ends = f"from {self.edges[0]} to {self.edges[-1]}"
        return f"Histogram({bins} bin{'s' if bins != 1 else ''} {ends}, {self.edges.dtype}, {pairs} pairs)"


class Bins:
    """Counts while blocks are added.

    With given `edges` the kernel counts between them. Otherwise bin i holds distances in [i 2^e, (i + 1) 2^e), for i
    from -bins to bins - 1, and e grows (bins are merged in pairs) when a distance lies outside: the counts are those
    that the final e would have given from the start.
    """

    def __init__(self, bins: int, edges: npt.ArrayLike | None) -> None:
        bins = whole_number(bins, "bins", least=0, most=_MOST_BINS)
        if bins and edges is not None:
            raise RequestError("give bins or edges, not both")
        self.edges = None if edges is None else _increasing(edges)
        size = 2 * bins if self.edges is None else len(self.edges) - 1
        self.counts = np.zeros(size, dtype=np.int64)
        self.exponent: int | None = None
        self.floats = False

    def start(self, dtype: np.dtype[Any]) -> tuple[npt.NDArray[np.int64] | None, int]:
        """Return the input of the kernel that reduces rows: the counts of automatic bins, and their current
        exponent.
        """
        if self.exponent is None:
            self.floats = dtype.kind == "f"
            self.exponent = _cpu.UNSET_EXPONENT if self.floats else 0
        return self.counts if self.edges is None and len(self.counts) else None, self.exponent

    def count_on_gpu(self, dist: Any, least: float, largest: float) -> None:
        """Count a block that lies on a GPU, between the given edges or in automatic bins; its extremes are known."""
        from apsp.reductions.kernels import reduce

        if self.edges is not None:
            self.counts += reduce.count_between(dist, self.edges)
            return
        if not len(self.counts):
            return
        bins = len(self.counts) // 2
        self.widen(least, largest)
        assert self.exponent is not None
        if self.exponent == _cpu.UNSET_EXPONENT:  # all are zero
            self.counts[bins] += int((dist == 0).sum())
        else:
            self.counts += reduce.count_evenly(dist, bins, self.exponent)

    def widen(self, least: float, largest: float) -> None:
        """Widen the bins until both values have one, as cpp/reductions/rows.cpp does."""
        if self.exponent is None:
            self.exponent = _cpu.UNSET_EXPONENT if self.floats else 0
        if least == 0 and largest == 0:
            return
        bins, exponent = len(self.counts) // 2, self.exponent
        if exponent == _cpu.UNSET_EXPONENT:
            size = math.frexp(max(abs(least), abs(largest)))[1] - math.frexp(bins)[1] - 1
            exponent = max(size, -1074)
        while _bin_of(largest, exponent) >= bins or _bin_of(least, exponent) < -bins:
            exponent += 1
        self._widen_to(exponent)

    def _widen_to(self, exponent: int) -> None:
        bins = len(self.counts) // 2
        steps = 0 if self.exponent in (None, _cpu.UNSET_EXPONENT) else exponent - self.exponent
        if steps > 0:
            places = (np.arange(-bins, bins) >> min(steps, 63)) + bins
            self.counts = _merged(self.counts, places)
        self.exponent = exponent

    def require_same(self, other: Bins) -> None:
        """Raise RequestError unless the other bins were made with the same arguments."""
        none = np.empty(0)
        edges = none if self.edges is None else self.edges, none if other.edges is None else other.edges
        if len(self.counts) != len(other.counts) or not np.array_equal(*edges):
            raise RequestError("summaries can be merged if their histograms have the same bins")

    def merge(self, other: Bins) -> None:
        """Add the counts of other blocks, in bins that were made with the same arguments."""
        if other.exponent is None:  # no blocks
            return
        if self.exponent is None:
            self.floats, self.exponent = other.floats, other.exponent
        if self.edges is None and len(self.counts) and self.exponent != other.exponent:
            exponent = max(number for number in (self.exponent, other.exponent) if number != _cpu.UNSET_EXPONENT)
            self._widen_to(exponent)
            other._widen_to(exponent)
        self.counts += other.counts

    def to_row(self) -> npt.NDArray[np.int64]:
        """The counts and the exponent, as numbers to keep."""
        exponent = _cpu.UNSET_EXPONENT if self.exponent is None else self.exponent
        return np.append(self.counts, exponent)

    def merge_row(self, row: npt.NDArray[np.int64], *, is_float: bool) -> None:
        """Add what `to_row` of other bins returned, which were made with the same arguments."""
        other = Bins(0, None)
        other.edges, other.counts, other.exponent, other.floats = self.edges, row[:-1].copy(), int(row[-1]), is_float
        self.merge(other)

    def count(self, dist: npt.NDArray[Any], threads: int) -> None:
        """Count a block between given edges."""
        if self.edges is not None:
            _cpu.count_between(dist, self.edges, self.counts, threads)

    def result(self, rows: int) -> Histogram:
        """The histogram without the `rows` distances of 0 from each source to itself."""
        if not len(self.counts):
            raise RequestError("no histogram was kept: give bins or edges")
        counts = self.counts.copy()
        if self.edges is not None:
            if self.edges[0] <= 0 <= self.edges[-1]:
                counts[min(int(np.searchsorted(self.edges, 0, side="right")), len(counts)) - 1] -= rows
            return Histogram(self.edges.copy(), counts)
        middle = len(counts) // 2
        counts[middle] -= rows
        used = np.flatnonzero(counts)
        first, last = (used[0], used[-1]) if len(used) else (middle, middle)
        numbers = np.arange(first - middle, last - middle + 2)
        return Histogram(self.edges_of(numbers), counts[first : last + 1])

    def edges_of(self, numbers: NumPyArray) -> NumPyArray:
        """Where the bins with these numbers begin. The one after the bin of the largest float begins at infinity."""
        exponent = 0 if self.exponent is None or self.exponent == _cpu.UNSET_EXPONENT else self.exponent
        with np.errstate(over="ignore"):
            edges: NumPyArray = np.ldexp(numbers.astype(np.float64), exponent) if self.floats else numbers << exponent
        return edges


def _bin_of(distance: float, exponent: int) -> float:
    """The number of the bin of a distance; infinite if no float holds it."""
    with np.errstate(over="ignore"):
        return float(np.floor(np.ldexp(float(distance), -exponent)))


def _merged(counts: npt.NDArray[np.int64], places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    wider = np.zeros_like(counts)
    np.add.at(wider, places, counts)
    return wider


def _increasing(edges: npt.ArrayLike) -> npt.NDArray[np.float64]:
    try:
        given = np.asarray(edges)
        array = np.ascontiguousarray(given, dtype=np.float64) if given.dtype.kind in "iuf" else np.empty(0)
    except (TypeError, ValueError, OverflowError) as error:
        raise RequestError(f"edges must be at least two increasing numbers, not {shown(edges)}") from error
    if array.ndim != 1 or len(array) < 2:
        raise RequestError("edges must be at least two increasing numbers")
    for place, edge in enumerate(given.tolist() if given.dtype.kind in "iu" else ()):
        if float(edge) != edge:
            raise RequestError(f"edges[{place}] is {edge}, which float64 does not hold; use an edge that it holds")
    if not (np.diff(array) > 0).all():
        raise RequestError("edges must be at least two increasing numbers")
    return array
