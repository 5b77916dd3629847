"""Sums of floats whose partial sums, or that themselves, are beyond float64."""

from __future__ import annotations

import math

from apsp.reductions.float_sum import float_sum


def test_sums() -> None:
    assert float_sum([0.1] * 10) == 1.0
    assert float_sum([]) == 0.0
    assert float_sum([1e308, 1e308, -1e308]) == 1e308
    assert float_sum([1e308, 1e308]) == math.inf
    assert float_sum([math.inf, 1.0]) == math.inf
    assert math.isnan(float_sum([math.inf, -math.inf]))
