"""`apsp.sklearn.GeodesicDistance`: scikit-learn's own checks, Isomap's distances, and errors."""

from __future__ import annotations

import doctest
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn", "1.6")

from scipy.sparse import csr_array, issparse
from sklearn.datasets import make_blobs, make_swiss_roll
from sklearn.exceptions import NotFittedError
from sklearn.manifold import Isomap
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import KNeighborsTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

import apsp
from apsp.compat.sklearn import geodesic
from apsp.sklearn import GeodesicDistance

ROLL = make_swiss_roll(150, random_state=0)[0]
BLOBS = make_blobs(90, centers=4, random_state=1)[0]
TWICE = np.vstack([ROLL[:60], ROLL[:30]])


@parametrize_with_checks(
    [GeodesicDistance(n_neighbors=3), GeodesicDistance(k_nearest=2), GeodesicDistance(landmarks=2, random_state=0)]
)
def test_checks_of_scikit_learn(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", apsp.ApspWarning)  # of graphs of few samples, which are not connected
        check(estimator)


def quietly(estimator, samples):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(samples)


@pytest.mark.few(8)
@pytest.mark.parametrize("samples", [ROLL, BLOBS, TWICE, BLOBS.astype(np.float32)])
@pytest.mark.parametrize(
    "options",
    [
        {"n_neighbors": 4},
        {"n_neighbors": None, "radius": 5.0},
        {"n_neighbors": 3, "metric": "manhattan"},
        {"n_neighbors": 3, "p": 3},
        {"n_neighbors": 2, "metric": "minkowski", "metric_params": {"w": [1.0, 2.0]}},
    ],
)
def test_distances_are_those_of_isomap(samples, options):
    if "metric_params" in options:
        samples = samples[:, :2]
    expected = quietly(Isomap(**options), samples).dist_matrix_
    fitted = quietly(GeodesicDistance(**options), samples)
    assert fitted.distances_.dtype == expected.dtype
    np.testing.assert_allclose(fitted.distances_, expected, rtol=1e-6 if samples.dtype == np.float32 else 1e-12)


def test_some_data_sets_above_have_several_components():
    with pytest.warns(apsp.ApspWarning, match="the graph of neighbours has . components"):
        GeodesicDistance(n_neighbors=4).fit(BLOBS)
    with pytest.raises(apsp.GraphError, match="components: increase n_neighbors"):
        GeodesicDistance(n_neighbors=4, components="error").fit(BLOBS)


def test_matrices_of_distances_are_samples():
    between = pairwise_distances(BLOBS)
    precomputed = quietly(GeodesicDistance(n_neighbors=4, metric="precomputed"), between)
    fitted = quietly(GeodesicDistance(n_neighbors=4), BLOBS)
    np.testing.assert_allclose(precomputed.distances_, fitted.distances_, rtol=1e-9)
    other = BLOBS[:5] + 0.1
    found = precomputed.transform(pairwise_distances(other, BLOBS))
    np.testing.assert_allclose(found, fitted.transform(other), rtol=1e-9)


def test_sparse_graphs_of_neighbours_are_samples():
    graph = KNeighborsTransformer(n_neighbors=8).fit_transform(ROLL)
    fitted = GeodesicDistance(n_neighbors=8, metric="precomputed").fit(graph)
    np.testing.assert_allclose(fitted.distances_, GeodesicDistance(n_neighbors=8).fit_transform(ROLL))
    with pytest.raises(apsp.GraphError, match="no distances between them"):
        GeodesicDistance(n_neighbors=4, metric="precomputed").fit(
            KNeighborsTransformer(n_neighbors=4).fit_transform(BLOBS)
        )


def test_sparse_samples():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dense, sparse = (GeodesicDistance(n_neighbors=2).fit_transform(x) for x in (BLOBS, csr_array(BLOBS)))
    np.testing.assert_allclose(sparse, dense, rtol=1e-6)


@pytest.mark.parametrize("options", [{"n_neighbors": 6}, {"n_neighbors": None, "radius": 8.0}])
def test_other_samples_reach_all_through_their_neighbours(options):
    """As Isomap: the minimum over neighbours."""
    fitted, other = GeodesicDistance(**options).fit(ROLL), ROLL[::7] + 0.3
    lengths = pairwise_distances(other, ROLL)
    for row, found in zip(lengths, fitted.transform(other), strict=True):
        near = np.argsort(row)[:6] if fitted.radius is None else np.flatnonzero(row <= 8)
        np.testing.assert_allclose(found, (row[near, None] + fitted.distances_[near]).min(axis=0))
    np.testing.assert_allclose(fitted.transform(ROLL), fitted.distances_, atol=1e-12)


def test_a_sample_without_neighbours_is_named():
    fitted = GeodesicDistance(n_neighbors=None, radius=8.0).fit(ROLL)
    with pytest.raises(apsp.RequestError, match="sample 1 has no neighbour within radius=8: increase"):
        fitted.transform([ROLL[0], ROLL[0] + 1000])


def test_k_nearest_are_in_the_format_of_neighbours_of_scikit_learn():
    whole = GeodesicDistance(n_neighbors=6).fit(ROLL)
    fitted = GeodesicDistance(n_neighbors=6, k_nearest=7).fit(ROLL)
    other = ROLL[:40] + 0.2
    for found, expected in (
        (fitted.fit_transform(ROLL), whole.distances_),
        (fitted.transform(ROLL), whole.distances_),
        (fitted.transform(other), whole.transform(other)),
    ):
        model = KNeighborsTransformer(n_neighbors=7).fit(ROLL).transform(other if len(expected) == 40 else ROLL)
        assert issparse(found)
        assert (found.format, found.shape, found.nnz) == (model.format, model.shape, model.nnz)
        nearest = found.data.reshape(len(expected), 8)
        np.testing.assert_allclose(nearest, np.sort(expected, axis=1)[:, :8], atol=1e-12)
        for row, columns, values in zip(expected, found.indices.reshape(nearest.shape), nearest, strict=True):
            np.testing.assert_allclose(row[columns], values, atol=1e-12)
            assert len(set(columns)) == 8


def test_landmarks():
    whole = GeodesicDistance(n_neighbors=6).fit(ROLL)
    given = GeodesicDistance(n_neighbors=6, landmarks=[7, 3, 149]).fit(ROLL)
    np.testing.assert_allclose(given.distances_, whole.distances_[:, [7, 3, 149]])
    np.testing.assert_allclose(given.transform(ROLL + 0.1), whole.transform(ROLL + 0.1)[:, [7, 3, 149]])
    assert given.get_feature_names_out().tolist() == [f"geodesicdistance{i}" for i in range(3)]
    drawn = [GeodesicDistance(landmarks=20, random_state=5).fit(ROLL).landmarks_ for _ in range(2)]
    assert drawn[0].tolist() == drawn[1].tolist() == sorted(set(drawn[0]))
    assert len(drawn[0]) == 20


def test_dtypes():
    assert GeodesicDistance(dtype="float32").fit_transform(ROLL).dtype == np.float32
    assert GeodesicDistance(dtype="float64").fit_transform(ROLL.astype(np.float32)).dtype == np.float64
    for options in ({"k_nearest": 3}, {"landmarks": 4}):
        fitted = GeodesicDistance(**options).fit(ROLL.astype(np.float32))
        assert fitted.transform(ROLL).dtype == np.float32


def test_the_graph_has_the_paths():
    fitted = GeodesicDistance(n_neighbors=6).fit(ROLL)
    result = apsp.solve(fitted.graph_, sources=[3], paths=True)
    assert result.distance(3, 90) == pytest.approx(fitted.distances_[3, 90])
    assert result.path(3, 90)[0] == 3


def test_n_jobs_are_the_threads(monkeypatch):
    seen = []
    solve = apsp.solve
    monkeypatch.setattr(
        "apsp.compat.sklearn.geodesic.solve", lambda *a, **k: (seen.append(k["threads"]), solve(*a, **k))[1]
    )
    for n_jobs in (None, 3):
        GeodesicDistance(n_neighbors=2, components="join", n_jobs=n_jobs).fit([[0.0], [1.0], [2.0]])
    assert seen == [1, 3]


def test_what_was_fitted_is_pickled():
    fitted = GeodesicDistance(n_neighbors=6, k_nearest=3).fit(ROLL)
    back = pickle.loads(pickle.dumps(fitted))
    assert (back.transform(ROLL[:9]) != fitted.transform(ROLL[:9])).nnz == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"radius": 2.0}, "one of n_neighbors and radius"),
        ({"n_neighbors": None}, "one of n_neighbors and radius"),
        ({"k_nearest": 2, "landmarks": 2}, "one of k_nearest and landmarks"),
        ({"k_nearest": 0}, "k_nearest must be a whole number of at least 1"),
        ({"k_nearest": 150}, "k_nearest=150 must be less than the number of samples"),
        ({"landmarks": 151}, "landmarks=151 must be at most the number of samples"),
        ({"landmarks": [0, 150]}, "landmarks must be positions of samples, from 0 to 149"),
        ({"landmarks": [[0], [1, 2]]}, "landmarks must be a number, or a sequence"),
        ({"landmarks": [0.5]}, "landmarks must be a number, or a sequence"),
        ({"components": "add"}, "components must be one of join, error"),
        ({"dtype": "int32"}, "dtype must be one of auto, float32, float64"),
    ],
)
def test_invalid_parameters(options, words):
    with pytest.raises(apsp.RequestError, match=words):
        GeodesicDistance(**options).fit(ROLL)


def test_examples_of_the_docstrings_run():
    assert doctest.testmod(geodesic) == (0, 10)


def test_before_the_fit():
    with pytest.raises(NotFittedError):
        GeodesicDistance().transform(ROLL)


@pytest.mark.slow
def test_import_without_scikit_learn_names_the_extra():
    code = "import sys; sys.modules['sklearn'] = None; import apsp.sklearn"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "MissingDependencyError: apsp.sklearn needs scikit-learn: pip install 'apsp[sklearn]'" in done.stderr


def test_transform_follows_the_fit_and_a_fit_replaces_all_of_the_last_one():
    geodesic = GeodesicDistance(n_neighbors=6, landmarks=3, random_state=0).fit(ROLL)
    expected = geodesic.transform(ROLL[:4])
    np.testing.assert_array_equal(geodesic.set_params(k_nearest=2, landmarks=None).transform(ROLL[:4]), expected)
    assert issparse(geodesic.fit(ROLL).transform(ROLL[:4]))
    assert not hasattr(geodesic, "distances_")
    assert not hasattr(geodesic, "landmarks_")
    assert issparse(geodesic.set_params(k_nearest=None).transform(ROLL[:4]))
    assert not hasattr(geodesic.fit(ROLL), "nearest_")
