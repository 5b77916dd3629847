"""Graphs without coordinates: their distances as a matrix, in Node and in headless Chromium."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import apsp
from benchmarks.chromium import Page, browser, opened
from showing_maps import quiet, show, text

pytestmark = pytest.mark.skipif(browser() is None, reason="Chromium is not installed")


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with opened() as opened_page:
        yield opened_page


def arcs(rng: np.random.Generator, n: int = 40, count: int = 90) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Arcs at random; some vertices reach few others."""
    return rng.integers(0, n, count), rng.integers(0, n, count), rng.integers(0, 90, count)


def graphs() -> dict[str, apsp.Graph]:
    tails, heads, weights = arcs(np.random.default_rng(4))
    return {
        "one-way": apsp.from_edges(tails, heads, weights, n=40),
        "both ways": apsp.from_edges(tails, heads, weights, n=40, directed=False),
        "hops": apsp.from_edges(tails, heads, n=40),
        "float64": apsp.from_edges(tails, heads, weights / 8, n=40),
        "float32": apsp.from_edges(tails, heads, (weights / 8).astype(np.float32), n=40),
        "int64": apsp.from_edges(tails, heads, weights * 2**40, n=40),
        "zones": apsp.from_edges(tails, heads, weights, n=40, zones=np.arange(40) % 5 == 0),
        "labels": apsp.from_edges(tails, heads, weights, n=40, labels=[f"<i>{i}</i>" for i in range(40)]),
        "one vertex": apsp.from_edges([], [], n=1),
        "points that are unknown": apsp.from_edges(tails, heads, weights, coordinates=np.full((40, 2), np.nan)),
    }


def rows_of(graph: apsp.Graph) -> np.ndarray:
    rows = np.asarray(apsp.prepare(graph).matrix())
    return np.where(rows == apsp.unreachable(rows.dtype), np.inf, rows.astype(np.float64))


VALUES = """JSON.stringify(Array.from({ length: app.n }, (_, row) => Array.from({ length: app.n }, (_, column) =>
  app.valueOf([app.shownAt[app.data.place[row]], app.shownAt[app.data.place[column]]]))))"""


def values(page: Page) -> np.ndarray:
    """All distances that the page has, by position."""
    found = json.loads(page.value(VALUES))
    return np.array([[np.inf if each is None else each for each in row] for row in found])


def spot(page: Page, row: int, column: int) -> tuple[float, float]:
    """Where the cell of two positions lies in the window."""
    at = f"[app.shownAt[app.data.place[{column}]] + 0.5, app.n - app.shownAt[app.data.place[{row}]] - 0.5]"
    return tuple(page.value(f"app.view.toScreen(...{at})"))


def cell(page: Page) -> tuple[int, int]:
    """The positions of the cell that is chosen."""
    page.frame()
    return tuple(page.value("app.cell.map(index => app.data.order[app.placeOf[index]])"))


@pytest.mark.parametrize("name", graphs())
def test_the_matrix_is_that_of_python(page: Page, tmp_path: Path, name: str) -> None:
    graph = graphs()[name]
    show(page, graph, tmp_path)
    expected = rows_of(graph)
    np.testing.assert_array_equal(values(page), expected)
    page.value("order.value = 'given', order.dispatchEvent(new Event('change'))")
    np.testing.assert_array_equal(values(page), expected)
    assert page.value("[...app.placeOf].map(place => app.data.order[place])") == list(range(graph.n))
    assert text(page, "reached").split()[0] == f"{np.isfinite(expected).sum():,}"
    quiet(page, tmp_path)


def test_oracles_and_results(page: Page, tmp_path: Path) -> None:
    graph = graphs()["one-way"]
    oracle = apsp.prepare(graph)
    oracle.update(graph.arc_weights(np.int64) * 3)
    show(page, oracle, tmp_path)
    np.testing.assert_array_equal(values(page), 3 * rows_of(graph))
    show(page, apsp.solve(graph, sources=[3, 9], cutoff=100), tmp_path, target=7)
    assert page.value("[app.limit, app.sources.length]") == [100, 2]
    assert cell(page) == (3, 7)
    assert text(page, "reached") == f"{(rows_of(graph) <= 100).sum():,} pairs"


