"""Cost of the published methods: on one thread of the CPU, and on GPUs (gpu_cost.py, gpu_memory.py)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apsp.facts.facts import Facts
from apsp.facts.gpu_rates import rates_of
from apsp.facts.placement import Placement
from apsp.facts.statistics import GraphStatistics
from apsp.facts.work import Work
from apsp.methods.cost import CostModel, OnGpus, Values, stays_there
from apsp.methods.floyd_warshall.cost import MatrixCost
from apsp.published.emulated_cost import seconds_emulated
from apsp.published.gpu_cost import MODELS, ORIGIN, seconds_of_published
from apsp.published.gpu_memory import place_published, refuse_published

__all__ = ["COSTS"]


class _OnGpus(CostModel):
    must_fit_gpus = True

    def place(self, facts: Facts, gpus: Sequence[int]) -> Placement | None:
        return place_published(self.name, facts.statistics, facts.machine, facts.request, facts.dtype, gpus)

    def on_gpus(self, facts: Facts, work: Work, placement: Placement | None, gpus: Sequence[int]) -> OnGpus:
        rates = replace(rates_of(facts.machine.gpus[gpus[0]]), origin=ORIGIN)
        assumed, to_host = placement or Placement("device", tuple(gpus), 0), not stays_there(facts, placement)
        seconds = seconds_of_published(self.name, facts.statistics, work, rates, assumed, to_host=to_host)
        return OnGpus(seconds, rates)

    def refuse_place(self, facts: Facts, gpus: Sequence[int]) -> None:
        refuse_published(self.name, facts, gpus)

    def emulated(self, values: Values, statistics: GraphStatistics, work: Work, placement: Placement | None) -> float:
        return seconds_emulated(self.name, values, statistics, work, placement)


COSTS: dict[str, CostModel] = {
    "fw-sequential": MatrixCost("fw-sequential"),
    "fw-blocked": MatrixCost("fw-blocked"),
    **{name: _OnGpus(name) for name in MODELS},
}
