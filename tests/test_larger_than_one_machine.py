"""The commands of the guide's page "Larger than one machine": those that one machine can run, as they stand there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import apsp
from s3 import server

pytest.importorskip("zarr")

PAGE = (Path(__file__).parents[1] / "docs/guide/larger-than-one-machine.md").read_text()


def blocks(section: str, language: str) -> list[str]:
    """The blocks of a section."""
    text = PAGE.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the graph, where `apsp` is this package."""
    apsp.write(apsp.generate("city", 300, seed=1), tmp_path / "roads.gr")
    command = tmp_path / "bin" / "apsp"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m apsp "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PYTHONPATH", str(Path(apsp.__file__).parents[1]), prepend=os.pathsep)
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command: str | list[str]) -> str:
    """Run a command of the page."""
    done = subprocess.run(
        command, shell=isinstance(command, str), capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def at_once(command: str | list[str]) -> None:
    """Run a command twice at the same time."""
    runs = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    assert [(each.communicate()[1], each.returncode)[1] for each in runs] == [0, 0]


def check(place: str) -> None:
    """The store has all distances."""
    result = apsp.load(place)
    assert np.array_equal(np.asarray(result.distances), apsp.solve(apsp.read("roads.gr")).distances)


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_a_laptop() -> None:
    commands = [line[2:] for block in blocks("A laptop", "console") for line in block.splitlines()]
    assert len(commands) == 4
    said = [run(command) for command in commands]
    assert "Tasks: " in said[0]
    assert "17 -> " in said[2]
    assert "diameter" in said[3]
    check("roads.zarr")


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_dask() -> None:
    pytest.importorskip("distributed")
    (program,) = blocks("Dask", "python")
    Path("program.py").write_text(program)
    said = run([sys.executable, "program.py"])
    assert "Executor: the Dask cluster, 2 workers" in said
    assert said.split()[-1] == str(apsp.load("roads.zarr").distance(17, 42))
    check("roads.zarr")


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_slurm() -> None:
    """Two jobs of the array, without Slurm."""
    (script,) = blocks("Slurm", "bash")
    Path("roads.sbatch").write_text(script)
    at_once(["bash", "roads.sbatch"])
    check("roads.zarr")
    assert "17 -> " in run(blocks("Slurm", "console")[0].splitlines()[1][2:])


@pytest.mark.slow
def test_kubernetes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two pods, as processes, with the command of the job and a server of buckets on this machine."""
    for package in ("yaml", "obstore", "moto", "flask", "flask_cors"):
        pytest.importorskip(package)
    import yaml

    (text,) = blocks("Kubernetes", "yaml")
    (container,) = yaml.safe_load(text)["spec"]["template"]["spec"]["containers"]
    assert blocks("Kubernetes", "dockerfile")[0].splitlines()[-1] == "COPY roads.gr /"
    command = [each.replace("/roads.gr", f"{folder}/roads.gr") for each in container["command"]]
    secret = dict.fromkeys(re.findall(r"AWS_\w+", blocks("Kubernetes", "console")[0]), "us-east-1")
    with server() as buckets:
        assert command[-1] == f"s3://{buckets.bucket('bucket')}/roads.zarr"
        secret |= {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{buckets.port}", "AWS_ALLOW_HTTP": "true"}
        for name, value in secret.items():
            monkeypatch.setenv(name, value)
        at_once(command)
        check(command[-1])
        assert "17 -> " in run(blocks("Kubernetes", "console")[0].splitlines()[-1][2:])
