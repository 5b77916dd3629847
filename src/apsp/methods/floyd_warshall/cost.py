"""Cost of blocked Floyd-Warshall.

Constants of the CPU are seconds on one core: call; pair.* (one (add, min) pair, by dtype); entry.* (an entry of the
matrix); pred (an entry of the predecessors); kernel.* (a pair in one of the kernels that compute the same, by dtype and
name: only measured, see variants.py). Of emulated GPUs: launch; pair.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apsp import _cpu
from apsp.facts.facts import Facts
from apsp.facts.gpu_rates import GpuRates, pair_name, rates_of
from apsp.facts.placement import Placement
from apsp.facts.request import Request
from apsp.facts.statistics import GraphStatistics
from apsp.facts.work import Work
from apsp.methods.cost import Accepts, CostModel, OnGpus, Values, stays_there
from apsp.methods.experiment import Experiment
from apsp.methods.floyd_warshall.placement import placement_of, refuse_placement
from apsp.methods.floyd_warshall.strips.cuts import TILE, StripPlan, cpu_bytes, staging_bytes, strip_plan
from apsp.methods.floyd_warshall.variants import algebra_for, choice, forget_choices, measured
from apsp.semiring import ALL_DTYPES
from apsp.system.machine import usable
from apsp.system.progress import ProgressReport

__all__ = ["COSTS", "MatrixCost", "seconds_on_gpus"]

_PATHS = 1.05
"""Time with predecessors, relative to the time without."""

_FILE = 1e9
"""Bytes per second of a file."""

_PRED_BYTES, _VERTEX_BYTES = 4, 4


class MatrixCost(CostModel):
    """The cost of a method of n^3 pairs on the CPU that stores the whole matrix."""

    def seconds(self, values: Values, statistics: GraphStatistics, work: Work) -> float:
        """Pairs, and entries that are written."""
        n = statistics.n
        entry = values[f"entry.{work.dtype}"] + (values["pred"] if work.paths else 0.0)
        pair = values[pair_name(work.dtype, statistics.has_negative_arc)]
        return values["call"] + (pair * n**3 + entry * n**2) / work.cores

    def work_bytes(self, facts: Facts) -> int:
        """Return bytes of the panels; with paths also of the arcs that are shortest paths themselves, at most all."""
        statistics, itemsize = facts.statistics, np.dtype(facts.dtype).itemsize
        arcs = (_VERTEX_BYTES + max(itemsize, 4)) * statistics.m if facts.request.paths else 0
        size = 160 * statistics.n * itemsize + arcs + (256 << 10) * facts.threads
        if facts.request.pages_file is not None:
            size += _bytes_of_strips(statistics.n, itemsize, usable(facts.machine))
        return size


class _FloydWarshall(MatrixCost):
    def experiments(self) -> tuple[Experiment, ...]:
        return tuple(
            Experiment(
                self.name, (f"entry.{dtype}", pair_name(dtype, negative)), dtype, ((256, 128), (1024, 512)), negative
            )
            for dtype in ALL_DTYPES
            for negative in ((True, False) if dtype.startswith("float") else (False,))
        )

    def tune_gpus(self, progress: ProgressReport | None, *, quick: bool) -> list[str]:
        from apsp.methods.floyd_warshall.kernels.tune import tune

        return tune(progress, quick=quick)

    def refuses(self, statistics: GraphStatistics, request: Request, dtype: str, device: str) -> str | None:
        if device == "emulated" and len(request.gpus) > 1:
            return f"it runs on one emulated GPU, but {len(request.gpus)} are requested"
        if request.pages_file is not None and self.stand_in(statistics, request, dtype) is not None:
            return (
                "with negative floats johnson finds the paths, which keeps nothing in a file (solve without paths=True)"
            )
        return None

    def unneeded(self, facts: Facts, device: str, accepts: Accepts) -> str | None:
        other = self.stand_in(facts.statistics, facts.request, facts.dtype)
        if other is not None and (device != facts.request.device or accepts(other, device)):
            return f"with negative floats, {other} finds the paths"
        return None

    def does_small(self, statistics: GraphStatistics, request: Request, dtype: str, device: str) -> bool:
        return device == "cuda" and self.stand_in(statistics, request, dtype) is None

    def stand_in(self, statistics: GraphStatistics, request: Request, dtype: str) -> str | None:
        """Johnson's method finds paths with negative floats: with sums that cancel, it is unclear which arcs are
        tight.
        """
        blurred = request.paths and request.semiring.join == "add" and statistics.has_negative_arc
        return "johnson" if blurred and dtype.startswith("float") else None

    def words(self, facts: Facts) -> list[str]:
        other = self.stand_in(facts.statistics, facts.request, facts.dtype)
        why = "After rounding, sums of negative floats do not tell which arcs lie on shortest paths"
        return [] if other is None else [f"{why}: distances and predecessors come from {other}, on the CPU."]

    def words_on_cpu(self, facts: Facts) -> list[str]:
        if facts.machine.isa != _cpu.isa():
            return []
        chosen = choice(facts.dtype, algebra_for(facts.statistics, facts.request.semiring), facts.statistics.n**3)
        if chosen is None:
            return []
        by = "when `apsp tune` measured" if chosen.is_stored else "in a short measurement"
        rates = ", ".join(f"{rate / 1e9:.3g} G with {name}" for name, rate in chosen.rates.items())
        return [f"The kernels are {chosen.name}: {by}, a core reached {rates} (add, min) pairs per second."]

    def measured_kernels(self, *, quick: bool) -> dict[str, float]:
        found = measured(1e-3 if quick else 0.05)
        forget_choices()
        return found

    def place(self, facts: Facts, gpus: Sequence[int]) -> Placement | None:
        found = placement_of(facts.statistics, facts.machine, facts.request, facts.dtype, gpus)
        emulated = facts.machine.gpus[gpus[0]].is_emulated
        return None if emulated and found is not None and found.where != "device" else found  # strips are for real GPUs

    def on_gpus(self, facts: Facts, work: Work, placement: Placement | None, gpus: Sequence[int]) -> OnGpus:
        rates = rates_of(facts.machine.gpus[gpus[0]])
        assumed = placement or Placement("device", tuple(gpus), 0)
        sums, to_host = facts.request.semiring.join == "add", not stays_there(facts, placement)
        return OnGpus(seconds_on_gpus(facts.statistics, work, rates, assumed, sums=sums, to_host=to_host), rates)

    def refuse_place(self, facts: Facts, gpus: Sequence[int]) -> None:
        refuse_placement(facts, gpus)

    def emulated(self, values: Values, statistics: GraphStatistics, work: Work, placement: Placement | None) -> float:
        """One launch whose first block does all of the work; more launches for larger matrices."""
        del work, placement
        return values["launch"] + values["pair"] * float(statistics.n) ** 3


COSTS: dict[str, CostModel] = {"floyd-warshall": _FloydWarshall("floyd-warshall")}


def seconds_on_gpus(
    statistics: GraphStatistics, work: Work, rates: GpuRates, placement: Placement, *, sums: bool, to_host: bool
) -> float:
    """Seconds from the graph in host memory to the result at its destination.

    Parameters
    ----------
    placement : Placement
        Where the matrix is stored, and on how many GPUs.
    sums : bool
        Distances are sums: (min,+), not (max,min) or (min,max).
    to_host : bool
        The result (`work.output_bytes`) is copied to host memory.
    """
    n, itemsize = statistics.n, np.dtype(work.dtype).itemsize
    count = len(placement.gpus)
    rate = rates.pairs[pair_name(work.dtype, statistics.has_negative_arc).removeprefix("pair.")]
    if not sums:
        rate *= rates.compare
    if count > 1:
        rate *= count * rates.together
    if placement.where in ("host", "file"):
        rate *= rates.paged
    seconds = rates.start + rates.pivot * n + float(n) ** 3 / rate * (_PATHS if work.paths else 1.0)
    seconds += 0.0 if statistics.lies_on_gpu else statistics.m * (4 + itemsize) / rates.from_host
    if placement.where == "file":
        seconds += 2 * n * n * itemsize / _FILE
    if placement.where == "host":
        seconds += 2 * n * n * itemsize / rates.pages + n * n * itemsize / rates.pinning
    elif to_host:
        seconds += work.output_bytes / rates.to_host
    return seconds


def _bytes_of_strips(n: int, itemsize: int, free: int) -> int:
    """Return the bytes of panels and strips if the CPU works on a matrix in a file; the minimum if they do not fit."""
    cut = strip_plan(n, itemsize, 1, cpu_bytes(free), staging_bytes(free), where=("file",))
    if isinstance(cut, str):
        cut = StripPlan(n, n, 1, TILE, TILE, itemsize, "file")
    return cut.device_bytes + cut.staging_bytes
