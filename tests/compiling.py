"""What the tests that compile without a GPU share."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from importlib import metadata

import pytest

from apsp.gpu import nvrtc

HOPPER = (9, 0)
ALL = ((8, 0), HOPPER, (10, 0))
ARCHITECTURES = [pytest.param(each, marks=() if each == HOPPER else pytest.mark.slow) for each in ALL]
"""Quick tests compile for one: the compiler is slow. Kernels that take it seconds are left to the slow tests."""

needs_compiler = pytest.mark.skipif(
    not nvrtc.nvrtc_is_installed(), reason="the CUDA compiler is not installed: pip install nvidia-cuda-nvrtc"
)


def before_cuda_13_5() -> bool:
    """Whether the CUDA compiler is older than that of CUDA 13.5."""
    for name in ("nvidia-cuda-nvrtc", "nvidia-cuda-nvrtc-cu12"):
        with contextlib.suppress(metadata.PackageNotFoundError):
            return tuple(map(int, metadata.version(name).split(".")[:2])) < (13, 5)
    return False


def quick_for_one(instances: Sequence[str], quick: str) -> list[object]:
    """Cases of a template that takes long to compile, for all architectures: one instance is quick, for 9.0."""
    assert quick in instances
    return [
        pytest.param(name, each, marks=() if (name, each) == (quick, HOPPER) else pytest.mark.slow)
        for name in instances
        for each in ALL
    ]
