"""The front door for many graphs at once: thousands of small ones in one launch."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.api import solve
from apsp.errors import DtypeRangeError, GraphError, NegativeCycleError, RequestError
from apsp.graph.accept import as_graph
from apsp.graph.batch import batch_array, packed, size_array, with_dtype
from apsp.graph.model import Graph
from apsp.output import taken
from apsp.place import gpu_of, is_on_gpu, module_of, to_host
from apsp.plan.devices import parse_device
from apsp.plan.dtypes import INTEGER_DTYPES, longest_allowed
from apsp.plan.machine import threads_from
from apsp.semiring import SEMIRINGS, Semiring
from apsp.solvers.dense.batch import NO_NUMBER, OUT_OF_RANGE, SOUND, close_batch, wants_batch

__all__ = ["solve_batch"]

_DTYPES = (*INTEGER_DTYPES, "float32", "float64")
_CLASSES = (32, 64, 128, 256)
"""Graphs given one by one are packed with others of the same class of sizes; larger ones are solved alone."""

_ALONE = "alone"


def solve_batch(
    matrices: Any,
    *,
    sizes: Any = None,
    device: str = "auto",
    semiring: str = "min_plus",
    dtype: str = "auto",
    out: Any = None,
    threads: int | None = None,
) -> Any:
    """All shortest distances of many graphs at once, such as molecules: one launch for thousands of small graphs.

    Parameters
    ----------
    matrices : (b, n, n) array of arc lengths, or sequence of graphs
        NumPy, or any array with DLPack (CuPy, PyTorch, JAX), read where it lies. As in `Graph.from_dense`, infinity or
        `apsp.unreachable(dtype)` says "no arc", so that zero is an arc of length 0; the diagonal is ignored unless
        negative; booleans are adjacency matrices. Or a list of whatever `solve` takes as a graph.
    sizes : (b,) integers, optional
        Vertices of each graph; rows and columns beyond are padding, never read, and come out as "no path".
    device : 'auto', 'cpu', 'cuda' or 'cuda:1'
        'auto' computes where the matrices lie (a list of graphs: on the CPU).
    semiring : {'min_plus', 'max_min', 'min_max'}
        Shortest, widest or minimax paths.
    dtype : {'auto', 'uint16', 'int32', 'int64', 'float32', 'float64'}
        'auto' is the dtype of the matrices, or of `out`; integers become wider where n - 1 arcs as long as the longest
        are not proven to fit. Nothing ever wraps.
    out : (b, n, n) array, optional
        Where to write the distances; it must not overlap the matrices, and holds nothing of use after an error.
    threads : int, optional
        CPU threads; by default APSP_NUM_THREADS or all cores.

    Returns
    -------
    (b, n, n) array, or list of (n_g, n_g) arrays for a sequence
        Of the same package as the matrices if computed where they lie, else NumPy or CuPy. 0 on the diagonal and
        `apsp.unreachable(dtype)` where there is no path (other semirings: see `solve`).

    Raises
    ------
    GraphError, RequestError, DeviceError, MemoryLimitError
        If the input or the request makes no sense; naming graph, row and column of an entry that is no number.
    DtypeRangeError
        If the dtype is not proven to hold every distance.
    NegativeCycleError
        With the cycle; `graph` says which graph has it.

    Notes
    -----
    Up to n = 256 (1,024 for many graphs) each graph has a core, or a block of threads, to itself. Larger ones are
    solved one after the other, as by `solve`.

    Examples
    --------
    >>> import apsp, numpy
    >>> inf = numpy.inf
    >>> apsp.solve_batch(numpy.array([[[0, 1, 5], [inf, 0, 1], [1, inf, 0]]]))
    array([[[0., 1., 2.],
            [2., 0., 1.],
            [1., 2., 0.]]])
    """
    if semiring not in SEMIRINGS or semiring == "or_and":
        raise RequestError(f"unknown semiring {semiring!r} for a batch; there are: min_plus, max_min, min_max")
    if dtype not in ("auto", *_DTYPES):
        raise RequestError(f"unknown dtype {dtype!r}; there are: auto, {', '.join(_DTYPES)}")
    kind, numbers = parse_device(device)
    if len(numbers) > 1:
        raise RequestError(f"device={device!r}: a batch is solved on one GPU; split it, or name one")
    work = _Work(SEMIRINGS[semiring], dtype, threads_from(threads), None)
    if isinstance(matrices, (list, tuple)) and not _are_nested_numbers(matrices):
        if sizes is not None or out is not None:
            raise RequestError("sizes= and out= go with one (b, n, n) array, not with a sequence of graphs")
        work.gpu = _gpu(kind, numbers, None)
        return _solve_graphs([as_graph(graph) for graph in matrices], work)
    given, target = batch_array(matrices), taken(out)
    work.gpu = _gpu(kind, numbers, given)
    if target is not None:
        _check_out(target, given, work)
        work.dtype = target.dtype.name if dtype == "auto" else dtype
    result = _solve_array(given, size_array(sizes, *given.shape[:2]), work, target)
    if out is not None:
        return out
    stays = is_on_gpu(result) == is_on_gpu(given) and (work.gpu is None or gpu_of(given) == work.gpu)
    return _of_package(result, matrices) if stays else result


@dataclass
class _Work:
    """What is asked: on a GPU (number) or the CPU (None)."""

    semiring: Semiring
    dtype: str
    threads: int
    gpu: int | None

    @property
    def device(self) -> str:
        return "cpu" if self.gpu is None else f"cuda:{self.gpu}"


def _are_nested_numbers(matrices: Sequence[Any]) -> bool:
    return bool(matrices) and all(isinstance(matrix, (list, tuple)) for matrix in matrices)


def _gpu(kind: str, numbers: tuple[int, ...], given: Any) -> int | None:
    """The number of the GPU to compute on; None for the CPU."""
    if kind == "cpu" or (kind == "auto" and not is_on_gpu(given)):
        return None
    from apsp.plan.devices import chosen_gpus
    from apsp.plan.gpus import with_gpus
    from apsp.plan.machine import Machine

    if not numbers and is_on_gpu(given):
        return gpu_of(given)
    from apsp.cuda import jit

    jit.cupy()
    return chosen_gpus(numbers, with_gpus(Machine.detect()).gpus)[0]


# -- one array --------------------------------------------------------------------------------------------------------


def _solve_array(
    given: Any,
    sizes: npt.NDArray[np.int32] | None,
    work: _Work,
    target: Any = None,
    graph_of: Callable[[int], Graph] | None = None,
    numbers: Sequence[int] | None = None,
) -> Any:
    """Distances in the first dtype that is proven to hold them; numbers are what the caller calls the graphs."""
    array = _moved(given, work.gpu)
    names = _candidates(array.dtype, work)
    for name in names:
        try:
            with _on(work.gpu):
                return _solve_in(name, array, sizes, work, target, graph_of, numbers)
        except DtypeRangeError:
            if name == names[-1]:
                raise
    raise AssertionError("unreachable")


def _candidates(dtype: np.dtype[Any], work: _Work) -> list[str]:
    """The asked dtype; or that of the weights, and for integers the wider ones."""
    if work.dtype != "auto":
        return [work.dtype]
    if dtype.kind == "f":
        return ["float32" if dtype.itemsize <= 4 else "float64"]
    if dtype == np.uint16 and work.semiring.join == "add":
        return list(INTEGER_DTYPES)
    wide = dtype.itemsize == 8 or dtype == np.uint32
    return ["int64"] if wide else ["int32", "int64"]


def _solve_in(
    name: str,
    array: Any,
    sizes: npt.NDArray[np.int32] | None,
    work: _Work,
    target: Any,
    graph_of: Callable[[int], Graph] | None,
    numbers: Sequence[int] | None,
) -> Any:
    count, n = array.shape[:2]
    most = n if sizes is None else int(sizes.max(initial=0))
    largest = longest_allowed(name, work.semiring, most - 1, integers=array.dtype.kind != "f")
    if largest < 0:
        raise DtypeRangeError(f"dtype={name!r} cannot hold {work.semiring.name} distances of {array.dtype} weights")
    here = target is not None and is_on_gpu(target) == (work.gpu is not None)
    result = target if here else _empty(array.shape, name, work.gpu)
    if count and n:
        one = _One(array, sizes, result, work, graph_of, numbers or range(count))
        if wants_batch(count, n, work.threads, work.gpu):
            lengths = with_dtype(array, np.dtype(name), largest)
            status = close_batch(lengths, result, sizes, work.semiring, largest, work.threads)
            del lengths
            for index in np.flatnonzero(status != SOUND).tolist():
                _refuse(one, index, int(status[index]), name, largest)
                one.solve(index)
        else:
            for index in range(count):
                one.solve(index)
    if target is not None and not here:
        target[...] = to_host(result)
        return target
    return result


@dataclass
class _One:
    """Graphs of a batch by the ordinary solver, which knows what to do about rounding and negative cycles."""

    array: Any
    sizes: npt.NDArray[np.int32] | None
    result: Any
    work: _Work
    graph_of: Callable[[int], Graph] | None
    numbers: Sequence[int]

    def lengths(self, index: int) -> Any:
        """Of one graph, without padding."""
        size = self.array.shape[1] if self.sizes is None else self.sizes[index]
        return self.array[index, :size, :size]

    def solve(self, index: int) -> None:
        """Write one graph's distances."""
        rows, work = self.result[index], self.work
        lengths = self.lengths(index)
        size = len(lengths)
        try:
            graph = Graph.from_dense(lengths) if self.graph_of is None else self.graph_of(index)
            rows[...] = work.semiring.no_path(rows.dtype)
            rows[:size, :size] = _solve_alone(graph, rows.dtype.name, work)
        except NegativeCycleError as error:
            names = None if self.graph_of is None else graph.names
            raise NegativeCycleError(error.cycle, error.length, names, self.numbers[index]) from None
        except (GraphError, DtypeRangeError) as error:
            raise type(error)(f"graph {self.numbers[index]}: {error}") from error


