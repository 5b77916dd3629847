"""The reasons of a plan: method, device, dtype, bytes, seconds, and the methods that were not chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from apsp.facts.facts import Facts
from apsp.facts.request import Request
from apsp.methods import registry
from apsp.methods.cost import stays_there
from apsp.planning.candidates import Candidate, gpus_could
from apsp.planning.reason import Reason, reason
from apsp.system.machine import Machine, usable
from apsp.system.thread_limit import limit_by_default

__all__ = ["on_cpu", "on_gpus", "reasons_of", "why_lost"]


def reasons_of(
    facts: Facts, best: Candidate, compared: int | None, why_dtype: Reason, rows: int | None
) -> Iterator[Reason]:
    """Yield the reasons of a plan, in reading order.

    Parameters
    ----------
    compared : int or None
        Number of candidates that fit into memory; None if the work is too small for a comparison.
    """
    statistics, request, method = facts.statistics, facts.request, best.method
    yield reason("graph", statistics=statistics)
    if statistics.m > 0:
        yield reason("probe", statistics=statistics)
    yield reason("purpose", purpose="solve") if rows is None else reason("purpose", purpose=request.mode, rows=rows)
    if request.sources is not None or request.targets is not None:
        yield reason("requested", sources=request.sources, targets=request.targets, n=statistics.n)
    if request.cutoff is not None:
        yield reason("cutoff", cutoff=request.cutoff)
    named = request.method != "auto"
    yield reason("method", name=method.name, summary=method.summary, compared=compared, is_named=named)
    for words in registry.costs(method).words(facts):
        yield reason("about_method", words=words)
    if best.placement is None:
        most, could = method.threads_of(facts.threads), partial(gpus_could, statistics, request, facts.dtype)
        yield from on_cpu(best.threads, most, facts.machine, request, could)
        for words in registry.costs(method).words_on_cpu(facts):
            yield reason("about_method", words=words)
    else:
        yield from on_gpus(best, facts.on(best.device).machine, request, stays=stays_there(facts, best.placement))
    yield why_dtype
    emulated = best.device == "emulated"
    yield reason(
        "memory", output=best.bytes.output, work=best.bytes.work, available=facts.machine.memory_available,
        by_rows=request.by_rows, on_gpus=best.placement is not None and not emulated, emulated=emulated,
    )  # fmt: skip
    origin = best.origin or facts.constants.origin
    yield reason("expected", seconds=best.seconds, origin=origin, at_most=request.cutoff is not None)
    if facts.constants.note:
        yield reason("note", words=facts.constants.note)


def why_lost(candidate: Candidate, best: Candidate, machine: Machine) -> Reason:
    """Return why a candidate was not chosen."""
    if candidate.device != "cpu" and candidate.placement is None:
        return reason("beyond_gpu_memory")
    if candidate.bytes.total > usable(machine):
        return reason("too_large", output=candidate.bytes.output, work=candidate.bytes.work)
    times = candidate.seconds / max(best.seconds, 1e-12)  # constants may be 0
    return reason("slower", seconds=candidate.seconds, times=times)


def on_cpu(
    threads: int, most: int, machine: Machine, request: Request, gpus_could_do_it: Callable[[], bool]
) -> Iterator[Reason]:
    """Yield the reasons about the threads, and about GPUs that are not used."""
    yield reason("cpu", threads=threads, most=most, isa=machine.isa)
    limit = limit_by_default(machine.cores) if request.threads is None else None
    if limit is not None:
        yield reason("thread_limit", name=limit[0], threads=limit[1], cores=machine.cores)
    if request.pages_file is not None:
        yield reason("pages_file", path=request.pages_file)
    if request.device != "auto" or machine.gpus:
        return
    if machine.no_gpu is not None:
        yield reason("no_gpu", why=machine.no_gpu)
    elif gpus_could_do_it():
        yield reason("gpus_not_sought")


def on_gpus(best: Candidate, machine: Machine, request: Request, *, stays: bool) -> Iterator[Reason]:
    """Yield the reasons about the GPUs of a machine, which may be emulated."""
    placement, emulated = best.placement, best.device == "emulated"
    assert placement is not None
    if emulated and request.device == "auto":
        yield reason("emulated_instead")
        if machine.no_gpu is not None:
            yield reason("no_gpu", why=machine.no_gpu)
    names = None if emulated else [machine.gpus[number].name for number in placement.gpus]
    yield reason(
        "gpus", gpus=placement.gpus, names=names, where=placement.where, words=placement.words,
        pages_file=request.pages_file, stays=stays and not emulated,
    )  # fmt: skip
    free = min(machine.gpus[number].memory_free for number in placement.gpus)
    yield reason("device_memory", size=placement.bytes_on_gpu, free=free, gpus=len(placement.gpus))
