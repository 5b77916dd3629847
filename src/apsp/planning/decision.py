"""What runs, decided: no graph, no clock, no files. `Decision.plan` explains it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from apsp.errors import DeviceError
from apsp.facts.constants import Constants
from apsp.facts.devices import chosen_gpus
from apsp.facts.dtypes import bound_of
from apsp.facts.facts import Facts
from apsp.facts.placement import usable_on
from apsp.facts.request import Request
from apsp.facts.result_bytes import block_rows
from apsp.facts.statistics import GraphStatistics
from apsp.methods import registry
from apsp.methods.method import Method
from apsp.planning.candidates import Candidate, all_candidates, candidate
from apsp.planning.dtype_choice import decide_dtype
from apsp.planning.explanation import reasons_of, why_lost
from apsp.planning.plan import Plan
from apsp.planning.reason import Reason
from apsp.planning.refusals import refuse, refuse_size
from apsp.planning.small import SmallChoice
from apsp.system.machine import Machine
from apsp.system.thread_limit import threads_by_default

__all__ = ["Decision", "decide", "facts_for", "without_gpus"]


@dataclass(frozen=True)
class Decision:
    """The cheapest of the methods that accept a request and fit into memory, and what it was compared with.

    Attributes
    ----------
    facts : Facts
    why_dtype : Reason
    best : Candidate
    fitting : int or None
        Number of candidates that fit into memory; None if the work is too small for a comparison.
    others : list of Candidate
    rejected : list of (str, Reason)
        Methods that do not accept the request, and why.
    """

    facts: Facts
    why_dtype: Reason
    best: Candidate
    fitting: int | None
    others: list[Candidate]
    rejected: list[tuple[str, Reason]]

    def seconds_of(self, rows: int) -> float:
        """Return the seconds that rows from so many sources take by the best method, without what is done once."""
        facts, best = self.facts, self.best

        def seconds(sources: int) -> float:
            request = replace(facts.request, sources=sources)
            return candidate(best.method, replace(facts, request=request), best.device).seconds

        return seconds(rows) - seconds(0)

    def plan(self) -> Plan:
        """Return the plan, with its reasons."""
        facts, best = self.facts, self.best
        statistics, machine, request = facts.statistics, facts.machine, facts.request
        rows = block_rows(statistics, machine, request, facts.dtype, facts.threads)
        placement = best.placement
        gpu_memory = None if placement is None else request.gpu_memory
        if best.device == "emulated" and gpu_memory is None:
            gpu_memory = usable_on(facts.on("emulated").machine.gpus[0], None)
        return Plan(
            method=best.method.name,
            device=best.device,
            dtype=np.dtype(facts.dtype),
            threads=best.threads,
            block_rows=facts.rows if rows is None else rows,
            seconds=best.seconds,
            bytes_output=best.bytes.output,
            bytes_work=best.bytes.work,
            bytes_available=machine.memory_available,
            bound=bound_of(statistics, request),
            why=tuple(reasons_of(facts, best, self.fitting, self.why_dtype, rows)),
            why_not=(*self.rejected, *((c.name, why_lost(c, best, machine)) for c in self.others)),
            gpus=() if placement is None else placement.gpus,
            gpu_memory=gpu_memory,
            pages_file=request.pages_file,
            matrix_in=_matrix_in(best, request),
            bytes_on_gpu=0 if placement is None else placement.bytes_on_gpu,
            purpose=request.mode if request.by_rows else "solve",
        )


def decide(
    statistics: GraphStatistics,
    machine: Machine,
    request: Request,
    constants: Constants,
    *,
    small: SmallChoice | None = None,
) -> Decision:
    """Decide what runs; the same inputs give the same decision. Parameters and errors are those of `make_plan`."""
    if request.device == "cuda":
        if not machine.gpus:
            why = machine.no_gpu or "this machine has no GPU"
            raise DeviceError(f"device='cuda': {why}; {without_gpus(registry.METHODS.get(request.method))}")
        chosen_gpus(request.gpus, machine.gpus)
    if request.method != "auto":
        registry.get(request.method)
    dtype, why_dtype = decide_dtype(statistics, request)
    facts = facts_for(statistics, machine, request, constants, dtype)
    candidates, rejected = (
        all_candidates(facts) if small is None else ([candidate(small.method, facts, small.device)], [])
    )
    if not candidates:
        refuse(facts, rejected)
    fitting = [each for each in candidates if each.fits(machine)]
    if not fitting:
        refuse_size(facts, min(candidates, key=lambda each: each.bytes.total))
    best = min(fitting, key=lambda each: each.seconds)
    others = [c for c in candidates if c is not best]
    return Decision(facts, why_dtype, best, len(fitting) if small is None else None, others, rejected)


def facts_for(
    statistics: GraphStatistics, machine: Machine, request: Request, constants: Constants, dtype: str
) -> Facts:
    """Return the facts of a request, with the threads that it may use."""
    return Facts(statistics, machine, request, constants, dtype, request.threads or threads_by_default(machine.cores))


def without_gpus(row: Method | None) -> str:
    """Return the remedy without a GPU, for a named method."""
    if row is not None and "cpu" not in row.devices:
        return f"{row.name} runs on GPUs only: device='emulated' runs its kernels on this CPU"
    return "use device='cpu' (or leave device out)"


def _matrix_in(best: Candidate, request: Request) -> str:
    if best.placement is not None:
        return best.placement.where
    return "host" if request.pages_file is None else "file"
