"""What one search proves of all eccentricities, and the choice of the next vertex, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import apsp
from apsp import _cpu
from apsp.methods.searches.few_sources import FewSources
from apsp.semiring import unreachable


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("seed", range(12))
def test_bounds_of_a_search(dtype: type, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 200))
    graph = apsp.generate("random", n, seed=seed, m=int(rng.integers(0, 3 * n)), directed=bool(seed % 2), weights=None)
    part = apsp.components(graph).membership if seed % 3 else None
    if part is None and len(apsp.components(graph).sizes) > 1:
        graph = apsp.generate("grid", shape=(1, n), weights=None)
    vertex = int(rng.integers(n))
    few, none = FewSources(graph, np.dtype(dtype), 1), unreachable(dtype)
    out = few.distances_from(np.array([vertex], np.int32))[0]
    into = few.distances_to(np.array([vertex], np.int32))[0] if seed % 4 else None
    lower, upper = rng.integers(0, 9, n).astype(dtype), rng.integers(0, 2 * n, n).astype(dtype)
    total = rng.integers(0, 99, n).astype(np.float64)
    wanted_lower, wanted_upper, wanted_total = lower.copy(), upper.copy(), total.copy()
    found = _cpu.add_search(out, into, part, vertex, lower, upper, total)

    reached, near = out != none, np.ones(n, bool) if part is None else part == part[vertex]
    target = int(np.where(reached, out, -1).argmax())
    wanted_lower[near] = np.maximum(wanted_lower[near], out[target] - out[near])
    longest, source = -1, 0
    if into is not None:
        within = np.where(into != none, into, 0)
        wanted_lower, wanted_total = np.maximum(wanted_lower, within), wanted_total + within
        wanted_upper[near] = np.minimum(wanted_upper[near], into[near] + out[target])
        longest, source = int(within.max()), int(within.argmax())
    assert found == (out[target], target, reached.sum(), longest, source)
    np.testing.assert_array_equal(lower, wanted_lower)
    np.testing.assert_array_equal(upper, wanted_upper)
    np.testing.assert_array_equal(total, wanted_total)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("largest", [True, False])
def test_the_best_vertex_is_the_first_of_those_with_the_best_sum(dtype: type, largest: bool) -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        n = int(rng.integers(1, 40))
        vertices = np.sort(rng.choice(n, int(rng.integers(1, n + 1)), replace=False))
        bound, total = rng.integers(0, 4, n).astype(dtype), rng.integers(0, 3, n).astype(np.float64)
        sign = -1 if largest else 1
        wanted = min(vertices.tolist(), key=lambda v: (sign * bound[v], sign * total[v], v))
        assert _cpu.best_vertex(vertices, bound, total, largest) == wanted


def test_errors() -> None:
    row, total = np.zeros(3, np.int32), np.zeros(3)
    for vertex, other in ((3, row), (-1, row), (0, row[:2])):
        with pytest.raises(ValueError, match="one element for each vertex"):
            _cpu.add_search(row, None, None, vertex, row.copy(), other.copy(), total)
    for vertices in ([], [3], [-1]):
        with pytest.raises(ValueError, match="best_vertex needs vertices"):
            _cpu.best_vertex(np.array(vertices, np.int64), row, total, True)
