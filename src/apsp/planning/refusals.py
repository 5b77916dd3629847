"""Errors without a plan, with remedies: no method accepts the request, or none fits in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apsp.errors import DtypeRangeError, MemoryLimitError, MethodRefusedError, format_bytes
from apsp.facts.devices import chosen_gpus
from apsp.facts.dtypes import choose_dtype
from apsp.facts.facts import Facts
from apsp.facts.remedies import MORE_MEMORY, remedies
from apsp.facts.result_bytes import Bytes, block_rows
from apsp.methods import registry
from apsp.methods.method import Method
from apsp.planning.candidates import Candidate, candidate, refusal
from apsp.planning.dtype_choice import decide_dtype
from apsp.planning.memory import bytes_of
from apsp.planning.reason import Reason
from apsp.planning.words import words_of
from apsp.system.machine import usable

__all__ = ["refuse", "refuse_size"]


def refuse(facts: Facts, rejected: list[tuple[str, Reason]]) -> None:
    """Raise MethodRefusedError with the reasons, and the methods that accept the request."""
    request = facts.request
    device = "cpu" if request.device == "auto" else request.device
    rows = registry.METHODS.values() if device == "emulated" else registry.automatic()
    accepting = [method.name for method in rows if _accepts(method, facts, device)]
    if request.method != "auto":
        raise MethodRefusedError(request.method, _short(rejected[0][1]), accepting)
    if device == "emulated" and not any("emulated" in method.devices for method in registry.automatic()):
        raise MethodRefusedError("auto", "no method is chosen automatically for an emulated GPU: name one", accepting)
    reasons = [f"{name}: {_short(why)}" for name, why in rejected]
    if facts.machine.no_gpu is not None and device != "emulated":
        reasons.append(f"no GPU: {facts.machine.no_gpu}")
    raise MethodRefusedError("auto", "; ".join(reasons), accepting)


def _short(why: Reason) -> str:
    """The words of a refusal alone, which follow "cannot be used:" in the error."""
    return str(why.values["why"]) if why.kind == "refused" else words_of(why)


def _accepts(method: Method, facts: Facts, device: str) -> bool:
    """Whether a method would accept the request if it were named, in the dtype chosen for it."""
    named = replace(facts.request, method=method.name, device=device)
    try:
        kind, _ = decide_dtype(facts.statistics, named)
    except DtypeRangeError:
        return False
    return refusal(method, facts.statistics, named, kind, device) is None


def refuse_size(facts: Facts, smallest: Candidate) -> None:
    """Raise MemoryLimitError with what would fit.

    Parameters
    ----------
    smallest : Candidate
        The candidate that needs the least memory.
    """
    if smallest.placement is None and smallest.device != "cpu":
        _refuse_on_gpus(facts.on(smallest.device), smallest)
    statistics, machine, request, dtype = facts.statistics, facts.machine, facts.request, facts.dtype
    columns = statistics.n if request.targets is None else request.targets
    paths = " with predecessors" if request.paths else ""
    block = block_rows(statistics, machine, request, dtype, facts.threads)
    what = f"{facts.rows:,} x {columns:,}" if block is None else f"a stream of blocks of {block:,} x {columns:,}"
    where = " on an emulated GPU, whose memory is a part of host memory," if smallest.device == "emulated" else ""
    raise MemoryLimitError(
        f"{what} distances in {dtype}{paths} by {smallest.method.name}{where}",
        smallest.bytes.total,
        machine.memory_available,
        _remedies(facts, smallest),
    )


def _refuse_on_gpus(facts: Facts, smallest: Candidate) -> None:
    """Raise MemoryLimitError about device memory, if the GPU or a method that needs one was named."""
    model, request = registry.costs(smallest.method), facts.request
    if request.device != "auto" or model.must_fit_gpus:
        model.refuse_place(facts, chosen_gpus(request.gpus, facts.machine.gpus))


def _remedies(facts: Facts, smallest: Candidate) -> list[str]:
    """Return what would fit: other methods are tried too, except on an emulated GPU."""
    is_emulated, limit = smallest.device == "emulated", usable(facts.machine)

    def fits(changed: Facts, _: Sequence[int] = ()) -> str | None:
        size = _size_emulated(changed, smallest) if is_emulated else _size_of(changed)
        return f" ({format_bytes(size.total)})" if size is not None and size.total <= limit else None

    found = remedies(facts, fits)
    if is_emulated:
        on_cpu = replace(facts.request, method="auto", device="cpu", gpus=(), gpu_memory=None, dtype="auto")
        size = _size_of(replace(facts, request=on_cpu))
        if size is not None and size.total <= limit:
            found.append(f"device='cpu' with method='auto' ({format_bytes(size.total)})")
    return found or [MORE_MEMORY]


def _size_of(facts: Facts) -> Bytes | None:
    """Return the bytes of the method that needs the least memory.

    A changed request may need another method than the named one.
    """
    statistics, changed, kind = facts.statistics, facts.request, _dtype_of(facts)
    if kind is None:
        return None
    device, instead = "cuda" if changed.device == "cuda" else "cpu", replace(facts, dtype=kind)
    sizes = [
        bytes_of(method, instead)
        for method in (*(registry.automatic() if changed.by_rows else ()), *registry.considered(changed.method))
        if refusal(method, statistics, changed, kind, device) is None
    ]
    return min(sizes, key=lambda size: size.total, default=None)


def _size_emulated(facts: Facts, smallest: Candidate) -> Bytes | None:
    """Return the bytes of the same method on an emulated GPU."""
    kind = _dtype_of(facts)
    if kind is None or refusal(smallest.method, facts.statistics, facts.request, kind, "emulated") is not None:
        return None
    found = candidate(smallest.method, replace(facts, dtype=kind), "emulated")
    return None if found.placement is None else found.bytes


def _dtype_of(facts: Facts) -> str | None:
    try:
        return choose_dtype(facts.statistics, facts.request)[0]
    except DtypeRangeError:
        return None
