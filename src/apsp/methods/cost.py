"""What a method knows of its own cost, and of what it cannot do: the planner compares these, and knows no name.

A method's folder has a `cost.py` with a `CostModel` per method. What it does not define is that of a search from one
source after another on the CPU. Seconds are linear in constants that are measured (`apsp tune`) or data.
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
"""Whether a method (by name) accepts the request on a device."""

_VERTEX_BYTES = 4


@dataclass(frozen=True)
class OnGpus:
    """Seconds of a method on GPUs, and the rates that they come from."""

    seconds: float
    rates: GpuRates


@dataclass(frozen=True)
class SoFar:
    """The plan that there is before a method looks closer at the graph.

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
        Of the method; its constants have the same.
    """

    in_lanes = False
    """It works on many sources at once."""

    must_fit_gpus = False
    """Where it does not fit into GPUs, that is said, even if no GPU was asked for."""

    probes = False
    """It looks closer at the graph before it is chosen: see `probe`."""

    def __init__(self, name: str) -> None:
        self.name = name

    # -- whether ------------------------------------------------------------------------------------------------------

    def refuses(self, statistics: GraphStatistics, request: Request, dtype: str, device: str) -> str | None:  # noqa: ARG002
        """Why the method cannot do this, beyond what its row in the registry says; None if it can."""
        return None

    def unneeded(self, facts: Facts, device: str, accepts: Accepts) -> str | None:  # noqa: ARG002
        """Why the choice is better made without the method, which could run."""
        return None

    def stand_in(self, statistics: GraphStatistics, request: Request, dtype: str) -> str | None:  # noqa: ARG002
        """The method that does this work instead; None where the method does it itself."""
        return None

    def does_small(self, statistics: GraphStatistics, dtype: str) -> bool:  # noqa: ARG002
        """Whether the method is among the fastest for any graph of a few thousand arcs, so that none is compared."""
        return False

    def probe(self, graph: Graph, facts: Facts, so_far: SoFar | None) -> GraphStatistics:  # noqa: ARG002
        """The statistics, completed by what this method wants to know, where looking pays."""
        return facts.statistics

    def words(self, facts: Facts) -> list[str]:  # noqa: ARG002
        """Sentences for the explanation of a plan that takes the method."""
        return []

    # -- measuring ----------------------------------------------------------------------------------------------------

    def experiments(self) -> tuple[Experiment, ...]:
        """What `apsp tune` measures."""
        return ()

    def looked_at(self, graph: Graph, statistics: GraphStatistics, threads: int) -> GraphStatistics:  # noqa: ARG002
        """The statistics, completed by what the method finds out about any graph that it works on."""
        return statistics

    kept_constant: str | None = None
    """The constant of the work that is kept with a graph, which `look_again` does."""

    def look_again(self, graph: Graph, threads: int) -> None:
        """The work that is otherwise kept with a graph."""
        raise NotImplementedError

    def tune_gpus(self, progress: ProgressReport | None, *, quick: bool) -> list[str]:  # noqa: ARG002
        """Measure how to launch on the GPUs of this machine; the names of those that were measured."""
        return []

    # -- on the CPU ---------------------------------------------------------------------------------------------------

    def seconds(self, values: Values, statistics: GraphStatistics, work: Work) -> float:
        """Seconds on the CPU."""
        raise NotImplementedError

    def work_bytes(self, facts: Facts) -> int:
        """Bytes beside the graph and the result: by default those of a search in each thread.

        The arcs are kept as pairs (head, length), after their lengths in the dtype where the weights are of another.
        """
        statistics, itemsize = facts.statistics, np.dtype(facts.dtype).itemsize
        pairs = 2 * max(itemsize, _VERTEX_BYTES)
        lengths = 0 if statistics.weight_dtype == facts.dtype else itemsize
        return 16 * statistics.n * facts.threads + (pairs + lengths) * statistics.m

    # -- on GPUs ------------------------------------------------------------------------------------------------------

    def place(self, facts: Facts, gpus: Sequence[int]) -> Placement | None:
        """Where the work is done on these GPUs; None where it does not fit."""
        raise NotImplementedError

    def on_gpus(self, facts: Facts, work: Work, placement: Placement | None, gpus: Sequence[int]) -> OnGpus:
        """Seconds from the graph in host memory to the result where it is wanted."""
        raise NotImplementedError

    def refuse_place(self, facts: Facts, gpus: Sequence[int]) -> None:
        """Raise MemoryLimitError about device memory, with what would fit."""
        raise NotImplementedError

    def emulated(self, values: Values, statistics: GraphStatistics, work: Work, placement: Placement | None) -> float:
        """Seconds on emulated GPUs."""
        raise NotImplementedError


def stays_there(facts: Facts, placement: Placement | None) -> bool:
    """Whether the result stays on the GPU."""
    return facts.request.device == "cuda" and placement is not None and placement.where == "device"


def result_bytes(facts: Facts) -> int:
    """Bytes of the result of a request."""
    return bytes_of_result(facts.statistics, facts.machine, facts.request, facts.dtype, facts.threads)
