"""What the tests that compile without a GPU share."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from apsp.gpu import nvrtc

ALL = ((8, 0), (9, 0), (10, 0))


def architectures(quick: tuple[int, int]) -> list[object]:
    """Cases of all architectures, of which the quick tests compile for one: the compiler is slow."""
    return [pytest.param(each, marks=() if each == quick else pytest.mark.slow) for each in ALL]


ARCHITECTURES = architectures((9, 0))
ARCHITECTURES_BUT_MOST_FOR_HOPPER = architectures((8, 0))
"""For tests that compile a selection for all but 9.0: the selection is quick."""

needs_compiler = pytest.mark.skipif(
    not nvrtc.nvrtc_is_installed(), reason="the CUDA compiler is not installed: pip install nvidia-cuda-nvrtc"
)


def quick_for_one(instances: Sequence[str], quick: str) -> list[object]:
    """Cases of a template that takes long to compile, for all architectures: one instance is quick, for 9.0."""
    assert quick in instances
    return [
        pytest.param(name, each, marks=() if (name, each) == (quick, (9, 0)) else pytest.mark.slow)
        for name in instances
        for each in ALL
    ]
