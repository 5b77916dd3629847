"""What statistics of groups add to the plan of a summary."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from apsp._types import GraphLike, VerticesLike
from apsp.errors import RequestError, format_bytes
from apsp.graph.accept import as_graph
from apsp.graph.model import Graph
from apsp.measures.groups import GroupsLike
from apsp.planning.plan import Plan
from apsp.reductions.set_distances import SetDistances
from apsp.running.arguments import positions_of

__all__ = ["PlannedSets", "planned_sets"]


@dataclass(frozen=True)
class PlannedSets:
    """Statistics of groups that are planned.

    Attributes
    ----------
    sets : SetDistances
        Without rows.
    held : int
        Bytes of the numbers.
    """

    sets: SetDistances
    held: int

    def added_to(self, decided: Plan) -> Plan:
        """The plan with these numbers in its result."""
        groups = len(self.sets.numbers.groups)
        words = f"Statistics within and between {groups:,} groups: {format_bytes(self.held)} more for the result."
        memory = [place for place, each in enumerate(decided.reasons) if each.startswith(("Memory: ", "Host memory: "))]
        after = memory[-1] + 1 if memory else len(decided.reasons)
        reasons = (*decided.reasons[:after], words, *decided.reasons[after:])
        return replace(decided, bytes_output=decided.bytes_output + self.held, reasons=reasons)


def planned_sets(
    graph: GraphLike,
    sources: VerticesLike | None,
    groups: GroupsLike | None,
    quantiles: float | Iterable[float],
    bins: int,
    for_: str,
) -> tuple[GraphLike, PlannedSets | None]:
    """Plan what `summary` keeps of groups, and convert the graph if there are any.

    Raises
    ------
    RequestError
        If they are invalid, or not of a summary.
    MemoryLimitError
        If the numbers do not fit.
    """
    if groups is None and isinstance(quantiles, tuple) and not quantiles and isinstance(bins, int) and not bins:
        return graph, None
    if for_ != "summary":
        raise RequestError("groups, quantiles and bins are of summaries: plan with for_='summary', or leave them out")
    from apsp.measures.summary_parts import parts_for  # with the first groups: `import apsp` stays quick

    made: Graph = as_graph(graph)
    given = positions_of(made, sources, "sources")
    parts = parts_for(made, given, None, groups, quantiles, columns=False, bins=bins, edges=None, reciprocals=True)
    if parts.sets is None:
        return made, None
    sets: SetDistances = parts.sets.reducer(1)
    windows = 0 if sets.windows is None else 8 * sets.sums.pairs.size * sets.windows.bins
    return made, PlannedSets(sets, parts.sets.bytes_needed + windows)
