"""Maps in cells of notebooks, in headless Chromium: as JupyterLab, VS Code and Colab show the HTML of an object."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.explore.writing import write_map
from apsp.graph.exploring import Exploring
from benchmarks.chromium import Frame, Page, browser, opened
from showing_maps import found, show, shown, spot, square, text

needs_browser = pytest.mark.skipif(browser() is None, reason="Chromium is not installed")

HOSTILE = "\"></iframe><script>document.title='broken'</script><img src=x onerror=alert(1)>'&quot;&#34;</title>"

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src https: http: data:; font-src https:; connect-src https:; child-src https: data:"
)
"""Of the outputs of VS Code, whose frames inherit it."""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with opened() as opened_page:
        yield opened_page


@pytest.fixture(scope="module")
def city() -> apsp.Graph:
    return apsp.generate("city", 900, seed=4)


def document(title: str, body: str, head: str = "") -> str:
    return (
        f'<!doctype html><html><head><meta charset="utf-8"><title>{title}</title>{head}</head>'
        f'<body style="margin:0">{body}</body></html>'
    )


def in_frame(body: str, head: str = "") -> str:
    """Outputs in a frame of another origin."""
    outputs = html.escape(document("outputs", body, head))
    flags = "allow-downloads allow-forms allow-popups allow-scripts"
    return document(
        "notebook", f'<iframe sandbox="{flags}" style="border:0;width:100%;height:2000px" srcdoc="{outputs}"></iframe>'
    )


def inserted(body: str) -> str:
    """Outputs in the notebook's own document, into which a program inserts them."""
    words = json.dumps(body).replace("<", "\\u003c")
    return document("notebook", f"<main></main><script>document.querySelector('main').innerHTML = {words}</script>")


