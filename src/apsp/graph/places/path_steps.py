"""The links that paths take from vertex to vertex, from those that they consist of: of parallel ones, these are drawn.

At a place, the first or the last of them is its street.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError, RequestError, shown
from apsp.graph.links import Links, kept_links
from apsp.graph.places.path_ends import PathsIn
from apsp.graph.places.places import Places
from apsp.system.arguments import whole_number
from apsp.system.numbers import counted

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = ["are_told_apart", "links_of_steps"]

Positions = npt.NDArray[np.int32]


def are_told_apart(graph: Graph) -> bool:
    """Whether lines of paths differ by which of several parallel links these take."""
    return graph.links is not None and graph.links.bends is not None and graph.links.are_parallel


def links_of_steps(
    graph: Graph, paths: PathsIn, links: Sequence[Sequence[int]], sources: Places | None, targets: Places | None
) -> Positions:
    """The links between the vertices of paths, one path after another.

    Parameters
    ----------
    links : sequence of sequences of int
        The links of each path.
    sources, targets : Places, optional
        The ends of the paths.

    Raises
    ------
    RequestError
        If there are not as many as paths, or the graph keeps no links.
    GraphError
        If a link does not exist, or does not lead along its path.
    """
    kept = kept_links(graph)
    if isinstance(links, (str, bytes)) or not isinstance(links, Iterable) or getattr(links, "ndim", 1) == 0:
        raise RequestError(f"links must be a sequence per path, not {shown(links)}")
    rows = list(links)
    if len(rows) != len(paths.sources):
        raise RequestError(
            f"there are links of {counted(len(rows), 'path')}, not of {len(paths.sources):,}: give those of each path"
        )
    found: list[int] = []
    for number, row in enumerate(rows):
        vertices = paths.positions[paths.offsets[number] : paths.offsets[number + 1]].tolist()
        steps = list(itertools.pairwise(vertices))
        before = _street(graph, sources, int(paths.sources[number]))
        after = _street(graph, targets, int(paths.targets[number]))
        ends = [before, *steps, after] if vertices else [before]
        found += _inner(graph, kept, number, row, ends, len(steps))
    return np.array(found, dtype=np.int32)


def _street(graph: Graph, places: Places | None, row: int) -> tuple[int, int] | None:
    """The ends of the street of a place; None at a vertex."""
    if places is None or row < 0 or places.arcs[row] < 0:
        return None
    return int(places.vertices[row]), int(graph.indices[places.arcs[row]])


def _inner(
    graph: Graph, kept: Links, number: int, row: Sequence[int], ends: list[tuple[int, int] | None], steps: int
) -> list[int]:
    """The links of the steps of a path, of which each leads between two ends; None: there is no link."""
    if isinstance(row, (str, bytes)) or not isinstance(row, Iterable):
        raise RequestError(f"links of the path {number} must be a sequence, not {shown(row)}")
    wanted = [each for each in ends if each is not None]
    numbers = [whole_number(each, "a link", least=0, most=len(kept) - 1) for each in row]
    if len(numbers) != len(wanted) and (steps or len(numbers) > len(wanted)):
        raise GraphError(f"the path {number} takes {len(wanted):,} links, not {len(numbers):,}")
    for link, pair in zip(numbers, wanted, strict=False):
        both = kept.one_way is not None and not kept.one_way[link] if graph.directed else True
        along = int(kept.tails[link]), int(kept.heads[link])
        is_street = pair is ends[0] or pair is ends[-1]
        if pair != along and not ((both or is_street) and pair == along[::-1]):
            raise GraphError(
                f"the link {link} of the path {number} does not lead from {graph.word(pair[0])} to "
                f"{graph.word(pair[1])}"
            )
    first = int(ends[0] is not None)
    return numbers[first : first + steps]
