"""apsp solve with results on a GPU: every kind of output is the same as from the CPU."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.cli.main import main

pytestmark = pytest.mark.gpu


Run = Callable[..., str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: object) -> str:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        assert code == 0, captured.err
        return captured.out + captured.err

    return call


@pytest.fixture
def roads(tmp_path: Path) -> Path:
    path = tmp_path / "roads.gr"
    apsp.write(apsp.generate("random", 200, seed=3, weights=(1, 100)), path)
    return path


@pytest.mark.parametrize("ending", ["npz", "npy", "csv"])
def test_every_output(cupy: Any, run: Run, roads: Path, tmp_path: Path, ending: str) -> None:
    outs = [tmp_path / f"{device}.{ending}" for device in ("cpu", "cuda")]
    for out in outs:
        said = run("solve", roads, "-o", out, "--method", "floyd-warshall", "--device", out.stem, "--verify")
    assert "on GPU 0 in" in said
    if ending == "csv":
        assert outs[0].read_text() == outs[1].read_text()
    elif ending == "npy":
        np.testing.assert_array_equal(np.load(outs[0]), np.load(outs[1]))
    else:
        on_cpu, on_gpu = (apsp.load(out) for out in outs)
        np.testing.assert_array_equal(on_cpu.distances, on_gpu.distances)
        assert on_gpu.has_predecessors
        assert on_gpu.path(3, 8)[0] == 3


def test_limits_and_files(cupy: Any, run: Run, roads: Path, tmp_path: Path) -> None:
    said = run("solve", roads, "-o", tmp_path / "r.npz", "--device", "cuda", "--gpu-memory", "1GiB", "--no-paths")
    assert "floyd-warshall on GPU 0" in said
    run("solve", roads, "-o", tmp_path / "p.npz", "--device", "cuda", "--pages-file", tmp_path / "pages")
    np.testing.assert_array_equal(apsp.load(tmp_path / "r.npz").distances, apsp.load(tmp_path / "p.npz").distances)
    assert "GPU 0, " in run("plan", roads, "--device", "cuda:0")
    assert "compute capability" in " ".join(run("info").split())
