"""The interface for the cost and the limits of a method; the planner compares methods by it, without using names.

A method's folder has a `cost.py` with a `CostModel` per method. The defaults are those of a search from one source
after another on the CPU. Seconds are linear in constants that are measured (`apsp tune`) or read from data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from apsp.facts.facts import Facts
from apsp.facts.gpu_rates import GpuRates
from apsp.facts.placement import Placement
from apsp.facts.request import Request
from apsp.facts.result_bytes import bytes_of_result
from apsp.facts.statistics import GraphStatistics
from apsp.facts.work import Work
from apsp.graph.model import Graph
from apsp.methods.experiment import Experiment
from apsp.system.progress import ProgressReport

__all__ = ["Accepts", "CostModel", "OnGpus", "SoFar", "Values", "result_bytes", "stays_there"]

Values = Mapping[str, float]
"""Constants by name."""

Accepts = Callable[[str, str], bool]
"""A function that returns whether a method, given by its name, accepts the request on a device."""

_VERTEX_BYTES = 4


@dataclass(frozen=True)
class OnGpus:
    """Seconds of a method on GPUs, and the rates they are computed from."""

    seconds: float
    rates: GpuRates


@dataclass(frozen=True)
class SoFar:
    """The best plan before a method examines the graph.

    Attributes
    ----------
    seconds : float
    started : float or None
        Seconds of these that the start of a GPU takes; None on the CPU.
    in_lanes : bool
        The method works on many sources at once.
    itemsize : int
        Of a distance.
    """

    seconds: float
    started: float | None
    in_lanes: bool
    itemsize: int


class CostModel:
    """The cost of one method.

    Parameters
    ----------
    name : str
        Of the method, and of its constants.
    """

    in_lanes = False
    """Whether it works on many sources at once."""

    must_fit_gpus = False
    """Whether an explanation mentions that it does not fit in GPU memory, even if no GPU was requested."""

    probes = False
    """Whether it examines the graph before it is chosen: see `probe`."""

    def __init__(self, name: str) -> None:
        self.name = name

    # -- whether ------------------------------------------------------------------------------------------------------

    def refuses(self, statistics: GraphStatistics, request: Request, dtype: str, device: str) -> str | None:  # noqa: ARG002
        """Return why the method cannot be used, beyond its row in the registry; None if it can."""
        return None

    def unneeded(self, facts: Facts, device: str, accepts: Accepts) -> str | None:  # noqa: ARG002
        """Return why the method is not considered although it could run; None if it is."""
        return None

    def stand_in(self, statistics: GraphStatistics, request: Request, dtype: str) -> str | None:  # noqa: ARG002
        """Return the method that does this work instead; None if the method does it itself."""
        return None

    def does_small(self, statistics: GraphStatistics, request: Request, dtype: str, device: str) -> bool:  # noqa: ARG002
        """Whether the method is among the fastest for any work of a millisecond, so that no comparison is needed.

        On a GPU: for any dense matrix of up to a thousand vertices on that GPU.
        """
        return False

    def probe(self, graph: Graph, facts: Facts, so_far: SoFar | None) -> GraphStatistics:  # noqa: ARG002
        """Return the statistics, completed by measurements for this method if these can save more time than they
        take.
        """
        return facts.statistics

    def words(self, facts: Facts) -> list[str]:  # noqa: ARG002
        """Return sentences for the explanation of a plan with this method."""
        return []

    def words_on_cpu(self, facts: Facts) -> list[str]:  # noqa: ARG002
        """Return sentences for the explanation of a plan with this method on the CPU of this machine."""
        return []

    # -- measuring ----------------------------------------------------------------------------------------------------

    def experiments(self) -> tuple[Experiment, ...]:
        """Return the experiments of `apsp tune`."""
        return ()

    def looked_at(self, graph: Graph, statistics: GraphStatistics, threads: int) -> GraphStatistics:  # noqa: ARG002
        """Return the statistics, completed by the numbers that the method computes for every graph."""
        return statistics

    stored_constant: str | None = None
    """The constant of the work that is stored with a graph, which `look_again` repeats."""

    def look_again(self, graph: Graph, threads: int) -> None:
        """Repeat the work that is otherwise stored with a graph."""
        raise NotImplementedError

    def measured_kernels(self, *, quick: bool) -> dict[str, float]:  # noqa: ARG002
        """Return measured constants of kernels that do the same, by which the method will choose one."""
        return {}

    def tune_gpus(self, progress: ProgressReport | None, *, quick: bool) -> list[str]:  # noqa: ARG002
        """Measure launch parameters on the GPUs of this machine; return the names of the measured ones."""
        return []

    # -- on the CPU ---------------------------------------------------------------------------------------------------

    def seconds(self, values: Values, statistics: GraphStatistics, work: Work) -> float:
        """Return the seconds on the CPU."""
        raise NotImplementedError

    def work_bytes(self, facts: Facts) -> int:
        """Return the bytes without the graph and the result: by default those of a search in each thread.

        The arcs are stored as pairs (head, length); if the weights have another dtype, also the converted lengths.
        """
        statistics, itemsize = facts.statistics, np.dtype(facts.dtype).itemsize
        pairs = 2 * max(itemsize, _VERTEX_BYTES)
        lengths = 0 if statistics.weight_dtype == facts.dtype else itemsize
        return 16 * statistics.n * facts.threads + (pairs + lengths) * statistics.m

    # -- on GPUs ------------------------------------------------------------------------------------------------------

    def place(self, facts: Facts, gpus: Sequence[int]) -> Placement | None:
        """Return where the work is done on these GPUs; None if it does not fit."""
        raise NotImplementedError

    def on_gpus(self, facts: Facts, work: Work, placement: Placement | None, gpus: Sequence[int]) -> OnGpus:
        """Return the seconds from the graph in host memory to the result in its requested place."""
        raise NotImplementedError

    def refuse_place(self, facts: Facts, gpus: Sequence[int]) -> None:
        """Raise MemoryLimitError about device memory, with what would fit."""
        raise NotImplementedError

    def emulated(self, values: Values, statistics: GraphStatistics, work: Work, placement: Placement | None) -> float:
        """Return the seconds on emulated GPUs."""
        raise NotImplementedError


def stays_there(facts: Facts, placement: Placement | None) -> bool:
    """Return whether the result stays on the GPU."""
    return facts.request.device == "cuda" and placement is not None and placement.where == "device"


def result_bytes(facts: Facts) -> int:
    """Return the bytes of the result of a request."""
    return bytes_of_result(facts.statistics, facts.machine, facts.request, facts.dtype, facts.threads)
