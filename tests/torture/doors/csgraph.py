"""`apsp.csgraph`: SciPy's signatures, computed by this package, against exact distances."""

from __future__ import annotations

import random
from contextlib import ExitStack
from typing import Any
from unittest import mock

import numpy as np
import scipy.sparse

from apsp import csgraph
from apsp.compat.csgraph import handing_on, searches
from torture.judging import Judging
from torture.promise import WrongError, as_float

__all__ = ["scipys"]

_NONE = -9999


def scipys(judging: Judging, call: dict[str, Any]) -> None:
    truth, case, rng = judging.truth, judging.case, random.Random(call["seed"])
    n = case.n
    if truth.closed or n == 0 or n > 80 or any(w == 0 for w in truth.arcs.values()):
        return
    if truth.largest * n >= 2**53 or (truth.has_negative_arc and not case.integer):
        return
    if any(tail == head for tail, head in truth.arcs):
        return
    ends = list(truth.merged)
    values = np.array([truth.merged[arc] for arc in ends], dtype=case.dtype or "int32")
    matrix = scipy.sparse.csr_array((values, ([u for u, _ in ends], [v for _, v in ends])), shape=(n, n))
    name = rng.choice(("shortest_path", "dijkstra", "johnson", "bellman_ford", "floyd_warshall"))
    if name == "dijkstra" and truth.has_negative_arc:
        name = "johnson"
    some = None if name == "floyd_warshall" or rng.random() < 0.4 else [rng.randrange(n) for _ in range(3)]
    options: dict[str, Any] = {"return_predecessors": True} | ({} if some is None else {"indices": some})
    limit = None
    if name == "dijkstra" and rng.random() < 0.4:
        limit = options["limit"] = 2 * truth.largest + 0.5 * (not case.integer)
    given = matrix.toarray() if case.integer and rng.random() < 0.3 else matrix
    try:
        with ExitStack() as stack:
            for module in (handing_on, searches):
                stack.enter_context(mock.patch.object(module, "scipy_is_faster", return_value=False))
            distances, before = getattr(csgraph, name)(given, **options)
    except csgraph.NegativeCycleError:
        if truth.cycles(None if name == "johnson" else some) == "none":  # as SciPy's, which looks at all vertices
            raise WrongError(f"csgraph.{name}: no source reaches a negative cycle") from None
        return
    if truth.cycles(some) == "negative":
        raise WrongError(f"csgraph.{name} finds distances, and a source reaches a negative cycle")
    if truth.cycles(some) != "none":
        return
    room = 0.0 if case.integer else (1e-4 if case.dtype == "float32" else 1e-9)
    for row, pred, source in zip(distances.tolist(), before.tolist(), range(n) if some is None else some, strict=True):
        exact = [None if d is None else as_float(d, truth.shift) for d in truth.exact.row(source)]
        for v, d in enumerate(exact):
            if limit is not None and d is not None and abs(d - limit) <= room * limit and room:
                continue
            wanted = np.inf if d is None or (limit is not None and d > limit) else d
            if row[v] != wanted and not abs(row[v] - wanted) <= room * abs(wanted):
                raise WrongError(f"csgraph.{name}: distance({source}, {v}) is {row[v]}, not {wanted}")
            if (pred[v] == _NONE) != (v == source or wanted == np.inf):
                raise WrongError(f"csgraph.{name}: from {source}, the predecessor of {v} is {pred[v]}")
            if pred[v] != _NONE:
                weight, near = truth.arcs.get((pred[v], v)), exact[pred[v]]
                if weight is None or near is None:
                    raise WrongError(f"csgraph.{name}: from {source}, the predecessor of {v} is {pred[v]}")
                along = near + as_float(weight, truth.shift)
                if abs(along - wanted) > max(room, 2e-16) * abs(wanted) * 4:
                    raise WrongError(f"csgraph.{name}: from {source} to {v} by {pred[v]}: {along}, not {wanted}")
    judging.count("csgraph", f"csgraph.{name}")
