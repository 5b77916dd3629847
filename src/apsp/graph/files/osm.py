"""OpenStreetMap extracts, `.osm.pbf` and `.osm`: the streets for cars, bicycles or pedestrians.

Needs osmium (`pip install 'apsp[osm]'`). `mode` is 'car' (the default), 'bike' or 'foot'. Vertices are the nodes where
streets meet, and the ends of ways; nodes in between are the bends of a street (`Graph.links.bends`). Labels are the
numbers of the nodes, coordinates are longitude and latitude in degrees. The length of an arc is the travel time in
seconds (speeds: osm_streets.py), or the length of the street in metres with `cost="length"`. One-way streets, also
reversed ones and roundabouts, have arcs in one direction only. A way that leaves the extract is cut where its nodes are
missing. Turn restrictions are counted, and a note says so: `apsp.with_turns` takes movements.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from typing import Any

import numpy as np

from apsp.errors import ApspError, FileFormatError, MissingDependencyError, RequestError, shown
from apsp.graph.bends import Bends
from apsp.graph.files.options import ReadOptions, build
from apsp.graph.files.osm_streets import MODES, restricts, speeds
from apsp.graph.files.source import Source
from apsp.graph.model import Graph
from apsp.graph.sphere import metres_between

NAMES = ("osm", "pbf")
SUFFIXES = (".pbf", ".osm")
COSTS = {None: "time", "time": "time", "travel_time": "time", "length": "length", "distance": "length"}
_XML = re.compile(rb"<osm[\s>]")
_PLACE = re.compile(r"at line (\d+), column (\d+)")


def sniff(head: bytes, name: str) -> int:
    """Score how much the file looks like this format: 0 (not) to 100."""
    if head[4:15] == b"\n\tOSMHeader" or _XML.search(head[:2048]):
        return 100
    return 30 * name.endswith(".osm.pbf")


def read(source: Source, options: ReadOptions) -> Graph:
    """Read the streets for the mode."""
    mode = "car" if options.mode is None else options.mode
    if mode not in MODES:
        raise RequestError(f"mode={shown(mode)}: it must be one of {', '.join(MODES)}")
    if options.cost is not None and options.cost not in list(COSTS):
        raise RequestError(f"cost={shown(options.cost)}: streets have 'time' (seconds) and 'length' (metres)")
    ways, restrictions = _Ways(mode), 0
    try:
        for found in _ways_and_restrictions(source):
            if found.is_way():
                ways.add(found)
            else:
                restrictions += restricts(dict(found.tags), mode)
    except ApspError:
        raise
    except Exception as error:  # osmium may raise any exception for damaged bytes
        raise _damaged(source, error) from error
    if not ways.parts:
        raise source.fail(f"there are no streets for mode={mode!r} in it (with nodes before ways)")
    cost = COSTS[options.cost]
    source.notes.append(f"streets for {mode}; arcs are {'seconds' if cost == 'time' else 'metres'} long")
    if restrictions:
        word = "restriction is" if restrictions == 1 else "restrictions are"
        source.notes.append(f"{restrictions:,} turn {word} not read; apsp.with_turns(graph, ...) forbids movements")
    tails, heads, times, lengths, labels, points, bends = ways.arcs()
    costs = {"time": times, "length": lengths}
    return build(
        source, options, tails, heads, costs[cost], n=len(labels), directed=True, labels=labels,
        coordinates=points, costs=costs, crs="degrees", bends=bends,
    )  # fmt: skip


def _ways_and_restrictions(source: Source) -> Iterator[Any]:
    """Yield the ways that are streets, with the coordinates of their nodes, and relations that have a type."""
    try:
        import osmium
    except ImportError as error:
        raise MissingDependencyError("osmium", "reading OpenStreetMap files", "osm") from error
    kind = "pbf" if source.head[4:15] == b"\n\tOSMHeader" else "osm"
    packed = source.packed
    file = osmium.io.FileBuffer(source.all_bytes(), kind) if packed else osmium.io.File(str(source.place), kind)
    everything = osmium.FileProcessor(file, osmium.osm.NODE | osmium.osm.WAY | osmium.osm.RELATION)
    kinds = osmium.filter.EntityFilter(osmium.osm.WAY | osmium.osm.RELATION)
    streets = osmium.filter.KeyFilter("highway").enable_for(osmium.osm.WAY)
    typed = osmium.filter.KeyFilter("type").enable_for(osmium.osm.RELATION)
    yield from everything.with_locations().with_filter(kinds).with_filter(streets).with_filter(typed)


def _damaged(source: Source, error: Exception) -> FileFormatError:
    words = " ".join(str(error).split())[:120] or type(error).__name__
    place = _PLACE.search(words)
    where = (int(place[1]), int(place[2])) if place else ()
    return source.fail(f"the OpenStreetMap data are damaged or cut short ({words})", *where)


class _Ways:
    """The ways open to a mode, one node after the other; a part is a way, or a piece of a way with missing nodes."""

    def __init__(self, mode: str) -> None:
        self._mode = mode
        self._nodes = array("q")
        self._x, self._y = array("i"), array("i")  # degrees times 10^7
        self._starts = array("q")
        self._along, self._against = array("d"), array("d")

    @property
    def parts(self) -> int:
        """Return the number of parts."""
        return len(self._starts)

    def add(self, way: Any) -> None:
        """Add a way if it is open."""
        along, against = speeds(dict(way.tags), self._mode)
        if not along and not against:
            return
        piece: list[tuple[int, int, int]] = []
        for node in way.nodes:
            place = node.location
            if place.valid():
                piece.append((node.ref, place.x, place.y))
            else:
                self._add_part(piece, along, against)
                piece = []
        self._add_part(piece, along, against)

    def _add_part(self, piece: list[tuple[int, int, int]], along: float, against: float) -> None:
        if len(piece) < 2:
            return
        self._starts.append(len(self._nodes))
        self._along.append(along)
        self._against.append(against)
        for node, x, y in piece:
            self._nodes.append(node)
            self._x.append(x)
            self._y.append(y)

    def arcs(self) -> tuple[Any, ...]:
        """Return tails, heads, seconds, metres, the node of each vertex, its longitude and latitude, and the bends."""
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
        from_, to = number[place[stops[:-1]]], number[place[stops[1:]]]
        street = part[stops[:-1]]
        real = (street == part[stops[1:]]) & (from_ != to)
        between, stretches = Bends(np.append(0, np.cumsum(np.diff(stops) - 1)), points[~meets]), np.flatnonzero(real)
        from_, to, street, lengths = from_[real], to[real], street[real], lengths[real]

        tails, heads, seconds, metres, links, against = [], [], [], [], [], []
        for speed, tail, head in ((self._along, from_, to), (self._against, to, from_)):
            kmh = np.array(speed)[street]
            open_ = kmh > 0
            tails.append(tail[open_])
            heads.append(head[open_])
            seconds.append(lengths[open_] * 3.6 / kmh[open_])
            metres.append(lengths[open_])
            links.append(stretches[open_])
            against.append(np.full(len(links[-1]), len(links) > 1))
        arcs = (np.concatenate(each) for each in (tails, heads, seconds, metres))
        bends = between.along(np.concatenate(links), np.concatenate(against))
        return *arcs, known[vertices], points[first[vertices]], bends
