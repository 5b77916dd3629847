"""Cost of the reference solver: rounds over all arcs. Constants: call; round; arc (of a round)."""

from __future__ import annotations

import math

from apsp.facts.statistics import GraphStatistics
from apsp.facts.work import Work
from apsp.methods.cost import CostModel, Values

__all__ = ["COSTS"]


class _Reference(CostModel):
    def seconds(self, values: Values, statistics: GraphStatistics, work: Work) -> float:
        rounds = min(statistics.n, 2 * math.log2(max(statistics.n, 2)) + 2)  # for a random graph; a path graph takes n
        return values["call"] + rounds * (values["round"] + values["arc"] * statistics.m) * work.rows


COSTS: dict[str, CostModel] = {"reference": _Reference("reference")}
