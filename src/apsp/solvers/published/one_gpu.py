"""What the published methods of one GPU share: where their kernels lie, which GPU it is, and how much of it is free.

Input: a `Problem`. Raises MethodRefusedError for several GPUs, DeviceError without one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apsp.errors import MethodRefusedError
from apsp.solvers.problem import Problem

__all__ = ["FOLDER", "free_on", "kernels", "only_gpu"]

FOLDER = Path(__file__).resolve().parent
"""Of the kernels, which lie beside the solvers."""


def kernels(source: str, expressions: Sequence[str]) -> dict[str, Any]:
    """As `jit.kernels`, of a file of this folder."""
    from apsp.cuda import jit

    return jit.kernels(source, expressions, folder=FOLDER)


def only_gpu(name: str, problem: Problem) -> int:
    """The GPU of a method that takes one."""
    if len(problem.gpus) > 1:
        raise MethodRefusedError(name, "it runs on one GPU", ["katz-kider", "floyd-warshall"])
    return problem.gpus[0] if problem.gpus else 0


def free_on(gpu: int, problem: Problem) -> int:
    """Bytes of the GPU that may be used."""
    from apsp.cuda.memory import free_bytes

    return free_bytes(gpu, problem.gpu_memory)
