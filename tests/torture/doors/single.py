"""The functions of single measures, as they are called by name, against exact integer distances."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import apsp
from torture.judging import Judging
from torture.promise import WrongError

__all__ = ["single"]

OPTIONS = ("sources", "cutoff", "dtype", "method", "device", "threads", "rows")


def single(judging: Judging, call: dict[str, Any]) -> None:
    """Call every function once: of sources, and of vertices in both directions."""
    case, truth = judging.case, judging.truth
    options = {name: call[name] for name in OPTIONS if name in call}
    told = judging.naming.told(options)
    sources, most = sorted(set(judging.positions(call.get("sources")))), call.get("cutoff", math.inf)
    average = apsp.average_shortest_path_length(judging.fresh_graph(), **told)
    if not judging.judgeable(call) or not case.integer:
        return
    rows = {
        s: {v: d for v, d in enumerate(truth.exact.row(s)) if v != s and d is not None and d <= most}
        for s in (sources if truth.has_negative_arc else range(case.n))
    }
    some = {s: rows[s] for s in sources}
    every = [d for row in some.values() for d in row.values()]
    _near("average_shortest_path_length", average, _average(case.n, every))
    _sums(judging, told, some, every)
    _extremes(judging, told, some)
    _histogram(judging, told, every, random.Random(call["seed"]))
    if len(rows) == case.n:
        _central(judging, call, rows)
    judging.count("single")


def _average(n: int, every: list[int]) -> float:
    if every:
        return sum(every) / len(every)
    return 0.0 if n == 1 else math.nan


def _sums(judging: Judging, told: dict[str, Any], some: dict[int, dict[int, int]], every: list[int]) -> None:
    n, graph = judging.case.n, judging.fresh_graph()
    if len(some) < n:
        return
    pairs, told = n * (n - 1), {name: value for name, value in told.items() if name != "sources"}
    total = sum(every) // (1 if judging.case.directed else 2)
    _same("wiener_index", apsp.wiener_index(graph, **told), total if len(every) == pairs else math.inf)
    efficiency = math.fsum(1 / d for d in every if d) / pairs if pairs > 0 else 0.0
    room = 1e-12 * math.fsum(1 / abs(d) for d in every if d) / max(pairs, 1)
    _near("global_efficiency", apsp.global_efficiency(judging.fresh_graph(), **told), efficiency, room)


def _extremes(judging: Judging, told: dict[str, Any], some: dict[int, dict[int, int]]) -> None:
    hear = judging.naming.hear
    sizes = {s: max([0, *row.values()]) for s, row in some.items()}
    most = max(map(len, some.values()), default=0)
    wide = {s: size for s, size in sizes.items() if len(some[s]) == most}
    sums = {s: sum(some[s].values()) for s in wide}
    for name, expected in (
        ("diameter", max(sizes.values(), default=None)),
        ("radius", min(wide.values(), default=None)),
        ("periphery", [s for s, size in sizes.items() if size == max(sizes.values())]),
        ("center", [s for s, size in wide.items() if size == min(wide.values())]),
        ("barycenter", [s for s, size in sums.items() if size == min(sums.values())]),
    ):
        found = getattr(apsp, name)(judging.fresh_graph(), **told)
        _same(name, hear(found) if isinstance(expected, list) else found, expected)


def _histogram(judging: Judging, told: dict[str, Any], every: list[int], rng: random.Random) -> None:
    low, high = min(every, default=0), max(every, default=9)
    if max(-low, high) >= 2**52:
        return
    edges = sorted({rng.randint(low - 1, high + 2) for _ in range(4)} | {low, high + 1})
    found = apsp.distance_histogram(judging.fresh_graph(), edges=edges, **told)
    inside = [sum(a <= d < b for d in every) for a, b in itertools.pairwise(edges)]
    inside[-1] += sum(d == edges[-1] for d in every)  # the last bin includes both of its edges, as in NumPy
    _same(f"distance_histogram(edges={edges})", found.counts.tolist(), inside)


def _central(judging: Judging, call: dict[str, Any], rows: dict[int, dict[int, int]]) -> None:
    """Of vertices, in both directions, all and the first few."""
    n, hear = judging.case.n, judging.naming.hear
    rng = random.Random(call["seed"])
    direction, improved, top = rng.choice(("in", "out")), rng.random() < 0.5, rng.randint(1, 4)
    given = {name: call[name] for name in ("cutoff", "method", "device", "threads") if name in call}
    lengths: list[list[int]] = [list(rows[v].values()) for v in range(n)]
    if direction == "in":
        lengths = [[rows[s][v] for s in range(n) if v in rows[s]] for v in range(n)]
    close = [_closeness(row, n, improved=improved) for row in lengths]
    harmonic = [math.fsum(1 / d for d in row if d) for row in lengths]
    options = given | {"direction": direction}
    for name, expected, more in (
        ("closeness_centrality", close, {"wf_improved": improved}),
        ("harmonic_centrality", harmonic, {}),
        ("farness", [sum(row) for row in lengths], {}),
    ):
        function = getattr(apsp, name)
        found = function(judging.fresh_graph(), **options, **more).tolist()
        if not all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(found, expected, strict=True)):
            raise WrongError(f"{name}, {direction}, is {found}, not {expected}")
        if name != "farness":
            best = function(judging.fresh_graph(), top=top, **options, **more)
            order = sorted(range(n), key=lambda v, found=found: (-found[v], v))[:top]
            _same(f"{name}(top={top})", hear(best.vertices.tolist()), order)


def _closeness(row: list[int], n: int, *, improved: bool) -> float:
    total = sum(row)
    if total <= 0:
        return 0.0
    return len(row) / total * (len(row) / (n - 1) if improved else 1)


def _same(what: str, found: Any, expected: Any) -> None:
    if found != expected:
        raise WrongError(f"{what} is {found}, not {expected}")


def _near(what: str, found: float, expected: float, room: float = 0.0) -> None:
    if not (math.isclose(found, expected, rel_tol=1e-9, abs_tol=room) or (math.isnan(found) and math.isnan(expected))):
        raise WrongError(f"{what} is {found}, not {expected}")
