"""Maps in headless Chromium, where it is installed: clicks, keys, touch, and what the page says of itself."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from benchmarks.chromium import Page, browser, opened
from showing_maps import found, quiet, show, shown, spot, text

pytestmark = pytest.mark.skipif(browser() is None, reason="Chromium is not installed")

SHIFT = 8


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with opened() as found:
        yield found


@pytest.fixture(scope="module")
def city() -> apsp.Graph:
    return apsp.generate("city", 1600, seed=4)


def clicks(page: Page, graph: apsp.Graph, positions: list[int]) -> None:
    oracle = apsp.prepare(graph)
    chosen = set()
    for position in positions:
        page.click(*spot(page, position))
        (source,) = shown(page)
        chosen.add(source)
        np.testing.assert_array_equal(found(page), oracle.rows([graph.labels[source]])[0])
        assert text(page, "from") == str(graph.labels[source])
    assert len(chosen) > 0.8 * len(positions)  # of several below the pointer, the nearest


def test_clicks_compute_the_distances_of_python(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    show(page, city, tmp_path, sources=[0], unit="s", scale="metres")
    clicks(page, city, np.random.default_rng(1).choice(city.n, 12, replace=False).tolist())
    quiet(page, tmp_path)


@pytest.mark.slow
def test_a_thousand_clicks(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    show(page, city, tmp_path, sources=[0])
    clicks(page, city, np.random.default_rng(2).choice(city.n, 1000, replace=False).tolist())
    quiet(page, tmp_path)


def test_a_route_and_its_end(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    show(page, city, tmp_path, sources=[17], target=1200, unit="s")
    oracle = apsp.prepare(city)
    assert text(page, "route-length") == f"{oracle.distance(17, 1200):,} s"
    assert page.value("app.view.scale") > 0
    path = page.value("app.routes.to(app.target, app.sources).map(place => app.data.order[place])")
    assert apsp.shortest_path(city, 17, 1200)[0] == path[0] == 17
    weights = {(u, v): w for u, v, w in zip(*map(np.ndarray.tolist, city.to_edges()), strict=True)}
    assert sum(weights[pair] for pair in itertools.pairwise(path)) == oracle.distance(17, 1200)
    assert text(page, "route-links") == f"{len(path) - 1} links"
    page.click(*spot(page, 900), modifiers=SHIFT)
    page.frame()
    end = page.value("app.data.order[app.target]")
    assert text(page, "route-length") == f"{oracle.distance(17, end):,} s"
    assert shown(page) == [17]
    page.value("document.getElementById('clear').click()")
    page.frame()
    assert page.value("document.getElementById('route').hidden") is True
    quiet(page, tmp_path)


def test_the_nearest_of_several_sources(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    show(page, city, tmp_path, sources=[3, 700], label="travel time", unit="s")
    rows = apsp.prepare(city).rows([3, 700])
    np.testing.assert_array_equal(found(page), rows.min(axis=0))
    page.mouse("Moved", *spot(page, 1100))
    page.frame()
    place = page.value("app.data.order[app.cursor]")
    nearest = [3, 700][int(rows[:, place].argmin())]
    words = page.value("[...document.getElementById('hover').children].map(each => each.textContent)")
    assert words[0] == str(place)
    assert words[1].startswith(f"{rows[:, place].min():,} s from ")
    if rows[0, place] != rows[1, place]:
        assert words[1].endswith(f" {nearest}")
    page.value("document.querySelector('input[value=add]').click()")
    page.click(*spot(page, 300))
    assert len(shown(page)) == 3
    quiet(page, tmp_path)


def test_a_source_is_dragged_and_the_map_as_well(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    show(page, city, tmp_path, sources=[50])
    (x, y), (to_x, to_y) = spot(page, 50), spot(page, 1000)
    page.mouse("Moved", x, y)
    page.mouse("Pressed", x, y)
    for share in (0.3, 0.6, 1.0):
        page.mouse("Moved", x + share * (to_x - x), y + share * (to_y - y))
    page.mouse("Released", to_x, to_y)
    (source,) = shown(page)
    assert source != 50
    assert np.hypot(*np.subtract(spot(page, source), (to_x, to_y))) < 15
    before = spot(page, 400)
    free = (740, 400)  # no source is near
    page.mouse("Moved", *free)
    page.mouse("Pressed", *free)
    page.mouse("Moved", free[0] - 30, free[1] - 20)
    page.mouse("Released", free[0] - 30, free[1] - 20)
    np.testing.assert_allclose(np.subtract(spot(page, 400), before), (-30, -20), atol=1e-6)
    assert shown(page) == [source]
    quiet(page, tmp_path)


# A clock that gives so many milliseconds to each picture of WebGL, and 8 to others; what waits for rest does so until
# the test says otherwise.
CLOCK = """(() => {
  let now = 0;
  app.pace = new app.pace.constructor();
  performance.now = () => (now += app.parts.plain.hidden ? MILLISECONDS : 8);
  globalThis.waiting = new Map();
  globalThis.setTimeout = run => (waiting.set(waiting.size + 1, run), waiting.size);
  globalThis.clearTimeout = number => waiting.has(number) && waiting.set(number, null);
  globalThis.shownPlainly = 0;
  const draw = app.streets.draw;
  app.streets.draw = function (...all) {
    const known = draw.apply(this, all);
    shownPlainly += !app.parts.plain.hidden;
    return known;
  };
})()"""
REST = "[...waiting].forEach(([number, run]) => (waiting.set(number, null), run?.()))"

# How many pixels without WebGL differ from those of WebGL by more than 3 of 255, and how many have streets.
DIFFERENCES = """(() => {
  const { map, plain } = app.parts, { width, height } = map, { gl } = app.streets;
  const drawn = new Uint8Array(4 * width * height);
  const shown = plain.getContext("2d").getImageData(0, 0, width, height).data;
  app.paint();
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, drawn);
  let other = 0, covered = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const one = 4 * (y * width + x), two = 4 * ((height - 1 - y) * width + x);
      other += [0, 1, 2].some(c => Math.abs(shown[one + c] - drawn[two + c]) > 3);
      covered += [0, 1, 2].some(c => drawn[two + c] !== drawn[c]);
    }
  return { other, covered, size: [plain.width, plain.height, width, height] };
})()"""


def drag(page: Page, graph: apsp.Graph, tmp_path: Path, milliseconds: int, **options: Any) -> int:
    """Drag a source with a clock; return how many pictures were drawn without WebGL."""
    show(page, graph, tmp_path, sources=[50], **options)
    page.value(CLOCK.replace("MILLISECONDS", str(milliseconds)))
    (x, y), (to_x, to_y) = spot(page, 50), spot(page, 1000)
    page.mouse("Moved", x, y)
    page.mouse("Pressed", x, y)
    for share in np.linspace(0, 1, 12)[1:]:
        page.mouse("Moved", x + share * (to_x - x), y + share * (to_y - y))
        page.frame()
    found: int = page.value("shownPlainly")
    return found


SHOWN = {
    "light": {},
    "dark": {"window": {"dark": True}},
    "a limit": {"limited": True},
    "differences": {"compare": "a"},
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_slow_browser_draws_what_moves_without_webgl(page: Page, city: apsp.Graph, tmp_path: Path, name: str) -> None:
    options = dict(SHOWN[name])
    limited = options.pop("limited", False)
    graph = city
    if name == "differences":
        graph = city.with_weights(np.random.default_rng(3).integers(1, 90, city.m))
        options["weights"] = {"b": graph.weights, "a": city.weights}
    assert drag(page, graph, tmp_path, 40, **options) >= 5
    if limited:
        page.value("app.bands = 7, limit.value = 400, limit.dispatchEvent(new Event('input'))")
        page.frame()
    assert page.value("app.parts.plain.hidden") is False
    (source,) = shown(page)
    assert source != 50
    np.testing.assert_array_equal(found(page), apsp.prepare(graph).rows([source])[0])
    assert text(page, "from") == str(source)
    apart = page.value(DIFFERENCES)
    assert apart["size"][:2] == apart["size"][2:]
    assert apart["covered"] > 2000, apart
    assert apart["other"] <= apart["covered"] / 1000, apart  # roundings to another of 256 colours
    page.mouse("Released", 400, 200)
    assert page.value("app.parts.plain.hidden") is True
    quiet(page, tmp_path)


def test_what_rests_is_drawn_by_webgl(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    drag(page, city, tmp_path, 40)
    plainly = page.value("shownPlainly")
    assert page.value("app.parts.plain.hidden") is False
    page.value(REST)  # the pointer is still
    page.frame()
    assert page.value("[app.parts.plain.hidden, shownPlainly]") == [True, plainly]
    page.mouse("Moved", 400, 200)
    page.frame()
    assert page.value("app.parts.plain.hidden") is False
    page.mouse("Released", 400, 200)  # the source is dropped
    page.frame()
    assert page.value("app.parts.plain.hidden") is True
    page.mouse("Moved", 420, 210)
    page.frame()
    assert page.value("app.parts.plain.hidden") is False
    page.value("app.zoom(1.5)")
    page.frame()
    assert page.value("app.parts.plain.hidden") is True
    page.mouse("Moved", 430, 220)
    page.frame()
    assert page.value("app.parts.plain.hidden") is False
    assert page.value(DIFFERENCES)["other"] < 20  # of the new view
    quiet(page, tmp_path)


def test_ends_of_streets_whose_other_end_has_no_path(page: Page, tmp_path: Path) -> None:
    """The colour of the vertex where a street ends, along which no path comes, with WebGL and without it."""
    numbers = np.arange(1, 21)
    corners = np.stack([numbers % 5, numbers // 5], axis=1) * 100.0
    graph = apsp.from_edges(
        np.concatenate([numbers, np.zeros(20, int)]), np.concatenate([numbers + 20] * 2), np.full(40, 9),
        coordinates=np.concatenate([[[0, 700]], np.add(corners, (40, 0)), corners]),
    )  # fmt: skip
    show(page, graph, tmp_path, sources=[0])
    page.value("app.pace.plain = true, app.view.zoom(2, 380, 300), app.changed({ moving: true })")
    page.frame()
    assert page.value("app.parts.plain.hidden") is False
    apart = page.value(DIFFERENCES)
    assert apart["covered"] > 1000
    assert apart["other"] == 0, apart
    quiet(page, tmp_path)


def test_a_picture_before_the_page_was_hidden_is_not_late(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    show(page, city, tmp_path, sources=[50])
    page.value("""(() => {
      app.pace = new app.pace.constructor();
      let now = 0;
      performance.now = () => (now += 600000);
      app.paint();
      document.dispatchEvent(new Event("visibilitychange"));
    })()""")
    page.frame()
    assert page.value("[app.pace.late, ...app.pace.times]") == [0, 0, 0]
    page.value("app.paint()")
    page.frame()
    assert page.value("[app.pace.late, ...app.pace.times]") == [2, 600000, 0]
    quiet(page, tmp_path)


def test_a_fast_browser_always_draws_with_webgl(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    assert drag(page, city, tmp_path, 8) == 0
    page.mouse("Released", 400, 200)
    quiet(page, tmp_path)


def test_the_source_follows_the_pointer_until_a_click(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    show(page, city, tmp_path)
    assert page.value("app.follow") is True
    page.mouse("Moved", *spot(page, 800))
    (source,) = shown(page)
    np.testing.assert_array_equal(found(page), apsp.prepare(city).rows([source])[0])
    page.click(*spot(page, 100))
    (source,) = shown(page)
    page.mouse("Moved", *spot(page, 800))
    assert shown(page) == [source]


def test_changes_within_one_picture_all_count(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    show(page, city, tmp_path, sources=[800])
    page.value("app.useAt(app.data.place[20], 'source'), app.useAt(app.data.place[900], 'route'), app.pan(3, 4)")
    page.frame()
    np.testing.assert_array_equal(found(page), apsp.prepare(city).rows([20])[0])
    assert text(page, "route-length") == str(apsp.prepare(city).distance(20, 900))
    assert int(text(page, "route-links").split()[0]) > 0


def test_keys(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    show(page, city, tmp_path, sources=[800])
    page.value("document.getElementById('overlay').focus()")
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown"):
        page.key(key)
    page.frame()
    at = page.value("app.data.order[app.cursor]")
    assert at != 800
    assert text(page, "said").startswith(f"{at}: ") or text(page, "said") == "no street that way"
    page.key("r")
    page.key("Enter")
    page.frame()
    assert page.value("app.data.order[app.target]") == at
    assert text(page, "said") == f"distance from 800; to {at}: {apsp.prepare(city).distance(800, at)}"
    page.key("s")
    page.key("Enter")
    assert shown(page) == [at]
    scale = page.value("app.view.scale")
    page.key("+")
    page.frame()
    assert page.value("app.view.scale") == pytest.approx(1.5 * scale)
    page.key("0")
    page.key("Escape")
    page.frame()
    assert page.value("[app.view.scale, app.target]") == [scale, -1]
    quiet(page, tmp_path)


def test_bands_and_the_slider(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    show(page, city, tmp_path, sources=[800], unit="s")
    assert text(page, "limit-text") == "all"
    assert text(page, "reached") == "1,600 vertices"
    page.value("limit.value = 400, limit.dispatchEvent(new Event('input'))")
    page.value("bands.value = 5, bands.dispatchEvent(new Event('change'))")
    page.frame()
    limit = page.value("app.limit")
    assert text(page, "limit-text") == f"{limit:g} s"
    within = int((apsp.prepare(city).rows([800])[0] <= limit).sum())
    assert text(page, "reached") == f"{within} vertices"
    seen = """(() => {
      app.paint();
      const gl = app.streets.gl, { width, height } = app.parts.map, all = new Uint8Array(4 * width * height);
      gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, all);
      const colour = band => [0, 1, 2].map(at => app.colours[4 * Math.round((band + 0.5) / 5 * 255) + at]);
      return [0, 1, 2, 3, 4].map(band => { const [r, g, b] = colour(band); let count = 0;
        for (let i = 0; i < all.length; i += 4)
          count += Math.abs(all[i] - r) + Math.abs(all[i + 1] - g) + Math.abs(all[i + 2] - b) < 6;
        return count; }); })()"""
    drawn = page.value(seen)
    assert min(drawn[:2]) > 100, drawn  # the bands up to two fifths
    assert max(drawn[2:]) < 20, drawn


@pytest.mark.parametrize("dark", [False, True])
def test_a_phone(page: Page, city: apsp.Graph, tmp_path: Path, dark: bool) -> None:
    window = {"width": 390, "height": 844, "touch": True, "dark": dark}
    show(page, city, tmp_path, window=window, title="A city with a rather long name " * 3, unit="s")
    assert page.value("app.follow") is False
    assert page.value("document.documentElement.dataset.theme") == ("dark" if dark else "light")
    wide = """[...document.querySelectorAll('body *')].filter(
      each => each.getBoundingClientRect().right > innerWidth + 1).map(each => each.id || each.tagName)"""
    assert page.value(wide) == []
    low = page.value("document.getElementById('panel').getBoundingClientRect().top")
    spots = page.value("Array.from(app.data.place, p => app.view.toScreen(app.data.x[p], app.data.y[p]))")
    assert 0 <= min(x for x, _ in spots) < max(x for x, _ in spots) <= 390
    assert 0 <= min(y for _, y in spots) < max(y for _, y in spots) <= low + 1
    page.touch("Start", (200, 200))
    page.touch("End")
    (source,) = shown(page)
    assert np.hypot(*np.subtract(spots[source], (200, 200))) < 15
    scale = page.value("app.view.scale")
    page.touch("Start", (150, 200), (250, 200))
    page.touch("Move", (100, 200), (300, 200))
    page.touch("End")
    page.frame()
    assert page.value("app.view.scale") == pytest.approx(2 * scale, rel=0.01)
    assert shown(page) == [source]
    quiet(page, tmp_path)


def test_people_who_do_not_see_it(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    show(page, city, tmp_path, sources=[5], target=700)
    unnamed = """[...document.querySelectorAll('button, input, select, canvas:not([aria-hidden])')].filter(each =>
      !each.getAttribute('aria-label') && !each.labels?.length && !each.textContent.trim()).map(each => each.id)"""
    assert page.value(unnamed) == []
    page.click(*spot(page, 900))
    page.frame()
    (source,) = shown(page)
    assert text(page, "said") == f"distance from {source}; to 700: {apsp.prepare(city).distance(source, 700)}"
    assert page.value("document.getElementById('said').getAttribute('aria-live')") == "polite"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_have_contrast(page: Page, city: apsp.Graph, tmp_path: Path, theme: str) -> None:
    show(page, city, tmp_path, sources=[5])
    page.value(f"theme.value = '{theme}', theme.dispatchEvent(new Event('change'))")
    names = "['page', 'ink', 'quiet', 'accent']"
    read = f"{names}.map(name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim())"
    page_colour, *others = (luminance(each) for each in page.value(read))
    for other in others:
        high, low = max(other, page_colour), min(other, page_colour)
        assert (high + 0.05) / (low + 0.05) > 4.5


def luminance(colour: str) -> float:
    """By WCAG 2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    r, g, b = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def test_names_are_texts_and_are_found(page: Page, tmp_path: Path) -> None:
    names = ["<img src=x onerror=alert(1)>", "Rome", "</script>", "a\nb"]
    graph = apsp.from_edges(
        [0, 1, 2], [1, 2, 3], [4, 1, 2.5], labels=names, coordinates=[[0, 0], [1, 0], [1, 1], [2, 1]]
    )
    show(page, graph, tmp_path, sources=[names[0]], title="<b>bold</b>")
    assert text(page, "from") == names[0]
    assert page.value("document.title") == "<b>bold</b>"
    assert page.value("document.querySelectorAll('img, b b').length") == 0
    page.value("app.find(' Rome ')")
    page.frame()
    np.testing.assert_array_equal(found(page), [np.inf, 0, 1, 3.5])
    page.value("app.find('Milan')")
    assert text(page, "said") == "there is no vertex Milan"
    quiet(page, tmp_path)


