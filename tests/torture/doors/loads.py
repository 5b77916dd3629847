"""`apsp.arc_flows`: a demand along exact shortest paths, dense and sparse, ties divided and not."""

from __future__ import annotations

import math
import random
from contextlib import nullcontext
from fractions import Fraction
from typing import Any

import numpy as np
import scipy.sparse

import apsp
from torture.doors.betweenness import by_elimination, has_knot, has_zero_cycle, is_judged, on_gpu
from torture.judging import Judging
from torture.promise import WrongError
from torture.tight import carried

__all__ = ["loads"]


def loads(judging: Judging, call: dict[str, Any]) -> None:
    naming, rng = judging.naming, random.Random(call["seed"])
    if not is_judged(judging):
        return
    sources, targets = judging.positions(call.get("sources")), judging.positions(call.get("targets"))
    demand = np.array(
        [[rng.choice((0, 0, 1, 2, 7)) for _ in targets] for _ in sources], dtype=rng.choice(("float64", "int32"))
    ).reshape(len(sources), len(targets))
    given = demand if rng.random() < 0.5 else scipy.sparse.coo_array(demand)
    options: dict[str, Any] = {"ties": call["ties"], "threads": call["threads"]}
    options |= naming.told({name: call[name] for name in ("sources", "targets") if name in call})
    if call["ties"] == "split" and on_gpu(judging):
        options["device"] = call.get("device", "cpu")
    for context in (nullcontext(), by_elimination()):
        try:
            with context:
                graph = judging.fresh_graph()
                found = apsp.arc_flows(graph, given, **options)
        except apsp.RequestError as error:
            if "of length zero" in str(error) and call["ties"] == "split" and has_knot(judging, call):
                return
            raise
        if not judging.judgeable(call):
            return
        if call["ties"] == "first" and has_zero_cycle(judging):
            _check_sums(judging, graph, found, sources, targets, demand)
        else:
            _check(judging, graph, found, sources, targets, demand, first=call["ties"] == "first")
    judging.count("loads")


def _check(
    judging: Judging, graph: apsp.Graph, found: apsp.ArcFlows, sources: list[int], targets: list[int],
    demand: np.ndarray, *, first: bool,
) -> None:  # fmt: skip
    truth = judging.truth
    through, along = [Fraction(0)] * truth.n, dict.fromkeys(truth.arcs, Fraction(0))
    for i, source in enumerate(sources):
        row, to = truth.exact.row(source), dict.fromkeys(targets, 0)
        for target, amount in zip(targets, demand[i].tolist(), strict=True):
            to[target] += int(amount)
        lost = sum(amount for v, amount in to.items() if row[v] is None)
        flow = carried(source, row, {v: a for v, a in to.items() if row[v] is not None}, truth.arcs, truth.closed,
                       first=first)  # fmt: skip
        if not math.isclose(found.served[i], flow.served, rel_tol=1e-12) or found.unserved[i] != lost:
            raise WrongError(f"source {source}: {found.served[i]} and {found.unserved[i]}, not {flow.served}, {lost}")
        through = [a + b for a, b in zip(through, flow.through, strict=True)]
        for arc, amount in flow.along.items():
            along[arc] += amount
    order = zip(graph.tails().tolist(), graph.indices.tolist(), strict=True)
    _compare("vertices", found.vertices.tolist(), through)
    _compare("arcs", found.arcs.tolist(), [along[arc] for arc in order])


def _check_sums(
    judging: Judging, graph: apsp.Graph, found: apsp.ArcFlows, sources: list[int], targets: list[int],
    demand: np.ndarray,
) -> None:  # fmt: skip
    """What holds for every choice of paths: the sum of their lengths, and the balance of every vertex."""
    truth, balance, length = judging.truth, [0.0] * judging.case.n, 0
    for i, source in enumerate(sources):
        row = truth.exact.row(source)
        for target, amount in zip(targets, demand[i].tolist(), strict=True):
            distance = row[target]
            if distance is not None and source != target:
                length += int(amount) * distance
                balance[source] -= amount
                balance[target] += amount
    sums = 0.0
    flows = zip(graph.tails().tolist(), graph.indices.tolist(), found.arcs.tolist(), strict=True)
    for tail, head, flow in flows:
        balance[tail] += flow
        balance[head] -= flow
        sums += flow * truth.arcs[tail, head]
    if not math.isclose(sums, length, rel_tol=1e-9, abs_tol=1e-9 * truth.largest):
        raise WrongError(f"the flows are {sums} long, and the demand {length}")
    _compare("the balance of vertices", balance, [Fraction(0)] * judging.case.n)


def _compare(name: str, found: list[float], expected: list[Fraction]) -> None:
    if not all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(found, expected, strict=True)):
        raise WrongError(f"arc_flows: {name} are {found}, not {list(map(float, expected))}")
