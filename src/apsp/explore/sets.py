"""Several sets of weights of one network, for one page: the weights of each, beside the contents of the first.

The page has one order and one structure of the factor. Of integers the differences to the first set are written, which
compress well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import JsonObject
from apsp.errors import RequestError, format_bytes, shown
from apsp.explore.contents import Ints, weights_of
from apsp.explore.sections import Sections
from apsp.graph.model import Graph
from apsp.graph.periods import Periods, checked_period

__all__ = ["chosen_of", "factors_held", "refuse_unless_weights_fit", "sections_of_sets"]


def sections_of_sets(graphs: Sequence[Graph], kinds: Sequence[str], arcs: Ints) -> Sections:
    """Write the weights of all graphs but the first, whose numbers in the table are those of the graphs.

    Parameters
    ----------
    graphs : sequence of Graph
        With the same arcs.
    kinds : sequence of {'int32', 'float32', 'float64'}
        The numbers of each in the browser.
    arcs : (a,) int64
        The arcs of the page.
    """
    sections = Sections()
    first = weights_of(graphs[0], kinds[0], arcs)
    for number, (graph, kind) in enumerate(zip(graphs, kinds, strict=True)):
        weights = weights_of(graph, kind, arcs)
        if number == 0:
            continue
        if kind == "int32":
            weights = weights - first if kinds[0] == kind else weights
        sections.add(str(number), weights, "numbers" if kind == "int32" else kind)  # type: ignore[arg-type]
    return sections


def chosen_of(periods: Periods, period: Any, compare: Any) -> JsonObject:
    """What the page starts with: the numbers of a set, and of that which is subtracted, or -1.

    Raises
    ------
    RequestError
        If there is no such set.
    """
    names = periods.names
    first = 0 if period is None else names.index(checked_period(period, names))
    if compare is None:
        return {"chosen": first, "minus": -1}
    minus = names.index(checked_period(compare, names))
    if len(names) < 2 or (period is not None and first == minus):
        raise RequestError(f"compare={shown(compare)} is the set that is shown: name another one, or leave it out")
    return {"chosen": 1 if first == minus else first, "minus": minus}


def factors_held(sets: int, entries: int, dtype: np.dtype[Any], most_bytes: int) -> int:
    """How many factors a page keeps at a time.

    Raises
    ------
    RequestError
        If two of them do not fit, which a comparison takes.
    """
    each = entries * dtype.itemsize
    if 2 * each > most_bytes:
        raise RequestError(
            f"a map of several sets of weights keeps the factors of two, and each takes {format_bytes(each)} of the "
            f"{format_bytes(most_bytes)} of a page in a browser: write one set, periods[name].explore(path)"
        )
    return min(sets, most_bytes // max(1, each))


def refuse_unless_weights_fit(arcs: int, kinds: Sequence[str], most_bytes: int) -> None:
    """Raise RequestError if the page cannot hold the weights of so many arcs in all sets."""
    sizes: npt.NDArray[np.int64] = np.cumsum([arcs * np.dtype(kind).itemsize for kind in kinds])
    if sizes[-1] > most_bytes:
        fitting = int(np.searchsorted(sizes, most_bytes, "right"))
        raise RequestError(
            f"the weights of {len(kinds):,} sets take {format_bytes(int(sizes[-1]))}, and a page in a browser holds "
            f"{format_bytes(most_bytes)}: write {'fewer sets' if fitting < 2 else f'{fitting:,} of them'}"
        )
