"""What connects processes that run the same program, on the host: MPI, or torch.distributed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn, Protocol

import numpy.typing as npt

from apsp.methods.distributed import Arrival, Parcel

__all__ = ["Communicator"]


class Communicator(Protocol):
    """Processes that make the same calls in the same order.

    Attributes
    ----------
    rank, size : int
        The number of this process, and of processes.
    """

    rank: int
    size: int

    def allgather(self, value: Any) -> list[Any]:
        """Return the objects of all processes, by rank."""
        ...

    def bcast(self, value: Any) -> Any:
        """Return the object of process 0."""
        ...

    def split(self, color: int) -> Communicator:
        """Connect the processes with the same color, in the same order; to be freed before this one."""
        ...

    def broadcast(self, array: npt.NDArray[Any], source: int) -> Arrival:
        """Begin to send an array without gaps from one process to the others."""
        ...

    def tell(self, source: int) -> Arrival:
        """Begin to tell the others that one process has come to this call; only they wait for it."""
        ...

    def maximum(self, array: npt.NDArray[Any]) -> Arrival:
        """Begin to replace the numbers of an array, int64 or uint8, by the largest of all processes."""
        ...

    def exchange(self, sent: Sequence[Parcel], received: Sequence[Parcel]) -> None:
        """Send arrays to other processes and receive others; those between two processes arrive in the order given."""
        ...

    def abort(self, code: int) -> NoReturn:
        """End all processes at once."""
        ...

    def free(self) -> None:
        """Disconnect."""
        ...
