"""`solve(counts=True)`, `Result.all_paths` and `tied_predecessors`: against exact tight arcs, and floats against each
other.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

import apsp
from torture.doors.solve import check_result
from torture.judging import Judging
from torture.promise import WrongError
from torture.tight import knotted, path_numbers, tight_tails

__all__ = ["counts"]

OPTIONS = ("sources", "targets", "cutoff", "method", "device", "threads")
_MOST_VERTICES = 60
_MOST_PATHS = 200


def counts(judging: Judging, call: dict[str, Any]) -> None:
    truth, case = judging.truth, judging.case
    if case.n > _MOST_VERTICES:
        return
    options = judging.naming.told({name: call[name] for name in OPTIONS if name in call})
    try:
        result = apsp.solve(judging.fresh_graph(), counts=True, **options)
    except apsp.DtypeRangeError:
        if truth.largest * max(truth.n, 2) < 2**61:
            raise
        return
    except apsp.RequestError as error:
        if not _is_justified(judging, call, str(error)):
            raise
        judging.count("counts refused")
        return
    check_result(judging, call, result)
    if not judging.judgeable(call, result.distances.dtype.name):
        return
    if not case.integer and truth.has_negative_arc:
        raise WrongError("there are numbers of paths, and float weights are negative")
    sources, targets = judging.positions(call.get("sources")), judging.positions(call.get("targets"))
    whole = call.get("targets") is None
    for row, source in enumerate(sources):
        if not case.integer and call.get("cutoff") is not None and not whole:
            continue  # a distance may be on either side of the cutoff
        found = _said(judging, result, source)
        before = _exact(judging, source) if case.integer else found
        within = _within(judging, call, result, row, source)
        if case.integer and whole and found != {v: before[v] if v in within else [] for v in before}:
            raise WrongError(f"tied_predecessors({source}) is {found}, not {before} within {within}")
        numbers = path_numbers(before, source)
        wanted = [numbers.get(v) if v in within else 0 for v in targets]
        if result.counts[row].tolist() != wanted:
            raise WrongError(f"counts of {source} are {result.counts[row].tolist()}, not {wanted}")
    _check_paths(judging, call, result, sources, targets)
    judging.count("counts")


def _said(judging: Judging, result: apsp.Result, source: int) -> dict[int, list[int]]:
    """The tied predecessors of all vertices."""
    indptr, indices = result.tied_predecessors(judging.naming.one(source))
    return {v: indices[indptr[v] : indptr[v + 1]].tolist() for v in range(judging.case.n)}


def _exact(judging: Judging, source: int, *, back: bool = False) -> dict[int, list[int]]:
    """The same of integers, from exact distances."""
    exact = judging.truth.exact
    return tight_tails(source, exact.row(source), exact.arcs, exact.closed, back=back)


def _within(judging: Judging, call: dict[str, Any], result: apsp.Result, row: int, source: int) -> set[int]:
    """The vertices that are to have paths: the source, and those within the cutoff."""
    cutoff = call.get("cutoff")
    if judging.case.integer:
        distances = judging.truth.exact.row(source)
        return {v for v, d in enumerate(distances) if d is not None and (cutoff is None or d <= cutoff)}
    none = apsp.unreachable(result.distances.dtype)
    kept = zip(judging.positions(call.get("targets")), result.distances[row].tolist(), strict=True)
    return {v for v, d in kept if d != none}


def _is_justified(judging: Judging, call: dict[str, Any], words: str) -> bool:
    truth, case = judging.truth, judging.case
    if "negative float weights" in words:
        return not case.integer and truth.has_negative_arc
    weights = sorted(truth.arcs.values())
    if "lost in rounding" in words:
        small = next((weight for weight in weights if weight > 0), 0)
        return not case.integer and max(weights, default=0) * truth.n >= small << 50
    if "of length zero" not in words:
        return False
    if not case.integer:
        return 0 in weights
    targets = judging.positions(call.get("targets"))
    for source in judging.positions(call.get("sources")):
        row, numbers = truth.exact.row(source), path_numbers(_exact(judging, source), source)
        if source in knotted(_exact(judging, source, back=True)):
            numbers = {source: 1}
        if any(row[v] is not None and v not in numbers for v in targets):
            return True
    return False


def _check_paths(
    judging: Judging, call: dict[str, Any], result: apsp.Result, sources: list[int], targets: list[int]
) -> None:
    """`all_paths` of a few pairs."""
    rng, naming, arcs = random.Random(call["seed"]), judging.naming, judging.truth.exact.arcs
    for _ in range(2 if sources and targets else 0):
        source, target = rng.choice(sources), rng.choice(targets)
        number = result.count(naming.one(source), naming.one(target))
        try:
            paths = result.all_paths(naming.one(source), naming.one(target))
        except apsp.NoPathError:
            if number:
                raise WrongError(f"no paths from {source} to {target}, and they are {number}") from None
            continue
        found = [naming.hear(path) for path in itertools.islice(paths, _MOST_PATHS)]
        if len(found) != min(number, _MOST_PATHS) or found != sorted(found):
            raise WrongError(f"there are {number} paths from {source} to {target}, but these come: {found}")
        for path in found:
            length = sum(arcs[arc] for arc in itertools.pairwise(path))
            if (path[0], path[-1]) != (source, target) or len(set(path)) < len(path):
                raise WrongError(f"{path} is no path from {source} to {target}")
            if judging.case.integer and length != judging.truth.exact.row(source)[target]:
                raise WrongError(f"{path} is {length} long")
