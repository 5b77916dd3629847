"""The harness sees what is planted: wrong distances, foreign exceptions, crashes; and makes large cases small."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import random
import resource
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.store import fixed
from apsp.store.shard import ShardCodec
from apsp.system.paced import PacedFile
from torture import __main__ as command_line
from torture import damaged_stores, full_stores, graphs, stores
from torture.case import Case
from torture.draw import Scope, draw
from torture.judge import judge
from torture.kinds import runner
from torture.pool import Job, run_jobs
from torture.tally import Tally

RING = Case(
    n=5, arcs=[(v, (v + 1) % 5, v + 1) for v in range(5)], dtype="int64", calls=[{"door": "solve", "paths": True}]
)


def spoilt(change: Any) -> Any:
    solve = apsp.solve

    def instead(graph: Any, **options: Any) -> apsp.Result:
        result = solve(graph, **options)
        change(result)
        return result

    return instead


def test_a_right_answer_passes() -> None:
    counts: Counter[str] = Counter()
    assert judge(RING, counts) is None
    assert counts["answers"] == 1


def test_a_wrong_distance_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(result: apsp.Result) -> None:
        result.distances[result.distances == 3] = 4

    monkeypatch.setattr(apsp, "solve", spoilt(change))
    failure = judge(RING)
    assert failure is not None
    assert failure.what == "wrong"
    assert "is 4, not 3" in failure.words


def test_a_wrong_predecessor_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(result: apsp.Result) -> None:
        result.predecessors[0, 2] = 0

    monkeypatch.setattr(apsp, "solve", spoilt(change))
    failure = judge(RING)
    assert failure is not None
    assert "there is no such arc" in failure.words


def test_a_verification_that_sees_nothing_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apsp.Result, "verify", lambda *_, **__: None)
    failures = [judge(RING.changed(calls=[{"door": "solve", "seed": seed}])) for seed in range(12)]
    assert any(failure is not None and "verify() passes" in failure.words for failure in failures)


def test_a_float_off_by_more_than_rounding_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    case = RING.changed(arcs=[(u, v, w / 10) for u, v, w in RING.arcs], dtype="float64", calls=[{"door": "solve"}])
    assert judge(case) is None

    def change(result: apsp.Result) -> None:
        result.distances[0, 3] *= 1 + 1e-13

    monkeypatch.setattr(apsp, "solve", spoilt(change))
    failure = judge(case)
    assert failure is not None
    assert failure.what == "wrong"


def _without_the_last(found: apsp.ManyPaths) -> apsp.ManyPaths:
    """The paths of pairs, but for the last of them all."""
    assert found.pair_offsets is not None
    last, ends = found.offsets[-2], np.minimum(found.pair_offsets, len(found) - 1)
    return dataclasses.replace(
        found, offsets=found.offsets[:-1], positions=found.positions[:last], distances=found.distances[:-1],
        pair_offsets=ends,
    )  # fmt: skip


def _dearer(found: apsp.ParetoPaths) -> apsp.ParetoPaths:
    return dataclasses.replace(found, costs=found.costs + 1)


def _longer(found: apsp.ManyPaths) -> apsp.ManyPaths:
    return dataclasses.replace(found, distances=found.distances + 1)


@pytest.mark.parametrize(
    ("name", "spoil", "words"),
    [
        ("shortest_simple_paths", _without_the_last, "have lengths"),
        ("shortest_walks", _without_the_last, "have lengths"),
        ("shortest_walks", _longer, "has length"),
        ("alternatives", _without_the_last, "there are 0 alternatives"),
        ("alternatives", _longer, "has length"),
        ("pareto", _dearer, "does not cost"),
        ("pareto", lambda found: dataclasses.replace(found, paths=_longer(found.paths)), "does not cost"),
        (
            "pareto",
            lambda found: dataclasses.replace(
                found, paths=_without_the_last(found.paths), costs=found.costs[:-1], link_numbers=None
            ),
            "compromises of",
        ),
    ],
)
def test_spoilt_paths_of_pairs_are_seen(name: str, spoil: Any, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fault alone, in every case with four pairs that have paths."""
    case = RING.changed(calls=[{"door": "simple_paths", "seed": 3, "threads": 1}])
    assert judge(case) is None
    function = getattr(apsp, name)
    monkeypatch.setattr(apsp, name, lambda *arguments, **options: spoil(function(*arguments, **options)))
    failure = judge(case)
    assert failure is not None
    assert words in failure.words


def test_a_refusal_without_a_reason_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise apsp.DtypeRangeError("too large")

    monkeypatch.setattr(apsp, "solve", refuse)
    failure = judge(RING)
    assert failure is not None
    assert failure.what == "refused"


def test_a_negative_cycle_must_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise apsp.NegativeCycleError([0, 1, 2, 3, 4], -1)

    monkeypatch.setattr(apsp, "solve", refuse)
    failure = judge(RING)
    assert failure is not None
    assert failure.what == "refused"


def test_a_foreign_exception_is_seen_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    solve = apsp.solve

    def instead(graph: apsp.Graph, **options: Any) -> apsp.Result:
        if graph.weights is not None and (graph.weights == 7).any():
            raise KeyError(7)
        return solve(graph, **options)

    monkeypatch.setattr(apsp, "solve", instead)
    rng = np.random.default_rng(1)
    arcs = [(int(u), int(v), int(w)) for u, v, w in rng.integers(0, 12, (40, 3))]
    case = Case(n=12, arcs=arcs, dtype="int32", calls=[{"door": "stream"}, {"door": "solve", "threads": 1}])
    failure = judge(case)
    assert failure is not None
    assert failure.what == "foreign"
    small = graphs.smaller(case, failure, seconds=20)
    assert (small.n, len(small.arcs), small.calls) == (2, 1, [{"door": "solve"}])


