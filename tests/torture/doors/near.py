"""`apsp.within` with all options mixed: at once, as a stream and through a store, against exact distances."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from torture.judging import Judging
from torture.promise import WrongError, check_rows
from tuple_paths import least_tuples

__all__ = ["near"]

OPTIONS = ("sources", "targets", "dtype", "threads", "k", "sort", "next_hop")

_SOURCES = 4
"""So many are compared with Dijkstra's method on tuples of Python."""


def near(judging: Judging, call: dict[str, Any]) -> None:
    graph, rng, naming = judging.fresh_graph(), random.Random(call["seed"]), judging.naming
    cutoff = max(call["cutoff"], 0)
    options = naming.told({name: call[name] for name in OPTIONS if name in call})
    along = {f"cost {k}": np.array([rng.randrange(3) for _ in range(graph.m)]) for k in range(call["kinds"])}
    if along:
        options["along"] = along
    try:
        found = apsp.within(graph, cutoff, **options)
    except apsp.RequestError:
        if not judging.truth.has_negative_arc:
            raise
        return
    if judging.truth.has_negative_arc:
        raise WrongError("there are pairs, and a length is negative")
    _check_order(judging, call, found)
    _check_distances(judging, call, found, cutoff)
    if judging.case.integer:
        _check_paths(judging, call, found, graph, along)
    rows = rng.randint(1, len(found) + 2)
    parts = list(apsp.stream_within(judging.fresh_graph(), cutoff, rows=rows, **options))
    for name, column in _columns(found).items():
        _same(f"{name} of a stream", [value for part in parts for value in _columns(part)[name]], column)
    if call["store"] and judging.case.labels not in ("mixed", "tuples"):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "near.zarr"
            apsp.within(judging.fresh_graph(), cutoff, store=place, **options)
            shards = sorted((place / "pairs").glob("*"))
            if shards and rng.random() < 0.5:
                rng.choice(shards).write_bytes(b"PAR1" if rng.random() < 0.5 else b"")
                apsp.within(judging.fresh_graph(), cutoff, store=place, **options)
            back = apsp.load(place)
            for name, column in _columns(found).items():
                _same(f"{name} of a store", _columns(back)[name], column)
        judging.count("pairs through a store")
    judging.count("pairs within a cutoff", f"dtype {found.distances.dtype}")


def _columns(found: apsp.NearPairs) -> dict[str, list[Any]]:
    columns = {"target": found.positions.tolist(), "distance": found.distances.tolist()}
    columns |= {name: sums.tolist() for name, sums in found.along.items()}
    columns["source"] = np.repeat(found.source_positions, np.diff(found.indptr)).tolist()
    return columns | ({} if found.next_positions is None else {"next_hop": found.next_positions.tolist()})


def _rows(found: apsp.NearPairs) -> list[slice]:
    return [slice(int(a), int(b)) for a, b in zip(found.indptr, found.indptr[1:], strict=False)]


def _check_order(judging: Judging, call: dict[str, Any], found: apsp.NearPairs) -> None:
    _same("sources", found.source_positions.tolist(), judging.positions(call.get("sources")))
    wanted = None if call.get("targets") is None else set(call["targets"])
    for row in _rows(found):
        targets, distances = found.positions[row].tolist(), found.distances[row].tolist()
        keys = targets if call["sort"] == "target" else list(zip(distances, targets, strict=True))
        if len(set(targets)) < len(targets) or sorted(keys) != keys or len(keys) > (call.get("k") or judging.case.n):
            raise WrongError(f"a row has the pairs {keys}")
        if wanted is not None and not wanted.issuperset(targets):
            raise WrongError(f"a row has the targets {targets}, not of {wanted}")


def _check_distances(judging: Judging, call: dict[str, Any], found: apsp.NearPairs, cutoff: float) -> None:
    """As rows of a matrix; of fewer than all pairs, the nearest exact ones."""
    truth, dtype, n = judging.truth, found.distances.dtype, judging.case.n
    if call.get("k") is None:
        targets = None if call.get("targets") is None else list(dict.fromkeys(call["targets"]))
        matrix = np.full((len(found), n), apsp.unreachable(dtype), dtype=dtype)
        for i, row in enumerate(_rows(found)):
            matrix[i, found.positions[row]] = found.distances[row]
        matrix = matrix if targets is None else matrix[:, targets]
        check_rows(truth, judging.positions(call.get("sources")), targets, matrix, cutoff=cutoff)
        return
    if not judging.case.integer or dtype.kind == "f":
        return
    for source, row in zip(judging.positions(call.get("sources")), _rows(found), strict=True):
        ends = range(n) if call.get("targets") is None else set(call["targets"])
        exact = truth.exact.row(source)
        order = sorted((exact[v], v) for v in ends if exact[v] is not None and exact[v] <= cutoff)[: call["k"]]
        got = sorted(zip(found.distances[row].tolist(), found.positions[row].tolist(), strict=True))
        _same(f"pairs of {source}", got, order)


def _check_paths(
    judging: Judging, call: dict[str, Any], found: apsp.NearPairs, graph: apsp.Graph, along: dict[str, Any]
) -> None:
    """Sums of other costs, and next hops, against tuples."""
    if found.distances.dtype.kind == "f" or not (along or call["next_hop"]):
        return
    costs = np.stack([graph.arc_weights("int64"), *along.values()], axis=1)
    for source, row in list(zip(judging.positions(call.get("sources")), _rows(found), strict=True))[:_SOURCES]:
        least = least_tuples(graph, costs, source)
        sums = list(
            zip(found.distances[row].tolist(), *(each[row].tolist() for each in found.along.values()), strict=True)
        )
        _same(f"costs from {source}", sums, [least[v] for v in found.positions[row]])
        if found.next_positions is None:
            continue
        for target, hop in zip(found.positions[row].tolist(), found.next_positions[row].tolist(), strict=True):
            if target == source:
                _same("the next hop of the source itself", hop, -1)
                continue
            arcs = [a for a in range(*graph.indptr[source : source + 2].tolist()) if graph.indices[a] == hop]
            if len(arcs) != 1 or (hop != target and hop in judging.truth.closed):
                raise WrongError(f"the next hop from {source} to {target} is {hop}")
            rest = least_tuples(graph, costs, hop)[target] if hop != target else (0,) * costs.shape[1]
            total = tuple(a + b for a, b in zip(costs[arcs[0]].tolist(), rest, strict=True))
            _same(f"costs from {source} over {hop} to {target}", total, least[target])


def _same(what: str, found: Any, expected: Any) -> None:
    if found != expected:
        raise WrongError(f"{what} is {found}, not {expected}")
