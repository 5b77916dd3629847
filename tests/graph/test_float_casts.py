"""Conversions between widths of floats by their bits: as NumPy converts them, to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from apsp.graph.float_casts import cast, cast_by_bits


def values(dtype: str) -> npt.NDArray[Any]:
    """All magnitudes: zeros, subnormal numbers of float32, ties between them, infinities."""
    rng = np.random.default_rng(0)
    sizes = 2.0 ** rng.uniform(-160, 130, 4000)
    ties = (np.arange(64) + 0.5) * 2.0**-149
    edges = [0.0, 2.0**-126, np.nextafter(2.0**-126, 0), 2.0**-149, 2.0**-150, 1e-300, 5e-324, 1.0, 3e38, np.inf]
    found = np.concatenate([sizes, ties, edges])
    with np.errstate(over="ignore"):
        return np.concatenate([found, -found]).astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_bits_are_those_of_numpy(dtype: str) -> None:
    array = values(dtype)
    other = "float64" if dtype == "float32" else "float32"
    with np.errstate(over="ignore"):
        found, expected = cast_by_bits(array), array.astype(other)
    assert found.dtype == expected.dtype
    assert found.tobytes() == expected.tobytes()


def test_no_numbers_stay_none() -> None:
    assert np.isnan(cast_by_bits(np.array([np.nan], dtype=np.float32)))[0]
    assert np.isnan(cast_by_bits(np.array([np.nan])))[0]


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_on_a_gpu(dtype: str) -> None:
    cupy = pytest.importorskip("cupy")
    array = values(dtype)
    other = "float64" if dtype == "float32" else "float32"
    with np.errstate(over="ignore"):
        expected = array.astype(other)
    assert cast(cupy.asarray(array), other).get().tobytes() == expected.tobytes()
