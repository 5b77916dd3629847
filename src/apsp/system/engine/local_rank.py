"""The number of a worker among those of its machine, by which workers that see several GPUs take one each.

Dask-CUDA shows every worker its own GPU first (CUDA_VISIBLE_DEVICES), so its workers need no number. MPI and Slurm tell
their processes their number, and `number_process` passes it to the processes that apsp starts.
"""

from __future__ import annotations

import os

__all__ = ["local_rank", "number_process"]

_OWN = "APSP_LOCAL_RANK"

_NAMES = (
    _OWN, "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK", "PALS_LOCAL_RANKID",
    "SLURM_LOCALID", "LOCAL_RANK",
)  # fmt: skip


def local_rank() -> int | None:
    """Return the number, by the variables of Open MPI, MPICH and Intel MPI, MVAPICH, PALS, Slurm and torchrun."""
    for name in _NAMES:
        text = os.environ.get(name, "")
        if text.isdecimal() and text.isascii():
            return int(text)
    return None


def number_process(number: int) -> None:
    """Number this process; one that replaces another has its number."""
    os.environ[_OWN] = str(number)
