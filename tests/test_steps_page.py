"""The page of docs/steps in headless Chromium, where it is installed: every step, keys, phones, readers of screens."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from docs.steps.document import fragment

import apsp
from benchmarks.chromium import Page, browser, opened

ROOT = Path(__file__).resolve().parents[1]
TRACES = json.loads((ROOT / "docs/steps/traces.json").read_text(encoding="utf-8"))["traces"]
BY_NAME = {trace["name"]: trace for trace in TRACES}

chromium = pytest.mark.skipif(browser() is None, reason="Chromium is not installed")


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with opened() as found:
        yield found


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The fragment on a page of its own, without the style of the site."""
    made = tmp_path / "steps.html"
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    style = "<style>body { margin: 12px; font: 16px system-ui }</style>"
    made.write_text(f"{head}<title>steps</title>{style}<body>{fragment()}</body></html>", encoding="utf-8")
    return made


def show(page: Page, place: Path, **window: Any) -> None:
    page.errors.clear()
    page.requests.clear()
    page.open(place, **({"width": 1100, "height": 900} | window))
    page.ready()


def text(page: Page, name: str) -> str:
    return page.value(f"document.getElementById('steps-{name}').textContent")


def choose(page: Page, name: str, at: int = 0) -> None:
    page.value(
        f"(method => {{ method.value = '{name}'; method.dispatchEvent(new Event('change')); }})"
        "(document.getElementById('steps-method'))"
    )
    page.value(
        f"(range => {{ range.value = {at}; range.dispatchEvent(new Event('input')); }})"
        "(document.getElementById('steps-range'))"
    )


def matrix(page: Page) -> list[list[str]]:
    rows = "[...document.querySelectorAll('#steps-matrix tr')].slice(1)"
    return page.value(f"{rows}.map(row => [...row.querySelectorAll('td')].map(cell => cell.textContent))")


def focus(page: Page) -> None:
    page.value("document.getElementById('steps-views').focus()")


def reload(page: Page) -> None:
    page.value("(delete document.documentElement.dataset.ready, location.reload())")
    page.ready()


def quiet(page: Page, place: Path) -> None:
    assert page.errors == []
    assert {address.split("#")[0] for address in page.requests} == {place.as_uri()}


def test_the_page_loads_nothing() -> None:
    text = fragment()
    assert "src=" not in text.split('<script type="application/json"')[0]
    assert not any(word in text for word in ("@import", "fetch(", "XMLHttpRequest", "url(", "innerHTML"))
    assert "\nimport " not in text
    assert "\nexport " not in text


def test_the_site_shows_the_page_in_place_of_its_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sphinx")
    monkeypatch.syspath_prepend(ROOT / "docs/_sphinx")
    rules = importlib.import_module("repository_pages").RULES
    text = (ROOT / "docs/step-by-step.md").read_text(encoding="utf-8")
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    assert text.count("```{step-by-step}\n```") == 1
    assert "step-by-step.png" not in text


@chromium
@pytest.mark.parametrize("name", BY_NAME)
def test_stepping_to_the_end_shows_the_distances(page: Page, place: Path, name: str) -> None:
    show(page, place)
    trace = BY_NAME[name]
    choose(page, name)
    focus(page)
    steps = trace["steps"]
    for number, step in enumerate(steps[:3]):
        assert text(page, "count") == f"{number} of {len(steps)}"
        page.key("ArrowRight")
        assert text(page, "say") == step["say"]
    click = "document.getElementById('steps-forward').click()"
    said = (
        f"Array.from({{ length: {len(steps) - 3} }}, () => ({click}, document.getElementById('steps-say').textContent))"
    )
    assert page.value(said) == [step["say"] for step in steps[3:]]
    page.key("ArrowRight")  # there is no step after the last
    assert text(page, "count") == f"{len(steps)} of {len(steps)}"
    tails, heads, lengths = (list(column) for column in zip(*trace["arcs"], strict=True))
    graph = apsp.from_edges(tails, heads, lengths)
    if name == "katz-kider-closure":
        want = [["1" if bit else "0" for bit in row] for row in apsp.reachable(graph).to_numpy().tolist()]
    else:
        dist = apsp.solve(graph, dtype="float64").distances.tolist()
        want = [[trace["none"] if np.isinf(value) else f"{value:.0f}" for value in row] for row in dist]
    assert matrix(page) == want
    quiet(page, place)


