"""The recipe of conda and the Dockerfile say what pyproject.toml says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_recipe_of_conda() -> None:
    yaml = pytest.importorskip("yaml")
    recipe, project = (
        yaml.safe_load((ROOT / "packaging" / "recipe.yaml").read_text(encoding="utf-8")),
        PROJECT["project"],
    )
    assert recipe["context"]["version"] == project["version"]
    assert recipe["about"]["summary"] == project["description"]
    assert recipe["build"]["python"]["entry_points"] == [f"apsp = {project['scripts']['apsp']}"]
    everywhere = {need for need in project["dependencies"] if ";" not in need} | {f"python{project['requires-python']}"}
    assert {need.replace(" ", "") for need in recipe["requirements"]["run"]} == everywhere
    builds = {re.split("[ >=~<]", need)[0] for need in PROJECT["build-system"]["requires"]}
    assert builds <= {need.split(" ")[0] for need in recipe["requirements"]["host"]}
    assert "nanobind~=3.1.0" in PROJECT["build-system"]["requires"]
    assert "nanobind >=3.1.0,<3.2" in recipe["requirements"]["host"]


def test_the_dockerfile() -> None:
    text = (ROOT / "packaging" / "Dockerfile").read_text(encoding="utf-8")
    extras = re.search(r"\[([a-z,]+)\]", text)
    assert extras
    assert set(extras[1].split(",")) <= PROJECT["project"]["optional-dependencies"].keys()
    for version in re.findall(r"python:([0-9.]+)-slim", text):
        assert f"Programming Language :: Python :: {version}" in PROJECT["project"]["classifiers"]
