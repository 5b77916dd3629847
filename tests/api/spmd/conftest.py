"""Programs that mpiexec starts."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def started(tmp_path):
    """A function that runs a program in several processes: the exit code, and what it printed on both streams."""
    pytest.importorskip("mpi4py")
    mpiexec = shutil.which("mpiexec", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if mpiexec is None:
        pytest.skip("there is no mpiexec")

    def run(text, *arguments, processes=3, module=True):
        program = tmp_path / "program.py"
        program.write_text(text)
        command = [
            mpiexec,
            "-n",
            str(processes),
            sys.executable,
            *(["-m", "mpi4py"] if module else []),
            program,
            *map(str, arguments),
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        return done.returncode, done.stdout, done.stderr

    return run
