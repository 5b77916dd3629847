"""Graphs whose vertices and edges carry named attributes (GML, GraphML): lengths, names, positions."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import RequestError, shown
from apsp.graph.aligned import POSITIONS
from apsp.graph.bends import Bends, bends_of_lines
from apsp.graph.columns import alike
from apsp.graph.files.dimacs import narrow
from apsp.graph.files.edge_layout import is_number
from apsp.graph.files.options import ReadOptions, build
from apsp.graph.files.source import Source
from apsp.graph.files.vertex_labels import labels_of_texts
from apsp.graph.labels import labels_of
from apsp.graph.missing import lack_of_lengths
from apsp.graph.model import Graph

__all__ = ["AttributedGraph"]

LENGTHS = ("weight", "value", "length", "distance", "cost")
_NO_COSTS = ("source", "target", "id", "key", "osmid")
"""Attributes of edges that say which edge it is."""


_LINE = re.compile(r"LINESTRING\s*\(([^()]*)\)", re.ASCII | re.IGNORECASE)

_LARGEST_INTEGER = 25  # digits; longer ones are read as floats


@dataclass
class AttributedGraph:
    """The content of such a file. Values are numbers or text; `lines` are the lines of the edges, for errors."""

    directed: bool = False
    ids: dict[Any, int] = field(default_factory=dict)
    vertices: list[dict[str, Any]] = field(default_factory=list)
    tails: list[int] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)
    edges: list[dict[str, Any]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    crs: str | None = None
    undeclared: set[str] = field(default_factory=set)  # attributes of edges whose names are not known for certain

    def graph(self, source: Source, options: ReadOptions) -> Graph:
        """Build the graph.

        The length is the attribute `cost`, or the first of weight, value, length, distance and cost that some edge has;
        without one the graph counts hops. The labels are the attributes `label` if they are unique, otherwise the ids.
        Names ignore case, but those that are exactly equal come first.
        """
        coordinates = self._positions()
        return build(
            source, options, np.asarray(self.tails, dtype=np.int64), np.asarray(self.heads, dtype=np.int64),
            self._lengths(source, options), n=len(self.vertices), directed=self.directed, labels=self._labels(options),
            coordinates=coordinates, costs=self._costs(options),
            crs=self.crs if coordinates is not None and options.coordinates is True else None,
            bends=self._bends(source, coordinates) if options.coordinates is True else None,
        )  # fmt: skip

    def _bends(self, source: Source, coordinates: npt.NDArray[np.float64] | None) -> Bends | None:
        """The attribute `geometry`, lines as OSMnx writes them; None unless all begin and end where their nodes are."""
        lines = [(edge, _line(fields.get("geometry"))) for edge, fields in enumerate(self.edges)]
        some = [(edge, line) for edge, line in lines if line]
        if coordinates is None or not some:
            return None
        numbers = np.repeat([edge for edge, _ in some], [len(line) for _, line in some])
        points = np.concatenate([np.array(line, dtype=np.float64) for _, line in some])
        found = None
        if np.isfinite(points).all():
            found = bends_of_lines(points, numbers, coordinates[self.tails], coordinates[self.heads], exact=True)
        if found is None:
            source.notes.append("geometry is not read: some of its lines do not begin and end where their nodes are")
        return found

    def _lengths(self, source: Source, options: ReadOptions) -> npt.NDArray[Any] | None:
        if not options.weighted or not self.edges:
            return None
        name = self._attribute(source, options)
        if name is None:
            return None
        values = []
        for number, edge in enumerate(self.edges):
            line = self.lines[number] or None
            value = _number(edge[name]) if edge.get(name) is not None else options.missing or 0
            if isinstance(value, str) and value[:1] in "[(":
                raise source.fail(f"{name} {value[:40]!r} is a list, not one number", line)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise source.fail(f"{name} {str(value)[:40]!r} is not a number", line)
            if value - value != 0:
                raise source.fail(f"{name} {value} is not a finite number; omit the edge instead", line)
            if isinstance(value, int) and not -(2**63) <= value < 2**63:
                raise source.fail(f"{name} {str(value)[:40]} does not fit 64 bits", line)
            values.append(value)
        lacking = [number for number, edge in enumerate(self.edges) if edge.get(name) is None]
        if lacking and options.missing is None:
            first = lacking[0]
            keys = list(self.ids)
            ends = f"{shown(keys[self.tails[first]])} - {shown(keys[self.heads[first]])}"
            count, total = (len({id(self.edges[k]) for k in some}) for some in (lacking, range(len(self.edges))))
            words = lack_of_lengths(f"the attribute {shown(name)}", count, total, ends, hops="weighted=False")
            raise source.fail(words, self.lines[first] or None)
        whole = all(isinstance(value, int) for value in values)
        return narrow(np.asarray(values, dtype=np.int64 if whole else np.float64))

    def _attribute(self, source: Source, options: ReadOptions) -> str | None:
        """The attribute with the lengths; None to count hops."""
        known = list(dict.fromkeys(key for edge in self.edges for key in edge))
        if options.cost is not None:
            name = called(known, options.cost)
            if name is None:
                there = f"edges have {', '.join(sorted(known))}" if known else "edges have no attributes"
                raise RequestError(f"cost={shown(options.cost)}: no edge has it; {there}")
            return name
        name = next((found for found in (called(known, word) for word in LENGTHS) if found is not None), None)
        if name is None:
            numbers = [
                key
                for key in known
                if key not in _NO_COSTS
                and all(isinstance(_number(edge.get(key, 0)), int | float) for edge in self.edges)
            ]
            unclear = [key for key in numbers if key in self.undeclared]
            if unclear:
                raise source.fail(
                    f"the edges have data of the key {shown(unclear[0])}, which is not declared: "
                    f"cost={shown(unclear[0])} says that these are the lengths, weighted=False counts hops"
                )
            if numbers:
                source.notes.append(
                    f"hops are counted, since no edge has the attribute {LENGTHS[0]}; cost= may name "
                    f"{', '.join(numbers[:20])}"
                )
        return name

    def _costs(self, options: ReadOptions) -> dict[str, npt.NDArray[Any]]:
        """The attributes that are finite numbers of all edges."""
        if not options.costs or not self.edges:
            return {}
        found = {}
        for name in self.edges[0]:
            values: list[Any] = [_number(edge.get(name)) for edge in self.edges] if options.keeps(name) else [None]
            if name in _NO_COSTS or not all(type(value) in (int, float) for value in values):
                continue
            whole = all(isinstance(value, int) for value in values)
            if all(value - value == 0 and not (whole and abs(value) >= 2**63) for value in values):
                found[name] = narrow(np.asarray(values, dtype=np.int64 if whole else np.float64))
        return found

    def _labels(self, options: ReadOptions) -> Any:
        word = called({key: 0 for vertex in self.vertices for key in vertex}, "label")
        texts = [None if word is None else vertex.get(word) for vertex in self.vertices]
        if texts and None not in texts and len({str(text) for text in texts}) == len(texts):
            return labels_of_texts(list(map(str, texts)))
        ids = list(self.ids)
        if all(isinstance(key, str) for key in ids) and options.labels != "text":
            return labels_of_texts(ids)
        return labels_of(ids)

    def _positions(self) -> npt.NDArray[np.float64] | None:
        known = {key: 0 for vertex in self.vertices for key in vertex}
        for words in POSITIONS:
            pair = [called(known, word) or word for word in words]
            if any(all(key in vertex for key in pair) for vertex in self.vertices):
                points = np.full((len(self.vertices), 2), np.nan)
                for i, vertex in enumerate(self.vertices):
                    values = [_number(vertex.get(key)) for key in pair]
                    if all(isinstance(value, int | float) for value in values):
                        points[i] = [_bounded(value) for value in values]
                return points
        return None


def _line(text: Any) -> list[tuple[float, float]]:
    """The points of LINESTRING (x y, x y); none of anything else."""
    match = _LINE.fullmatch(text.strip()) if isinstance(text, str) else None
    pairs = [] if match is None else [point.split() for point in match[1].split(",")]
    if any(len(pair) != 2 or not all(map(is_number, pair)) for pair in pairs):
        return []
    return [(float(x), float(y)) for x, y in pairs]


def called(names: Collection[str], word: str) -> str | None:
    """The name that is equal to a word, or else the only one that is so without regard to case; None if there is none.

    Raises
    ------
    RequestError
        If there are several.
    """
    every = list(names)
    found = [every[place] for place in alike(every, word)]
    if len(found) > 1:
        raise RequestError(f"the attributes {', '.join(map(shown, found))} differ only in their case: cost= names one")
    return found[0] if found else None


def _number(value: Any) -> Any:
    """Convert a text that is a number; return other values as they are. OSMnx writes numbers as text."""
    if not isinstance(value, str) or not is_number(word := value.strip()):
        return value
    return int(word) if word.lstrip("+-").isdigit() and len(word) <= _LARGEST_INTEGER else float(word)


def _bounded(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return np.nan
