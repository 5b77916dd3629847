"""Values with labels of their own are aligned by them, in every function, or refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import apsp

pandas = pytest.importorskip("pandas")
xarray = pytest.importorskip("xarray")

LABELS = ["a", "b", "c"]
ORDER = [2, 0, 1]  # of what is given
POINTS = np.array([[0.0, 5.0], [1.0, 6.0], [2.0, 7.0]])


def graph(labels: Any = LABELS) -> apsp.Graph:
    return apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=labels)


def frame(array: Any, order: list[int] = ORDER, labels: list[Any] = LABELS, **columns: Any) -> Any:
    array = np.asarray(array)[order]
    names = [labels[k] for k in order]
    return (pandas.Series if array.ndim == 1 else pandas.DataFrame)(array, index=names, **columns)


# -- one value per vertex ------------------------------------------------------------------------------------------

PER_VERTEX: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "coordinates": (POINTS, lambda values: apsp.from_edges([0], [1], labels=LABELS, coordinates=values).coordinates),
    "coordinates-of-Graph": (
        POINTS, lambda values: apsp.Graph([0, 1, 1, 1], [1], labels=LABELS, coordinates=values).coordinates,
    ),
    "zones": (
        np.array([True, False, False]), lambda values: apsp.from_edges([0], [1], labels=LABELS, zones=values).zones,
    ),
    "to_series": (np.array([3, 4, 5]), lambda values: graph().to_series(values).to_numpy()),
    "groups": (
        np.array([1, 0, 0]), lambda values: apsp.distance_statistics(graph(), groups=values).pairs,
    ),
    "accessibility": (
        np.array([10, 20, 30]), lambda values: np.asarray(apsp.accessibility(graph(), values, cutoffs=4).values),
    ),
}  # fmt: skip


@pytest.mark.parametrize("door", PER_VERTEX)
def test_values_of_vertices_are_in_the_order_of_their_labels(door: str) -> None:
    array, read = PER_VERTEX[door]
    columns = {"columns": ["x", "y"]} if array.ndim == 2 else {}
    expected = read(array)
    np.testing.assert_array_equal(read(frame(array, **columns)), expected)
    dims = ("vertex", "axis")[: array.ndim]
    given = xarray.DataArray(array[ORDER], coords={"vertex": [LABELS[k] for k in ORDER]}, dims=dims)
    np.testing.assert_array_equal(read(given), expected)
    if door != "to_series":
        rows = {LABELS[k]: tuple(array[k].tolist()) if array.ndim == 2 else array[k].item() for k in ORDER}
        np.testing.assert_array_equal(read(rows), expected)


@pytest.mark.parametrize("door", PER_VERTEX)
def test_labels_that_are_unknown_or_doubled_are_refused(door: str) -> None:
    array, read = PER_VERTEX[door]
    columns = {"columns": ["x", "y"]} if array.ndim == 2 else {}
    with pytest.raises(apsp.ApspError, match="no vertex 'd'"):
        read(frame(array, labels=["a", "b", "d"], **columns))
    with pytest.raises(apsp.ApspError, match=r"'a'.*twice|two|2 values for vertex 'a'|twice"):
        read(frame(array, labels=["a", "b", "a"], **columns))


@pytest.mark.parametrize("door", ["coordinates", "coordinates-of-Graph", "zones", "to_series"])
def test_vertices_without_a_value_are_refused(door: str) -> None:
    array, read = PER_VERTEX[door]
    columns = {"columns": ["x", "y"]} if array.ndim == 2 else {}
    with pytest.raises(apsp.RequestError, match="no value for vertex 'b': every vertex needs one"):
        read(frame(array, order=[2, 0], **columns))


def test_an_index_that_only_counts_is_the_order_of_the_vertices_unless_they_have_other_integers() -> None:
    zones = pandas.Series([True, False, False])
    assert apsp.from_edges([0], [1], labels=LABELS, zones=zones).zones.tolist() == [True, False, False]
    assert apsp.from_edges([0], [1], n=3, zones=zones).zones.tolist() == [True, False, False]
    with pytest.raises(apsp.RequestError, match=r"zones: the index counts 0, 1, 2 ..., but the labels"):
        apsp.from_edges([0], [1], labels=[2, 0, 1], zones=zones)


def test_columns_of_coordinates_are_found_by_their_names() -> None:
    for columns in (["y", "x"], ["Latitude", "Longitude"], ["lat", "lon"]):
        given = frame(POINTS[:, ::-1], columns=columns)
        assert (apsp.from_edges([0], [1], labels=LABELS, coordinates=given).coordinates == POINTS).all()
    given = frame(np.c_[POINTS, [7, 8, 9]], columns=["x", "y", "height"])
    assert (apsp.from_edges([0], [1], labels=LABELS, coordinates=given).coordinates == POINTS).all()
    with pytest.raises(apsp.RequestError, match="coordinates have the columns 'north', 'east': name them x and y"):
        apsp.from_edges([0], [1], labels=LABELS, coordinates=frame(POINTS, columns=["north", "east"]))


def test_arrays_that_are_frozen_are_not_those_of_the_caller() -> None:
    zones = pandas.Series([True, False, False], index=LABELS)
    made = apsp.from_edges([0], [1], labels=LABELS, zones=zones)
    zones["b"] = True
    assert made.zones.tolist() == [True, False, False]


# -- one value per arc ---------------------------------------------------------------------------------------------


def test_columns_of_arcs_have_the_same_rows() -> None:
    table = pandas.DataFrame({"tail": [0, 1, 0], "head": [1, 2, 2], "km": [4, 1, 9]}, index=[7, 5, 6])
    assert apsp.from_edges(table["tail"], table["head"], table["km"]) == apsp.from_edges(
        [0, 1, 0], [1, 2, 2], [4, 1, 9]
    )
    with pytest.raises(apsp.GraphError, match="weights and tails have different labels of their rows"):
        apsp.from_edges(table["tail"], table["head"], table["km"].sort_values())
    with pytest.raises(apsp.GraphError, match=r"costs\['km'\] and tails have different labels"):
        apsp.from_edges(table["tail"], table["head"], costs={"km": table["km"].sort_values()})


@pytest.mark.parametrize(
    "use",
    [
        lambda made, values: made.with_weights(values),
        lambda made, values: made.with_costs(km=values),
        lambda made, values: apsp.prepare(made).update(values),
        lambda made, values: apsp.skim(made, {"km": values}),
        lambda made, values: apsp.Graph(made.indptr, made.indices, values),
    ],
)
def test_labels_of_arcs_that_cannot_be_aligned_are_refused(use: Any) -> None:
    values = pandas.Series([4, 9, 1], index=[2, 0, 1])
    with pytest.raises(apsp.GraphError, match=r"the labels 2, 0, 1 cannot be aligned"):
        use(graph(), values)
    use(graph(), values.reset_index(drop=True))


# -- matrices ------------------------------------------------------------------------------------------------------

MATRIX = np.array([[0.0, 4.0, 9.0], [np.inf, 0.0, 1.0], [2.0, np.inf, 0.0]])


def matrices() -> dict[str, Any]:
    plain = pandas.DataFrame(MATRIX, index=LABELS, columns=LABELS)
    return {
        "plain": plain,
        "columns": plain[["c", "a", "b"]],
        "rows": plain.loc[["b", "c", "a"]],
        "xarray": xarray.DataArray(MATRIX, coords={"from": LABELS, "to": LABELS}, dims=("from", "to")),
        "xarray-reversed": xarray.DataArray(MATRIX.T, coords={"from": LABELS, "to": LABELS}, dims=("to", "from")),
    }


@pytest.mark.parametrize("kind", matrices())
def test_a_frame_with_equal_index_and_columns_is_a_matrix(kind: str) -> None:
    for read in (apsp.as_graph, apsp.from_dense):
        made = read(matrices()[kind])
        result = apsp.solve(made)
        assert set(made.labels) == set(LABELS)
        assert [result.distance(*pair) for pair in ("ab", "ac", "bc", "ba", "ca")] == [4, 5, 1, 3, 2]
    assert apsp.solve(matrices()[kind]).distance("c", "b") == 6
    assert list(apsp.from_dense(matrices()[kind], labels=["b", "a", "c"]).labels) == ["b", "a", "c"]
    assert apsp.solve(apsp.from_dense(matrices()[kind], labels=["b", "a", "c"])).distance("a", "c") == 5


def test_a_frame_without_names_is_a_matrix_unless_it_may_be_a_list_of_edges() -> None:
    assert apsp.solve(pandas.DataFrame(MATRIX)).distance(0, 2) == 5
    with pytest.raises(apsp.RequestError, match="may be a matrix or a list of edges"):
        apsp.solve(pandas.DataFrame([[0, 1, 4], [1, 2, 5], [2, 3, 6]]))
    edges = pandas.DataFrame({"source": [0, 1, 2], "target": [1, 2, 0], "weight": [1, 2, 3]})
    assert apsp.solve(edges).distance(0, 2) == 3


def test_matrices_whose_labels_do_not_agree_are_refused() -> None:
    with pytest.raises(apsp.RequestError, match=r"the matrix \(columns\): there is no vertex 'd'"):
        apsp.from_dense(pandas.DataFrame(MATRIX, index=LABELS, columns=["a", "b", "d"]))
    with pytest.raises(apsp.RequestError, match="labels of its rows or of its columns only"):
        apsp.from_dense(pandas.DataFrame(MATRIX, index=LABELS))
    with pytest.raises(apsp.RequestError, match="'a' occurs twice"):
        apsp.from_dense(pandas.DataFrame(MATRIX, index=["a", "a", "c"], columns=["a", "a", "c"]))
    with pytest.raises(apsp.RequestError, match=r"the matrix \(rows\): there is no vertex 'a'"):
        apsp.from_dense(pandas.DataFrame(MATRIX, index=LABELS, columns=LABELS), labels=["x", "y", "z"])
    with pytest.raises(apsp.RequestError, match=r"apsp.from_dense reads it"):
        apsp.from_edges(pandas.DataFrame(MATRIX, index=LABELS, columns=LABELS))


def test_our_own_tables_are_read_or_refused() -> None:
    result = apsp.solve(graph())
    for table in (result.to_pandas(), result.to_xarray()):
        again = apsp.solve(table)
        assert again.distance("a", "c") == 5
        assert again.distance("c", "a") == np.inf
    part = apsp.solve(graph(), sources=["a", "b"])
    for table in (part.to_pandas(), part.to_xarray()):
        with pytest.raises(apsp.ApspError, match="a table of source by target"):
            apsp.solve(table)
    long = pandas.DataFrame(result.to_long())
    assert apsp.solve(long).distance("a", "c") == 5


def test_products_refuse_labels() -> None:
    given = pandas.DataFrame(MATRIX, index=LABELS, columns=LABELS)
    with pytest.raises(apsp.GraphError, match="cannot be aligned"):
        apsp.product(given, given)
    assert apsp.product(given.to_numpy(), pandas.DataFrame(MATRIX)).shape == (3, 3)


# -- demand --------------------------------------------------------------------------------------------------------

DEMAND = np.array([[0.0, 10.0, 20.0], [1.0, 0.0, 30.0], [0.0, 2.0, 0.0]])


def ring() -> apsp.Graph:
    return apsp.from_edges([0, 1, 2, 1], [1, 2, 0, 0], [1, 1, 1, 5], labels=LABELS)


def demands() -> dict[str, Any]:
    plain = pandas.DataFrame(DEMAND, index=LABELS, columns=LABELS)
    mixed = plain.loc[["b", "c", "a"], ["c", "a", "b"]]
    ends = {"origin": LABELS, "destination": LABELS}
    return {
        "plain": plain,
        "mixed": mixed,
        "xarray": xarray.DataArray(DEMAND, coords=ends, dims=("origin", "destination"))[[1, 2, 0], [2, 0, 1]],
        "reversed": xarray.DataArray(DEMAND.T, coords=ends, dims=("destination", "origin"))[[1, 2, 0]],
    }


@pytest.mark.parametrize("kind", demands())
def test_demand_is_aligned_by_its_labels(kind: str) -> None:
    expected = apsp.arc_flows(ring(), DEMAND)
    demand = demands()[kind]
    assert apsp.arc_flows(ring(), demand).arcs.tolist() == expected.arcs.tolist()
    found = apsp.arc_flows(ring(), demand, sources=["c", "a", "b"], targets=["b", "a", "c"])
    assert found.arcs.tolist() == expected.arcs.tolist()
    assert found.served.tolist() == expected.served[[2, 0, 1]].tolist()


def test_demand_of_some_zones_names_its_own_sources_and_targets() -> None:
    some = pandas.DataFrame([[20.0, 10.0]], index=["a"], columns=["c", "b"])
    expected = apsp.arc_flows(ring(), [[20.0, 10.0]], sources=["a"], targets=["c", "b"])
    assert apsp.arc_flows(ring(), some).arcs.tolist() == expected.arcs.tolist()
    assert apsp.arc_flows(ring(), some, targets=["b", "c"]).arcs.tolist() == expected.arcs.tolist()


@pytest.mark.parametrize(
    ("index", "options", "message"),
    [
        (["a", "b", "z"], {}, r"demand \(rows\): there is no vertex 'z'"),
        (["a", "b", "b"], {}, r"demand \(rows\): the label 'b' occurs twice"),
        (["a", "b", "c"], {"sources": ["a", "b"]}, r"demand \(rows\): there is no vertex 'c'"),
        (["a", "b", "c"], {"sources": ["a", "b", "b"]}, "sources: the label 'b' occurs twice"),
        (["a", "b", "b"], {"sources": ["a", "b", "c"]}, r"demand \(rows\) has 2 values for vertex 'b'"),
    ],
)
def test_demand_whose_labels_do_not_fit_is_refused(index: list[str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(apsp.RequestError, match=message):
        apsp.arc_flows(ring(), pandas.DataFrame(DEMAND, index=index, columns=LABELS), **options)


def test_demand_whose_index_only_counts_is_refused_where_labels_are_other_integers() -> None:
    made = ring()
    numbered = apsp.Graph(made.indptr, made.indices, made.weights, labels=[1, 2, 3])
    with pytest.raises(apsp.RequestError, match=r"demand \(rows\): the index counts"):
        apsp.arc_flows(numbered, pandas.DataFrame(DEMAND))
    found = apsp.arc_flows(numbered, pandas.DataFrame(DEMAND), sources=[1, 2, 3], targets=[1, 2, 3])
    assert found.arcs.tolist() == apsp.arc_flows(made, DEMAND).arcs.tolist()


# -- labels as a sequence ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("labels", [None, range(5, 8), [7, 3, 5], LABELS, [("a", 1), ("a", 2), "b"]])
def test_labels_take_slices_masks_and_positions(labels: Any) -> None:
    made = graph(labels)
    every = list(range(3) if labels is None else labels)
    assert [made.labels[k] for k in (0, -1, np.int64(1))] == [every[0], every[2], every[1]]
    assert made.labels[:2].tolist() == every[:2]
    assert made.labels[::-1].tolist() == every[::-1]
    assert made.labels[[2, 0]].tolist() == [every[2], every[0]]
    assert made.labels[np.array([-1])].tolist() == [every[2]]
    assert made.labels[np.array([True, False, True])].tolist() == [every[0], every[2]]
    assert made.labels[[True, False, True]].tolist() == [every[0], every[2]]
    assert made.labels[[]].tolist() == []
    assert apsp.solve(made, sources=made.labels[:2]).distances.shape == (2, 3)
    for wrong in ("a", 1.5, [True], None, [1.5], object()):
        with pytest.raises(apsp.RequestError, match=r"labels\[...\] takes a position"):
            made.labels[wrong]
    for beyond in (3, [3]):
        with pytest.raises(IndexError):
            made.labels[beyond]
