"""Random graphs through the public functions: the kind of torture that everything else stands on."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable
from typing import Any

from torture.case import Case
from torture.draw import Scope, draw
from torture.judge import Failure, judge
from torture.shrink import shrunk

__all__ = ["isolated", "run", "smaller"]


def run(seed: int, options: dict[str, Any], counts: Counter[str]) -> dict[str, Any] | None:
    """Judge the case of a seed; a failure as plain data, shrunk."""
    case = draw(seed, scope(options))
    failure = judge(case, counts)
    if failure is None:
        return None
    found = {"what": failure.what, "where": failure.where, "words": failure.words, "trace": failure.trace}
    if options.get("shrink", True):
        case = smaller(case, failure)
        again = judge(case)
        found["words"] = again.words if again is not None else failure.words
    return found | {"case": case.to_dict()}


def scope(options: dict[str, Any]) -> Scope:
    return Scope(
        tuple(options.get("devices", ("cpu",))), options.get("most", 300), tuple(options.get("doors", ())),
        tuple(options.get("weights", ())), options.get("gpus", 1),
    )  # fmt: skip


def smaller(case: Case, failure: Failure, *, seconds: float = 20) -> Case:
    """A smaller case that fails in the same way."""

    def fails(tried: Case) -> bool:
        found = judge(tried)
        return found is not None and found.kind == failure.kind

    return shrunk(case, fails, seconds=seconds)


def isolated(judged: Callable[[], int], *, seconds: int = 60) -> int:
    """The exit code of a function in a forked child; minus the signal that ended it."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.alarm(seconds)
            code = judged()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def smaller_crash(seed: int, options: dict[str, Any], *, seconds: float = 60) -> Case:
    """A smaller case that ends its process by a signal, as that of the seed did."""
    case = draw(seed, scope(options))

    def fails(tried: Case) -> bool:
        return isolated(lambda: judge(tried) is not None, seconds=20) < 0

    return shrunk(case, fails, seconds=seconds) if fails(case) else case
