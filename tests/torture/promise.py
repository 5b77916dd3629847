"""What distances and paths must be: integers exact, floats within rounding of the sum of their path."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from apsp.semiring import SEMIRINGS, unreachable
from apsp.system.array_device import to_host
from torture.truth import ROUNDINGS, Truth

__all__ = ["WrongError", "as_float", "check_length", "check_loosely", "check_paths", "check_rows", "path_length"]


class WrongError(AssertionError):
    """An answer is wrong."""


def check_rows(
    truth: Truth,
    sources: Sequence[int],
    targets: Sequence[int] | None,
    found: Any,
    *,
    cutoff: float | None = None,
    semiring: str = "min_plus",
) -> None:
    """Check rows of distances: shape, every value, "no path" included."""
    found = to_host(found)
    width = truth.n if targets is None else len(targets)
    if found.shape != (len(sources), width):
        raise WrongError(f"the distances have shape {found.shape}, not {(len(sources), width)}")
    check = _check_exact if truth.case.integer or semiring != "min_plus" else _check_rounded
    for position, source in enumerate(sources):
        check(truth, source, targets, found[position], cutoff, semiring)


def _check_exact(
    truth: Truth, source: int, targets: Sequence[int] | None, found: np.ndarray, cutoff: float | None, semiring: str
) -> None:
    expected = truth.expected(source, found.dtype, semiring)
    if cutoff is not None:
        none = SEMIRINGS[semiring].no_path(found.dtype)
        cutoff = _rounded(cutoff, found.dtype)
        expected = [none if value > cutoff else value for value in expected]
    if targets is not None:
        expected = [expected[target] for target in targets]
    values = found.tolist()
    if values != expected:
        place = next(k for k in range(len(values)) if values[k] != expected[k])
        target = place if targets is None else targets[place]
        raise WrongError(f"distance({source}, {target}) is {values[place]}, not {expected[place]}")


def _rounded(cutoff: float, dtype: np.dtype) -> float:
    """A cutoff as distances of the dtype are compared with it."""
    with np.errstate(over="ignore"):
        return cutoff if dtype.kind != "f" else float(dtype.type(cutoff))


def _check_rounded(
    truth: Truth, source: int, targets: Sequence[int] | None, found: np.ndarray, cutoff: float | None, semiring: str
) -> None:
    """Within rounding of the exact distance: no shorter, unless of a path whose absolute weights are larger."""
    lengths, sizes = truth.exact.row(source), functools.partial(truth.exact.sizes, source)
    columns = range(truth.n) if targets is None else targets
    near = np.array([math.inf if lengths[v] is None else as_float(lengths[v], truth.shift) for v in columns])
    eps = truth.eps(found.dtype.name)[1]
    values = found.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        good = (np.abs(values - near) <= eps * np.abs(near)) | (values == near)
        if cutoff is not None:
            good &= near <= cutoff
    for place in np.flatnonzero(~good).tolist():
        target, value = columns[place], values[place].item()
        length = lengths[target]
        if cutoff is not None and value == math.inf:
            room = 0 if length is None else tolerance(truth, sizes()[target], truth.n, found.dtype.name)
            if length is None or as_float(length + room, truth.shift) >= cutoff:
                continue
        if cutoff is not None and math.isfinite(value) and value > _rounded(cutoff, found.dtype) * (1 + eps):
            raise WrongError(f"distance({source}, {target}) is {value!r}, beyond the cutoff {cutoff!r}")
        if length is None or not math.isfinite(value):
            raise WrongError(f"distance({source}, {target}) is {value!r}, not {near[place].item()!r}")
        size = sizes()[target]
        if truth.has_negative_arc and value < near[place]:
            size = truth.exact.total  # a path whose weights are larger may be shorter by its rounding: see check_paths
        if not within(truth, value, length, size, truth.n, found.dtype.name):
            raise WrongError(f"distance({source}, {target}) is {value!r}, not {near[place].item()!r}")


def as_float(value: int, shift: int) -> float:
    """The nearest float of value / 2^shift; infinite beyond all floats."""
    try:
        return value / (1 << shift)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def tolerance(truth: Truth, size: int | None, arcs: int, dtype: str) -> int:
    """How far a sum of so many arcs may be off, in units of 2^-shift, rounded up."""
    bits, _ = truth.eps(dtype)
    return ((size or 0) * ROUNDINGS * (arcs + 1) >> bits) + 1


def within(
    truth: Truth, value: float, length: int, size: int | None, arcs: int, dtype: str, roundings: int = ROUNDINGS
) -> bool:
    """Whether a float is within rounding of an exact length, relative to a sum of absolute weights."""
    above, below = value.as_integer_ratio()
    bits, _ = truth.eps(dtype)
    off = abs((above << truth.shift) - length * below) << bits
    room = (size or 0) * below * roundings * (arcs + 1)
    if off <= room:
        return True
    if dtype == "float32" and truth.case.dtype == "float64":  # weights below the normal numbers of float32 round, too
        return off <= room + (((arcs + 1) * below << (truth.shift + bits)) >> 149)
    return False


def check_loosely(truth: Truth, sources: Sequence[int], targets: Sequence[int] | None, found: Any) -> None:
    """Check rows of a graph with cycles that are negative by rounding: no distance is too long."""
    columns = range(truth.n) if targets is None else targets
    exact = truth.with_longer
    for source, row in zip(sources, to_host(found).tolist(), strict=True):
        lengths, sizes = exact.row(source), exact.sizes(source)
        for target, value in zip(columns, row, strict=True):
            length, size = lengths[target], sizes[target]
            if (length is None) != (value == math.inf):
                raise WrongError(f"distance({source}, {target}) is {value!r}, and a path is there, or is not")
            if length is None:
                continue
            assert size is not None
            above, below = value.as_integer_ratio()
            room = (size * ROUNDINGS * (truth.n + 1) >> truth.eps("float64")[0]) + 1
            if above << exact.shift > (length + room) * below:
                near = as_float(length, exact.shift)
                raise WrongError(f"distance({source}, {target}) is {value!r}, longer than {near!r}")


# -- paths ------------------------------------------------------------------------------------------------------------


def path_length(truth: Truth, path: Sequence[int]) -> tuple[int, int]:
    """The exact length of a path and the sum of its absolute weights; WrongError if it is no path."""
    if any(not 0 <= vertex < truth.n for vertex in path):
        raise WrongError(f"the path {path} leaves the graph")
    if any(vertex in truth.closed for vertex in path[1:-1]):
        raise WrongError(f"the path {path} passes through a zone")
    length = size = 0
    for pair in itertools.pairwise(path):
        weight = truth.arcs.get(pair)
        if weight is None:
            raise WrongError(f"the path {path} takes an arc {pair} that does not exist")
        length += weight
        size += abs(weight)
    return length, size


def check_length(truth: Truth, path: Sequence[int], source: int, target: int, value: float, dtype: str) -> None:
    """Check that a path goes where it should and has its distance."""
    if not path or path[0] != source or path[-1] != target:
        raise WrongError(f"the path from {source} to {target} is {path}")
    if len(set(path)) != len(path):
        raise WrongError(f"the path from {source} to {target} passes a vertex twice: {path}")
    length, size = path_length(truth, path)
    good = value == length if truth.case.integer else within(truth, float(value), length, size, len(path), dtype)
    if not good:
        raise WrongError(
            f"the path {path} has length {as_float(length, truth.shift)!r}, and its distance is said to be {value!r}"
        )


def check_paths(
    truth: Truth,
    sources: Sequence[int],
    targets: Sequence[int] | None,
    distances: Any,
    pred: Any,
    *,
    cutoff: float | None = None,
    roundings: int = ROUNDINGS,
) -> None:
    """Check rows of predecessors: every chain ends at its source, takes arcs that exist, and has its distance."""
    distances, pred = to_host(distances), to_host(pred)
    if pred.shape != (len(sources), truth.n):
        raise WrongError(f"the predecessors have shape {pred.shape}, not {(len(sources), truth.n)}")
    none, name, is_integer = unreachable(distances.dtype), distances.dtype.name, truth.case.integer
    columns = range(truth.n) if targets is None else targets
    for source, dist_row, pred_row in zip(sources, distances.tolist(), pred.tolist(), strict=True):
        if pred_row[source] != -1:
            raise WrongError(f"the source {source} has a predecessor: {pred_row[source]}")
        of = _lengths_along(truth, source, pred_row)
        for target, value in zip(columns, dist_row, strict=True):
            if target == source:
                continue
            if (value == none) != (pred_row[target] == -1) and not (value == none and cutoff is not None):
                raise WrongError(f"distance({source}, {target}) is {value!r}, its predecessor {pred_row[target]}")
            if value == none:
                continue
            length, size, arcs = of[target]
            if not (value == length if is_integer else _close(truth, value, length, size, arcs, name, roundings)):
                words = as_float(length, truth.shift)
                raise WrongError(f"distance({source}, {target}) is {value!r}, and its path adds up to {words!r}")


def _close(truth: Truth, value: float, length: int, size: int, arcs: int, dtype: str, roundings: int) -> bool:
    exact = as_float(length, truth.shift)
    eps = truth.eps(dtype)[1]
    return abs(value - exact) <= eps * abs(exact) or within(truth, value, length, size, arcs, dtype, roundings)


def _lengths_along(truth: Truth, source: int, pred: Sequence[int]) -> dict[int, tuple[int, int, int]]:
    """(length, absolute length, arcs) of the path to each vertex that has one."""
    known = {source: (0, 0, 0)}
    for target in range(truth.n):
        chain = []
        vertex = target
        while vertex not in known and pred[vertex] != -1:
            chain.append(vertex)
            if len(chain) > truth.n:
                raise WrongError(f"the predecessors of {target} from {source} form a cycle")
            vertex = pred[vertex]
            if not 0 <= vertex < truth.n:
                raise WrongError(f"from {source}, a predecessor of {target} is {vertex}")
        if vertex not in known:
            if chain:
                raise WrongError(f"the predecessors of {target} end at {vertex}, not at {source}")
            continue
        for head in reversed(chain):
            tail = pred[head]
            weight = truth.arcs.get((tail, head))
            if weight is None:
                raise WrongError(f"from {source}, the predecessor of {head} is {tail}, and there is no such arc")
            if tail in truth.closed and tail != source:
                raise WrongError(f"from {source}, the path to {head} passes through the zone {tail}")
            length, size, arcs = known[tail]
            known[head] = (length + weight, size + abs(weight), arcs + 1)
    return known
