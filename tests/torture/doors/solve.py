"""`apsp.solve`: distances, predecessors, single pairs, `verify`, and that `verify` sees what is altered."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np

import apsp
from apsp.system.array_device import to_host
from torture.judging import Judging
from torture.promise import WrongError, check_length, check_loosely, check_paths, check_rows, tolerance
from torture.truth import ROUNDINGS

__all__ = ["check_result", "solve"]

OPTIONS = ("sources", "targets", "cutoff", "dtype", "paths", "method", "device", "semiring", "threads")


def solve(judging: Judging, call: dict[str, Any]) -> None:
    options = {name: call[name] for name in OPTIONS if name in call}
    whole = None
    if call.get("out"):
        rows, columns = (judging.case.n if call.get(k) is None else len(call[k]) for k in ("sources", "targets"))
        whole = np.full((rows + 2, columns + 3), 7, dtype=call["dtype"])
        options["out"] = whole[1:-1, 1:-2]
    result = apsp.solve(judging.fresh_graph(), **judging.naming.told(options))
    judging.count(f"method {result.info['method']}", f"dtype {result.distances.dtype}", f"on {result.info['device']}")
    check_result(judging, call, result)
    if whole is not None:
        whole[1:-1, 1:-2] = 7
        if not (whole == 7).all():
            raise WrongError("solve(out=...) wrote beside the array")


def check_result(judging: Judging, call: dict[str, Any], result: apsp.Result) -> None:
    """Check a result in every way that its request allows."""
    truth, semiring, cutoff = judging.truth, call.get("semiring", "min_plus"), call.get("cutoff")
    sources, targets = judging.positions(call.get("sources")), call.get("targets")
    cycles = judging.cycles(call, result.distances.dtype.name)
    if cycles in ("rounding", "elsewhere") and cutoff is None and result.distances.dtype.name == judging.case.dtype:
        judging.count("judged loosely")
        check_loosely(truth, sources, targets, result.distances)
        if result.has_predecessors:
            check_paths(truth, sources, targets, result.distances, result.predecessors, roundings=1024 + ROUNDINGS)
    if cycles != "none":
        judging.count("judged by verify alone")
        if targets is None and cutoff is None:
            result.verify()
        return
    check_rows(truth, sources, targets, result.distances, cutoff=cutoff, semiring=semiring)
    if semiring != "min_plus":
        return
    if result.has_predecessors:
        check_paths(truth, sources, targets, result.distances, result.predecessors, cutoff=cutoff)
    rng = random.Random(call.get("seed", 0))
    _check_pairs(judging, call, result, rng)
    if targets is None and (cutoff is None or not truth.has_negative_arc):
        result.verify()
        _check_that_verify_sees(judging, result, sources, rng)


def _check_pairs(judging: Judging, call: dict[str, Any], result: apsp.Result, rng: random.Random) -> None:
    """`distance`, `path` and `next_hop` of a few pairs."""
    truth, case = judging.truth, judging.case
    sources = judging.positions(call.get("sources"))
    targets = judging.positions(call.get("targets"))
    if not sources or not targets:
        return
    searched = not result.has_predecessors
    if searched and (call.get("targets") is not None or (call.get("cutoff") is not None and truth.has_negative_arc)):
        return
    distances = to_host(result.distances)
    for _ in range(2):
        source, target = rng.choice(sources), rng.choice(targets)
        said = judging.naming.one(source), judging.naming.one(target)
        value = result.distance(*said)
        kept = distances[sources.index(source), targets.index(target)].item()
        if (math.inf if kept == apsp.unreachable(distances.dtype) else kept) != value:
            raise WrongError(f"result.distance({source}, {target}) is {value!r}, its matrix says {kept!r}")
        try:
            path = judging.naming.hear(result.path(*said))
        except apsp.NoPathError:
            if value != math.inf:
                raise WrongError(f"no path from {source} to {target}, at distance {value!r}") from None
            continue
        if value == math.inf:
            raise WrongError(f"a path from {source} to {target}, which has no distance: {path}")
        if searched and not case.integer:
            continue  # found along tight arcs; its length is what those say, within their own rounding
        check_length(truth, path, source, target, value, distances.dtype.name)
        hop = result.next_hop(*said)
        if hop != (judging.naming.one(path[1]) if len(path) > 1 else None):
            raise WrongError(f"next_hop({source}, {target}) is {hop}, the path {path}")


def _check_that_verify_sees(judging: Judging, result: apsp.Result, sources: list[int], rng: random.Random) -> None:
    """One distance is altered by more than the promise allows: `verify` must refuse it."""
    truth, distances = judging.truth, to_host(result.distances)
    if not distances.size or rng.random() < 0.5 or (result.cutoff is not None and not judging.case.integer):
        return
    row, target = rng.randrange(len(sources)), rng.randrange(truth.n)
    altered = distances.copy()
    value, none = altered[row, target].item(), apsp.unreachable(distances.dtype)
    other = _altered(judging, sources[row], target, value, distances.dtype, rng)
    if other is None or other == value or not (other == none or math.isfinite(other)):
        return
    altered[row, target] = other
    if altered[row, target] == value:
        return
    pred = result.predecessors if result.has_predecessors and rng.random() < 0.5 else None
    rows = None if sources == list(range(truth.n)) else np.asarray(sources, dtype=np.int32)
    claimed = apsp.Result(result.graph, altered, source_positions=rows, pred=pred, cutoff=result.cutoff)
    try:
        claimed.verify()
    except apsp.VerificationError:
        judging.count("verify saw it")
        return
    pair = f"distance({sources[row]}, {target})"
    raise WrongError(f"verify() passes, though {pair} was changed from {value!r} to {other!r}")


def _altered(judging: Judging, source: int, target: int, value: Any, dtype: Any, rng: random.Random) -> Any:
    truth = judging.truth
    none = apsp.unreachable(dtype)
    if value == none:
        return None if judging.graph.m == 0 else rng.choice([0, 1, 5]) if target != source else None
    if rng.random() < 0.2 and target != source:
        return none
    if judging.case.integer:
        top = 2**24 if dtype.name == "float32" else none
        return next((other for other in (value + rng.choice([1, -1]), value + 1) if 0 <= other < top), None)
    size = truth.exact.sizes(source)[target]
    assert size is not None
    step = tolerance(truth, truth.exact.total, truth.n, dtype.name) if truth.has_negative_arc else 0
    by = 64 * max(tolerance(truth, size, truth.n, dtype.name), step)
    try:
        change = by / (1 << truth.shift)
    except OverflowError:
        return None
    return float(dtype.type(value + rng.choice([1, -1]) * change)) if value + change < 1e38 else None