def test_hover_click_and_path(page: Page, tmp_path: Path) -> None:
    graph = apsp.from_edges(*arcs(np.random.default_rng(4)), n=42, directed=False)
    show(page, graph, tmp_path, sources=[5], target=8, label="latency", unit="ms")
    rows = rows_of(graph)
    far = tuple(int(each) for each in np.unravel_index(np.where(np.isfinite(rows), rows, -1).argmax(), rows.shape))
    page.mouse("Moved", *spot(page, *far))
    page.frame()
    words = page.value("[...document.getElementById('hover').children].map(each => each.textContent)")
    assert words == [f"{far[0]} \u2192 {far[1]}", f"{rows[far]:,.0f} ms"]
    assert cell(page) == (5, 8)
    page.click(*spot(page, *far))
    assert cell(page) == far
    assert [text(page, each) for each in ("from", "to", "distance")] == [*map(str, far), f"{rows[far]:,.0f} ms"]
    assert text(page, "said") == f"latency from {far[0]} to {far[1]}: {rows[far]:,.0f} ms"
    listed = page.value("[...document.getElementById('path-list').children].map(each => each.textContent)")
    path = [int(each.split(":")[0]) for each in listed]
    assert (path[0], path[-1]) == far
    assert sum(graph[u][v] for u, v in itertools.pairwise(path)) == rows[far]
    assert text(page, "links") == f"{len(path) - 1} links"
    nowhere = tuple(int(each) for each in np.argwhere(np.isinf(rows))[0])
    page.click(*spot(page, *nowhere))
    page.frame()
    assert [text(page, "distance"), text(page, "links")] == ["no path", ""]
    assert page.value("document.getElementById('path').hidden") is True
    page.mouse("Moved", 759, 419)  # beside the matrix
    page.frame()
    assert page.value("document.getElementById('hover').hidden") is True
    quiet(page, tmp_path)


def test_keys_and_the_other_order(page: Page, tmp_path: Path) -> None:
    show(page, graphs()["one-way"], tmp_path)
    page.value("order.value = 'given', order.dispatchEvent(new Event('change')), app.choose(4, 6), app.canvas.focus()")
    for key, expected in [("ArrowRight", (4, 7)), ("ArrowDown", (5, 7)), ("ArrowLeft", (5, 6)), ("ArrowUp", (4, 6)),
                          ("PageDown", (14, 6)), ("PageUp", (4, 6)), ("Home", (4, 0)), ("ArrowLeft", (4, 0)),
                          ("End", (4, 39))]:  # fmt: skip
        page.key(key)
        assert cell(page) == expected
    assert text(page, "said").startswith("distance from 4 to 39: ")
    page.value("order.value = 'tree', order.dispatchEvent(new Event('change'))")
    assert cell(page) == (4, 39)
    scale = page.value("app.view.scale")
    page.key("+")
    page.frame()
    assert page.value("app.view.scale") == pytest.approx(1.5 * scale)
    page.key("0")
    page.frame()
    assert page.value("app.view.scale") == scale
    before = spot(page, 4, 39)
    page.key("ArrowRight", modifiers=8)
    page.frame()
    np.testing.assert_allclose(np.subtract(spot(page, 4, 39), before), (-80, 0), atol=1e-6)
    page.value("app.find('12')")
    assert cell(page) == (12, 39)
    page.value("app.find('40')")
    assert text(page, "said") == "there is no vertex 40"
    quiet(page, tmp_path)


@pytest.mark.parametrize("order", ["tree", "given"])
def test_a_cell_has_the_colour_of_its_distance(page: Page, tmp_path: Path, order: str) -> None:
    graph = graphs()["one-way"]
    show(page, graph, tmp_path)
    page.value(f"order.value = '{order}', order.dispatchEvent(new Event('change'))")
    page.value("app.choose(0, 0)")
    rows, top = rows_of(graph), page.value("app.top")
    assert rows[np.isfinite(rows)].max() <= top

    def at(row: int, column: int) -> list[int]:
        x, y = spot(page, row, column)
        pixel = f"app.canvas.getContext('2d').getImageData({x} * app.ratio, {y} * app.ratio, 1, 1).data"
        return page.value(f"(app.paint(), [...{pixel}])")[:3]

    scale = np.array(page.value("[...app.colours]")).reshape(256, 4)[:, :3]
    faint = page.value("getComputedStyle(document.documentElement).getPropertyValue('--faint').trim()")
    gone = [int(faint[digit : digit + 2], 16) for digit in (1, 3, 5)]
    frame = set(cell(page))  # its cell has another colour
    pairs = [pair for pair in np.random.default_rng(3).integers(0, 40, (60, 2)).tolist() if not frame & {*pair}]
    for limit in (np.inf, top / 2):
        for row, column in pairs:
            value = rows[row, column]
            expected = scale[round(value / top * 255)] if np.isfinite(value) and value <= limit else gone
            assert np.abs(np.subtract(at(row, column), expected)).max() <= 1, (row, column)
        page.value("limit.value = 500, limit.dispatchEvent(new Event('input'))")
        page.frame()
    assert text(page, "reached") == f"{(rows <= top / 2).sum():,} pairs"
    page.value("theme.value = 'dark', theme.dispatchEvent(new Event('change'))")
    assert page.value("[...app.colours]")[:3] != scale[0].tolist()
    quiet(page, tmp_path)


