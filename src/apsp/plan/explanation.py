"""Why a plan is what it is, in sentences: method, device, dtype, bytes, seconds, and what was not chosen."""

from __future__ import annotations

from collections.abc import Sequence

from apsp.plan.candidates import Asked, Candidate, gpus_could, hands_over_paths
from apsp.plan.emulated import CHOSEN
from apsp.plan.gpu_memory import placement_words
from apsp.plan.memory import usable
from apsp.plan.words import duration, graph_words, memory_words, probe_words, request_words

__all__ = ["reasons_of", "why_lost"]


def reasons_of(
    asked: Asked, best: Candidate, fitting: Sequence[Candidate], why_dtype: str, rows: int | None
) -> tuple[str, ...]:
    """The sentences of a plan, in reading order."""
    note = asked.constants.note
    return (
        graph_words(asked.statistics),
        *probe_words(asked.statistics),
        *request_words(asked.statistics, asked.request, rows),
        _why_method(best, fitting, asked),
        *_factor(best, asked),
        *_hand_over(best, asked),
        *_where(best, asked),
        why_dtype,
        _host_memory(best, asked),
        _expected(best, asked),
        *([f"Note: {note}."] if note else []),
    )


def why_lost(candidate: Candidate, best: Candidate, asked: Asked) -> str:
    """Why a candidate is not the plan."""
    if candidate.device != "cpu" and candidate.placement is None:
        return "too large for the memory of the GPU"
    if candidate.bytes.total > usable(asked.machine):
        return f"too large: it needs {memory_words(candidate.bytes)}"
    times = candidate.seconds / max(best.seconds, 1e-12)  # constants that were written by hand may be 0
    return f"slower: about {duration(candidate.seconds)}, {times:.1f} times as long"


def _why_method(best: Candidate, fitting: Sequence[Candidate], asked: Asked) -> str:
    name, summary = best.method.name, best.method.summary
    if asked.request.method != "auto":
        return f"Method: {name}, as asked ({summary})."
    if len(fitting) == 1:
        return f"Method: {name} ({summary}), the only one that accepts this request and fits into memory."
    return (
        f"Method: {name} ({summary}), the fastest of the {len(fitting)} that accept this request and fit into memory."
    )


def _factor(best: Candidate, asked: Asked) -> list[str]:
    fill = asked.statistics.fill
    if best.method.name != "elimination" or fill is None:
        return []
    share = fill.entries / max(asked.statistics.n, 1)
    return [f"Separators are small: the factor has {fill.entries:,} values ({share:.3g} a vertex)."]


def _hand_over(best: Candidate, asked: Asked) -> list[str]:
    if not hands_over_paths(best.method, asked.statistics, asked.request, asked.dtype):
        return []
    why = "Rounding in sums of negative floats blurs which arcs lie on shortest paths"
    return [f"{why}: distances and predecessors come from johnson, on the CPU."]


def _where(best: Candidate, asked: Asked) -> list[str]:
    machine, request = asked.machine, asked.request
    if best.device == "emulated":
        return _emulated(best, asked)
    if best.placement is not None:
        stays = request.device == "cuda" and best.placement.where == "device"
        return placement_words(best.placement, machine, request.pages_file, stays)
    threads, most = best.threads, best.method.threads_of(asked.threads)
    why = f" (of {most}: to start more would take longer than they save)" if threads < most else ""
    words = [f"It runs on {threads} thread{'s' if threads != 1 else ''} of the CPU with {machine.isa} kernels{why}."]
    if request.pages_file is not None and not _hand_over(best, asked):
        words.append(f"The matrix lies in the file {request.pages_file}: the same call resumes a run that was stopped.")
    if request.device != "auto" or machine.gpus:
        return words
    if machine.no_gpu is not None:
        return [*words, f"No GPU: {machine.no_gpu}."]
    if gpus_could(asked.statistics, request, asked.dtype):
        words.append("No GPU was looked for: the CPU will be done soon.")
    return words


def _emulated(best: Candidate, asked: Asked) -> list[str]:
    assert best.placement is not None
    machine, request = asked.on("emulated").machine, asked.request
    words = placement_words(best.placement, machine, request.pages_file, stays=False)
    if request.device != "auto":
        return words
    return [CHOSEN, *([] if machine.no_gpu is None else [f"No GPU: {machine.no_gpu}."]), *words]


def _host_memory(best: Candidate, asked: Asked) -> str:
    words = memory_words(best.bytes, asked.machine)
    if best.device == "emulated":
        return f"{words.removesuffix('.')}. The memory of emulated GPUs is a part of it."
    return words if best.placement is None else f"Host memory: {words.removeprefix('Memory: ')}"


def _expected(best: Candidate, asked: Asked) -> str:
    limit = "about" if asked.request.cutoff is None else "at most"
    origin = best.origin or asked.constants.origin
    return f"Expected time: {limit} {duration(best.seconds)} ({origin})."
