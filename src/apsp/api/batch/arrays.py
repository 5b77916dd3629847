"""All distances of the graphs in one (b, n, n) array, in a dtype that is proven to hold them; and predecessors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.api.batch.request import BatchRequest, candidates, solve_alone
from apsp.errors import DtypeRangeError, GraphError, NegativeCycleError
from apsp.facts.dtypes import longest_allowed
from apsp.gpu.moving import empty, moved, on
from apsp.graph.batch import with_dtype
from apsp.graph.dense import from_dense
from apsp.graph.model import Graph
from apsp.methods.floyd_warshall.batch import NO_NUMBER, OUT_OF_RANGE, SOUND, close_batch, wants_batch
from apsp.semiring import NO_VERTEX, unreachable
from apsp.system.array_device import is_on_gpu, to_host

__all__ = ["solve_array"]


def solve_array(
    given: Any,
    sizes: npt.NDArray[np.int32] | None,
    work: BatchRequest,
    target: Any = None,
    graph_of: Callable[[int], Graph] | None = None,
    numbers: Sequence[int] | None = None,
) -> tuple[Any, Any]:
    """Compute distances in the first dtype that is proven to hold them, and predecessors if requested (else None).

    `numbers` are those of the caller's graphs.
    """
    array = moved(given, work.gpu)
    names = candidates(array.dtype, work)
    for name in names:
        try:
            with on(work.gpu):
                return _solve_in(name, array, sizes, work, target, graph_of, numbers)
        except DtypeRangeError:
            if name == names[-1]:
                raise
    raise AssertionError("unreachable")


def _solve_in(
    name: str,
    array: Any,
    sizes: npt.NDArray[np.int32] | None,
    work: BatchRequest,
    target: Any,
    graph_of: Callable[[int], Graph] | None,
    numbers: Sequence[int] | None,
) -> tuple[Any, Any]:
    count, n = array.shape[:2]
    most = n if sizes is None else int(sizes.max(initial=0))
    largest = longest_allowed(name, work.semiring, most - 1, integers=array.dtype.kind != "f")
    if largest < 0:
        raise DtypeRangeError(f"dtype={name!r} cannot hold {work.semiring.name} distances of {array.dtype} weights")
    here = target is not None and is_on_gpu(target) == (work.gpu is not None)
    result = target if here else empty(array.shape, name, work.gpu)
    pred = empty(array.shape, "int32", work.gpu) if work.paths else None
    if count and n:
        one = _One(array, sizes, result, pred, work, graph_of, numbers or range(count))
        if wants_batch(count, n, work.threads, work.gpu):
            lengths = with_dtype(array, np.dtype(name), largest, one.numbers)
            status = close_batch(lengths, result, pred, sizes, work.semiring, largest, work.threads)
            del lengths
            for index in np.flatnonzero(status != SOUND).tolist():
                _refuse(one, index, int(status[index]), name, largest)
                one.solve(index)
        else:
            for index in range(count):
                one.solve(index)
    if target is not None and not here:
        target[...] = to_host(result)
        return target, None if pred is None else to_host(pred)
    return result, pred


@dataclass
class _One:
    """Solves single graphs of a batch with the solver for one graph, which handles rounding and negative cycles."""

    array: Any
    sizes: npt.NDArray[np.int32] | None
    result: Any
    pred: Any
    work: BatchRequest
    graph_of: Callable[[int], Graph] | None
    numbers: Sequence[int]

    def lengths(self, index: int) -> Any:
        """Return the lengths of one graph, without padding."""
        size = self.array.shape[1] if self.sizes is None else self.sizes[index]
        return self.array[index, :size, :size]

    def solve(self, index: int) -> None:
        """Write one graph's distances and predecessors."""
        rows, work = self.result[index], self.work
        lengths = self.lengths(index)
        size = len(lengths)
        try:
            absent = None if lengths.dtype.kind == "b" else unreachable(lengths.dtype)  # zeros were checked already
            graph = from_dense(lengths, absent=absent) if self.graph_of is None else self.graph_of(index)
            rows[...] = work.semiring.no_path(rows.dtype)
            found = solve_alone(graph, rows.dtype.name, work)
            rows[:size, :size] = found.distances
            if self.pred is not None:
                self.pred[index] = NO_VERTEX
                self.pred[index, :size, :size] = found.predecessors
        except NegativeCycleError as error:
            raise NegativeCycleError(error.positions, error.length, graph.labels, self.numbers[index]) from None
        except (GraphError, DtypeRangeError) as error:
            raise type(error)(f"graph {self.numbers[index]}: {error}") from None


def _refuse(one: _One, index: int, status: int, name: str, largest: float) -> None:
    """Raise the error of a graph whose lengths are invalid, or too long for the dtype."""
    if status not in (NO_NUMBER, OUT_OF_RANGE):
        return
    lengths, number = to_host(one.lengths(index)), one.numbers[index]
    if status == NO_NUMBER:
        u, v = np.argwhere(np.isnan(lengths) | (lengths == -np.inf))[0].tolist()
        raise GraphError(
            f"graph {number}: entry [{u}, {v}] is {lengths[u, v]}: lengths must be finite, or infinite for no arc"
        )
    remedy = {"uint16": "dtype='int32'", "int32": "dtype='int64'", "float32": "dtype='float64'"}.get(name)
    remedy = "scale the weights down" if remedy is None else f"use {remedy}, or scale the weights down"
    raise DtypeRangeError(
        f"graph {number}: dtype={name!r} is not proven to hold every distance, since paths may have "
        f"{max(len(lengths) - 1, 1)} arcs and some arc is longer than {largest:,}; {remedy}"
    )
