"""apsp explore: a map in one file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.graph.files import write
from apsp.graph.generate import generate
from showing_maps import distances, needs_node


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
        (("IN", "-o", "map.html", "--compare", "rush"), 4, "--compare 'rush': the file has no such column of numbers"),
        (("IN", "-o", "map.html", "--periods", "t07"), 4, "--periods 't07': the graph has no costs"),
        (("IN", "-o", "map.html", "--compare", "a,a"), 4, "--compare 'a,a': name columns once each"),
        (("IN", "-o", "map.html", "--periods", "a,"), 4, "--periods 'a,': name columns once each"),
        (("IN", "-o", "map.html", "--compare", "a", "--periods", "b"), 2, "--compare and --periods contradict"),
        (("IN", "-o", "map.html", "--hops", "--periods", "b"), 2, "--hops and --periods contradict each other"),
        (("IN", "-o", "map.html", "--cost", "a", "--compare", "b,a"), 4, "--compare names 'a', which is the name of"),
        (("IN", "-o", "map.html", "--compare", "cost"), 4, "name the column of the weights with --cost"),
        (("IN", "-o", "map.html", "--hops", "--compare", "hops"), 4, "which is the name of the weights: leave it out"),
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
    outcome = run("explore", tmp_path / "ring.npz", "-o", tmp_path / "map.html", "--sources", "3", "--unit", "km")
    assert (outcome.code, "without coordinates: a matrix; wrote" in outcome.err) == (0, True)
    assert (header(tmp_path / "map.html")["sources"], header(tmp_path / "map.html")["unit"]) == ([3], "km")
    write(generate("ring", 2001), tmp_path / "large.npz")
    for name, options, words in [
        ("large.npz", (), "which this graph does not have: --coordinates FILE (up to 2,000 vertices without them"),
        ("ring.npz", ("--compare", "rush"), "--compare 'rush': the file has no such column of numbers"),
        ("ring.npz", ("--scale", "metres"), "scale='metres' is the unit of coordinates, and this graph has none"),
    ]:
        outcome = run("explore", tmp_path / name, "-o", tmp_path / "none.html", *options)
        assert outcome.code in (3, 4)
        assert words in outcome.err
    assert not (tmp_path / "none.html").exists()


@pytest.fixture
def traffic(tmp_path: Path) -> apsp.Graph:
    """A city in which each street is there twice, and rush hour slows one of both."""
    city = generate("city", 120, seed=2)
    rng = np.random.default_rng(6)
    tails, heads, _ = map(np.asarray, city.to_edges())
    times, rush = rng.integers(5, 60, (2, 2 * city.m))
    graph = apsp.from_edges(
        np.tile(tails, 2), np.tile(heads, 2), times, costs={"rush": rush, "night": times / 4},
        coordinates=city.coordinates,
    )  # fmt: skip
    write(graph, tmp_path / "roads.npz")
    return graph


def expected(graph: apsp.Graph, *names: str) -> list[Any]:
    graphs = [graph if name == "cost" else graph.with_weights(name) for name in names]
    return [apsp.solve(each, sources=[7, 80]).to_numpy().astype(np.float64) for each in graphs]


@needs_node
@pytest.mark.parametrize(
    ("options", "names", "start"),
    [
        (("--compare", "rush,night"), ("cost", "rush", "night"), (1, 0, False)),
        (("--cost", "night", "--compare", "rush"), ("night", "rush"), (1, 0, False)),
        (("--periods", "night, rush"), ("night", "rush"), (0, -1, True)),
        (("--cost", "rush", "--periods", "night,rush"), ("night", "rush"), (0, -1, True)),
    ],
)
def test_several_sets(
    run: Any, traffic: apsp.Graph, tmp_path: Path, options: tuple[str, ...], names: tuple[str, ...], start: Any
) -> None:
    page = tmp_path / "map.html"
    outcome = run("explore", tmp_path / "roads.npz", "-o", page, *options, "--json")
    assert outcome.json["sets"] == list(names)
    sets = header(page)["sets"]
    assert (sets["chosen"], sets["minus"], sets["slider"]) == start
    assert sets["names"] == list(names)
    for number, rows in enumerate(expected(traffic, *names)):
        np.testing.assert_array_equal(distances(page, [[7], [80]], number), rows)
    assert f", {len(names)} sets of weights; wrote" in run("explore", tmp_path / "roads.npz", "-o", page, *options).err


@needs_node
def test_the_costs_of_a_saved_oracle(run: Any, traffic: apsp.Graph, tmp_path: Path) -> None:
    page, saved = tmp_path / "map.html", tmp_path / "oracle.npz"
    # One of them has the name that weights without a name have.
    apsp.prepare(traffic.with_costs(links=True, cost=traffic.links.costs["rush"] * 2)).save(saved)
    for options, names in [(("--compare", "rush"), ("cost", "rush")), (("--periods", "rush,night"), ("rush", "night"))]:
        outcome = run("explore", saved, "-o", page, *options)
        assert outcome.code == 0, outcome.err
        for number, rows in enumerate(expected(traffic, *names)):
            np.testing.assert_array_equal(distances(page, [[7], [80]], number), rows)
    assert run("explore", saved, "-o", page, "--periods", "cost,rush").code == 0
    own, rush = (distances(page, [[7]], number) for number in (0, 1))
    np.testing.assert_array_equal(own, 2 * rush)
    outcome = run("explore", saved, "-o", page, "--periods", "rush,noon")
    assert (outcome.code, "period 'noon': " in outcome.err) == (4, True)


def test_hops_are_a_set(run: Any, traffic: apsp.Graph, tmp_path: Path) -> None:
    options = ("-o", tmp_path / "map.html", "--hops", "--compare", "rush", "--json")
    assert run("explore", tmp_path / "roads.npz", *options).json["sets"] == ["hops", "rush"]
