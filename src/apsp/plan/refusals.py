"""Why there is no plan, and what could be done instead: no method accepts the request, or none fits into memory."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from apsp.errors import DtypeRangeError, MemoryLimitError, MethodRefusedError, format_bytes
from apsp.plan.candidates import Asked, Candidate, candidate, refusal
from apsp.plan.devices import chosen_gpus
from apsp.plan.dtypes import choose_dtype, decide_dtype
from apsp.plan.gpu_memory import refuse_placement
from apsp.plan.gpu_rows import refuse_rows
from apsp.plan.memory import Bytes, block_rows, bytes_of, remedies, usable
from apsp.plan.published_memory import refuse_published
from apsp.plan.request import Request
from apsp.solvers import registry
from apsp.solvers.method import Method

__all__ = ["refuse", "refuse_size"]

_MORE_MEMORY = "a machine with more memory"


def refuse(asked: Asked, rejected: list[tuple[str, str]]) -> None:
    """Raise MethodRefusedError with the reasons, and the methods that accept the request."""
    request = asked.request
    device = "cpu" if request.device == "auto" else request.device
    accepting = [
        method.name
        for method in registry.METHODS.values()
        if (method.automatic or device == "emulated") and _accepts(method, asked, device)
    ]
    if request.method != "auto":
        raise MethodRefusedError(request.method, rejected[0][1].removeprefix("refused: "), accepting)
    picked = (method for method in registry.METHODS.values() if method.automatic)
    if device == "emulated" and not any("emulated" in method.devices for method in picked):
        raise MethodRefusedError("auto", "none is chosen automatically on an emulated GPU: name one", accepting)
    reason = "; ".join(f"{name}: {why.removeprefix('refused: ')}" for name, why in rejected)
    if asked.machine.no_gpu is not None and device != "emulated":
        reason += f"; no GPU: {asked.machine.no_gpu}"
    raise MethodRefusedError("auto", reason, accepting)


def _accepts(method: Method, asked: Asked, device: str) -> bool:
    """Whether a method accepts the request where it is named, in the dtype that it then gets."""
    named = replace(asked.request, method=method.name, device=device)
    try:
        kind, _ = decide_dtype(asked.statistics, named)
    except DtypeRangeError:
        return False
    return refusal(method, asked.statistics, named, kind, device) is None


def refuse_size(asked: Asked, smallest: Candidate) -> None:
    """Raise MemoryLimitError with what would fit.

    Parameters
    ----------
    smallest : Candidate
        The one that needs least memory.
    """
    if smallest.placement is None and smallest.device != "cpu":
        _refuse_on_gpus(asked.on(smallest.device), smallest)
    statistics, machine, request, dtype = asked.statistics, asked.machine, asked.request, asked.dtype
    columns = statistics.n if request.targets is None else request.targets
    paths = " with predecessors" if request.paths else ""
    block = block_rows(statistics, machine, request, dtype, asked.threads)
    what = f"{asked.rows:,} x {columns:,}" if block is None else f"a stream of blocks of {block:,} x {columns:,}"
    where = " on an emulated GPU, whose memory is a part of host memory," if smallest.device == "emulated" else ""
    raise MemoryLimitError(
        f"{what} distances in {dtype}{paths} by {smallest.method.name}{where}",
        smallest.bytes.total,
        machine.memory_available,
        _remedies(asked, smallest),
    )


def _refuse_on_gpus(asked: Asked, smallest: Candidate) -> None:
    """Raise MemoryLimitError about device memory, where the GPU or the method was named."""
    family, request = smallest.method.family, asked.request
    if request.device == "auto" and family != "published":
        return
    by_name = {"published": refuse_published, "sparse": refuse_rows}.get(family)
    raise_it = refuse_placement if by_name is None else partial(by_name, smallest.method.name)
    raise_it(asked.statistics, asked.machine, request, asked.dtype, chosen_gpus(request.gpus, asked.machine.gpus))


def _remedies(asked: Asked, smallest: Candidate) -> list[str]:
    statistics, machine, request, dtype = asked.statistics, asked.machine, asked.request, asked.dtype
    if smallest.device != "emulated":
        return remedies(partial(_size_of, asked), statistics, machine, request, dtype)
    found = remedies(partial(_size_emulated, asked, smallest), statistics, machine, request, dtype)
    size = _size_of(asked, replace(request, method="auto", device="cpu", gpus=(), gpu_memory=None, dtype="auto"))
    if size is None or size.total > usable(machine):
        return found
    instead = f"device='cpu' with method='auto' ({format_bytes(size.total)})"
    return [*(remedy for remedy in found if remedy != _MORE_MEMORY), instead]


def _size_of(asked: Asked, changed: Request) -> Bytes | None:
    """Of the method that needs least memory; a changed way to ask may need another method than the named one."""
    statistics, kind = asked.statistics, _dtype_of(asked, changed)
    if kind is None:
        return None
    device = "cuda" if changed.device == "cuda" else "cpu"
    sizes = [
        bytes_of(method, statistics, asked.machine, changed, kind, asked.threads)
        for method in registry.METHODS.values()
        if (method.automatic or method.name == changed.method)
        and (changed.method in ("auto", method.name) or changed.by_rows)
        and refusal(method, statistics, changed, kind, device) is None
    ]
    return min(sizes, key=lambda size: size.total, default=None)


def _size_emulated(asked: Asked, smallest: Candidate, changed: Request) -> Bytes | None:
    """Of the same method on an emulated GPU."""
    kind = _dtype_of(asked, changed)
    if kind is None or refusal(smallest.method, asked.statistics, changed, kind, "emulated") is not None:
        return None
    found = candidate(smallest.method, replace(asked, request=changed, dtype=kind), "emulated")
    return None if found.placement is None else found.bytes


def _dtype_of(asked: Asked, changed: Request) -> str | None:
    try:
        return choose_dtype(asked.statistics, changed)[0]
    except DtypeRangeError:
        return None
