"""The dtype of a request with a named method: the narrowest proven one that the method supports."""

from __future__ import annotations

from dataclasses import replace

from apsp.facts.dtypes import INTEGER_DTYPES, choose_dtype, holds
from apsp.facts.request import Request
from apsp.facts.statistics import GraphStatistics
from apsp.methods import registry
from apsp.planning.reason import Reason, reason

__all__ = ["decide_dtype"]


def decide_dtype(statistics: GraphStatistics, request: Request) -> tuple[str, Reason]:
    """Choose the dtype; for a named method without a dtype, the narrowest proven one that it supports."""
    if request.device == "auto" and request.method != "auto" and "cpu" not in registry.get(request.method).devices:
        request = replace(request, device="cuda")  # a GPU, real or emulated, will do the work
    dtype, why = choose_dtype(statistics, request)
    needed_by = None
    if request.method != "auto" and request.dtype == "auto" and dtype in INTEGER_DTYPES:
        accepted = registry.get(request.method).dtypes
        for name in INTEGER_DTYPES[INTEGER_DTYPES.index(dtype) :]:
            if name in accepted and holds(name, statistics, request):
                needed_by = None if name == dtype else request.method
                dtype = name
                break
    return dtype, reason("dtype", dtype=dtype, why=why, needed_by=needed_by)