@chromium
def test_a_step_marks_what_it_changes(page: Page, place: Path) -> None:
    show(page, place)
    choose(page, "katz-kider", 5)
    step = BY_NAME["katz-kider"]["steps"][4]
    cells = page.value(
        "[...document.querySelectorAll('#steps-matrix td')].flatMap((cell, at) => cell.matches('.set') ? [at] : [])"
    )
    assert cells == step["set"][::2]
    tile = "[...document.querySelectorAll('#steps-matrix td')].filter(cell => cell.matches('.write')).length"
    assert page.value(tile) == 4 * 16
    assert page.value("document.querySelectorAll('#steps-graph .active').length") == 4
    choose(page, "okuyama", 3)
    step = BY_NAME["okuyama"]["steps"][2]
    marked = [cell % 12 for cell in step["marks"] if cell // 12 == 0]
    assert page.value("document.querySelectorAll('#steps-graph .active').length") == len(marked)
    followed = [arc for arc in BY_NAME["okuyama"]["arcs"] if arc[0] in marked]
    assert page.value("document.querySelectorAll('#steps-graph .arc.on').length") == len(followed) > 0
    assert page.value("document.querySelectorAll('#steps-matrix .pending').length") == len(step["pending"]) // 2


@chromium
def test_back_is_where_it_came_from(page: Page, place: Path) -> None:
    show(page, place)
    for name in ("harish-sssp", "johnson-prefix", "elimination"):
        choose(page, name)
        seen = []
        parts = (
            "['matrix', 'graph', 'table', 'say'].map(name => document.getElementById(`steps-${name}`).outerHTML).join()"
        )
        for _ in range(7):
            seen.append(page.value(parts))
            page.value("document.getElementById('steps-forward').click()")
        for before in reversed(seen):
            page.value("document.getElementById('steps-back').click()")
            assert page.value(parts) == before
        assert page.value("document.getElementById('steps-back').disabled") is True


@chromium
def test_keys_parts_and_the_address(page: Page, place: Path) -> None:
    show(page, place)
    choose(page, "harish-sssp")
    focus(page)
    stages = [first + 1 for first, _ in BY_NAME["harish-sssp"]["stages"]]
    for first in stages[:3]:
        page.key("PageDown")
        assert text(page, "count").startswith(f"{first} of ")
    page.key("PageUp")
    assert text(page, "count").startswith(f"{stages[1]} of ")
    page.key("End")
    assert page.value("document.getElementById('steps-forward').disabled") is True
    page.key("ArrowLeft")
    address = page.value("location.hash")
    assert address == f"#harish-sssp/{len(BY_NAME['harish-sssp']['steps']) - 1}"
    said = text(page, "say")
    reload(page)
    assert (page.value("location.hash"), text(page, "say")) == (address, said)
    focus(page)
    page.key("Home")
    assert text(page, "count").startswith("0 of ")
    page.value(
        "(stage => { stage.value = 3; stage.dispatchEvent(new Event('change')); })"
        "(document.getElementById('steps-stage'))"
    )
    assert text(page, "count").startswith(f"{stages[3]} of ")
    quiet(page, place)


@chromium
@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("#okuyama/2", "2 of 16"),
        ("#okuyama/999", "16 of 16"),
        ("#okuyama/-3", "0 of 16"),
        ("#okuyama/x", "0 of 16"),
        ("#okuyama/1.5", "0 of 16"),
        ("#okuyama", "0 of 16"),
        ("#what-is-shown", "0 of 12"),
        ("#nothing/4", "0 of 12"),
    ],
)
def test_addresses(page: Page, place: Path, address: str, shown: str) -> None:
    """An address of a step is followed, at once or later; no other one is changed, those of headings among them."""
    show(page, place)
    assert page.value("location.hash") == ""
    page.value(f"new Promise(done => (onhashchange = () => done(0), location.hash = '{address}'))")
    assert text(page, "count") == shown
    reload(page)
    assert text(page, "count") == shown
    assert page.value("location.href").endswith(address)
    assert page.errors == []


@chromium
def test_an_address_that_cannot_change(page: Page, place: Path) -> None:
    """Browsers limit how often that is possible; steps go on."""
    show(page, place)
    page.value("history.replaceState = () => { throw new DOMException('too often', 'SecurityError'); }")
    choose(page, "lab-fw", 3)
    focus(page)
    page.key("ArrowRight")
    assert text(page, "count") == "4 of 12"
    assert page.errors == []


