"""A graph with turns from movements, sequences of links, and rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from apsp._types import GraphLike, TableLike, VertexLike
from apsp.errors import RequestError
from apsp.graph.accept import as_graph
from apsp.graph.places.frames import frame_of
from apsp.graph.turns.expansion import expanded, ways_of
from apsp.graph.turns.references import NO_MOVEMENTS, movements_of, sequences_of, with_others_forbidden
from apsp.graph.turns.rules import Rules
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.graph.turns.uses import uses_of
from apsp.system.arguments import number, one_of
from apsp.system.lack_of_memory import memory_errors

__all__ = ["with_turns"]


@memory_errors
def with_turns(
    graph: GraphLike,
    movements: TableLike | Sequence[Sequence[VertexLike]] | None = None,
    *,
    forbidden: Iterable[Iterable[int]] = (),
    unlisted: Literal["allowed", "forbidden"] | None = None,
    u_turns: float = 0,
    dead_ends: float | None = None,
    left: float = 0,
    right: float = 0,
    straight: float = 0,
    straight_within: float = 45,
    crs: Literal["degrees", "microdegrees", "plane"] | str | None = None,  # noqa: PYI051 - completed by editors
) -> TurnGraph:
    """Return a graph with forbidden and penalised movements from link to link.

    A path may begin at a vertex along any link, and end after any. In between, each movement from a link to the next
    one costs its penalty, or is forbidden.

    Parameters
    ----------
    graph : GraphLike
        Whatever `as_graph` takes, with weights of at least 0.
    movements : table, or list of tuples, optional
        Movements with their penalties. A table (a data frame of any library, a dictionary of columns) has the columns
        `from_link` and `to_link`, numbers of links, and, where two links meet at both of their ends, `via`, a vertex;
        or the columns `from`, `via` and `to`, vertices: along the only link from the first to the second, then along
        the only link from there to the third. A list has tuples (from, via, to) of vertices. The column `penalty` (of a
        tuple the fourth value), in the unit of the weights, is at least 0, and infinite where the movement is
        forbidden, as all are without it. These count in place of the rules below. A table of GMNS (`movement.csv`) has
        the columns `ib_link_id`, `ob_link_id`, `node_id` and `penalty`: links are named by the cost `link_id` of the
        graph, and those without a penalty have none. Its column `allowed_uses` is not considered.
    forbidden : sequence of sequences of int, optional
        Links that no path uses one directly after the other: two of them, or more, as where an entry and an exit are
        forbidden only together.
    unlisted : {'allowed', 'forbidden'}, optional
        'forbidden' forbids all movements that the table does not list, through the vertices of those that it lists.
        By default the rules below hold for them; a table of GMNS needs the argument, since GMNS does not say it.
    u_turns : number
        Penalty of movements back to the vertex that the link comes from; `math.inf` forbids them.
    dead_ends : number, optional
        Penalty of those where nothing else leads on; by default `u_turns`.
    left, right, straight : number
        Penalties of all other movements by their angle. Where traffic keeps to the left, it is turns to the right that
        cross it.
    straight_within : number
        Degrees up to which a movement is straight on, to either side.
    crs : {'degrees', 'microdegrees', 'plane'}, optional
        For angles: what the coordinates are, as for `Graph.snap`; needed unless the graph knows it. y points to the
        left of x, as north of east.

    Returns
    -------
    TurnGraph
        The graph, which functions of distances, oracles, near pairs, isochrones, skims and measures of distances take.
        All other functions refuse it, and say which take it.

    Raises
    ------
    GraphError
        If it is not a graph; if a vertex, link or movement does not exist, or several are meant (the message names the
        row, and the links); if a penalty is not one, or too large to be exact; if the graph has no coordinates for
        angles.
    RequestError
        If an argument is invalid, a weight negative, or it is not clear what the coordinates are.
    MemoryLimitError
        If there are too many movements.

    See Also
    --------
    line_graph : The graph of all links and movements.

    Notes
    -----
    Links are numbered as in `Graph.links`. A graph that keeps none has its arcs as links (an undirected one its edges,
    in the order of `to_edges`), and of parallel links only the best: `from_edges(..., links=True)` and
    `read(..., links=True)` keep all, as does a cost. A forbidden movement may make another of them the best.

    With integer weights, whole penalties give exact integer distances, and others float64 ones. No movement leads
    through a zone (`Graph.zones`). A movement from or to a loop is no U-turn. A link without a direction, because all
    its points are one, leads straight on.

    Only vertices with restricted movements are expanded (`TurnGraph.expanded`): a graph of m arcs with movements
    restricted at every vertex has n + m vertices then.

    Examples
    --------
    >>> import apsp, math
    >>> corner = apsp.from_edges(
    ...     [("a", "x", 60), ("x", "b", 60), ("x", "c", 60), ("c", "b", 60)], directed=False, links=True
    ... )
    >>> turned = apsp.with_turns(corner, [("a", "x", "b")])
    >>> apsp.distance(corner, "a", "b"), apsp.distance(turned, "a", "b"), apsp.shortest_path(turned, "a", "b")
    (120, 180, ['a', 'x', 'c', 'b'])
    >>> slower = apsp.with_turns(corner, {"from_link": [0], "to_link": [1], "penalty": [20]}, u_turns=math.inf)
    >>> apsp.distance(slower, "a", "b"), apsp.distance(slower, "b", "a")
    (140, 120)
    """
    graph = as_graph(graph)
    if graph.has_negative_arc:
        raise RequestError(f"turns need weights of at least 0, and the smallest is {graph.weight_range[0]}")
    back = number(u_turns, "u_turns", least=0)
    rules = Rules(
        back,
        back if dead_ends is None else number(dead_ends, "dead_ends", least=0),
        number(left, "left", least=0),
        number(right, "right", least=0),
        number(straight, "straight", least=0),
        number(straight_within, "straight_within", least=0),
    )
    if rules.straight_within > 180:
        raise RequestError(f"straight_within must be at most 180 degrees, not {rules.straight_within:g}")
    if crs is not None:
        frame_of(crs, graph.crs)
    if unlisted is not None:
        one_of(unlisted, "unlisted", ("allowed", "forbidden"))
        if movements is None:
            raise RequestError(f"unlisted={unlisted!r} is of movements that a table does not list: give movements")
    uses = uses_of(graph)
    named = NO_MOVEMENTS if movements is None else movements_of(movements, graph, uses, unlisted)
    if unlisted == "forbidden":
        named = with_others_forbidden(named, graph.n, uses)
    sequences = sequences_of(forbidden, graph, uses)
    ways = ways_of(graph, uses, named, sequences, rules, crs)
    made = expanded(graph, uses, ways)
    table = {
        "from_link": uses.links[named.before], "to_link": uses.links[named.after],
        "via": graph.labels.take(uses.heads[named.before]), "penalty": named.penalties.copy(),
    }  # fmt: skip
    links = tuple(tuple(uses.links[list(each)].tolist()) for each in sequences)
    return TurnGraph(graph, made.graph, ways.vertices, made.links, table, links, {**rules._asdict(), "crs": crs})
