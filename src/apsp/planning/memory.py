"""Bytes of a request by method."""

from __future__ import annotations

import numpy as np

from apsp.facts.facts import Facts
from apsp.facts.result_bytes import Bytes
from apsp.methods import registry
from apsp.methods.cost import result_bytes
from apsp.methods.registry import Method

__all__ = ["bytes_of"]

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
