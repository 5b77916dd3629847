"""Betweenness of vertices and arcs, by searches and by elimination, against fractions of numbers of paths."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any
from unittest import mock

import apsp
from apsp.methods.flows.cost import COSTS, FlowWork
from apsp.methods.source_cost import SourceChoice
from torture.exact import has_negative_cycle
from torture.judging import Judging
from torture.promise import WrongError
from torture.tight import carried, knotted, tight_tails

__all__ = ["betweenness", "by_elimination", "has_knot", "has_zero_cycle", "is_judged", "on_gpu"]

OPTIONS = ("sources", "targets", "cutoff", "threads")
_MOST_VERTICES = 40


def betweenness(judging: Judging, call: dict[str, Any]) -> None:
    """Compare what passes each vertex and each arc."""
    truth, case, rng = judging.truth, judging.case, random.Random(call["seed"])
    if not is_judged(judging):
        return
    options = {name: call[name] for name in OPTIONS if name in call}
    if on_gpu(judging):
        options["device"] = call.get("device", "cpu")
    told = judging.naming.told(options) | {"normalized": False}
    endpoints = rng.random() < 0.5
    graph = judging.fresh_graph()
    try:
        found = apsp.betweenness_centrality(graph, endpoints=endpoints, **told)
    except apsp.RequestError as error:
        if "of length zero" in str(error) and has_knot(judging, call):
            return
        raise
    if not judging.judgeable(call):
        return
    ends = set(judging.positions(call.get("targets")))
    through, along = [Fraction(0)] * case.n, dict.fromkeys(truth.arcs, Fraction(0))
    for source in sorted(set(judging.positions(call.get("sources")))):
        row = truth.exact.row(source)
        cutoff = call.get("cutoff")
        to = {v: 1 for v in ends if row[v] is not None and (cutoff is None or row[v] <= cutoff) and v != source}
        flow = carried(source, row, to, truth.arcs, truth.closed)
        for v, amount in enumerate(flow.through):
            through[v] += amount + (endpoints and v in to)
        through[source] += flow.served if endpoints else 0
        for arc, amount in flow.along.items():
            along[arc] += amount
    half = 1 if case.directed else 2
    expected = [float(amount) / half for amount in through]
    order = list(zip(graph.tails().tolist(), graph.indices.tolist(), strict=True))
    edges = [float(along[arc] + (0 if case.directed else along[arc[::-1]])) / half for arc in order]
    _compare("betweenness_centrality", found.tolist(), expected)
    _compare("edge_betweenness_centrality", apsp.edge_betweenness_centrality(graph, **told).tolist(), edges)
    with by_elimination():
        found = apsp.betweenness_centrality(judging.fresh_graph(), endpoints=endpoints, **told)
        arcs = apsp.edge_betweenness_centrality(judging.fresh_graph(), **told)
    _compare("betweenness_centrality by elimination", found.tolist(), expected)
    _compare("edge_betweenness_centrality by elimination", arcs.tolist(), edges)
    if not options.keys() & {"sources", "targets", "cutoff"} and case.n:
        _sampled(judging, rng, told.get("device", "auto"))
    judging.count("betweenness")


def is_judged(judging: Judging) -> bool:
    """Whether the graph is small enough for fractions, and its distances for int64."""
    truth, case = judging.truth, judging.case
    return case.integer and case.n <= _MOST_VERTICES and truth.largest * max(case.n, 2) < 2**61


def on_gpu(judging: Judging) -> bool:
    """Whether a GPU computes flows of the graph: in hops, or by elimination."""
    truth = judging.truth
    if judging.case.dtype is None:
        return True
    small = truth.largest * max(truth.n - 1, 1) < 2**53
    return small and not truth.closed and all(weight > 0 for weight in truth.arcs.values())


def has_zero_cycle(judging: Judging) -> bool:
    """Whether the graph, which has no negative cycle, has one of length zero, loops aside."""
    arcs = {arc: weight for arc, weight in judging.truth.arcs.items() if arc[0] != arc[1]}
    lowered = {arc: weight * (len(arcs) + 1) - 1 for arc, weight in arcs.items()}  # negative: they were zero
    return has_negative_cycle(lowered, set(range(judging.case.n)))


def has_knot(judging: Judging, call: dict[str, Any]) -> bool:
    """Whether a source reaches a cycle of length zero other than those there and back along the edges of a tree."""
    truth = judging.truth
    return any(
        knotted(tight_tails(source, truth.exact.row(source), truth.arcs, truth.closed, back=True))
        for source in judging.positions(call.get("sources"))
    )


def by_elimination() -> Any:
    """A context in which flows are computed by elimination wherever it applies."""
    model = COSTS["elimination"]
    offer = model.offer

    def always(work: FlowWork, threads: int, limit: float | None) -> SourceChoice | None:
        found = offer(work, threads, None)
        return None if found is None else replace(found, seconds_once=0.0, seconds_row=0.0)

    return mock.patch.object(model, "offer", always)


def _sampled(judging: Judging, rng: random.Random, device: str) -> None:
    """Estimates are those of the chosen sources, scaled."""
    n = judging.case.n
    graph, k = judging.fresh_graph(), rng.randint(1, n)
    found = apsp.approximate_betweenness_centrality(graph, k, seed=rng.randrange(99), device=device)
    if len(set(found.sources.tolist())) != k:
        raise WrongError(f"{k} sources are to be chosen, and they are {found.sources.tolist()}")
    chosen = found.sources if judging.case.labels is None else judging.naming.say(judging.naming.hear(found.sources))
    expected = apsp.betweenness_centrality(judging.fresh_graph(), sources=chosen, device=device) * (n / k)
    _compare("approximate_betweenness_centrality", found.values.tolist(), expected.tolist())


def _compare(name: str, found: list[float], expected: Iterable[float]) -> None:
    if not all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(found, expected, strict=True)):
        raise WrongError(f"{name} is {found}, not {expected}")
