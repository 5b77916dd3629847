"""What the tests that compile without a GPU share."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from apsp.gpu import nvrtc

ARCHITECTURES = ((8, 0), (9, 0), (10, 0))

needs_compiler = pytest.mark.skipif(
    not nvrtc.nvrtc_is_installed(), reason="the CUDA compiler is not installed: pip install nvidia-cuda-nvrtc"
)


def quick_for_one(instances: Sequence[str], everywhere: str) -> list[object]:
    """Cases of a template that takes long to compile, for all architectures.

    Quick tests compile all its instances for 9.0, and the instance EVERYWHERE for the others.
    """
    assert everywhere in instances
    return [
        pytest.param(name, each, marks=() if name == everywhere or each == (9, 0) else pytest.mark.slow)
        for name in instances
        for each in ARCHITECTURES
    ]
