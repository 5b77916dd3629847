"""Cost of Katz and Kider's transitive closure, on GPUs and emulated ones."""

from __future__ import annotations

from collections.abc import Sequence

from apsp.facts.gpu_rates import rates_of
from apsp.facts.placement import Placement, usable_on
from apsp.methods.closure_cost import ClosureCost, ClosureModel, ClosureWork
from apsp.system.machine import Machine

__all__ = ["COSTS"]

_CELL_BYTES, _BLOCK = 4, 22

_PAIRS_A_SECOND, _ENTRY, _ROUND = 2.4e12, 3.5e-9, 3e-5
"""On an H200: pairs per second; seconds of an entry of the matrix, on the host, and of the launches of a block. Fitted
to docs/published/katz-kider.csv, where n = 1,024, 2,048, 4,096 and 8,192 take 5.5, 22, 93 and 473 ms."""

_ORIGIN = "constants of the published methods measured on an H200"

_PAIR_EMULATED, _CALL_EMULATED = 1.5e-8, 0.03
"""CPU seconds of an EPYC, where n = 100 and 300 take 0.05 and 0.47."""


class _KatzKider(ClosureModel):
    def refuses(self, work: ClosureWork) -> str | None:
        return "the graph has zones" if work.zones else None

    def on_gpus(self, work: ClosureWork, machine: Machine, gpus: Sequence[int]) -> ClosureCost:
        n, numbers, emulated = work.n, tuple(gpus), machine.gpus[gpus[0]].is_emulated
        padded = -(-n // _BLOCK) * _BLOCK
        cells = padded * padded * _CELL_BYTES
        limit = min(usable_on(machine.gpus[number], work.gpu_memory) for number in numbers)
        if emulated:
            seconds, origin = _CALL_EMULATED + _PAIR_EMULATED * float(n) ** 3 / machine.cores, None
        else:
            rates = rates_of(machine.gpus[numbers[0]])
            rate, origin = _PAIRS_A_SECOND * rates.scale * len(numbers), _ORIGIN
            seconds = float(n) ** 3 / rate + _ENTRY * n * n + n / _BLOCK * _ROUND
            seconds += 0.0 if work.started else rates.start
        least = 3 * _BLOCK * _BLOCK * _CELL_BYTES
        if limit < least:
            why = "three blocks do not fit"
            return ClosureCost(seconds, cells, beyond=why, bytes_one_gpu=least, origin=origin)
        whole = len(numbers) == 1 and cells <= limit
        on_gpu = cells if whole else min(-(-cells // len(numbers)), limit)
        return ClosureCost(seconds, cells, Placement("device" if whole else "host", numbers, on_gpu), origin=origin)


COSTS: dict[str, ClosureModel] = {"katz-kider-closure": _KatzKider("katz-kider-closure")}
