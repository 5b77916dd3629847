"""Prints the requirements of extras, one per line: scripts/requirements.py EXTRA...

"." is the package itself, "build" what its extensions are built with.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

SETTINGS = tomllib.loads((Path(__file__).resolve().parents[1] / "pyproject.toml").read_text())
PROJECT = SETTINGS["project"]


def requirements(extra: str) -> list[str]:
    """Return the requirements of an extra; an extra of this package that it names is replaced by its requirements."""
    if extra == "build":
        return [*SETTINGS["build-system"]["requires"], "cmake", "ninja"]
    found = []
    for line in PROJECT["dependencies"] if extra == "." else PROJECT["optional-dependencies"][extra]:
        own = re.fullmatch(rf"{PROJECT['name']}\[([^\]]*)\]", line)
        found += [one for name in own[1].split(",") for one in requirements(name.strip())] if own else [line]
    return found


if __name__ == "__main__":
    print("\n".join(dict.fromkeys(one for extra in sys.argv[1:] for one in requirements(extra))))
