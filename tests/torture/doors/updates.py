"""`Oracle.update` beside queries in other threads, and forks meanwhile: each query has one of two kinds of weights."""

from __future__ import annotations

import os
import random
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import apsp
from apsp.gpu.emulated.run import carried
from apsp.system.array_device import to_host
from torture.doors.oracle import checked_oracle, csr_weights, other_weights
from torture.judging import Judging
from torture.memory import is_sanitized
from torture.promise import WrongError

__all__ = ["updates"]

_ROUNDS = 12
"""Calls of each query."""

_SECONDS = 60
"""Of a forked child."""

Query = Callable[[apsp.Oracle], Any]


def updates(judging: Judging, call: dict[str, Any]) -> None:
    """Queries of an oracle whose weights another thread replaces; with `forks`, also in children forked meanwhile."""
    options = {name: call[name] for name in ("dtype", "device", "labels") if name in call}
    made = apsp.prepare(judging.fresh_graph(), **options)
    other = Judging(other_weights(judging, random.Random(call["seed"])))
    if judging.case.n == 0 or not judging.judgeable({}, made.dtype.name):
        return
    weights = made.graph.weights, csr_weights(other)
    if weights[0] is None:
        return
    queries, allowed = _queries(judging, call), []
    for judge, given in zip((judging, other), weights, strict=True):
        made.update(given)
        checked_oracle(judge, call, made)
        allowed.append({name: query(made) for name, query in queries.items()})
    with _beside(made, weights, queries, allowed) as errors:
        # The allocator of the address sanitizer has locks that no fork waits for (until GCC 14): a child may hang.
        for _ in range(0 if is_sanitized() else call["forks"]):
            _fork(made, weights[0], queries, allowed)
    if errors:
        raise WrongError(errors[0])
    judging.count("updates beside queries")


def _queries(judging: Judging, call: dict[str, Any]) -> dict[str, Query]:
    rng, n = random.Random(call["seed"]), judging.case.n
    say, one = judging.naming.say, judging.naming.one
    starts, ends = ([rng.randrange(n) for _ in range(6)] for _ in range(2))

    def path(oracle: apsp.Oracle) -> Any:
        try:
            return oracle.path(one(starts[0]), one(ends[0]))
        except apsp.NoPathError:
            return None

    return {
        "path": path,
        "paths": lambda oracle: _lists(oracle.paths(say(starts), say(ends))),
        "distances": lambda oracle: oracle.distances(say(starts), say(ends)).tolist(),
        "stream": lambda oracle: [to_host(block.distances).tolist() for block in oracle.stream(rows=n // 3 + 1)],
        "stream_paths": lambda oracle: list(map(_lists, oracle.stream_paths(say(starts), say(ends), pairs=2))),
    }  # fmt: skip


def _lists(paths: Any) -> list[Any]:
    return [list(paths), paths.distances.tolist()]


@contextmanager
def _beside(made: apsp.Oracle, weights: Any, queries: dict[str, Query], allowed: list[Any]) -> Iterator[list[str]]:
    """A thread per query, and one that updates while they run; what they saw that no weights have."""
    errors: list[str] = []

    def query(name: str) -> None:
        try:
            for _ in range(_ROUNDS):
                found = queries[name](made)
                if all(repr(found) != repr(answers[name]) for answers in allowed):
                    errors.append(f"oracle.{name} beside update has neither the old weights nor the new ones: {found}")
        except Exception as error:
            errors.append(f"oracle.{name} beside update: {type(error).__name__}: {error}")

    def update() -> None:
        number = 0
        while any(thread.is_alive() for thread in threads):
            made.update(weights[number % 2])
            number += 1

    threads = [threading.Thread(target=carried(query), args=(name,)) for name in queries]
    updating = threading.Thread(target=carried(update))
    for thread in (*threads, updating):
        thread.start()
    try:
        yield errors
    finally:
        for thread in (*threads, updating):
            thread.join()


def _fork(made: apsp.Oracle, weights: Any, queries: dict[str, Query], allowed: list[Any]) -> None:
    """A child that queries and updates the oracle, which other threads of its parent were using."""
    child = os.fork()
    if child == 0:  # pragma: no cover
        code = 1
        try:
            signal.alarm(_SECONDS)
            for name, query in queries.items():
                found = query(made)
                assert any(repr(found) == repr(answers[name]) for answers in allowed), name
            made.update(weights)
            assert all(repr(query(made)) == repr(allowed[0][name]) for name, query in queries.items())
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code != 0:
        raise WrongError(f"a child that was forked beside queries and updates of an oracle ended with {code}")
