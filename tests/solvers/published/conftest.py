"""What the tests of the published methods share."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import pytest

from apsp.cuda import jit
from apsp.cuda.nvrtc import FOLDER as HEADERS
from apsp.solvers.published.whole_matrix import FOLDER

SOURCES = Path(__file__).resolve().parent


@pytest.fixture(scope="session")
def cupy():
    reason = jit.why_no_gpu()
    if reason is not None:
        pytest.skip(reason)
    return jit.cupy()


@pytest.fixture(scope="session")
def kernels_on_cpu(tmp_path_factory) -> ctypes.CDLL:
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no g++")
    library = tmp_path_factory.mktemp("kernels") / "kernels.so"
    include = [f"-I{folder}" for folder in (FOLDER, HEADERS, SOURCES)]
    command = [compiler, "-std=c++20", "-O1", "-shared", "-fPIC", "-pthread", "-w", *include]
    subprocess.run([*command, str(SOURCES / "kernels_on_cpu.cpp"), "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))
