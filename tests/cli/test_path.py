"""apsp path: from results and from graphs, by number, name and place."""

from __future__ import annotations

import numpy as np
import pytest

import apsp
from apsp.graph.convert import from_edges
from apsp.graph.files import read, write


def test_no_path_along_the_arcs_names_the_option(run, tmp_path):
    links = tmp_path / "links.csv"
    links.write_text("a,b,3\nb,c,4\nd,e,1\n")
    outcome = run("path", links, "c", "a")
    assert outcome.code == 7
    note = "apsp: note: paths follow the direction of arcs; with --undirected they use arcs both ways\n"
    assert outcome.err.endswith(f"{note}apsp: error: there is no path from 'c' to 'a'\n")
    assert run("path", links, "c", "a", "--undirected", "--json").json["distance"] == 7
    assert "--undirected" not in run("path", links, "a", "e").err


@pytest.fixture
def solved(run, tmp_path, roads):
    out = tmp_path / "roads.npz"
    assert run("solve", roads, "-o", out, "-q").code == 0
    return out


def test_words(run, solved):
    outcome = run("path", solved, 1, 4)
    assert outcome.code == 0
    assert outcome.out == "from      1\nto        4\ndistance  6\narcs      3\npath      1 -> 2 -> 3 -> 4\n"


def test_json(run, solved):
    facts = run("path", solved, 1, 4, "--json").json
    assert facts == {
        "source": 1, "target": 4, "distance": 6, "arcs": 3, "vertices": [1, 2, 3, 4], "plot": None, "output": None,
    }  # fmt: skip


def test_to_itself(run, solved):
    assert run("path", solved, 2, 2, "--json").json["vertices"] == [2]


def test_straight_from_a_graph(run, roads):
    assert run("path", roads, 1, 4, "--json").json["distance"] == 6
    assert run("path", roads, 1, 4, "--hops", "--json").json["vertices"] == [1, 4]


def test_without_ends_the_farthest_two(run, solved, roads):
    for source in (solved, roads):
        facts = run("path", source, "--json").json
        among = apsp.solve(read(roads), sources=range(1, 5), targets=range(1, 5))
        assert facts["distance"] == among.distances.max() + 1


def test_no_path_is_code_7(run, solved):
    outcome = run("path", solved, 1, 5, "--json")
    assert outcome.code == 7
    assert outcome.json["error"]["type"] == "NoPathError"
    assert outcome.err == "apsp: error: there is no path from 1 to 5\n"


@pytest.fixture
def square(tmp_path):
    path = tmp_path / "square.gr"
    path.write_text("p sp 5 6\na 1 2 1\na 1 3 1\na 2 4 1\na 3 4 1\na 1 5 1\na 5 4 1\n")
    return path


def test_all_shortest_paths(run, square):
    outcome = run("path", square, 1, 4, "--all")
    assert outcome.code == 0
    assert outcome.out.endswith("arcs      2\npath      1 -> 2 -> 4\npath      1 -> 3 -> 4\npath      1 -> 5 -> 4\n")
    facts = run("path", square, 1, 4, "--all", "--json").json
    assert (facts["paths"], facts["complete"]) == ([[1, 2, 4], [1, 3, 4], [1, 5, 4]], True)
    limited = run("path", square, 1, 4, "--all", "--most", 2, "--json")
    assert (limited.json["paths"], limited.json["complete"]) == ([[1, 2, 4], [1, 3, 4]], False)
    assert "more than 2 shortest paths: --most N" in limited.err
    assert run("path", square, 4, 1, "--all").code == 7
    assert "add --all" in run("path", square, 1, 4, "--most", 2).err


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
    assert facts["target"] == 8  # the file numbers its vertices from 1
    assert facts["source"] == int(np.argmin(points.sum(axis=1))) + 1
    assert "the corners are" in run("path", city, "corner:north", "1").err
    for place in ("near:1", "near:nan,1", "near:1,inf", "near:1,2,3"):
        assert "two numbers" in run("path", city, place, "1").err


def test_places_need_coordinates(run, roads):
    outcome = run("path", roads, "corner:sw", "1")
    assert outcome.code == 3
    assert "no coordinates" in outcome.err


