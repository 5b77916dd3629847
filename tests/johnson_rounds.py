"""The kernels of johnson.cu as plain loops over NumPy arrays: what the rounds do, without a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp.semiring import unreachable


def launch(kernel: str, threads: int, block: int, *arguments: Any) -> None:
    """Run a kernel as the driver launches it."""
    assert threads > 0
    assert block > 0
    globals()[kernel](*arguments)


def _arcs(u: int, indptr: Any, indices: Any) -> Any:
    return [(arc, int(indices[arc])) for arc in range(indptr[u], indptr[u + 1])]


def _sum(a: Any, b: Any) -> Any:
    none = unreachable(np.asarray(a).dtype)
    return none if none in (a, b) or (isinstance(none, int) and int(a) + int(b) > none) else a + b


def relax_queue(queue, count, indptr, indices, weights, in_degree, height, stamp, round_number, following, tail):
    for u in queue[:count]:
        for arc, v in _arcs(u, indptr, indices):
            length = height[u] + weights[arc]
            if u == v or indptr[v] == indptr[v + 1] or length >= height[v]:
                continue
            height[v] = length
            if stamp[v] != round_number:
                stamp[v] = round_number
                following[tail[0]] = v
                tail[0] += 1


def relax_outgoing(n, indptr, indices, weights, height):
    for u in range(n):
        for arc, v in _arcs(u, indptr, indices):
            if indptr[v] == indptr[v + 1]:
                height[v] = min(height[v], height[u] + weights[arc])


def reweight(n, indptr, indices, height, weights, least):
    for u in range(n):
        least[u] = unreachable(weights.dtype)
        for arc, v in _arcs(u, indptr, indices):
            w = weights[arc]
            gone = weights.dtype.kind == "i" and w >= 2**61
            weights[arc] = unreachable(weights.dtype) if gone else max(w + height[u] - height[v], 0)
            if u != v:
                least[u] = min(least[u], weights[arc])


def relax_queued(queue, count, source, closed, indptr, indices, weights, unsettled, dist):
    for u in queue[:count]:
        for arc, v in _arcs(u, indptr, indices) if u == source or not closed[u] else ():
            if unsettled[v]:
                dist[v] = min(dist[v], _sum(dist[u], weights[arc]))


def relax_flagged(flag, n, source, *arcs):
    queue = np.flatnonzero(flag)
    relax_queued(queue, len(queue), source, *arcs)


def record(settled, round_number, n, source, closed, indptr, indices, weights, unsettled, dist, pred):
    for u in np.flatnonzero(settled == round_number):
        for arc, v in _arcs(u, indptr, indices) if u == source or not closed[u] else ():
            length = _sum(dist[u], weights[arc])
            if unsettled[v] and length < unreachable(dist.dtype) and length == dist[v]:
                pred[v] = u


def minimum(n, unsettled, dist, least, threshold):
    threshold[0] = min([threshold[0], *(_sum(dist[u], least[u]) for u in np.flatnonzero(unsettled))])


def update_flags(n, dist, threshold, round_number, settle, unsettled, flag, settled):
    flag[...] = (unsettled == 1) & (dist < unreachable(dist.dtype)) & (dist <= threshold[0])
    if settle:
        unsettled[flag == 1], settled[flag == 1] = 0, round_number


def update_queue(n, dist, threshold, round_number, unsettled, settled, queue, tail):
    flag = np.empty_like(unsettled)
    update_flags(n, dist, threshold, round_number, True, unsettled, flag, settled)
    tail[0] = flag.sum()
    queue[: tail[0]] = np.flatnonzero(flag)[::-1]


def update_prefix(n, flag, prefix_sum, round_number, unsettled, settled, queue):
    for u in np.flatnonzero(flag):
        unsettled[u], settled[u], queue[prefix_sum[u] - 1] = 0, round_number, u


def take_back(n, source, dist, height, row):
    with np.errstate(over="ignore"):
        row[...] = np.where(dist < unreachable(dist.dtype), dist - height[source] + height, unreachable(dist.dtype))
