"""What a plan of a summary says of statistics of groups."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from apsp._types import VerticesLike
from apsp.errors import RequestError
from apsp.graph.accept import as_graph
from apsp.graph.model import Graph
from apsp.measures.groups import GroupsLike
from apsp.planning.plan import Plan
from apsp.planning.reason import reason
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
    size : int
        Bytes of the numbers.
    """

    sets: SetDistances
    size: int

    def added_to(self, plan: Plan) -> Plan:
        """The plan with these numbers in its result."""
        more = reason("group_memory", groups=len(self.sets.numbers.groups), size=self.size)
        kinds = [each.kind for each in plan.why]
        after = kinds.index("memory") + 1 if "memory" in kinds else len(kinds)
        why = (*plan.why[:after], more, *plan.why[after:])
        return replace(plan, bytes_output=plan.bytes_output + self.size, why=why)


def planned_sets(
    graph: Graph, sources: VerticesLike | None, groups: GroupsLike | None, quantiles: Any, bins: int, for_: str
) -> tuple[Graph, PlannedSets | None]:
    """Plan what `summary` keeps of groups, of a graph without turns; errors are those of `apsp.plan`."""
    if groups is None and isinstance(quantiles, tuple) and not quantiles and isinstance(bins, int) and not bins:
        return graph, None
    if for_ != "summary":
        raise RequestError("groups, quantiles and bins are of summaries: plan with for_='summary', or leave them out")
    from apsp.measures.summary import parts_for  # with the first groups: `import apsp` stays quick

    graph = as_graph(graph)
    given = positions_of(graph, sources, "sources")
    parts = parts_for(graph, given, None, groups, quantiles, columns=False, bins=bins, edges=None, reciprocals=True)
    if parts.sets is None:
        return graph, None
    sets: SetDistances = parts.sets.reducer(1)
    windows = 0 if sets.windows is None else 8 * sets.sums.pairs.size * sets.windows.bins
    return graph, PlannedSets(sets, parts.sets.bytes_needed + windows)
