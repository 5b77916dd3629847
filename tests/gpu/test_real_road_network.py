"""A road network of the literature by every published method of GPUs, on a machine that needs none."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import apsp
from apsp.cli.main import main
from apsp.gpu import jit
from apsp.methods.registry import METHODS

PUBLISHED = [name for name, row in METHODS.items() if row.family == "published" and "cuda" in row.devices]


@pytest.mark.parametrize("method", PUBLISHED)
def test_sioux_falls(method: str, shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net, out = shared_data / "transport" / "SiouxFalls" / "SiouxFalls_net.tntp", tmp_path / "sioux.npz"
    assert len(PUBLISHED) == 10
    assert main(["solve", str(net), "--method", method, "-o", str(out), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    if jit.why_no_gpu() is not None:
        assert facts["device"] == "emulated"
        assert "the kernels are emulated on the CPU" in facts["note"]
    found, expected = apsp.load(out), apsp.solve(apsp.read(net), paths=True)
    np.testing.assert_array_equal(found.distances, expected.distances)
    found.verify()
