"""`apsp.skim`: costs along the least paths, both ways and on an emulated GPU, against Dijkstra's method on tuples."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import apsp
from by_method import fill_skims
from torture.judging import Judging
from torture.promise import WrongError, check_rows
from tuple_paths import least_tuples

__all__ = ["skims"]


def skims(judging: Judging, call: dict[str, Any]) -> None:
    truth, graph, rng = judging.truth, judging.fresh_graph(), random.Random(call["seed"])
    along = {f"cost {k}": np.array([rng.randrange(3) for _ in range(graph.m)]) for k in range(call["kinds"])}
    zones = [rng.randrange(truth.n) for _ in range(min(truth.n, 4))]
    options = {"zones": judging.naming.say(zones), "threads": call["threads"]}
    too_long = truth.case.integer and truth.largest * max(truth.n - 1, 1) > 2**53
    try:
        found = apsp.skim(graph, along, **options)
    except apsp.GraphError:
        if not truth.has_negative_arc:
            raise
        return
    except apsp.DtypeRangeError:
        if not too_long:
            raise
        return
    if truth.has_negative_arc or too_long:
        raise WrongError("there are skims, and weights are negative or too long")
    check_rows(truth, zones, zones, found["cost"])
    if not truth.case.integer:
        return
    costs = np.stack([graph.arc_weights("int64"), *along.values()], axis=1)
    expected = [least_tuples(graph, costs, source) for source in zones]
    wanted = [[[row[target][kind] for target in zones] for row in expected] for kind in range(costs.shape[1])]
    if found.matrices.tolist() != wanted:
        raise WrongError(f"apsp.skim gives {found.matrices.tolist()}, not {wanted}")
    positions, out = np.array(zones, dtype=np.int32), np.empty_like(found.matrices)
    for by, device in (("elimination", "cpu"), ("searches", "cpu"), ("elimination", "emulated")):
        fill_skims(
            graph, costs.astype(np.float64), positions, positions, out, by=by, device=device, threads=call["threads"]
        )
        if out.tolist() != wanted:
            raise WrongError(f"skims by {by} on device {device} are {out.tolist()}, not {wanted}")
    judging.count("skims")
