"""Takes the pictures of pages in Chromium: `python -m docs.screenshots` writes five of docs/images."""

from __future__ import annotations

import tempfile
from pathlib import Path

import apsp
from benchmarks.chromium import opened

from .steps.document import fragment

IMAGES = Path(__file__).parent / "images"


def explore() -> None:
    """The map of the guide: a city, a source, and a route."""
    from PIL import Image

    with tempfile.TemporaryDirectory() as folder, opened() as page:
        city = apsp.generate("city", 2000, seed=7)
        place, shot = Path(folder) / "city.html", Path(folder) / "city.png"
        options = {"label": "travel time", "unit": "s", "scale": "metres", "title": "A city of 2,000 crossings"}
        city.explore(place, sources=[650], target=1200, **options)
        page.open(place, width=1000, height=620)
        page.ready()
        page.value("bands.value = 10, bands.dispatchEvent(new Event('change'))")
        page.frame()
        page.screenshot(shot)
        Image.open(shot).convert("RGB").quantize(96).save(IMAGES / "explore.png", optimize=True)


def differences() -> None:
    """The map of the guide that compares a plan with today."""
    import numpy as np
    from PIL import Image

    with tempfile.TemporaryDirectory() as folder, opened() as page:
        city = apsp.generate("city", 2000, seed=7)
        place, shot = Path(folder) / "city.html", Path(folder) / "city.png"
        streets = (city.coordinates[city.tails()] + city.coordinates[city.indices]) / 2
        centre = np.exp(-((np.hypot(*(streets - city.coordinates.mean(axis=0)).T) / 2000) ** 2))
        sets = {"today": city.weights, "plan": np.rint(city.weights * (0.6 + centre)).astype(int)}
        options = {"label": "travel time", "unit": "s", "scale": "metres", "title": "A city of 2,000 crossings"}
        city.explore(place, weights=sets, compare="today", sources=[644], target=1225, **options)
        page.open(place, width=1000, height=660)
        page.ready()
        page.frame()
        page.screenshot(shot)
        Image.open(shot).convert("RGB").quantize(256, kmeans=1).save(IMAGES / "explore-differences.png", optimize=True)


def matrix() -> None:
    """The matrix of the guide."""
    from PIL import Image

    with tempfile.TemporaryDirectory() as folder, opened() as page:
        city = apsp.generate("city", 2000, seed=7)
        links = apsp.Graph(city.indptr, city.indices, city.weights).subgraph(range(400))
        place, shot = Path(folder) / "matrix.html", Path(folder) / "matrix.png"
        links.explore(place, label="latency", unit="ms", sources=[7], target=300)
        page.open(place, width=860, height=520)
        page.ready()
        page.frame()
        page.screenshot(shot)
        Image.open(shot).convert("RGB").quantize(160, kmeans=1).save(IMAGES / "explore-matrix.png", optimize=True)


def notebook() -> None:
    """The map of the guide below a cell."""
    from PIL import Image

    with tempfile.TemporaryDirectory() as folder, opened() as page:
        city = apsp.generate("city", 2000, seed=7)
        place, shot = Path(folder) / "notebook.html", Path(folder) / "notebook.png"
        call = 'city.explore(label="travel time", unit="s", scale="metres", sources=[650], target=1200, height=480)'
        shown = city.explore(label="travel time", unit="s", scale="metres", sources=[650], target=1200, height=480)
        cell = "margin:0 0 10px;padding:10px 12px;background:#f3f4f6;border:1px solid #c8ccd1;font:13px/1.4 monospace"
        body = f'<body style="margin:14px;overflow:hidden"><pre style="{cell}">{call}</pre>{shown._repr_html_()}'
        place.write_text(f'<!doctype html><meta charset="utf-8"><title>Notebook</title>{body}', encoding="utf-8")
        page.open(place, width=900, height=566)
        page.value("new Promise(done => document.readyState === 'complete' ? done(0) : onload = () => done(0))")
        inside = page.frames()[shown.title]
        inside.ready()
        inside.frame()
        page.screenshot(shot)
        Image.open(shot).convert("RGB").quantize(96).save(IMAGES / "explore-notebook.png", optimize=True)


def steps() -> None:
    """A step of Katz and Kider, for readers of the repository; the site shows the page itself."""
    from PIL import Image

    with tempfile.TemporaryDirectory() as folder, opened() as page:
        place, shot = Path(folder) / "steps.html", Path(folder) / "steps.png"
        style = "<style>body { margin: 14px; font: 16px system-ui }</style>"
        place.write_text(
            f'<!doctype html><meta charset="utf-8"><title>Steps</title>{style}{fragment()}', encoding="utf-8"
        )
        page.open(place, width=1100, height=680)
        page.ready()
        page.value(
            "choose = (name, value, kind) => (each => { each.value = value; each.dispatchEvent(new Event(kind)); })"
            "(document.getElementById(`steps-${name}`))"
        )
        page.value("(choose('method', 'katz-kider', 'change'), choose('range', 5, 'input'))")
        page.frame()
        page.value("Promise.all(document.getAnimations().map(each => each.finished)).then(() => 0)")
        page.screenshot(shot)
        Image.open(shot).convert("RGB").quantize(64).save(IMAGES / "step-by-step.png", optimize=True)


if __name__ == "__main__":
    explore()
    differences()
    matrix()
    notebook()
    steps()
