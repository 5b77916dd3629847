"""Seconds of a method on the CPU, from its cost model and measured constants.

Every constant is in seconds on one core, and every model is linear in them; each method's `cost.py` describes what they
multiply. All methods share: byte (first touch of a byte of output), sibling (what a second thread of a core adds, as a
share of the core). The models are upper bounds where a request can stop early (cutoff) or a graph has many components
(sources that reach few vertices).
"""

from __future__ import annotations

from apsp.facts.constants import Constants, sibling_of
from apsp.facts.statistics import GraphStatistics
from apsp.facts.work import Work
from apsp.methods import registry
from apsp.methods.method import Method

__all__ = ["seconds_of"]


def seconds_of(
    method: Method, statistics: GraphStatistics, work: Work, constants: Constants, threads: int | None = None
) -> float:
    """Return the expected seconds of a method on the CPU.

    Parameters
    ----------
    method : Method
        A row of the registry.
    statistics, work, constants
        See their classes.
    threads : int, optional
        Threads that run at once, if not those of `work`.
    """
    model = registry.costs(method)
    name = method.name if method.name in constants.values else model.name
    sibling = sibling_of(name, constants)
    work = work.on(threads or work.threads, sibling)
    touch = constants.values["output"]["byte"] * work.output_bytes / work.cores
    return (
        model.seconds(constants.values.get(name, {}), statistics, work.on(method.threads_of(work.threads), sibling))
        + touch
    )
