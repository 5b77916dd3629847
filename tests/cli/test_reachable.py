"""apsp reachable."""

from __future__ import annotations

import numpy as np

import apsp
from apsp.gpu import jit
from apsp.graph.files import read


def test_reachable(run, roads, tmp_path):
    outcome = run("reachable", roads, "-o", tmp_path / "bits.npy")
    assert outcome.code == 0
    assert "21 of 25 pairs have a path" in outcome.out
    assert "found in" in outcome.err
    np.testing.assert_array_equal(np.load(tmp_path / "bits.npy"), apsp.reachable(read(roads)).bits)
    assert run("reachable", roads, "--json", "--threads", "1", "--device", "cpu").json["pairs"] == 21


def test_a_published_method_by_name(run, roads, monkeypatch):
    assert run("reachable", roads, "--method", "katz-kider-closure", "--device", "cpu").code == 4
    wrong = run("reachable", roads, "--method", "katz-kider")
    assert wrong.code == 4
    assert "katz-kider-closure" in wrong.err
    monkeypatch.setattr(jit, "why_no_gpu", lambda: "none is plugged in")
    outcome = run("reachable", roads, "--method", "katz-kider-closure", "--json")
    assert (outcome.json["pairs"], outcome.json["method"]) == (21, "katz-kider-closure")
    assert "No GPU was found: the kernels are emulated on the CPU." in outcome.err
    named = run("reachable", roads, "--method", "katz-kider-closure", "--device", "emulated")
    assert "21 of 25 pairs" in named.out
    assert "No GPU" not in named.err
    assert "for an emulated GPU: name one" in run("reachable", roads, "--device", "emulated").err


def test_wrong_outputs(run, roads, tmp_path):
    assert run("reachable", roads, "-o", tmp_path / "bits.csv").code == 4
    assert run("reachable", roads, "-o", tmp_path / "no" / "bits.npy").code == 6
