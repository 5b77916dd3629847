"""The dtype of an oracle after an update: no search where the caller names it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.errors import DtypeRangeError
from apsp.facts.statistics import statistics_of
from apsp.methods.elimination import dtype_after


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The proofs by searches."""
    told: list[str] = []

    def counted(graph: apsp.Graph, *, coarse: bool = False) -> Any:
        told.extend([] if coarse else ["search"])
        return statistics_of(graph, coarse=coarse)

    monkeypatch.setattr(dtype_after, "statistics_of", counted)
    return told


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_a_dtype_that_is_named_stays_without_a_search(searches: list[str], dtype: str) -> None:
    graph = apsp.generate("city", 300, seed=1)
    oracle = apsp.prepare(graph, dtype=dtype)
    for factor in (2, 1, 3):
        oracle.update(graph.weights * factor)
        assert oracle.dtype == dtype
    edge = (0, int(graph.indices[0]))
    for weight in (7, math.inf, 8):
        oracle.update({edge: weight})
    assert searches == []
    expected = apsp.prepare(graph.with_weights(graph.weights * 3).with_weights({edge: 8}))
    np.testing.assert_array_equal(oracle.rows(), expected.rows())


def test_a_dtype_that_is_not_named_becomes_the_narrowest(searches: list[str]) -> None:
    graph = apsp.generate("city", 300, seed=1)
    oracle = apsp.prepare(graph)
    assert oracle.dtype == np.uint16
    for factor, dtype in ((10_000, "int32"), (1, "uint16")):
        oracle.update(graph.weights * factor)
        assert oracle.dtype == dtype
    assert searches != []


def test_a_dtype_that_is_named_is_refused_if_it_is_too_narrow() -> None:
    graph = apsp.generate("city", 300, seed=1)
    oracle = apsp.prepare(graph, dtype="uint16")
    with pytest.raises(DtypeRangeError):
        oracle.update(graph.weights * 10_000)
    np.testing.assert_array_equal(oracle.rows([4]), apsp.prepare(graph).rows([4]))


def test_the_graph_of_a_wide_oracle_has_the_narrowest_dtype() -> None:
    graph = apsp.generate("city", 300, seed=1)
    oracle = apsp.prepare(graph, dtype="int64")
    for _ in range(2):
        oracle.update(graph.weights * 2)
        oracle.update({(0, int(graph.indices[0])): 9})
        assert apsp.solve(oracle.graph).distances.dtype == np.uint16
