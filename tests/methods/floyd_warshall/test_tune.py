"""Tile policies: which shape is chosen, what tuning finds, and that nothing in the remembered file breaks a solve."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from apsp.errors import OutputError
from apsp.gpu import jit, nvrtc
from apsp.methods.floyd_warshall.kernels import remembered, tune, update
from apsp.methods.floyd_warshall.kernels.backend import CudaBackend
from apsp.methods.floyd_warshall.kernels.policy import PORTABLE, Policy, Shape, policy_for
from apsp.semiring import SEMIRINGS, Algebra

ALGEBRA = "apsp::MinPlus<int>"
GPU = "A GPU"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(remembered, "cache_folder", lambda: tmp_path / "apsp")
    remembered.remembered.cache_clear()
    yield tmp_path / "apsp"
    remembered.remembered.cache_clear()


@pytest.mark.parametrize(("n", "index"), [(512, 2), (896, 2), (1536, 1), (1920, 1), (2048, 0), (4096, 0), (16384, 0)])
def test_the_shape_that_was_fastest_on_an_h200_is_chosen(n: int, index: int) -> None:
    policy = policy_for((9, 0), "apsp::MinPlusNonNegative")
    assert policy.choose(n, n, 4, 132) == policy.shapes[index][0]


def test_nothing_to_do_has_a_shape_too() -> None:
    assert PORTABLE.choose(0, 10, 4, 132) in [shape for shape, _ in PORTABLE.shapes]


def test_unknown_gpus_are_served() -> None:
    assert policy_for((13, 7), ALGEBRA) == PORTABLE


def test_tuning_finds_the_fastest_and_leaves_out_what_cannot_run() -> None:
    fast, spilling = Shape(8, 2, 4, 2, 64, 3, 2, 2), Shape(8, 2, 2, 2, 32, 3, 2, 3)

    def seconds(shape: Shape, dtype: str, nonnegative: bool) -> float | None:
        return None if shape == spilling or dtype == "int64" else 1.0 if shape == fast else 2.0

    steps: list[tuple[str, int, int]] = []
    found = tune.measure(seconds, (9, 0), lambda *step: steps.append(step))
    assert "apsp::MinPlus<long long>" not in found
    assert found["apsp::MinPlus<float>"].shapes[0] == (fast, 1.0)
    assert found["apsp::MinPlus<float>"].shapes[1][1] == 2.0
    assert steps[-1][1] == steps[-1][2] == len(steps) - 1


def test_policies_are_remembered_by_gpu(folder: Path) -> None:
    one, other = {ALGEBRA: Policy(PORTABLE.shapes[:1])}, {ALGEBRA: PORTABLE}
    assert remembered.remembered(GPU) == {}
    remembered.remember(GPU, one)
    assert remembered.remember("Another", other) == folder / "gpu.json"
    assert remembered.remembered(GPU) == one
    assert remembered.remembered("Another") == other
    assert remembered.remembered("A third") == {}


def kept(**changes: Any) -> str:
    shapes = [[list(astuple(PORTABLE.shapes[0][0])), 1.0]]
    whole = {"schema": 1, "kernels": nvrtc.fingerprint("update.cu"), "gpus": {GPU: {ALGEBRA: shapes}}}
    return json.dumps(whole | changes)


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "null", "7", '{"schema": 1}', "\0", kept(schema=2), kept(kernels="others"), kept(gpus=[]),
        kept(gpus={GPU: 3}), kept(gpus={GPU: {ALGEBRA: []}}), kept(gpus={GPU: {ALGEBRA: [[[1, 2], 1.0]]}}),
        kept(gpus={GPU: {ALGEBRA: [[[0] * 9, 1.0]]}}), kept(gpus={GPU: {ALGEBRA: [[[2] * 9, -1]]}}),
        kept(gpus={GPU: {ALGEBRA: [[[2] * 10, 1]]}}), kept(gpus={GPU: {ALGEBRA: [["248223230", 1]]}}),
        kept(gpus={GPU: {ALGEBRA: [[[1e9] * 9, 1]]}}),
    ],
)  # fmt: skip
def test_a_broken_or_foreign_file_is_none(folder: Path, text: str) -> None:
    folder.mkdir()
    (folder / "gpu.json").write_text(kept())
    assert remembered.remembered(GPU) != {}
    (folder / "gpu.json").write_text(text)
    remembered.remembered.cache_clear()
    assert remembered.remembered(GPU) == {}
    remembered.remember(GPU, {ALGEBRA: PORTABLE})
    assert remembered.remembered(GPU) == {ALGEBRA: PORTABLE}


def test_a_file_that_cannot_be_written_is_an_error(folder: Path) -> None:
    folder.write_text("a file where the folder should be")
    assert remembered.remembered(GPU) == {}
    with pytest.raises(OutputError, match="tile policies"):
        remembered.remember(GPU, {ALGEBRA: PORTABLE})


@pytest.mark.gpu
def test_what_was_tuned_is_used_and_what_does_not_work_is_not(
    cupy: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tune, "_SIZE", 300)
    names = tune.tune(quick=True)
    policies = remembered.remembered(names[0])
    assert ALGEBRA in policies
    algebra = Algebra(SEMIRINGS["min_plus"], True)
    rng = np.random.default_rng(1)
    c, a, b = (rng.integers(0, 99, shape).astype(np.int32) for shape in ((70, 90), (70, 40), (40, 90)))
    wanted = np.minimum(c, (a[:, :, None] + b).min(axis=1))
    too_large = Policy(((Shape(100, 2, 2, 2, 64, 5, 2, 3), 1.0),))
    for policy, works in ((policies[ALGEBRA], True), (too_large, False)):
        remembered.remember(names[0], {ALGEBRA: policy})
        update.policy_of.cache_clear()
        page = cupy.asarray(c)
        CudaBackend().update(page, cupy.asarray(a), cupy.asarray(b), algebra)
        np.testing.assert_array_equal(page.get(), wanted)
        assert (update.policy_of(jit.current_device(), ALGEBRA, 4) == policy) == works
    update.policy_of.cache_clear()
