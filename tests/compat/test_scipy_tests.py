"""SciPy's own tests of its csgraph module, with this package in the place of SciPy."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TIE = "test_predecessors"
"""It compares the predecessors of a graph with two shortest paths between the same vertices."""


def run(*arguments: str, **environment: str) -> str:
    if importlib.util.find_spec("scipy.sparse.csgraph.tests") is None:
        pytest.skip("this build of SciPy has no tests")
    command = [
        sys.executable, "-m", "pytest", "-p", "scipy_plugin", "-p", "no:cacheprovider", "-p", "no:xdist", "-q",
        "-W", "ignore", *arguments,
    ]  # fmt: skip
    path = os.pathsep.join([str(HERE), *sys.path])
    done = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": path} | environment, cwd=HERE.anchor,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return done.stdout


def number(pattern: str, output: str) -> int:
    found = re.search(pattern, output)
    return int(found[1]) if found else 0


@pytest.mark.slow
def test_all_of_them_pass():
    output = run("--pyargs", "scipy.sparse.csgraph")
    assert number(r"(\d+) passed", output) > 500
    assert "failed" not in output


def test_those_of_shortest_paths_pass_without_help_of_scipy():
    """Without the crossover below which SciPy's own functions answer."""
    output = run(
        "--pyargs", "scipy.sparse.csgraph.tests.test_shortest_path", "-k", f"not {TIE}", APSP_TEST_NO_CROSSOVER="1",
    )  # fmt: skip
    assert number(r"(\d+) passed", output) >= 30
    assert number(r"apsp answered (\d+) calls", output) >= 90
    assert "failed" not in output
