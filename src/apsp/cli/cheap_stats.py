"""Statistics of a graph that cost little, and what all distances would cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from apsp import api
from apsp.bounds.few_searches import by_few_searches
from apsp.cli.inputs import graph_facts, graph_words
from apsp.cli.terminal import Show, number
from apsp.facts.request import Request
from apsp.graph.components import Components
from apsp.graph.degrees import degrees, in_degrees
from apsp.graph.model import Graph
from apsp.graph.turns.entered import streets_of
from apsp.reductions.proven import Proven
from apsp.system.durations import duration

__all__ = [
    "CHEAP",
    "Estimate",
    "estimate_for",
    "extreme_facts",
    "extreme_rows",
    "extremes_of",
    "facts_of_graph",
    "more_facts",
    "more_words",
    "rows_of_graph",
]

CHEAP = 2.0
"""Estimated seconds up to which all distances are computed without --all."""

_MOST_SEARCHES = 32

_OTHERS = (
    "average_shortest_path_length", "center", "global_efficiency", "histogram", "pairs", "total_distance",
    "wiener_index",
)  # fmt: skip


@dataclass(frozen=True)
class Estimate:
    """What the statistics of all distances would take.

    Attributes
    ----------
    seconds : float
    method : str
    """

    seconds: float
    method: str


def estimate_for(graph: Graph, request: dict[str, Any]) -> Estimate:
    """The planner's estimate; request: keyword arguments of `apsp.plan`."""
    plan = api.plan(graph, **request, for_="summary")
    return Estimate(plan.seconds, plan.method)


def extremes_of(graph: Graph, request: dict[str, Any], show: Show) -> Proven | None:
    """Diameter and radius, or bounds, by a few searches; None if the graph or the request needs all rows."""
    options = Request(
        cutoff=request["cutoff"], dtype=request["dtype"], method=request["method"], device=request["device"],
        gpu_memory=request["gpu_memory"], threads=request["threads"], progress=show.bar,
    )  # fmt: skip
    if not graph.n or request["sources"] is not None:
        return None
    return by_few_searches(graph, options, "diameter", "radius", pair=True, most=_MOST_SEARCHES)


def rows_of_graph(graph: Graph, parts: Components) -> list[tuple[str, str]]:
    """Rows of the table: counts, components, degrees and weights."""
    streets = streets_of(graph)
    kind = "strongly connected" if streets.directed else "connected"
    largest = f"the largest with {_largest(parts):,} vertices"
    whole = f"1, {kind}" if parts.count == 1 else f"{parts.count:,} {kind}, {largest}"
    rows = [("graph", graph_words(graph)), (f"components{'' if graph._turned is None else ' without turns'}", whole)]
    if graph.n:
        for name, found in _degrees(streets).items():
            mean = number(found["mean"])
            rows.append((name.replace("_", " "), f"from {found['least']:,} to {found['largest']:,}, mean {mean}"))
    if streets.weights is not None and streets.m:
        least, largest_weight = streets.weight_range
        mean = number(streets.mean_weight)
        rows.append(("weights", f"from {number(least)} to {number(largest_weight)}, mean {mean}"))
    return rows


def facts_of_graph(graph: Graph, parts: Components) -> dict[str, Any]:
    """The same for --json."""
    streets = streets_of(graph)
    has_weights = streets.weights is not None and streets.m > 0
    return {
        "graph": graph_facts(graph),
        "components": {"strong" if streets.directed else "connected": parts.count, "largest": _largest(parts)},
        **(_degrees(streets) if graph.n else {}),
        "weights": None if not has_weights else dict(zip(("least", "largest"), streets.weight_range, strict=True))
        | {"mean": streets.mean_weight},
    }  # fmt: skip


def _degrees(graph: Graph) -> dict[str, dict[str, Any]]:
    found = {"out_degrees": degrees(graph), "in_degrees": in_degrees(graph)}
    named = found if graph.directed else {"degrees": found["out_degrees"]}
    return {
        name: {"least": int(values.min()), "largest": int(values.max()), "mean": float(values.mean())}
        for name, values in named.items()
    }


def _largest(parts: Components) -> int:
    """Vertices of the largest component."""
    return int(parts.sizes.max(initial=0))


def extreme_rows(found: Proven | None) -> list[tuple[str, str]]:
    """Rows of the table: the extremes that are known, or their bounds."""
    if found is None:
        return []
    by = f"by {found.searches:,} searches"
    if found.remaining:
        least, most = _bounds(found)
        upper = "" if most is None else f" and at most {number(most)}"
        return [("diameter", f"at least {number(least)}{upper}, {by}")]
    pair = found.farthest_pair
    return [
        ("diameter", f"{number(found.diameter)}, from {pair.source} to {pair.target}, {by}"),
        ("radius", f"{number(found.radius)}, from {found.center_vertex}, a vertex of the center"),
    ]


def extreme_facts(found: Proven | None) -> dict[str, Any]:
    """The same for --json."""
    facts: dict[str, Any] = dict.fromkeys(("diameter", "diameter_bounds", "farthest_pair", "radius", "searches"))
    if found is None:
        return facts
    facts |= {"searches": found.searches, "diameter_bounds": list(_bounds(found))}
    if not found.remaining:
        facts |= {"diameter": found.diameter, "farthest_pair": vars(found.farthest_pair), "radius": found.radius}
    return facts


def _bounds(found: Proven) -> tuple[int, int | None]:
    """The smallest and the largest possible diameter; None if the searches do not bound it."""
    bounds = found.bounds
    least, most = int(bounds.lower.max()), int(bounds.upper.max())
    return least, None if most >= 2 ** (8 * bounds.upper.itemsize - 2) else most


def more_words(estimate: Estimate, found: Proven | None) -> str:
    """What is not printed, what it would take, and the option that computes it."""
    extremes = "" if found is not None and not found.remaining else "diameter, radius, "
    names = f"{extremes}center, average distance, global efficiency, histogram"
    return f"{names}: about {duration(estimate.seconds)} with {estimate.method}: apsp stats --all"


def more_facts(estimate: Estimate, found: Proven | None) -> dict[str, Any]:
    """The same for --json."""
    extremes = () if found is not None and not found.remaining else ("diameter", "farthest_pair", "radius")
    return {
        "measures": sorted((*extremes, *_OTHERS)), "seconds": estimate.seconds, "method": estimate.method,
        "option": "--all",
    }  # fmt: skip