def test_paths_of_other_algebras_are_kept(run, tmp_path, roads):
    out = tmp_path / "wide.npz"
    assert run("solve", roads, "-o", out, "--semiring", "max_min", "-q").code == 0
    assert run("path", out, 1, 4, "--json").json["vertices"] == [1, 4]
    assert run("solve", roads, "-o", out, "--semiring", "max_min", "--no-paths", "-q").code == 0
    outcome = run("path", out, 1, 4)
    assert outcome.code == 4
    assert "apsp solve --paths keeps them" in outcome.err


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
def test_map(run, tmp_path, city, ending):
    figure = tmp_path / f"map{ending}"
    options = ["--label", "time", "--unit", "s", "--levels", "60,120", "--scale", "metres"]
    outcome = run("path", city, "corner:sw", "corner:ne", "--plot", figure, *options, "--json")
    assert outcome.json["plot"] == str(figure)
    assert figure.read_bytes()[:4] in (b"\x89PNG", b"<?xm", b"%PDF")


def test_map_errors(run, tmp_path, roads, city):
    assert "needs coordinates" in run("path", roads, 1, 4, "--plot", tmp_path / "map.png").err
    for option, value, words in (("--levels", "3,x", "300,600,900"), ("--scale", "feet", "microdegrees")):
        assert words in run("path", city, 1, 4, "--plot", tmp_path / "map.png", option, value).err
    assert "figures end in" in run("path", city, 1, 4, "--plot", tmp_path / "map.bmp").err
    assert run("path", city, 1, 4, "--plot", tmp_path / "no" / "map.png").code == 6
    assert not (tmp_path / "map.png").exists()


def test_labels_of_other_kinds_are_meant_by_their_text(run, tmp_path):
    graph = from_edges([0, 1, 2, 3], [1, 2, 3, 4], [5, 6, 7, 8], labels=[(0, 1), 1, "1", "a-b", 2.5])
    write(graph, tmp_path / "g.npz")
    path = lambda *ends: run("path", tmp_path / "g.npz", *ends)  # noqa: E731
    assert "(0, 1) -> 1\n" not in path("(0, 1)", "2.5").out
    assert "distance  26" in path("(0, 1)", "2.5").out
    assert "distance  8" in path("a-b", "2.5").out
    both = path("1", "2.5")
    assert (both.code, "'1' may be the vertex 1 or '1'" in both.err) == (3, True)


def test_a_vertex_that_is_not_there_is_said_in_the_numbers_of_the_file(run, roads):
    assert run("path", roads, 0, 4).err == "apsp: error: there is no vertex 0; the graph has labels 1 to 5\n"
    assert run("path", roads, "x", 4).code == 3


@pytest.fixture
def oracle(tmp_path, roads):
    out = tmp_path / "oracle.npz"
    apsp.prepare(read(roads)).save(out)
    return out


def test_from_an_oracle(run, oracle, solved):
    for ends in ((1, 4), (2, 2), ()):
        assert run("path", oracle, *ends, "--json").json == run("path", solved, *ends, "--json").json
    assert run("path", oracle, 1, 5).code == 7
    assert run("path", oracle, 1, 9).code == 3


def test_an_oracle_has_its_graph_already(run, oracle, roads, tmp_path):
    outcome = run("path", oracle, 1, 4, "--hops", "--no-zones")
    assert outcome.code == 4
    assert "is an oracle, whose graph and distances are fixed: --hops, --no-zones cannot be used" in outcome.err
    assert run("plan", oracle, "--json").json["graph"] == run("plan", roads, "--json").json["graph"]
    oracle.write_bytes(oracle.read_bytes()[:-40])
    assert run("path", oracle, 1, 4).code == 3


def test_a_map_from_an_oracle(run, tmp_path, city):
    pytest.importorskip("matplotlib")
    apsp.prepare(read(city)).save(tmp_path / "city.npz")
    assert run("path", tmp_path / "city.npz", "--plot", tmp_path / "map.svg").code == 0
    assert (tmp_path / "map.svg").stat().st_size > 1000


