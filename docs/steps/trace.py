"""A trace: the steps of one method on the graph, as the page reads them.

A step holds what changed, not the whole state, so that the file stays small. Values are whole numbers; None is "no
path".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.graph.model import Graph

__all__ = ["NO_PATH", "Rectangle", "Trace", "cells_of", "lengths_in", "listed", "plain", "vertices", "worded"]

NO_PATH = np.iinfo(np.int64).max
"""In the matrices of traces."""

Rectangle = tuple[int, int, int, int]
"""First row, first column, rows, columns."""


class Trace:
    """The steps of a method.

    Parameters
    ----------
    name, title, paper : str
        Name of the method in this package, the heading, and the paper.
    graph : Graph
    matrix : (n, n) int64
        Before the first step.
    tile : int, optional
        Rows and columns of a tile, whose borders are drawn.
    none : str
        How the method writes "no path".
    """

    def __init__(
        self,
        name: str,
        title: str,
        paper: str,
        graph: Graph,
        matrix: npt.NDArray[Any],
        *,
        tile: int | None = None,
        none: str = "\N{INFINITY}",
    ) -> None:
        self.matrix = matrix.astype(np.int64)
        self.steps: list[dict[str, Any]] = []
        self.stages: list[tuple[int, str]] = []
        arcs = zip(graph.tails().tolist(), graph.indices.tolist(), graph.weights.tolist(), strict=True)
        self._head = {
            "name": name, "title": title, "paper": paper, "tile": tile, "none": none, "arcs": list(arcs),
            "start": [plain(row) for row in self.matrix],
        }  # fmt: skip

    def stage(self, name: str) -> None:
        """Begin a part of the trace: a pivot, a source."""
        self.stages.append((len(self.steps), name))

    def changed(self, matrix: npt.NDArray[Any]) -> int:
        """How many entries differ from those of the last step."""
        return int((matrix != self.matrix).sum())

    def step(self, say: str, where: str, launch: str, matrix: npt.NDArray[Any] | None = None, **shown: object) -> None:
        """Add a step.

        Parameters
        ----------
        say : str
            What happens, and why.
        where : str
            Section of the paper.
        launch : str
            What was launched.
        matrix : (n, n), optional
            After the step.
        **shown
            What the page marks: `read`, `write`, `sent` (rectangles), `gpus` (number and rectangle), `marks`, `pending`
            (cells, cells with values), `active`, `now`, `done` (vertices), `arcs` ('out' or 'through' the active
            vertices), `source`, `fill` (arcs), `lengths` (of all arcs), `table` (names and rows) and `label` (the row
            shown at vertices).
        """
        written = {} if matrix is None else {"set": cells_of(matrix, matrix != self.matrix)}
        self.steps.append({"say": say, "where": _begun(where), "launch": _begun(launch)} | written | shown)
        if matrix is not None:
            self.matrix = matrix.astype(np.int64)

    def json(self) -> dict[str, Any]:
        """For the file."""
        return self._head | {"stages": self.stages, "steps": self.steps}


def lengths_in(graph: Graph) -> npt.NDArray[np.int64]:
    """The matrix (n, n) of the lengths of the arcs, 0 on the diagonal."""
    matrix = np.full((graph.n, graph.n), NO_PATH)
    matrix[graph.tails(), graph.indices] = graph.weights
    np.fill_diagonal(matrix, 0)
    return matrix


def cells_of(matrix: npt.NDArray[Any], which: npt.NDArray[np.bool_]) -> list[int | None]:
    """[cell, value, cell, value, ...]; cell i n + j is entry (i, j)."""
    cells = np.flatnonzero(which)
    return [each for pair in zip(cells.tolist(), plain(matrix.ravel()[cells]), strict=True) for each in pair]


def plain(values: npt.NDArray[Any]) -> list[int | None]:
    """Numbers of Python, None for "no path"."""
    return [None if value == NO_PATH else value for value in values.tolist()]


def listed(numbers: Iterable[int]) -> str:
    """'1', '1 and 2', '1, 2 and 3'."""
    words = [str(number) for number in numbers]
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else "none"


def vertices(numbers: Sequence[int]) -> str:
    """'vertex 1', 'vertices 1 and 2'."""
    return f"{'vertex' if len(numbers) == 1 else 'vertices'} {listed(numbers)}"


def worded(count: int, one: str, more: str) -> str:
    """One of two forms of a verb, or of a noun and a verb."""
    return one if count == 1 else more


def _begun(words: str) -> str:
    """With a capital, unless they begin with the name of a kernel."""
    return words if "_" in words.split()[0] else words[:1].upper() + words[1:]