def _solve_alone(graph: Graph, name: str, work: _Work) -> Any:
    return solve(
        graph, dtype=name, semiring=work.semiring.name, device=work.device, threads=work.threads
    ).distances  # fmt: skip


def _refuse(one: _One, index: int, status: int, name: str, largest: float) -> None:
    """The error of a graph whose lengths are no lengths, or too long for the dtype."""
    if status not in (NO_NUMBER, OUT_OF_RANGE):
        return
    lengths, number = to_host(one.lengths(index)), one.numbers[index]
    if status == NO_NUMBER:
        u, v = np.argwhere(np.isnan(lengths) | (lengths == -np.inf))[0].tolist()
        raise GraphError(
            f"graph {number}: entry [{u}, {v}] is {lengths[u, v]}: lengths are finite numbers, and infinity says that "
            "there is no arc"
        )
    remedy = {"uint16": "dtype='int32'", "int32": "dtype='int64'", "float32": "dtype='float64'"}.get(name)
    remedy = "scale the weights down" if remedy is None else f"ask for {remedy}, or scale the weights down"
    raise DtypeRangeError(
        f"graph {number}: dtype={name!r} is not proven to hold every distance, since paths may have "
        f"{max(len(lengths) - 1, 1)} arcs and some arc is longer than {largest:,}; {remedy}"
    )


