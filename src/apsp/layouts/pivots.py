"""Distances from pivots: vertices that are far from each other, and random ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.facts.request import Request
from apsp.graph.model import Graph
from apsp.running.run import blocks_of

__all__ = ["Pivots", "pivots_of"]


class Pivots(NamedTuple):
    """Pivots of a connected graph.

    Attributes
    ----------
    vertices : (k,) int32
    distances : (n, k) float32
        From each vertex to the pivots.
    """

    vertices: npt.NDArray[np.int32]
    distances: npt.NDArray[np.float32]


def pivots_of(
    graph: Graph, most: int, random: np.random.Generator, options: Request, advance: Callable[[int], None]
) -> Pivots:
    """Choose at most so many pivots: all vertices, or half of them far from all before, and half at random.

    Parameters
    ----------
    advance : callable
        Called with numbers of pivots whose distances were found.
    """
    if graph.n <= most:
        vertices = np.arange(graph.n, dtype=np.int32)
        distances = np.empty((graph.n, graph.n), dtype=np.float32)
        _fill(distances, graph, vertices, options, advance)
        return Pivots(vertices, distances)
    distances = np.empty((graph.n, most), dtype=np.float32)
    chosen: list[int] = [int(random.integers(graph.n))]
    nearest = np.full(graph.n, np.inf, dtype=np.float32)
    for number in range(most - most // 2):
        _fill(distances[:, number : number + 1], graph, np.array(chosen[-1:], dtype=np.int32), options, advance)
        np.minimum(nearest, distances[:, number], out=nearest)
        chosen.append(int(nearest.argmax()))
    chosen = chosen[: most - most // 2]
    others = np.setdiff1d(np.arange(graph.n, dtype=np.int32), chosen)
    drawn = np.sort(random.choice(others, most // 2, replace=False))
    _fill(distances[:, len(chosen) :], graph, drawn, options, advance)
    return Pivots(np.concatenate((np.array(chosen, dtype=np.int32), drawn)), distances)


def _fill(
    columns: npt.NDArray[np.float32], graph: Graph, sources: npt.NDArray[np.int32], options: Request,
    advance: Callable[[int], None],
) -> None:  # fmt: skip
    done = 0
    for block in blocks_of(graph, sources, None, options, reuse=True):
        rows = block.distances
        columns[:, done : done + len(rows)] = rows.T
        done += len(rows)
        advance(len(rows))
