"""OpenStreetMap extracts, `.osm.pbf` and `.osm`: the streets for cars, bicycles or pedestrians.

Needs osmium (`pip install 'apsp[osm]'`). `mode` is 'car' (the default), 'bike' or 'foot'. Vertices are the nodes where
streets meet, and the ends of ways; nodes in between are the bends of a street (`Graph.links.bends`). Labels are the
numbers of the nodes, coordinates are longitude and latitude in degrees. The length of an arc is the travel time in
seconds (speeds: osm_streets.py), or the length of the street in metres with `cost="length"`. One-way streets, also
reversed ones and roundabouts, have arcs in one direction only. A way that leaves the extract is cut where its nodes are
missing, and a note counts such ways. Nodes, ways and relations may stand in any order, and have any numbers. Most
`.osm.pbf` files are decoded block by block (osm_blocks.py), others by osmium, one way after the other, with the same
result. Turn restrictions are read with `turns=True` (osm_restrictions.py, osm_movements.py); otherwise a note counts
them.
"""

from __future__ import annotations

import dataclasses
import io
import re
from array import array
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.errors import ApspError, FileFormatError, MissingDependencyError, RequestError, shown
from apsp.graph.bends import Bends
from apsp.graph.files.options import ReadOptions, build
from apsp.graph.files.osm_blocks import DamagedError, Extract, UnusualError, extract_of
from apsp.graph.files.osm_movements import Streets, forbidden_by
from apsp.graph.files.osm_restrictions import Restriction, restriction_of, types_of
from apsp.graph.files.osm_streets import MODES, speeds
from apsp.graph.files.osm_text import Marks, marks_of
from apsp.graph.files.source import Source
from apsp.graph.model import Graph
from apsp.graph.sphere import bearings, metres_between
from apsp.graph.turns.making import with_turns
from apsp.graph.turns.turn_graph import TurnGraph

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

NAMES = ("osm", "pbf")
SUFFIXES = (".pbf", ".osm")
COSTS = {None: "time", "time": "time", "travel_time": "time", "length": "length", "distance": "length"}
_BLOCK = 8 << 20
_XML = re.compile(rb"<osm[\s>]")
_PLACE = re.compile(r"at line (\d+), column (\d+)")


def sniff(head: bytes, name: str) -> int:
    """Score how much the file looks like this format: 0 (not) to 100."""
    if head[4:15] == b"\n\tOSMHeader" or _XML.search(head[:2048]):
        return 100
    return 30 * name.endswith(".osm.pbf")


def read(source: Source, options: ReadOptions) -> Graph:
    """Read the streets for the mode."""
    ways, restrictions = _parsed(source, options)
    if restrictions:
        are = "restriction is" if len(restrictions) == 1 else "restrictions are"
        source.notes.append(f"{len(restrictions):,} turn {are} not read; turns=True honours what holds at all times")
    return _graph(source, options, ways.streets(loops=False))


def read_turned(source: Source, options: ReadOptions) -> TurnGraph:
    """Read the streets for the mode, with turn restrictions.

    Streets from a junction to itself are links, too, since they are a way to turn round.
    """
    if options.directed is False or options.parallel not in (None, "min"):
        raise RequestError("turns=True needs one-way streets and all links: leave out directed and parallel")
    ways, restrictions = _parsed(source, options)
    found = ways.streets(loops=True)
    graph = _graph(source, dataclasses.replace(options, links=True), found)
    vertices = {node: found.vertex_of(node) for each in restrictions for node in each.via_nodes}
    forbidden = forbidden_by(restrictions, found.streets, {node: at for node, at in vertices.items() if at is not None})
    if restrictions:
        source.notes.append(
            f"{len(restrictions):,} turn restriction{'s' * (len(restrictions) != 1)}; movements forbidden: "
            f"{len(forbidden.sequences):,}"
        )
    source.notes += forbidden.notes
    pairs = [each for each in forbidden.sequences if len(each) == 2]
    table = {"from_link": [before for before, _ in pairs], "to_link": [after for _, after in pairs]}
    return with_turns(graph, table, forbidden=[each for each in forbidden.sequences if len(each) > 2])