# -- many graphs ------------------------------------------------------------------------------------------------------


def _solve_graphs(graphs: list[Graph], work: _Work) -> list[Any]:
    """One array a graph, in order."""
    results: list[Any] = [None] * len(graphs)
    groups: dict[tuple[Any, Any], list[int]] = {}
    for number, graph in enumerate(graphs):
        groups.setdefault(_group(number, graph), []).append(number)
    for key, numbers in groups.items():
        members = [graphs[number] for number in numbers]
        if key[0] == _ALONE:
            distances, sizes = [_alone(members[0], numbers[0], work)], [members[0].n]
        else:
            batch, lengths = packed(members)
            distances = _solve_array(batch, lengths, work, None, members.__getitem__, numbers)
            sizes = lengths.tolist()
        for number, matrix, size in zip(numbers, distances, sizes, strict=True):
            results[number] = matrix[:size, :size].copy()
    return results


def _group(number: int, graph: Graph) -> tuple[Any, Any]:
    """What is equal for graphs that are packed together."""
    dtype = graph.weight_dtype
    largest = max(abs(weight) for weight in graph.weight_range)
    too_long = dtype is not None and dtype.kind == "i" and largest >= np.iinfo(dtype).max  # it would say "no arc"
    if graph.has_terminals or too_long or not 0 < graph.n <= _CLASSES[-1]:
        return _ALONE, number
    return next(side for side in _CLASSES if graph.n <= side), dtype


