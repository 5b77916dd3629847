"""The public function: points for all vertices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Unpack

import numpy as np
import numpy.typing as npt

from apsp._types import GraphLike
from apsp.errors import RequestError
from apsp.facts.keywords import TableKeywords
from apsp.facts.remedies import MORE_MEMORY
from apsp.facts.request import Request
from apsp.graph.accept import as_graph
from apsp.graph.model import Graph
from apsp.layouts.metric import Metric, metric_of
from apsp.layouts.packing import packed, upright
from apsp.layouts.pivot_mds import pivot_mds
from apsp.layouts.pivots import Pivots, pivots_of
from apsp.layouts.stress import most_sweeps, reduce_stress
from apsp.running.public import public
from apsp.system.arguments import whole_number
from apsp.system.machine import Machine, refuse_unless_fits, threads_from, usable
from apsp.system.progress import ProgressReport, offset, reporting

__all__ = ["layout"]

Points = npt.NDArray[np.float64]

_BYTES_PER_DISTANCE, _BYTES_PER_ARC, _BYTES_PER_VERTEX = 8, 60, 250
"""Memory of the work: distances and weights in float32; the edges in several orders; points and numbers of vertices."""

_APART = 1e-5
"""By how much vertices are moved at random at first, as a share of the mean distance: none lies on another."""


@public
def layout(
    graph: GraphLike, *, pivots: int = 200, seed: int = 0, **keywords: Unpack[TableKeywords]
) -> npt.NDArray[np.float64]:
    """Return points in the plane whose straight distances are nearly the shortest-path distances of a graph.

    Parameters
    ----------
    {graph}
    pivots : int
        Vertices, of each component, whose distances to all others are computed. If there are as many as vertices, the
        stress of all pairs is reduced, otherwise sparse stress. More take time and memory in proportion.
    seed : int
        Of the random choice of pivots, at least 0. The points are the same for the same seed, with any number of
        threads.
    {options}

    Returns
    -------
    (n, 2) float64
        The points, in the order of the vertices and in the unit of the distances.

    Raises
    ------
    GraphError, RequestError, DeviceError
        If the input or the request is invalid, weights are negative, or distances are beyond float64.
    MemoryLimitError
        Before the work, if it does not fit into memory.

    See Also
    --------
    Graph.plot : A map, of a graph that has coordinates.
    Graph.explore : A map in a file of HTML.

    Notes
    -----
    The first points are those of PivotMDS (Brandes and Pich, "Eigensolver methods for progressive multidimensional
    scaling of large data", 2007). Then localized majorization reduces sparse stress (Ortmann, Klimenta and Brandes, "A
    sparse stress model", Journal of Graph Algorithms and Applications 21(5), 2017): the squared differences of straight
    and shortest-path distances, over squared distances, summed over edges and pairs with a pivot, which stands for the
    vertices around it. Half of the pivots are far from all before them, half are random.

    A straight distance has no direction, so arcs may be used both ways: of those between two vertices the shortest
    counts. Vertices at distance 0 of each other lie on one point, as do those whose weight between them is below 2^-52
    of the largest. Paths may pass through zones here. An edge between two vertices that are no pivots counts with its
    weight, even if a path is shorter.

    Components, in which all vertices have paths to each other, are laid out one by one, each along the first axis, and
    stand beside each other in rows, the largest first, at the mean length of an edge.

    The time is that of `pivots` rows of distances and of at most 100 sweeps over n * `pivots` pairs (500, if they are
    up to a million); the memory is about 8 bytes per such pair. Sums of NumPy's linear algebra may be rounded otherwise
    on another machine.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [2, 1, 3], directed=False)
    >>> points = apsp.layout(graph)
    >>> abs(points[0] - points[3]).max().round(2).item()
    6.0

    As coordinates of the same graph:

    >>> graph.with_coordinates(points).coordinates.shape
    (4, 2)
    """
    graph = as_graph(graph)
    pivots = whole_number(pivots, "pivots", least=1)
    seed = whole_number(seed, "seed", least=0)
    options = Request.of(**keywords)
    threads = threads_from(options.threads)
    _refuse_unless_fits(graph, pivots)
    with reporting(options.progress) as report:
        metric = metric_of(graph)
        points = _points(metric, pivots, seed, replace(options, progress=False), threads, report)[metric.points]
    with np.errstate(over="ignore"):
        found: Points = np.ldexp(points, metric.exponent)
    if not np.isfinite(found).all():
        raise RequestError("distances of the graph are beyond the largest float64, so that its points are, too")
    return found


def _refuse_unless_fits(graph: Graph, pivots: int) -> None:
    """Raise MemoryLimitError unless the work fits."""
    others = _BYTES_PER_ARC * graph.m + _BYTES_PER_VERTEX * graph.n
    each = _BYTES_PER_DISTANCE * graph.n
    needed = others + each * min(graph.n, pivots)
    most = (usable(Machine.detect()) - others) // max(each, 1)
    fewer = [f"pivots={most}"] if most > 0 else [MORE_MEMORY]
    refuse_unless_fits(needed, lambda: f"the layout of {graph.n:,} vertices from {pivots:,} pivots", *fewer)


def _points(
    metric: Metric, most: int, seed: int, options: Request, threads: int, report: ProgressReport | None
) -> Points:
    """Points of the vertices of a metric."""
    sizes = np.diff(metric.first)
    points, boxes = np.zeros((metric.graph.n, 2)), np.zeros((len(sizes), 2))
    pairs = metric.first[:-1][sizes == 2]
    points[pairs + 1, 0] = boxes[sizes == 2, 0] = metric.lengths[metric.graph.indptr[pairs]]
    numbers = np.flatnonzero(sizes > 2).tolist()
    draws = [np.random.default_rng([seed, number]) for number in numbers]
    parts = [metric.component(number) for number in numbers]
    advance = _advance(report, "pivots", sum(min(part.n, most) for part in parts))
    chosen = [pivots_of(part, most, draw, options, advance) for part, draw in zip(parts, draws, strict=True)]
    sweeps = np.cumsum([0, *map(most_sweeps, chosen)]).tolist()
    for number, part, pivots, draw, done in zip(numbers, parts, chosen, draws, sweeps[:-1], strict=True):
        placed = _connected(part, pivots, draw, threads, offset(report, "sweeps", done, sweeps[-1]))
        placed -= placed.min(axis=0)
        points[metric.first[number] : metric.first[number + 1]] = placed
        boxes[number] = placed.max(axis=0)
    if report is not None and numbers:
        report("sweeps", sweeps[-1], sweeps[-1])
    corners = packed(boxes, gap=float(metric.lengths.mean()) if metric.graph.m else 1.0)
    return points + np.repeat(corners, sizes, axis=0)


def _connected(
    graph: Graph, pivots: Pivots, random: np.random.Generator, threads: int, progress: Callable[[int], None] | None
) -> Points:
    """Points of a connected graph."""
    points = pivot_mds(pivots)
    points += random.normal(scale=_APART * float(pivots.distances.mean()), size=points.shape)
    reduce_stress(graph, pivots, points, threads, progress)
    return upright(points)


def _advance(report: ProgressReport | None, stage: str, total: int) -> Callable[[int], None]:
    """What is called with the numbers of steps that were done."""
    done = 0

    def advance(steps: int) -> None:
        nonlocal done
        done += steps
        if report is not None:
            report(stage, done, total)

    return advance
