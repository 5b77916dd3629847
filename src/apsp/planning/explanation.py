"""The explanation of a plan: method, device, dtype, bytes, seconds, and the rejected candidates."""

from __future__ import annotations

from apsp.facts.emulated import CHOSEN
from apsp.facts.facts import Facts
from apsp.methods import registry
from apsp.methods.cost import stays_there
from apsp.planning.candidates import Candidate, gpus_could
from apsp.planning.placement_words import placement_words
from apsp.planning.words import duration, graph_words, memory_words, probe_words, request_words
from apsp.system.machine import usable
from apsp.system.thread_limit import limit_words

__all__ = ["reasons_of", "why_lost"]


def reasons_of(
    facts: Facts, best: Candidate, compared: int | None, why_dtype: str, rows: int | None
) -> tuple[str, ...]:
    """Return the sentences of a plan, in reading order.

    Parameters
    ----------
    compared : int or None
        Number of candidates that fit into memory; None if the work is too small for a comparison.
    """
    note = facts.constants.note
    return (
        graph_words(facts.statistics),
        *probe_words(facts.statistics),
        *request_words(facts.statistics, facts.request, rows),
        _why_method(best, compared, facts),
        *registry.costs(best.method).words(facts),
        *_where(best, facts),
        why_dtype,
        _host_memory(best, facts),
        _expected(best, facts),
        *([f"Note: {note}."] if note else []),
    )


def why_lost(candidate: Candidate, best: Candidate, facts: Facts) -> str:
    """Return why a candidate was not chosen."""
    if candidate.device != "cpu" and candidate.placement is None:
        return "too large for the memory of the GPU"
    if candidate.bytes.total > usable(facts.machine):
        return f"too large: it needs {memory_words(candidate.bytes)}"
    times = candidate.seconds / max(best.seconds, 1e-12)  # constants may be 0
    return f"slower: about {duration(candidate.seconds)}, {times:.1f} times as long"


def _why_method(best: Candidate, compared: int | None, facts: Facts) -> str:
    name, summary = best.method.name, best.method.summary
    if facts.request.method != "auto":
        return f"Method: {name}, as requested ({summary})."
    if compared is None:
        return f"Method: {name} ({summary}); the work is so small that comparing methods would take longer."
    if compared == 1:
        return f"Method: {name} ({summary}), the only one that accepts this request and fits into memory."
    return f"Method: {name} ({summary}), the fastest of the {compared} that accept this request and fit into memory."


def _where(best: Candidate, facts: Facts) -> list[str]:
    machine, request = facts.machine, facts.request
    if best.device == "emulated":
        return _emulated(best, facts)
    if best.placement is not None:
        return placement_words(best.placement, machine, request.pages_file, stays_there(facts, best.placement))
    threads, most = best.threads, best.method.threads_of(facts.threads)
    why = f" (of {most}: more would not be faster)" if threads < most else ""
    words = [f"It runs on {threads} thread{'s' if threads != 1 else ''} of the CPU with {machine.isa} kernels{why}."]
    limited = limit_words(machine.cores) if request.threads is None else None
    if limited is not None:
        words.append(limited)
    if request.pages_file is not None:
        words.append(f"The matrix lies in the file {request.pages_file}: the same call resumes a run that was stopped.")
    if request.device != "auto" or machine.gpus:
        return words
    if machine.no_gpu is not None:
        return [*words, f"No GPU: {machine.no_gpu}."]
    if gpus_could(facts.statistics, request, facts.dtype):
        words.append("GPU detection skipped: the CPU run is short.")
    return words


def _emulated(best: Candidate, facts: Facts) -> list[str]:
    assert best.placement is not None
    machine, request = facts.on("emulated").machine, facts.request
    words = placement_words(best.placement, machine, request.pages_file, stays=False)
    if request.device != "auto":
        return words
    return [CHOSEN, *([] if machine.no_gpu is None else [f"No GPU: {machine.no_gpu}."]), *words]


def _host_memory(best: Candidate, facts: Facts) -> str:
    words = memory_words(best.bytes, facts.machine)
    if facts.request.by_rows:
        words = words.replace("for the result", "for two blocks of rows")
    if best.device == "emulated":
        return f"{words.removesuffix('.')}. The memory of emulated GPUs is a part of it."
    return words if best.placement is None else f"Host memory: {words.removeprefix('Memory: ')}"


def _expected(best: Candidate, facts: Facts) -> str:
    limit = "about" if facts.request.cutoff is None else "at most"
    origin = best.origin or facts.constants.origin
    return f"Expected time: {limit} {duration(best.seconds)} ({origin})."
