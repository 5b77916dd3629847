"""Which processes work together: those that MPI connects, or torch.distributed."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

from apsp.errors import MissingDependencyError, RequestError
from apsp.methods.communicator import Communicator
from apsp.methods.mpi import MpiCommunicator
from apsp.methods.torch_distributed import TorchCommunicator
from apsp.spmd.together import ending_all
from apsp.system.engine.launcher import is_for_torch, started_processes

__all__ = ["joined", "processes_started"]


@contextlib.contextmanager
def joined(comm: Any = None) -> Iterator[Communicator]:
    """Connect the processes for the time of the context: by default all that were started.

    If the user stops one of them within the context, all end.

    Raises MissingDependencyError if mpi4py is not installed; or PyTorch, in processes that torchrun has started;
    RequestError if `comm` is none of these; or several processes were started, and MPI does not connect them.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm, torch.distributed.ProcessGroup or Communicator, optional
    """
    if isinstance(comm, (MpiCommunicator, TorchCommunicator)):
        yield comm
        return
    found = _world() if comm is None else _of(comm)
    try:
        with ending_all(found):
            yield found
    finally:
        found.free()


def processes_started() -> int:
    """Return the number of processes that were started; raises the errors of `joined`. One process may call this."""
    torch = _initialized()
    if torch is not None:
        return int(torch.get_world_size())
    return started_processes() if is_for_torch() else int(_mpi_world().Get_size())


def _world() -> Communicator:
    if _initialized() is not None:
        return _of_group(None)
    if not is_for_torch():
        return MpiCommunicator(_mpi_world())
    store, rank, size = next(_gloo().rendezvous("env://"))
    return _in_store(store, "torchrun", rank, size)


def _of(comm: Any) -> Communicator:
    torch = _initialized()
    if torch is not None and isinstance(comm, torch.ProcessGroup):
        return _of_group(comm)
    if not hasattr(comm, "Get_rank"):
        raise RequestError(f"comm is a communicator of mpi4py or a group of torch.distributed, not {comm!r:.80}")
    return MpiCommunicator(comm)


def _of_group(group: Any) -> Communicator:
    """Connect the processes of a group of the caller's; None is that of all."""
    torch = _gloo()
    group = torch.group.WORLD if group is None else group
    store = torch.distributed_c10d._get_default_store()
    return _in_store(store, f"group {group.group_name}", torch.get_rank(group), torch.get_world_size(group))


def _in_store(store: Any, group: str, rank: int, size: int) -> Communicator:
    """Connect processes under a name that is new in the store: each of them counts the calls there."""
    call = store.add(f"apsp/{group}/{rank}", 1)
    return TorchCommunicator(store, f"apsp/{group}/call {call}", rank, size)


def _initialized() -> Any:
    """torch.distributed, if the program of the caller uses it; None otherwise."""
    torch = sys.modules.get("torch.distributed")
    return torch if torch is not None and torch.is_available() and torch.is_initialized() else None


def _gloo() -> Any:
    """torch.distributed with gloo."""
    try:
        from torch import distributed
    except ImportError as error:
        raise MissingDependencyError("torch", "apsp.spmd in processes that torchrun has started") from error
    if not (distributed.is_available() and distributed.is_gloo_available()):
        raise RequestError("this PyTorch was built without gloo: start the processes by mpirun or srun")
    return distributed


def _mpi_world() -> Any:
    try:
        from mpi4py import MPI
    except ImportError as error:
        raise MissingDependencyError("mpi4py", "apsp.spmd", "mpi") from error
    comm, started = MPI.COMM_WORLD, started_processes()
    if comm.Get_size() == 1 and started > 1:
        library = MPI.Get_library_version().split(",")[0].split("\n")[0].strip()
        raise RequestError(
            f"{started} processes were started, but MPI does not connect them: start them by the mpirun of the MPI "
            f"library of mpi4py ({library}), by srun --mpi=pmi2 or pmix, or by torchrun"
        )
    return comm
