"""The interface for the costs of what has methods of its own per source: flows, skims.

`apsp.planning.sources` chooses by it, without using names. A folder's `cost.py` has a `SourceModel` per method.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy.typing as npt

from apsp.facts.one_gpu import OneGpu

if TYPE_CHECKING:
    from apsp.methods.elimination.tree import EliminationTree

__all__ = ["SourceChoice", "SourceCost", "SourceModel", "SourceWork", "cheapest"]


class SourceWork(Protocol):
    """What is computed per source, as far as the choice depends on it."""

    @property
    def sources(self) -> int:
        """Their number."""
        ...

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to compute."""
        ...


WorkT = TypeVar("WorkT", bound=SourceWork)


@dataclass(frozen=True)
class SourceChoice:
    """A method, and where it runs.

    Attributes
    ----------
    method : str
        A method of the registry.
    seconds_once, seconds_row : float
        Estimated time of one core: of what is computed once, and per source.
    tree : EliminationTree or None
        The order of elimination; None for other methods.
    gpu : OneGpu or None
        None for the CPU.
    otherwise : SourceChoice or None
        On the CPU, if the GPU fails.
    """

    method: str
    seconds_once: float
    seconds_row: float
    tree: EliminationTree | None = None
    gpu: OneGpu | None = None
    otherwise: SourceChoice | None = None

    @property
    def device(self) -> str:
        """'cpu', 'cuda' or 'emulated'."""
        return "cpu" if self.gpu is None else "emulated" if self.gpu.is_emulated else "cuda"

    @property
    def preparation(self) -> Mapping[str, npt.NDArray[Any]]:
        """As of `SourceCost`."""
        return {} if self.tree is None else self.tree.arrays()

    def seconds(self, sources: int) -> float:
        """Return the estimated time of one core."""
        return self.seconds_once + sources * self.seconds_row

    def on_cpu(self) -> SourceChoice:
        """Return the same without a GPU."""
        return replace(self, gpu=None)


@dataclass(frozen=True)
class SourceCost:
    """What the sources cost by the chosen method, for tasks and bands.

    Attributes
    ----------
    method, device : str
        A method of the registry; 'cpu', 'cuda' or 'emulated'.
    block_rows : int
        Sources that are computed together, and fewest of a task.
    seconds_once, seconds_block, seconds_row : float
        Estimated time of the order of elimination and the factor, of a block, and of a source.
    seconds : float
        Of all blocks.
    bytes_work : int
        Host memory; 0 if it is not estimated.
    preparation : mapping
        Arrays that other processes store with the same graph: see `Method.shares_preparation`.
    """

    method: str
    device: str
    block_rows: int
    seconds_once: float
    seconds_block: float
    seconds_row: float
    seconds: float
    bytes_work: int = 0
    preparation: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict, compare=False, repr=False)


class SourceModel(Generic[WorkT]):
    """The costs of one method of such work.

    Parameters
    ----------
    name : str
        Of the method.
    """

    beyond_gpus: str | None = None
    """Why a GPU that is named cannot be used although `refuses_gpus` returns None; None if the CPU is used instead."""

    def __init__(self, name: str) -> None:
        self.name = name

    def offer(self, work: WorkT, threads: int, limit: float | None) -> SourceChoice | None:
        """Return the choice of this method on the CPU; None if it does not apply, or takes longer than the limit.

        Parameters
        ----------
        threads : int
            That examine the graph; the choice does not depend on them.
        limit : float or None
            Seconds of one core; None if the method is named.
        """
        raise NotImplementedError

    def refuses_gpus(self, work: WorkT) -> str | None:  # noqa: ARG002
        """Return why no GPU can do this work, if that is known without examining the graph."""
        return None

    def on_gpu(self, work: WorkT, threads: int, best: SourceChoice, *, named: bool) -> SourceChoice | None:  # noqa: ARG002
        """Return the choice of this method on a GPU; None if it does not run there.

        Parameters
        ----------
        best : SourceChoice
            On the CPU.
        named : bool
            The request names the GPU, so that the graph is examined if that is needed.
        """
        return None

    def faster_on_gpu(self, work: WorkT, threads: int, choice: SourceChoice) -> SourceChoice:  # noqa: ARG002
        """Return this method's choice if it is faster on a GPU than another one; else that one."""
        return choice

    def cost(self, work: WorkT, choice: SourceChoice, threads: int) -> SourceCost:
        """Return the cost of the choice, for so many threads."""
        raise NotImplementedError


def cheapest(
    models: Sequence[SourceModel[WorkT]], work: WorkT, threads: int, *, limited: bool = True
) -> SourceChoice | None:
    """Return the cheapest offer on one core of the CPU; None if no model makes one.

    Parameters
    ----------
    limited : bool
        Each model may give up beyond the seconds of those before it; otherwise all work as if they were named.
    """
    best: SourceChoice | None = None
    for model in models:
        limit = None if not limited or best is None else best.seconds(work.sources)
        found = model.offer(work, threads, limit)
        if found is not None and (best is None or found.seconds(work.sources) < best.seconds(work.sources)):
            best = found
    return best
