"""The histogram beside a map or a matrix, in headless Chromium: its counts, and what a range of it shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import apsp
from benchmarks.chromium import Page, browser, opened
from showing_maps import quiet, show, spot, square, text

pytestmark = pytest.mark.skipif(browser() is None, reason="Chromium is not installed")

BARS = 64

FAINT = "app.parts.colours().faint.map(each => Math.round(255 * each))"

PIXELS = f"""(() => {{
  app.paint();
  const gl = app.streets.gl, {{ width, height }} = app.parts.map, all = new Uint8Array(4 * width * height);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, all);
  const page = app.parts.colours().page.map(each => Math.round(255 * each)), faint = {FAINT};
  let coloured = 0, grey = 0;
  for (let i = 0; i < all.length; i += 4) {{
    const away = from => [0, 1, 2].reduce((sum, c) => sum + Math.abs(all[i + c] - from[c]), 0);
    if (away(faint) < 6) grey++; else if (away(page) > 150) coloured++;
  }}
  return [coloured, grey]; }})()"""
"""Pixels with a colour of the scale, and grey ones."""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with opened() as opened_page:
        yield opened_page


@pytest.fixture(scope="module")
def city() -> apsp.Graph:
    return square(30, np.random.default_rng(8), directed=False)


def counts(page: Page) -> list[int]:
    page.frame()
    return page.value("[...app.histogram.counts]")


def expected(values: np.ndarray, top: float) -> list[int]:
    bars = np.clip(np.floor(values * (BARS / top)).astype(int), 0, BARS - 1)
    return np.bincount(bars, minlength=BARS).tolist()


def bar(page: Page, number: int) -> tuple[float, float]:
    """Where a bar lies in the window."""
    box = page.value(
        "(b => [b.left, b.top, b.width, b.height])(document.getElementById('histogram').getBoundingClientRect())"
    )
    return box[0] + (number + 0.5) / BARS * box[2], box[1] + box[3] / 2


def test_bars_count_the_vertices_of_the_map(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    show(page, city, tmp_path, sources=[17], unit="s")
    rows, top = np.asarray(apsp.prepare(city).rows([17, 400])), page.value("app.top")
    assert counts(page) == expected(rows[0], top)
    page.click(*spot(page, 400))
    assert page.value("app.data.order[app.sources[0]]") == 400
    assert counts(page) == expected(rows[1], top)
    quiet(page, tmp_path)


def test_a_range_of_bars_shows_its_streets_alone(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    show(page, city, tmp_path, sources=[17], unit="s")
    top, row = page.value("app.top"), np.asarray(apsp.prepare(city).rows([17])[0])
    coloured, grey = page.value(PIXELS)
    assert coloured > 1000
    assert grey == 0
    (x, y), (far, _) = bar(page, 10), bar(page, 20)
    page.mouse("Pressed", x, y)
    page.mouse("Moved", far, y)
    page.mouse("Released", far, y)
    page.frame()
    low, high = 10 / BARS * top, 21 / BARS * top
    within = int(((row >= low) & (row < high)).sum())
    assert page.value("app.histogram.bounds") == pytest.approx([low, high])
    assert text(page, "range-text").startswith(f"{within} vertices from {low:g} s to ")
    some, rest = page.value(PIXELS)
    assert 100 < some < coloured / 2
    assert rest > 1000
    page.value("document.getElementById('range-all').click()")
    page.frame()
    assert page.value(PIXELS) == [coloured, grey]
    assert page.value("document.getElementById('range').hidden") is True
    quiet(page, tmp_path)


def test_a_second_click_on_a_bar_and_keys(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    show(page, city, tmp_path, sources=[17])
    x, y = bar(page, 30)
    page.click(x, y)
    assert page.value("app.histogram.range") == [30, 30]
    page.click(x, y)
    assert page.value("app.histogram.range") is None
    page.value("document.getElementById('histogram').focus()")
    page.key("ArrowRight")
    assert page.value("app.histogram.range") == [0, 0]
    page.key("ArrowRight")
    page.key("ArrowRight", modifiers=8)
    assert page.value("app.histogram.range") == [1, 2]
    page.key("ArrowLeft")
    page.key("ArrowLeft")
    assert page.value("app.histogram.range") == [0, 0]
    page.key("Escape")
    assert page.value("app.histogram.range") is None
    page.key("ArrowLeft")
    assert page.value("app.histogram.range") == [BARS - 1, BARS - 1]
    assert page.value("app.view.chosen") is False  # the map did not move
    quiet(page, tmp_path)


def test_vertices_without_a_path_are_not_counted(page: Page, tmp_path: Path) -> None:
    graph = apsp.from_edges([0, 1, 3], [1, 2, 4], [4, 6, 1], coordinates=[[0, 0], [1, 0], [2, 0], [0, 1], [1, 1]])
    show(page, graph, tmp_path, sources=[0])
    top = page.value("app.top")
    assert counts(page) == expected(np.array([0, 4, 10]), top)
    assert counts(page)[BARS - 1] == 1


def test_a_range_up_to_an_end_has_what_is_beyond_it(page: Page, tmp_path: Path) -> None:
    ends = np.arange(9)
    graph = apsp.from_edges(ends, ends + 1, np.ones(9, int), coordinates=[[x, 0] for x in range(10)], directed=False)
    show(page, graph, tmp_path, sources=[5], unit="s")
    assert page.value("app.top") == 5
    page.click(*spot(page, 0))
    page.frame()
    page.click(*bar(page, BARS - 1))
    page.frame()
    assert text(page, "range-text") == "5 vertices from 4.922 s on"
    page.click(*bar(page, 0))
    page.frame()
    assert text(page, "range-text") == "1 vertex up to 0.07813 s"
    page.value("app.histogram.choose([0, 63])")
    page.frame()
    assert text(page, "range-text") == "10 vertices in all"
    quiet(page, tmp_path)


def test_differences_of_two_sets(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    streets = apsp.from_edges(*city.to_edges(), n=city.n, coordinates=city.coordinates)
    sets = {"now": streets.weights, "then": streets.weights + np.arange(streets.m) % 3 * 20}
    show(page, streets, tmp_path, weights=sets, compare="now", sources=[17], unit="s")
    rows = [apsp.solve(streets.with_weights(each), sources=[17]).distances[0] for each in sets.values()]
    page.value("app.show(1, 0)")
    page.frame()
    reach, none = page.value("app.shown.reach"), apsp.unreachable(rows[0].dtype)
    found = np.flatnonzero((rows[0] != none) & (rows[1] != none))
    change = rows[1][found].astype(float) - rows[0][found]
    assert counts(page) == expected(np.float32(1 + change / reach), 2)
    page.click(*bar(page, 48))
    page.frame()
    low, high = (48 / 32 - 1) * reach, (49 / 32 - 1) * reach
    assert text(page, "range-text").endswith(f"from +{low:.4g} s to +{high:.4g} s")
    page.value("app.show(1, -1)")
    page.frame()
    assert page.value("app.histogram.range") is None
    quiet(page, tmp_path)


def test_a_matrix_and_its_pairs(page: Page, tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    graph = apsp.from_edges(rng.integers(0, 40, 90), rng.integers(0, 40, 90), rng.integers(0, 90, 90), n=40)
    show(page, graph, tmp_path, window={"height": 700})
    rows = np.asarray(apsp.prepare(graph).matrix())
    reached, top = rows[rows != apsp.unreachable(rows.dtype)], page.value("app.top")
    assert counts(page) == expected(reached, top)
    page.click(*bar(page, 12))
    page.frame()
    low, high = 12 / BARS * top, 13 / BARS * top
    inside = (rows >= low) & (rows < high)
    assert text(page, "range-text").startswith(f"{inside.sum()} pairs from ")
    faint = page.value("getComputedStyle(document.documentElement).getPropertyValue('--faint').trim()")
    gone = [int(faint[digit : digit + 2], 16) for digit in (1, 3, 5)]
    cells = "[...app.pixels.data]"
    drawn = np.array(page.value(cells)).reshape(40, 40, 4)[..., :3]
    order = page.value("Array.from(app.placeOf, place => app.data.order[place])")
    np.testing.assert_array_equal((drawn != gone).any(axis=2), inside[np.ix_(order, order)])
    quiet(page, tmp_path)
