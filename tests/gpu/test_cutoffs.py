"""Cutoffs beyond the dtype of the distances, on emulated GPUs: nothing is cut off, and nothing warns."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.system.array_device import to_host


@pytest.mark.parametrize("semiring", ["min_plus", "max_min", "min_max"])
def test_a_cutoff_beyond_float32(semiring: str) -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [1e30, 2.0])
    asked: dict[str, Any] = {"method": "floyd-warshall", "dtype": "float32", "semiring": semiring, "cutoff": 2e300}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = apsp.solve(graph, device="emulated", **asked)
    np.testing.assert_array_equal(to_host(found.distances), apsp.solve(graph, device="cpu", **asked).distances)
