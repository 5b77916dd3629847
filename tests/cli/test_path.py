"""apsp path: from results and from graphs, by number, name and place."""

from __future__ import annotations

import numpy as np
import pytest

import apsp
from apsp.graph.convert import from_edges
from apsp.graph.files import read, write


@pytest.fixture
def solved(run, tmp_path, roads):
    out = tmp_path / "roads.npz"
    assert run("solve", roads, "-o", out, "-q").code == 0
    return out


def test_words(run, solved):
    outcome = run("path", solved, 0, 3)
    assert outcome.code == 0
    assert outcome.out == "from      0\nto        3\ndistance  6\narcs      3\npath      0 -> 1 -> 2 -> 3\n"


def test_json(run, solved):
    facts = run("path", solved, 0, 3, "--json").json
    assert facts == {
        "source": 0, "target": 3, "distance": 6, "arcs": 3, "vertices": [0, 1, 2, 3], "plot": None,
    }  # fmt: skip


def test_to_itself(run, solved):
    assert run("path", solved, 2, 2, "--json").json["vertices"] == [2]


def test_straight_from_a_graph(run, roads):
    assert run("path", roads, 0, 3, "--json").json["distance"] == 6
    assert run("path", roads, 0, 3, "--hops", "--json").json["vertices"] == [0, 3]


def test_without_ends_the_farthest_two(run, solved, roads):
    for source in (solved, roads):
        facts = run("path", source, "--json").json
        assert facts["distance"] == apsp.solve(read(roads), sources=range(4), targets=range(4)).distances.max() + 1


def test_no_path_is_code_7(run, solved):
    outcome = run("path", solved, 0, 4, "--json")
    assert outcome.code == 7
    assert outcome.json["error"]["type"] == "NoPathError"
    assert outcome.err == "apsp: error: there is no path from 0 to 4\n"


def test_names(run, tmp_path):
    graph = from_edges([0, 1], [1, 2], [232, 80], labels=["Rome", "Florence", "Bologna"], directed=False)
    file, out = tmp_path / "italy.npz", tmp_path / "solved.npz"
    write(graph, file)
    assert run("solve", file, "-o", out, "-q", "--sources", "Rome,Florence").code == 0
    outcome = run("path", out, "Rome", "Bologna")
    assert "Rome -> Florence -> Bologna" in outcome.out
    told = "apsp: error: there is no vertex 'Milan'; labels are for example 'Rome', 'Florence', 'Bologna'\n"
    assert run("path", out, "Rome", "Milan").err == told
    assert "not among the sources" in run("path", out, "Bologna", "Rome").err


def test_places(run, tmp_path, city):
    points = read(city).coordinates
    facts = run("path", city, "corner:sw", f"near:{points[7, 0]},{points[7, 1]}", "--json").json
    assert facts["target"] == 7
    assert facts["source"] == int(np.argmin(points.sum(axis=1)))
    assert "the corners are" in run("path", city, "corner:north", "0").err
    assert "two numbers" in run("path", city, "near:1", "0").err


def test_places_need_coordinates(run, roads):
    outcome = run("path", roads, "corner:sw", "0")
    assert outcome.code == 3
    assert "no coordinates" in outcome.err


def test_paths_of_other_algebras_are_kept(run, tmp_path, roads):
    out = tmp_path / "wide.npz"
    assert run("solve", roads, "-o", out, "--semiring", "max_min", "-q").code == 0
    assert run("path", out, 0, 3, "--json").json["vertices"] == [0, 3]
    assert run("solve", roads, "-o", out, "--semiring", "max_min", "--no-paths", "-q").code == 0
    outcome = run("path", out, 0, 3)
    assert outcome.code == 4
    assert "apsp solve --paths keeps them" in outcome.err


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
def test_map(run, tmp_path, city, ending):
    figure = tmp_path / f"map{ending}"
    outcome = run("path", city, "corner:sw", "corner:ne", "--plot", figure, "--label", "seconds", "--json")
    assert outcome.json["plot"] == str(figure)
    assert figure.read_bytes()[:4] in (b"\x89PNG", b"<?xm", b"%PDF")


def test_map_errors(run, tmp_path, roads, city):
    assert "needs coordinates" in run("path", roads, 0, 3, "--plot", tmp_path / "map.png").err
    assert "figures end in" in run("path", city, 0, 3, "--plot", tmp_path / "map.bmp").err
    assert run("path", city, 0, 3, "--plot", tmp_path / "no" / "map.png").code == 6
    assert not (tmp_path / "map.png").exists()
