"""Takes the pictures of pages in Chromium: `python -m docs.screenshots` writes docs/images/explore.png."""

from __future__ import annotations

import tempfile
from pathlib import Path

import apsp
from benchmarks.chromium import opened

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


if __name__ == "__main__":
    explore()
