"""Processes that MPI connects. What is on its way goes on while MPI is called."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from apsp.methods.distributed import Parcel

__all__ = ["MpiCommunicator"]

_yield = getattr(os, "sched_yield", lambda: time.sleep(0))


class MpiCommunicator:
    """A communicator of mpi4py.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
    own : bool
        Whether `free` frees it.
    """

    def __init__(self, comm: Any, *, own: bool = False) -> None:
        self.rank: int = comm.Get_rank()
        self.size: int = comm.Get_size()
        self._comm, self._own = comm, own
        self._token = np.zeros(1, dtype=np.uint8)

    def allgather(self, value: Any) -> list[Any]:
        """Return the objects of all processes, by rank."""
        found: list[Any] = self._comm.allgather(value)
        return found

    def bcast(self, value: Any) -> Any:
        """Return the object of process 0."""
        return self._comm.bcast(value, root=0)

    def split(self, color: int) -> MpiCommunicator:
        """Connect the processes with the same color."""
        return MpiCommunicator(self._comm.Split(color, self.rank), own=True)

    def broadcast(self, array: npt.NDArray[Any], source: int) -> _Requests:
        """Begin to send an array from one process to the others."""
        return _Requests([self._comm.Ibcast(array, root=source)])

    def tell(self, source: int) -> _Requests:
        """Begin to tell the others that one process has come to this call: by messages, since a broadcast waits for
        processes that are not called.
        """
        if self.rank != source:
            return _Requests([self._comm.Irecv(self._token, source=source)])
        others = (rank for rank in range(self.size) if rank != source)
        return _Requests([self._comm.Isend(self._token, dest=rank) for rank in others])

    def maximum(self, array: npt.NDArray[Any]) -> _Requests:
        """Begin to replace the numbers of an array by the largest of all processes."""
        from mpi4py import MPI

        return _Requests([self._comm.Iallreduce(MPI.IN_PLACE, array, op=MPI.MAX)])

    def exchange(self, sent: Sequence[Parcel], received: Sequence[Parcel]) -> None:
        """Send arrays to other processes and receive others."""
        requests = [self._comm.Irecv(array, source=rank) for array, rank in received]
        requests += [self._comm.Isend(array, dest=rank) for array, rank in sent]
        for request in requests:
            request.Wait()

    def abort(self, code: int) -> NoReturn:
        """End all processes at once."""
        self._comm.Abort(code)
        os._exit(code)  # some libraries return

    def free(self) -> None:
        """Free the communicator, unless it is the caller's."""
        if self._own:
            self._comm.Free()


class _Requests:
    def __init__(self, requests: list[Any]) -> None:
        self._requests = requests

    def advance(self) -> None:
        """Let the messages go on."""
        self._requests = [request for request in self._requests if not request.Test()]

    def wait(self) -> None:
        """Wait for their end; processes that share the core with this one go on meanwhile."""
        self.advance()
        while self._requests:
            _yield()
            self.advance()
