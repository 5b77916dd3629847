"""Processes that torch.distributed connects: gloo, whose threads send and receive while this one computes.

Input: a store of torch.distributed, through which the processes find each other; that of torchrun, or of a program that
uses torch.distributed itself. The groups are made beside those of torch.distributed, which stay as they are. Errors:
ExecutorError if the connection to a process is lost, usually because it has ended.
"""

from __future__ import annotations

import os
import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from apsp.errors import ExecutorError
from apsp.methods.distributed import Parcel

__all__ = ["TorchCommunicator"]

_FOREVER = timedelta(days=1000)
"""How long a process waits for the others, which may compute for long; one that has ended is noticed at once."""

_LOOK = timedelta(milliseconds=200)
"""Time between two looks whether the user has stopped the program."""


class TorchCommunicator:
    """Processes connected by gloo.

    Parameters
    ----------
    store : torch.distributed.Store
    name : str
        Under which these processes, and no others, find each other in the store; used once.
    rank, size : int
        The number of this process, and of processes.
    """

    def __init__(self, store: Any, name: str, rank: int, size: int) -> None:
        from torch import distributed

        self.rank, self.size = rank, size
        self._store, self._name, self._splits = store, name, 0
        with _telling():
            self._group: Any = distributed.ProcessGroupGloo(distributed.PrefixStore(name, store), rank, size, _FOREVER)

    def allgather(self, value: Any) -> list[Any]:
        """Return the objects of all processes, by rank."""
        data = np.frombuffer(pickle.dumps(value), dtype=np.uint8)
        sizes = self._gathered(np.array([len(data)], dtype=np.int64)).ravel()
        padded = np.zeros(sizes.max(), dtype=np.uint8)
        padded[: len(data)] = data
        rows = self._gathered(padded)
        return [pickle.loads(row[:size].data) for row, size in zip(rows, sizes, strict=True)]  # noqa: S301 - our own

    def _gathered(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        found = np.empty((self.size, len(array)), dtype=array.dtype)
        with _telling():
            work = self._group.allgather([[_tensor(row) for row in found]], [_tensor(array)])
        _Works([work]).wait()
        return found

    def bcast(self, value: Any) -> Any:
        """Return the object of process 0."""
        data = np.frombuffer(bytearray(pickle.dumps(value) if self.rank == 0 else b""), dtype=np.uint8)
        size = np.array([len(data)], dtype=np.int64)
        self.broadcast(size, 0).wait()
        if self.rank > 0:
            data = np.empty(size[0], dtype=np.uint8)
        self.broadcast(data, 0).wait()
        return value if self.rank == 0 else pickle.loads(data.data)  # noqa: S301 - our own

    def split(self, color: int) -> TorchCommunicator:
        """Connect the processes with the same color."""
        self._splits += 1
        ranks = [rank for rank, other in enumerate(self.allgather(color)) if other == color]
        name = f"{self._name}/{self._splits}.{color}"
        return TorchCommunicator(self._store, name, ranks.index(self.rank), len(ranks))

    def broadcast(self, array: npt.NDArray[Any], source: int) -> _Works:
        """Begin to send an array from one process to the others."""
        from torch import distributed

        options = distributed.BroadcastOptions()
        options.rootRank = source
        with _telling():
            return _Works([self._group.broadcast([_bytes(array)], options)])

    def tell(self, source: int) -> _Works:
        """Begin to tell the others that one process has come to this call."""
        return self.broadcast(np.zeros(1, dtype=np.uint8), source)

    def maximum(self, array: npt.NDArray[Any]) -> _Works:
        """Begin to replace the numbers of an array by the largest of all processes."""
        from torch import distributed

        options = distributed.AllreduceOptions()
        options.reduceOp = distributed.ReduceOp.MAX
        with _telling():
            return _Works([self._group.allreduce([_tensor(array)], options)])

    def exchange(self, sent: Sequence[Parcel], received: Sequence[Parcel]) -> None:
        """Send arrays to other processes and receive others."""
        with _telling():
            works = [self._group.recv([_bytes(array)], rank, tag) for array, rank, tag in _numbered(received)]
            works += [self._group.send([_bytes(array)], rank, tag) for array, rank, tag in _numbered(sent)]
            for work in works:
                work.wait()

    def abort(self, code: int) -> NoReturn:
        """End this process at once; the launcher ends the others, and they lose the connection."""
        os._exit(code)

    def free(self) -> None:
        """Disconnect, and end the threads of gloo: one that lets go of an array while Python ends would end with it."""
        self._group = None


class _Works:
    def __init__(self, works: list[Any]) -> None:
        self._works = works

    def advance(self) -> None:
        """The threads of gloo need no call."""

    def wait(self) -> None:
        """Wait for their end without using the core."""
        for work in self._works:
            while not work.is_completed():
                with suppress(RuntimeError):  # the time is over; or it has failed, which is raised below
                    work.wait(_LOOK)
            with _telling():
                work.wait()


def _numbered(parcels: Sequence[Parcel]) -> Iterator[tuple[npt.NDArray[Any], int, int]]:
    """The parcels that are not empty, with their number among those of the same process."""
    counts: Counter[int] = Counter()
    for array, rank in parcels:
        if array.size > 0:
            yield array, rank, counts[rank]
            counts[rank] += 1


def _tensor(array: npt.NDArray[Any]) -> Any:
    import torch

    return torch.from_numpy(array)


def _bytes(array: npt.NDArray[Any]) -> Any:
    """The tensor of the bytes of an array: of any dtype."""
    return _tensor(array.reshape(-1).view(np.uint8))


@contextmanager
def _telling() -> Iterator[None]:
    """Within the context, what gloo cannot send or receive becomes an error of this package."""
    try:
        yield
    except RuntimeError as error:
        _, _, words = str(error).partition(". This is typically")[0].rpartition(".cc:")
        raise ExecutorError(
            f"the connection to another process is lost, which has probably ended: {words.partition('] ')[2] or error}"
        ) from error
