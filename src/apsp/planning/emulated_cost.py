"""Seconds of methods on emulated GPUs, from constants that are data by method (facts/emulated.json)."""

from __future__ import annotations

import functools
import json
from importlib import resources
from typing import Any

from apsp.facts.placement import Placement
from apsp.facts.statistics import GraphStatistics
from apsp.facts.work import Work
from apsp.methods import registry
from apsp.methods.cost import Values
from apsp.methods.method import Method

__all__ = ["constants_of", "modelled", "seconds_emulated"]


def seconds_emulated(
    method: Method, statistics: GraphStatistics, work: Work, placement: Placement | None
) -> tuple[float, str]:
    """Return the seconds from the graph to the result, both in host memory, and the origin of the constants.

    Parameters
    ----------
    placement : Placement or None
        Where the matrix is stored; None if it does not fit.
    """
    values = constants_of(method)
    return modelled(method, values, statistics, work, placement), str(_table()["origin"])


def constants_of(method: Method) -> Values:
    """Return the constants of a method."""
    values: Values = _table()["methods"][method.name]
    return values


def modelled(
    method: Method, values: Values, statistics: GraphStatistics, work: Work, placement: Placement | None
) -> float:
    """Return the seconds for other constants; the model is linear in them."""
    return registry.costs(method).emulated(values, statistics, work, placement)


@functools.cache
def _table() -> dict[str, Any]:
    text = resources.files("apsp.facts").joinpath("emulated.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)
    return table
