"""All distances of many small graphs at once: molecules, proteins, local neighbourhoods.

On a GPU thousands of graphs of up to 256 vertices take one launch (apsp.cuda.batch), on the CPU each is closed in the
cache. Larger graphs are solved one after the other. Cost: b n^3 (choose, join) pairs; memory: the output.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.api import solve
from apsp.backend import Algebra, CpuBackend
from apsp.errors import DeviceError, DtypeRangeError, GraphError, NegativeCycleError, RequestError
from apsp.graph.model import Graph
from apsp.semiring import SEMIRINGS, Semiring, unreachable

__all__ = ["solve_batch"]

_DTYPES = ("uint16", "int32", "int64", "float32", "float64")
_MOST = 256  # vertices of a graph that is closed as one of many
_NOT_A_LENGTH, _OUT_OF_RANGE = 1, 2  # of apsp.cuda.batch


def solve_batch(
    matrices: Any,
    *,
    sizes: npt.ArrayLike | None = None,
    device: str = "auto",
    semiring: str = "min_plus",
    out: Any = None,
) -> Any:
    """All distances of every graph of a batch.

    Parameters
    ----------
    matrices : (b, n, n) array, or an iterable of Graph
        matrices[g, i, j] is the length of the arc from i to j of graph g; `apsp.unreachable(dtype)` (inf for floats)
        says that there is none. Zeros off the diagonal are arcs; the diagonal counts as 0 unless it is negative. NumPy,
        or an array of a GPU (CuPy, PyTorch, JAX) that is read in place. uint16, int32, int64, float32 or float64.
    sizes : (b,) integers, optional
        Vertices of each graph, where graphs of different sizes lie in the corners of padded matrices.
    device : {'auto', 'cpu', 'cuda'}
        'auto' computes where the matrices are.
    semiring : {'min_plus', 'max_min', 'min_max'}
    out : (b, n, n) array, optional
        Where to write the distances: of the dtype, the kind and in the place of `matrices`, C-contiguous; may be
        `matrices` itself. After an error its contents mean nothing.

    Returns
    -------
    (b, n, n) array of the kind and in the place of `matrices`, or a list of arrays for Graphs
        Distances; outside of a graph's own corner "no path".

    Raises
    ------
    GraphError
        Not a batch of square matrices; an entry that is no length, with its place (batch, row, column).
    DtypeRangeError
        If (n - 1) times the largest weight of a graph does not fit: ask for a wider dtype.
    NegativeCycleError
        Naming the graph of the batch; `batch_index` holds its number.
    RequestError, DeviceError

    Examples
    --------
    >>> import apsp, numpy as np
    >>> inf = np.inf
    >>> apsp.solve_batch(np.array([[[0, 1, inf], [inf, 0, 1], [1, inf, 0]]]))[0]
    array([[0., 1., 2.],
           [2., 0., 1.],
           [1., 2., 0.]])
    """
    if semiring not in SEMIRINGS or semiring == "or_and":
        raise RequestError(f"unknown semiring {semiring!r}; there are: min_plus, max_min, min_max")
    if device not in ("auto", "cpu", "cuda"):
        raise RequestError(f"unknown device {device!r}; there are: auto, cpu, cuda")
    if not hasattr(matrices, "__dlpack__") and not isinstance(matrices, np.ndarray):
        matrices = list(matrices) if isinstance(matrices, Iterable) else [matrices]
        if any(isinstance(graph, Graph) for graph in matrices):
            return _solve_graphs(matrices, device, semiring)
        matrices = np.asarray(matrices)
    on_gpu = not isinstance(matrices, np.ndarray) and int(matrices.__dlpack_device__()[0]) in (2, 13)
    use_gpu = device == "cuda" or (device == "auto" and on_gpu)
    arrays = _module(on_gpu or use_gpu)
    given = arrays.asarray(matrices) if isinstance(matrices, np.ndarray) else _imported(matrices, arrays, on_gpu)
    _check_shape(given)
    target = _target(out, matrices, given, arrays, on_gpu)
    counts = _sizes(sizes, *given.shape[:2])
    work = _on_gpu if use_gpu else _on_cpu
    if given.size:
        work(given, target, counts, SEMIRINGS[semiring])
    if out is not None:
        return out
    if isinstance(matrices, np.ndarray):
        return target if isinstance(target, np.ndarray) else target.get()
    return _exported(target, matrices)


def _solve_graphs(graphs: list[Any], device: str, semiring: str) -> list[npt.NDArray[Any]]:
    """Graphs of different sizes and dtypes, each with the dtype that its own distances need."""
    answers = []
    for number, graph in enumerate(graphs):
        if not isinstance(graph, Graph):
            raise GraphError(f"batch entry {number} is a {type(graph).__name__}, not a Graph as the others")
        try:
            where = "cpu" if device == "auto" else device
            answers.append(solve(graph, device=where, semiring=semiring, threads=1).to_numpy())
        except NegativeCycleError as error:
            raise _named(error, number) from error
    return answers


def _module(on_gpu: bool) -> Any:
    if not on_gpu:
        return np
    from apsp.cuda import jit

    return jit.cupy()


def _imported(matrices: Any, arrays: Any, on_gpu: bool) -> Any:
    try:
        return arrays.from_dlpack(matrices) if on_gpu or arrays is np else arrays.asarray(np.from_dlpack(matrices))
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise GraphError(
            f"the batch cannot be read through DLPack: {error}; detach it, or copy it to the CPU"
        ) from error


def _exported(target: Any, like: Any) -> Any:
    """The array as an array of the library that `like` is of."""
    library = type(like).__module__.split(".")[0]
    name = "jax.numpy" if library.startswith("jax") else library
    if hasattr(target, "get") and int(like.__dlpack_device__()[0]) == 1:
        target = target.get()
    return target if type(target) is type(like) else importlib.import_module(name).from_dlpack(target)


def _check_shape(given: Any) -> None:
    if given.ndim != 3 or given.shape[1] != given.shape[2]:
        raise GraphError(f"a batch of graphs is a (b, n, n) array, not one of shape {tuple(given.shape)}")
    if given.dtype.name not in _DTYPES:
        raise GraphError(f"no kernels for dtype {given.dtype}: convert to one of {', '.join(_DTYPES)} (astype)")


def _target(out: Any, matrices: Any, given: Any, arrays: Any, on_gpu: bool) -> Any:
    if out is None:
        return arrays.empty(given.shape, dtype=given.dtype)
    if type(out) is not type(matrices) or (isinstance(given, np.ndarray) is on_gpu):
        raise RequestError("out must be an array of the kind and in the place of the matrices")
    target = out if isinstance(out, np.ndarray) else arrays.from_dlpack(out)
    if not isinstance(target, type(given)):
        raise RequestError("out must lie on the device that computes: leave it out, or device='auto'")
    if target.shape != given.shape or target.dtype != given.dtype or not target.flags.c_contiguous:
        raise RequestError(f"out must be a C-contiguous {given.dtype} array of shape {tuple(given.shape)}")
    return target


def _sizes(sizes: npt.ArrayLike | None, count: int, n: int) -> npt.NDArray[np.int32] | None:
    if sizes is None:
        return None
    array = np.asarray(sizes)
    if array.shape != (count,) or array.dtype.kind not in "iu":
        raise RequestError(f"sizes must be {count} integers, one a graph")
    wrong = np.flatnonzero((array < 0) | (array > n))
    if len(wrong):
        raise RequestError(f"sizes[{wrong[0]}] is {array[wrong[0]]}: a graph has 0 to {n} of the matrices' vertices")
    return array.astype(np.int32)


# -- GPU --------------------------------------------------------------------------------------------------------------


def _on_gpu(given: Any, target: Any, sizes: npt.NDArray[np.int32] | None, semiring: Semiring) -> None:
    from apsp.cuda import batch, jit

    cupy = jit.cupy()
    if not given.flags.c_contiguous:
        given = cupy.ascontiguousarray(given)
    with given.device:
        before = given.copy() if given.data.ptr == target.data.ptr and given.dtype.kind != "u" else given
        findings = batch.close_graphs(given, target, None if sizes is None else cupy.asarray(sizes), semiring)
    if findings is None:
        return
    for number in np.flatnonzero(findings[:, 0]).tolist():
        what, row, column, _ = findings[number].tolist()
        if what == _NOT_A_LENGTH:
            raise _no_length(number, row, column)
        if what == _OUT_OF_RANGE:
            raise _out_of_range(number, given.dtype)
        size = given.shape[1] if sizes is None else int(sizes[number])
        target[number, :size, :size] = cupy.asarray(_judged(before[number, :size, :size].get(), number))


def _judged(matrix: npt.NDArray[Any], number: int) -> npt.NDArray[Any]:
    """Distances of a graph in which a cycle looks negative: it is, or rounding makes it look so."""
    matrix = matrix.copy()
    diagonal = np.einsum("ii->i", matrix)
    diagonal[diagonal >= 0] = unreachable(matrix.dtype)
    try:
        return solve(Graph.from_dense(matrix), device="cpu", dtype=matrix.dtype.name, threads=1).to_numpy()
    except NegativeCycleError as error:
        raise _named(error, number) from error


def _named(error: NegativeCycleError, number: int) -> NegativeCycleError:
    return NegativeCycleError(error.cycle, error.length, batch_index=number)


def _no_length(number: int, row: int, column: int) -> GraphError:
    return GraphError(
        f"entry [{number}, {row}, {column}] of the batch is no length: not-a-number and -inf are refused; "
        "inf says that there is no arc"
    )


def _out_of_range(number: int, dtype: np.dtype[Any]) -> DtypeRangeError:
    wider = "float64" if dtype == np.int64 else "int32" if dtype == np.uint16 else "int64"
    return DtypeRangeError(
        f"graph {number} of the batch: {dtype} cannot be proven to hold (n - 1) times its largest weight; "
        f"convert the batch to {wider}"
    )


# -- CPU --------------------------------------------------------------------------------------------------------------


def _on_cpu(given: Any, target: Any, sizes: npt.NDArray[np.int32] | None, semiring: Semiring) -> None:
    if not isinstance(given, np.ndarray):
        raise DeviceError("the batch lies on a GPU: copy it to the host, or device='auto'")
    dtype, n = given.dtype, given.shape[1]
    public, backend = unreachable(dtype), CpuBackend(1)
    for number in range(len(given)):
        size = n if sizes is None else int(sizes[number])
        matrix = given[number, :size, :size].copy()
        absent = matrix == public
        if dtype.kind == "f":
            wrong = np.argwhere(np.isnan(matrix) | (matrix == -np.inf))
            if len(wrong):
                raise _no_length(number, *wrong[0].tolist())
        page = np.where(absent, semiring.no_path(dtype), matrix).astype(dtype)
        nonnegative, slack = True, 0.0
        if semiring.join == "add":
            page, nonnegative, slack = _kernel_values(matrix, absent, number)
        diagonal = np.einsum("ii->i", page)
        best = np.maximum if semiring.choose == "max" else np.minimum
        diagonal[:] = best(diagonal, dtype.type(semiring.empty_path(dtype)))
        algebra = Algebra(semiring, nonnegative, slack)
        closed = backend.close_tile(page, algebra)
        if closed.bad_vertex >= 0 or closed.rounded:
            page = _judged(matrix, number)
        elif semiring.join == "add":
            diagonal[:] = 0
            backend.finish(page, algebra)
        target[number] = semiring.no_path(dtype)
        target[number, :size, :size] = page


def _kernel_values(
    matrix: npt.NDArray[Any], absent: npt.NDArray[np.bool_], number: int
) -> tuple[npt.NDArray[Any], bool, float]:
    """A page of (min,+), whether nothing is negative, and the slack of its cycles."""
    dtype = matrix.dtype
    weights = matrix[~absent]
    low, high = (weights.min().item(), weights.max().item()) if weights.size else (0, 0)
    largest = max(high, -low)
    nonnegative = low >= 0
    if dtype.kind == "f":
        slack = 0.0 if nonnegative else 4.0 * len(matrix) * float(np.finfo(dtype).eps) * largest
        return matrix + dtype.type(0), nonnegative, slack  # + 0: no negative zero
    most = int(np.iinfo(dtype).max)
    limit = most if dtype.kind == "u" else most // 2 if nonnegative else most // 4
    if (len(matrix) - 1) * largest >= limit:
        raise _out_of_range(number, dtype)
    return np.where(absent, most if dtype.kind == "u" else most // 2, matrix).astype(dtype), nonnegative, 0.0
