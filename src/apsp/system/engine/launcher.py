"""What a launcher (mpirun, srun, torchrun) tells a process that it starts, before the processes are connected."""

from __future__ import annotations

import os

__all__ = ["is_for_torch", "started_processes", "started_rank"]

_TORCHRUN = "TORCHELASTIC_RUN_ID"
_OF_TORCH = ("MASTER_ADDR", "MASTER_PORT", "RANK", "WORLD_SIZE")

# Of MPICH, Open MPI, PMIx and PALS.
_RANKS_OF_MPI = ("PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PALS_RANKID")
_RANKS = (*_RANKS_OF_MPI, "SLURM_PROCID", "RANK")
_SIZES = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS", "WORLD_SIZE")


def is_for_torch() -> bool:
    """Whether torch.distributed can connect the processes: torchrun has started this one, or its variables are set
    and no launcher of MPI has.
    """
    if _TORCHRUN in os.environ:
        return True
    return all(name in os.environ for name in _OF_TORCH) and not any(name in os.environ for name in _RANKS_OF_MPI)


def started_rank() -> int:
    """Return the number of this process, 0 if no launcher tells it."""
    return _first(("RANK",) if is_for_torch() else _RANKS, 0)


def started_processes() -> int:
    """Return the number of processes that were started together; 1 if no launcher tells it."""
    return _first(("WORLD_SIZE",) if is_for_torch() else _SIZES, 1)


def _first(names: tuple[str, ...], otherwise: int) -> int:
    texts = (os.environ.get(name, "") for name in names)
    return next((int(text) for text in texts if text.isdecimal() and text.isascii()), otherwise)
