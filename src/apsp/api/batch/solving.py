"""The public function for many graphs at once: thousands of small ones in one launch."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy.typing as npt

from apsp._types import AnyArray, ArrayLike, DeviceLike, GraphLike, HostOrGpuArray, SemiringName
from apsp.api.batch.arrays import solve_array
from apsp.api.batch.graphs import solve_graphs
from apsp.api.batch.request import DTYPES, BatchRequest, gpu_for
from apsp.errors import RequestError, warn_once
from apsp.facts.devices import parse_device
from apsp.gpu.memory import free_on_failure
from apsp.graph.accept import as_graph
from apsp.graph.arrays import check_zeros
from apsp.graph.batch import batch_array, size_array
from apsp.result.batch_paths import BatchPaths
from apsp.running.output import check_own, taken, wait_for
from apsp.running.public import public
from apsp.semiring import SEMIRINGS
from apsp.system.arguments import flag, one_of
from apsp.system.array_device import gpu_of, is_on_gpu, of_package, to_host
from apsp.system.machine import threads_from

__all__ = ["solve_batch"]


@public
def solve_batch(
    matrices: ArrayLike | Sequence[GraphLike],
    *,
    paths: bool = False,
    sizes: npt.ArrayLike | None = None,
    device: DeviceLike = "auto",
    semiring: SemiringName = "min_plus",
    dtype: str = "auto",
    out: AnyArray | None = None,
    threads: int | None = None,
) -> HostOrGpuArray | list[HostOrGpuArray] | BatchPaths:
    """Compute all shortest distances of many graphs at once, such as molecules, and their paths.

    Thousands of small graphs take one launch on a GPU.

    Parameters
    ----------
    matrices : (b, n, n) array of arc lengths, or sequence of graphs
        NumPy, or any array with DLPack (CuPy, PyTorch, JAX), which is not copied. As in `apsp.from_dense`, infinity or
        `apsp.unreachable(dtype)` means "no arc", so that zero is an arc of length 0; the diagonal is ignored unless
        negative; booleans are adjacency matrices. Or a list of graphs of any type that `solve` takes.
    paths : bool
        Also return predecessors, from which paths are read.
    sizes : (b,) integers, optional
        Vertices of each graph; rows and columns beyond are padding, which is not read, and are "no path" in the result.
    device : 'auto', 'cpu', 'cuda' or 'cuda:1'
        'auto' computes on the device that holds the matrices (a list of graphs: on the CPU).
    semiring : {'min_plus', 'max_min', 'min_max'}
        Shortest, widest or minimax paths.
    dtype : {'auto', 'uint16', 'int32', 'int64', 'float32', 'float64'}
        'auto' is the dtype of the matrices, or of `out`; integers become wider unless n - 1 arcs as long as the longest
        provably fit. Sums never wrap.
    out : (b, n, n) array, optional
        Array for the distances; it must not overlap the matrices, and its content is undefined after an error.
    {threads}

    Returns
    -------
    (b, n, n) array, or list of (n_g, n_g) arrays for a sequence; with `paths` a `BatchPaths`
        Of the same package as the matrices if computed on their device, else NumPy or CuPy. 0 on the diagonal and
        `apsp.unreachable(dtype)` where there is no path (other semirings: see `solve`). A `BatchPaths` is a named tuple
        of the distances and of the predecessors: int32 arrays of the same shapes, -1 where there is no path.

    Raises
    ------
    GraphError, RequestError, DeviceError, MemoryLimitError
        If the input or the request is invalid; the message names graph, row and column of an entry that is not a
        number.
    DtypeRangeError
        If the dtype is not proven to hold every distance.
    NegativeCycleError
        If a graph has a cycle of negative length; the error holds the cycle and the number of the graph.

    Notes
    -----
    Up to n = 256 (1,024 for many graphs) one core, or one block of threads, solves each graph. Larger ones are solved
    one after the other, as by `solve`.

    Examples
    --------
    >>> import apsp, numpy
    >>> inf = numpy.inf
    >>> apsp.solve_batch(numpy.array([[[0, 1, 5], [inf, 0, 1], [1, inf, 0]]]))
    array([[[0., 1., 2.],
            [2., 0., 1.],
            [1., 2., 0.]]])
    >>> found = apsp.solve_batch([apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9])], paths=True)
    >>> found.predecessors[0].tolist()
    [[-1, 0, 1], [-1, -1, 1], [-1, -1, -1]]
    >>> found.path(0, 0, 2)
    [0, 1, 2]
    """
    one_of(semiring, "semiring", [name for name in SEMIRINGS if name != "or_and"])
    one_of(dtype, "dtype", ("auto", *DTYPES))
    kind, numbers = parse_device(device)
    if len(numbers) > 1:
        raise RequestError(f"device={device!r}: a batch is solved on one GPU; split it, or name one GPU")
    work = BatchRequest(SEMIRINGS[semiring], dtype, threads_from(threads), None, flag(paths, "paths"))
    if isinstance(matrices, (list, tuple)) and not _are_nested_numbers(matrices):
        if sizes is not None or out is not None:
            raise RequestError("sizes= and out= go with one (b, n, n) array, not with a sequence of graphs")
        work.gpu = _gpu(kind, numbers, None)
        with warn_once():
            graphs = [as_graph(graph) for graph in matrices]
        with _guarded(work.gpu):
            lists = solve_graphs(graphs, work)
        return BatchPaths(*lists) if paths else lists[0]
    given, target = batch_array(matrices), taken(out)
    work.gpu = _gpu(kind, numbers, given)
    if target is not None:
        check_own(target, given.shape, DTYPES, work.dtype, work.gpu, {"the matrices": [given]})
        work.dtype = target.dtype.name if dtype == "auto" else dtype
    of_graphs = size_array(sizes, *given.shape[:2])
    _check_zeros(given, of_graphs)
    with _guarded(work.gpu):
        result, pred = solve_array(given, of_graphs, work, target)
        wait_for(target)
    if paths and target is not None and not is_on_gpu(target):
        pred = to_host(pred)
    stays = is_on_gpu(result) == is_on_gpu(given) and (not is_on_gpu(given) or gpu_of(given) == work.gpu)
    like = out if out is not None else matrices if stays else None
    distances = of_package(result, like) if out is None else out
    return BatchPaths(distances, of_package(pred, like)) if paths else distances


def _are_nested_numbers(matrices: Sequence[Any]) -> bool:
    return bool(matrices) and all(isinstance(matrix, (list, tuple)) for matrix in matrices)


def _check_zeros(given: Any, sizes: Any) -> None:
    """Warn once about zeros that may have been meant as "no arc"; padding is not counted."""
    if is_on_gpu(given):
        return
    with warn_once():
        for matrix in [given] if sizes is None else (g[:size, :size] for g, size in zip(given, sizes, strict=True)):
            check_zeros(matrix)


def _guarded(gpu: int | None) -> AbstractContextManager[None]:
    """Return a context that, on a GPU, raises clear errors and frees device memory after them."""
    return nullcontext() if gpu is None else free_on_failure([gpu])


def _gpu(kind: str, numbers: tuple[int, ...], given: Any) -> int | None:
    """The number of the GPU to compute on; None for the CPU."""
    if kind == "cpu" or (kind == "auto" and not is_on_gpu(given)):
        return None
    if kind == "emulated":
        raise RequestError("a batch runs on the CPU or on a real GPU; apsp.solve runs one graph on an emulated GPU")
    return gpu_for(numbers, given)
