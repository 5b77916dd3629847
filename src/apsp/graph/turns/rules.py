"""Penalties of movements by rules: U-turns, and angles."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.graph.model import Graph
from apsp.graph.turns.angles import deviations
from apsp.graph.turns.uses import Movements, Uses

__all__ = ["Rules"]


class Rules(NamedTuple):
    """Penalties by kind of movement; infinite ones forbid it.

    Attributes
    ----------
    u_turns : float
        Back to the vertex that the link comes from.
    dead_ends : float
        Of these, where nothing else leads on.
    left, right, straight : float
        Of all others.
    straight_within : float
        Degrees on either side.
    """

    u_turns: float = 0.0
    dead_ends: float = 0.0
    left: float = 0.0
    right: float = 0.0
    straight: float = 0.0
    straight_within: float = 45.0

    @property
    def by_angle(self) -> bool:
        """Whether angles matter."""
        return not self.left == self.right == self.straight

    @property
    def are_any(self) -> bool:
        """Whether some movement has a penalty by these rules."""
        return any(penalty > 0 for penalty in self[:5])

    def penalties(self, graph: Graph, uses: Uses, movements: Movements, crs: str | None) -> npt.NDArray[np.float64]:
        """(p,) penalties of movements; those of a link without a direction count as straight on."""
        before, after = movements.before, movements.after
        found = np.full(len(before), float(self.straight))
        if self.by_angle:
            angles = deviations(graph, uses, movements, crs)
            found[angles > self.straight_within] = self.right
            found[angles < -self.straight_within] = self.left
        is_back = (uses.heads[after] == uses.tails[before]) & (uses.tails[before] != uses.heads[before])
        others = np.bincount(before[~is_back], minlength=len(uses))
        found[is_back] = np.where(others[before[is_back]] == 0, self.dead_ends, self.u_turns)
        return found
