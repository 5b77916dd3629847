"""The interface for the costs of a transitive closure; `apsp.planning.closures` chooses by it, without using names.

`closure/cost.py` has a `ClosureModel` per method.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from apsp.facts.placement import Placement
from apsp.system.machine import Machine

__all__ = ["ClosureCost", "ClosureModel", "ClosureWork"]


class ClosureWork(NamedTuple):
    """A closure, as far as its cost depends on it.

    Attributes
    ----------
    n, m : int
        Vertices and arcs.
    sinks : int or None
        Vertices without arcs; None if they were not counted.
    directed, zones : bool
        Whether the arcs of the graph are directed, and whether some vertices may not be passed through.
    in_file : bool
        The bits lie in a file while they are computed.
    stays : bool
        The bits stay on the GPU if one computes them.
    gpu_memory : int or None
        Bytes of each GPU that may be used; None is all that is free.
    started : bool
        This process has started CUDA.
    """

    n: int
    m: int
    sinks: int | None = None
    directed: bool = True
    zones: bool = False
    in_file: bool = False
    stays: bool = False
    gpu_memory: int | None = None
    started: bool = False

    @property
    def words(self) -> int:
        """Words of a row."""
        return -(-self.n // 64)

    @property
    def bytes_bits(self) -> int:
        """Bytes of the result."""
        return 8 * self.n * self.words


@dataclass(frozen=True)
class ClosureCost:
    """What a method takes on a device.

    Attributes
    ----------
    seconds : float
        From the graph in host memory to the bits in their place.
    bytes_work : int
        Host memory, besides the result.
    placement : Placement or None
        On GPUs: where the bits lie; None if they do not fit.
    beyond : str
        Why they do not fit.
    bytes_one_gpu : int
        Memory with which one GPU does it alone.
    origin : str or None
        Of the rates of GPUs.
    """

    seconds: float
    bytes_work: int = 0
    placement: Placement | None = None
    beyond: str = ""
    bytes_one_gpu: int = 0
    origin: str | None = None


class ClosureModel:
    """The costs of one method.

    Parameters
    ----------
    name : str
        Of the method.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def refuses(self, work: ClosureWork) -> str | None:  # noqa: ARG002
        """Return why the method cannot be used, beyond its row in the registry; None if it can."""
        return None

    def on_cpu(self, work: ClosureWork, threads: int, free: int | None) -> ClosureCost:
        """Return the cost on the CPU.

        Parameters
        ----------
        free : int or None
            Host memory that may be used; None if the work is too small to matter.
        """
        raise NotImplementedError

    def on_gpus(self, work: ClosureWork, machine: Machine, gpus: Sequence[int]) -> ClosureCost:
        """Return the cost on these GPUs, which may be emulated."""
        raise NotImplementedError
