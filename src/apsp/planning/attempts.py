"""A second attempt when a GPU fails: in pages, or on the CPU; otherwise a clear error.

With device='auto' a failure of the GPU is not an error: the CPU does the work, and a note gives the reason.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from apsp.errors import ApspError, DeviceError, MemoryLimitError
from apsp.facts.emulated import CHOSEN
from apsp.facts.request import Request
from apsp.gpu.memory import free_on_failure, free_unused
from apsp.graph.model import Graph
from apsp.planning.plan import Plan
from apsp.planning.planner import plan_for
from apsp.planning.small import plan_small

__all__ = ["attempt"]

Outcome = TypeVar("Outcome")


def attempt(graph: Graph, request: Request, work: Callable[[Plan], Outcome]) -> tuple[Outcome, str | None]:
    """Plan and do the work; if a GPU fails, plan and do it in another way.

    Parameters
    ----------
    work : callable
        Does what a plan says; it may be called again after it has failed.

    Returns
    -------
    (outcome, note)
        The outcome, and a note if the first plan failed or chose an emulated GPU (else None).

    Raises
    ------
    As `plan_for` and `work`; after a failure no device memory is held.
    """
    small = plan_small(graph, request)
    if small is not None and small.device == "cpu":
        return work(small), None
    if small is not None:
        with contextlib.suppress(MemoryLimitError, DeviceError), free_on_failure(small.gpus):
            return work(small), None
        # The GPU may be full: the plan below counts the memory that is free.
    plan = plan_for(graph, request)
    if plan.device != "cuda":
        note = CHOSEN if plan.device == "emulated" and request.device == "auto" else None
        return work(plan), note
    try:
        with free_on_failure(plan.gpus):
            outcome = work(plan)
    except (MemoryLimitError, DeviceError) as error:
        other = _another_way(graph, request, plan, error)
        if other is None:
            raise
        note = f"{type(error).__name__} on the GPU; computed {_how(other)} instead: {error}"
    else:
        if request.device == "auto":
            free_unused(plan.gpus)  # without a request for a GPU, its memory must not stay allocated
        return outcome, None
    if other.device == "cpu":
        return work(other), note
    with free_on_failure(other.gpus):
        return work(other), note


def _another_way(graph: Graph, request: Request, plan: Plan, error: ApspError) -> Plan | None:
    """Return the plan in pages if memory was short, on the CPU for device='auto', or None if there is none."""
    ways = []
    if isinstance(error, MemoryLimitError) and plan.matrix_in == "device":
        ways.append(replace(request, device="cuda", gpus=plan.gpus, gpu_memory=plan.bytes_on_gpu // 2))
    if request.device == "auto":
        ways.append(replace(request, device="cpu", gpus=()))
    for way in ways:
        try:
            return plan_for(graph, way)
        except ApspError:
            continue
    return None


def _how(plan: Plan) -> str:
    if plan.device == "cpu":
        return "on the CPU"
    if plan.matrix_in == "rows":
        return "by blocks of rows"
    return "through pages in host memory" if plan.matrix_in == "host" else f"with the matrix in: {plan.matrix_in}"
