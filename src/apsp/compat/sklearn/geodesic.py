"""Geodesic distances along the graph of neighbours of samples, as a transformer of scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from joblib import effective_n_jobs
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from apsp._types import NumPyArray
from apsp.api.solving import solve
from apsp.api.streaming import stream
from apsp.compat.sklearn.neighbours import join_components, neighbours_graph
from apsp.compat.sklearn.unseen import links_to, nearest_through, rows_through
from apsp.errors import RequestError
from apsp.graph.model import Graph
from apsp.measures.neighbours import k_nearest
from apsp.system.arguments import one_of, whole_number

__all__ = ["GeodesicDistance"]

_DTYPES = ("float32", "float64")


class GeodesicDistance(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Distances between samples along the graph of their neighbours.

    `fit` joins each sample to its neighbours and computes the shortest paths of this graph: the first two steps of
    Isomap. The distances are input for any estimator that takes them (`metric="precomputed"`).

    Parameters
    ----------
    n_neighbors : int or None, default=5
        Number of neighbours per sample; None if `radius` is given.
    radius : float, optional
        The neighbours of a sample are those within this distance. Pass `n_neighbors=None` with it.
    metric : str or callable, default='minkowski'
        Metric of `sklearn.neighbors.NearestNeighbors`. With 'precomputed', samples are rows of a matrix of distances,
        or of a sparse graph of neighbours.
    p : float, default=2
        Power of the Minkowski metric.
    metric_params : dict, optional
        Further arguments of the metric.
    neighbors_algorithm : {'auto', 'brute', 'kd_tree', 'ball_tree'}, default='auto'
        How neighbours are found.
    components : {'join', 'error'}, default='join'
        If the graph is not connected: 'join' adds the shortest edge between any two components, as Isomap does, with a
        warning; 'error' raises an exception.
    k_nearest : int, optional
        Give the distances to this number of nearest samples, as a sparse matrix, instead of all.
    landmarks : int or (L,) array of int, optional
        Give the distances to these samples, or to this number of random ones, instead of all.
    dtype : {'auto', 'float32', 'float64'}, default='auto'
        Dtype of the distances; 'auto' is float32 for float32 samples, else float64.
    random_state : int, RandomState or None, default=None
        Selects random landmarks.
    n_jobs : int, optional
        Threads: None means 1 unless in a `joblib.parallel_config` context, -1 means all cores, as in scikit-learn.

    Attributes
    ----------
    graph_ : apsp.Graph
        The undirected graph of neighbours, with the edges that join its components.
    distances_ : (n, n) or (n, L) array
        Geodesic distances to all samples, or to the landmarks. Not available if `k_nearest` is given.
    nearest_ : (n, k_nearest + 1) arrays of positions and of distances
        The nearest samples of each sample, itself first. Available if `k_nearest` is given.
    landmarks_ : (L,) array of int
        Positions of the landmarks, increasing if they were selected at random.
    neighbors_ : NearestNeighbors
        The search for neighbours, fitted to the samples.
    n_features_in_, feature_names_in_
        Number and names of the features of the samples.

    Notes
    -----
    The k nearest samples are in the format of `sklearn.neighbors.KNeighborsTransformer(mode="distance")`: a CSR matrix
    with `k_nearest + 1` entries per row in the order of the distance, the first of which is the sample itself.

    `fit_transform` returns `distances_` itself. A copy must be made before it is changed in place.

    Invalid parameters raise `apsp.RequestError` (a ValueError); invalid samples, and invalid parameters that are passed
    to `NearestNeighbors`, raise the exceptions of scikit-learn.

    Examples
    --------
    >>> from apsp.sklearn import GeodesicDistance
    >>> samples = [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.5]]
    >>> GeodesicDistance(n_neighbors=None, radius=1).fit_transform(samples)
    array([[0. , 1. , 2. , 2.5],
           [1. , 0. , 1. , 1.5],
           [2. , 1. , 0. , 0.5],
           [2.5, 1.5, 0.5, 0. ]])
    >>> GeodesicDistance(n_neighbors=None, radius=1, landmarks=[0]).fit(samples).transform([[1.0, -0.25]])
    array([[3.25]])
    """

    def __init__(
        self,
        *,
        n_neighbors: int | None = 5,
        radius: float | None = None,
        metric: str | Callable[..., float] = "minkowski",
        p: float = 2,
        metric_params: dict[str, Any] | None = None,
        neighbors_algorithm: str = "auto",
        components: Literal["join", "error"] = "join",
        k_nearest: int | None = None,
        landmarks: int | npt.ArrayLike | None = None,
        dtype: Literal["auto", "float32", "float64"] = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.neighbors_algorithm = neighbors_algorithm
        self.components = components
        self.k_nearest = k_nearest
        self.landmarks = landmarks
        self.dtype = dtype
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> GeodesicDistance:  # noqa: ARG002
        """Compute the distances along the graph of neighbours of the samples.

        Parameters
        ----------
        X : (n, features) array or sparse matrix
            Samples; with `metric="precomputed"`, (n, n) distances or a sparse graph of neighbours.
        y : None
            Ignored.

        Returns
        -------
        GeodesicDistance
            The transformer itself.

        Raises
        ------
        RequestError
            If a parameter is invalid.
        GraphError
            If the graph of neighbours has several components, and they are not to be joined or cannot be.
        MemoryLimitError
            If the distances do not fit in memory.

        Examples
        --------
        >>> from apsp.sklearn import GeodesicDistance
        >>> GeodesicDistance(n_neighbors=1).fit([[0.0], [1.0], [3.0]]).graph_
        Graph(n=3, m=4, undirected, float64)
        """
        self._check()
        for of_another_fit in ("distances_", "nearest_", "landmarks_"):
            self.__dict__.pop(of_another_fit, None)
        samples = self._samples(X, reset=True)
        dtype = np.dtype(samples.dtype if self.dtype == "auto" else self.dtype)
        self.neighbors_ = NearestNeighbors(
            n_neighbors=self.n_neighbors, radius=self.radius, algorithm=self.neighbors_algorithm, metric=self.metric,
            p=self.p, metric_params=self.metric_params, n_jobs=self.n_jobs,
        ).fit(samples)  # fmt: skip
        graph = neighbours_graph(self.neighbors_, dtype)
        self.graph_ = join_components(graph, samples, self.neighbors_, self.components)
        self._solve(dtype.name, effective_n_jobs(self.n_jobs))
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Compute the distances along the graph of neighbours of the samples, and return them.

        Parameters
        ----------
        X : (n, features) array or sparse matrix
            Samples, as for `fit`.
        y : None
            Ignored.

        Returns
        -------
        (n, n) or (n, L) array, or (n, n) CSR matrix
            Distances to all samples, to the landmarks, or to the nearest samples.

        Raises
        ------
        RequestError, GraphError, MemoryLimitError
            As `fit`.

        Examples
        --------
        >>> from apsp.sklearn import GeodesicDistance
        >>> GeodesicDistance(n_neighbors=1, k_nearest=1).fit_transform([[0.0], [1.0], [3.0]]).toarray()
        array([[0., 1., 0.],
               [1., 0., 0.],
               [0., 2., 0.]])
        """
        self.fit(X, y)
        return self.distances_ if self.k_nearest is None else _sparse(*self.nearest_, self.graph_.n)

    def transform(self, X: Any) -> Any:
        """Compute the distances from other samples to those of the fit, through their neighbours among these.

        Parameters
        ----------
        X : (q, features) array or sparse matrix
            Samples; with `metric="precomputed"`, (q, n) distances to the samples of the fit.

        Returns
        -------
        (q, n) or (q, L) array, or (q, n) CSR matrix
            As `fit_transform`: the minimum, over the neighbours of a sample, of the distance to the neighbour and the
            geodesic distance from there.

        Raises
        ------
        RequestError
            If a sample has no neighbour within the radius.

        Examples
        --------
        >>> from apsp.sklearn import GeodesicDistance
        >>> GeodesicDistance(n_neighbors=1).fit([[0.0], [1.0], [3.0]]).transform([[4.0]])
        array([[4., 3., 1.]])
        """
        check_is_fitted(self)
        samples = self._samples(X, reset=False)
        lengths, positions = links_to(self.neighbors_, samples)
        if hasattr(self, "distances_"):  # parameters may have been set since
            return rows_through(lengths, positions, self.distances_)
        return _sparse(*nearest_through(lengths, positions, self.nearest_), self.graph_.n)

    def _check(self) -> None:
        if (self.n_neighbors is None) == (self.radius is None):
            raise RequestError("give one of n_neighbors and radius: n_neighbors=None for neighbours within a radius")
        if self.k_nearest is not None and self.landmarks is not None:
            raise RequestError("give one of k_nearest and landmarks")
        one_of(self.components, "components", ("join", "error"))
        one_of(self.dtype, "dtype", ("auto", *_DTYPES))

    def _samples(self, X: Any, *, reset: bool) -> Any:
        finite: Any = "allow-nan" if self.metric == "nan_euclidean" else True
        return validate_data(
            self, X, reset=reset, accept_sparse="csr", dtype=(np.float64, np.float32), ensure_all_finite=finite
        )

    def _solve(self, dtype: str, threads: int) -> None:
        graph = self.graph_
        if self.k_nearest is not None:
            k = whole_number(self.k_nearest, "k_nearest", least=1)
            if k >= graph.n:
                raise RequestError(f"k_nearest={k} must be less than the number of samples: n_samples = {graph.n}")
            found = k_nearest(graph, k, dtype=dtype, threads=threads)
            itself = np.arange(graph.n, dtype=np.int32)[:, None]
            zero = np.zeros((graph.n, 1), dtype=dtype)
            self.nearest_ = np.hstack([itself, found.positions]), np.hstack([zero, found.distances])
        elif self.landmarks is not None:
            self.landmarks_ = _landmarks(self.landmarks, graph.n, self.random_state)
            self.distances_ = _columns(graph, self.landmarks_, dtype, threads)
        else:
            self.distances_ = solve(graph, dtype=dtype, threads=threads).distances
        self._n_features_out = graph.n if self.landmarks is None else len(self.landmarks_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"] if self.dtype == "auto" else [self.dtype]
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.allow_nan = self.metric == "nan_euclidean"
        return tags


def _landmarks(landmarks: Any, n: int, random_state: Any) -> npt.NDArray[np.int64]:
    """Positions of the landmarks: those given, or some that are drawn without repetition."""
    try:
        positions = np.asarray(landmarks)
    except ValueError:  # lists of different lengths
        positions = np.empty((0, 0))
    if positions.ndim == 0:
        count = whole_number(landmarks, "landmarks", least=1)
        if count > n:
            raise RequestError(f"landmarks={count} must be at most the number of samples: n_samples = {n}")
        drawn: npt.NDArray[np.int64] = check_random_state(random_state).choice(n, count, replace=False)
        return np.sort(drawn)
    if positions.ndim != 1 or not len(positions) or positions.dtype.kind not in "iu":
        raise RequestError("landmarks must be a number, or a sequence of positions of samples")
    if positions.min() < 0 or positions.max() >= n:
        raise RequestError(f"landmarks must be positions of samples, from 0 to {n - 1}")
    return positions.astype(np.int64)


def _columns(graph: Graph, landmarks: npt.NDArray[np.int64], dtype: str, threads: int) -> NumPyArray:
    """(n, L) distances: the graph is undirected, so that those from the landmarks are computed."""
    columns = np.empty((graph.n, len(landmarks)), dtype=dtype)
    begin = 0
    for block in stream(graph, sources=landmarks, dtype=dtype, threads=threads, reuse=True):
        end = begin + len(block.distances)
        columns[:, begin:end] = block.distances.T
        begin = end
    return columns


def _sparse(positions: NumPyArray, distances: NumPyArray, n: int) -> csr_matrix:
    rows, k = positions.shape
    indptr = np.arange(0, rows * k + 1, k)
    return csr_matrix((distances.ravel(), positions.ravel(), indptr), shape=(rows, n))
