"""Statistics of sets from parts of the rows, merged, are those of all rows, to the last bit."""

from __future__ import annotations

import pickle
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp.reductions.group_quantiles import Windows
from apsp.reductions.groups import Groups
from apsp.reductions.set_distances import SetDistances, SetNumbers
from examples import examples
from set_statistics import DTYPES, quantile

N, GROUPS = 24, 3
SHARES = np.array([0.1, 0.5, 1.0])


def matrix(rng: np.random.Generator, dtype: str, *, negative: bool) -> np.ndarray:
    """Distances of many sizes, some of them without a path."""
    most = {"uint16": 4, "int32": 8, "int64": 14, "float32": 37, "float64": 300}[dtype]
    sizes = 10.0 ** rng.uniform(-most if dtype.startswith("f") else 0, most, (N, N))
    signs = rng.choice([-1, 1], (N, N)) if negative and dtype != "uint16" else 1
    found = np.asarray(sizes * signs).astype(dtype)
    found[rng.random((N, N)) < 0.2] = apsp.unreachable(dtype)
    return found


def passes(sets: SetDistances, of: np.ndarray, dist: np.ndarray, parts: list[np.ndarray]) -> None:
    """Add the rows of parts, each to numbers of the sets that it belongs to, that are then merged."""
    while True:
        for part in parts:
            rows = np.unique(of[part][of[part] >= 0])
            cells = np.full(N, -1, dtype=np.int32)
            cells[part] = np.where(of[part] >= 0, np.searchsorted(rows, of[part]), -1)
            windows = None if sets.windows is None else pickle.loads(pickle.dumps(sets.windows.of(rows)))
            some = SetDistances(sets.numbers, cells, len(rows), threads=1, windows=windows)
            some.add(SimpleNamespace(source_positions=part, distances=dist[part]))
            sets.merge(rows, pickle.loads(pickle.dumps(some)))
        if not sets.end_pass():
            return


@pytest.mark.few(1)
@pytest.mark.parametrize("few_bins", [False, True])
@settings(deadline=None, max_examples=examples(60))
@given(
    seed=st.integers(0, 10**6), dtype=st.sampled_from(DTYPES), negative=st.booleans(), each=st.booleans(),
    count=st.integers(1, 6), has_edges=st.booleans(),
)  # fmt: skip
def test_merged_parts_are_the_whole(few_bins, seed, dtype, negative, each, count, has_edges) -> None:
    rng = np.random.default_rng(seed)
    dist = matrix(rng, dtype, negative=negative)
    groups = Groups(tuple("abc"), rng.integers(-1, GROUPS, N).astype(np.int32))
    of = np.arange(N, dtype=np.int32) if each else groups.of
    kept = SetNumbers(groups, each, SHARES, 0 if has_edges else 4, [-50, 0, 1, 1e3] if has_edges else None)
    rows = N if each else GROUPS
    windows = Windows(16) if few_bins else None  # of the first pass
    whole, merged = (SetDistances(kept, of, rows, threads=2, windows=windows) for _ in range(2))
    while True:
        whole.add(SimpleNamespace(source_positions=np.arange(N, dtype=np.int32), distances=dist))
        if not whole.end_pass():
            break
    passes(merged, of, dist, np.array_split(rng.permutation(N).astype(np.int32), count))
    for one, other in [
        (whole.sums.pairs, merged.sums.pairs), (whole.sums.totals(), merged.sums.totals()),
        (whole.sums.least, merged.sums.least), (whole.sums.largest, merged.sums.largest),
        (whole.quantiles.result(), merged.quantiles.result()),
        *zip(whole.counts.result(), merged.counts.result(), strict=True),
    ]:  # fmt: skip
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    for row in range(rows):
        for group in range(GROUPS):
            part = dist[of == row][:, groups.of == group]
            sources, targets = np.flatnonzero(of == row), np.flatnonzero(groups.of == group)
            values = part[(part != apsp.unreachable(dtype)) & (sources[:, None] != targets)]
            assert merged.sums.pairs[row, group] == len(values)
            if len(values):
                expected = [quantile(values, share) for share in SHARES]
                assert merged.quantiles.result()[row, group].tolist() == expected


def test_parts_send_few_bytes() -> None:
    """Of the sets of their sources, and of the bins that are used."""
    n = 2000
    groups = Groups(tuple(range(50)), (np.arange(n) // 40).astype(np.int32))
    kept = SetNumbers(groups, False, np.array([0.5]), 64, None)
    cells = np.full(n, -1, dtype=np.int32)
    cells[:40] = 0
    part = SetDistances(kept, cells, 1, threads=1, windows=SetDistances(kept, groups.of, 50, threads=1).windows)
    dist = np.random.default_rng(0).integers(1, 200, (40, n)).astype(np.int32)
    part.add(SimpleNamespace(source_positions=np.arange(40, dtype=np.int32), distances=dist))
    assert len(pickle.dumps(part)) < 50 * (200 + 64 + 4 * 8) + 2000
