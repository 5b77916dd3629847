"""Betweenness of integer distances, against fractions of numbers of paths."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any
from unittest import mock

import apsp
from apsp.methods.elimination.tree import EliminationTree
from apsp.methods.flows.by_tree import tree_for_flows
from torture.exact import has_negative_cycle
from torture.judging import Judging
from torture.promise import WrongError

__all__ = ["betweenness"]

OPTIONS = ("sources", "cutoff", "threads")
_MOST_VERTICES = 40


def betweenness(judging: Judging, call: dict[str, Any], rows: dict[int, list[int | None]]) -> None:
    """Compare what passes each vertex; rows: distances within the cutoff from every source."""
    truth, n = judging.truth, judging.case.n
    arcs = {arc: weight for arc, weight in truth.exact.arcs.items() if arc[0] != arc[1]}
    if n > _MOST_VERTICES or truth.largest * n >= 2**61:
        return
    options = {name: call[name] for name in OPTIONS if name in call}
    try:
        found = apsp.betweenness_centrality(judging.fresh_graph(), normalized=False, **judging.naming.told(options))
    except apsp.RequestError as error:
        lowered = {arc: weight * (len(arcs) + 1) - 1 for arc, weight in arcs.items()}  # negative: they were zero
        if "of length zero" in str(error) and has_negative_cycle(lowered, set(range(n))):
            return
        raise
    through = [Fraction(0)] * n
    for source, row in rows.items():
        for v, amount in enumerate(_passing(source, truth.exact.row(source), row, arcs, truth.exact.closed)):
            through[v] += amount
    expected = [float(amount) / (1 if judging.case.directed else 2) for amount in through]
    _compare("betweenness_centrality", found.tolist(), expected)
    with mock.patch("apsp.methods.flows.flows.tree_for_flows", _tree):
        found = apsp.betweenness_centrality(judging.fresh_graph(), normalized=False, **judging.naming.told(options))
    _compare("betweenness_centrality by elimination", found.tolist(), expected)
    judging.count("betweenness")


def _tree(graph: apsp.Graph, sources: int, cutoff: float | None, threads: int, **_: bool) -> EliminationTree | None:
    """The tree wherever elimination applies."""
    return tree_for_flows(graph, sources, cutoff, threads, is_needed=True)


def _compare(name: str, found: list[float], expected: list[float]) -> None:
    if not all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(found, expected, strict=True)):
        raise WrongError(f"{name} is {found}, not {expected}")


def _passing(
    source: int,
    row: list[int | None],
    wanted: list[int | None],
    arcs: dict[tuple[int, int], int],
    closed: frozenset[int],
) -> list[Fraction]:
    """What passes each vertex if 1 goes from the source to every vertex that is wanted."""
    into: dict[int, list[int]] = {}
    for (tail, head), weight in arcs.items():
        near = row[tail]
        passable = tail == source or tail not in closed
        if passable and head != source and near is not None and row[head] == near + weight:
            into.setdefault(head, []).append(tail)
    paths: dict[int, int] = {source: 1}

    def count(v: int) -> int:
        if v not in paths:
            paths[v] = sum(count(u) for u in into.get(v, ()))  # dictionaries keep this order: tails come first
        return paths[v]

    for v, distance in enumerate(row):
        if distance is not None:
            count(v)
    through = [Fraction(0)] * len(row)
    for v in reversed(paths):
        ends = v != source and wanted[v] is not None
        for u in into.get(v, ()):
            through[u] += (through[v] + ends) * Fraction(paths[u], paths[v])
    through[source] = Fraction(0)
    return through
