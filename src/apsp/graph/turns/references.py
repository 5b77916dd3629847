"""Movements and sequences of links that a caller names, as uses of links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray
from apsp.errors import ApspError, GraphError, RequestError, shown
from apsp.graph.model import Graph
from apsp.graph.tables.catalogue import reader_of
from apsp.graph.tables.column import Column, holds_numbers
from apsp.graph.turns.uses import Uses
from apsp.system.arguments import is_integer

__all__ = ["NO_MOVEMENTS", "Named", "movements_of", "sequences_of", "with_others_forbidden"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_BY_LINK, _BY_VERTEX, _OF_GMNS = (
    ("from_link", "to_link"),
    ("from", "via", "to"),
    ("ib_link_id", "ob_link_id", "node_id"),
)
_LINK_ID = "link_id"
_WORDS = (
    "movements are a table with the columns from_link and to_link (numbers of links), or from, via and to (vertices), "
    "and perhaps via and penalty, or those of GMNS; or a list of vertices (from, via, to) or (from, via, to, penalty)"
)


class Named(NamedTuple):
    """Movements that a caller names, each of them once.

    Attributes
    ----------
    before, after : (j,) int64
        Uses of links.
    penalties : (j,) float64
        Infinite: forbidden.
    """

    before: Ints
    after: Ints
    penalties: Floats


NO_MOVEMENTS = Named(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


def movements_of(given: Any, graph: Graph, uses: Uses, unlisted: str | None) -> Named:
    """The movements of a table or of a list of tuples.

    Raises
    ------
    RequestError
        If it is neither, or `unlisted` does not say whether other movements than those of GMNS are allowed.
    GraphError
        If a vertex, a link or a movement does not exist, several links are meant, or a penalty is not one; the message
        names the row, and the links.
    """
    columns = _columns_of(given)
    count = len(next(iter(columns.values())).values)
    if _OF_GMNS[0] in columns:
        return _of_gmns(columns, count, graph, uses, unlisted)
    for column in columns.values():
        _check_rows(column, count)
    penalties = _penalties(columns.get("penalty"), count)
    vias = None if "via" not in columns else _vertices(columns["via"], graph)
    if _BY_LINK[0] in columns:
        from_, to = (_links(columns[name], uses) for name in _BY_LINK)
        before, after = _joined(graph, uses, from_, to, vias)
    else:
        from_, to = (_vertices(columns[name], graph) for name in ("from", "to"))
        assert vias is not None
        before = _between(graph, uses, from_, vias)
        after = _between(graph, uses, vias, to)
    return _once(graph, uses, Named(before, after, penalties))


def _of_gmns(columns: dict[str, Column], count: int, graph: Graph, uses: Uses, unlisted: str | None) -> Named:
    """The movements of a table of GMNS; those without a penalty have none.

    https://github.com/zephyr-data-specs/GMNS/blob/main/docs/spec/movement.md
    """
    if unlisted is None:
        raise RequestError(
            "movements of GMNS say which links are connected: unlisted='forbidden' forbids the others at these nodes, "
            "unlisted='allowed' does not"
        )
    penalty = columns.pop("penalty", None)
    for column in columns.values():
        _check_rows(column, count)
    if penalty is None or penalty.missing.all():
        penalties = np.zeros(count)
    else:
        filled = np.where(penalty.missing, 0, penalty.values)
        penalties = _penalties(penalty._replace(values=filled, missing=np.zeros(count, bool)), count)
    if _LINK_ID not in uses.rows.costs:
        raise GraphError(
            "movements of GMNS name links by link_id, which is not one of the costs of the graph: apsp.read(..., "
            "costs=True) keeps it if it is a number; columns from_link and to_link have the numbers of links instead"
        )
    numbers, vias = uses.rows.costs[_LINK_ID][uses.links], _vertices(columns["node_id"], graph)
    before = _with_number(graph, columns["ib_link_id"], numbers, uses.heads, vias, "ends at")
    after = _with_number(graph, columns["ob_link_id"], numbers, uses.tails, vias, "begins at")
    return _once(graph, uses, Named(before, after, penalties))


def _with_number(graph: Graph, column: Column, numbers: NumPyArray, ends: Ints, vias: Ints, word: str) -> Ints:
    """The uses of links with given numbers at given vertices, of which there must be one."""
    known: dict[tuple[Any, int], list[int]] = {}
    for use, (number, vertex) in enumerate(zip(numbers.tolist(), ends.tolist(), strict=True)):
        known.setdefault((number, vertex), []).append(use)
    found = np.empty(len(vias), np.int64)
    for row, (number, vertex) in enumerate(zip(column.values.tolist(), vias.tolist(), strict=True)):
        uses = known.get((number, vertex), [])
        if len(uses) != 1:
            which = "no link" if not uses else f"{len(uses)} links"
            raise GraphError(
                f"row {row} of column {column.name} of the movements: {which} with the link_id {shown(number)} {word} "
                f"{graph.word(vertex)}"
            )
        found[row] = uses[0]
    return found


def sequences_of(given: Any, graph: Graph, uses: Uses) -> list[tuple[int, ...]]:
    """The sequences of links that a caller forbids, each as its uses.

    Raises
    ------
    RequestError
        If it is not a sequence of sequences of at least two links.
    GraphError
        If a link does not exist, or does not follow the one before, or can do so in two ways.
    """
    if isinstance(given, (str, bytes, dict)) or not isinstance(given, Iterable) or getattr(given, "ndim", 1) == 0:
        raise RequestError(f"forbidden must be a sequence of sequences of links, not {shown(given)}")
    along, against = uses.of_links()
    found = []
    for row, each in enumerate(given):
        if isinstance(each, (str, bytes, dict)) or not isinstance(each, Iterable) or getattr(each, "ndim", 1) == 0:
            raise RequestError(f"forbidden[{row}] must be a sequence of links, not {shown(each)}")
        links = list(each)
        if len(links) < 2:
            raise RequestError(f"forbidden[{row}] has {len(links)} links: a movement has at least two")
        for link in links:
            if not is_integer(link) or not 0 <= link < len(uses.rows):
                raise GraphError(f"forbidden[{row}]: {_no_link(shown(link), uses)}")
        found.append(_sequence(graph, uses, along, against, [int(link) for link in links], f"forbidden[{row}]"))
    return found


def _sequence(graph: Graph, uses: Uses, along: Ints, against: Ints, links: list[int], what: str) -> tuple[int, ...]:
    """The uses of links that follow each other; every way to use them is tried."""
    ways: list[tuple[int, ...]] = [()]
    for link in links:
        options = [int(use) for use in (along[link], against[link]) if use >= 0]
        ways = [(*way, use) for way in ways for use in options if not way or uses.heads[way[-1]] == uses.tails[use]]
    if not ways:
        raise GraphError(f"{what}: no path uses the links {shown(links)} one after the other")
    if len(ways) > 1:
        vias = " or ".join(" and ".join(graph.word(int(uses.heads[use])) for use in way[:-1]) for way in ways[:2])
        raise GraphError(
            f"{what}: the links {shown(links)} follow each other in several ways, via {vias}: from_edges(directed=True)"
            " with a link per direction gives each a number"
        )
    return ways[0]


def with_others_forbidden(named: Named, n: int, uses: Uses) -> Named:
    """These movements, and all others through the same vertices as forbidden ones."""
    through = np.zeros(n, bool)
    through[uses.tails[named.after]] = True
    movements = uses.movements(through)
    penalties = np.full(len(movements.before), np.inf)
    penalties[movements.number(uses, named.before, named.after)] = named.penalties
    return Named(movements.before, movements.after, penalties)


def _columns_of(given: Any) -> dict[str, Column]:
    if not isinstance(given, (str, bytes)) and reader_of(given) is None and isinstance(given, Sequence):
        if not given:
            return {name: Column(name, np.empty(0, np.int64), np.zeros(0, bool)) for name in _BY_VERTEX}
        rows = [tuple(row) if isinstance(row, (tuple, list)) else () for row in given]
        if {len(row) for row in rows} <= {3, 4}:
            full = [(*row, np.inf)[:4] for row in rows]
            given = dict(zip((*_BY_VERTEX, "penalty"), map(list, zip(*full, strict=True)), strict=True))
    found = None if isinstance(given, (str, bytes)) else reader_of(given)
    if found is None:
        raise RequestError(f"{_WORDS}; not {shown(given)}")
    reader, opened = found
    try:
        known = [name for name, _ in reader.columns(opened)]
        kinds = [names for names in (_BY_LINK, _BY_VERTEX, _OF_GMNS) if all(name in known for name in names)]
        if len(kinds) != 1:
            raise RequestError(f"{_WORDS}; the table has {', '.join(map(shown, known[:20])) or 'no columns'}")
        relevant = dict.fromkeys([*kinds[0], *(() if kinds[0] is _OF_GMNS else ("via",)), "penalty"])
        names = [name for name in relevant if name in known]
        return {str(column.name): column for column in reader.read(opened, names)}
    except (ApspError, MemoryError):
        raise
    except Exception as error:  # of the library of the table
        raise GraphError(f"the {type(given).__name__} cannot be read: {' '.join(str(error).split())[:200]}") from error


def _check_rows(column: Column, count: int) -> None:
    if len(column.values) != count:
        raise GraphError(f"column {column.name} of the movements has {len(column.values)} rows, others have {count}")
    if column.missing.any():
        raise GraphError(f"row {int(np.argmax(column.missing))} of column {column.name} of the movements is missing")


def _penalties(column: Column | None, count: int) -> Floats:
    if column is None:
        return np.full(count, np.inf)
    if count and not holds_numbers(column):
        raise GraphError("column penalty of the movements must hold numbers: infinite ones forbid the movement")
    found = np.array([_as_float(value) for value in column.values.tolist()], dtype=np.float64)
    wrong = ~(found >= 0)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise GraphError(f"row {row} of column penalty of the movements is {found[row]:g}: penalties are at least 0")
    return found


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except (OverflowError, TypeError, ValueError):
        return np.nan


def _vertices(column: Column, graph: Graph) -> Ints:
    values = column.values if column.values.dtype.kind in "iu" else column.values.tolist()
    try:
        return graph.labels.positions(values).astype(np.int64)
    except GraphError as error:
        for row, value in enumerate(column.values.tolist()):
            if value not in graph:
                raise GraphError(f"row {row} of column {column.name} of the movements: {error}") from None
        raise


def _links(column: Column, uses: Uses) -> Ints:
    values = column.values
    if values.dtype.kind not in "iu":
        row = next((row for row, value in enumerate(values.tolist()) if not is_integer(value)), 0)
        value = values.tolist()[row] if len(values) else None
        if len(values):
            raise GraphError(f"row {row} of column {column.name} of the movements: {_no_link(shown(value), uses)}")
    wrong = (values < 0) | (values >= len(uses.rows))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise GraphError(f"row {row} of column {column.name} of the movements: {_no_link(str(values[row]), uses)}")
    return values.astype(np.int64)


def _no_link(word: str, uses: Uses) -> str:
    return f"{word} is not one of the {len(uses.rows):,} links, which are numbered from 0 (Graph.links)"


def _joined(graph: Graph, uses: Uses, from_: Ints, to: Ints, vias: Ints | None) -> tuple[Ints, Ints]:
    """The uses of pairs of links that follow each other, at the given vertices if these are known."""
    ways = uses.of_links()
    before, after = (np.full(len(from_), -1) for _ in range(2))
    count = np.zeros(len(from_), np.int64)
    for first in ways:
        for second in ways:
            one, other = first[from_], second[to]
            meets = (one >= 0) & (other >= 0) & (uses.heads[one] == uses.tails[other])
            if vias is not None:
                meets &= uses.heads[one] == vias
            before, after = np.where(meets, one, before), np.where(meets, other, after)
            count += meets
    wrong = np.flatnonzero(count != 1)
    if len(wrong):
        row = int(wrong[0])
        pair = f"row {row} of the movements: link {to[row]} "
        if count[row]:
            vertices = " and ".join(graph.word(int(uses.rows.tails[from_[row]] if end else uses.rows.heads[from_[row]]))
                                    for end in (0, 1))  # fmt: skip
            raise GraphError(f"{pair}follows link {from_[row]} at {vertices}: a column via says where")
        where = "" if vias is None else f" at {graph.word(int(vias[row]))}"
        raise GraphError(f"{pair}does not follow link {from_[row]}{where}")
    return before, after


def _between(graph: Graph, uses: Uses, tails: Ints, heads: Ints) -> Ints:
    """The uses from vertices to others, which must be the only ones."""
    keys = uses.tails * graph.n + uses.heads
    order = np.argsort(keys, kind="stable")
    sought = tails * graph.n + heads
    first, last = (np.searchsorted(keys[order], sought, side) for side in ("left", "right"))
    wrong = np.flatnonzero(last - first != 1)
    if len(wrong):
        row = int(wrong[0])
        ends = f"from {graph.word(int(tails[row]))} to {graph.word(int(heads[row]))}"
        some = uses.links[order[first[row] : last[row]]].tolist()
        if some:
            raise GraphError(
                f"row {row} of the movements: the links {', '.join(map(str, some[:10]))} all lead {ends}: name links by"
                " their numbers, in the columns from_link and to_link"
            )
        raise GraphError(f"row {row} of the movements: no link leads {ends}")
    return order[first]


def _once(graph: Graph, uses: Uses, named: Named) -> Named:
    """Each movement once; two rows of one say the same."""
    order = np.lexsort([named.after, named.before])
    before, after, penalties = (each[order] for each in named)
    same = (before[1:] == before[:-1]) & (after[1:] == after[:-1])
    differ = np.flatnonzero(same & (penalties[1:] != penalties[:-1]))
    if len(differ):
        at = int(differ[0])
        rows = sorted(order[at : at + 2].tolist())
        via = graph.word(int(uses.heads[before[at]]))
        raise GraphError(
            f"rows {rows[0]} and {rows[1]} of the movements are the same one, via {via}, with penalties "
            f"{penalties[at]:g} and {penalties[at + 1]:g}"
        )
    first = np.concatenate([[True], ~same])[: len(before)]
    return Named(before[first], after[first], penalties[first])