def test_streets_with_bends_and_vertices_without_coordinates(page: Page, tmp_path: Path) -> None:
    bends = [[[5.0, 0.0], [5.0, 5.0]], None, [[12.0, 5.0]]]
    points = [[0.0, 0.0], [10.0, 5.0], [np.nan, np.nan], [14.0, 9.0]]
    graph = apsp.from_edges([0, 1, 1], [1, 2, 3], [1, 2, 3], coordinates=points, bends=bends, directed=False)
    show(page, graph, tmp_path, sources=[2], target=0)
    assert page.value("app.segments.count") == 5
    np.testing.assert_array_equal(found(page), [3, 2, 0, 5])
    assert text(page, "route-length") == "3"
    page.value("document.getElementById('overlay').focus()")
    page.key("ArrowLeft")
    page.key("ArrowLeft")
    page.click(*spot(page, 1))
    assert shown(page) == [1]
    quiet(page, tmp_path)


def test_pictures_are_drawn_again_after_their_memory_was_lost(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    show(page, city, tmp_path, sources=[5])
    picture = """(() => { app.paint(); const { gl } = app.streets, { width, height } = app.parts.map;
      const all = new Uint8Array(4 * width * height);
      gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, all);
      return all.reduce((sum, value, at) => (sum * 31 + value * (at % 7)) % 1000003, 0); })()"""
    before = page.value(picture)
    page.value("globalThis.loss = app.streets.gl.getExtension('WEBGL_lose_context'), loss.loseContext()")
    page.frame()
    again = "new Promise(done => app.parts.map.addEventListener('webglcontextrestored', () => setTimeout(done)))"
    page.value(f"(loss.restoreContext(), {again}).then(() => 0)")
    page.frame()
    assert page.value(picture) == before


def test_a_graph_of_one_vertex(page: Page, tmp_path: Path) -> None:
    show(page, apsp.from_edges([], [], n=1, coordinates=[[3.0, 4.0]]), tmp_path)
    page.click(500, 200)
    assert shown(page) == [0]
    quiet(page, tmp_path)
