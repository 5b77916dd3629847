"""The dtype of a request with a named method: the narrowest proven one that the method supports."""

from __future__ import annotations

from dataclasses import replace

from apsp.facts.dtypes import INTEGER_DTYPES, choose_dtype, holds
from apsp.facts.request import Request
from apsp.facts.statistics import GraphStatistics
from apsp.methods import registry

__all__ = ["decide_dtype"]


def decide_dtype(statistics: GraphStatistics, request: Request) -> tuple[str, str]:
    """Choose the dtype; for a named method without a dtype, the narrowest proven one that it supports."""
    if request.device == "auto" and request.method != "auto" and "cpu" not in registry.get(request.method).devices:
        request = replace(request, device="cuda")  # a GPU, real or emulated, will do the work
    dtype, why = choose_dtype(statistics, request)
    if request.method == "auto" or request.dtype != "auto" or dtype not in INTEGER_DTYPES:
        return dtype, why
    accepted = registry.get(request.method).dtypes
    for name in INTEGER_DTYPES[INTEGER_DTYPES.index(dtype) :]:
        if name in accepted and holds(name, statistics, request):
            return (dtype, why) if name == dtype else (name, why.replace(dtype, f"{name} (as {request.method} needs)"))
    return dtype, why
