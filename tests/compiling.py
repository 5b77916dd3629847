"""What the tests that compile without a GPU share."""

from __future__ import annotations

import pytest

from apsp.gpu import nvrtc

ARCHITECTURES = ((8, 0), (9, 0), (10, 0))

needs_compiler = pytest.mark.skipif(
    not nvrtc.nvrtc_is_installed(), reason="the CUDA compiler is not installed: pip install nvidia-cuda-nvrtc"
)
