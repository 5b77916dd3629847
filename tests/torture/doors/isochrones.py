"""`apsp.isochrone`, and `apsp.nearest` in both directions, within a cutoff, with paths: against exact distances."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np

import apsp
from torture.judging import Judging
from torture.promise import WrongError, path_length

__all__ = ["isochrones"]

OPTIONS = ("method", "device", "threads")


def isochrones(judging: Judging, call: dict[str, Any]) -> None:
    truth, n, naming = judging.truth, judging.case.n, judging.naming
    rng = random.Random(call["seed"])
    if n == 0 or not judging.case.integer or truth.cycles(None) != "none":
        return
    sources = [rng.randrange(n) for _ in range(rng.randint(1, 3))]
    drawn = {rng.randrange(4) * max(truth.largest, 1) + rng.randrange(2) for _ in range(3)}
    cutoffs = sorted({float(cutoff): cutoff for cutoff in drawn}.values())  # (long ones are compared as floats)
    options = {name: call[name] for name in OPTIONS if name in call}
    found = apsp.isochrone(judging.fresh_graph(), naming.say(sources), cutoffs, **options)
    for source in sources:
        row = truth.exact.row(source)
        for cutoff in cutoffs:
            inside = [v for v, d in enumerate(row) if d is not None and d <= cutoff]
            got = naming.hear(found.vertices(naming.one(source), cutoff).tolist())
            if got != inside:
                raise WrongError(f"within {cutoff} of {source} are {got}, not {inside}")
            _check_arcs(judging, found.arcs(naming.one(source), cutoff), source, cutoff)
    _check_areas(judging, rng, sources, cutoffs)
    _check_nearest(judging, rng, sources)
    judging.count("isochrones")


def _check_areas(judging: Judging, rng: random.Random, sources: list[int], cutoffs: list[int]) -> None:
    """Points of reached pieces are inside, everything inside is near one, and areas grow with the cutoff."""
    truth, graph = judging.truth, judging.fresh_graph()
    try:
        import shapely
    except ImportError:
        return
    if truth.has_negative_arc or cutoffs[0] < 0 or len(truth.arcs) > 40:  # unions of lines that cross take long
        return
    sources = [rng.choice(sources)]
    points = np.array([[rng.randrange(50), rng.randrange(50)] for _ in range(truth.n)], dtype=np.float64)
    labels, zones = graph.labels, graph.zones
    placed = apsp.Graph(
        graph.indptr, graph.indices, graph.weights, directed=graph.directed, labels=labels, zones=zones,
        coordinates=points, crs="plane",
    )  # fmt: skip
    width = rng.choice((0.5, 3, 20))
    near = apsp.isochrone(placed, judging.naming.say(sources), cutoffs)
    areas, filled = (near.areas(width=width, holes=holes).polygons for holes in (True, False))
    if not shapely.is_valid(np.stack([areas, filled])).all():
        raise WrongError(f"polygons around {sources} are not valid")
    for row, source in enumerate(sources):
        row_found = truth.exact.row(source)
        for column, cutoff in enumerate(cutoffs):
            reached = [shapely.Point(points[source])]
            for (tail, head), weight in truth.arcs.items():
                far = row_found[tail]
                if far is None or far > cutoff or tail == head or {tail, head} & set(truth.closed):
                    continue
                part = 1.0 if weight <= cutoff - far else (cutoff - far) / weight
                end = points[tail] + part * (points[head] - points[tail])
                reached += [shapely.Point(points[tail]), shapely.LineString([points[tail], end])]  # (it may be short)
            lines, area = shapely.union_all(reached), areas[row, column]
            what = f"the polygon around what is within {cutoff} of {source}, width {width},"
            if not shapely.covers(area, shapely.buffer(lines, 0.9 * width)):
                raise WrongError(f"{what} does not hold what is reached")
            if not shapely.covers(shapely.buffer(lines, 1.01 * width, quad_segs=64), area):
                raise WrongError(f"{what} holds what is too far away")
            if not shapely.covers(shapely.buffer(filled[row, column], 1e-6 * width), area):
                raise WrongError(f"{what} is not inside that without holes")
            if shapely.get_num_interior_rings(shapely.get_parts(filled[row, column])).any():
                raise WrongError(f"{what} has holes that were to be filled")
            if column and not shapely.covers(shapely.buffer(area, 0.05 * width), areas[row, column - 1]):
                raise WrongError(f"{what} is not larger than that of the cutoff before")


def _check_arcs(judging: Judging, arcs: Any, source: int, cutoff: int) -> None:
    truth, hear = judging.truth, judging.naming.hear
    row = truth.exact.row(source)
    got = dict(zip(zip(hear(arcs.tails.tolist()), hear(arcs.heads.tolist()), strict=True), arcs.fractions, strict=True))
    expected = {}
    for (tail, head), weight in truth.arcs.items():
        near = row[tail]
        if near is not None and near <= cutoff and (tail == source or tail not in truth.closed):
            expected[tail, head] = 1.0 if weight <= cutoff - near else (cutoff - near) / weight
    if got.keys() != expected.keys() or not all(
        math.isclose(got[arc], part, rel_tol=1e-9, abs_tol=1e-12) for arc, part in expected.items()
    ):
        raise WrongError(f"arcs within {cutoff} of {source} are {got}, not {expected}")


def _check_nearest(judging: Judging, rng: random.Random, seeds: list[int]) -> None:
    truth, naming = judging.truth, judging.naming
    k, direction = rng.randint(1, 4), rng.choice(("to", "from"))
    cutoff = rng.choice((None, 0, truth.largest, 2 * truth.largest + 1))
    near = apsp.nearest(judging.fresh_graph(), naming.say(seeds), k, direction=direction, cutoff=cutoff)
    none, rows = apsp.unreachable(near.distances.dtype), [truth.exact.row(v) for v in range(truth.n)]
    for v in range(truth.n):
        lengths = {s: rows[s][v] if direction == "from" else rows[v][s] for s in seeds}
        order = sorted((d, s) for s, d in lengths.items() if d is not None and (cutoff is None or d <= cutoff))[:k]
        got = list(zip(near.distances[v].tolist(), near.positions[v].tolist(), strict=True))
        if got != order + [(none, -1)] * (k - len(order)):
            raise WrongError(f"the facilities {seeds} nearest {direction} {v} within {cutoff} are {got}, not {order}")
    if cutoff is None or not truth.has_negative_arc:
        _check_nearest_paths(judging, seeds, direction, cutoff)


def _check_nearest_paths(judging: Judging, seeds: list[int], direction: str, cutoff: int | None) -> None:
    truth, naming = judging.truth, judging.naming
    near = apsp.nearest(judging.fresh_graph(), naming.say(seeds), direction=direction, cutoff=cutoff, paths=True)
    for v in range(truth.n):
        seed = int(near.positions[v, 0])
        try:
            path = naming.hear(near.path(naming.one(v)))
        except apsp.NoPathError:
            if seed >= 0:
                raise WrongError(f"no path between {v} and its facility {seed}") from None
            continue
        ends = [seed, v] if direction == "from" else [v, seed]
        if [path[0], path[-1]] != ends or len(set(path)) < len(path):
            raise WrongError(f"the path {direction} the facility {seed} nearest to {v} is {path}")
        if path_length(truth, path)[0] != near.distances[v, 0]:
            raise WrongError(f"the path {path} is not {near.distances[v, 0]} long")
