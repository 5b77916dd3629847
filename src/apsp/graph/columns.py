"""Which columns of a table of links are the ends, the length and the direction: one rule for files and data frames.

The caller's words decide, then the names that the field uses. Where neither does, an error lists the columns: unknown
names are never read by their position.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NamedTuple

from apsp._types import USUAL
from apsp.errors import RequestError, shown

__all__ = [
    "Field", "Roles", "Words", "alike", "column_named", "ends_among", "folded", "is_name_of_an_end", "listed",
    "roles_of",
]  # fmt: skip

_PAIRS = (
    "source target", "source dest", "source destination", "source sink", "src dst", "src dest", "src target", "from to",
    "tail head", "origin destination", "origin dest", "start end", "u v", "i j", "a b", "v1 v2", "id1 id2",
    "node1 node2", "vertex1 vertex2", "nodea nodeb", "nodei nodej", "row col", "row column",
    "sourceid targetid", "sourcenode targetnode", "sourcevertex targetvertex", "fromid toid", "fromnode tonode",
    "fromnodeid tonodeid", "fromnodeno tonodeno", "fromvertex tovertex", "fromstop tostop", "fromstopid tostopid",
    "frombus tobus", "fbus tbus", "initnode termnode", "startnode endnode", "startnodeid endnodeid", "startid endid",
    "anode bnode", "inode jnode", "edgefrom edgeto", "originid destinationid", "nodefrom nodeto",
    "ifrom ito", "tailid headid", "srcid dstid",
)  # fmt: skip
PAIRS = tuple((pair.split()[0], pair.split()[1]) for pair in _PAIRS)
"""Names of the two ends, folded: of GMNS, AequilibraE, Visum, EMME, Cube, MATPOWER, pandapower, Gephi, SUMO, MATSim,
Neo4j, NetworkX, igraph and SNAP among others."""

VAGUE = frozenset({"u", "i", "a", "v1", "id1", "node1", "vertex1", "nodea", "nodei", "start", "row"})
"""Tails of pairs that may be names of vertices or of other columns, too: clearer pairs come before them."""

LENGTHS = ("weight", "length", "cost", "distance", "dist", "value", "w", "time", "traveltime", "wt", "len", "latency",
           "l2dist", "l2distance", "duration", "c", "data")  # fmt: skip
"""Usual names of lengths, folded, the first ones before the others."""

_NUMBERS_OF_LINKS = frozenset({
    "", "id", "linkid", "edgeid", "arcid", "key", "index", "unnamed:0", "fid", "gid", "objectid", "osmid", "osmwayid",
    "no", "link:no", "edge", "link", "number",
})  # fmt: skip
"""Names of columns that say which link it is: never a length unless the caller names them."""

_OTHER_NUMBERS = frozenset({
    "capacity", "lanes", "lane", "year", "month", "day", "timestamp", "unixts", "sign", "label", "type", "linktype",
    "dirflag", "speed", "freespeed", "speedlimit", "maxspeed", "population", "flow", "volume",
    "probability", "similarity", "rating", "layer", "count", "b", "power",
})  # fmt: skip
"""Usual names of other numbers: the only column of numbers is not taken for a length if it is called so."""

_DIRECTIONS = ("directed", "oneway", "type")


class Field(NamedTuple):
    """A column: its name, and whether it holds numbers."""

    name: Hashable
    number: bool


class Words(NamedTuple):
    """How the caller names columns, for messages."""

    source: str = "source"
    target: str = "target"
    weight: str = "weight"
    hops: str = "weight=None"


class Roles(NamedTuple):
    """Positions of the columns, and what the caller should know of the choice."""

    tail: int
    head: int
    length: int | None
    direction: int | None
    notes: tuple[str, ...] = ()


def folded(name: Hashable) -> str:
    """A name without case, blanks, quotes, underscores, hyphens, and the prefixes of Visum and Neo4j."""
    text = re.sub(r"[\s_\-.\"'\ufeff]", "", str(name).lower())
    return text.removeprefix("$link:").removeprefix("$").removeprefix(":")


def ends_among(names: Sequence[Hashable]) -> tuple[bool, int, int] | None:
    """Whether the names of two ends may be something else, and their positions; None if there are none."""
    place = {folded(name): at for at, name in enumerate(names)}
    return min(
        ((tail in VAGUE, place[tail], place[head]) for tail, head in PAIRS if tail in place and head in place),
        default=None,
    )


def is_name_of_an_end(name: Hashable) -> bool:
    """Whether it is the name of one end, and hardly that of anything else."""
    return any(folded(name) in (tail, head) for tail, head in PAIRS if tail not in VAGUE)


def roles_of(
    fields: Sequence[Field], source: Any, target: Any, weight: Any, words: Words | None = None, hint: str = ""
) -> Roles:
    """Choose the columns.

    Parameters
    ----------
    fields : sequence of Field
        All columns.
    source, target : hashable or None
        The names that the caller gave.
    weight : hashable, None or USUAL
        None counts hops.
    hint : str
        For messages: what may help where a column is missing.

    Raises
    ------
    RequestError
        If a column does not exist or is not clear; the message lists the columns.
    """
    words = words or Words()
    tail = None if source is None else column_named(fields, source, words.source, hint)
    head = None if target is None else column_named(fields, target, words.target, hint)
    if tail is None or head is None:
        tail, head = _usual_ends(fields, tail, head, words, hint)
    notes: list[str] = []
    length = None
    if weight is USUAL:
        length = _usual_length(fields, (tail, head), words, notes)
    elif weight is not None:
        length = column_named(fields, weight, words.weight)
    rest = [place for place in range(len(fields)) if place not in (tail, head, length)]
    direction = next((p for word in _DIRECTIONS for p in rest if folded(fields[p].name) == word), None)
    return Roles(tail, head, length, direction, tuple(notes))


def column_named(fields: Sequence[Field], given: Any, what: str, hint: str = "") -> int:
    """The position of a column that the caller names: exactly, or else without regard to case.

    Raises
    ------
    RequestError
        If there is none, or there are several.
    """
    found = alike([field.name for field in fields], given)
    if len(found) == 1:
        return found[0]
    if found:
        raise RequestError(f"{what}={shown(given)}: the table has {len(found)} columns of this name; rename one")
    raise RequestError(f"{what}={shown(given)}: the table has the columns {listed(fields)}{hint}")


def alike(names: Iterable[Hashable], given: Any) -> list[int]:
    """The positions of the names that are equal to a given one, or else of those that are so without regard to case."""
    every = list(names)
    found = [place for place, name in enumerate(every) if _equal(name, given)]
    if not found and isinstance(given, str):
        found = [place for place, name in enumerate(every) if str(name).lower() == given.lower()]
    return found


def listed(fields: Sequence[Field]) -> str:
    """The names of the columns, for messages."""
    names = [shown(field.name) for field in fields[:20]]
    return ", ".join(names) + (", ..." if len(fields) > 20 else "") if names else "(none)"


def _equal(name: Any, given: Any) -> bool:
    try:
        return bool(name == given)
    except Exception:  # what a comparison with an odd value raises
        return False


def _usual_ends(
    fields: Sequence[Field], tail: int | None, head: int | None, words: Words, hint: str
) -> tuple[int, int]:
    """The columns whose names are those of two ends; one of them may be given."""
    places: dict[str, list[int]] = {}
    for place, field in enumerate(fields):
        places.setdefault(folded(field.name), []).append(place)
    found = {
        (t, h): first in VAGUE
        for first, second in PAIRS
        for t in places.get(first, [])
        for h in places.get(second, [])
        if t != h and tail in (None, t) and head in (None, h)
    }
    if not found and tail is not None:
        found = {(tail, h): False for _, second in PAIRS for h in places.get(second, []) if h != tail}
    elif not found and head is not None:
        found = {(t, head): False for first, _ in PAIRS for t in places.get(first, []) if t != head}
    chosen = [ends for ends, vague in found.items() if not vague] or list(found)
    if len(chosen) == 1:
        return chosen[0]
    wanted = ", ".join(f"{word}=..." for word, place in ((words.source, tail), (words.target, head)) if place is None)
    several = " (several may be the ends)" if chosen else ""
    raise RequestError(
        f"the table has the columns {listed(fields)}{several}: name those with the ends of the edges ({wanted}){hint}"
    )


def _usual_length(fields: Sequence[Field], ends: tuple[int, int], words: Words, notes: list[str]) -> int | None:
    """A column with a usual name, or the only other column of numbers."""
    rest = [place for place in range(len(fields)) if place not in ends]
    others = _NUMBERS_OF_LINKS.union(_DIRECTIONS)
    numbers = [place for place in rest if fields[place].number and folded(fields[place].name) not in others]
    usual = next((p for some in (numbers, rest) for w in LENGTHS for p in some if folded(fields[p].name) == w), None)
    if usual is not None:
        column_named(fields, fields[usual].name, words.weight)  # one column of this name
        more = [fields[place] for place in numbers if place != usual]
        if more:
            name = shown(fields[usual].name)
            notes.append(f"the lengths are the column {name}; others of numbers: {listed(more)} ({words.weight}=...)")
        return usual
    if not numbers:
        return None
    if len(numbers) > 1 or folded(fields[numbers[0]].name) in _OTHER_NUMBERS:
        raise RequestError(
            f"the table has the columns {listed(fields)}: name the one with the lengths of the edges "
            f"({words.weight}=...), or count hops ({words.hops})"
        )
    column_named(fields, fields[numbers[0]].name, words.weight)
    notes.append(f"the lengths are the column {shown(fields[numbers[0]].name)}, the only other one of numbers")
    return numbers[0]
