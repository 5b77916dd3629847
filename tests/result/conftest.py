"""Tests of results make arrays of emulated GPUs without a run, which would load the replacement of CuPy."""

import apsp.gpu.emulated.module  # noqa: F401
