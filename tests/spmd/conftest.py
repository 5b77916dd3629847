"""Programs that mpiexec or torchrun starts."""

import os
import subprocess
import sys

import pytest

from mpi_launcher import AS_ROOT, mpiexec


def by_mpi(processes, module):
    pytest.importorskip("mpi4py")
    return [mpiexec(), "-n", str(processes), sys.executable, *(["-m", "mpi4py"] if module else [])]


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
        command = by_mpi(processes, module) if launcher == "mpiexec" else torchrun(processes, *options)
        command += [program, *map(str, arguments)]
        warned = {"PYTHONWARNINGS": "error:The device where the array resides"}  # of CuPy: a launch on another GPU
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=120, check=False, env={**os.environ, **AS_ROOT, **warned}
        )
        return done.returncode, done.stdout, done.stderr

    return run
