"""A request as plain data: the options of a call, and counts instead of vertices, so that a plan needs no graph."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Unpack

import numpy as np

from apsp._types import ExecutorLike, StoreLike
from apsp.errors import RequestError, shown
from apsp.facts.devices import parse_bytes, parse_device
from apsp.facts.keywords import AnyKeywords
from apsp.semiring import ALL_DTYPES, MIN_PLUS, Semiring
from apsp.system.arguments import flag, longest_distance, whole_number
from apsp.system.file_names import file_path
from apsp.system.machine import threads_named
from apsp.system.progress import Progress

__all__ = ["Mode", "Request", "pages_path"]

Mode = Literal["matrix", "stream", "summary"]
"""The whole result at once; or blocks of rows, one after the other."""


_AUTO = "auto"
"""The default; other values are checked."""


@dataclass(frozen=True)
class Request:
    """One request.

    Attributes
    ----------
    sources, targets : int or None
        Number of requested rows and columns; None means all n.
    cutoff : int, float or None
        Distances above it are reported as "no path".
    dtype : str
        'auto' or a dtype of distances (anything that names one: 'int32', 'f4', numpy.float64).
    paths : bool
        Predecessors are kept.
    method : str
        'auto' or a name of the registry.
    device : str
        'auto', 'cpu', 'cuda' or 'emulated'; 'cuda:0,2' is split into 'cuda' and the numbers in `gpus`.
    gpus : tuple of int
        Numbers of the requested GPUs; empty means that the planner chooses.
    gpu_memory : int or None
        Bytes of each GPU that may be used ('16GiB' is understood); None means all that is free.
    pages_file : Path or None
        Store the matrix in this file while it is computed, so that a stopped run can be resumed.
    threads : int or None
        None means all cores of the machine, or fewer if more would not be faster.
    semiring : Semiring
    mode : 'matrix', 'stream' or 'summary'
    rows : int or None
        Rows of a block (not of mode 'matrix'); None lets the planner choose.
    out_given : bool
        The caller owns the memory of the distances.
    share : float
        The part of every row that is within the cutoff, if only that is needed and no row is stored; 1 for whole rows.
    executor : 'processes', an engine or None
        What computes; None means this process.
    store : str, Path, store of obstore or None
        Where results are kept while they are computed.
    progress : bool or callable
        As for `apsp.solve`.

    Raises
    ------
    RequestError
        If a value is invalid for any graph.
    """

    sources: int | None = None
    targets: int | None = None
    cutoff: int | float | None = None
    dtype: str = _AUTO
    paths: bool = False
    method: str = _AUTO
    device: str = _AUTO
    gpus: tuple[int, ...] = ()
    gpu_memory: int | None = None
    pages_file: Path | None = None
    threads: int | None = None
    semiring: Semiring = MIN_PLUS
    mode: Mode = "matrix"
    rows: int | None = None
    out_given: bool = False
    share: float = 1.0
    executor: ExecutorLike | None = None
    store: StoreLike | None = None
    progress: Progress = False

    def __post_init__(self) -> None:
        if self.dtype is not _AUTO:
            object.__setattr__(self, "dtype", _dtype_name(self.dtype))
        if self.device is not _AUTO:
            device, gpus = parse_device(self.device)
            object.__setattr__(self, "device", device)
            object.__setattr__(self, "gpus", gpus or tuple(self.gpus))
        if self.gpu_memory is not None:
            object.__setattr__(self, "gpu_memory", parse_bytes(self.gpu_memory, "gpu_memory"))
        if self.pages_file is not None:
            object.__setattr__(self, "pages_file", pages_path(self.pages_file))
        if self.paths is not False:
            object.__setattr__(self, "paths", flag(self.paths, "paths"))
        if not isinstance(self.method, str):
            raise RequestError(f"method must be the name of a method, or 'auto', not {shown(self.method)}")
        if self.threads is not None:
            object.__setattr__(self, "threads", threads_named(self.threads))
        if self.rows is not None:
            object.__setattr__(self, "rows", whole_number(self.rows, "rows", least=1))
        if self.cutoff is not None:
            object.__setattr__(self, "cutoff", longest_distance(self.cutoff))

    @classmethod
    def of(cls, **keywords: Unpack[AnyKeywords]) -> Request:
        """Return the request of a call, from its options as the caller writes them."""
        return cls(**keywords)  # type: ignore[arg-type] # the values become those of the attributes

    @property
    def named_device(self) -> str:
        """The device with the numbers of its GPUs, as it was requested: 'cuda:0,2'."""
        return f"{self.device}:{','.join(map(str, self.gpus))}" if self.gpus else self.device

    def of_rows(self, sources: Sized | None, targets: Sized | None = None) -> Request:
        """Return the same for rows from some vertices to others; None means all."""
        same = object.__new__(Request)  # without another look at the values
        rows, columns = None if sources is None else len(sources), None if targets is None else len(targets)
        vars(same).update(vars(self), sources=rows, targets=columns, mode="stream")
        return same

    def of_worker(self) -> Request:
        """Return the same for a worker, which knows neither the engine nor the store nor the progress of the call."""
        return replace(self, executor=None, store=None, progress=False)

    @property
    def by_rows(self) -> bool:
        """Whether some rows are needed without the others."""
        return self.mode != "matrix"


def pages_path(place: object) -> Path:
    """Return the path of the file of pages; RequestError if it is invalid."""
    path = file_path(place, "pages_file")
    try:
        if path.is_dir():
            raise RequestError(f"pages_file={shown(str(path))} is a folder; name a file in it")
        if not path.absolute().parent.is_dir():
            raise RequestError(f"pages_file={shown(str(path))}: there is no folder {path.parent}")
    except OSError as error:
        raise RequestError(f"pages_file={shown(str(path))}: {error.strerror or 'it cannot be used'}") from None
    return path


def _dtype_name(dtype: object) -> str:
    if isinstance(dtype, str) and dtype == "auto":
        return "auto"
    try:
        name = None if dtype is None else np.dtype(dtype).name  # type: ignore[call-overload]
    except Exception:  # NumPy inspects the value, and may raise any exception
        name = None
    if name not in ALL_DTYPES:
        unknown = shown(dtype if name is None else name)
        raise RequestError(f"unknown dtype of distances {unknown}; there are: auto, {', '.join(ALL_DTYPES)}")
    return str(name)