def _alone(graph: Graph, number: int, work: _Work) -> Any:
    names = _candidates(graph.weight_dtype or np.dtype(np.int32), work)
    for name in names:
        try:
            return _solve_alone(graph, name, work)
        except NegativeCycleError as error:
            raise NegativeCycleError(error.cycle, error.length, graph.names, number) from None
        except DtypeRangeError as error:
            if name == names[-1]:
                raise DtypeRangeError(f"graph {number}: {error}") from error
    raise AssertionError("unreachable")


# -- arrays -----------------------------------------------------------------------------------------------------------


def _moved(array: Any, gpu: int | None) -> Any:
    """The array where the work is done."""
    if gpu is None:
        return to_host(array)
    if is_on_gpu(array) and gpu_of(array) == gpu:
        return array
    from apsp.cuda import jit

    with _on(gpu):
        return jit.cupy().asarray(to_host(array) if is_on_gpu(array) else array)


def _empty(shape: Iterable[int], dtype: str, gpu: int | None) -> Any:
    if gpu is None:
        return np.empty(tuple(shape), dtype=dtype)
    from apsp.cuda import jit

    return jit.cupy().empty(tuple(shape), dtype=dtype)


def _on(gpu: int | None) -> AbstractContextManager[None]:
    """Work on this GPU; its lack of memory becomes MemoryLimitError."""
    if gpu is None:
        return nullcontext()
    from apsp.cuda.backend import on_gpu

    return on_gpu(gpu)


def _check_out(target: Any, given: Any, work: _Work) -> None:
    wanted = target.dtype.name if work.dtype == "auto" else work.dtype
    if target.shape != given.shape or target.dtype.name not in _DTYPES or target.dtype != wanted:
        kinds = ", ".join(_DTYPES) if work.dtype == "auto" else wanted
        raise RequestError(f"out must have shape {given.shape} and dtype {kinds}, not {target.dtype} {target.shape}")
    if is_on_gpu(target) and gpu_of(target) != work.gpu:
        raise RequestError(
            f"out lies on GPU {gpu_of(target)}, but the distances are computed on {work.device}: "
            f"device='cuda:{gpu_of(target)}' computes there"
        )
    strides, n, itemsize = target.strides, target.shape[1], target.itemsize
    loose = strides[2] == itemsize and strides[1] >= n * itemsize and strides[0] >= n * strides[1]
    if (target.size and not loose) or (isinstance(target, np.ndarray) and not target.flags.writeable):
        raise RequestError("out must be writable and contiguous along each row, and its rows must not overlap")
    if is_on_gpu(target) == is_on_gpu(given) and module_of(target).may_share_memory(target, given):
        raise RequestError("out must not overlap the matrices: give an array of its own")


def _of_package(result: Any, like: Any) -> Any:
    """The result as an array of the caller's package, on the same memory."""
    package = type(like).__module__.partition(".")[0]
    if package == "torch":
        return sys.modules["torch"].from_dlpack(result)
    if package in ("jax", "jaxlib"):
        return sys.modules["jax"].dlpack.from_dlpack(result)
    return result
