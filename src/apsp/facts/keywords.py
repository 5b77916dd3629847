"""The options of public functions, as typed keywords: `public` shows them, and `Request` carries their values."""

from __future__ import annotations

from typing import TypedDict

from apsp._types import BytesLike, DeviceLike, DTypeLike, ExecutorLike, MethodName, PathLike, StoreLike
from apsp.system.progress import Progress

__all__ = [
    "AnyKeywords",
    "DistanceKeywords",
    "FlowKeywords",
    "LocalKeywords",
    "NearKeywords",
    "PlanKeywords",
    "RunKeywords",
    "SearchKeywords",
    "SolveKeywords",
    "StreamKeywords",
    "TableKeywords",
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


class SearchKeywords(_Dtype, _Processor, _Executor, _Progress):
    """Keywords of functions that search from each source, here or in workers."""


class NearKeywords(_Dtype, _Processor, _Executor, _Store, _Progress):
    """Keywords of functions that search from each source, anywhere."""


class TableKeywords(_Processor, _Progress):
    """Keywords of functions that return a table of distances."""


class PlanKeywords(_Cutoff, _Dtype, _Paths, _Rows, _Executor):
    """Keywords of the planner."""


class DistanceKeywords(_Dtype, _Method, _Executor, _Progress):
    """Keywords of functions that keep distances within a cutoff."""


class AnyKeywords(PlanKeywords, _Store, _Progress):
    """All of them."""
