from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.errors import DeviceError
from apsp.gpu import jit, machine_code, nvrtc
from apsp.system.array_device import to_host


@pytest.mark.gpu
@pytest.mark.parametrize("method", ["floyd-warshall", "label-correcting", "elimination", "harish-fw", "okuyama"])
def test_float32_below_the_normal_range_is_no_zero(cupy: Any, method: str) -> None:
    weights = np.array([7e-39, 3e-41, 2e-38], dtype=np.float32)
    graph = apsp.from_edges([0, 1, 0], [1, 2, 2], weights)
    found = apsp.solve(graph, device="cuda", method=method)
    np.testing.assert_array_equal(to_host(found.distances), apsp.solve(graph, device="cpu").distances)


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
        machine_code.machine_code(cupy, tmp_path / "f.cu", ["f"], jit.capability())


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
machine_code._compiled = lambda *_: (b"code", "lowered")
paths = [
    machine_code.machine_code(cupy, nvrtc.source_file(name), ["f"], (9, 0))["f"][0]
    for name in ("matrix.cu", "close.cu")
]
assert paths[0].parent == paths[1].parent
print(paths[0].parent)
assert paths[0].read_bytes() == b"code"
"""


@pytest.mark.slow
def test_without_a_cache_folder_no_files_are_left(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    environment = {**os.environ, "CUPY_CACHE_DIR": str(tmp_path / "file" / "cache"), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", WITHOUT_A_CACHE]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).parent == tmp_path
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


class Nvrtc:
    """A compiler that writes down what it compiles in a file, slowly."""

    NVRTCError = ValueError

    def __init__(self, log: Path, version: tuple[int, int] = (13, 0), archs: tuple[int, ...] = (80, 90)) -> None:
        self._log, self._version, self._archs = log, version, archs

    def getSupportedArchs(self) -> tuple[int, ...]:
        return self._archs

    def getVersion(self) -> tuple[int, int]:
        return self._version

    def createProgram(self, text: str, name: str, headers: list[str], names: list[str]) -> SimpleNamespace:
        return SimpleNamespace(text=text, name=name)

    def addNameExpression(self, program: Any, expression: str) -> None:
        program.expression = expression

    def compileProgram(self, program: Any, flags: list[str]) -> None:
        time.sleep(0.05)
        with self._log.open("a") as file:
            file.write(f"{program.name} {program.expression}\n")
        if program.expression == "bad":
            raise ValueError
        program.flags = flags

    def getProgramLog(self, program: Any) -> str:
        return "f.cu(3): error: no such kernel\n1 error"

    def getCUBIN(self, program: Any) -> bytes:
        return f"cubin of {program.expression}".encode()

    def getPTX(self, program: Any) -> bytes:
        return f"ptx of {program.expression} {program.flags[-1]}".encode()

    def getLoweredName(self, program: Any, expression: str) -> str:
        return "_" + expression

    def destroyProgram(self, program: Any) -> None:
        pass


def code_of(log: Path, *expressions: str, capability: tuple[int, int] = (9, 0), **compiler: Any) -> dict[str, bytes]:
    cupy = SimpleNamespace(cuda=SimpleNamespace(nvrtc=Nvrtc(log, **compiler)))
    found = machine_code.machine_code(cupy, nvrtc.source_file("matrix.cu"), expressions, capability)
    assert {name for _, name in found.values()} == {"_" + expression for expression in expressions}
    return {expression: path.read_bytes() for expression, (path, _) in found.items()}


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CUPY_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "log"


def test_each_kernel_is_compiled_once(log: Path) -> None:
    assert code_of(log, "f", "g") == {"f": b"cubin of f", "g": b"cubin of g"}
    assert code_of(log, "g", "h") == {"g": b"cubin of g", "h": b"cubin of h"}
    assert sorted(log.read_text().split()[1::2]) == ["f", "g", "h"]
    assert {path.suffix for path in (log.parent / "cache").iterdir()} == {".cubin", ".json"}


def test_code_depends_on_compiler_and_architecture(log: Path) -> None:
    code_of(log, "f")
    code_of(log, "f", version=(13, 1))
    code_of(log, "f", capability=(8, 0))
    assert code_of(log, "f", capability=(10, 0)) == {"f": b"ptx of f -arch=compute_90"}
    assert log.read_text().split()[1::2] == ["f"] * 4


def test_an_error_of_the_compiler_leaves_nothing(log: Path) -> None:
    with pytest.raises(DeviceError, match=r"f\.cu\(3\): error: no such kernel"):
        code_of(log, "f", "bad")
    assert sorted(path.suffix for path in (log.parent / "cache").iterdir()) == [".cubin", ".json"]  # of f


def _in_process(log: Path, expressions: tuple[str, ...]) -> dict[str, bytes]:
    return code_of(log, *expressions)


@pytest.mark.slow
def test_processes_that_start_at_once_compile_each_kernel_once(log: Path) -> None:
    names = tuple("abcdef")
    with ProcessPoolExecutor(3, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = [pool.submit(_in_process, log, names[k:] + names[:k]) for k in range(6)]
        assert all(each.result() == {name: f"cubin of {name}".encode() for name in names} for each in found)
    assert sorted(log.read_text().split()[1::2]) == list(names)


def test_the_lock_of_a_killed_process_stops_none(log: Path) -> None:
    code_of(log, "f")
    (folder,) = {path.parent for path in (log.parent / "cache").iterdir()}
    for path in list(folder.iterdir()):
        path.with_suffix(".lock").touch()
        path.unlink()
    assert code_of(log, "f") == {"f": b"cubin of f"}
    assert {path.suffix for path in folder.iterdir()} == {".cubin", ".json"}
