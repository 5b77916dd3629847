"""Blocks that the next one overwrites are small on a CPU; numbers and requested heights are the same."""

import numpy as np
import pytest

import apsp
from apsp.facts import result_bytes
from apsp.facts.result_bytes import overwritten_rows
from apsp.running import planned_rows


@pytest.fixture
def small(monkeypatch):
    """Blocks of few bytes, so that small graphs have several."""
    monkeypatch.setattr(result_bytes, "BLOCK_BYTES", 100 * 1000)
    monkeypatch.setattr(result_bytes, "_OVERWRITTEN_BYTES", 40 * 1000)
    monkeypatch.setattr(result_bytes, "_OVERWRITTEN_ROWS", 8)
    return apsp.generate("random", 500, m=2000, seed=3)


def heights(blocks):
    return [len(block.source_positions) for block in blocks]


def test_heights(small):
    options = {"device": "cpu", "dtype": "uint16", "method": "dijkstra", "threads": 1}
    kept = heights(apsp.stream(small, **options))
    overwritten = heights(apsp.stream(small, reuse=True, **options))
    assert max(kept) * 1000 <= 100_000
    assert max(overwritten) * 1000 <= 40_000
    assert max(overwritten) < max(kept)
    assert sum(kept) == sum(overwritten) == 500
    assert heights(apsp.stream(small, reuse=True, rows=90, **options))[0] == 90
    wide = heights(apsp.stream(small, reuse=True, paths=True, **options))
    assert max(wide) < max(overwritten), "predecessors are counted"


def test_half_of_all_rows_stay_together(small, monkeypatch):
    monkeypatch.setattr(result_bytes, "BLOCK_BYTES", 300 * 1000)
    options = {"device": "cpu", "dtype": "uint16", "method": "dijkstra", "threads": 1, "reuse": True}
    assert max(heights(apsp.stream(small, **options))) > 250
    assert max(heights(apsp.stream(small, sources=range(200), **options))) < 50


@pytest.mark.parametrize("method", ["label-correcting", "dijkstra", "elimination"])
def test_the_same_numbers(small, monkeypatch, method):
    options = {"device": "cpu", "method": method, "columns": True, "bins": 8}
    found = apsp.summary(small, **options)
    monkeypatch.setattr(planned_rows, "overwritten_rows", lambda most, *_: most)
    large = apsp.summary(small, **options)
    for direction in ("in", "out"):
        assert np.array_equal(found.closeness_centrality(direction), large.closeness_centrality(direction))
        assert np.array_equal(found.farness(direction), large.farness(direction))
    assert found.histogram() == large.histogram()
    assert np.array_equal(found.eccentricity, large.eccentricity)


def test_as_many_rows_as_threads_compute_together():
    assert overwritten_rows(10_000, 1 << 20, 1, 64) == 256
    assert overwritten_rows(10_000, 1 << 20, 4, 64) == 1024
    assert overwritten_rows(10_000, 1 << 20, 2, 512) == 1024
    assert overwritten_rows(700, 1 << 20, 4, 512) == 700
    assert overwritten_rows(10_000, 1 << 10, 1, 64) == 10_000
