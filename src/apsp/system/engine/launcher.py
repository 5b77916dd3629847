"""What a launcher (mpirun, srun, torchrun) tells a process that it starts, before MPI is initialised."""

from __future__ import annotations

import os

__all__ = ["started_processes", "started_rank"]

# Of MPICH, Open MPI, PMIx, PALS, Slurm and torchrun.
_RANKS = ("PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PALS_RANKID", "SLURM_PROCID", "RANK")
_SIZES = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS", "WORLD_SIZE")


def started_rank() -> int:
    """Return the number of this process, 0 if no launcher tells it."""
    return _first(_RANKS, 0)


def started_processes() -> int:
    """Return the number of processes that were started together; 1 if no launcher tells it."""
    return _first(_SIZES, 1)


def _first(names: tuple[str, ...], otherwise: int) -> int:
    texts = (os.environ.get(name, "") for name in names)
    return next((int(text) for text in texts if text.isdecimal() and text.isascii()), otherwise)
