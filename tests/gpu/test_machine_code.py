from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.errors import DeviceError
from apsp.gpu import jit, machine_code, nvrtc


@pytest.mark.gpu
@pytest.mark.parametrize("method", ["floyd-warshall", "label-correcting", "elimination", "harish-fw", "okuyama"])
def test_float32_below_the_normal_range_is_no_zero(cupy: Any, method: str) -> None:
    weights = np.array([7e-39, 3e-41, 2e-38], dtype=np.float32)
    graph = apsp.from_edges([0, 1, 0], [1, 2, 2], weights)
    found = apsp.solve(graph, device="cuda", method=method)
    np.testing.assert_array_equal(found.to_numpy(), apsp.solve(graph, device="cpu").distances)


@pytest.mark.gpu
@pytest.mark.parametrize("method", ["floyd-warshall", "label-correcting", "elimination", "okuyama"])
def test_cutoffs_below_the_normal_range(cupy: Any, method: str) -> None:
    graph = apsp.from_edges([0, 0], [1, 2], np.array([7e-39, 3e-41], dtype=np.float32))
    found = apsp.solve(graph, device="cuda", method=method, cutoff=1e-40)
    assert found.distance(0, 1) == np.inf
    assert found.distance(0, 2) == pytest.approx(3e-41, rel=1e-4)


@pytest.mark.gpu
def test_code_is_kept_between_processes(cupy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUPY_CACHE_DIR", str(tmp_path))
    source = nvrtc.source_file("matrix.cu")
    expressions = ["apsp::fill<apsp::MinPlus<int>>"]
    first = machine_code.machine_code(cupy, source, expressions, jit.capability())
    monkeypatch.setattr(machine_code, "_compiled", None)
    assert machine_code.machine_code(cupy, source, expressions, jit.capability()) == first
    (tmp_path / "f.cu").write_text("no C++")
    monkeypatch.undo()
    with pytest.raises(DeviceError, match="error"):
        machine_code.machine_code(cupy, tmp_path / "f.cu", [], jit.capability())


@pytest.mark.gpu
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
@pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")  # of JAX, where another test has imported it
def test_a_forked_child_says_that_cuda_does_not_work_there(cupy: Any) -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [1, 2])
    apsp.solve(graph, device="cuda")
    child = os.fork()
    if child == 0:
        code = 1
        try:
            assert apsp.solve(graph).distance(0, 2) == 3
            apsp.solve(graph, device="cuda")
        except DeviceError as error:
            code = 0 if "spawn" in str(error) else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("wanted", ["float32", "float64"])
def test_batches_below_the_normal_range(cupy: Any, dtype: str, wanted: str) -> None:
    lengths = np.full((3, 4, 4), np.inf, dtype=dtype)
    lengths[:, [0, 1, 0], [1, 2, 2]] = [7e-39, 3e-41, 2e-38]
    found = apsp.solve_batch(lengths, device="cuda", dtype=wanted)
    expected = np.array([apsp.solve_batch(lengths, device="cpu", dtype=wanted)])[0]
    assert cupy.asnumpy(found).tobytes() == expected.tobytes()


WITHOUT_A_CACHE = """
import sys
from pathlib import Path
from types import SimpleNamespace
from apsp.gpu import machine_code, nvrtc

compiler = SimpleNamespace(getSupportedArchs=lambda: [90], getVersion=lambda: (13, 0))
cupy = SimpleNamespace(cuda=SimpleNamespace(nvrtc=compiler))
machine_code._compiled = lambda *_: (b"code", {})
paths = [machine_code.machine_code(cupy, nvrtc.source_file(name), [], (9, 0))[0] for name in ("matrix.cu", "close.cu")]
assert paths[0].parent == paths[1].parent
print(paths[0].parent)
assert paths[0].read_bytes() == b"code"
"""


def test_without_a_cache_folder_no_files_are_left(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    environment = {**os.environ, "CUPY_CACHE_DIR": str(tmp_path / "file" / "cache"), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", WITHOUT_A_CACHE]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).parent == tmp_path
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
