"""Maps of several sets of weights: what they hold and refuse, and in headless Chromium what they compute and show."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.explore.writing import write_map
from apsp.graph.exploring import Exploring
from apsp.methods.elimination.tree import elimination_tree
from benchmarks.chromium import Page, browser, opened
from showing_maps import (
    distances,
    found,
    header_of,
    needs_node,
    part,
    quiet,
    show,
    show_file,
    shown,
    spot,
    square,
    text,
)

SHIFT = 8

needs_browser = pytest.mark.skipif(browser() is None, reason="Chromium is not installed")


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with opened() as opened_page:
        yield opened_page


def hours_of(graph: apsp.Graph, count: int = 4) -> dict[str, np.ndarray]:
    """Weights of some hours: each one longer on other streets."""
    rng = np.random.default_rng(8)
    weights = graph.arc_weights(np.int64)
    return {f"{h:02}:00": weights + rng.integers(0, 60 * h + 1, graph.m) * (h > 0) for h in range(count)}


@pytest.fixture(scope="module")
def city() -> apsp.Graph:
    return apsp.generate("city", 900, seed=4)


@pytest.fixture(scope="module")
def day(city: apsp.Graph) -> apsp.Periods:
    return city.with_periods(hours_of(city))


def rows_of(graph: apsp.Graph, sources: list[int]) -> np.ndarray:
    """Distances from positions, as those of a page."""
    rows = np.asarray(apsp.prepare(graph).rows([graph.labels[source] for source in sources]))
    return np.where(rows == apsp.unreachable(rows.dtype), np.inf, rows.astype(np.float64))


def entries_of(periods: apsp.Periods) -> int:
    """Values of a factor."""
    tree = elimination_tree(periods.values()[0], order="fast")
    assert tree is not None
    return tree.entries


def choose(page: Page, name: str, value: int | str, event: str = "change") -> None:
    """Set a control, and wait until what was chosen is shown."""
    page.value(
        f"(each => {{ each.value = {value!r}; each.dispatchEvent(new Event('{event}')); }})"
        f"(document.getElementById('{name}'))"
    )
    settled(page)


def settled(page: Page) -> None:
    wanted = "app.wanted.chosen === app.shown.chosen.number && app.wanted.minus === (app.shown.other?.number ?? -1)"
    page.value(f"(async () => {{ while (!({wanted})) await new Promise(done => setTimeout(done, 5)); }})()")
    page.frame()


def differences(page: Page) -> np.ndarray:
    """Those of all vertices, by position; NaN where a set has no path."""
    values = page.value("JSON.stringify(Array.from(app.data.place, place => app.shown.difference(place)))")
    return np.array([np.nan if each is None else each for each in json.loads(values)])


# -- the distances of every set ------------------------------------------------------------------------------------


def eighths(graph: apsp.Graph, seed: int, dtype: str = "float64") -> np.ndarray:
    """Floats whose sums are exact, so that they have the same bits on every processor."""
    weights = np.random.default_rng(seed).integers(0, 900, graph.m) / 8
    if not graph.directed:  # both arcs of an edge are alike
        ends = np.sort(np.stack([graph.tails(), graph.indices]), axis=0)
        weights = weights[np.unique(ends, axis=1, return_inverse=True)[1]]
    return weights.astype(dtype)


def grids() -> dict[str, apsp.Graph]:
    rng = np.random.default_rng(5)
    return {
        "one-way": square(15, rng),
        "both ways": square(15, rng, directed=False),
        "zones": square(15, rng, zones=rng.random(225) < 0.2),
        "labels": square(15, rng, labels=[f"crossing {i}" for i in range(225)]),
        "hops": apsp.generate("grid", 225, seed=3, weights=None),
    }


def sets_on(graph: apsp.Graph) -> dict[str, np.ndarray]:
    """Sets of weights of all dtypes that a browser computes with."""
    whole = eighths(graph, 1) * 8
    return {
        "int32": whole.astype(np.int64), "longer": whole.astype(np.int64) * 3 + 1,
        "int64": (whole * 2**30).astype(np.int64), "float64": eighths(graph, 2),
        "float32": eighths(graph, 3, "float32"), "zeros": np.zeros(graph.m, dtype=np.int64),
    }  # fmt: skip


@needs_node
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("name", grids())
def test_the_page_computes_the_distances_of_every_set(tmp_path: Path, name: str, order: int) -> None:
    graph = grids()[name]
    sets = dict(list(sets_on(graph).items())[::order])
    graph.explore(tmp_path / "map.html", weights=sets)
    kinds = {"int64": "float64", "float64": "float64", "float32": "float32"}
    assert header_of(tmp_path / "map.html")["sets"]["kinds"] == [kinds.get(each, "int32") for each in sets]
    sources = [0, 7, 112, 224]
    for number, weights in enumerate(sets.values()):
        computed = distances(tmp_path / "map.html", [[source] for source in sources], number)
        np.testing.assert_array_equal(computed, rows_of(graph.with_weights(weights), sources))


@needs_node
def test_an_oracle_of_periods_writes_its_dtype_and_its_order(tmp_path: Path) -> None:
    graph = square(15, np.random.default_rng(5))
    sets = {"a": eighths(graph, 1).astype(np.int64), "b": eighths(graph, 2)}
    oracle = apsp.prepare(graph.with_periods(sets), order="best")
    oracle.explore(tmp_path / "map.html", period="b")
    header = header_of(tmp_path / "map.html")
    assert (header["sets"]["kinds"], header["sets"]["chosen"]) == (["float64", "float64"], 1)
    for number, name in enumerate(oracle):
        expected = oracle.rows([3, 90], period=name)
        np.testing.assert_array_equal(distances(tmp_path / "map.html", [[3], [90]], number), expected)


@needs_browser
def test_a_list_chooses_a_set(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    hours = hours_of(city)
    show(page, city, tmp_path, weights=hours, sources=[17], target=500, label="travel time", unit="s")
    assert page.value("[...document.getElementById('set').options].map(each => each.textContent)") == list(hours)
    assert text(page, "said") == ""
    for number, (name, weights) in enumerate(hours.items()):
        choose(page, "set", number)
        graph = city.with_weights(weights)
        np.testing.assert_array_equal(found(page), rows_of(graph, [17])[0])
        assert text(page, "route-length") == f"{apsp.distance(graph, 17, 500):,} s"
        route = page.value("app.routes.to(app.target, app.sources).map(place => app.data.order[place])")
        assert sum(graph[u][v] for u, v in itertools.pairwise(route)) == apsp.distance(graph, 17, 500)
        told = f"{name}: travel time from 17; to 500: {apsp.distance(graph, 17, 500):,} s"
        assert text(page, "said") == told
    page.click(*spot(page, 300))
    (source,) = shown(page)
    np.testing.assert_array_equal(found(page), rows_of(graph, [source])[0])
    hidden = "['set-row', 'period-row'].map(name => document.getElementById(name).hidden)"
    assert page.value(hidden) == [False, True]
    quiet(page, tmp_path)


@needs_browser
def test_colours_hold_the_longest_distances_of_every_set(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    show(page, city, tmp_path, weights=[city.weights, city.weights * 9], sources=[17])
    top = page.value("app.top")
    choose(page, "set", 1)
    assert page.value("app.top") >= 9 * rows_of(city, [17]).max() > top
    choose(page, "set", 0)
    assert page.value("app.top") >= 9 * rows_of(city, [17]).max()  # colours of the sets can be compared


@needs_browser
def test_the_slider_goes_through_the_periods(page: Page, day: apsp.Periods, tmp_path: Path) -> None:
    show(page, day, tmp_path, period="02:00", sources=[17])
    period = "(each => [each.value, each.max, each.getAttribute('aria-valuetext')])(document.getElementById('period'))"
    assert page.value(period) == ["2", "3", "02:00"]
    assert page.value("document.getElementById('set-row').hidden") is True
    page.value("document.getElementById('period').focus()")
    page.key("ArrowRight")
    settled(page)
    assert page.value(period)[::2] == ["3", "03:00"]
    assert text(page, "period-text") == "03:00"
    np.testing.assert_array_equal(found(page), rows_of(day["03:00"], [17])[0])
    quiet(page, tmp_path)


@needs_browser
def test_a_finger_moves_the_slider(page: Page, day: apsp.Periods, tmp_path: Path) -> None:
    show(page, day, tmp_path, sources=[17], window={"width": 390, "height": 844, "touch": True})
    box = "document.getElementById('period').getBoundingClientRect()"
    page.touch("Start", tuple(page.value(f"(box => [box.right - 12, (box.top + box.bottom) / 2])({box})")))
    page.touch("End")
    page.frame()
    settled(page)
    assert text(page, "period-text") == "03:00"
    np.testing.assert_array_equal(found(page), rows_of(day["03:00"], [17])[0])


# -- differences -----------------------------------------------------------------------------------------------------


@needs_browser
def test_differences_are_those_of_python(page: Page, day: apsp.Periods, tmp_path: Path) -> None:
    show(page, day, tmp_path, period="03:00", compare="00:00", sources=[17], target=500, label="travel time", unit="s")
    one, two = (rows_of(day[name], [17])[0] for name in ("03:00", "00:00"))
    np.testing.assert_array_equal(differences(page), one - two)
    assert text(page, "reached") == f"{(one > two).sum()} more, 0 less"
    said = f"+{one[500] - two[500]:,.0f} s (03:00 {one[500]:,.0f} s, 00:00 {two[500]:,.0f} s)"
    assert text(page, "route-length") == said
    assert page.value("document.querySelector('#key span').textContent") == "travel time: 03:00 \u2212 00:00"
    reach = page.value("app.shown.reach")
    assert (one - two).max() <= reach < 1.1 * (one - two).max() + 1
    ticks = page.value("[...document.getElementById('ticks').children].map(each => each.textContent)")
    assert ticks == [f"\u2212{reach:,.0f}", "0", f"+{reach:,.0f} s"]
    page.mouse("Moved", *spot(page, 200))
    page.frame()
    at = page.value("app.data.order[app.cursor]")
    words = page.value("[...document.getElementById('hover').children].map(each => each.textContent)")
    assert words == [str(at), f"+{one[at] - two[at]:,.0f} s (03:00 {one[at]:,.0f} s, 00:00 {two[at]:,.0f} s)"]
    page.click(*spot(page, 300))
    (source,) = shown(page)
    np.testing.assert_array_equal(
        differences(page), rows_of(day["03:00"], [source])[0] - rows_of(day["00:00"], [source])[0]
    )
    choose(page, "minus", 2)
    np.testing.assert_array_equal(
        differences(page), rows_of(day["03:00"], [source])[0] - rows_of(day["02:00"], [source])[0]
    )
    choose(page, "period", 0, "input")
    np.testing.assert_array_equal(
        differences(page), rows_of(day["00:00"], [source])[0] - rows_of(day["02:00"], [source])[0]
    )
    assert "0 more, " in text(page, "reached")
    quiet(page, tmp_path)


@needs_browser
def test_differences_of_several_sources_and_without_paths(page: Page, tmp_path: Path) -> None:
    graph = apsp.from_edges(
        [0, 1, 3, 5], [1, 2, 4, 6], zones=[False, True, False, False, False, False, False],
        coordinates=[[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [0, 2], [1, 2]],
    )  # fmt: skip
    sets = {"a": [4, 1, 0.5, 3], "b": [1, 1, 0.25, 3]}
    show(page, graph, tmp_path, weights=sets, compare="b", sources=[0, 3])
    nan = np.nan
    np.testing.assert_array_equal(differences(page), [0, 3, nan, 0, 0.25, nan, nan])
    assert text(page, "reached") == "2 more, 0 less"
    assert page.value("app.text(app.data.place[6])") == "no difference (a no path, b no path)"
    assert page.value("app.text(app.data.place[4])") == "+0.25 (a 0.5, b 0.25)"
    assert page.value("app.hoverWords(app.data.place[4])[1]") == "+0.25 (a 0.5, b 0.25)"  # each set has its own source
    quiet(page, tmp_path)


PIXELS = """(() => { app.paint(); const { gl } = app.streets, { width, height } = app.parts.map;
  const all = new Uint8Array(4 * width * height);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, all);
  const near = share => [0, 1, 2].map(at => app.colours[4 * Math.round(share * 255) + at]);
  return SHARES.map(share => { const [r, g, b] = near(share); let count = 0;
    for (let i = 0; i < all.length; i += 4)
      count += Math.abs(all[i] - r) + Math.abs(all[i + 1] - g) + Math.abs(all[i + 2] - b) < 6;
    return count; }); })()"""


@needs_browser
@pytest.mark.parametrize("dark", [False, True])
def test_colours_tell_the_sign(page: Page, tmp_path: Path, dark: bool) -> None:
    # Three streets from the source in the middle: one takes longer in b, one is quicker, one is the same.
    graph = apsp.from_edges(
        [0, 0, 0, 4], [1, 2, 3, 5],
        coordinates=[[0, 0], [10, 0], [-10, 0], [0, 10], [-8, 8], [8, 8]],
    )  # fmt: skip
    sets = {"a": [20, 20, 20, 1], "b": [40, 0, 20, 2]}
    show(page, graph, tmp_path, weights=sets, compare="a", sources=[0], window={"dark": dark})
    assert page.value("app.shown.reach") == 20
    choose(page, "steps", 5)
    drawn = page.value(PIXELS.replace("SHARES", "[0.1, 0.3, 0.5, 0.7, 0.9]"))
    assert min(drawn) > 100, drawn
    less, more = drawn[0] + drawn[1], drawn[3] + drawn[4]
    assert 0.8 < less / more < 1.25  # two streets of the same length
    faint = page.value("app.parts.colours().faint.map(each => Math.round(255 * each))")
    assert page.value(PIXELS.replace("SHARES", "[0]").replace("near(share)", str(faint))) > [100]  # no path leads there
    choose(page, "tones", "greys")
    assert min(page.value(PIXELS.replace("SHARES", "[0.1, 0.3, 0.5, 0.7, 0.9]"))) > 100
    choose(page, "reach", 500, "input")
    assert page.value("app.shown.reach") == 10
    assert text(page, "reach-text") == "±10"
    choose(page, "minus", -1)
    assert page.value("app.bands") == 0
    assert page.value("app.top") == 50
    quiet(page, tmp_path)


@needs_browser
def test_colours_of_the_mode_and_of_the_page(page: Page, day: apsp.Periods, tmp_path: Path) -> None:
    show(page, day, tmp_path, sources=[17])
    blue, orange = "a[2] > a[0] + 60", "b[0] > b[2] + 60"
    ends = f"(([a, b]) => {blue} && {orange})([app.colours.slice(0, 3), app.colours.slice(1020, 1023)])"
    light = "app.colours.slice(0, 3).reduce((sum, value) => sum + value)"
    assert page.value(ends) is False
    choose(page, "minus", 1)
    assert page.value(ends) is True
    before = page.value(light)
    choose(page, "theme", "dark")
    assert page.value(ends) is True
    assert page.value(light) > before + 200  # large differences stand out from the page
    choose(page, "minus", -1)
    assert page.value(ends) is False
    quiet(page, tmp_path)


@needs_browser
def test_the_routes_of_both_sets_are_drawn(page: Page, tmp_path: Path) -> None:
    points = [[0, 0], [10, 0], [20, 0], [10, 10]]
    graph = apsp.from_edges([0, 0, 1, 3], [1, 3, 2, 2], coordinates=points)
    sets = {"below": [1, 5, 1, 5], "above": [9, 5, 9, 5]}
    show(page, graph, tmp_path, weights=sets, sources=[0], target=2)
    at = """(([x, y]) => [...app.parts.overlay.getContext('2d').getImageData(x * app.ratio, y * app.ratio, 1, 1).data])
      (app.view.toScreen((app.data.x[P] + app.data.x[Q]) / 2, (app.data.y[P] + app.data.y[Q]) / 2))"""
    places = page.value("[...app.data.place]")

    def colour(one: int, two: int) -> str:
        red, green, blue, alpha = page.value(at.replace("P", str(places[one])).replace("Q", str(places[two])))
        return f"#{red:02x}{green:02x}{blue:02x}" if alpha else "none"

    css = page.value("app.parts.colours().css")
    assert (colour(0, 1), colour(0, 3)) == (css["accent"], "none")
    choose(page, "minus", 1)
    assert (colour(0, 1), colour(0, 3)) == (css["accent"], css["ink"])
    assert [text(page, "one-route"), text(page, "other-route")] == ["below: 2 links", "above: 2 links"]
    choose(page, "set", 1)
    choose(page, "minus", 0)
    assert (colour(0, 1), colour(0, 3)) == (css["ink"], css["accent"])
    page.value("document.getElementById('clear').click()")
    page.frame()
    assert (colour(0, 1), colour(0, 3)) == ("none", "none")
    assert page.value("document.getElementById('two-routes').hidden") is True
    quiet(page, tmp_path)


# -- controls ----------------------------------------------------------------------------------------------------------


@needs_browser
def test_keys_choose_sets(page: Page, day: apsp.Periods, tmp_path: Path) -> None:
    show(page, day, tmp_path, sources=[17])
    page.value("document.getElementById('overlay').focus()")
    steps = [
        ("n", (1, -1)), ("n", (2, -1)), ("p", (1, -1)), ("d", (1, 0)), ("n", (2, 0)), ("d", (2, -1)), ("n", (3, -1)),
        ("n", (0, -1)), ("d", (0, 1)), ("d", (0, -1)), ("p", (3, -1)), ("d", (3, 1)),
    ]  # fmt: skip
    for key, expected in steps:
        page.key(key)
        settled(page)
        assert tuple(page.value("[app.wanted.chosen, app.wanted.minus]")) == expected
    assert text(page, "said") == "03:00 minus 01:00: distance from 17"
    assert "N and P choose" in text(page, "keys")
    quiet(page, tmp_path)


@needs_browser
def test_of_several_choices_the_last_one_counts(page: Page, day: apsp.Periods, tmp_path: Path) -> None:
    show(page, day, tmp_path, sources=[17])
    page.value("(app.show(1), app.show(2), app.show(3, 1), app.show(2, -1), 0)")
    settled(page)
    page.value("new Promise(done => setTimeout(done, 200))")
    assert page.value("[app.shown.chosen.name, app.shown.other, wait.hidden]") == ["02:00", None, True]
    assert page.value("[...app.sets.known.keys()]") == [0, 2]  # nothing was computed for the others
    np.testing.assert_array_equal(found(page), rows_of(day["02:00"], [17])[0])
    quiet(page, tmp_path)


@needs_browser
def test_what_cannot_be_computed_leaves_what_was_there(page: Page, day: apsp.Periods, tmp_path: Path) -> None:
    show(page, day, tmp_path, sources=[17])
    page.value("app.sets.get = async () => { throw new Error('no memory'); }")
    choose(page, "period", 2, "input")
    assert text(page, "said") == "these weights cannot be shown here: no memory"
    assert page.value("[document.getElementById('period').value, wait.hidden]") == ["0", True]
    np.testing.assert_array_equal(found(page), rows_of(day["00:00"], [17])[0])


@needs_browser
def test_a_page_keeps_as_many_factors_as_fit(page: Page, day: apsp.Periods, tmp_path: Path) -> None:
    most, held = 8 * entries_of(day) + 3, 2
    write_map(day, tmp_path / "map.html", Exploring(sources=[17], slider=True), most_bytes=most)
    show_file(page, tmp_path)
    for number in (1, 2, 3, 0, 2, 1):
        choose(page, "period", number, "input")
        choose(page, "minus", 3)
        assert page.value("app.sets.known.size") == held
        name = day.names[number]
        np.testing.assert_array_equal(differences(page), (rows_of(day[name], [17]) - rows_of(day["03:00"], [17]))[0])
    quiet(page, tmp_path)


@needs_browser
@pytest.mark.parametrize("dark", [False, True])
def test_a_phone(page: Page, day: apsp.Periods, tmp_path: Path, dark: bool) -> None:
    base = day.base
    sets = {"a rather long name of a scenario " * 3: base.weights, "another one": base.weights * 2}
    window = {"width": 390, "height": 844, "touch": True, "dark": dark}
    show(page, base, tmp_path, weights=sets, compare="another one", sources=[17], target=500, window=window)
    page.value("document.getElementById('more').open = true")
    page.frame()
    wide = """[...document.querySelectorAll('body *')].filter(
      each => each.getBoundingClientRect().right > innerWidth + 1).map(each => each.id || each.tagName)"""
    assert page.value(wide) == []
    assert page.value("document.documentElement.dataset.theme") == ("dark" if dark else "light")


@needs_browser
def test_people_who_do_not_see_it(page: Page, day: apsp.Periods, tmp_path: Path) -> None:
    show(page, day, tmp_path, period="03:00", compare="00:00", sources=[17], label="travel time", unit="s")
    unnamed = """[...document.querySelectorAll('button, input, select, canvas:not([aria-hidden])')].filter(each =>
      !each.getAttribute('aria-label') && !each.labels?.length && !each.textContent.trim()).map(each => each.id)"""
    assert page.value(unnamed) == []
    reach = page.value("app.shown.reach")
    legend = "document.getElementById('legend').getAttribute('aria-label')"
    told = f"Colours from \u2212{reach:,.0f} s, less in 03:00 than in 00:00, to +{reach:,.0f} s, more"
    assert page.value(legend) == told
    choose(page, "minus", -1)
    assert page.value(legend) == "Colours from 0 to the longest travel time"


@needs_browser
def test_pictures_of_differences_are_drawn_again(page: Page, day: apsp.Periods, tmp_path: Path) -> None:
    show(page, day, tmp_path, period="03:00", compare="00:00", sources=[17])
    every = PIXELS.replace("SHARES", "[0.5, 0.6, 0.7, 0.8]")
    before = page.value(every)
    assert max(before) > 100
    page.value("globalThis.loss = app.streets.gl.getExtension('WEBGL_lose_context'), loss.loseContext()")
    page.frame()
    again = "new Promise(done => app.parts.map.addEventListener('webglcontextrestored', () => setTimeout(done)))"
    page.value(f"(loss.restoreContext(), {again}).then(() => 0)")
    page.frame()
    assert page.value(every) == before


EVIL = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "{script}", "\u2028"]


@needs_browser
def test_names_of_sets_are_texts(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    show(page, city, tmp_path, weights=dict.fromkeys(EVIL, city.weights), compare=EVIL[1], sources=[17])
    assert page.value("[...document.getElementById('set').options].map(each => each.textContent)") == EVIL
    assert EVIL[0] in page.value("document.querySelector('#key span').textContent")
    assert page.value("document.querySelectorAll('img').length") == 0
    quiet(page, tmp_path)


# -- the file ----------------------------------------------------------------------------------------------------------


def test_one_set_costs_nothing(city: apsp.Graph, tmp_path: Path) -> None:
    file = tmp_path / "map.html"

    def written(graph: Any, **options: Any) -> bytes:
        graph.explore(file, unit="s", sources=[3], **options)
        return file.read_bytes()

    plain = written(city)
    assert written(city, weights={"only": city.weights}) == plain
    assert written(city.with_periods([city.weights])) == plain
    assert written(apsp.prepare(city.with_periods([city.weights]))) == plain
    assert "sets" not in header_of(file)
    for word in (b"ComparedApp", b"MatrixApp", b"Sets", b'id="set"', b"arrays-of-sets", b"differences", b"two-routes"):
        assert word not in plain


def test_a_set_costs_its_weights(tmp_path: Path) -> None:
    city = apsp.generate("city", 2000, seed=7)
    file = tmp_path / "map.html"
    size = {}
    for count in (1, 2, 24):
        city.explore(file, weights={h: city.weights + (city.weights * h) // 40 for h in range(count)})
        size[count] = file.stat().st_size
    assert size[2] - size[1] < 25_000  # the program, and weights of 6,382 arcs
    assert (size[24] - size[2]) / 22 < city.m
    sets = json.loads(part(file.read_text(encoding="utf-8"), "header"))["sets"]
    assert sets["names"] == [str(h) for h in range(24)]


def test_what_the_map_starts_with(day: apsp.Periods, tmp_path: Path) -> None:
    def start(**options: Any) -> tuple[int, int]:
        day.explore(tmp_path / "map.html", **options)
        sets = header_of(tmp_path / "map.html")["sets"]
        return sets["chosen"], sets["minus"]

    assert start() == (0, -1)
    assert start(period="02:00") == (2, -1)
    assert start(compare="00:00") == (1, 0)
    assert start(compare="02:00") == (0, 2)
    assert start(period="03:00", compare="02:00") == (3, 2)


def test_what_is_no_map_of_several_sets(city: apsp.Graph, day: apsp.Periods, tmp_path: Path) -> None:
    file = tmp_path / "map.html"
    with pytest.raises(
        apsp.RequestError, match=r"compare names one of several sets of weights: explore\(path, weights="
    ):
        city.explore(file, compare="a")
    with pytest.raises(apsp.RequestError, match="there is no period 'x'; there are '00:00', "):
        day.explore(file, period="x")
    with pytest.raises(apsp.RequestError, match="there is no period 'x'; there are '00:00', "):
        day.explore(file, compare="x")
    with pytest.raises(apsp.RequestError, match="compare='00:00' is the set that is shown: name another one"):
        day.explore(file, period="00:00", compare="00:00")
    with pytest.raises(apsp.RequestError, match="compare='a' is the set that is shown"):
        city.explore(file, weights={"a": city.weights}, compare="a")
    with pytest.raises(apsp.RequestError, match="period 'b': a map to explore takes weights of 0 and more"):
        city.explore(file, weights={"a": city.weights, "b": np.where(np.arange(city.m) == 3, -1, 5)})
    with pytest.raises(apsp.GraphError, match="period 'b': weights must be a vector of"):
        city.explore(file, weights={"a": city.weights, "b": [1]})
    with pytest.raises(apsp.RequestError, match=r"period 'b': distances of this graph may reach .*scale"):
        city.explore(file, weights={"a": city.weights, "b": np.full(city.m, 2**50)})
    with pytest.raises(apsp.GraphError, match="a map of several sets of weights needs coordinates"):
        (random := apsp.generate("random", 20)).explore(file, weights=[random.weights] * 2)
    assert not list(tmp_path.iterdir())


def test_sets_that_do_not_fit_a_browser(day: apsp.Periods, tmp_path: Path) -> None:
    file, options = tmp_path / "map.html", Exploring()
    entries = entries_of(day)
    write_map(day["00:00"], file, options, most_bytes=5 * entries)
    file.unlink()
    with pytest.raises(apsp.RequestError, match=r"keeps the factors of two, and each takes .*periods\[name\].explore"):
        write_map(day, file, options, most_bytes=5 * entries)
    many = day.base.with_periods(dict.fromkeys(range(200), day.base.weights))
    most = max(8 * entries, 50 * 4 * day.base.m)
    fitting = most // (4 * day.base.m)
    with pytest.raises(apsp.RequestError, match=f"the weights of 200 sets take .* holds .*: write {fitting} of them"):
        write_map(many, file, options, most_bytes=most)
    assert not list(tmp_path.iterdir())
