"""Copies are cut where registered chunks meet: checked without a GPU."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from apsp.gpu import pinned


@pytest.mark.parametrize("pitch", [40, 47, 300])
@pytest.mark.parametrize("count", [0, 1, 2, 7, 40])
def test_segments_cover_and_cross_no_boundary(pitch: int, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = np.zeros((31, pitch), dtype=np.int32)
    array = whole[3:27, :40]
    begin = whole.ctypes.data
    rng = np.random.default_rng(count)
    boundaries = sorted((begin + 4 * rng.choice(whole.size, count, replace=False)).tolist())
    monkeypatch.setattr(pinned, "_boundaries", boundaries)
    for rows, columns in pinned.segments(array):
        part = array[rows, columns]
        part += 1
        last = part.ctypes.data + (part.shape[0] - 1) * part.strides[0] + part.shape[1] * 4
        inside = [place for place in boundaries if part.ctypes.data < place < last]
        # a boundary may lie in the gap between two rows
        assert all((place - part.ctypes.data) % part.strides[0] >= part.shape[1] * 4 for place in inside)
    assert (array == 1).all()
    assert whole.sum() == array.size


def test_chunks_cover_an_array() -> None:
    array = np.zeros((1000, 300))[:, 5:290]
    chunks = list(pinned._chunks(array))
    assert chunks[0][0] == array.ctypes.data
    assert chunks[-1][1] == array[-1].ctypes.data + array[-1].nbytes
    assert all(one[1] == other[0] for one, other in pairwise(chunks))
