"""Requests for statistics of the distances from sets of sources to groups of vertices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import MemoryLimitError, RequestError, shown
from apsp.graph.model import Graph
from apsp.measures.groups import groups_of
from apsp.methods.problem import IntArray
from apsp.reductions.distance_statistics import DistanceStatistics
from apsp.reductions.groups import Groups
from apsp.reductions.histogram import Bins
from apsp.reductions.set_distances import SetDistances, SetNumbers
from apsp.semiring import unreachable
from apsp.system.arguments import number, whole_number
from apsp.system.limits import allowed_cores
from apsp.system.machine import Machine, usable
from apsp.system.thread_limit import threads_by_default

__all__ = ["SetsWanted", "shares_of"]


class SetsWanted:
    """The checked request for statistics of sets, for the rows of some sources.

    Attributes
    ----------
    once : (S,) int32 or None
        Positions of the sources that are in a group, or all with per='source', ascending; None means all vertices.
    """

    def __init__(
        self,
        graph: Graph,
        groups: Any,
        per: str,
        quantiles: float | Iterable[float],
        bins: int,
        edges: npt.ArrayLike | None,
        given: IntArray | None,
    ) -> None:
        self.graph = graph
        self.groups = Groups.whole(graph.n) if groups is None else groups_of(graph, groups)
        self.per = per
        self.shares = shares_of(quantiles)
        self.bins, self.edges = whole_number(bins, "bins", least=0), edges
        self.given = given
        self.once = None if given is None else np.unique(given).astype(np.int32)
        if per == "group" and (self.groups.of < 0).any():  # the rows of other vertices belong to no group
            inside = np.flatnonzero(self.groups.of >= 0).astype(np.int32)
            self.once = inside if self.once is None else np.intersect1d(inside, self.once)

    @property
    def _sources(self) -> IntArray:
        return np.arange(self.graph.n, dtype=np.int32) if self.once is None else self.once

    @property
    def numbers(self) -> SetNumbers:
        """What is kept of the distances."""
        shares = np.sort(np.array(self.shares, dtype=float))
        return SetNumbers(self.groups.without_names(), self.per == "source", shares, self.bins, self.edges)

    def reducer(self, threads: int | None) -> SetDistances:
        """The reducer for one computation.

        Raises
        ------
        RequestError
            If bins or edges are invalid.
        MemoryLimitError
            If the numbers do not fit.
        """
        sources = self._sources
        if self.per == "group":
            cells = self.groups.of.copy()
            chosen = np.zeros(self.graph.n, dtype=bool)
            chosen[sources] = True
            cells[~chosen] = -1
        else:
            cells = np.full(self.graph.n, -1, dtype=np.int32)
            cells[sources] = np.arange(len(sources), dtype=np.int32)
        self._check_memory()
        return SetDistances(self.numbers, cells, self._rows, threads=threads or threads_by_default(allowed_cores()))

    @property
    def bytes_needed(self) -> int:
        """Bytes of the numbers, without the counts for quantiles between groups."""
        bins = len(Bins(self.bins, self.edges).counts)
        return 8 * self._rows * len(self.groups) * (12 + 2 * len(self.shares) + 2 * bins)

    @property
    def _rows(self) -> int:
        return len(self.groups) if self.per == "group" else len(self._sources)

    def _check_memory(self) -> None:
        machine = Machine.detect()
        if self.bytes_needed > usable(machine):
            what = f"statistics of {self._rows:,} {self.per}s and {len(self.groups):,} groups"
            raise MemoryLimitError(what, self.bytes_needed, machine.memory_available, ["fewer groups, bins or sources"])

    def result(self, sets: SetDistances) -> DistanceStatistics:
        """What the reducer found, in the order in which sources and quantiles were given."""
        sums, pairs = sets.sums, sets.sums.pairs
        whole, total = _as_many(self, sets), sums.totals()
        none = unreachable(sums.least.dtype)
        some = pairs > 0
        quantiles = np.empty((*pairs.shape, 0), dtype=sums.least.dtype)
        if sets.quantiles is not None:
            order = np.searchsorted(sets.kept.shares, np.array(self.shares, dtype=float))
            quantiles = np.where(some[..., None], sets.quantiles.result()[:, :, order], none).astype(sums.least.dtype)
        edges, counts = (None, None) if sets.counts is None else sets.counts.result()
        is_each = self.per == "source"
        picked: Any = slice(None)
        if is_each and self.given is not None and self.once is not None:
            picked = np.searchsorted(self.once, self.given)
        positions = None if not is_each else self._sources if self.given is None else self.given.astype(np.int32)
        return DistanceStatistics(
            self.groups.names, self.per, positions, self.graph.labels, pairs[picked], (whole - pairs)[picked],
            total[picked], sums.means(total)[picked], np.where(some, sums.least, none)[picked],
            np.where(some, sums.largest, none)[picked], self.shares, quantiles[picked], edges,
            None if counts is None else counts[picked],
        )  # fmt: skip


def _as_many(wanted: SetsWanted, sets: SetDistances) -> npt.NDArray[np.int64]:
    """The numbers of ordered pairs of two different vertices, (R, G)."""
    groups, cells = wanted.groups, sets.cells
    sources = np.flatnonzero(cells >= 0)
    found = np.bincount(cells[sources], minlength=len(sets.sums.pairs))[:, None] * groups.sizes[None, :]
    inside = sources[groups.of[sources] >= 0]
    np.subtract.at(found, (cells[inside], groups.of[inside]), 1)
    return found


def shares_of(quantiles: Any) -> tuple[float, ...]:
    """Shares from 0 to 1, from one or several.

    Raises
    ------
    RequestError
        If one is not a number from 0 to 1.
    """
    several = isinstance(quantiles, Iterable) and not isinstance(quantiles, (str, bytes))
    several = several and not (isinstance(quantiles, np.ndarray) and quantiles.ndim == 0)
    try:
        given = list(quantiles) if several else [quantiles[()] if isinstance(quantiles, np.ndarray) else quantiles]
    except Exception as error:  # of an odd sequence
        raise RequestError(f"quantiles must be numbers from 0 to 1, not {shown(quantiles)}") from error
    found = tuple(float(number(share, "quantiles")) for share in given)
    for share in found:
        if not 0 <= share <= 1:
            raise RequestError(f"quantiles must be numbers from 0 to 1, not {share:g}")
    return found
