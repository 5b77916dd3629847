"""apsp explore: a map in one file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from apsp.graph.files import write
from apsp.graph.generate import generate


@pytest.fixture
def city(tmp_path: Path) -> Path:
    write(generate("city", 200, seed=1), tmp_path / "city.npz")
    return tmp_path / "city.npz"


def header(page: Path) -> dict[str, Any]:
    return json.loads(page.read_text(encoding="utf-8").partition('id="header">')[2].partition("</script>")[0])


def test_explore(run: Any, city: Path, tmp_path: Path) -> None:
    page = tmp_path / "map.html"
    outcome = run(
        "explore", city, "-o", page, "--sources", "3,5-6", "--route", "17", "--unit", "s", "--scale", "metres"
    )
    assert outcome.code == 0, outcome.err
    assert f"wrote {page}" in outcome.out + outcome.err
    found = header(page)
    assert (found["sources"], found["target"], found["unit"]) == ([3, 5, 6], 17, "s")
    assert found["metres"] > 0
    assert "<title>city.npz</title>" in page.read_text(encoding="utf-8")
    facts = run("explore", city, "-o", page, "--json", "--title", "T & Co").json
    assert facts["bytes"] == page.stat().st_size
    assert "<title>T &amp; Co</title>" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("IN", "-o", "map.png"), 4, "end the name of the file in .html or .htm"),
        (("IN", "-o", "none/map.html"), 6, "does not exist"),
        (("IN", "-o", "map.html", "--route", "200"), 3, "there is no vertex 200"),
        (("IN", "-o", "map.html", "--sources", "x"), 3, "x"),
        (("IN", "-o", "map.html", "--scale", "miles"), 4, "scale must be one of"),
        (("IN",), 2, "missing option '-o'"),
    ],
)
def test_what_is_no_map(
    run: Any,
    city: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    code: int,
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = run("explore", *(city if word == "IN" else word for word in arguments))
    assert (outcome.code, words in outcome.err) == (code, True), outcome.err
    assert not (tmp_path / "map.html").exists()


def test_a_graph_without_coordinates(run: Any, tmp_path: Path) -> None:
    write(generate("ring", 9), tmp_path / "ring.npz")
    outcome = run("explore", tmp_path / "ring.npz", "-o", tmp_path / "map.html")
    assert outcome.code == 3
    assert "a map needs coordinates, which this graph does not have: --coordinates FILE" in outcome.err
