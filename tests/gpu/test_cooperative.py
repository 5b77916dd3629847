"""Launches of cooperative kernels."""

from __future__ import annotations

import pytest

from apsp.gpu import jit
from apsp.gpu.emulated.run import entered
from apsp.methods.flows.kernels.hop_flows import EXPRESSIONS


def test_a_launch_has_no_more_blocks_than_run_together() -> None:
    """A real GPU would leave out the rest with a warning."""
    with entered():
        kernel = jit.kernels("hop_flows.cu", EXPRESSIONS, cooperative=True)["apsp::hop_add_arcs"]
        assert jit.resident_blocks(kernel, 256) == 1
        with pytest.raises(ValueError, match="2 blocks do not run together"):
            kernel((2,), (256,), ())
