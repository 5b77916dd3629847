"""What is written about a store of distances, or of what is computed from rows of distances."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from apsp._types import JsonObject
from apsp.facts.request import Request
from apsp.methods import registry
from apsp.planning.plan import Plan
from apsp.store.header import Arrays, StoreHeader, StoreInput, row_bytes
from apsp.store.layout import BAND_BYTES

__all__ = ["comparable_request", "facts_of_rows", "rows_of_band"]

_SECONDS = 30.0
"""Planned time of a band of a measure: what an interruption costs."""

_LEAST_ROWS = 512
_BANDS_PER_WORKER = 8


def rows_of_band(count: int, plan: Plan, workers: int, arrays: Arrays) -> int:
    """Return the rows of a band of what a measure keeps of rows.

    Parameters
    ----------
    count : int
        All rows.
    workers : int
        How many compute bands at the same time.
    arrays : dict
        What is kept, as `StoreHeader.extra`.
    """
    height = math.ceil(count * _SECONDS / plan.seconds) if plan.seconds > 0 else count
    most = max(BAND_BYTES // max(row_bytes(arrays), 1), 1)
    height, least = min(height, most), min(_LEAST_ROWS, most)
    if workers > 1:  # each computes several bands
        share = max(math.ceil(count / (_BANDS_PER_WORKER * workers)), 1)
        height, least = min(height, share), min(least, share)
    height = max(min(height, count), 1)
    return height - height % least if height > least else min(least, max(count, 1))


def facts_of_rows(
    problem: StoreInput,
    request: Request,
    plan: Plan,
    band_rows: int,
    kind: str,
    *,
    reciprocals: bool = False,
    measure: JsonObject | None = None,
    extra: Arrays | None = None,
) -> StoreHeader:
    """Return the header of a new store; parameters as the attributes of `StoreHeader`."""
    from apsp import __version__

    n = problem.graph.n
    has_floats = plan.dtype.kind == "f" or any(np.dtype(kind).kind == "f" for kind, *_ in (extra or {}).values())
    rows, columns = (n if chosen is None else len(chosen) for chosen in (problem.sources, problem.targets))
    return StoreHeader(
        kind=kind, shape=(rows, columns), band_rows=band_rows, dtype=plan.dtype.name, paths=request.paths,
        reciprocals=reciprocals, cutoff=request.cutoff, method=plan.method, device=plan.device,
        threads=plan.threads, pinned=request.paths or reciprocals or has_floats,
        directed=problem.graph.directed, semiring=request.semiring.name, apsp=__version__, plan=plan.to_dict(),
        measure=measure or {}, extra=extra or {},
    )  # fmt: skip


def comparable_request(
    request: Request, kind: str, *, reciprocals: bool = False, measure: JsonObject | None = None
) -> dict[str, Any]:
    """Return the request, for `refuse_other`; the threads are those that the method uses."""
    threads = request.threads
    if threads is not None and request.method != "auto":
        threads = registry.get(request.method).threads_of(threads)
    return vars(request) | {
        "kind": kind, "reciprocals": reciprocals, "measure": measure or {}, "threads": threads,
    }  # fmt: skip