def test_places_are_measured_on_the_ground(run, tmp_path):
    """At 60 degrees north, a degree of longitude is half as long as one of latitude."""
    file = tmp_path / "helsinki.npz"
    write(
        from_edges([0, 1], [1, 2], [1, 1], labels=["east", "north", "far"], directed=False,
                   coordinates=[[25.010, 60.0], [25.0, 60.008], [26.0, 61.0]]),
        file,
    )  # fmt: skip
    outcome = run("path", file, "near:25.0,60.0", "far", "--json")
    assert outcome.json["source"] == "east"  # 556 m away; north, which has the smaller difference in degrees, 890 m
    assert "apsp: note: near:25.0,60.0: vertex 'east' is 556 m away" in outcome.err
    refused = run("path", file, "near:25.0,60.0", "far", "--near-limit", "500")
    assert refused.code == 3
    assert "vertex 'east' is 556 m away, farther than --near-limit 500" in refused.err
    assert run("path", file, "near:25.0,60.0", "far", "--near-limit", "600", "-q").err == ""
    plane = run("path", file, "near:25.0,60.0", "far", "--near-unit", "plane", "--json")
    assert plane.json["source"] == "north"
    assert "0.008 units away" in plane.err
    assert "is no latitude" in run("path", file, "near:60.0,250", "far").err
    listed = run("solve", file, "-o", tmp_path / "out.npz", "--sources", "far,near:25.0,60.0", "--json")
    assert "'east' is 556 m away" in listed.err
    assert listed.code == 0


def test_places_on_maps_whose_unit_is_not_clear(run, tmp_path):
    file = tmp_path / "dimacs.npz"
    points = [[25_010_000, 60_000_000], [25_000_000, 60_008_000], [26_000_000, 61_000_000]]
    write(from_edges([0, 1], [1, 2], [1, 1], directed=False, coordinates=points), file)
    unclear = run("path", file, "near:25000000,60000000", "2")
    assert "which vertex is nearest, 0 (microdegrees), 1 (plane): give --near-unit" in unclear.err
    assert "556 m away" in run("path", file, "near:25000000,60000000", "2", "--near-unit", "microdegrees").err
    assert run("path", file, "near:26000000,61000000", "0").code == 0  # the same in both units


def test_links_are_the_rows_of_the_file(run, tmp_path, square, solved):
    table = tmp_path / "links.csv"
    table.write_text("from,to,oneway,minutes\na,b,no,5\nb,c,yes,9\nb,c,yes,4\nc,a,no,20\n")
    outcome = run("path", table, "a", "c", "--links")
    assert outcome.out == "from      a\nto        c\ndistance  9\narcs      2\npath      a -> b -> c\nlinks     0, 2\n"
    assert run("path", table, "b", "a", "--links", "--json").json["links"] == [0]
    facts = run("path", square, 1, 4, "--all", "--links", "--json").json
    assert (facts["links"], facts["links_of_paths"]) == ([0, 2], [[0, 2], [1, 3], [4, 5]])
    outcome = run("path", square, 1, 4, "--all", "--links")
    assert "path      1 -> 2 -> 4\nlinks     0, 2\npath      1 -> 3 -> 4\nlinks     1, 3\n" in outcome.out
    assert "keeps no links" in run("path", solved, 1, 4, "--links").err


def test_several_paths(run, square, tmp_path):
    outcome = run("path", square, 1, 4, "-k", 2)
    assert outcome.code == 0
    assert outcome.out.endswith("path      1 -> 2 -> 4\nlength    2\npath      1 -> 3 -> 4\nlength    2\n")
    facts = run("path", square, 1, 4, "-k", 9, "--links", "--json").json
    assert (facts["paths"], facts["distances"]) == ([[1, 2, 4], [1, 3, 4], [1, 5, 4]], [2, 2, 2])
    assert facts["links_of_paths"] == [[0, 2], [1, 3], [4, 5]]
    facts = run("path", square, 1, 4, "--alternatives", 2, "--json").json
    assert facts["distances"] == [2, 2]
    assert run("path", square, 4, 1, "-k", 2).code == 7
    assert run("path", square, 1, 1, "-k", 2, "--json").json["paths"] == [[1]]


