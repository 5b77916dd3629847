"""apsp skim."""

from __future__ import annotations

import numpy as np
import pytest

import apsp

NET = """<NUMBER OF ZONES> 2
<NUMBER OF NODES> 4
<FIRST THRU NODE> 3
<NUMBER OF LINKS> 5
<END OF METADATA>
~ init_node term_node capacity length free_flow_time b power speed toll link_type ;
1 3 100 8 1.5 0.15 4 0 2 1 ;
1 4 200 7 1 0.15 4 0 0 2 ;
3 2 200 7 2.5 0.15 4 0 1 2 ;
4 2 200 3 3 0.15 4 0 5 2 ;
2 1 200 9 3 0.15 4 0 5 2 ;
"""


@pytest.fixture
def net(tmp_path):
    path = tmp_path / "x_net.tntp"
    path.write_text(NET)
    return path


def test_matrices_of_the_zones(run, net, tmp_path):
    out = tmp_path / "skims.npz"
    outcome = run("skim", net, "--cost", "free_flow_time", "--along", "toll,length", "-o", out)
    assert outcome.code == 0, outcome.err
    assert "2 x 2 zones, 2 pairs with a path" in outcome.out
    with np.load(out) as file:
        saved = dict(file)
    expected = apsp.skim(apsp.read(net), ["toll", "length"], cost="free_flow_time")
    assert all(saved[name].tolist() == matrix.tolist() for name, matrix in expected.items())
    assert expected["toll"][0, 1] == 3  # the tie of time is broken by the toll
    assert saved["zones"].tolist() == [1, 2]
    facts = run("skim", net, "--along", "length", "--sources", "1", "--targets", "2,3", "--json").json
    assert (facts["zones"], facts["targets"], facts["pairs"]) == (1, 2, 2)
    assert facts["costs"] == {"cost": {"mean": 2.75, "largest": 4.0}, "length": {"mean": 9.0, "largest": 10.0}}
    assert (
        run("skim", net, "--along", "length", "--device", "emulated", "--json").json["costs"]["length"]["largest"] == 10
    )
    half = tmp_path / "half.csv"
    assert run("skim", net, "--cost", "length", "--intrazonal", "half_nearest", "-o", half).code == 0
    assert half.read_text().splitlines() == [
        "origin,destination,length", "1,1,5.0", "1,2,10.0", "2,1,9.0", "2,2,4.5",
    ]  # fmt: skip


def test_other_inputs(run, roads, tmp_path):
    outcome = run("skim", roads, "--cost", "minutes", "--sources", "1-3")  # a format with one number per arc
    assert outcome.code == 4
    assert "--cost is an option of edge-list" in outcome.err
    assert "this file is read as dimacs" in outcome.err
    table = tmp_path / "x.csv"
    table.write_text("from,to,minutes,km\na,b,1,2.5\nb,c,1,3\n")
    facts = run("skim", table, "--cost", "minutes", "--along", "km", "--json").json
    assert list(facts["costs"]) == ["minutes", "km"]
    graph = apsp.read(table, cost="minutes")
    apsp.write(graph, tmp_path / "x.npz")
    assert run("skim", tmp_path / "x.npz", "--along", "km", "--json").json["costs"]["km"] == facts["costs"]["km"]
    assert run("skim", roads, "--hops", "--json").json["costs"]["cost"]["largest"] == 3


def test_errors(run, net, tmp_path):
    for options, code, words in (
        (["-o", tmp_path / "x.xls"], 4, "end the name of the file in .omx, .parquet, .csv or .npz"),
        (["--along", "fare"], 4, "--along fare: a TNTP network has the columns"),
        (["--cost", "time"], 4, "--cost time: a TNTP network has the columns"),
        (["--cost", "toll", "--along", "toll"], 4, "which the paths minimise: leave it out"),
        (["--sources", "9"], 3, "9"),
        (["-o", tmp_path / "none" / "x.csv"], 6, "does not exist"),
    ):
        outcome = run("skim", net, *options)
        assert outcome.code == code, outcome.err
        assert words in outcome.err


@pytest.mark.parametrize(("cost", "along", "wanted"), [("minutes", "km", [15, 32]), ("km", "minutes", [11, 17])])
def test_parallel_links_are_chosen_by_the_cost(run, tmp_path, cost, along, wanted):
    (tmp_path / "x.csv").write_text("from,to,minutes,km\n0,1,10,30\n0,1,12,9\n1,2,5,2\n")
    out = tmp_path / "skims.npz"
    outcome = run("skim", tmp_path / "x.csv", "--cost", cost, "--along", along, "-o", out)
    assert outcome.code == 0, outcome.err
    with np.load(out) as file:
        assert [file[name][0, 2] for name in (cost, along)] == wanted


def test_scaled_integers(run, net, tmp_path):
    zarr, h5py = pytest.importorskip("zarr"), pytest.importorskip("h5py")
    words = ("skim", net, "--cost", "free_flow_time", "--along", "toll,length", "--scales", "free_flow_time=10, toll=1")
    assert run(*words, "--store", tmp_path / "s.zarr", "-o", tmp_path / "s.omx").code == 0
    expected = apsp.skim(apsp.read(net), ["toll", "length"], cost="free_flow_time")
    assert apsp.load(tmp_path / "s.zarr") == expected == apsp.read_omx(tmp_path / "s.omx")
    group = zarr.open_group(tmp_path / "s.zarr", mode="r")
    assert [group[name].dtype for name in expected] == ["uint16", "uint16", "float64"]
    with h5py.File(tmp_path / "s.omx") as file:
        assert [file[f"data/{name}"].dtype for name in expected] == ["uint16", "uint16", "float64"]
    assert run(*words, "-o", tmp_path / "t.omx").code == 0
    assert apsp.read_omx(tmp_path / "t.omx") == expected
    for scales, more, message in (
        ("free_flow_time=10", ("-o", "x.csv"), "--scales is about a --store and .omx files"),
        ("free_flow_time=0.5", ("-o", "x.omx"), "give names and whole numbers, such as minutes=100,km=1000"),
        ("free_flow_time", ("-o", "x.omx"), "give names and whole numbers"),
        ("x=3", ("-o", "x.omx"), "there is no cost 'x'"),
        ("toll=0", ("-o", "x.omx"), "scales['toll']"),
    ):  # fmt: skip
        outcome = run(*words[:-1], scales, *more)
        assert (outcome.code in (2, 4), message in outcome.err) == (True, True)
