"""Stores with small bands, for tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import apsp
from apsp.api.stored import solving
from apsp.methods.flows import cost
from apsp.running import measure_job
from flow_stores import SMALL
from stored import small_chunks


@pytest.fixture
def city() -> apsp.Graph:
    return apsp.generate("city", 200, seed=1)


@pytest.fixture
def small_bands(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Bands of 16 rows, chunks of at most 2 KiB."""
    monkeypatch.setattr(solving, "band_rows", lambda *_: 16)
    with small_chunks():
        yield 16


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 16 sources in stores of flows."""
    for name, value in SMALL.items():
        monkeypatch.setattr(cost, name, value)


@pytest.fixture
def small_skims(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bands of 16 origins in stores of skims."""
    monkeypatch.setattr(measure_job, "band_rows", lambda *_: 16)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "distances.zarr"