@chromium
def test_playing_ends_at_the_last_step(page: Page, place: Path) -> None:
    show(page, place)
    choose(page, "elimination", 5)
    page.value("globalThis.setInterval = tick => (globalThis.tick = tick, 1)")
    play = "document.getElementById('steps-play')"
    page.value(f"{play}.click()")
    assert page.value(f"{play}.getAttribute('aria-pressed')") == "true"
    assert page.value("document.getElementById('steps-said').getAttribute('aria-live')") == "off"
    page.value("tick()")
    assert text(page, "count") == "6 of 7"
    page.value("tick()")
    assert text(page, "count") == "7 of 7"
    assert page.value(f"{play}.getAttribute('aria-pressed')") == "false"
    assert page.value("document.getElementById('steps-said').getAttribute('aria-live')") == "polite"
    focus(page)
    page.key(" ")
    assert text(page, "count") == "0 of 7"  # from the start again
    page.key("ArrowRight")
    assert page.value(f"{play}.getAttribute('aria-pressed')") == "false"


@chromium
def test_the_row_in_the_graph(page: Page, place: Path) -> None:
    show(page, place)
    choose(page, "lab-fw", 12)
    page.value("document.querySelectorAll('#steps-matrix button')[5].click()")
    row = matrix(page)[5]
    values = page.value("[...document.querySelectorAll('#steps-graph .value')].map(each => each.textContent)")
    assert values == ["∞" if value == "-1" else value for value in row]
    assert page.value("document.activeElement.textContent") == "5"
    assert text(page, "shown") == "At the vertices: row 5 of the matrix."


@chromium
@pytest.mark.parametrize("most", [4, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_phone(page: Page, place: Path, most: int) -> None:
    """No step is wider: the first and the last ones, or all."""
    show(page, place, width=390, height=844, touch=True)
    wide = """[...document.getElementById('steps-method').options].flatMap(each => {
      const method = document.getElementById('steps-method'), range = document.getElementById('steps-range');
      const found = [];
      method.value = each.value;
      method.dispatchEvent(new Event('change'));
      for (let at = 0; at <= range.max; at++) {
        if (at > MOST && at < range.max) continue;
        range.value = at;
        range.dispatchEvent(new Event('input'));
        if (document.documentElement.scrollWidth > 390) found.push(`${each.value}/${at}`);
      }
      return found; })"""
    assert page.value(wide.replace("MOST", str(most))) == []
    heights = "[...document.querySelectorAll('.steps-row button')].map(each => each.getBoundingClientRect().height)"
    assert min(page.value(heights)) > 30  # for a thumb
    assert page.errors == []


@chromium
def test_people_who_do_not_see_it(page: Page, place: Path) -> None:
    show(page, place)
    unnamed = """[...document.querySelectorAll('button, input, select, svg, [tabindex]')].filter(each =>
      !each.getAttribute('aria-label') && !each.labels?.length).map(each => each.id || each.tagName)"""
    assert page.value(unnamed) == []
    choose(page, "katz-kider", 1)
    assert page.value("document.getElementById('steps-said').getAttribute('aria-live')") == "polite"
    step = BY_NAME["katz-kider"]["steps"][0]
    assert text(page, "said").split() == f"{step['say']} {step['where']}. {step['launch']}.".split()
    assert page.value("document.getElementById('steps-graph').getAttribute('aria-label')").endswith(
        "Active: 0, 1, 2, 3."
    )
    assert page.value("document.getElementById('steps-range').getAttribute('aria-valuetext')") == "step 1 of 9"
    headed = "[...document.querySelectorAll('#steps-matrix th')].every(each => each.scope || !each.textContent)"
    assert page.value(headed) is True


@chromium
@pytest.mark.parametrize("still", [False, True])
def test_less_motion(page: Page, place: Path, still: bool) -> None:
    show(page, place, still=still)
    seconds = page.value("getComputedStyle(document.querySelector('#steps-matrix td')).transitionDuration")
    assert (seconds in ("0s", "")) is still


COLOURS = [
    ("ink", "page"), ("quiet", "page"), ("pending", "page"), ("active", "page"), ("on-active", "active"),
    ("on-set", "set"), *((ink, ground) for ink in ("ink", "pending", "quiet") for ground in ("read", "write")),
    *((ink, f"gpu{gpu}") for ink in ("ink", "quiet") for gpu in range(4)),
]  # fmt: skip


@chromium
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_have_contrast(page: Page, place: Path, theme: str) -> None:
    show(page, place)
    page.value(f"document.documentElement.dataset.theme = '{theme}'")
    for ink, ground in COLOURS:
        read = "getComputedStyle(document.getElementById('steps')).getPropertyValue('--steps-{}').trim()"
        one, other = (luminance(page.value(read.format(name))) for name in (ink, ground))
        assert (max(one, other) + 0.05) / (min(one, other) + 0.05) > 4.5, (theme, ink, ground)


def luminance(colour: str) -> float:
    """By WCAG 2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    r, g, b = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
