"""What some sources reach within a cutoff, which the cost of near pairs depends on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from apsp.methods.problem import IntArray
from apsp.methods.searches.near import NearFinder, NearRows

__all__ = ["Sampled", "sampled"]

_PROBES, _FIRST_PROBES, _MANY_PAIRS = 64, 8, 1 << 18
"""Sources that are searched from: all of them, unless the first ones have many pairs."""


class Sampled(NamedTuple):
    """Pairs of some of the sources.

    Attributes
    ----------
    sources : (S,) int32
    pairs : NearRows
    """

    sources: IntArray
    pairs: NearRows

    @property
    def reached(self) -> float:
        """The mean number of vertices within the cutoff."""
        return len(self.pairs.targets) / len(self.sources)


def sampled(
    searches: NearFinder, sources: IntArray, cutoff: float | None, threads: int, most: int = 2**62
) -> Sampled | None:
    """Search from some of the sources, at least one; None if the first ones have more than `most` pairs."""
    count = min(_PROBES, len(sources))
    some = sources[np.linspace(0, len(sources) - 1, count).astype(np.int64)]
    first = some[:: max(count // _FIRST_PROBES, 1)].copy()
    found = searches.find(first, cutoff, most=most, threads=threads)
    if found is None or len(found.targets) >= _MANY_PAIRS:
        return None if found is None else Sampled(first, found)
    found = searches.find(some, cutoff, threads=threads)
    assert found is not None
    return Sampled(some, found)
