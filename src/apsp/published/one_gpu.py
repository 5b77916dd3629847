"""Code shared by the published methods for one GPU: the choice of the GPU, and its free memory.

Input: a `Problem`. Raises MethodRefusedError for several GPUs, DeviceError without one.
"""

from __future__ import annotations

from apsp.errors import MethodRefusedError
from apsp.methods.problem import Problem

__all__ = ["free_on", "only_gpu"]


def only_gpu(name: str, problem: Problem) -> int:
    """The GPU of a method for one GPU."""
    if len(problem.gpus) > 1:
        raise MethodRefusedError(name, "it runs on one GPU", ["katz-kider", "floyd-warshall"])
    return problem.gpus[0] if problem.gpus else 0


def free_on(gpu: int, problem: Problem) -> int:
    """Bytes of the GPU that may be used."""
    from apsp.gpu.memory import free_bytes

    return free_bytes(gpu, problem.gpu_memory)
