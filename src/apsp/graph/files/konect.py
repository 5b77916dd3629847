"""The first comment of a file of KONECT: what its rows are (http://konect.cc)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Konect", "konect"]

_KIND = re.compile(
    r"% *(sym|asym|bip) +(unweighted|positive|posweighted|signed|multisigned|weighted|multiweighted|dynamic|"
    r"multiposweighted)\b",
    re.ASCII,
)
_SIZES = re.compile(r"% *\d+ +(\d+) +(\d+)\b", re.ASCII)


class Konect(NamedTuple):
    """What the comments say.

    Attributes
    ----------
    directed : bool
    bipartite : bool
        The ends are numbered from 1 on two sides: 1 and 1 are different vertices.
    weighted : bool
        The third column is a weight; otherwise it counts equal edges, and paths are counted in hops.
    left : int or None
        Number of vertices of the first side, where it is stated.
    """

    directed: bool
    bipartite: bool
    weighted: bool
    left: int | None


def konect(comments: Sequence[str]) -> Konect | None:
    """What the first comments of a file say; None if it is not a file of KONECT."""
    kind = _KIND.match(comments[0]) if comments else None
    if kind is None:
        return None
    sizes = _SIZES.match(comments[1]) if len(comments) > 1 else None
    return Konect(
        kind[1] == "asym", kind[1] == "bip", kind[2] not in ("unweighted", "positive"), int(sizes[1]) if sizes else None
    )
