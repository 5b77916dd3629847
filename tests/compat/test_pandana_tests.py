"""pandana's own tests with this package in the place of pandana: APSP_PANDANA_TESTS names their folder.

They are the folder `tests` of pandana 0.8, with the sample network of its repository, `osm_sample.h5`. The wheel and
the source distribution do not have the latter.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest


def test_all_of_them_pass(tmp_path: Path) -> None:
    folder = os.environ.get("APSP_PANDANA_TESTS")
    if folder is None:
        pytest.skip("APSP_PANDANA_TESTS does not name pandana's tests")
    (tmp_path / "in_place.py").write_text("from apsp import pandana\npandana.install()\n")
    command = [
        sys.executable, "-m", "pytest", "-p", "in_place", "-p", "no:cacheprovider", "-p", "no:xdist", "-q",
        "-W", "ignore", folder,
    ]  # fmt: skip
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": path}, cwd=tmp_path, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None
    assert int(passed[1]) >= 37
