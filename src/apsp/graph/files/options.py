"""What a caller may ask of a reader; every format takes what concerns it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apsp.errors import FileFormatError, GraphError
from apsp.graph.convert import from_edges
from apsp.graph.files.source import Source
from apsp.graph.model import Graph, Parallel

__all__ = ["ReadOptions", "build", "check_vertex_count"]

MOST_VERTICES = 2**31 - 2


@dataclass(frozen=True)
class ReadOptions:
    """The keyword arguments of `apsp.read`, which documents them."""

    directed: bool | None = None
    weighted: bool = True
    cost: str | None = None
    relations: str | None = None
    parallel: Parallel | None = None
    absent: float | None = None
    columns: tuple[int, ...] | None = None
    coordinates: str | Path | bool = True
    terminals: bool = True
    mode: str | None = None

    def direction(self, default: bool) -> bool:
        """Whether the graph is directed, where the format says `default`."""
        return default if self.directed is None else self.directed


def build(
    source: Source,
    options: ReadOptions,
    tails: Any,
    heads: Any,
    weights: Any,
    *,
    n: int | None = None,
    directed: bool,
    parallel: Parallel = "min",
    **vertices: Any,
) -> Graph:
    """Make the graph that a reader has found; `directed` and `parallel` are what its format says.

    Raises
    ------
    FileFormatError
        Where the arrays are no graph, or n is absurd for so few arcs (a damaged header).
    """
    if n is not None:
        check_vertex_count(source, n, len(tails))
    try:
        return from_edges(
            tails, heads, weights if options.weighted else None, n=n, directed=options.direction(directed),
            parallel=options.parallel or parallel, **vertices,
        )  # fmt: skip
    except FileFormatError:
        raise
    except GraphError as error:
        raise source.fail(str(error)) from error


def check_vertex_count(source: Source, n: int, arcs: int) -> None:
    """Refuse a vertex count that only a damaged header can announce, before memory is asked for it."""
    if n < 0 or n > MOST_VERTICES:
        raise source.fail(f"announces {n} vertices: a graph has 0 to {MOST_VERTICES}")
    if n > 1000 * (arcs + 1000):
        raise source.fail(f"announces {n} vertices but has {arcs} arcs: the header is damaged or the file cut short")