NOTEBOOKS = {
    "JupyterLab": inserted,
    "VS Code": lambda body: in_frame(body, f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
    "Colab": in_frame,
}


def cells(page: Page, maps: list[Any], folder: Path, notebook: str = "JupyterLab", **window: Any) -> list[Frame]:
    """Open a notebook that shows maps one below the other; their frames, and where these are."""
    body = "".join(each._repr_html_() for each in maps)
    (folder / "notebook.html").write_text(NOTEBOOKS[notebook](body), encoding="utf-8")
    page.errors.clear()
    page.requests.clear()
    page.open(folder / "notebook.html", **{"width": 760, "height": 500 * len(maps)} | window)
    page.value(
        "new Promise(done => document.readyState === 'complete' ? done(0) : addEventListener('load', () => done(0)))"
    )
    frames = page.frames()
    around = frames["notebook" if notebook == "JupyterLab" else "outputs"]
    corners = around.value(
        "[...document.querySelectorAll('iframe')].map(each => each.getBoundingClientRect()).map(at => [at.x, at.y])"
    )
    assert len(corners) == len(maps)
    inside = [frames[each.title] for each in maps]
    for frame, corner in zip(inside, corners, strict=True):
        frame.corner = tuple(corner)
        frame.ready()
        frame.value("explored.then(app => (globalThis.app = app, 0))")
    return inside


def quiet(page: Page, folder: Path) -> None:
    page.frames()  # tells errors of frames, too
    assert page.errors == []
    assert {each for each in page.requests if not each.startswith("about:")} == {(folder / "notebook.html").as_uri()}


@needs_browser
@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_clicks_compute_the_distances_of_python(page: Page, city: apsp.Graph, tmp_path: Path, notebook: str) -> None:
    (frame,) = cells(page, [city.explore(title="A city", sources=[0], unit="s")], tmp_path, notebook)
    oracle = apsp.prepare(city)
    chosen = set()
    for position in np.random.default_rng(1).choice(city.n, 6, replace=False).tolist():
        frame.click(*spot(frame, position))
        (source,) = shown(frame)
        chosen.add(source)
        np.testing.assert_array_equal(found(frame), oracle.rows([source])[0])
    assert len(chosen) > 3
    frame.value("document.getElementById('more').open = true")
    frame.value("document.getElementById('find-text').value = '17'")
    frame.value("document.querySelector('#find button').click()")  # a form, which the sandbox must allow
    frame.frame()
    assert shown(frame) == [17]
    np.testing.assert_array_equal(found(frame), oracle.rows([17])[0])
    quiet(page, tmp_path)


@needs_browser
def test_floats_have_the_bits_of_the_file(page: Page, tmp_path: Path) -> None:
    graph = square(12, np.random.default_rng(3), "float64")
    (frame,) = cells(page, [graph.explore(title="floats", sources=[5])], tmp_path, "VS Code")
    row = found(frame)
    # The order of sums of Python's kernels depends on the processor.
    np.testing.assert_allclose(row, apsp.prepare(graph).rows([5])[0], rtol=1e-13)
    show(page, graph, tmp_path, sources=[5])
    np.testing.assert_array_equal(row, found(page))


@needs_browser
@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_maps_know_nothing_of_the_notebook(page: Page, city: apsp.Graph, tmp_path: Path, notebook: str) -> None:
    (frame,) = cells(page, [city.explore(title="A city")], tmp_path, notebook)
    assert frame.value("origin") == "null"
    for reached in ("parent.document.title", "top.document.title", "localStorage.length", "document.cookie"):
        assert frame.value(f"(() => {{ try {{ return {reached} }} catch (error) {{ return error.name }} }})()") == (
            "SecurityError"
        )
    assert frame.value("fetch('https://example.org').then(() => 'sent', () => 'refused')") == "refused"


@needs_browser
def test_maps_of_one_notebook_do_not_disturb_each_other(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    doubled = city.with_weights(city.weights * 2)
    tails, heads, weights = (np.random.default_rng(2).integers(0, 40, 90) for _ in range(3))
    matrix = apsp.from_edges(tails, heads, weights, n=40)
    maps = [
        city.explore(title="one", sources=[3], height=420), doubled.explore(title="two", sources=[700], height=420),
        matrix.explore(title="matrix", height=420),
    ]  # fmt: skip
    one, two, _ = cells(page, maps, tmp_path)
    one.click(*spot(one, 500))
    (source,) = shown(one)
    assert source != 3
    assert shown(two) == [700]
    two.click(*spot(two, 100))
    (other,) = shown(two)
    assert shown(one) == [source]
    np.testing.assert_array_equal(found(one), apsp.prepare(city).rows([source])[0])
    np.testing.assert_array_equal(found(two), apsp.prepare(doubled).rows([other])[0])
    assert page.frames().keys() == {"notebook", "one", "two", "matrix"}
    quiet(page, tmp_path)


@needs_browser
def test_several_sets_of_weights_and_hours(page: Page, city: apsp.Graph, tmp_path: Path) -> None:
    day = city.with_periods({"night": city.weights, "morning": city.weights * 3})
    maps = [
        day.explore(title="day", sources=[5]),
        apsp.prepare(day).explore(title="oracle", period="morning", sources=[5]),
    ]
    first, second = cells(page, maps, tmp_path, "VS Code")
    row = apsp.prepare(city).rows([5])[0].astype(np.int64)
    np.testing.assert_array_equal(found(first), row)
    np.testing.assert_array_equal(found(second), row * 3)
    quiet(page, tmp_path)


@needs_browser
@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_hostile_names_stay_inside(page: Page, tmp_path: Path, notebook: str) -> None:
    names = [HOSTILE, "' onload='alert(1)", "a\n\r\0b", "\ud800 half"]
    graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], labels=names, coordinates=[[0, 0], [1, 0], [1, 1], [2, 1]])
    made = graph.explore(title=HOSTILE, label=HOSTILE, unit="\"'<b>", sources=[HOSTILE])
    (frame,) = cells(page, [made], tmp_path, notebook)
    assert page.frames().keys() == {"notebook", HOSTILE} | ({"outputs"} if notebook != "JupyterLab" else set())
    assert text(frame, "from") == HOSTILE
    assert frame.value("document.querySelectorAll('img, b b, script').length") == 2  # header, program
    np.testing.assert_array_equal(found(frame), [0, 4, 5, 7])
    quiet(page, tmp_path)


@needs_browser
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("notebook", ["JupyterLab", "VS Code"])
def test_a_narrow_cell_in_light_and_dark(
    page: Page, city: apsp.Graph, tmp_path: Path, notebook: str, dark: bool
) -> None:
    window = {"width": 390, "height": 844, "dark": dark}
    (frame,) = cells(
        page, [city.explore(title=" ".join(["A city"] * 9), unit="s", height=600)], tmp_path, notebook, **window
    )
    frame.frame()
    assert frame.value("document.documentElement.dataset.theme") == ("dark" if dark else "light")
    background = frame.value("getComputedStyle(document.body).backgroundColor")
    assert background == ("rgb(15, 18, 22)" if dark else "rgb(255, 255, 255)")
    assert frame.value("[innerWidth <= 390, innerHeight]") == [True, 600]
    wide = """[...document.querySelectorAll('body *')].filter(
      each => each.getBoundingClientRect().right > innerWidth + 1).map(each => each.id || each.tagName)"""
    assert frame.value(wide) == []
    low = frame.value("document.getElementById('panel').getBoundingClientRect().top")
    spots = frame.value("Array.from(app.data.place, p => app.view.toScreen(app.data.x[p], app.data.y[p]))")
    assert 0 <= min(y for _, y in spots) < max(y for _, y in spots) <= low + 1
    frame.click(*spot(frame, 400))
    (source,) = shown(frame)
    np.testing.assert_array_equal(found(frame), apsp.prepare(city).rows([source])[0])
    quiet(page, tmp_path)


