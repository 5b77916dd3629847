"""Damaged results and oracles: only this package's errors come out, at loading and in later use."""

from __future__ import annotations

import contextlib
import os
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import apsp
from apsp.errors import ApspError, FileFormatError
from apsp.graph.model import Graph
from mutations import mutated_archive, mutated_bytes

COUNT = int(os.environ.get("APSP_TEST_MUTATIONS", "250"))  # of mutations per kind of file


def graphs() -> list[Graph]:
    city = apsp.generate("city", 40, seed=1)
    zones = np.arange(40) < 6
    return [
        city,
        apsp.from_edges(city.tails(), city.indices, city.weights, n=40, zones=zones),
        apsp.from_edges([0, 1, 2], [1, 2, 0], [1.5, -0.5, 2.0]),
        apsp.from_edges([], [], n=1),
        *(
            apsp.from_edges([0, 1, 2], [1, 2, 0], [1, 2, 3], labels=labels)
            for labels in (range(1, 4), [7, -1, 30], ["Rome", "Ostia", "ü"], [(1, 2), 2.5, np.datetime64("2026-01-01")])
        ),
    ]


def results(folder: Path) -> list[bytes]:
    city, zones, floats, single, *labelled = graphs()
    path, found = folder / "saved", []
    for result in (
        apsp.solve(city, paths=True),
        apsp.solve(zones, sources=[3, 30], targets=[5, 6, 7], cutoff=100, paths=True),
        apsp.solve(floats),
        apsp.solve(single, paths=True),
        *map(apsp.solve, labelled),
    ):
        result.save(path)
        found.append(path.read_bytes())
    return found


def oracles(folder: Path) -> list[bytes]:
    path, found = folder / "saved", []
    for graph in graphs():
        apsp.prepare(graph).save(path)
        found.append(path.read_bytes())
    return found


def use_result(path: Path) -> None:
    result = apsp.load(path)
    repr(result)
    vertices = list(result.sources[:3]), list(result.targets[-3:])
    for source in vertices[0]:
        for target in vertices[1]:
            allowed(lambda s=source, t=target: result.distance(s, t))
            allowed(lambda s=source, t=target: result.path(s, t))
            allowed(lambda s=source, t=target: result.next_hop(s, t))
    for use in (
        result.next_hops,
        result.via,
        result.to_long,
        result.verify,
        lambda: result.verify(sample=2),
        lambda: result.save(path.with_suffix(".again")),
    ):
        allowed(use)


def use_oracle(path: Path) -> None:
    oracle = apsp.Oracle.load(path)
    repr(oracle)
    ends = list(oracle.graph.labels)[:3]
    with np.errstate(all="ignore"):
        for source in ends:
            for target in ends:
                allowed(lambda s=source, t=target: oracle.distance(s, t))
                allowed(lambda s=source, t=target: oracle.path(s, t))
        allowed(oracle.rows)
        allowed(lambda: oracle.matrix(list(ends), list(ends)))
        allowed(oracle.summary)
        allowed(lambda: oracle.update(np.ones(oracle.graph.m)))


def allowed(use: Callable[[], object]) -> None:
    with contextlib.suppress(ApspError):
        use()


CASES = {"result": (results, use_result), "oracle": (oracles, use_oracle)}


@pytest.mark.few(3)
@pytest.mark.parametrize("damage", [mutated_bytes, mutated_archive], ids=["bytes", "members"])
@pytest.mark.parametrize("kind", CASES)
def test_only_our_errors(tmp_path: Path, kind: str, damage: Callable[[bytes, random.Random], bytes]) -> None:
    make, use = CASES[kind]
    whole, refused, path = make(tmp_path), 0, tmp_path / "damaged.npz"
    for seed in range(COUNT):
        path.write_bytes(damage(whole[seed % len(whole)], random.Random(seed)))
        try:
            use(path)
        except FileFormatError as error:
            refused += 1
            words = str(error)
        except Exception as error:
            raise AssertionError(f"seed {seed} of {kind}: {type(error).__name__}") from error
        else:
            continue
        assert words.startswith(f"{path}: ")
        assert len(words) < 1000
    assert refused > COUNT / 3


@pytest.mark.parametrize("kind", ["distances", "bits"])
def test_damaged_files_of_pages(tmp_path: Path, kind: str) -> None:
    graph, path, noticed = graphs()[0], tmp_path / "pages", 0

    def run() -> object:
        if kind == "bits":
            return apsp.reachable(graph, device="cpu", pages_file=path).count()
        result = apsp.solve(graph, method="floyd-warshall", device="cpu", pages_file=path)
        result.check()
        return result.distances.sum()

    right = run()
    whole = path.read_bytes()
    for seed in range(COUNT // 2):
        path.write_bytes(mutated_bytes(whole, random.Random(seed)))
        try:
            found = run()
        except ApspError as error:
            noticed += 1
            words = str(error)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {type(error).__name__}") from error
        else:
            assert kind == "bits" or found == right, f"seed {seed}"
            continue
        assert str(path) in words
        assert len(words) < 1000
    assert noticed > COUNT / 8
