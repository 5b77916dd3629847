"""The choice for what has methods of its own per source, by their cost models, and its plan.

The order of decisions: the cheapest method on one core; a GPU if one is named, or if the CPU would take long.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from apsp._types import DTypeLike
from apsp.errors import RequestError
from apsp.facts.bounds import DistanceBound
from apsp.facts.devices import parse_device
from apsp.facts.one_gpu import LOOK_FROM, one_gpu
from apsp.methods import registry
from apsp.methods.source_cost import SourceChoice, SourceCost, SourceModel, SourceWork, cheapest
from apsp.planning.plan import Plan

__all__ = ["choose", "cost_of", "plan_of_sources", "rows_in"]

_NO_BOUND = DistanceBound(-math.inf, math.inf, "it is not looked for")


def choose(purpose: str, work: SourceWork, *, device: str, threads: int, by: str | None = None) -> SourceChoice:
    """Choose the method and the device.

    Parameters
    ----------
    purpose : str
        'flows' or 'skims'.
    device : str
        'auto', 'cpu', 'cuda', 'cuda:1' or 'emulated'.
    threads : int
        Their number does not decide the method; with more of them, a GPU is looked for later.
    by : str, optional
        The method, if it is fixed.

    Raises
    ------
    RequestError, DeviceError
        If the device is unknown, names several GPUs, or cannot be used.
    MemoryLimitError
        If what a named method or device needs does not fit into memory.
    """
    models = registry.source_models(purpose)
    kind, _ = parse_device(device)
    named = kind not in ("auto", "cpu")
    if named and not work.is_empty and (refused := _refused(models, work)) is not None:
        raise _not_on(device, refused)
    gpu = one_gpu(device, purpose) if named else None
    considered = [model for model in models if by in (None, model.name)]
    best = cheapest(considered, work, threads, limited=by is None)
    if best is None:  # the named method does not apply
        best = models[0].offer(work, threads, None)
        assert best is not None
    slow = work.sources * best.seconds_row >= LOOK_FROM * threads
    if kind == "cpu" or work.is_empty or (not named and (not slow or _refused(models, work) is not None)):
        return best
    choices = (model.on_gpu(work, threads, best, named=named) for model in reversed(considered))
    choice = next((found for found in choices if found is not None), None)
    if choice is None:
        beyond = next(filter(None, (model.beyond_gpus for model in models)), None)
        if named and beyond is not None:
            raise _not_on(device, beyond)
        return best
    gpu = gpu or one_gpu(device, purpose)
    if gpu is None:
        return best
    if by is None:
        for model in considered:
            choice = model.faster_on_gpu(work, threads, choice)
    return replace(choice, gpu=gpu, otherwise=best)


def _refused(models: tuple[SourceModel[Any], ...], work: SourceWork) -> str | None:
    """Return why no GPU can do the work, if that is known at once."""
    return next(filter(None, (model.refuses_gpus(work) for model in models)), None)


def _not_on(device: str, why: str) -> RequestError:
    return RequestError(f"device={device!r}: {why}; use device='cpu' (or leave device out)")


def cost_of(purpose: str, work: SourceWork, *, device: str, threads: int, by: str | None = None) -> SourceCost:
    """Return the cost of what `choose` chooses."""
    choice = choose(purpose, work, device=device, threads=threads, by=by)
    model = next(model for model in registry.source_models(purpose) if model.name == choice.method)
    return model.cost(work, choice, threads)


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
