"""A smaller case that fails in the same way: calls, vertices, arcs, options and digits are left out while it does."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from torture.case import Case
from torture.weights import fitting

__all__ = ["shrunk"]

Fails = Callable[[Case], bool]


def shrunk(case: Case, fails: Fails, *, seconds: float = 30) -> Case:
    """The smallest case found, by trying one simplification after another until none is left or time is up.

    Parameters
    ----------
    fails : callable
        Whether a case fails as the given one does.
    """
    end = time.monotonic() + seconds
    found = True
    while found and time.monotonic() < end:
        found = False
        for step in (_fewer_calls, _fewer_vertices, _fewer_arcs, _fewer_options, _simpler_graph, _simpler_weights):
            again = True
            while again and time.monotonic() < end:
                again = False
                for smaller in step(case):
                    if time.monotonic() > end:
                        break
                    if _tried(smaller, fails):
                        case, again, found = smaller, True, True
                        break
    return case


def _tried(case: Case, fails: Fails) -> bool:
    try:
        return fails(case)
    except Exception:  # a case that cannot even be built is no smaller case
        return False


def _fewer_calls(case: Case) -> Iterator[Case]:
    if len(case.calls) > 1:
        for call in case.calls:
            yield case.changed(calls=[call])
        for k in range(len(case.calls)):
            yield case.changed(calls=case.calls[:k] + case.calls[k + 1 :])


def _fewer_vertices(case: Case) -> Iterator[Case]:
    size = case.n
    while size >= 1:
        for start in range(0, case.n, size):
            yield _without(case, set(range(start, min(start + size, case.n))))
        size //= 2


def _without(case: Case, gone: set[int]) -> Case:
    number = {v: k for k, v in enumerate(v for v in range(case.n) if v not in gone)}
    arcs = [(number[u], number[v], w) for u, v, w in case.arcs if u in number and v in number]
    calls = []
    for call in case.calls:
        smaller = dict(call)
        for name in ("sources", "targets"):
            if smaller.get(name) is not None:
                smaller[name] = [number[v] for v in smaller[name] if v in number]
        calls.append(smaller)
    zones = [number[v] for v in case.zones if v in number]
    return case.changed(n=len(number), arcs=arcs, calls=calls, zones=zones)


def _fewer_arcs(case: Case) -> Iterator[Case]:
    size = len(case.arcs)
    while size >= 1:
        for start in range(0, len(case.arcs), size):
            yield case.changed(arcs=case.arcs[:start] + case.arcs[start + size :])
        size //= 2


def _fewer_options(case: Case) -> Iterator[Case]:
    for k, call in enumerate(case.calls):
        for name, value in call.items():
            if name == "door":
                continue
            rest = {key: kept for key, kept in call.items() if key != name}
            yield _with_call(case, k, rest)
            if name in ("sources", "targets") and value and len(value) > 1:
                for one in range(len(value)):
                    yield _with_call(case, k, rest | {name: value[:one] + value[one + 1 :]})


def _with_call(case: Case, k: int, call: dict[str, Any]) -> Case:
    return case.changed(calls=[*case.calls[:k], call, *case.calls[k + 1 :]])


def _simpler_graph(case: Case) -> Iterator[Case]:
    if case.zones:
        yield case.changed(zones=[])
        for vertex in case.zones:
            yield case.changed(zones=[v for v in case.zones if v != vertex])
    if not case.directed:
        yield case.changed(directed=True)
    if case.parallel != "min":
        yield case.changed(parallel="min")
    if case.labels is not None:
        yield case.changed(labels=None)


def _simpler_weights(case: Case) -> Iterator[Case]:
    for k, (tail, head, weight) in enumerate(case.arcs):
        for simple in fitting(list(_simpler(weight)), case.dtype):
            if simple != weight:
                yield case.changed(arcs=[*case.arcs[:k], (tail, head, simple), *case.arcs[k + 1 :]])


def _simpler(weight: float) -> Iterator[int | float]:
    """Smaller or rounder numbers, the simplest first."""
    if type(weight) is int:
        for simple in (0, 1, -1, 10, -10, weight // 2 if weight > 0 else -(-weight // 2)):
            if abs(simple) < abs(weight):
                yield simple
        return
    for digits in (0, 1, 3, 6):
        simple = float(f"{weight:.{digits}e}")
        if len(repr(simple)) < len(repr(weight)):
            yield simple
    if weight not in (0.0, 1.0, -1.0):
        yield from (0.0, 1.0, -1.0)
