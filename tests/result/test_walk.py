"""The kernels that walk predecessors, against walking on the host."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import apsp
from apsp.gpu import nvrtc
from apsp.result import paths, walk
from compiling import ARCHITECTURES, needs_compiler


def random_trees(rows: int, n: int, seed: int, shape: str) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Trees of predecessors in which some vertices are not joined to a root: chains, stars, or anything."""
    rng = np.random.default_rng(seed)
    pred = np.full((rows, n), -1, dtype=np.int32)
    sources = rng.integers(0, n, rows).astype(np.int32)
    for row, source in enumerate(sources):
        order = rng.permutation(n)
        order = np.concatenate([[source], order[order != source]])[: rng.integers(1, n + 1)]
        for k in range(1, len(order)):
            pred[row, order[k]] = order[{"chain": k - 1, "star": 0, "any": rng.integers(0, k)}[shape]]
    return pred, sources


@pytest.mark.gpu
@pytest.mark.parametrize("shape", ["chain", "star", "any"])
@pytest.mark.parametrize("n", [1, 2, 33, 257, 1000])
def test_hops_and_paths(cupy: Any, n: int, shape: str) -> None:
    pred, sources = random_trees(20, n, n, shape)
    on_device = cupy.asarray(pred)
    rng = np.random.default_rng(1)
    rows, targets = rng.integers(0, 20, 500).astype(np.int32), rng.integers(0, n, 500).astype(np.int32)
    hops = walk.first_hops(on_device, sources).get()
    np.testing.assert_array_equal(hops, paths.next_hop(pred))
    found = walk.paths_between(on_device, rows, sources[rows], targets)
    for row, target, path in zip(rows, targets, found, strict=True):
        try:
            expected = paths.walk(pred[row], int(sources[row]), int(target))
        except apsp.NoPathError:
            expected = []
        assert path.tolist() == expected


@pytest.mark.gpu
def test_nothing_asked(cupy: Any) -> None:
    nothing = np.empty(0, dtype=np.int32)
    assert walk.paths_between(cupy.empty((0, 5), dtype=np.int32), nothing, nothing, nothing) == []
    assert walk.first_hops(cupy.empty((0, 5), dtype=np.int32), nothing).shape == (0, 5)


@pytest.mark.gpu
@pytest.mark.parametrize("wrong", [[2, 1], [9, 1], [-7, 1]])
def test_corrupt_rows_are_told(cupy: Any, wrong: list[int]) -> None:
    pred = cupy.asarray([[-1, *wrong]], dtype=np.int32)
    zero = np.zeros(1, dtype=np.int32)
    with pytest.raises(apsp.VerificationError, match="corrupt"):
        walk.first_hops(pred, zero)
    with pytest.raises(apsp.VerificationError, match="corrupt"):
        walk.paths_between(pred, zero, zero, np.array([2], dtype=np.int32))


@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_kernels_compile_without_spills(capability: tuple[int, int]) -> None:
    compiled = nvrtc.compile_for("walk.cu", walk.EXPRESSIONS, capability)
    assert set(compiled.spilled_bytes) == set(walk.EXPRESSIONS)
    assert not any(compiled.spilled_bytes.values())
