"""Arrays to compute with: infinite where there is no path, wide enough for sums, never rounded in silence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.gpu.emulated.arrays import to_device

INF = float("inf")


def graph(weights: Any = (20_000, 10_000, 32_000)) -> apsp.Graph:
    return apsp.from_edges([0, 1, 0], [1, 2, 2], weights, labels=["a", "b", "c"])


WIDE = [[0.0, 20_000.0, 30_000.0], [INF, 0.0, 10_000.0], [INF, INF, 0.0]]


def test_sums_of_distances_do_not_wrap_and_no_path_is_infinite() -> None:
    result = apsp.solve(graph())
    assert result.distances.dtype == np.uint16
    assert (result.distances + result.distances + result.distances)[0, 2] == 90_000 - 2**16  # what this is for
    found = result.to_numpy()
    assert found.dtype == np.float64
    assert found.tolist() == WIDE
    assert (found + found + found)[0, 2] == 90_000
    assert np.asarray(result, dtype=np.float32).tolist() == WIDE


CLASSES: dict[str, Callable[[apsp.Graph], Any]] = {
    "Result": apsp.solve,
    "Block": lambda g: next(apsp.stream(g)),
    "Nearest": lambda g: apsp.k_nearest(g, 2),
    "NearestFacilities": lambda g: apsp.nearest(g, ["c", "b"], 2),
    "ManyPaths": lambda g: apsp.prepare(g).paths(["a", "b", "c"], ["b", "a", "a"]),
}


@pytest.mark.parametrize("name", CLASSES)
def test_all_results_with_narrow_arrays_have_it(name: str) -> None:
    result = CLASSES[name](graph())
    narrow, wide = result.distances, result.to_numpy()
    none = narrow == apsp.unreachable(narrow.dtype)
    assert none.any()
    assert narrow.dtype.kind in "iu"
    assert wide.dtype == np.float64
    assert (np.isinf(wide) == none).all()
    assert (wide[~none] == narrow[~none]).all()
    assert (result.to_numpy("int64", absent=-1) == np.where(none, -1, narrow.astype(np.int64))).all()
    with pytest.raises(apsp.RequestError, match=r"no path .*absent=-1"):
        result.to_numpy(int)


def test_integers_refuse_pairs_without_a_path_unless_told() -> None:
    result = apsp.solve(graph())
    for dtype in (int, "int64", np.int32, "uint16"):
        with pytest.raises(apsp.RequestError, match="absent=-1 \\(or another number\\) stands there"):
            result.to_numpy(dtype)
    with pytest.raises(apsp.RequestError, match="absent must be a number of uint16, 0 to 65535, not -1"):
        result.to_numpy("uint16", absent=-1)
    with pytest.raises(apsp.RequestError, match="absent must be a number of int64"):
        result.to_numpy("int64", absent=INF)
    assert result.to_numpy("uint16", absent=65_535).tolist() == result.distances.tolist()
    assert np.isnan(result.to_numpy(absent=np.nan)[1, 0])
    assert result.to_numpy(absent=0)[1, 0] == 0
    whole = apsp.solve(graph(), sources=["a"])
    assert whole.to_numpy(int).tolist() == [[0, 20_000, 30_000]]


def test_what_a_dtype_does_not_hold_is_refused() -> None:
    with pytest.raises(apsp.RequestError, match="int8 does not hold the distance 20000 exactly"):
        apsp.solve(graph(), sources=["a"]).to_numpy("int8")
    large = apsp.solve(graph([2**53 + 1, 5, 2**60]))
    with pytest.raises(
        apsp.RequestError, match=f"float64 does not hold the distance {2**53 + 1} exactly: result.distances is int64"
    ):
        large.to_numpy()
    assert large.to_numpy("int64", absent=-1)[0].tolist() == [0, 2**53 + 1, 2**53 + 6]
    floats = apsp.solve(graph([0.1, 2.5, 7.0]))
    assert floats.to_numpy("float32")[0, 1] == np.float32(0.1)
    assert floats.to_numpy() is floats.distances
    with pytest.raises(apsp.RequestError, match=r"int64 does not hold the distance 0.1 exactly"):
        floats.to_numpy(int, absent=-1)
    with pytest.raises(apsp.RequestError, match="float32 does not hold the distance 1e"):
        apsp.solve(graph([1e300, 1.0, 1.0])).to_numpy("float32")
    negative = apsp.solve(graph([-3, 1, 1]), sources=["a"])
    with pytest.raises(apsp.RequestError, match="uint64 does not hold the distance -3"):
        negative.to_numpy("uint64")
    for wrong in (None, "text", bool, complex, object()):
        with pytest.raises(apsp.RequestError, match="dtype must be an integer or float dtype"):
            floats.to_numpy(wrong)


def test_other_algebras_have_both_infinities() -> None:
    widest = apsp.solve(graph(), semiring="max_min")
    assert widest.to_numpy().tolist() == [[INF, 20_000, 32_000], [-INF, INF, 10_000], [-INF, -INF, INF]]
    with pytest.raises(apsp.RequestError, match="no path"):
        widest.to_numpy("int64", absent=-1)  # from a vertex to itself there is no bottleneck
    assert apsp.solve(graph(), semiring="min_max").to_numpy()[1].tolist() == [INF, -INF, 10_000]


@pytest.mark.parametrize("n", [0, 1, 3000])
def test_all_sizes(n: int) -> None:
    ends = np.arange(max(n - 1, 0))
    made = apsp.from_edges(ends, ends + 1, n=n) if n else apsp.from_edges([], [], n=0)
    found = apsp.solve(made)
    wide = found.to_numpy()
    assert wide.shape == (n, n)
    assert (np.isinf(wide) == (found.distances == apsp.unreachable(found.distances.dtype))).all()


def test_arrays_on_a_gpu_and_in_stores(tmp_path: Path) -> None:
    result = apsp.solve(graph())
    on_device = apsp.Result(result.graph, to_device(result.distances))
    assert on_device.to_numpy().tolist() == WIDE
    pytest.importorskip("zarr")
    stored = apsp.solve(graph(), store=tmp_path / "distances.zarr")
    assert stored.to_numpy().tolist() == WIDE
    assert np.asarray(stored).tolist() == WIDE


def test_the_warning_is_where_arrays_are_seen() -> None:
    html = apsp.solve(graph())._repr_html_()
    assert "uint16" in html
    assert "to_numpy()" in html
    assert "to_numpy()" not in apsp.solve(graph([0.5, 0.5, 0.5]))._repr_html_()
    for words in (apsp.Result.__doc__, apsp.Oracle.matrix.__doc__):
        assert words is not None
        assert "wrap" in words


def test_sparse_arrays_keep_zeros_and_leave_out_pairs_without_a_path(tmp_path: Path) -> None:
    city = apsp.generate("city", 300, seed=3)
    for result in (apsp.solve(city, cutoff=90), apsp.solve(city, cutoff=90, sources=[5, 3, 5], targets=[9, 5, 1])):
        sparse, dense = result.to_scipy(), result.to_numpy()
        assert sparse.shape == dense.shape
        assert sparse.nnz == np.isfinite(dense).sum()
        rows = np.repeat(np.arange(len(dense)), np.diff(sparse.indptr))
        assert sparse.data.tolist() == dense[rows, sparse.indices].tolist()
        assert sparse.has_sorted_indices
    near = apsp.within(city, 90, sort="target").to_scipy()
    sparse = apsp.solve(city, cutoff=90).to_scipy()
    for name in ("indptr", "indices", "data"):
        assert getattr(near, name).tolist() == getattr(sparse, name).tolist()
    assert graph_result().to_scipy("int64").dtype == np.int64
    with pytest.raises(apsp.RequestError, match="int8 does not hold"):
        graph_result().to_scipy("int8")
    pytest.importorskip("zarr")
    stored = apsp.solve(city, cutoff=90, store=tmp_path / "rows.zarr").to_scipy()
    assert stored.data.tolist() == sparse.data.tolist()
    assert apsp.solve(apsp.from_edges([], [], n=0)).to_scipy().shape == (0, 0)


def graph_result() -> apsp.Result:
    return apsp.solve(graph())
