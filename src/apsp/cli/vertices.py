"""Vertices on the command line: labels as text, ranges of integers, lists, files of them, places on the map."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np

from apsp.cli.places import nearest_vertex
from apsp.errors import GraphError, RequestError, shown
from apsp.graph.labels.integers import are_integers
from apsp.graph.model import Graph
from apsp.graph.turns.turn_graph import own_labels
from apsp.system.cached import cached_property

__all__ = ["Typed"]

CORNERS = {"sw": (-1, -1), "se": (1, -1), "nw": (-1, 1), "ne": (1, 1)}
_RANGE = re.compile(r"(-?\d{1,19})-(-?\d{1,19})", re.ASCII)
_PART = re.compile(r"near:[-+.\deE]+,[-+.\deE]+(?=,|$)|[^,]+", re.ASCII)
_INTEGER = re.compile(r"-?\d{1,19}", re.ASCII)


class Typed:
    """Finds the vertices of a graph from text.

    Text labels match as they are, integers by their digits. Others, such as tuples, match by their `str`, if no other
    label has the same one.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph, self._labels = graph, own_labels(graph)

    def vertices(self, text: str, option: str) -> list[Any]:
        """Return the labels named by '3,8,10-17,near:X,Y', or by the lines of '@FILE' (which may have commas).

        Raises
        ------
        GraphError, RequestError
            If a vertex or the file does not exist.
        """
        if not text.startswith("@"):
            parts = [text] if self._find(text) is not None else _PART.findall(text)
        else:
            try:
                parts = Path(text[1:]).read_text(encoding="utf-8").splitlines()
            except (OSError, UnicodeDecodeError, ValueError) as error:
                reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
                raise RequestError(f"{option}: cannot read {text[1:]}: {reason}") from error
        return [label for part in parts if part.strip() for label in self._some(part.strip())]

    def vertex(self, text: str) -> Any:
        """Return the label named by text, by near:X,Y or by corner:sw (se, nw, ne), if the graph has coordinates.

        Raises
        ------
        GraphError
            If the vertex does not exist.
        """
        kind, _, place = text.partition(":")
        if kind not in ("near", "corner") or not place or self._find(text) is not None:
            return self._label(text)
        points = self._graph.coordinates
        if points is None or np.isnan(points).all():
            raise GraphError(f"{text}: this graph has no coordinates; give the label of the vertex")
        if kind == "near":
            try:
                x, y = (float(part) for part in place.split(","))
            except ValueError:
                x = y = math.nan
            if not (math.isfinite(x) and math.isfinite(y)):
                raise GraphError(f"{text}: a place is written near:X,Y with two numbers")
            return self._graph.labels[nearest_vertex(self._graph, x, y, text)]
        if place not in CORNERS:
            raise GraphError(f"{text}: the corners are {', '.join(CORNERS)}")
        return self._graph.labels[int(np.nanargmax(points @ np.array(CORNERS[place], dtype=float)))]

    def _some(self, text: str) -> list[Any]:
        """Return one vertex, or those of a range of integers, both ends included."""
        ends = _RANGE.fullmatch(text)
        if ends is None or self._find(text) is not None:
            return [self.vertex(text)]
        first, last = (self._graph.labels[self._graph.index(int(end))] for end in ends.groups())
        if first > last:
            raise RequestError(f"{text}: a range must begin with its smaller end")
        if not self._plain:
            return sorted(label for label in self._labels if isinstance(label, int) and first <= label <= last)
        values = np.sort(self._labels.take(np.arange(len(self._labels), dtype=np.int32)))
        return list(values[(values >= first) & (values <= last)].tolist())

    def _label(self, text: str) -> Any:
        found = self._find(text)
        if found is not None:
            return found[0]
        whole: Any = int(text) if _INTEGER.fullmatch(text) else text
        return self._graph.labels[self._graph.index(whole)]  # the error lists the labels

    def _find(self, text: str) -> tuple[Any] | None:
        """Return the label in a tuple, since it may be None; None if there is no such label."""
        labels = self._labels
        if self._plain:
            meant: Any = int(text) if _INTEGER.fullmatch(text) else None
            return (meant,) if meant is not None and meant in labels else None
        several = self._by_text.get(text, [])
        if len(several) > 1:
            words = " or ".join(map(shown, several))
            raise GraphError(f"{text!r} may be the vertex {words}; give the graph other labels")
        return (several[0],) if several else None

    @cached_property
    def _plain(self) -> bool:
        """Whether all labels are integers."""
        return are_integers(self._labels)

    @cached_property
    def _by_text(self) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {}
        for position, label in enumerate(self._labels):
            found.setdefault(self._labels.text(position), []).append(label)
        return found
