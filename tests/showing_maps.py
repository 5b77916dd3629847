"""Maps in Node and in headless Chromium: what they compute and what they show."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from benchmarks.chromium import Page

NODE = shutil.which("node")

needs_node = pytest.mark.skipif(NODE is None, reason="Node is not installed")


def square(
    side: int, rng: np.random.Generator, dtype: str = "int32", *, directed: bool = True, **more: Any
) -> apsp.Graph:
    """A grid of streets of random lengths; of directed ones, a tenth is missing."""
    n = side * side
    place = np.arange(n).reshape(side, side)
    tails = np.concatenate([place[:, :-1].ravel(), place[:-1].ravel()])
    heads = np.concatenate([place[:, 1:].ravel(), place[1:].ravel()])
    if directed:
        tails, heads = np.concatenate([tails, heads]), np.concatenate([heads, tails])
        keep = rng.random(len(tails)) < 0.9
        tails, heads = tails[keep], heads[keep]
    weights = rng.uniform(0, 90, len(tails)).astype(dtype)
    points = np.stack(np.divmod(np.arange(n), side), axis=1) * 100.0 + rng.uniform(-30, 30, (n, 2))
    return apsp.from_edges(tails, heads, weights, n=n, directed=directed, coordinates=points, **more)


def part(page: str, name: str) -> str:
    found = re.search(rf'<script type="[^"]*" id="{name}">([^<]*)</script>', page)
    assert found is not None
    return found[1]


def header_of(path: Path) -> dict[str, Any]:
    return json.loads(part(path.read_text(encoding="utf-8"), "header"))


def distances(page: Path, sources: list[list[int]], number: int | None = None) -> np.ndarray:
    """From the nearest of each list of positions, as the page computes them; of a set of weights by its number."""
    assert NODE is not None
    program = Path(__file__).parent / "explore" / "distances.mjs"
    command = [NODE, program, page, json.dumps(sources), *([] if number is None else [str(number)])]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return np.frombuffer(done.stdout, dtype=np.float64).reshape(len(sources), -1)


def show(page: Page, graph: Any, folder: Path, *, window: Any = None, **options: Any) -> None:
    """Open the map of a graph, of periods or of their oracle in a small window: software draws it."""
    graph.explore(folder / "map.html", **options)
    show_file(page, folder, window=window)


def show_file(page: Page, folder: Path, *, window: Any = None) -> None:
    """Open a map that is there."""
    page.errors.clear()
    page.requests.clear()
    page.open(folder / "map.html", **{"width": 760, "height": 420} | (window or {}))
    page.ready()
    page.value("explored.then(app => (globalThis.app = app, 0))")


def quiet(page: Page, folder: Path) -> None:
    assert page.errors == []
    assert page.requests == [(folder / "map.html").as_uri()]


def spot(page: Page, position: int) -> tuple[float, float]:
    """Where a vertex lies in the window."""
    return tuple(page.value(f"(p => app.view.toScreen(app.data.x[p], app.data.y[p]))(app.data.place[{position}])"))


def shown(page: Page) -> list[int]:
    """The positions of the sources."""
    page.frame()
    return page.value("app.sources.map(place => app.data.order[place])")


def found(page: Page) -> np.ndarray:
    """All distances that the page has, by position."""
    values = page.value("JSON.stringify(Array.from(app.data.place, place => app.engine.at(place)))")
    return np.array([np.inf if each is None else each for each in json.loads(values)])


def text(page: Page, name: str) -> str:
    return page.value(f"document.getElementById('{name}').textContent")