def _parsed(source: Source, options: ReadOptions) -> tuple[_Ways, list[Restriction]]:
    """The ways and restrictions for the mode."""
    mode = "car" if options.mode is None else options.mode
    if mode not in MODES:
        raise RequestError(f"mode={shown(mode)}: it must be one of {', '.join(MODES)}")
    if options.cost is not None and options.cost not in list(COSTS):
        raise RequestError(f"cost={shown(options.cost)}: streets have 'time' (seconds) and 'length' (metres)")
    try:
        import osmium  # noqa: F401
    except ImportError as error:
        raise MissingDependencyError("osmium", "reading OpenStreetMap files", "osm") from error
    packed = source.all_bytes() if source.packed else None
    extract = _extract(source, packed)
    try:
        ways, restrictions = _one_by_one(source, packed, mode) if extract is None else _of_extract(extract, mode)
    except ApspError:
        raise
    except Exception as error:  # osmium may raise any exception for damaged bytes
        raise _damaged(source, error) from error
    if not ways.parts:
        lost = f"; the nodes of {_counted(ways.cut)} are not in it" if ways.cut else ""
        raise source.fail(f"there are no streets for mode={mode!r} in it{lost}")
    source.notes.append(f"streets for {mode}; arcs are {'seconds' if COSTS[options.cost] == 'time' else 'metres'} long")
    if ways.cut:
        are = "is" if ways.cut == 1 else "are"
        source.notes.append(f"{_counted(ways.cut)} {are} cut where nodes are not in the file")
    if ways.repeated:
        are = "is" if ways.repeated == 1 else "are"
        source.notes.append(
            f"{_counted(ways.repeated)} {are} in the file several times, and all of them are read: were extracts of "
            "several days put together?"
        )
    return ways, restrictions


def _graph(source: Source, options: ReadOptions, found: _Found) -> Graph:
    costs = {"time": found.seconds, "length": found.metres}
    return build(
        source, options, found.tails, found.heads, costs[COSTS[options.cost]], n=len(found.labels), directed=True,
        labels=found.labels, coordinates=found.points, costs=costs, crs="degrees", bends=found.bends,
    )  # fmt: skip


def _counted(count: int) -> str:
    return f"{count:,} street{'s' * (count != 1)}"


def _is_pbf(source: Source) -> bool:
    return source.head[4:15] == b"\n\tOSMHeader"


def _extract(source: Source, packed: bytes | None) -> Extract | None:
    """The nodes and streets of a `.osm.pbf` file of the usual kind; None of another file."""
    if not _is_pbf(source):
        return None
    try:
        stream = source.place.open("rb") if packed is None else io.BytesIO(packed)
    except OSError:
        return None
    with stream:
        try:
            return extract_of(stream, source.report if packed is None else None)
        except UnusualError:
            return None
        except DamagedError as error:
            raise _damaged(source, error) from error


def _of_extract(extract: Extract, mode: str) -> tuple[_Ways, list[Restriction]]:
    """The ways and restrictions for a mode."""
    import osmium

    ways = _Ways(mode)
    ways.add_all(extract)
    if not extract.relations:
        return ways, []
    wanted = osmium.filter.TagFilter(*(("type", each) for each in types_of(mode)))
    file = osmium.io.FileBuffer(extract.relations, "pbf")
    relations = osmium.FileProcessor(file, osmium.osm.RELATION).with_filter(wanted)
    return ways, [found for each in relations if (found := restriction_of(each, mode)) is not None]


def _one_by_one(source: Source, packed: bytes | None, mode: str) -> tuple[_Ways, list[Restriction]]:
    """The ways and restrictions, as osmium reads them.

    osmium finds nodes that stand before the ways and have positive numbers; others are found by another pass.
    """
    import osmium

    kind = "pbf" if _is_pbf(source) else "osm"

    def file() -> Any:
        return osmium.io.File(str(source.place), kind) if packed is None else osmium.io.FileBuffer(packed, kind)

    def elements(kinds: Any) -> Any:
        return osmium.FileProcessor(file(), kinds)

    def blocks() -> Iterator[bytes]:
        with source.place.open("rb") if packed is None else io.BytesIO(packed) as stream:
            while block := stream.read(_BLOCK):
                yield block

    with osmium.io.Reader(file(), osmium.osm.NOTHING) as reader:
        has_versions = reader.header().has_multiple_object_versions
    if has_versions:
        raise source.fail("it has several versions of its elements; `osmium time-filter` makes an extract of a moment")
    marks = Marks(frozenset(), has_late_nodes=True) if kind == "pbf" else marks_of(blocks)
    ways = _Ways(mode)
    restrictions = _walk(elements, ways, marks.removed)
    if ways.lost and (marks.has_late_nodes or min(ways.lost) < 0):
        places = _places(elements(osmium.osm.NODE), ways.lost)
        if places:
            ways = _Ways(mode, places)
            restrictions = _walk(elements, ways, marks.removed)
    return ways, restrictions


