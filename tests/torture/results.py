"""Damaged results, oracles and files of pages: success or an error of apsp, also in later use.

A result that loads although its distances are others than those that were saved must not pass `verify()`.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import random
import tempfile
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from torture.archives import damaged_archive
from torture.damage import damaged
from torture.hdf5 import damaged_hdf5
from torture.memory import with_memory_limit
from torture.promise import WrongError
from torture.samples import omx_files, oracle_files, page_files, result_files

__all__ = ["run"]


@with_memory_limit
def run(seed: int, options: dict[str, Any], counts: Counter[str]) -> dict[str, Any] | None:
    """Damage a file, load it, use it."""
    rng = random.Random(seed)
    kind = rng.choices(("result", "oracle", "pages", "omx"), (6, 3, 1, 3))[0]
    graph, pages = page_files()
    samples = {"result": result_files(), "oracle": oracle_files(), "pages": pages, "omx": omx_files()}[kind]
    number = rng.randrange(len(samples))
    data = {"pages": damaged, "omx": damaged_hdf5}.get(kind, damaged_archive)(samples[number], rng)
    counts[f"damaged {kind}"] += 1
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.npz"
        path.write_bytes(data)
        try:
            if kind == "result":
                _use_result(path, number, rng, counts)
            elif kind == "oracle":
                _use_oracle(path, rng, counts)
            elif kind == "omx":
                _use_omx(path, counts)
            else:
                _use_pages(graph, path, counts)
        except apsp.ApspError as error:
            counts[f"refusals {type(error).__name__}"] += 1
        except WrongError as error:
            return {"what": "wrong", "where": f"{kind} file", "words": str(error), "bytes": data.hex()[:40_000]}
        except Exception as error:
            return {
                "what": "foreign", "where": f"{kind} file {type(error).__name__}",
                "words": f"{type(error).__name__}: {error}"[:2000], "trace": traceback.format_exc(),
                "bytes": data.hex()[:40_000],
            }  # fmt: skip
    return None


@functools.cache
def _saved(number: int) -> apsp.Result:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.npz"
        path.write_bytes(result_files()[number])
        result = apsp.load(path)
        return apsp.Result(result.graph, np.array(result.distances))


def _use_result(path: Path, number: int, rng: random.Random, counts: Counter[str]) -> None:
    checked = "check" in inspect.signature(apsp.load).parameters and rng.random() < 0.5
    result = apsp.load(path, check=True) if checked else apsp.load(path)
    counts["loaded results"] += 1
    repr(result)
    before = _saved(number)
    for attempt in (_pairs, _whole, _saves):
        try:
            attempt(result, path, rng)
        except apsp.ApspError as error:
            counts[f"later {type(error).__name__}"] += 1
    try:
        result.verify()
    except apsp.ApspError as error:
        counts[f"verify {type(error).__name__}"] += 1
        return
    counts["verified"] += 1
    same_graph = _same_graph(result.graph, before.graph)
    if same_graph and result.distances.dtype.kind in "iu" and result.distances.shape == before.distances.shape:
        known = result.cutoff is None and np.array_equal(result.source_positions, np.arange(result.graph.n))
        known = known and before.distances.dtype == result.distances.dtype and before.cutoff is None
        if known and not np.array_equal(result.distances, before.distances):
            raise WrongError("verify() passes, and the distances are others than those that were saved")


def _same_graph(one: apsp.Graph, other: apsp.Graph) -> bool:
    arrays = ("indptr", "indices", "weights", "zones")
    pairs = [(getattr(one, name), getattr(other, name)) for name in arrays]
    return all((a is None) == (b is None) and (a is None or np.array_equal(a, b)) for a, b in pairs)


def _pairs(result: apsp.Result, path: Path, rng: random.Random) -> None:
    for _ in range(3 if len(result.sources) and len(result.targets) else 0):
        source, target = (rng.choice(list(vertices)) for vertices in (result.sources, result.targets))
        result.distance(source, target)
        result.path(source, target)
        result.next_hop(source, target)
        list(itertools.islice(result.all_paths(source, target), 3))
        result.tied_predecessors(source)
        if result.has_counts:
            result.count(source, target)


def _whole(result: apsp.Result, path: Path, rng: random.Random) -> None:
    result.to_long()
    if result.has_predecessors:
        result.next_hops()
    if len(result.sources) and len(result.targets):
        result.paths([result.sources[0]] * 2, [result.targets[0], result.targets[-1]])


def _saves(result: apsp.Result, path: Path, rng: random.Random) -> None:
    result.save(path.with_name("again.npz"))
    apsp.load(path.with_name("again.npz"))


def _use_oracle(path: Path, rng: random.Random, counts: Counter[str]) -> None:
    oracle = apsp.Oracle.load(path)
    counts["loaded oracles"] += 1
    repr(oracle)
    n = oracle.graph.n
    if n and n < 2000:
        labels = list(oracle.graph.labels) if hasattr(oracle.graph, "labels") else list(range(n))
        for _ in range(3):
            source, target = rng.choice(labels), rng.choice(labels)
            oracle.distance(source, target)
        oracle.rows()
        oracle.summary()
        oracle.path(source, target)
    oracle.update(np.ones(oracle.graph.m, dtype=np.int32))
    oracle.rows()


def _use_pages(graph: apsp.Graph, path: Path, counts: Counter[str]) -> None:
    result = apsp.solve(graph, method="floyd-warshall", pages_file=path, device="cpu")
    counts["resumed pages"] += 1
    result.verify()
    counts["verified pages"] += 1


def _use_omx(path: Path, counts: Counter[str]) -> None:
    skims = apsp.read_omx(path)
    counts["read skims"] += 1
    repr(skims)
    for attempt in (
        skims.to_long, skims.to_pandas, skims.to_arrow, lambda: skims.write(path.with_name("again.csv")),
        lambda: skims.write(path.with_name("again.npz")),
    ):  # fmt: skip
        try:
            attempt()
        except apsp.ApspError as error:
            counts[f"later {type(error).__name__}"] += 1
    try:
        skims.write(path.with_name("again.omx"))
    except apsp.ApspError as error:
        counts[f"later {type(error).__name__}"] += 1
        return
    again = apsp.read_omx(path.with_name("again.omx"))
    same = all(np.array_equal(again[name], matrix, equal_nan=True) for name, matrix in skims.items())
    if again.names != skims.names or not same or list(again.zones) != list(skims.zones):
        raise WrongError("skims that were written again are others")
