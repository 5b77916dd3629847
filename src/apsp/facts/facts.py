"""All inputs of the choice."""

from __future__ import annotations

from dataclasses import dataclass, replace

from apsp.facts.constants import Constants
from apsp.facts.emulated import with_emulated_gpus
from apsp.facts.request import Request
from apsp.facts.statistics import GraphStatistics
from apsp.system.machine import Machine

__all__ = ["Facts"]


@dataclass(frozen=True)
class Facts:
    """All inputs of the choice, and the resulting dtype; `threads` is the largest number to use."""

    statistics: GraphStatistics
    machine: Machine
    request: Request
    constants: Constants
    dtype: str
    threads: int

    @property
    def rows(self) -> int:
        """Rows of the result."""
        return self.statistics.n if self.request.sources is None else self.request.sources

    def on(self, device: str) -> Facts:
        """Return the same facts with the GPUs of the machine for this device."""
        if device != "emulated":
            return self
        return replace(self, machine=with_emulated_gpus(self.machine, self.request))
