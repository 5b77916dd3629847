"""The constants of the cost model: shipped, measured, and files that must be ignored."""

from __future__ import annotations

import importlib
import json

import numpy as np
import pytest

from apsp.errors import OutputError
from apsp.facts.constants import SCHEMA, load_constants, save_tuned, shipped_constants, tuned_path
from apsp.methods import registry
from apsp.planning.tune import _solved, measure, tune
from apsp.planning.tune_experiments import random_graph
from apsp.system.machine import Machine

tuning = importlib.import_module("apsp.planning.tune")


@pytest.mark.parametrize("isa", ["baseline", "avx2", "avx512", "neon"])
def test_shipped_constants_cover_the_registry(isa):
    values = shipped_constants(isa).values
    assert "byte" in values["output"]
    for method in registry.METHODS.values():
        if method.family == "dense":
            assert {f"pair.{dtype}" for dtype in method.dtypes} <= set(values[method.name])
    assert all(seconds >= 0 for method in values.values() for seconds in method.values())


def test_tuned_constants_override_shipped_ones(tmp_path):
    path = tmp_path / "deep" / "tuned.json"
    save_tuned({"dijkstra": {"arc": 1.0}}, "avx2", "2026-01-02", path)
    loaded = load_constants("avx2", path)
    assert loaded.values["dijkstra"]["arc"] == 1.0
    assert loaded.values["dijkstra"]["heap"] == shipped_constants("avx2").values["dijkstra"]["heap"]
    assert "2026-01-02" in loaded.origin
    assert loaded.note is None
    assert [entry.name for entry in path.parent.iterdir()] == ["tuned.json"]


def test_no_file_is_no_news(tmp_path):
    assert load_constants("avx2", tmp_path / "none.json") == shipped_constants("avx2")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "cannot be read"),
        ("{", "cannot be read"),
        ("[]", "not a file of measured constants"),
        ("{}", "not a file of measured constants"),
        (json.dumps({"schema": SCHEMA + 1, "isa": "avx2", "date": "d", "values": {}}), "another version"),
        (json.dumps({"schema": SCHEMA, "isa": "avx512", "date": "d", "values": {}}), "measured with avx512 kernels"),
        (json.dumps({"schema": SCHEMA, "isa": "avx2", "date": "d", "values": {"bfs": 3}}), "'bfs' holds no constants"),
        (json.dumps({"schema": SCHEMA, "isa": "avx2", "date": "d", "values": {"bfs": {"arc": -1}}}), "not a number"),
        (json.dumps({"schema": SCHEMA, "isa": "avx2", "date": "d", "values": {"bfs": {"arc": "1"}}}), "not a number"),
        ('{"schema": 2, "isa": "avx2", "date": "d", "values": {"bfs": {"arc": NaN}}}', "not a number"),
    ],
)
def test_corrupt_and_stale_files_are_ignored_with_a_note(tmp_path, text, why):
    path = tmp_path / "tuned.json"
    path.write_text(text)
    loaded = load_constants("avx2", path)
    assert loaded.values == shipped_constants("avx2").values
    assert loaded.note is not None
    assert why in loaded.note
    assert "apsp tune" in loaded.note


def test_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "tuned.json"
    path.write_bytes(b"\xff\xfe\x00")
    assert "cannot be read" in (load_constants("avx2", path).note or "")
    assert "cannot be read" in (load_constants("avx2", tmp_path).note or "")


def test_unwritable_place(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot write"):
        save_tuned({}, "avx2", "d", tmp_path / "file" / "tuned.json")


def test_the_old_file_stays_when_writing_fails(tmp_path, monkeypatch):
    path = save_tuned({"bfs": {"arc": 2.0}}, "avx2", "d", tmp_path / "tuned.json")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(OutputError, match="No space left"):
        save_tuned({"bfs": {"arc": 3.0}}, "avx2", "d", path)
    assert load_constants("avx2", path).values["bfs"]["arc"] == 2.0
    assert [entry.name for entry in tmp_path.iterdir()] == ["tuned.json"]


def test_place_of_the_file(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert tuned_path() == tmp_path / "apsp" / "tuned.json"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert tuned_path().name == "tuned.json"


def test_tune_measures_and_keeps(tmp_path):
    seen = []
    path = tmp_path / "tuned.json"
    told = tune(lambda *step: seen.append(step), path=path, quick=True)
    assert seen[-1][1] == seen[-1][2] > 0
    assert told["path"] == str(path)
    assert told["seconds"] < 30
    loaded = load_constants(Machine.detect().isa, path)
    assert loaded.note is None
    for method, values in told["values"].items():
        assert loaded.values[method] == values
        assert all(np.isfinite(seconds) and seconds >= 0 for seconds in values.values())


def machine_of(cores: int, physical: int | None) -> Machine:
    return Machine(cores, "avx512", 1 << 33, 1 << 33, physical=physical)


@pytest.mark.parametrize(("cores", "physical", "expected"), [(8, 4, {4, 8}), (2, 64, {2}), (3, None, {3})])
def test_what_is_measured_runs_on_the_cores_that_there_are(monkeypatch, cores, physical, expected):
    """A container may allow fewer than the machine has."""
    seen = set()

    def best(experiment, graph, threads):
        seen.add(threads)
        return 1.0

    def tree(graph, threads, **options):
        seen.add(threads)

    monkeypatch.setattr(tuning, "_best", best)
    monkeypatch.setattr("apsp.methods.elimination.tree.elimination_tree", tree)
    measure(machine_of(cores, physical), quick=True)
    assert seen == expected


def test_the_constant_of_the_tree_is_of_one_core(monkeypatch):
    """Who measures with several threads, which the model makes faster, finds the same."""
    clock, shared = [0.0], 0.6

    def tree(graph, threads, **options):
        clock[0] += 1 - shared + shared / threads

    monkeypatch.setattr("apsp.methods.elimination.tree.elimination_tree", tree)
    monkeypatch.setattr(tuning.time, "perf_counter", lambda: clock[0])
    monkeypatch.setattr("apsp.methods.elimination.cost.TREE_APART", shared)
    one, eight = (
        tuning._stored_constant("elimination", "tree", machine_of(cores, None), quick=False) for cores in (1, 8)
    )
    assert one == pytest.approx(eight)


def test_two_measurements_give_two_constants():
    assert _solved([[10.0, 100.0], [10.0, 1000.0]], [11.0, 20.0]) == pytest.approx((1.0, 0.01))
    for times in ([5.0, 500.0], [20.0, 5.0]):
        assert min(_solved([[10.0, 100.0], [10.0, 1000.0]], times)) >= 0


def test_graphs_to_measure_on():
    graph = random_graph(50, 6, "float64", negative=True)
    assert graph.has_negative_arc
    dist = np.full((50, 50), np.inf)
    dist[graph.tails(), graph.indices] = graph.weights
    for k in range(50):
        dist = np.minimum(dist, dist[:, k, None] + dist[None, k])
    assert (np.diag(dist) >= -1e-9).all()
    assert random_graph(50, 6, None).weights is None
