"""Distances for other packages: indexing, arrays, dictionaries, tables."""

from __future__ import annotations

import copy
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.gpu.emulated.arrays import to_device
from apsp.semiring import MAX_MIN, MIN_PLUS
from apsp.system.array_device import is_on_gpu, to_host

LABELS = ["a", "b", "c"]


def result(**options: Any) -> apsp.Result:
    graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=options.pop("labels", LABELS))
    return apsp.solve(graph, **options)


# -- result[source, target] -----------------------------------------------------------------------------------------


def test_a_pair_is_a_distance() -> None:
    assert result()["a", "c"] == 5
    assert result()["c", "a"] == float("inf")
    assert isinstance(result()["a", "c"], int)
    assert result(labels=None)[np.int32(0), 2] == 5


def test_a_label_may_be_a_tuple() -> None:
    assert result(labels=[(0, 0), (0, 1), (1, 1)])[(0, 0), (1, 1)] == 5
    with pytest.raises(apsp.GraphError, match="no vertex 0"):
        result(labels=[(0, 0), (0, 1), (1, 1)])[(0, 0)]


@pytest.mark.parametrize("many", [list, np.array, lambda labels: np.array(labels, dtype=object)])
def test_rows_columns_and_blocks(many: Any) -> None:
    found = result()
    whole = found.distances
    assert found["a", :].tolist() == whole[0].tolist()
    assert found[:, "c"].tolist() == whole[:, 2].tolist()
    assert found[:, :].tolist() == whole.tolist()
    assert found[many(["b", "a"]), "c"].tolist() == [1, 5]
    assert found["a", many(["c", "c"])].tolist() == [5, 5]
    assert found[many(["b", "a"]), many(["c", "a", "b"])].tolist() == [[1, 65535, 0], [5, 0, 4]]
    assert found[[], :].shape == (0, 3)


def test_among_some_sources_and_targets() -> None:
    found = result(sources=["c", "a", "c"], targets=["b", "c"])
    assert found["a", :].tolist() == [4, 5]
    assert found[["a", "c"], ["c", "b"]].tolist() == [[5, 4], [0, 65535]]
    with pytest.raises(apsp.RequestError, match="'b' is not among the sources"):
        found[["a", "b"], :]
    with pytest.raises(apsp.RequestError, match="'a' is not among the targets"):
        found["a", ["a"]]


def test_slices_of_vertices_without_labels() -> None:
    found = result(labels=None)
    assert found[1:, 2].tolist() == [1, 0]
    assert found[0, :2].tolist() == [0, 4]
    assert found[::-1, 2].tolist() == [0, 1, 5]
    assert result(labels=None, sources=[2, 1])[1:, 2].tolist() == [1, 0]
    with pytest.raises(apsp.RequestError, match="bounds of a slice"):
        found["a":, 0]
    with pytest.raises(apsp.RequestError, match="list of labels"):
        result()["a":"b", "c"]


@pytest.mark.parametrize("key", [0, "a", ("a",), ("a", "b", "c"), slice(None), None, ["a", "b"]])
def test_anything_else_is_refused(key: Any) -> None:
    with pytest.raises(apsp.RequestError, match="needs a source and a target"):
        result()[key]


@pytest.mark.parametrize("key", [({"a"}, "b"), (["a", "x"], "b"), (np.array([True, False, True]), "b"), ("a", None)])
def test_what_is_not_a_vertex(key: Any) -> None:
    with pytest.raises(apsp.GraphError):
        result()[key]


def test_rows_are_not_iterated_by_number() -> None:
    with pytest.raises(TypeError):
        list(result())
    with pytest.raises(TypeError):
        5 in result()  # noqa: B015


# -- arrays ---------------------------------------------------------------------------------------------------------


def test_numpy_takes_the_distances() -> None:
    found = result()
    assert found.distances.dtype == np.uint16
    for array in (np.asarray(found), np.asarray(found, dtype=float), found.to_numpy()):
        assert array.dtype == np.float64
        assert array.tolist() == found.to_pandas().to_numpy().tolist()
    with pytest.raises(ValueError, match="need a copy"):
        found.__array__(np.float64, copy=False)
    floats = result(dtype="float64")
    assert np.shares_memory(np.asarray(floats), floats.distances)
    assert np.shares_memory(floats.__array__(copy=False), floats.distances)
    assert not np.shares_memory(np.array(floats), floats.distances)
    assert not np.shares_memory(floats.__array__(copy=True), floats.distances)


def test_dlpack_takes_them_without_a_copy() -> None:
    found = result()
    assert found.__dlpack_device__() == (1, 0)
    assert np.shares_memory(np.from_dlpack(found), found.distances)


# -- dictionaries and tables ----------------------------------------------------------------------------------------


def test_dictionaries() -> None:
    inf = float("inf")
    assert result(targets=["b", "c"]).to_dict() == {"a": {"b": 4, "c": 5}, "b": {"b": 0, "c": 1}, "c": {"c": 0}}
    assert result(sources=["b"]).to_dict(only_reachable=False) == {"b": {"a": inf, "b": 0, "c": 1}}
    assert type(result().to_dict()["a"]["c"]) is int
    widest = result(semiring="max_min", sources=["b"]).to_dict(only_reachable=False)
    assert widest == {"b": {"a": -inf, "b": inf, "c": 1}}


