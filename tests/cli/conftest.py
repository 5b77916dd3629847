"""A way to call the command line in this process, and small graph files."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from apsp.cli.main import main
from apsp.graph.files import write
from apsp.graph.generate import generate


@dataclass
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """Standard output, which must be one JSON object and nothing else."""
        return json.loads(self.out)


Run = Callable[..., Outcome]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: object) -> Outcome:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call


@pytest.fixture
def roads(tmp_path: Path) -> Path:
    """Vertices 1 to 5; 1 -> 4 is 6 long by 1, 2, 3, 4; vertex 5 cannot be reached."""
    path = tmp_path / "roads.gr"
    path.write_text("p sp 5 6\na 1 2 1\na 2 3 2\na 3 4 3\na 1 4 10\na 4 1 1\na 5 1 1\n")
    return path


@pytest.fixture
def cyclic(tmp_path: Path) -> Path:
    """1 -> 2 -> 3 -> 1 has length -1."""
    path = tmp_path / "cyclic.gr"
    path.write_text("p sp 4 4\na 1 2 1\na 2 3 -4\na 3 1 2\na 4 1 1\n")
    return path


@pytest.fixture
def city(tmp_path: Path) -> Path:
    """A small city with coordinates."""
    path = tmp_path / "city.gr"
    write(generate("city", 150, seed=3), path)
    return path