def test_cases_go_through_json(tmp_path: Path) -> None:
    for seed in range(40):
        case = draw(seed)
        path = tmp_path / "case.json"
        path.write_text(json.dumps({"case": case.to_dict()}))
        assert Case.load(path) == case
        assert draw(seed) == case


def test_a_crash_is_reported_with_its_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a kind that is a module of its own in this folder."""
    (tmp_path / "crashing.py").write_text(
        "import os\ndef run(seed, options, counts):\n    counts['seen'] += 1\n    if seed == 7: os.abort()\n"
    )
    (tmp_path / "sitecustomize.py").write_text(
        "import sys, importlib.util\n"
        f"spec = importlib.util.spec_from_file_location('torture.crashing', {str(tmp_path / 'crashing.py')!r})\n"
        "module = importlib.util.module_from_spec(spec)\nspec.loader.exec_module(module)\n"
        "sys.modules['torture.crashing'] = module\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    said: list[dict[str, Any]] = []
    run_jobs(iter([Job("crashing", 0, 12)]), 1, lambda _, facts: said.append(facts), lambda: False)
    failures = [facts["failure"] for facts in said if "failure" in facts]
    assert [(failure["what"], failure["seed"]) for failure in failures] == [("crash", 7)]
    assert "SIGABRT" in failures[0]["words"]
    assert sum(facts["done"] for facts in said) == 12


def _full_stores(name: str) -> tuple[list[str], Counter[str]]:
    """The failures of a few full disks."""
    counts: Counter[str] = Counter()
    found = [full_stores.full_disk_of_a_store(random.Random(seed), seed, counts, [name]) for seed in range(6)]
    return [failure["words"] for failure in found if failure is not None], counts


@pytest.mark.slow
@pytest.mark.parametrize("name", ["solve", "arc_flows", "skim"])
def test_full_disks_of_stores(name: str) -> None:
    pytest.importorskip("zarr")
    failures, counts = _full_stores(name)
    assert not failures
    assert counts["store refused, begun"] > 0


def test_shards_that_are_not_complete_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that writes its files in place."""
    pytest.importorskip("zarr")

    @contextlib.contextmanager
    def in_place(path: Path) -> Iterator[Any]:
        try:
            with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT), "r+b", closefd=False) as plain:
                file = PacedFile(plain.fileno())
                yield file
        except OSError as error:
            raise apsp.OutputError(f"cannot write {path}: {error}") from error

    stores.whole("solve", 90)  # as it should be
    monkeypatch.setattr("apsp.store.folder.replacing", in_place)
    failures, _ = _full_stores("solve")
    assert any("is damaged" in words for words in failures)


def _damaged_stores() -> list[str]:
    """The failures of some damaged stores."""
    found = [damaged_stores.run(seed, {}, Counter()) for seed in range(40)]
    return [f"{failure['where']}: {failure['words']}" for failure in found if failure is not None]


@pytest.mark.slow
def test_damaged_stores() -> None:
    pytest.importorskip("zarr")
    assert not _damaged_stores()


@pytest.mark.parametrize("blind", [pytest.param("the end of shards", marks=pytest.mark.slow), "other files"])
def test_damage_that_is_not_noticed_is_seen(blind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("zarr")
    if blind == "the end of shards":
        monkeypatch.setattr(ShardCodec, "damage", lambda *_: None)
    else:
        monkeypatch.setattr(fixed, "_damage", lambda *_: None)
    failures = _damaged_stores()
    assert any("of solve" in words for words in failures)
    assert any("of solve" not in words for words in failures)


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run.json"
    code = command_line.main(["--files", "5", "--jobs", "1", "--seed", "3", "--json", str(out)])
    facts = json.loads(out.read_text())
    assert facts["done"] == {"files": 5}
    assert (facts["wrong"], facts["foreign"], code) == (0, 0, 0)
    assert "0 wrong, 0 foreign exceptions" in capsys.readouterr().out
    assert command_line.main(["--replay", "files:3"]) == 0
    assert command_line.main(["--kinds", "nonsense"]) == 2


def test_the_summary_names_the_options_of_a_replay() -> None:
    words = ["--graphs", "9", "--doors", "near", "--weights", "big M", "--emulated", "--jobs", "1"]
    wanted = command_line._parser().parse_args(words)
    tally = Tally("scripts/torture", 3, command_line._for_replays(wanted))
    failure = {"kind": "graphs", "what": "wrong", "where": "near", "words": "another distance", "seed": 5}
    tally.add("graphs", {"done": 9, "counts": {}, "failure": failure})
    assert "scripts/torture --emulated --doors near --weights 'big M' --replay graphs:5\n" in tally.words() + "\n"
    for strange in (["--doors", "nonsense"], ["--weights", "nonsense"]):
        assert command_line.main(["--graphs", "9", *strange]) == 2


def test_the_weights_of_random_graphs_can_be_named() -> None:
    notes = {draw(seed, Scope(weights=("big M", "only 0"))).note for seed in range(20)}
    assert notes == {"big M", "only 0"}


@pytest.mark.parametrize("kind", ["files", "results", "names", "tables", "turns", "changes", "arguments"])
def test_a_limit_of_memory_ends_with_its_seed(kind: str) -> None:
    """The next seed of the process may need more: the driver of a GPU reserves hundreds of GiB."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    run = runner(kind)
    for seed in range(3):
        assert run(seed, {}, Counter()) is None
        assert resource.getrlimit(resource.RLIMIT_AS) == before
