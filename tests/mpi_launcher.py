"""The launcher of MPI."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

__all__ = ["AS_ROOT", "mpiexec"]

AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
"""Environment variables that let Open MPI start processes in containers."""


def mpiexec() -> str:
    """The path of mpiexec: that beside Python, of a wheel, or another; or a skipped test where there is none."""
    found = shutil.which("mpiexec", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if found is None:
        pytest.skip("there is no mpiexec")
    return found
