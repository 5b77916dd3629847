"""Programs that mpiexec or torchrun starts."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def mpiexec(processes, module):
    pytest.importorskip("mpi4py")
    found = shutil.which("mpiexec", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if found is None:
        pytest.skip("there is no mpiexec")
    return [found, "-n", str(processes), sys.executable, *(["-m", "mpi4py"] if module else [])]


def torchrun(processes, *options):
    pytest.importorskip("torch")
    return [
        sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(processes), *options,
    ]  # fmt: skip


def launched(quick, *slow):
    """Parametrizes (launcher, processes); scripts/test --slow starts the numbers of processes in `slow`, too."""
    return pytest.mark.parametrize(
        ("launcher", "processes"),
        [
            pytest.param(launcher, processes, marks=[pytest.mark.slow] * (processes != quick))
            for launcher in ("mpiexec", "torchrun")
            for processes in (quick, *slow)
        ],
    )


@pytest.fixture
def started(tmp_path):
    """A function that runs a program in several processes: the exit code, and what it printed on both streams."""

    def run(text, *arguments, processes=3, module=True, launcher="mpiexec", options=()):
        program = tmp_path / "program.py"
        program.write_text(text)
        command = mpiexec(processes, module) if launcher == "mpiexec" else torchrun(processes, *options)
        command += [program, *map(str, arguments)]
        as_root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}  # in containers
        warned = {"PYTHONWARNINGS": "error:The device where the array resides"}  # of CuPy: a launch on another GPU
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=120, check=False, env={**os.environ, **as_root, **warned}
        )
        return done.returncode, done.stdout, done.stderr

    return run
