"""Distances by blocks of rows: for results that do not fit in memory."""

from __future__ import annotations

from collections.abc import Iterator

from apsp._types import BytesLike, DeviceLike, DTypeLike, ExecutorLike, GraphLike, MethodName, PathLike, VerticesLike
from apsp.running.blocks import Block
from apsp.running.options import RunOptions
from apsp.running.run import blocks_of
from apsp.system.arguments import flag
from apsp.system.lack_of_memory import memory_errors
from apsp.system.progress import Progress

__all__ = ["stream"]


@memory_errors
def stream(
    graph: GraphLike,
    *,
    rows: int | None = None,
    sources: VerticesLike | None = None,
    targets: VerticesLike | None = None,
    cutoff: float | None = None,
    dtype: DTypeLike = "auto",
    paths: bool = False,
    method: MethodName = "auto",
    device: DeviceLike = "auto",
    gpu_memory: BytesLike | None = None,
    pages_file: PathLike | None = None,
    threads: int | None = None,
    reuse: bool = False,
    executor: ExecutorLike | None = None,
    progress: Progress = False,
) -> Iterator[Block]:
    """Compute the same distances as `solve`, a block of rows at a time: for results that do not fit in memory.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, or an object that is converted to one.
    rows : int, optional
        Rows per block; by default as many as fit in an eighth of the memory, at most 256 MiB; with `reuse`, on a CPU,
        about 32 MiB.
    sources, targets : vertex or sequence of vertices, optional
        As for `apsp.solve`.
    cutoff : int or float, optional
        As for `apsp.solve`.
    dtype : {'auto', 'uint16', 'int32', 'int64', 'float32', 'float64'}
        As for `apsp.solve`.
    paths : bool
        As for `apsp.solve`.
    method, device : str
        As for `apsp.solve`.
    gpu_memory : int or str, optional
        As for `apsp.solve`.
    pages_file : path, optional
        As for `apsp.solve`.
    threads : int, optional
        As for `apsp.solve`.
    reuse : bool
        Use the same arrays for every block: faster, but blocks that are kept must be copied.
    executor : 'processes', concurrent.futures.Executor or dask.distributed.Client, optional
        Compute the blocks in the workers of this engine; they come back in the order of the sources, in host memory.
        `threads` is then the number per worker.
    progress : bool or callable
        True draws a bar; a callable is called as progress(stage, done, total).

    Returns
    -------
    iterator of Block
        The blocks, in the order of the sources.

    Raises
    ------
    GraphError, RequestError, UnknownMethodError, MethodRefusedError, DtypeRangeError, DeviceError
        At the call, not at the first block, if the input or the request is invalid.
    NegativeCycleError
        At the call, if a requested source reaches a cycle of negative length; the error holds the cycle.
    MemoryLimitError
        At the call, if a block does not fit.
    ExecutorError
        If the engine or a worker fails; with an executor, all errors of the work are raised at the first block.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> for block in apsp.stream(graph, rows=2):
    ...     print(block.sources.tolist(), block.distances.tolist())
    [0, 1] [[0, 4, 5], [3, 0, 1]]
    [2] [[2, 6, 0]]
    """
    options = RunOptions(
        cutoff=cutoff, dtype=dtype, paths=paths, method=method, device=device, gpu_memory=gpu_memory,
        pages_file=pages_file, threads=threads, rows=rows, executor=executor, progress=progress,
    )  # fmt: skip
    return blocks_of(graph, sources, targets, options, reuse=flag(reuse, "reuse"))
