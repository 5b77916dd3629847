"""`apsp.solve_batch`: several graphs at once, as one padded array or as a sequence, with paths or without."""

from __future__ import annotations

from typing import Any

import numpy as np

import apsp
from apsp.system.array_device import to_host
from torture.judging import Judging
from torture.promise import WrongError, check_paths, check_rows

__all__ = ["batch"]


def batch(judging: Judging, call: dict[str, Any]) -> None:
    case, semiring = judging.case, call.get("semiring", "min_plus")
    options = {name: call[name] for name in ("dtype", "semiring", "threads", "device", "paths") if name in call}
    count = call.get("count", 2)
    holds_none = case.dtype is not None and apsp.unreachable(case.dtype) in judging.truth.merged.values()
    if call.get("padding") is None or case.zones or holds_none:
        found = _pair(apsp.solve_batch([judging.fresh_graph() for _ in range(count)], **options))
    else:
        found = _padded(judging, count, call["padding"], options)
    if len(found[0]) != count:
        raise WrongError(f"{count} graphs went in, {len(found[0])} came out")
    for distances, pred in zip(*found, strict=True):
        distances = to_host(distances)
        if not judging.judgeable(call, distances.dtype.name):
            return
        check_rows(judging.truth, range(case.n), None, distances, semiring=semiring)
        judging.count(f"dtype {distances.dtype}")
        if pred is not None and semiring == "min_plus":
            check_paths(judging.truth, range(case.n), None, distances, pred)
            judging.count("paths")


def _pair(found: Any) -> tuple[Any, Any]:
    """Distances, and predecessors or as many None."""
    return found if isinstance(found, apsp.BatchPaths) else (found, [None] * len(found))


def _padded(judging: Judging, count: int, padding: int, options: dict[str, Any]) -> tuple[Any, Any]:
    case = judging.case
    judging.instead = Judging(case.changed(labels=None))  # a matrix has none
    dtype = np.dtype(case.dtype or "int32")
    none = apsp.unreachable(dtype)
    side = case.n + padding
    matrices = np.full((count, side, side), none, dtype=dtype)
    for (tail, head), weight in judging.truth.merged.items():
        if tail != head or weight < 0:
            matrices[:, tail, head] = weight
    sizes = np.full(count, case.n) if padding else None
    distances, pred = _pair(apsp.solve_batch(matrices, sizes=sizes, **options))
    found = to_host(distances)
    if found.shape != (count, side, side):
        raise WrongError(f"the batch has shape {found.shape}, not {(count, side, side)}")
    if "semiring" not in options and padding:
        beside = found == apsp.unreachable(found.dtype)
        if not (beside[:, case.n :].all() and beside[:, :, case.n :].all()):
            raise WrongError("the padding holds distances")
    if options.get("paths") and padding:
        beside = to_host(pred) == -1
        if not (beside[:, case.n :].all() and beside[:, :, case.n :].all()):
            raise WrongError("the padding holds predecessors")
    inside = [[None if matrix is None else matrix[: case.n, : case.n] for matrix in of] for of in (found, pred)]
    return inside[0], inside[1]
