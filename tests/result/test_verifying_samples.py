"""`verify(sample=...)`: of results in memory, in files, on GPUs and in stores alike."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.api.stored import solving
from apsp.gpu.emulated.arrays import to_device
from apsp.result import verification
from stored import Entries

EPS = float(np.finfo(np.float64).eps)
N = 24
SOURCES = [f"v{position}" for position in (7, 3, 23, 7, *range(10, 20), 0)]  # one is repeated
WEIGHTS: dict[str, Callable[[np.ndarray[Any, Any]], Any]] = {
    "uint16": lambda numbers: numbers,
    "int32": lambda numbers: numbers * 50_000,
    "int64": lambda numbers: numbers * 2**40,
    "float32": lambda numbers: (numbers / 7).astype(np.float32),
    "float64": lambda numbers: numbers / 7,
}


def graph_of(dtype: str) -> apsp.Graph:
    """A graph with labels, in which many pairs have no path."""
    numbers = np.random.default_rng(5)
    tails, heads = numbers.integers(0, N, (2, 40))
    weights = WEIGHTS[dtype](numbers.integers(1, 9, 40))
    return apsp.from_edges(tails, heads, weights, labels=[f"v{position}" for position in range(N)])


def held(result: apsp.Result, where: str, folder: Path) -> apsp.Result:
    """The same result somewhere else."""
    if where == "file":
        result.save(folder / "result.npz")
        return apsp.load(folder / "result.npz")
    if where == "GPU":
        pred = to_device(result.predecessors) if result.has_predecessors else None
        return apsp.Result(
            result.graph, to_device(result.distances), source_positions=result.source_positions, pred=pred
        )
    return result


def found_in(result: apsp.Result, *, stored: Path | None = None, **options: Any) -> list[int]:
    """The rows that are checked: those in which a wrong distance or predecessor of vertex 4 is found."""
    name, rows = "predecessors" if result.has_predecessors else "distances", []
    for row in range(len(result.source_positions)):
        matrix = getattr(result, name) if stored is None else Entries(stored, name)
        right = np.asarray(matrix[row, 4]).item()
        matrix[row, 4] = 4 if result.has_predecessors else 0 if right else 1
        words = None
        try:
            (result if stored is None else apsp.load(stored)).verify(**options)
        except apsp.VerificationError as error:
            words = str(error)
        if words is not None:
            assert f"from {result.sources[row]!r} to 'v4', " in words
            rows.append(row)
        matrix[row, 4] = right
    return rows


@pytest.mark.parametrize("where", ["memory", "file", "GPU"])
@pytest.mark.parametrize("sources", [None, SOURCES, []])
@pytest.mark.parametrize("paths", [False, True])
@pytest.mark.parametrize("dtype", WEIGHTS)
def test_correct_rows_pass(dtype: str, paths: bool, sources: list[str] | None, where: str, tmp_path: Path) -> None:
    solved = apsp.solve(graph_of(dtype), sources=sources, paths=paths, dtype=dtype)
    result = held(solved, where, tmp_path)
    assert result.distances.dtype == dtype
    for sample in (1, 5, np.int64(11), 10**9):
        for seed in (0, 1, 2**70):
            result.verify(sample=sample, seed=seed)


@pytest.mark.few(4)
@pytest.mark.parametrize("where", ["memory", "GPU"])
@pytest.mark.parametrize("sources", [None, SOURCES])
@pytest.mark.parametrize("dtype", WEIGHTS)
def test_wrong_distances_are_found_in_the_rows_of_the_sample(
    dtype: str, sources: list[str] | None, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "_BYTES_AT_ONCE", 2 * N * np.dtype(dtype).itemsize)  # rows at a time: two
    result = held(apsp.solve(graph_of(dtype), sources=sources, dtype=dtype), where, tmp_path)
    count = len(result.source_positions)
    rows = found_in(result, sample=5, seed=3)
    assert len(rows) == 5
    assert rows == found_in(result, sample=5, seed=3)
    assert found_in(result, sample=5) == found_in(result, sample=5, seed=0)
    assert len({tuple(found_in(result, sample=5, seed=seed)) for seed in range(6)}) == 6
    assert found_in(result, sample=count) == found_in(result, sample=count + 1) == found_in(result) == [*range(count)]


@pytest.mark.parametrize("where", ["memory", "GPU"])
@pytest.mark.parametrize("dtype", WEIGHTS)
def test_wrong_predecessors_are_found_in_the_rows_of_the_sample(dtype: str, where: str, tmp_path: Path) -> None:
    result = held(apsp.solve(graph_of(dtype), paths=True, dtype=dtype), where, tmp_path)
    assert found_in(result, sample=8, seed=2) == found_in(apsp.solve(graph_of(dtype)), sample=8, seed=2)
    assert found_in(result) == list(range(N))


@pytest.mark.few(1)
@pytest.mark.parametrize("paths", [False, True])
def test_a_store_has_the_same_samples(paths: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("zarr")
    monkeypatch.setattr(solving, "band_rows", lambda *_: 4)
    graph = graph_of("int32")
    stored = apsp.solve(graph, sources=SOURCES, store=tmp_path / "some.zarr", paths=paths)
    result = apsp.solve(graph, sources=SOURCES, paths=paths)
    for options in ({"sample": 6}, {"sample": 6, "seed": 9}, {}):
        rows = found_in(result, **options)
        assert rows == found_in(stored, stored=tmp_path / "some.zarr", **options)
    assert rows == list(range(len(SOURCES)))


def test_of_a_store_the_rows_of_the_sample_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("zarr")
    monkeypatch.setattr(solving, "band_rows", lambda *_: 1)
    graph = graph_of("int32")
    apsp.solve(graph, store=tmp_path / "all.zarr")
    rows = found_in(apsp.solve(graph), sample=7, seed=4)
    for row in set(range(N)) - set(rows):
        (tmp_path / f"all.zarr/distances/c/{row}/0").unlink()
    result = apsp.load(tmp_path / "all.zarr")
    result.verify(sample=7, seed=4)
    with pytest.raises(apsp.RowsMissingError, match="have not been computed yet"):
        result.verify()


def test_of_a_file_the_rows_of_the_sample_are_read(tmp_path: Path) -> None:
    path = tmp_path / "result.npz"
    solved = apsp.solve(graph_of("int64"))
    rows = found_in(solved, sample=7, seed=4)
    solved.save(path)
    whole = path.read_bytes()
    start = whole.index(solved.distances.tobytes())
    for row in range(N):
        damaged = bytearray(whole)
        damaged[start + row * N * 8 + 4 * 8] ^= 1
        path.write_bytes(damaged)
        with pytest.raises(apsp.FileFormatError, match=r"dist\.npy is damaged"):
            apsp.load(path).verify()
        if row in rows:
            with pytest.raises(apsp.FileFormatError, match=r"dist\.npy is damaged"):
                apsp.load(path).verify(sample=7, seed=4)
        else:
            apsp.load(path).verify(sample=7, seed=4)


BAD: list[dict[str, Any]] = [
    {"sample": 0}, {"sample": -3}, {"sample": 2.0}, {"sample": True}, {"sample": "all"}, {"sample": [1, 2]},
    {"seed": -1}, {"seed": None}, {"sample": 4, "seed": 1.5},
]  # fmt: skip


@pytest.mark.parametrize("wrong", BAD, ids=str)
def test_a_bad_sample_is_refused_in_the_same_words(wrong: dict[str, Any], tmp_path: Path) -> None:
    pytest.importorskip("zarr")
    graph = graph_of("int32")
    solved = apsp.solve(graph)
    held(solved, "file", tmp_path)
    words = set()
    for each in (solved, apsp.load(tmp_path / "result.npz"), apsp.solve(graph, store=tmp_path / "same.zarr")):
        with pytest.raises(apsp.RequestError, match=f"{list(wrong)[-1]} must be a whole number of at least [01], not"):
            each.verify(**wrong)
        with pytest.raises(apsp.RequestError) as refused:
            each.verify(**wrong)
        words.add(str(refused.value))
    assert len(words) == 1


def test_progress_counts_the_rows_of_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "_BYTES_AT_ONCE", 3000)
    told: list[tuple[str, int, int]] = []
    apsp.solve(apsp.generate("city", 200, seed=1)).verify(sample=50, progress=lambda *words: told.append(words))
    assert told[-1] == ("rows checked", 50, 50)
    assert [words[1] for words in told] == sorted(words[1] for words in told)


def test_the_rounding_that_is_allowed_does_not_depend_on_the_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cycle counts as zero because of a long arc that only another source reaches; no source reaches 4 -> 4."""
    pytest.importorskip("zarr")
    monkeypatch.setattr(solving, "band_rows", lambda *_: 1)
    graph = apsp.from_edges([0, 1, 2, 3, 4], [1, 0, 3, 5, 4], [1.0, -1.0 - 20 * EPS, 500.0, 1.0, -1.0], n=6)
    result = apsp.solve(graph, sources=[0, 2])
    for each in (result, apsp.solve(graph, sources=[0, 2], store=tmp_path / "rounded.zarr")):
        each.verify()
        for seed in range(4):
            each.verify(sample=1, seed=seed)