def test_the_dictionary_is_that_of_networkx() -> None:
    networkx = pytest.importorskip("networkx")
    graph = networkx.gnp_random_graph(12, 0.15, seed=4, directed=True)
    assert apsp.solve(graph).to_dict() == dict(networkx.all_pairs_shortest_path_length(graph))


def test_pandas() -> None:
    pytest.importorskip("pandas")
    frame = result().to_pandas()
    assert frame.loc["a", "c"] == 5
    assert (frame.index.name, frame.columns.name) == ("source", "target")
    assert np.isinf(frame.loc["c", "a"])
    assert result(sources=["a"]).to_pandas().dtypes.tolist() == [np.uint16] * 3
    assert result(labels=[(0, 0), (0, 1), (1, 1)]).to_pandas().index.tolist() == [(0, 0), (0, 1), (1, 1)]
    assert result(semiring="max_min").to_pandas().loc["c", "a"] == -np.inf


def test_xarray() -> None:
    pytest.importorskip("xarray")
    found = result().to_xarray()
    assert found.sel(source="a", target="c") == 5
    assert np.isinf(found.sel(source="c", target="a"))
    assert (found.name, found.attrs["device"]) == ("distance", "cpu")
    assert result(labels=None, sources=[0]).to_xarray().dtype == np.uint16


def test_the_nearest_in_xarray() -> None:
    pytest.importorskip("xarray")
    graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
    found = apsp.k_nearest(graph, 2, sources=["b", "a"]).to_xarray()
    assert dict(found.sizes) == {"source": 2, "rank": 2}
    assert found.target.values[1].tolist() == ["b", "c"]
    assert (found.target[0, 0], bool(found.target[0, 1].isnull())) == ("c", True)
    assert found.distance.values.tolist() == [[1, np.inf], [4, 5]]
    assert apsp.k_nearest(graph, 1, sources=["a"]).to_xarray().distance.dtype == np.uint16
    plain = apsp.k_nearest(apsp.from_edges([0, 1], [1, 0], [2**60 + 1, 1]), 1).to_xarray()
    assert plain.distance.values.tolist() == [[2**60 + 1], [1]]
    with pytest.raises(apsp.RequestError, match="to_long"):
        apsp.k_nearest(apsp.from_edges([0], [1], [2**60 + 1]), 1).to_xarray()


def test_integers_that_floats_do_not_hold_are_refused() -> None:
    pytest.importorskip("pandas")
    graph = apsp.from_edges([0], [1], [2**60 + 1])
    with pytest.raises(apsp.RequestError, match="to_long"):
        apsp.solve(graph).to_pandas()
    assert apsp.solve(graph, sources=[0]).to_pandas().loc[0, 1] == 2**60 + 1


@pytest.mark.parametrize("package", ["pandas", "polars", "xarray"])
def test_a_missing_package_is_named_with_its_extra(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(apsp.MissingDependencyError, match=rf"pip install 'apsp\[{package}\]'"):
        getattr(result(), f"to_{package}")()


# -- pickles --------------------------------------------------------------------------------------------------------


def test_results_come_back_from_pickles_and_files(tmp_path: Path) -> None:
    found = result(paths=True, sources=["b", "a"])
    found.save(tmp_path / "r.npz")
    for again in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(apsp.load(tmp_path / "r.npz")))):
        assert again.graph == found.graph
        assert again.distances.tolist() == found.distances.tolist()
        assert again.sources.tolist() == ["b", "a"]
        assert again.path("a", "c") == ["a", "b", "c"]
        assert again.semiring is MIN_PLUS
        again.verify()
    assert pickle.loads(pickle.dumps(result(semiring="max_min"))).semiring is MAX_MIN


# -- on a GPU, here an emulated one -----------------------------------------------------------------------------------


def on_a_gpu() -> apsp.Result:
    found = result(paths=True)
    return apsp.Result(found.graph, to_device(found.distances), pred=to_device(found.predecessors))


def test_parts_stay_on_the_gpu_and_tables_come_to_the_host() -> None:
    found, here = on_a_gpu(), result()
    assert repr(found) == "Result(3 x 3, uint16, emulated:0, with paths)"
    for key in (("a", slice(None)), (["b", "a"], slice(None)), (slice(None), ["c", "a"]), (["b"], ["c", "a"])):
        assert is_on_gpu(found[key])
        assert to_host(found[key]).tolist() == here[key].tolist()
    assert found["a", "c"] == 5
    assert found.to_dict() == here.to_dict()
    assert type(np.asarray(found)) is np.ndarray
    with pytest.raises(ValueError, match="need a copy"):
        found.__array__(copy=False)
    assert "emulated:0" in found._repr_html_()


def test_pickles_of_results_on_a_gpu_hold_host_arrays() -> None:
    for again in (pickle.loads(pickle.dumps(on_a_gpu())), copy.copy(on_a_gpu())):
        assert type(again.distances) is type(again.predecessors) is np.ndarray
        assert again.path("a", "c") == ["a", "b", "c"]
    graph = on_a_gpu().graph
    block = apsp.Block(np.array([0], np.int32), to_device(np.zeros((1, 3))), labels=graph.labels)
    assert repr(block) == "Block(1 x 3, float64, emulated:0)"
    assert type(pickle.loads(pickle.dumps(block)).distances) is np.ndarray
