"""A process in which NetworkX finds the backend by its entry points, wherever this source lies.

They are those of pyproject.toml, in the metadata of a distribution that is made for the test: the package may not be
installed, or have been installed before its entry points changed. `tests/installed.py` looks at the installed ones.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import apsp

ROOT = Path(__file__).resolve().parents[3]


def installed(folder: Path) -> Path:
    """A folder for PYTHONPATH with the metadata of an installed distribution."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    metadata = folder / "metadata" / f"apsp-{project['version']}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: apsp\nVersion: {project['version']}\n")
    groups = [
        "\n".join([f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())])
        for group, entries in project["entry-points"].items()
    ]
    (metadata / "entry_points.txt").write_text("\n\n".join(groups) + "\n")
    return metadata.parent


def environment(folder: Path, **variables: str) -> dict[str, str]:
    places = [installed(folder), Path(apsp.__file__).parents[1], ROOT / "tests"]
    paths = [*map(str, places), *filter(None, [os.environ.get("PYTHONPATH")])]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NETWORKX_", "PYTEST_"))}
    return kept | {"PYTHONPATH": os.pathsep.join(paths)} | variables
