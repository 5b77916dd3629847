"""`apsp.profile`: kernels in any order of their threads give right distances, without races."""

from __future__ import annotations

from typing import Any

import apsp
from torture.doors.solve import check_result
from torture.judging import Judging
from torture.promise import WrongError

__all__ = ["counted"]

OPTIONS = ("sources", "targets", "cutoff", "dtype", "paths", "method", "threads", "order", "seed")


_MOST_VERTICES = 300
"""Some methods take n^3 steps, each of which is counted."""


def counted(judging: Judging, call: dict[str, Any]) -> None:
    if judging.case.n > _MOST_VERTICES:
        return
    options = {name: call[name] for name in OPTIONS if name in call}
    found = apsp.profile(judging.fresh_graph(), **judging.naming.told(options))
    if found.races:
        raise WrongError(f"{call['method']} has races: {found.races[0]}")
    check_result(judging, call, found.result)
    judging.count("profiled", f"method {call['method']}")