def test_several_paths_of_a_result(run, solved, tmp_path):
    facts = run("path", solved, 1, 4, "-k", 3, "--json").json
    assert facts["paths"][0] == [1, 2, 3, 4]
    assert facts["distances"] == sorted(facts["distances"])


def test_several_paths_are_refused(run, square):
    for options in (("-k", 2, "--all"), ("-k", 2, "--alternatives", 2)):
        outcome = run("path", square, 1, 4, *options)
        assert (outcome.code, "exclude each other" in outcome.err) == (2, True)
    outcome = run("path", square, "--near", "0,0", 4, "--alternatives", 2)
    assert (outcome.code, "neither --turns nor --near" in outcome.err) == (2, True)
    outcome = run("path", square, 1, 4, "--loops")
    assert (outcome.code, "add -k N" in outcome.err) == (2, True)


def test_compromises(run, tmp_path):
    table = tmp_path / "roads.csv"
    table.write_text("from,to,oneway,minutes,toll\na,b,yes,2,3\nb,c,yes,2,0\na,c,yes,7,0\n")
    options = ("path", table, "a", "c", "--cost", "minutes", "--pareto", "toll")
    outcome = run(*options, "--links")
    assert outcome.code == 0
    assert outcome.out == (
        "from      a\nto        c\ndistance  4\narcs      1 to 2\n"
        "path      a -> b -> c\nlength    4\ntoll      3\nlinks     0, 1\n"
        "path      a -> c\nlength    7\ntoll      0\nlinks     2\n"
    )
    facts = run(*options, "--json").json
    assert (facts["distances"], facts["costs"]) == ([4, 7], {"toll": [3, 0]})
    assert "--pareto fee: the columns of numbers are minutes, toll" in run(*options[:-1], "fee").err
    assert "exclude each other" in run(*options, "-k", 2).err
    outcome = run("path", table, "--near", "0,0", "a", "--pareto", "toll")
    assert (outcome.code, "neither --turns nor --near" in outcome.err) == (2, True)


def test_several_paths_are_drawn(run, tmp_path, city):
    pytest.importorskip("matplotlib")
    for option in ("-k", "--alternatives"):
        words = ("path", city, 1, 40, option, 2, "--plot", tmp_path / "map.svg")
        assert run(*words, "--unit", "s").code == 0
        assert (tmp_path / "map.svg").read_text().startswith("<?xml")
        (tmp_path / "map.svg").unlink()
        outcome = run(*words, "--levels", 3)
        assert (outcome.code, "--levels are of distances" in outcome.err) == (2, True)


def test_walks(run, tmp_path):
    table = tmp_path / "roads.csv"
    table.write_text("from,to,oneway,minutes\na,b,no,5\nb,c,yes,9\n")
    outcome = run("path", table, "a", "c", "-k", 2, "--loops", "--links")
    assert outcome.code == 0
    assert outcome.out.endswith("path      a -> b -> a -> b -> c\nlength    24\nlinks     0, 0, 0, 1\n")
    assert run("path", table, "a", "c", "-k", 3, "--loops", "--json").json["distances"] == [14, 24, 34]


def test_several_paths_from_points(run, tmp_path):
    """A part of the street of a point is a part of its row of the file."""
    ends = [[0, 0], [100, 0], [200, 0], [100, 200]]
    streets = apsp.from_edges(
        [("a", "b", 10), ("b", "c", 10), ("b", "d", 20), ("c", "d", 20)], directed=False, coordinates=ends, links=True
    )
    apsp.write(streets, tmp_path / "streets.npz")
    words = ("path", tmp_path / "streets.npz", "--near", "50,0", "--crs", "plane", "-k", 2, "--links", "--json")
    found = run(*words, "--near", "100,100").json
    assert found["paths"] == [["50,0", "b", "100,100"], ["50,0", "a", "b", "100,100"]]
    assert (found["distances"], found["links_of_paths"]) == ([5 + 10, 5 + 10 + 10], [[0, 2], [0, 0, 2]])
    loops = run(*words, "d", "--loops").json
    assert (loops["paths"], loops["distances"]) == ([["50,0", "b", "d"], ["50,0", "a", "b", "d"]], [25, 35])