@pytest.mark.parametrize("dark", [False, True])
def test_a_phone(page: Page, tmp_path: Path, dark: bool) -> None:
    window = {"width": 390, "height": 844, "touch": True, "dark": dark}
    show(page, graphs()["labels"], tmp_path, window=window, title="A network with a rather long name " * 3)
    assert page.value("document.documentElement.dataset.theme") == ("dark" if dark else "light")
    page.value("document.getElementById('more').open = true")
    page.frame()
    page.value("new Promise(done => setTimeout(done, 50))")
    page.frame()
    wide = """[...document.querySelectorAll('body *')].filter(
      each => each.getBoundingClientRect().right > innerWidth + 1).map(each => each.id || each.tagName)"""
    assert page.value(wide) == []
    left, top = page.value("app.view.toScreen(0, app.n)")
    right, bottom = page.value("app.view.toScreen(app.n, 0)")
    low = page.value("document.getElementById('panel').getBoundingClientRect().top")
    buttons = page.value("document.getElementById('zoom').getBoundingClientRect().bottom")
    assert 0 <= left < right <= 390
    assert buttons <= top < bottom <= low + 1
    page.touch("Start", spot(page, 7, 9))
    page.touch("End")
    assert cell(page) == (7, 9)
    scale = page.value("app.view.scale")
    page.touch("Start", (150, 250), (250, 250))
    page.touch("Move", (100, 250), (300, 250))
    page.touch("End")
    page.frame()
    assert page.value("app.view.scale") == pytest.approx(2 * scale, rel=0.01)
    assert cell(page) == (7, 9)
    quiet(page, tmp_path)


def test_people_who_do_not_see_it(page: Page, tmp_path: Path) -> None:
    show(page, graphs()["labels"], tmp_path)
    unnamed = """[...document.querySelectorAll('button, input, select, canvas:not([aria-hidden])')].filter(each =>
      !each.getAttribute('aria-label') && !each.labels?.length && !each.textContent.trim()).map(each => each.id)"""
    assert page.value(unnamed) == []
    assert page.value("document.querySelectorAll('i').length") == 0
    assert page.value("document.getElementById('said').getAttribute('aria-live')") == "polite"
    assert page.value("document.title") == "Distance from all vertices to all"


def test_what_is_no_matrix(tmp_path: Path) -> None:
    graph, file = graphs()["one-way"], tmp_path / "map.html"
    with pytest.raises(
        apsp.GraphError, match=r"a map needs coordinates, .*; up to 2,000 vertices are shown as a matrix"
    ):
        apsp.from_edges([0], [1], n=2001).explore(file)
    with pytest.raises(apsp.GraphError, match="a map needs coordinates"):
        apsp.from_edges([], [], n=0).explore(file)
    with pytest.raises(apsp.RequestError, match="scale='metres' is the unit of coordinates, and this graph has none"):
        graph.explore(file, scale="metres")
    with pytest.raises(apsp.GraphError, match="a map of several sets of weights needs coordinates"):
        graph.explore(file, weights=[[1] * graph.m] * 2)
    with pytest.raises(apsp.RequestError, match="takes weights of 0 and more"):
        graph.with_weights([-1] + [100] * (graph.m - 1)).explore(file)
    assert not list(tmp_path.iterdir())


def test_two_thousand_vertices(page: Page, tmp_path: Path) -> None:
    city = apsp.generate("city", 2000, seed=1)
    graph = apsp.Graph(city.indptr, city.indices, city.weights)
    show(page, graph, tmp_path)
    assert (tmp_path / "map.html").stat().st_size < 150_000
    rows = apsp.prepare(graph).rows([0, 700, 1999])
    for source, row in zip((0, 700, 1999), rows, strict=True):
        line = f"Array.from(app.data.place, place => app.values[app.data.place[{source}] * app.n + place])"
        np.testing.assert_array_equal(page.value(line), row)
    assert page.errors == []
