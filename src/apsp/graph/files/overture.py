"""Segments of Overture Maps in Parquet files: the streets for cars, bicycles or pedestrians.

Needs pyarrow (`pip install 'apsp[parquet]'`). `mode` is 'car' (the default), 'bike' or 'foot'. Vertices are the
connectors at which segments are split; labels are their ids, coordinates are longitude and latitude in degrees, and the
points of a line in between are the bends of a street. The length of an arc is that of the street in metres, or the
travel time in seconds with `cost="time"` (overture_rules.py). `access_restrictions` and flags close directions.
Prohibited transitions are read with `turns=True` (overture_transitions.py); otherwise a note counts them. Rows of
connectors are passed over.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.errors import ApspError, RequestError, shown
from apsp.graph.bends import Bends
from apsp.graph.files import parquet
from apsp.graph.files.options import ReadOptions, build
from apsp.graph.files.osm_streets import CLASSES, MODES
from apsp.graph.files.overture_lines import line_of, parts_of
from apsp.graph.files.overture_rules import ROUNDING, Stretch, is_unusable, street_of, stretches
from apsp.graph.files.overture_transitions import Segment, Transition, forbidden_by, transitions_of
from apsp.graph.files.source import Source
from apsp.graph.labels import labels_of
from apsp.graph.model import Graph
from apsp.graph.sphere import metres_between
from apsp.graph.turns.making import with_turns
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.system.numbers import counted

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

NAMES = ("overture",)
SUFFIXES = (".parquet",)
WITHIN = "parquet"
"""The format whose files may be of this one."""

COSTS = {None: "length", "length": "length", "distance": "length", "time": "time", "travel_time": "time"}

_NEEDED = ("id", "geometry", "subtype", "class", "connectors")
_LISTS = (
    "connectors", "subclass_rules", "road_flags", "access_restrictions", "speed_limits", "prohibited_transitions",
)  # fmt: skip
_USED = (*_NEEDED, "subclass", *_LISTS)
_USUAL = ("access_restrictions", "road_flags", "speed_limits", "prohibited_transitions")
_ROWS = 1 << 12
"""Rows that are Python objects at a time."""

_NEAR = 1.0
"""Metres between the places of a connector on several segments that count as one."""

_SHOWN = 10
"""Connectors in a note."""


def sniff(_head: bytes, _name: str) -> int:
    """Score how much the file looks like this format: 0, as its first bytes are those of any Parquet file."""
    return 0


def holds(source: Source) -> bool:
    """Whether a file of the format `WITHIN` is of this one, by its columns."""
    names = parquet.names_of_columns(source)
    return {"id", "geometry", "subtype"}.issubset(names) and ("connectors" in names or "connector_ids" in names)


def read(source: Source, options: ReadOptions) -> Graph:
    """Read the streets for the mode."""
    streets = _streets(source, options)
    if streets.transitions:
        count = counted(len(streets.transitions), "prohibited transition")
        are = "is" if len(streets.transitions) == 1 else "are"
        source.notes.append(f"{count} {are} not read; turns=True honours what holds at all times")
    return _graph(source, options, streets.links(loops=False))


def read_turned(source: Source, options: ReadOptions) -> TurnGraph:
    """Read the streets for the mode, with prohibited transitions.

    Streets from a connector to itself are links, too, since they are a way to turn round.
    """
    if options.directed is False or options.parallel not in (None, "min"):
        raise RequestError("turns=True needs one-way streets and all links: leave out directed and parallel")
    streets = _streets(source, options)
    links = streets.links(loops=True)
    graph = _graph(source, dataclasses.replace(options, links=True), links)
    forbidden = forbidden_by(streets.transitions, streets.segments, streets.others, links.along, links.against)
    if streets.transitions:
        count = counted(len(streets.transitions), "prohibited transition")
        source.notes.append(f"{count}; movements forbidden: {len(forbidden.sequences):,}")
    source.notes += forbidden.notes
    pairs = [each for each in forbidden.sequences if len(each) == 2]
    table = {"from_link": [before for before, _ in pairs], "to_link": [after for _, after in pairs]}
    return with_turns(graph, table, forbidden=[each for each in forbidden.sequences if len(each) > 2])


class _Links(NamedTuple):
    """The links of parts, those along them first; and the links of each part, -1 where there is none."""

    tails: Ints
    heads: Ints
    metres: Floats
    seconds: Floats
    labels: list[str]
    points: Floats
    bends: Bends
    along: Ints
    against: Ints
    apart: dict[str, float]
    """Connectors that are in several places, and how many metres these are apart."""


class _Streets:
    """The segments open to a mode, one after the other."""

    def __init__(self, mode: str) -> None:
        self._mode = mode
        self.segments: dict[str, Segment] = {}
        self.others: set[str] = set()
        self.transitions: list[Transition] = []
        self.conditional, self.beyond, self.short, self.unusable = 0, 0, 0, 0
        self.unknown: Counter[str] = Counter()
        self._ends: list[tuple[str, str]] = []
        self._lines: list[Floats] = []
        self._slowness: list[tuple[float, float]] = []

    def add(self, row: dict[str, Any]) -> None:
        """Add a segment if it is open.

        Raises
        ------
        ValueError
            If it is not one of the schema.
        """
        name = row["id"]
        if not isinstance(name, str) or name in self.segments or name in self.others:
            raise ValueError("its id is missing, or that of another segment")
        if row["subtype"] != "road" or street_of(row) not in CLASSES:
            self.others.add(name)
            if row["subtype"] == "road":
                self.unknown[str(row["class"])] += 1
            return
        found, conditional = stretches(row, self._mode)
        self.conditional += bool(conditional)
        self.unusable += any(map(is_unusable, row.get("road_flags") or ()))
        self.transitions += transitions_of(row, self._mode)
        if not any(each.along or each.against for each in found):
            self.others.add(name)
            return
        connectors, places = _connectors(row)
        if len(connectors) < 2:
            self.others.add(name)
            self.beyond += 1
            self.short += 1
            return
        self.beyond += places[0] > ROUNDING or places[-1] < 1 - ROUNDING
        self.segments[name] = Segment(connectors, places, len(self._ends))
        self._lines += parts_of(line_of(row["geometry"]), np.array(places))
        for number in range(len(connectors) - 1):
            self._ends.append((connectors[number], connectors[number + 1]))
            self._slowness.append(_slowness(found, places[number], places[number + 1]))

    def links(self, *, loops: bool) -> _Links:
        """The links, with those from a vertex to itself, or without."""
        slow = np.array(self._slowness).reshape(-1, 2)
        is_loop = np.array([one == other for one, other in self._ends], dtype=bool)
        taken = [np.flatnonzero(np.isfinite(each) & (loops | ~is_loop)) for each in slow.T]
        which = np.concatenate(taken)
        used = np.unique(which)
        labels = sorted({end for part in used.tolist() for end in self._ends[part]})
        number = {label: place for place, label in enumerate(labels)}
        ends = np.array([[number.get(one, -1), number.get(other, -1)] for one, other in self._ends]).reshape(-1, 2)
        points = np.zeros((len(labels), 2))
        for part in used[::-1].tolist():  # of several segments the first says where a connector is
            points[ends[part]] = self._lines[part][[0, -1]]
        there = np.array([self._lines[part][[0, -1]] for part in used.tolist()]).reshape(-1, 2)
        away = np.zeros(len(labels))
        np.maximum.at(away, ends[used].ravel(), metres_between(points[ends[used].ravel()], there))
        apart = {labels[each]: float(away[each]) for each in np.flatnonzero(away > _NEAR).tolist()}
        counts = np.array([len(line) for line in self._lines], dtype=np.int64)
        every = np.concatenate([*self._lines, np.empty((0, 2))])
        stops = np.cumsum(counts)
        steps = np.append(metres_between(every[:-1], every[1:]), 0.0) if len(every) else np.empty(0)
        steps[stops - 1] = 0.0
        metres = np.add.reduceat(steps, stops - counts) if len(counts) else steps
        is_end = np.zeros(len(every), dtype=bool)
        is_end[stops - 1] = is_end[stops - counts] = True
        bends = Bends(np.append(0, np.cumsum(counts - 2)), every[~is_end])
        side = np.repeat([0, 1], [len(each) for each in taken])
        numbers = np.full((2, len(ends)), -1)
        numbers[side, which] = np.arange(len(which))
        return _Links(
            ends[which, side], ends[which, 1 - side], metres[which], metres[which] * slow[which, side] * 3.6, labels,
            points, bends.along(which, side == 1), numbers[0], numbers[1], apart,
        )  # fmt: skip


def _connectors(row: dict[str, Any]) -> tuple[list[str], list[float]]:
    """The connectors of a segment and where they are, in ascending order."""
    found = []
    for each in row["connectors"] or ():
        name, at = each.get("connector_id"), each.get("at")
        if not isinstance(name, str) or at is None or not 0 <= at <= 1:
            raise ValueError(f"a connector has a connector_id, and at, a number from 0 to 1, not {shown(each)}")
        found.append((float(at), name))
    twice = next((name for (at, name), count in Counter(found).items() if count > 1), None)
    if twice is not None:
        raise ValueError(f"it has the connector {shown(twice)} twice in one place")
    found.sort(key=lambda each: each[0])
    return [name for _, name in found], [at for at, _ in found]


def _slowness(found: list[Stretch], begin: float, end: float) -> tuple[float, float]:
    """The mean hours per kilometre along and against a part of a segment; infinite if some of it is closed."""
    taken = [(min(each.end, end) - max(each.begin, begin), each) for each in found]
    some = [(length, each) for length, each in taken if length > ROUNDING] or [max(taken, key=lambda pair: pair[0])]
    if len(some) == 1:
        speeds = some[0][1].along, some[0][1].against
        return tuple(1 / speed if speed else np.inf for speed in speeds)  # type: ignore[return-value]
    total = sum(length for length, _ in some)
    sums = [0.0, 0.0]
    for length, each in some:
        for side, speed in enumerate((each.along, each.against)):
            sums[side] += length / total / speed if speed else np.inf
    return sums[0], sums[1]


def _streets(source: Source, options: ReadOptions) -> _Streets:
    """The segments for the mode."""
    mode = "car" if options.mode is None else options.mode
    if mode not in MODES:
        raise RequestError(f"mode={shown(mode)}: it must be one of {', '.join(MODES)}")
    if options.cost is not None and options.cost not in list(COSTS):
        raise RequestError(f"cost={shown(options.cost)}: streets have 'length' (metres) and 'time' (seconds)")
    source.notes.append(f"streets for {mode}; arcs are {'seconds' if COSTS[options.cost] == 'time' else 'metres'} long")
    streets, kinds = _Streets(mode), Counter[str]()
    for row in _rows(source):
        try:
            kinds[str(row["subtype"])] += 1
            streets.add(row)
        except ValueError as error:
            raise source.fail(f"segment {shown(row['id'])}: {error}") from error
        except (AttributeError, KeyError, TypeError) as error:
            words = "its columns hold other types than those of the schema, or a list has nothing in a place"
            raise source.fail(f"segment {shown(row['id'])}: {words} ({error})") from error
    if not streets.segments:
        are = ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common()) or "none"
        have = "has" if streets.short == 1 else "have"
        short = f"; {counted(streets.short, 'segment')} {have} fewer than two connectors" if streets.short else ""
        raise source.fail(f"there are no streets for mode={mode!r} in it; subtypes of segments: {are}{short}")
    left = [f"{count:,} {kind}" for kind, count in kinds.most_common() if kind != "road"]
    if left:
        source.notes.append(f"segments that are no roads are not read: {', '.join(left)}")
    if streets.unknown:
        named = ", ".join(f"{name} ({count:,})" for name, count in streets.unknown.most_common())
        source.notes.append(f"segments of classes that are not known are not read: {named}")
    if streets.conditional:
        source.notes.append(
            f"rules of {counted(streets.conditional, 'segment')} for certain times, purposes, permits or vehicles are "
            "not considered"
        )
    if streets.unusable:
        are = "is" if streets.unusable == 1 else "are"
        source.notes.append(
            f"{counted(streets.unusable, 'segment')} under construction or abandoned, or partly so, {are} closed there"
        )
    if streets.beyond:
        source.notes.append(
            f"{counted(streets.beyond, 'segment')} without a connector at both ends: what is beyond these is not read"
        )
    return streets


def _graph(source: Source, options: ReadOptions, links: _Links) -> Graph:
    if links.apart:
        ids = ", ".join(list(links.apart)[:_SHOWN]) + (", ..." if len(links.apart) > _SHOWN else "")
        are = "is" if len(links.apart) == 1 else "are"
        source.notes.append(
            f"{counted(len(links.apart), 'connector')} {are} not in one place on {'its' if are == 'is' else 'their'} "
            f"segments, but up to {max(links.apart.values()):,.0f} m apart ({ids}): were lines or fractions changed?"
        )
    costs = {"length": links.metres, "time": links.seconds}
    return build(
        source, options, links.tails, links.heads, costs[COSTS[options.cost]], n=len(links.labels), directed=True,
        labels=labels_of(links.labels), coordinates=links.points, costs=costs, crs="degrees", bends=links.bends,
    )  # fmt: skip


def _rows(source: Source) -> Iterator[dict[str, Any]]:
    """The rows of segments."""
    try:
        table = parquet.table_of(source, ("type", *_USED))
        table.validate(full=True)
    except ApspError:
        raise
    except Exception as error:  # Arrow may raise any exception for damaged bytes
        raise source.fail(f"the table is damaged or cannot be read ({str(error)[:120]})") from error
    names = table.column_names
    missing = [name for name in _NEEDED if name not in names]
    if missing:
        raise source.fail(
            f"segments of Overture Maps have the column{'s' * (len(missing) > 1)} {', '.join(missing)}; it has "
            f"{', '.join(parquet.names_of_columns(source))}"
        )
    for name in names:
        if name in _LISTS and not parquet.holds_structures(table.schema.field(name).type):
            raise source.fail(f"column {name!r} holds {table.schema.field(name).type}, and not lists of structures")
    unknown = [name for name in _USUAL if name not in names]
    if unknown:
        source.notes.append(
            f"it has no column{'s' * (len(unknown) > 1)} {', '.join(unknown)}: such rules are not known"
        )
    for batch in table.to_batches(max_chunksize=_ROWS):
        for row in batch.to_pylist():
            kind = row.get("type", "segment")
            if kind not in ("segment", "connector"):
                raise source.fail(f"segment {shown(row['id'])}: its type is segment or connector, not {shown(kind)}")
            if kind == "segment":
                yield row