def _walk(elements: Callable[[Any], Any], ways: _Ways, removed: frozenset[tuple[str, int]]) -> list[Restriction]:
    """Add the ways, with the nodes that osmium finds; return the restrictions."""
    import osmium

    kinds = osmium.osm.WAY | osmium.osm.RELATION
    streets = osmium.filter.KeyFilter("highway").enable_for(osmium.osm.WAY)
    typed = osmium.filter.KeyFilter("type").enable_for(osmium.osm.RELATION)
    found = elements(osmium.osm.NODE | kinds).with_locations().with_filter(osmium.filter.EntityFilter(kinds))
    restrictions = []
    for each in found.with_filter(streets).with_filter(typed):
        if each.deleted or ("way" if each.is_way() else "relation", each.id) in removed:
            continue
        if each.is_way():
            ways.add(each)
        elif (restriction := restriction_of(each, ways.mode)) is not None:
            restrictions.append(restriction)
    return restrictions


def _places(nodes: Any, wanted: set[int]) -> dict[int, tuple[int, int]]:
    """The places of nodes."""
    import osmium

    if min(wanted) >= 0:  # the filter takes no others
        nodes = nodes.with_filter(osmium.filter.IdFilter(wanted))
    found = ((node.id, node.location) for node in nodes if node.id in wanted)
    return {number: (location.x, location.y) for number, location in found if location.valid()}


def _damaged(source: Source, error: Exception) -> FileFormatError:
    words = " ".join(str(error).split())[:120] or type(error).__name__
    place = _PLACE.search(words)
    where = (int(place[1]), int(place[2])) if place else ()
    return source.fail(f"the OpenStreetMap data are damaged or cut short ({words})", *where)


class _Found(NamedTuple):
    """The links of ways, those along them first; of each vertex its node, and its longitude and latitude."""

    tails: Ints
    heads: Ints
    seconds: Floats
    metres: Floats
    labels: Ints
    points: Floats
    bends: Bends
    streets: Streets
    inner: Ints
    """Nodes that are no vertices, ascending."""

    def vertex_of(self, node: int) -> int | None:
        """The vertex of a node, -1 of one inside a street; None if it is on none."""
        at = int(np.searchsorted(self.labels, node))
        if at < len(self.labels) and self.labels[at] == node:
            return at
        at = int(np.searchsorted(self.inner, node))
        return -1 if at < len(self.inner) and self.inner[at] == node else None


