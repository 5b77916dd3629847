"""What a call requests of its run, beside the graph, its vertices and what is computed.

The keywords of public functions, typed, and the object that carries their values and has the defaults.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypedDict

from apsp._types import BytesLike, DeviceLike, DTypeLike, ExecutorLike, MethodName, PathLike, StoreLike
from apsp.facts.request import Request
from apsp.methods.problem import IntArray
from apsp.system.progress import Progress

__all__ = [
    "FlowKeywords",
    "LocalKeywords",
    "RunKeywords",
    "RunOptions",
    "SearchKeywords",
    "SolveKeywords",
    "StreamKeywords",
    "WholeKeywords",
]


class _Cutoff(TypedDict, total=False):
    cutoff: float | None


class _Dtype(TypedDict, total=False):
    dtype: DTypeLike


class _Paths(TypedDict, total=False):
    paths: bool


class _Method(TypedDict, total=False):
    method: MethodName
    device: DeviceLike
    gpu_memory: BytesLike | None
    pages_file: PathLike | None
    threads: int | None


class _Rows(_Dtype, _Method, total=False):
    rows: int | None


class _Processor(TypedDict, total=False):
    device: DeviceLike
    threads: int | None


class _Executor(TypedDict, total=False):
    executor: ExecutorLike | None


class _Store(TypedDict, total=False):
    store: StoreLike | None


class _Progress(TypedDict, total=False):
    progress: Progress


class StreamKeywords(_Cutoff, _Dtype, _Paths, _Method, _Executor, _Progress):
    """Keywords of functions that return rows of distances."""


class SolveKeywords(_Cutoff, _Dtype, _Paths, _Method, _Executor, _Store, _Progress):
    """Keywords of functions that return all distances."""


class RunKeywords(_Cutoff, _Rows, _Executor, _Store, _Progress):
    """Keywords of functions that reduce rows of distances, anywhere."""


class LocalKeywords(_Cutoff, _Rows, _Progress):
    """Keywords of functions that may need few rows, and run in this process."""


class WholeKeywords(_Rows, _Executor, _Store, _Progress):
    """Keywords of functions that reduce whole rows of distances, anywhere."""


class FlowKeywords(_Processor, _Executor, _Store, _Progress):
    """Keywords of functions that compute flows or sums along paths, anywhere."""


class SearchKeywords(_Processor, _Executor, _Progress):
    """Keywords of functions that search from each source, here or in workers."""


@dataclass(frozen=True)
class RunOptions:
    """The options of a call: made by the public function, and passed on as they are to what runs the work.

    Attributes
    ----------
    cutoff, dtype, paths, method, device, gpu_memory, pages_file, threads, rows, executor, store, progress
        As for `apsp.solve` and `apsp.stream`.
    share : float
        As of `Request`.
    """

    cutoff: float | None = None
    dtype: DTypeLike = "auto"
    paths: bool = False
    method: MethodName = "auto"
    device: DeviceLike = "auto"
    gpu_memory: BytesLike | None = None
    pages_file: PathLike | None = None
    threads: int | None = None
    rows: int | None = None
    share: float = 1.0
    executor: ExecutorLike | None = None
    store: StoreLike | None = None
    progress: Progress = False

    def request(self, sources: IntArray | None, targets: IntArray | None = None) -> Request:
        """Return the request for rows from some positions to others; None means all vertices.

        Raises
        ------
        RequestError
            If a value is invalid for any graph.
        """
        return Request(
            None if sources is None else len(sources), None if targets is None else len(targets), cutoff=self.cutoff,
            dtype=self.dtype, paths=self.paths, method=self.method, device=self.device, gpu_memory=self.gpu_memory,  # type: ignore[arg-type]
            pages_file=self.pages_file, threads=self.threads, mode="stream", rows=self.rows, share=self.share,  # type: ignore[arg-type]
        )  # fmt: skip

    def of_worker(self) -> RunOptions:
        """Return the same for a worker, which knows neither the engine nor the store nor the progress of the call."""
        return replace(self, executor=None, store=None, progress=False)
