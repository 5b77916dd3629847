"""Bytes of a request by method, and changes of the request that would fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from apsp.errors import format_bytes
from apsp.facts.dtypes import narrowest_integer
from apsp.facts.facts import Facts
from apsp.facts.request import Request
from apsp.facts.result_bytes import Bytes, block_rows
from apsp.facts.statistics import GraphStatistics
from apsp.methods import registry
from apsp.methods.cost import result_bytes
from apsp.methods.registry import Method
from apsp.system.machine import Machine, usable

__all__ = [
    "bytes_of",
    "remedies",
]

_PRED_BYTES = 4


def bytes_of(method: Method, facts: Facts) -> Bytes:
    """Return the bytes of output and work space, without the graph."""
    request, n = facts.request, facts.statistics.n
    work = registry.costs(method).work_bytes(facts)
    if not method.by_rows and (request.sources is not None or request.targets is not None):
        # All n x n distances are computed first; the requested rows and columns are copied from them.
        in_file = request.pages_file is not None
        work += n * n * ((0 if in_file else np.dtype(facts.dtype).itemsize) + (_PRED_BYTES if request.paths else 0))
    return Bytes(result_bytes(facts), work)


def remedies(
    fitting: Callable[[Request], Bytes | None],
    statistics: GraphStatistics,
    machine: Machine,
    request: Request,
    dtype: str,
) -> list[str]:
    """Return the changes of the request that would fit, as text.

    Parameters
    ----------
    fitting : callable
        Returns the bytes of the method that needs the least memory for a changed request; None if no method accepts it.
    """
    limit = usable(machine)

    def fits(**changes: object) -> Bytes | None:
        found = fitting(replace(request, **changes))  # type: ignore[arg-type]
        return found if found is not None and found.total <= limit else None

    found = []
    narrow = narrowest_integer(statistics, request)
    if narrow is not None and np.dtype(narrow).itemsize < np.dtype(dtype).itemsize and (size := fits(dtype=narrow)):
        found.append(f"dtype={narrow!r}, proven to hold every distance ({format_bytes(size.total)})")
    if request.paths and (size := fits(paths=False)):
        found.append(f"paths=False ({format_bytes(size.total)})")
    if request.mode == "matrix" and (size := fits(mode="stream", out_given=False, rows=None)):
        rows = block_rows(statistics, machine, replace(request, mode="stream"), dtype, 1)
        found.append(f"apsp.stream(graph, rows={rows}), a block of rows at a time ({format_bytes(size.total)})")
    if request.mode == "matrix" and not request.out_given:
        count = _most_sources(fitting, statistics, request, limit)
        if count:
            found.append(f"at most {count:,} sources at a time (sources=range({count}))")
    if request.rows is not None and request.mode != "matrix" and (size := fits(rows=None)):
        rows = block_rows(statistics, machine, replace(request, rows=None), dtype, 1)
        found.append(f"rows={rows} ({format_bytes(size.total)})")
    return found or ["a machine with more memory"]


def _most_sources(
    fitting: Callable[[Request], Bytes | None], statistics: GraphStatistics, request: Request, limit: int
) -> int:
    """Return the largest number of sources below the requested one whose rows fit, found by bisection."""
    low, high = 0, statistics.n if request.sources is None else request.sources
    while high - low > 1:
        middle = (low + high) // 2
        size = fitting(replace(request, sources=middle))
        if size is not None and size.total <= limit:
            low = middle
        else:
            high = middle
    return low