class _Ways:
    """The ways open to a mode, one node after the other; a part is a way, or a piece of a way with missing nodes."""

    def __init__(self, mode: str, places: Mapping[int, tuple[int, int]] | None = None) -> None:
        self.cut = 0
        """The number of ways some of whose nodes are missing."""
        self.lost: set[int] = set()
        """Missing nodes of single ways."""
        self.mode = mode
        self._places = places or {}
        self._nodes = array("q")
        self._x, self._y = array("i"), array("i")  # degrees times 10^7
        self._starts = array("q")
        self._ways, self._open, self._closed = array("q"), array("q"), array("q")
        self._along, self._against = array("d"), array("d")

    @property
    def parts(self) -> int:
        """Return the number of parts."""
        return len(self._starts)

    @property
    def repeated(self) -> int:
        """Return how many numbers several ways have."""
        every = np.concatenate([np.array(self._open), np.array(self._closed)])
        return int((np.unique(every, return_counts=True)[1] > 1).sum())

    def add(self, way: Any) -> None:
        """Add a way if it is open."""
        along, against = speeds(dict(way.tags), self.mode)
        if not along and not against:
            self._closed.append(way.id)
            return
        self._open.append(way.id)
        piece: list[tuple[int, int, int]] = []
        lost = []
        for node in way.nodes:
            place = node.location
            at = (place.x, place.y) if place.valid() else self._places.get(node.ref)
            if at is None:
                lost.append(node.ref)
                self._add_part(way.id, piece, along, against)
                piece = []
            elif not piece or piece[-1][0] != node.ref:
                piece.append((node.ref, *at))
        self._add_part(way.id, piece, along, against)
        self.cut += bool(lost)
        self.lost.update(lost)

    def add_all(self, extract: Extract) -> None:
        """Add the open ways of an extract."""
        known: dict[tuple[tuple[str, str], ...], tuple[float, float]] = {}
        for block in extract.streets:
            for tags in block.tags:
                if tags not in known:
                    known[tags] = speeds(dict(tags), self.mode)
            taken = np.array([known[tags] for tags in block.tags]).reshape(-1, 2)[block.kinds]
            is_open = (taken > 0).any(axis=1)
            self._closed.frombytes(block.numbers[~is_open].tobytes())
            self._open.frombytes(block.numbers[is_open].tobytes())
            nodes = block.nodes[np.repeat(is_open, block.counts)]
            at = np.minimum(np.searchsorted(extract.numbers, nodes), max(len(extract.numbers) - 1, 0))
            if len(extract.numbers):
                x, y, there = extract.x[at], extract.y[at], extract.numbers[at] == nodes
            else:
                x, y, there = nodes.astype(np.int32), nodes.astype(np.int32), np.zeros(len(nodes), bool)
            there &= (np.abs(x.astype(np.int64)) <= 180 * 10**7) & (np.abs(y.astype(np.int64)) <= 90 * 10**7)
            way = np.repeat(np.arange(int(is_open.sum())), block.counts[is_open])
            cut = way[~there]
            self.cut += int(np.count_nonzero(cut[1:] != cut[:-1])) + bool(len(cut))
            self._add_parts(block.numbers[is_open], taken[is_open], way, there, nodes, x, y)

    def _add_parts(
        self, ways: Ints, taken: Floats, way: Ints, there: npt.NDArray[np.bool_], nodes: Ints, x: Ints, y: Ints
    ) -> None:
        """Add the pieces of ways whose nodes are there."""
        begins = np.append(True, (way[1:] != way[:-1]) | ~there[:-1])[: len(way)]
        kept = there & np.append(True, begins[1:] | (nodes[1:] != nodes[:-1]))[: len(way)]
        piece = np.cumsum(begins)[kept]
        counts = np.bincount(piece)
        kept[kept] = counts[piece] > 1
        piece = piece[counts[piece] > 1]
        first = np.flatnonzero(np.append(True, piece[1:] != piece[:-1])[: len(piece)])
        self._starts.frombytes((first + len(self._nodes)).tobytes())
        of = way[kept][first]
        for array_, values in (
            (self._ways, ways[of]), (self._along, taken[of, 0]), (self._against, taken[of, 1]),
            (self._nodes, nodes[kept]), (self._x, x[kept]), (self._y, y[kept]),
        ):  # fmt: skip
            array_.frombytes(values.tobytes())

    def _add_part(self, way: int, piece: list[tuple[int, int, int]], along: float, against: float) -> None:
        if len(piece) < 2:
            return
        self._starts.append(len(self._nodes))
        self._ways.append(way)
        self._along.append(along)
        self._against.append(against)
        for node, x, y in piece:
            self._nodes.append(node)
            self._x.append(x)
            self._y.append(y)

    def streets(self, *, loops: bool) -> _Found:
        """The links, with those from a vertex to itself, or without."""
        nodes, starts = np.array(self._nodes), np.array(self._starts)
        part = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(nodes))))
        points = np.column_stack([np.array(self._x), np.array(self._y)]) / 1e7
        known, first, place, uses = np.unique(nodes, return_index=True, return_inverse=True, return_counts=True)
        meets = uses[place] > 1
        meets[starts] = True
        meets[np.append(starts[1:], len(nodes)) - 1] = True
        vertices = np.unique(place[meets])
        number = np.full(len(known), -1)
        number[vertices] = np.arange(len(vertices))

        steps = np.append(metres_between(points[:-1], points[1:]), 0.0)
        steps[:-1][part[1:] != part[:-1]] = 0.0
        stops = np.flatnonzero(meets)
        lengths = np.add.reduceat(steps, stops)[:-1]
        at, street = number[place[stops]], part[stops]
        from_, to = at[:-1], at[1:]
        real = (street[:-1] == street[1:]) & (loops | (from_ != to))
        between, stretches = Bends(np.append(0, np.cumsum(np.diff(stops) - 1)), points[~meets]), np.flatnonzero(real)
        from_, to, lengths = from_[real], to[real], lengths[real]

        kmh = [np.array(speed)[street[stretches]] for speed in (self._along, self._against)]
        taken = [np.flatnonzero(each > 0) for each in kmh]
        along, against = taken
        which = np.concatenate(taken)
        tails, heads = (np.concatenate([one[along], other[against]]) for one, other in ((from_, to), (to, from_)))
        speed = np.concatenate([kmh[0][along], kmh[1][against]])
        numbers = np.full((2, len(stops)), -1)
        numbers[0, stretches[along]] = np.arange(len(along))
        numbers[1, stretches[against]] = len(along) + np.arange(len(against))
        leaving, entering = (bearings(points[ends], points[ends + 1]) for ends in (stops[:-1], stops[1:] - 1))
        streets = Streets(
            np.array(self._ways), np.searchsorted(street, np.arange(len(starts) + 1)), at, numbers[0], numbers[1],
            leaving, entering, np.array(self._closed, dtype=np.int64),
        )  # fmt: skip
        bends = between.along(stretches[which], np.arange(len(which)) >= len(along))
        return _Found(
            tails, heads, lengths[which] * 3.6 / speed, lengths[which], known[vertices], points[first[vertices]],
            bends, streets, known[number < 0],
        )  # fmt: skip
