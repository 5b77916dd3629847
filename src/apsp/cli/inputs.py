"""Graphs, results and vertices from the arguments of a command."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import IO, Any

import numpy as np

from apsp.cli.options import Keywords, Reading
from apsp.cli.saved import kind_of, load_oracle, load_result
from apsp.cli.terminal import Show
from apsp.cli.vertices import Typed
from apsp.errors import FileFormatError, RequestError
from apsp.graph.files import read
from apsp.graph.model import Graph
from apsp.graph.turns.entered import streets_of
from apsp.graph.turns.turn_graph import TurnGraph, own_vertices

__all__ = ["RESPECTING_TURNS", "arguments", "graph_facts", "graph_words", "read_graph", "with_own_cost"]

RESPECTING_TURNS = (
    "apsp solve, path, stats, access, nearest, within, table, isochrone, k-nearest, skim, closeness, serve, plan and "
    "convert"
)
"""The commands that take graphs with turns."""


def read_graph(
    path: str,
    reading: Reading,
    show: Show,
    costs: bool | tuple[str, ...] = False,
    links: bool = False,
    *,
    turns: bool = False,
) -> Graph:
    """Read the graph of a file, of a result or of an oracle; '-' is standard input.

    `costs` says which costs beside the weights are kept, and `links` whether the links are, as in `apsp.read`. `turns`
    says that the command honours turns: with --turns it gets the expanded graph, with the labels of the vertices.

    Raises
    ------
    FileFormatError, GraphError, RequestError
    """
    if reading.turns and not turns:
        raise RequestError(f"--turns: this command does not respect turns yet; {RESPECTING_TURNS} do")
    if path == "-":
        if sys.stdin is None:
            raise RequestError("standard input is closed: name a file")
        return _spooled(sys.stdin.buffer, path, reading, show, costs, links, turns)
    if Path(path).is_fifo():
        with Path(path).open("rb") as pipe:
            return _spooled(pipe, path, reading, show, costs, links, turns)
    kind = kind_of(path)
    if kind is not None:
        graph = (load_result if kind == "result" else load_oracle)(path, reading).graph
        if graph._turned is not None and not turns:
            raise RequestError(f"{path} has turns, which this command does not respect yet; {RESPECTING_TURNS} do")
        return graph
    if reading.no_coordinates and reading.coordinates is not None:
        raise RequestError("--coordinates FILE and --no-coordinates contradict each other")
    other = ("hops", "columns", "no_coordinates")
    chosen = {name.removesuffix("_column"): value for name, value in vars(reading).items() if name not in other}
    if reading.coordinates is None:
        chosen["coordinates"] = not reading.no_coordinates
    if reading.columns is not None:
        chosen["columns"] = _columns(reading.columns)
    if reading.comments.lower() == "none":
        chosen["comments"] = None
    notes: list[str] = []
    found: Graph | TurnGraph = read(
        path, **chosen, weighted=not reading.hops, costs=costs, links=links, notes=notes, progress=show.bar
    )  # fmt: skip
    for note in notes:
        show.warn(note)
    return found._searched if isinstance(found, TurnGraph) else found


def _spooled(
    stream: IO[bytes], path: str, reading: Reading, show: Show, costs: bool | tuple[str, ...], links: bool, turns: bool
) -> Graph:
    """Copy a pipe to a temporary file, since readers read a file more than once."""
    with tempfile.NamedTemporaryFile(prefix="apsp-input-") as copy:
        shutil.copyfileobj(stream, copy)
        copy.flush()
        try:
            return read_graph(copy.name, reading, show, costs, links, turns=turns)
        except FileFormatError as error:
            raise FileFormatError(path, error.problem, line=error.line, column=error.column) from None


def with_own_cost(graph: Graph, name: str) -> Graph:
    """Return the graph with its weights as a cost of this name: of its links, if they are kept."""
    streets = streets_of(graph)
    kept = streets.links
    weights = streets.arc_weights(streets.weight_dtype or np.int64) if kept is None else kept.weights
    if weights is None:
        weights = np.ones(len(kept or ()), np.int64)
    named = streets.with_costs(links=kept is not None, **{name: weights})
    return named if graph._turned is None else graph._turned.whole._with_graph(named)._searched


def _columns(text: str) -> tuple[int | str, ...]:
    return tuple(int(part) if part.isascii() and part.isdigit() and len(part) < 8 else part for part in text.split(","))


def arguments(graph: Graph, keywords: Keywords) -> dict[str, Any]:
    """Return the keyword arguments with vertices looked up in the graph."""
    typed = Typed(graph)
    return {
        name: typed.vertices(value, f"--{name}") if name in ("sources", "targets") and value is not None else value
        for name, value in keywords.items()
    }


def graph_facts(graph: Graph) -> dict[str, Any]:
    """Return the output of --json about a graph."""
    streets = streets_of(graph)
    return {
        "n": own_vertices(graph),
        "m": streets.m,
        "directed": streets.directed,
        "weights": None if streets.weights is None else streets.weights.dtype.name,
        "labels": streets.has_labels,
        "coordinates": streets.coordinates is not None,
        "zones": streets.has_zones,
        "turns": graph._turned is not None,
    }


def graph_words(graph: Graph) -> str:
    """Describe a graph in a few words."""
    streets = streets_of(graph)
    kind = "arcs" if streets.directed else "edges"
    count = streets.m if streets.directed else edges(streets)
    weights = "counting hops" if streets.weights is None else f"{streets.weights.dtype.name} weights"
    turns = "" if graph._turned is None else ", with turns"
    return f"{own_vertices(graph):,} vertices, {count:,} {kind}, {weights}{turns}"


def edges(graph: Graph) -> int:
    """Return the number of edges of an undirected graph, which stores each as two arcs and a self-loop as one."""
    loops = int((graph.tails() == graph.indices).sum())
    return (graph.m + loops) // 2
