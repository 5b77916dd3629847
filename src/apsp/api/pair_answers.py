"""What answers single pairs of a graph, kept with the graph: a search, and after some pairs an oracle."""

from __future__ import annotations

import math
import threading

from apsp.api.oracle.oracle import Oracle
from apsp.api.oracle.preparing import prepare
from apsp.api.solving import solve
from apsp.errors import ApspError
from apsp.graph.model import Graph
from apsp.methods.elimination.probe import may_have_separators
from apsp.methods.elimination.tree import elimination_tree
from apsp.methods.searches.bidirectional import BidirectionalSearch, is_searchable
from apsp.system.cached import cached_property
from apsp.system.machine import Machine, threads_from, usable

__all__ = ["PairAnswers", "pair_answers"]

_STORED_AS = "_pair_answers"

_SEARCHES = 2
"""Pairs that are searched before an oracle is prepared."""

_ENTRIES = 64
"""Values of the factor per vertex and arc up to which an oracle is prepared: road networks have a tenth of it."""

_SHARE = 8
"""An oracle takes at most this part of the memory."""


class PairAnswers:
    """Distances and paths of single pairs of positions of a graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._pairs = 0
        self._lock = threading.Lock()
        self.oracle: Oracle | None = None

    def count(self, pairs: int) -> Oracle | None:
        """Note the request for so many pairs; return the oracle, once it is worth preparing.

        One thread prepares it. The others do not wait for it: they search.
        """
        if self.oracle is None and self._pairs <= _SEARCHES and self._lock.acquire(blocking=False):
            try:
                before, self._pairs = self._pairs, self._pairs + pairs
                if before <= _SEARCHES < self._pairs:
                    self.oracle = _oracle_of(self._graph)
            finally:
                self._lock.release()
        return self.oracle

    def distance(self, source: int, target: int) -> int | float:
        """The distance; inf if there is no path."""
        if self.search is None:
            graph = self._graph
            ends = graph.labels[source], graph.labels[target]
            return solve(graph, sources=[ends[0]], targets=[ends[1]]).distance(*ends)
        found = self.search.distance(source, target)
        return math.inf if found is None else found

    def path(self, source: int, target: int) -> list[int] | None:
        """The positions of a shortest path; None if there is none."""
        if self.search is not None:
            return self.search.path(source, target)
        graph = self._graph
        ends = graph.labels[source], graph.labels[target]
        found = solve(graph, sources=[ends[0]], paths=True)
        if math.isinf(found.distance(*ends)):
            return None
        return [graph.index(vertex) for vertex in found.path(*ends)]

    @cached_property
    def search(self) -> BidirectionalSearch | None:
        """The search of single pairs; None if the graph has negative arcs, or others that it does not take."""
        return BidirectionalSearch(self._graph) if is_searchable(self._graph) else None


def pair_answers(graph: Graph) -> PairAnswers:
    """What answers pairs of the graph; it is stored with the graph."""
    found: PairAnswers | None = graph.__dict__.get(_STORED_AS)
    if found is None:
        found = graph.__dict__.setdefault(_STORED_AS, PairAnswers(graph))
    return found


def _oracle_of(graph: Graph) -> Oracle | None:
    """An oracle with a small factor; None if there is none, or one of its errors, which need not concern a pair."""
    if not may_have_separators(graph):
        return None
    most = min(_ENTRIES * (graph.n + graph.m), usable(Machine.detect()) // (8 * _SHARE))
    widest = math.isqrt(2 * most)  # the vertices of a separator are all joined
    try:
        tree = elimination_tree(graph, most=most, widest=widest, order="fast", threads=threads_from(None))
        return None if tree is None else prepare(graph)
    except ApspError:
        return None