# -- what needs no browser ---------------------------------------------------------------------------------------------


class Tags(HTMLParser):
    """The tags of a text, the attributes of its frames, and the words between the tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.frames: list[dict[str, str | None]] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "iframe":
            self.frames.append(dict(attrs))

    def handle_data(self, data: str) -> None:
        self.words += data


def every_way(city: apsp.Graph) -> dict[str, Any]:
    day = city.with_periods({"am": city.weights, "pm": city.weights * 2})
    return {
        "Graph": city, "Result": apsp.solve(city, sources=[3]), "Oracle": apsp.prepare(city), "Periods": day,
        "PeriodOracle": apsp.prepare(day), "matrix": apsp.Graph(city.indptr, city.indices, city.weights),
    }  # fmt: skip


@pytest.mark.parametrize("name", ["Graph", "Result", "Oracle", "Periods", "PeriodOracle", "matrix"])
def test_the_frame_holds_the_file(city: apsp.Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    explore = every_way(city)[name].explore
    made = explore(title=HOSTILE, unit="s", height=444)
    shown_html = made._repr_html_()
    assert list(tmp_path.iterdir()) == []
    assert explore("written.html", title=HOSTILE, unit="s") is None
    made.save("saved.html")
    written = Path("written.html").read_bytes()
    assert Path("saved.html").read_bytes() == written == made.html.encode()
    assert made.nbytes == len(written)
    found_tags = Tags(shown_html)
    assert found_tags.tags == ["div", "p", "iframe"]
    (frame,) = found_tags.frames
    assert frame["srcdoc"] == made.html
    assert frame["title"] == made.title == HOSTILE
    assert frame["sandbox"] == "allow-scripts allow-forms"
    assert "height:444px" in shown_html
    assert found_tags.words.startswith(HOSTILE)
    assert found_tags.words.endswith("trust the notebook. In programs that show no pages, write the map to a file and "
                                     "open it in a browser: save('map.html').")  # fmt: skip


def test_the_policy_of_the_page_is_kept(city: apsp.Graph) -> None:
    policy = re.search(r'Policy" content="([^"]*)"', city.explore().html)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-inline" not in policy[1]


def test_the_words_where_no_html_is_shown(city: apsp.Graph) -> None:
    made = city.explore(label="travel time")
    assert repr(made) == (
        f"Map('Travel time from any vertex', {made.nbytes:,} bytes; a notebook shows it, save('map.html') writes it)"
    )
    assert len(repr(city.explore(title="\n\ud800\u00e9" * 50))) < 120
    city.explore(title="\ud800")._repr_html_().encode()


def test_what_does_not_fit_a_cell_is_refused(city: apsp.Graph, tmp_path: Path) -> None:
    size = len(city.explore()._repr_html_().encode())
    assert write_map(city, None, Exploring(), most_in_cell=size) == city.explore()
    remedy = r"this map takes .* KiB, and the output of a cell at most .* write a file, explore\('map.html'\)"
    with pytest.raises(apsp.RequestError, match=remedy):
        write_map(city, None, Exploring(), most_in_cell=size - 1)
    write_map(city, tmp_path / "map.html", Exploring(), most_in_cell=size - 1)
    assert (tmp_path / "map.html").exists()


@pytest.mark.parametrize("height", [199, 10_001, -1, 3.5, "560", True, np.nan])
def test_heights_that_are_refused(city: apsp.Graph, height: Any) -> None:
    with pytest.raises(apsp.RequestError, match="height must be a whole number from 200 to 10000"):
        city.explore(height=height)


def test_a_height_is_no_option_of_a_file(city: apsp.Graph, tmp_path: Path) -> None:
    for each in every_way(city).values():
        with pytest.raises(apsp.RequestError, match="leave it out, or the path"):
            each.explore(tmp_path / "map.html", height=400)
    assert list(tmp_path.iterdir()) == []


def test_names_of_files_that_save_refuses(city: apsp.Graph, tmp_path: Path) -> None:
    made = city.explore()
    with pytest.raises(apsp.RequestError, match=r"end the name of the file in \.html or \.htm"):
        made.save(tmp_path / "map.txt")
    with pytest.raises(apsp.OutputError, match="does not exist"):
        made.save(tmp_path / "missing" / "map.html")
    assert apsp.Map("<p>", height=300) == apsp.Map("<p>", "", 300)
    with pytest.raises(apsp.RequestError, match="html must be a string"):
        apsp.Map(b"<p>")  # type: ignore[arg-type]
