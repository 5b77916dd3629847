"""Estimators of scikit-learn that take geodesic distances."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn", "1.6")

from sklearn.base import clone
from sklearn.cluster import DBSCAN, AgglomerativeClustering
from sklearn.datasets import make_moons, make_s_curve, make_swiss_roll
from sklearn.decomposition import KernelPCA
from sklearn.manifold import Isomap
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier, LocalOutlierFactor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from apsp.sklearn import GeodesicDistance

ROLL, TURN = make_swiss_roll(200, random_state=0)
MOONS, MOON = make_moons(120, noise=0.03, random_state=0)
WIDE = {"n_neighbors": 12}


def kernel(distances):
    return -0.5 * distances**2


def test_kernel_pca_is_isomap():
    isomap = Isomap(n_neighbors=8, n_components=2).fit(ROLL)
    pipeline = make_pipeline(
        GeodesicDistance(n_neighbors=8), FunctionTransformer(kernel), KernelPCA(2, kernel="precomputed")
    )
    found = pipeline.fit_transform(ROLL)
    np.testing.assert_allclose(np.abs(found), np.abs(isomap.embedding_), atol=1e-8)
    other = ROLL[:9] + 0.2
    np.testing.assert_allclose(np.abs(pipeline.transform(other)), np.abs(isomap.transform(other)), atol=1e-8)


def test_landmarks_approximate_isomap():
    """Landmark multidimensional scaling: fitted to the landmarks, applied to all."""
    samples = make_s_curve(400, random_state=0)[0]
    geodesic = GeodesicDistance(n_neighbors=10, landmarks=80, random_state=0).fit(samples)
    squares = kernel(geodesic.distances_)
    scaling = KernelPCA(2, kernel="precomputed").fit(squares[geodesic.landmarks_])
    found, expected = scaling.transform(squares), Isomap(n_neighbors=10, n_components=2).fit_transform(samples)
    for axis in range(2):
        assert abs(np.corrcoef(found[:, axis], expected[:, axis])[0, 1]) > 0.99


@pytest.mark.parametrize("options", [{}, {"k_nearest": 30}])
def test_dbscan(options):
    clusters = make_pipeline(
        GeodesicDistance(**WIDE, **options), DBSCAN(eps=0.25, min_samples=4, metric="precomputed")
    ).fit_predict(MOONS)
    assert adjusted_rand_score(MOON, clusters) > 0.95


def test_agglomerative_clustering():
    distances = GeodesicDistance(**WIDE).fit_transform(MOONS)
    clusters = AgglomerativeClustering(2, metric="precomputed", linkage="single").fit_predict(distances)
    assert adjusted_rand_score(MOON, clusters) == 1


@pytest.mark.parametrize("options", [{}, {"k_nearest": 20}])
def test_nearest_neighbours(options):
    pipeline = make_pipeline(
        GeodesicDistance(**WIDE, **options), KNeighborsClassifier(n_neighbors=5, metric="precomputed")
    )
    assert clone(pipeline).fit(MOONS[::2], MOON[::2]).score(MOONS[1::2], MOON[1::2]) > 0.95
    search = GridSearchCV(pipeline, {"geodesicdistance__n_neighbors": [10, 14]}, cv=2).fit(MOONS, MOON)
    assert search.best_score_ > 0.95
    outliers = LocalOutlierFactor(5, metric="precomputed").fit_predict(pipeline[0].fit_transform(MOONS))
    assert (outliers == 1).mean() > 0.8


@pytest.mark.slow  # UMAP compiles its functions
@pytest.mark.filterwarnings("ignore")
def test_umap():
    umap = pytest.importorskip("umap")
    distances = GeodesicDistance(**WIDE).fit_transform(MOONS)
    mapped = umap.UMAP(metric="precomputed", n_neighbors=8, n_epochs=20, random_state=0).fit_transform(distances)
    assert mapped.shape == (len(MOONS), 2)


@pytest.mark.parametrize("options", [{}, {"landmarks": 4, "random_state": 0}])
def test_tables(options):
    pandas = pytest.importorskip("pandas")
    samples = pandas.DataFrame(ROLL, columns=["x", "y", "z"])
    geodesic = GeodesicDistance(**options).set_output(transform="pandas").fit(samples)
    assert geodesic.feature_names_in_.tolist() == ["x", "y", "z"]
    found = geodesic.transform(samples[:3])
    assert found.columns.tolist() == geodesic.get_feature_names_out().tolist()
    np.testing.assert_allclose(found, geodesic.distances_[:3], atol=1e-12)
