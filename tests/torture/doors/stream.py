"""`apsp.stream`: blocks that make up the rows, in order."""

from __future__ import annotations

from typing import Any

import numpy as np

import apsp
from apsp.system.array_device import to_host
from torture.judging import Judging
from torture.promise import WrongError, check_paths, check_rows

__all__ = ["stream"]

OPTIONS = ("sources", "targets", "cutoff", "dtype", "paths", "method", "device", "threads", "rows", "reuse")


def stream(judging: Judging, call: dict[str, Any]) -> None:
    options = {name: call[name] for name in OPTIONS if name in call}
    sources, targets, cutoff = judging.positions(call.get("sources")), call.get("targets"), call.get("cutoff")
    seen: list[int] = []
    dist, pred = [], []
    for block in apsp.stream(judging.fresh_graph(), **judging.naming.told(options)):
        seen += judging.naming.hear(to_host(block.sources).tolist())
        dist.append(to_host(block.distances).copy())
        if block.has_predecessors:
            pred.append(to_host(block.predecessors).copy())
        if call.get("rows") is not None and len(block.sources) > call["rows"]:
            raise WrongError(f"a block of {len(block.sources)} rows, {call['rows']} were requested")
    if seen != sources:
        raise WrongError(f"the blocks are of the sources {seen}, not {sources}")
    if not dist or not judging.judgeable(call, dist[0].dtype.name):
        return
    distances = np.concatenate(dist)
    check_rows(judging.truth, sources, targets, distances, cutoff=cutoff)
    if pred:
        check_paths(judging.truth, sources, targets, distances, np.concatenate(pred), cutoff=cutoff)
    judging.count(f"dtype {distances.dtype}")
