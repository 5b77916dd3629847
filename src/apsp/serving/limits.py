"""How much a server takes on."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True)
class Limits:
    """The limits of a server.

    Attributes
    ----------
    points : int
        Of a request.
    cells : int
        Numbers of a table; one with durations and distances has two per pair.
    alternatives : int
        Routes beside the first one.
    corners : int
        Points of the lines of a route with steps or annotations.
    requests : int
        That wait or are computed; more are refused until one of them ends.
    seconds : float
        For a request.
    """

    points: int = 1000
    cells: int = 250_000
    alternatives: int = 3
    corners: int = 100_000
    requests: int = 2000
    seconds: float = 30.0
