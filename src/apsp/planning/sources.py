"""The plan of what has methods of its own per source, from the cost of its method."""

from __future__ import annotations

import math

import numpy as np

from apsp._types import DTypeLike
from apsp.facts.bounds import DistanceBound
from apsp.methods.source_cost import SourceCost
from apsp.planning.plan import Plan

__all__ = ["plan_of_sources", "rows_in"]


_NO_BOUND = DistanceBound(-math.inf, math.inf, "it is not looked for")


def plan_of_sources(cost: SourceCost, threads: int, purpose: str, dtype: DTypeLike = np.float64) -> Plan:
    """Return the plan of a cost, without reasons: what tasks and bands of a store need."""
    return Plan(
        method=cost.method, device=cost.device, dtype=np.dtype(dtype), threads=threads, block_rows=cost.block_rows,
        seconds=cost.seconds_once + cost.seconds, bytes_output=0, bytes_work=cost.bytes_work, bytes_available=0,
        bound=_NO_BOUND, purpose=purpose, per_source=cost,
    )  # fmt: skip


def rows_in(plan: Plan, seconds: float) -> int:
    """Return the sources that take so long, at least a block."""
    assert plan.per_source is not None
    return max(math.ceil(seconds / max(plan.per_source.seconds_row, 1e-12)), plan.block_rows)
