"""`apsp.prepare` and the oracle: pairs, rows, blocks, paths, sums; other weights; the way through a file."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from apsp.system.array_device import to_host
from torture.case import Case
from torture.judging import Judging
from torture.promise import WrongError, check_length, check_rows

__all__ = ["checked_oracle", "csr_weights", "oracle", "other_weights"]


def oracle(judging: Judging, call: dict[str, Any]) -> None:
    options = {name: call[name] for name in ("dtype", "threads", "device", "labels") if name in call}
    made = apsp.prepare(judging.fresh_graph(), **options)
    checked_oracle(judging, call, made)
    rng = random.Random(call.get("seed", 0))
    if call.get("saved"):
        with tempfile.TemporaryDirectory() as folder:
            made.save(Path(folder) / "oracle.npz")
            made = apsp.Oracle.load(Path(folder) / "oracle.npz")
        checked_oracle(judging, call, made)
    if call.get("labels"):
        judging.count("oracles with labels")
    if call.get("updated"):
        case = other_weights(judging, rng)
        other = Judging(case)
        made.update(csr_weights(other))
        checked_oracle(other, call, made)
        judging.count("oracle updated")
        for _ in range(3):
            case = few_other_weights(other, rng)
            other = Judging(case)
            weights = csr_weights(other)
            made.update(_by_edge(judging, made.graph, weights) if rng.random() < 0.5 else weights)
            checked_oracle(other, call, made)
            judging.count("few weights of an oracle updated")


def _by_edge(judging: Judging, graph: apsp.Graph, weights: Any) -> dict[Any, Any]:
    """The weights that differ from those of a graph, by edge."""
    old = np.ones(graph.m) if graph.weights is None else graph.weights
    changed, tails, one = np.flatnonzero(np.asarray(weights) != old), graph.tails(), judging.naming.one
    return {(one(int(tails[arc])), one(int(graph.indices[arc]))): weights[arc].item() for arc in changed}


def checked_oracle(judging: Judging, call: dict[str, Any], made: apsp.Oracle) -> None:
    n, truth = judging.case.n, judging.truth
    if not judging.judgeable({}, made.dtype.name) or n == 0:
        return
    rng = random.Random(call.get("seed", 0))
    say, one = judging.naming.say, judging.naming.one
    sources = [rng.randrange(n) for _ in range(rng.randint(1, 4))]
    targets = [rng.randrange(n) for _ in range(rng.randint(1, 4))]
    check_rows(truth, range(n), None, made.rows())
    check_rows(truth, sources, targets, made.matrix(say(sources), say(targets)))
    starts, ends = [s for s in sources for _ in targets], targets * len(sources)
    pairs = made.distances(say(starts), say(ends))
    check_rows(truth, sources, targets, pairs.reshape(len(sources), len(targets)))
    _check_paths(judging, made, starts, ends)
    blocks = [to_host(block.distances).copy() for block in made.stream(rows=rng.randint(1, n), sources=say(sources))]
    check_rows(truth, sources, None, np.concatenate(blocks))
    row = to_host(made.rows(say(sources)))
    for position, source in enumerate(sources):
        target = rng.choice(targets)
        value = made.distance(one(source), one(target))
        none = apsp.unreachable(made.dtype)
        alone = np.array([[none if value == float("inf") else value]], dtype=made.dtype)
        check_rows(truth, [source], [target], alone)
        try:
            path = judging.naming.hear(made.path(one(source), one(target)))
        except apsp.NoPathError:
            if row[position, target] != none:
                raise WrongError(f"oracle.path({source}, {target}): none, at distance {value!r}") from None
            continue
        if judging.case.integer:
            check_length(truth, path, source, target, value, made.dtype.name)


def _check_paths(judging: Judging, made: apsp.Oracle, starts: list[int], ends: list[int]) -> None:
    say, none = judging.naming.say, apsp.unreachable(made.dtype)
    found = made.paths(say(starts), say(ends))
    for source, target, path, value in zip(starts, ends, found, found.distances.tolist(), strict=True):
        if (value == none) != (not path):
            raise WrongError(f"oracle.paths({source}, {target}): {path}, at distance {value!r}")
        if path and len(set(path)) != len(path):
            raise WrongError(f"oracle.paths({source}, {target}): {path} passes a vertex twice")
        if path and judging.case.integer:
            check_length(judging.truth, judging.naming.hear(path), source, target, value, made.dtype.name)
    judging.count("oracle paths")


def other_weights(judging: Judging, rng: random.Random) -> Case:
    """The same arcs with their weights permuted."""
    merged = judging.truth.merged
    pairs = sorted(merged) if judging.case.directed else sorted({tuple(sorted(pair)) for pair in merged})
    weights = [merged[pair] for pair in pairs]
    if judging.truth.has_negative_arc:  # permuted weights might make a negative cycle
        weights = [abs(weight) for weight in weights]
    rng.shuffle(weights)
    arcs = [(tail, head, weight) for (tail, head), weight in zip(pairs, weights, strict=True)]
    return judging.case.changed(arcs=arcs)


def few_other_weights(judging: Judging, rng: random.Random) -> Case:
    """The same arcs; a few have the weight of another one."""
    merged = dict(judging.truth.merged)
    for _ in range(rng.randint(0, 3) if merged else 0):
        tail, head = rng.choice(sorted(merged))
        merged[tail, head] = abs(rng.choice(sorted(merged.values())))
        if not judging.case.directed:
            merged[head, tail] = merged[tail, head]
    pairs = merged if judging.case.directed else {tuple(sorted(pair)) for pair in merged}
    arcs = [(tail, head, merged[tail, head]) for tail, head in sorted(pairs)]
    return judging.case.changed(arcs=arcs)


def csr_weights(judging: Judging) -> np.ndarray:
    merged = judging.truth.merged
    return np.array([merged[pair] for pair in sorted(merged)], dtype=judging.case.dtype or "int32")
