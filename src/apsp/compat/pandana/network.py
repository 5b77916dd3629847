"""`Network`: nodes, edges with impedances, values and points of interest at nodes, as in pandana."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from scipy.spatial import KDTree

from apsp.compat.pandana.cyaccess import NO_PATH, cyaccess
from apsp.compat.pandana.loaders import pandash5
from apsp.compat.pandana.refusing import CallError
from apsp.errors import ApspWarning, GraphError, MissingDependencyError, RequestError, shown
from apsp.system.arguments import longest_distance, one_of, whole_number
from apsp.system.lack_of_memory import memory_errors

__all__ = ["Network", "reserve_num_graphs"]

_ALIASES = {"ave": "mean", "avg": "mean", "average": "mean", "stddev": "std", "med": "median"}


def reserve_num_graphs(num: int) -> None:  # noqa: ARG001 - pandana's signature
    """Do nothing, with a DeprecationWarning: any number of networks can be built.

    Parameters
    ----------
    num : int
        Has no effect.

    Examples
    --------
    >>> import warnings
    >>> from apsp import pandana
    >>> with warnings.catch_warnings(action="ignore"):
    ...     pandana.network.reserve_num_graphs(2)
    """
    warnings.warn("reserve_num_graphs has no effect: remove the call", DeprecationWarning, stacklevel=2)


class Network:
    """A street network with one or more impedances: the class of pandana, with exact distances.

    Parameters
    ----------
    node_x, node_y : pandas.Series of float
        Coordinates of the nodes. Their index, the same of both, holds the node IDs: different ones, of any type.
    edge_from, edge_to : pandas.Series
        Node IDs of the ends of the edges.
    edge_weights : pandas.DataFrame of numbers
        A column per impedance, such as metres or minutes, all at least 0. Its index is that of the two series.
    twoway : bool
        Whether edges are passed both ways, or from `edge_from` to `edge_to` only.

    Attributes
    ----------
    nodes_df, edges_df : pandas.DataFrame
        Columns 'x' and 'y'; 'from', 'to' and the impedances.
    impedance_names : list of str
        The columns of `edge_weights`.
    variable_names : set of str
        What `set` named.
    poi_category_names : list of str
        What `set_pois` named.

    Raises
    ------
    GraphError, RequestError
        If IDs are repeated, an end of an edge is not a node ID, or an impedance is missing or negative.

    Examples
    --------
    >>> import pandas as pd
    >>> from apsp import pandana
    >>> places = pd.DataFrame({"x": [0.0, 1, 2], "y": [0.0, 0, 0]}, index=["a", "b", "c"])
    >>> links = pd.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "minutes": [4, 3]})
    >>> net = pandana.Network(places.x, places.y, links["from"], links["to"], links[["minutes"]])
    >>> net.set(pd.Series(["a", "c", "c"]), variable=pd.Series([10, 20, 30]), name="jobs")
    >>> net.aggregate(4, type="sum", decay="flat", name="jobs").to_dict()
    {'a': 10.0, 'b': 60.0, 'c': 50.0}
    """

    @memory_errors
    def __init__(
        self, node_x: Any, node_y: Any, edge_from: Any, edge_to: Any, edge_weights: Any, twoway: bool = True
    ) -> None:
        self.nodes_df = pd.DataFrame({"x": node_x, "y": node_y})
        self.edges_df = _edges(edge_from, edge_to, edge_weights)
        ids = self.nodes_df.index
        if not ids.is_unique:
            raise GraphError(f"node {_named(ids[ids.duplicated()][0])} is there twice: node IDs must be different")
        self.impedance_names = list(edge_weights.columns)
        self.variable_names: set[str] = set()
        self.poi_category_names: list[str] = []
        self.poi_category_indexes: dict[str, Any] = {}
        self.node_idx = pd.Series(np.arange(len(ids), dtype=np.int64), index=ids)
        ends = [self._existing(self.edges_df[end], f"column {end!r} of the edges") for end in ("from", "to")]
        weights = _numbers(self.edges_df[self.impedance_names], "the impedances").T
        self._twoway = bool(twoway)
        self.net = cyaccess(ids, self.nodes_df, np.stack(ends, axis=1), weights, self._twoway)
        self._init_pois: tuple[float, int] | None = None
        self._tree: KDTree | None = None

    @classmethod
    def from_hdf5(cls, filename: Any, migrate_legacy: bool = False) -> Network:
        """Read a network from an HDF5 file that `save_hdf5`, or pandana, wrote.

        Parameters
        ----------
        filename : str
            The file.
        migrate_legacy : bool
            Read a file of an old version of pandas through a converted copy.

        Returns
        -------
        Network
            Without values and points of interest, which are not stored.

        Examples
        --------
        >>> from apsp import pandana
        >>> net = pandana.Network.from_hdf5("city.h5")  # doctest: +SKIP
        """
        found: Network = pandash5.network_from_pandas_hdf5(cls, filename, migrate_legacy=migrate_legacy)
        return found

    def save_hdf5(self, filename: Any, rm_nodes: Any = None) -> None:
        """Write the nodes and edges to an HDF5 file, which pandana reads, too. It needs PyTables.

        Parameters
        ----------
        filename : str
            The file; it is replaced.
        rm_nodes : sequence of node IDs, optional
            Nodes that are left out, with their edges.

        Examples
        --------
        >>> from apsp import pandana
        >>> net.save_hdf5("city.h5")  # doctest: +SKIP
        """
        pandash5.network_to_pandas_hdf5(self, filename, rm_nodes)

    @property
    def aggregations(self) -> list[bytes]:
        """Names of the types of `aggregate`."""
        return self.net.get_available_aggregations()

    @property
    def decays(self) -> list[bytes]:
        """Names of the decays of `aggregate`."""
        return self.net.get_available_decays()

    @property
    def node_ids(self) -> Any:
        """The node IDs, the index of most results."""
        return self.node_idx.index

    @property
    def bbox(self) -> list[float]:
        """The bounding box of the nodes: [xmin, ymin, xmax, ymax]."""
        x, y = self.nodes_df["x"], self.nodes_df["y"]
        return [float(x.min()), float(y.min()), float(x.max()), float(y.max())]

    @property
    def kdtree(self) -> KDTree:
        """The tree of the coordinates of the nodes: of SciPy, where pandana has one of scikit-learn."""
        if self._tree is None:
            self._tree = KDTree(_numbers(self.nodes_df, "the coordinates"))
        return self._tree

    @memory_errors
    def shortest_path(self, node_a: Any, node_b: Any, imp_name: str | None = None) -> Any:
        """Find a shortest path between two nodes.

        Parameters
        ----------
        node_a, node_b : node IDs
            Where it starts and ends.
        imp_name : str, optional
            The impedance; needed if there are several.

        Returns
        -------
        (k,) array of node IDs
            The nodes of the path, both ends included; none if there is no path.

        Raises
        ------
        GraphError
            If a node does not exist.

        Examples
        --------
        >>> import pandas as pd
        >>> from apsp import pandana
        >>> places = pd.DataFrame({"x": [0.0, 1, 2], "y": [0.0, 0, 0]}, index=["a", "b", "c"])
        >>> links = pd.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "minutes": [4, 3]})
        >>> net = pandana.Network(places.x, places.y, links["from"], links["to"], links[["minutes"]])
        >>> net.shortest_path("a", "c").tolist()
        ['a', 'b', 'c']
        """
        return self.shortest_paths([node_a], [node_b], imp_name)[0]

    @memory_errors
    def shortest_paths(self, nodes_a: Any, nodes_b: Any, imp_name: str | None = None) -> list[Any]:
        """Find shortest paths for many pairs of nodes.

        Parameters
        ----------
        nodes_a, nodes_b : sequences of k node IDs
            The i-th path is that of the i-th nodes.
        imp_name : str, optional
            The impedance; needed if there are several.

        Returns
        -------
        list of k arrays of node IDs
            The paths, as of `shortest_path`.

        Raises
        ------
        GraphError, RequestError
            If a node does not exist, or the lengths differ.

        Examples
        --------
        >>> import pandas as pd
        >>> from apsp import pandana
        >>> places = pd.DataFrame({"x": [0.0, 1, 2], "y": [0.0, 0, 0]}, index=["a", "b", "c"])
        >>> links = pd.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "minutes": [4, 3]})
        >>> net = pandana.Network(places.x, places.y, links["from"], links["to"], links[["minutes"]])
        >>> [path.tolist() for path in net.shortest_paths(["a", "b"], ["c", "b"])]
        [['a', 'b', 'c'], ['b']]
        """
        impedance = self._imp_name_to_num(imp_name)
        starts, ends = self._pairs(nodes_a, nodes_b)
        names = self.node_ids.to_numpy()
        return [names[path] for path in self.net.shortest_paths(starts, ends, impedance)]

    @memory_errors
    def shortest_path_length(self, node_a: Any, node_b: Any, imp_name: str | None = None) -> float:
        """Compute the length of a shortest path between two nodes.

        Parameters
        ----------
        node_a, node_b : node IDs
            Where it starts and ends.
        imp_name : str, optional
            The impedance; needed if there are several.

        Returns
        -------
        float
            The length, not rounded to thousandths; without a path 4294967.295, as in pandana, with a warning.

        Raises
        ------
        GraphError
            If a node does not exist.

        Examples
        --------
        >>> import pandas as pd
        >>> from apsp import pandana
        >>> places = pd.DataFrame({"x": [0.0, 1, 2], "y": [0.0, 0, 0]}, index=["a", "b", "c"])
        >>> links = pd.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "minutes": [4, 3]})
        >>> net = pandana.Network(places.x, places.y, links["from"], links["to"], links[["minutes"]])
        >>> net.shortest_path_length("a", "c")
        7.0
        """
        return self.shortest_path_lengths([node_a], [node_b], imp_name)[0]

    @memory_errors
    def shortest_path_lengths(self, nodes_a: Any, nodes_b: Any, imp_name: str | None = None) -> list[float]:
        """Compute the lengths of shortest paths for many pairs of nodes.

        Parameters
        ----------
        nodes_a, nodes_b : sequences of k node IDs
            The i-th length is that of the i-th nodes.
        imp_name : str, optional
            The impedance; needed if there are several.

        Returns
        -------
        list of k floats
            The lengths, as of `shortest_path_length`.

        Raises
        ------
        GraphError, RequestError
            If a node does not exist, or the lengths differ.

        Examples
        --------
        >>> import pandas as pd
        >>> from apsp import pandana
        >>> places = pd.DataFrame({"x": [0.0, 1, 2], "y": [0.0, 0, 0]}, index=["a", "b", "c"])
        >>> links = pd.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "minutes": [4, 3]})
        >>> net = pandana.Network(places.x, places.y, links["from"], links["to"], links[["minutes"]])
        >>> net.shortest_path_lengths(["a", "b"], ["c", "a"])
        [7.0, 4.0]
        """
        impedance = self._imp_name_to_num(imp_name)
        starts, ends = self._pairs(nodes_a, nodes_b)
        found = self.net.shortest_path_distances(starts, ends, impedance)
        missing = [place for place, length in enumerate(found) if length == NO_PATH]
        if missing:
            first, names = missing[0], self.node_ids
            warnings.warn(
                f"there is no path for {len(missing)} of {len(found)} pairs, the first from node "
                f"{_named(names[starts[first]])} to {_named(names[ends[first]])}: their length is given as {NO_PATH}",
                ApspWarning,
                stacklevel=3,
            )
        return found

    def set(self, node_ids: Any, variable: Any = None, name: str = "tmp") -> None:
        """Set values at nodes, for `aggregate`. A node may have several values, or none.

        Parameters
        ----------
        node_ids : pandas.Series of node IDs
            The node of each value. Rows with a missing or unknown ID are dropped, with a warning.
        variable : pandas.Series of numbers, optional
            The values, aligned with `node_ids` by their index; by default 1 each.
        name : str
            The name of the values; those that had it are replaced.

        Raises
        ------
        RequestError
            If the values are not numbers, or cannot be aligned.

        Examples
        --------
        >>> import pandas as pd
        >>> from apsp import pandana
        >>> places = pd.DataFrame({"x": [0.0, 1, 2], "y": [0.0, 0, 0]}, index=["a", "b", "c"])
        >>> links = pd.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "minutes": [4, 3]})
        >>> net = pandana.Network(places.x, places.y, links["from"], links["to"], links[["minutes"]])
        >>> net.set(pd.Series(["a", "c", "c"]), variable=pd.Series([10, 20, 30]), name="jobs")
        >>> net.aggregate(0, type="count", decay="flat", name="jobs").to_dict()
        {'a': 1.0, 'b': 0.0, 'c': 2.0}
        """
        nodes = node_ids if isinstance(node_ids, pd.Series) else pd.Series(node_ids)
        places = pd.Series(self.node_ids.get_indexer(nodes), index=nodes.index)
        try:
            rows = pd.DataFrame({"node": places, "value": 1.0 if variable is None else variable})
            values = rows["value"].to_numpy(dtype=np.float64, na_value=np.nan)
        except (TypeError, ValueError) as error:
            raise RequestError(f"the values of {shown(name)} must be numbers, one per node ID: {error}") from error
        at = rows["node"].fillna(-1).to_numpy(dtype=np.int64)
        usable = (at >= 0) & ~np.isnan(values)
        if not usable.all():
            dropped = len(usable) - int(usable.sum())
            warnings.warn(
                f"{dropped} of {len(usable)} rows are dropped: the value or the node is missing", ApspWarning,
                stacklevel=2,
            )  # fmt: skip
        self.net.initialize_access_var(name.encode(), at[usable], values[usable])
        self.variable_names.add(name)

    def precompute(self, distance: float) -> None:
        """Check a distance. Nothing is kept: what is near is searched for by each call, and results are the same.

        Parameters
        ----------
        distance : float
            At least 0.

        Examples
        --------
        >>> import pandas as pd
        >>> from apsp import pandana
        >>> places = pd.DataFrame({"x": [0.0, 1, 2], "y": [0.0, 0, 0]}, index=["a", "b", "c"])
        >>> links = pd.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "minutes": [4, 3]})
        >>> net = pandana.Network(places.x, places.y, links["from"], links["to"], links[["minutes"]])
        >>> net.precompute(10)
        """
        self.net.precompute_range(longest_distance(distance, "distance"))

    @memory_errors
    def nodes_in_range(self, nodes: Any, radius: float, imp_name: str | None = None) -> Any:
        """Find the nodes within a radius of some nodes.

        Parameters
        ----------
        nodes : sequence of node IDs
            The sources; one that is given twice counts once.
        radius : float
            The longest distance, included.
        imp_name : str, optional
            The impedance; needed if there are several.

        Returns
        -------
        pandas.DataFrame
            Columns 'source', 'destination' and one with the distances, called as the impedance: by source in the order
            given, nearest first, the source itself included.

        Raises
        ------
        GraphError
            If a node does not exist.

        Examples
        --------
        >>> import pandas as pd
        >>> from apsp import pandana
        >>> places = pd.DataFrame({"x": [0.0, 1, 2], "y": [0.0, 0, 0]}, index=["a", "b", "c"])
        >>> links = pd.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "minutes": [4, 3]})
        >>> net = pandana.Network(places.x, places.y, links["from"], links["to"], links[["minutes"]])
        >>> net.nodes_in_range(["c"], 3).to_dict("list")
        {'source': ['c', 'c'], 'destination': ['c', 'b'], 'minutes': [0.0, 3.0]}
        """
        impedance = self._imp_name_to_num(imp_name)
        once = pd.unique(pd.Series(nodes))
        limit = longest_distance(radius, "radius")
        self._existing(pd.Series(once), "nodes")
        names = self.node_ids.to_numpy()
        lists = self.net.nodes_in_range(once, limit, impedance, names)
        pairs = [pair for found in lists for pair in found]
        source = np.repeat(np.asarray(once), [len(found) for found in lists])
        destination = np.array([node for node, _ in pairs], dtype=names.dtype)
        distance = np.array([length for _, length in pairs], dtype=np.float64)
        columns = pd.DataFrame({0: source, 1: destination, 2: distance})
        columns.columns = ["source", "destination", self.impedance_names[impedance]]
        return columns

    @memory_errors
    def aggregate(
        self,
        distance: float,
        type: str = "sum",  # noqa: A002 - pandana's name
        decay: str = "linear",
        imp_name: str | None = None,
        name: str = "tmp",
    ) -> Any:
        """Aggregate the values within a distance of every node.

        Parameters
        ----------
        distance : float
            The longest distance, included.
        type : str
            'sum', 'mean' (or 'ave', 'avg', 'average'), 'min', '25pct', 'median' (or 'med'), '75pct', 'max', 'std' (or
            'stddev') or 'count', in small or capital letters.
        decay : {'linear', 'exp', 'flat'}
            Of 'sum' and 'mean': values are multiplied by 1 - d / distance, exp(-d / distance), or 1. Also
            'exponential', for 'exp'. Other types have no decay.
        imp_name : str, optional
            The impedance; needed if there are several.
        name : str
            The values, as `set` named them.

        Returns
        -------
        pandas.Series of float64
            By node ID. Without values within the distance, the sum, the mean, the deviation and the count are 0, and
            the others are -1.

        Raises
        ------
        RequestError
            If a name is unknown, or the distance is not a number of at least 0 (greater than 0 with a decay).

        Notes
        -----
        The mean is that of the values after the decay. The deviation is that of a population. A quantile q of k values
        is the one at position floor(q k), from 0 on, in ascending order. Values are added in float64 and distances are
        exact; pandana rounds values to float32, and impedances down to thousandths.

        Examples
        --------
        >>> import pandas as pd
        >>> from apsp import pandana
        >>> places = pd.DataFrame({"x": [0.0, 1, 2], "y": [0.0, 0, 0]}, index=["a", "b", "c"])
        >>> links = pd.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "minutes": [4, 3]})
        >>> net = pandana.Network(places.x, places.y, links["from"], links["to"], links[["minutes"]])
        >>> net.set(pd.Series(["a", "c"]), variable=pd.Series([10, 20]), name="jobs")
        >>> net.aggregate(4, name="jobs").to_dict()
        {'a': 10.0, 'b': 5.0, 'c': 20.0}
        >>> net.aggregate(4, type="max", name="jobs").to_dict()
        {'a': 10.0, 'b': 20.0, 'c': 20.0}
        """
        impedance = self._imp_name_to_num(imp_name)
        kind = one_of(_ALIASES.get(str(type).lower(), str(type).lower()), "type", _words(self.aggregations))
        fading = one_of("exp" if decay == "exponential" else decay, "decay", _words(self.decays))
        if name not in self.variable_names:
            raise CallError(f"there are no values called {shown(name)}: call set(..., name={shown(name)})")
        limit = longest_distance(distance, "distance")
        found = self.net.get_all_aggregate_accessibility_variables(
            limit, name.encode(), kind.encode(), fading.encode(), impedance
        )
        return pd.Series(found, index=self.node_ids)

    def get_node_ids(self, x_col: Any, y_col: Any, mapping_distance: float | None = None) -> Any:
        """Find the nearest node of every point, in a straight line.

        Parameters
        ----------
        x_col, y_col : pandas.Series of float
            Coordinates of the points, with the same index.
        mapping_distance : float, optional
            Points that are farther than this from every node are left out.

        Returns
        -------
        pandas.Series of node IDs
            Called 'node_id', by the index of the points.

        Raises
        ------
        RequestError
            If a coordinate is missing.

        Examples
        --------
        >>> import pandas as pd
        >>> from apsp import pandana
        >>> places = pd.DataFrame({"x": [0.0, 1, 2], "y": [0.0, 0, 0]}, index=["a", "b", "c"])
        >>> links = pd.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "minutes": [4, 3]})
        >>> net = pandana.Network(places.x, places.y, links["from"], links["to"], links[["minutes"]])
        >>> net.get_node_ids(pd.Series([0.1, 5]), pd.Series([0.2, 0]), mapping_distance=1).to_dict()
        {0: 'a'}
        """
        points = pd.DataFrame({"x": x_col, "y": y_col})
        places = _numbers(points, "the coordinates")
        bad = np.flatnonzero(~np.isfinite(places).all(axis=1))
        if len(bad):
            raise RequestError(f"point {_named(points.index[bad[0]])} has no finite coordinates: leave it out")
        if not len(self.node_ids) and len(points):
            raise GraphError("the network has no nodes")
        apart, nodes = self.kdtree.query(places) if len(points) else (np.empty(0), np.empty(0, dtype=np.int64))
        found = pd.Series(self.node_ids.to_numpy()[nodes], index=points.index, name="node_id")
        return found if mapping_distance is None else found[apart <= mapping_distance]

    def plot(
        self,
        data: Any,
        bbox: tuple[float, float, float, float] | None = None,
        plot_type: str = "scatter",
        fig_kwargs: dict[str, Any] | None = None,
        plot_kwargs: dict[str, Any] | None = None,
        cbar_kwargs: dict[str, Any] | None = None,
    ) -> tuple[Any, Any]:
        """Draw a number per node on a map, with matplotlib.

        Parameters
        ----------
        data : pandas.Series of numbers
            By node ID, such as a result of `aggregate`.
        bbox : tuple, optional
            (ymin, xmin, ymax, xmax): the part of the map that is shown.
        plot_type : {'scatter', 'hexbin'}
            A point per node, or means of hexagons.
        fig_kwargs, plot_kwargs, cbar_kwargs : dict, optional
            Arguments of `matplotlib.pyplot.subplots`, `scatter` or `hexbin`, and `colorbar`.

        Returns
        -------
        tuple
            The figure and the axes of matplotlib.

        Raises
        ------
        MissingDependencyError
            If matplotlib is not installed.

        Examples
        --------
        >>> from apsp import pandana
        >>> figure, axes = net.plot(net.aggregate(30, name="jobs"))  # doctest: +SKIP
        """
        try:
            import matplotlib.pyplot as plt
        except ModuleNotFoundError as error:
            raise MissingDependencyError("matplotlib", "Network.plot", "plot") from error
        one_of(plot_type, "plot_type", ("scatter", "hexbin"))
        x, y = self.nodes_df["x"].to_numpy(), self.nodes_df["y"].to_numpy()
        figure, axes = plt.subplots(**(fig_kwargs or {"figsize": (10, 8)}))
        if plot_type == "scatter":
            drawn = axes.scatter(x, y, c=np.asarray(data), **(plot_kwargs or {"cmap": "hot_r", "s": 1}))
        else:
            drawn = axes.hexbin(x, y, C=np.asarray(data), **(plot_kwargs or {"cmap": "hot_r"}))
        if bbox is not None:
            axes.set(xlim=(bbox[1], bbox[3]), ylim=(bbox[0], bbox[2]))
        figure.colorbar(drawn, ax=axes, **(cbar_kwargs or {}))
        return figure, axes

    def init_pois(self, num_categories: int, max_dist: float, max_pois: int) -> None:  # noqa: ARG002
        """Set the defaults of `set_pois`, with a DeprecationWarning: pass them there.

        Parameters
        ----------
        num_categories : int
            Has no effect: there may be any number.
        max_dist : float
            For `maxdist` of `set_pois`.
        max_pois : int
            For `maxitems` of `set_pois`.

        Examples
        --------
        >>> from apsp import pandana
        >>> net.init_pois(1, 2000, 10)  # doctest: +SKIP
        """
        self._init_pois = max_dist, max_pois
        warnings.warn("pass maxdist and maxitems to set_pois, in place of init_pois", DeprecationWarning, stacklevel=2)

    def set_pois(
        self,
        category: str,
        maxdist: Any = None,
        maxitems: Any = None,
        x_col: Any = None,
        y_col: Any = None,
        mapping_distance: float | None = None,
    ) -> None:
        """Set the points of interest of a category, at their nearest nodes.

        Parameters
        ----------
        category : str
            The name; points that had it are replaced.
        maxdist : float
            The longest distance that `nearest_pois` can search.
        maxitems : int
            The largest number of points that `nearest_pois` can return.
        x_col, y_col : pandas.Series of float
            Coordinates of the points; their index names the points.
        mapping_distance : float, optional
            Points that are farther than this from every node are left out.

        Raises
        ------
        RequestError
            If an argument is missing or invalid.

        Examples
        --------
        >>> import pandas as pd
        >>> from apsp import pandana
        >>> places = pd.DataFrame({"x": [0.0, 1, 2], "y": [0.0, 0, 0]}, index=["a", "b", "c"])
        >>> links = pd.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "minutes": [4, 3]})
        >>> net = pandana.Network(places.x, places.y, links["from"], links["to"], links[["minutes"]])
        >>> net.set_pois("shops", 10, 5, pd.Series([0.1, 1.9]), pd.Series([0.0, 0]))
        >>> net.poi_category_names
        ['shops']
        """
        if isinstance(maxdist, pd.Series):  # of version 0.3: set_pois(category, x_col, y_col), after init_pois
            x_col, y_col, maxdist, maxitems = maxdist, maxitems, None, None
        if maxdist is None or maxitems is None:
            if self._init_pois is None:
                raise CallError(
                    "set_pois needs maxdist and maxitems: the longest distance and the largest number of points"
                )
            maxdist = self._init_pois[0] if maxdist is None else maxdist
            maxitems = self._init_pois[1] if maxitems is None else maxitems
        if x_col is None or y_col is None:
            raise CallError("set_pois needs x_col and y_col, the coordinates of the points")
        nodes = self.get_node_ids(x_col, y_col, mapping_distance)
        self.net.initialize_category(maxdist, maxitems, category.encode(), self.node_ids.get_indexer(nodes))
        self.poi_category_indexes[category] = nodes.index
        if category not in self.poi_category_names:
            self.poi_category_names.append(category)

    @memory_errors
    def nearest_pois(
        self,
        distance: float,
        category: str,
        num_pois: int = 1,
        max_distance: float | None = None,
        imp_name: str | None = None,
        include_poi_ids: bool = False,
    ) -> Any:
        """Find the nearest points of interest of every node.

        Parameters
        ----------
        distance : float
            The longest distance, included; at most `maxdist` of `set_pois`.
        category : str
            The category, as `set_pois` named it.
        num_pois : int
            How many per node; at most `maxitems` of `set_pois`.
        max_distance : float, optional
            What stands for points beyond the distance; by default the distance.
        imp_name : str, optional
            The impedance; needed if there are several.
        include_poi_ids : bool
            Add columns with the names of the points.

        Returns
        -------
        pandas.DataFrame
            By node ID: columns 1 to num_pois of distances, nearest first, then columns 'poi1', 'poi2', ... of the
            names, in the index of `x_col` of `set_pois`, missing beyond the distance. Of equally near points the one at
            the first node comes first.

        Raises
        ------
        RequestError
            If the category was not set (also an AssertionError, as in pandana), or a request exceeds what was set.

        Examples
        --------
        >>> import pandas as pd
        >>> from apsp import pandana
        >>> places = pd.DataFrame({"x": [0.0, 1, 2], "y": [0.0, 0, 0]}, index=["a", "b", "c"])
        >>> links = pd.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "minutes": [4, 3]})
        >>> net = pandana.Network(places.x, places.y, links["from"], links["to"], links[["minutes"]])
        >>> shops = pd.DataFrame({"x": [0.1, 1.9], "y": [0, 0]}, index=["baker", "butcher"])
        >>> net.set_pois("shops", 10, 5, shops.x, shops.y)
        >>> net.nearest_pois(4, "shops", include_poi_ids=True).to_dict("list")
        {1: [0.0, 3.0, 0.0], 'poi1': ['baker', 'butcher', 'butcher']}
        """
        if category not in self.poi_category_names:
            raise CallError(f"there are no points of interest {shown(category)}: call set_pois for this category")
        impedance = self._imp_name_to_num(imp_name)
        limit = longest_distance(distance, "distance")
        count = whole_number(num_pois, "num_pois", least=1)
        distances, numbers = self.net.find_all_nearest_pois(limit, count, category.encode(), impedance)
        distances[distances < 0] = limit if max_distance is None else max_distance
        found = pd.DataFrame(distances, index=self.node_ids, columns=list(range(1, count + 1)))
        if not include_poi_ids:
            return found
        names = self.poi_category_indexes[category]
        columns = [
            pd.Series(names.take(numbers[:, place], fill_value=np.nan, allow_fill=True), index=self.node_ids)
            if len(names) else pd.Series(np.nan, index=self.node_ids)
            for place in range(count)
        ]  # fmt: skip
        return pd.concat([found, *(column.rename(f"poi{i}") for i, column in enumerate(columns, 1))], axis=1)

    def low_connectivity_nodes(self, impedance: float, count: int, imp_name: str | None = None) -> Any:
        """Find the nodes that have few nodes within a distance, themselves included.

        Parameters
        ----------
        impedance : float
            The longest distance, included.
        count : int
            Nodes with fewer than this within the distance are returned.
        imp_name : str, optional
            The impedance; needed if there are several.

        Returns
        -------
        array of node IDs
            In the order of the nodes.

        Examples
        --------
        >>> import pandas as pd
        >>> from apsp import pandana
        >>> places = pd.DataFrame({"x": [0.0, 1, 2], "y": [0.0, 0, 0]}, index=["a", "b", "c"])
        >>> links = pd.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "minutes": [4, 3]})
        >>> net = pandana.Network(places.x, places.y, links["from"], links["to"], links[["minutes"]])
        >>> net.low_connectivity_nodes(4, 3).tolist()
        ['a', 'c']
        """
        self.set(self.node_ids.to_series(), name="counter")
        found = self.aggregate(impedance, type="count", imp_name=imp_name, name="counter")
        return np.array(found[found < count].index)

    def _imp_name_to_num(self, imp_name: str | None) -> int:
        names = self.impedance_names
        if imp_name is None:
            if len(names) != 1:
                raise CallError(f"there are {len(names)} impedances, name one: imp_name={shown(names[0])}")
            return 0
        if imp_name not in names:
            raise CallError(f"there is no impedance {shown(imp_name)}; there are: {', '.join(map(str, names))}")
        return names.index(imp_name)

    def _pairs(self, nodes_a: Any, nodes_b: Any) -> tuple[Any, Any]:
        if len(nodes_a) != len(nodes_b):
            raise RequestError(f"nodes_a has {len(nodes_a)} nodes and nodes_b {len(nodes_b)}: there must be as many")
        return self._existing(pd.Series(nodes_a), "nodes_a"), self._existing(pd.Series(nodes_b), "nodes_b")

    def _existing(self, nodes: Any, where: str) -> Any:
        found = self.node_ids.get_indexer(nodes)
        unknown = np.flatnonzero(found < 0)
        if len(unknown):
            raise GraphError(f"{_named(nodes.iloc[unknown[0]])}, row {unknown[0]} of {where}, is not a node ID")
        return found


def _edges(edge_from: Any, edge_to: Any, edge_weights: Any) -> Any:
    if not isinstance(edge_weights, pd.DataFrame) or not len(edge_weights.columns):
        raise RequestError(
            "edge_weights must be a pandas DataFrame with a column per impedance, such as edges[['weight']]"
        )
    ends = pd.DataFrame({"from": edge_from, "to": edge_to})
    if ends.index.equals(edge_weights.index):
        return pd.concat([ends, edge_weights], axis=1)  # by position: an index may be repeated
    if not (ends.index.is_unique and edge_weights.index.is_unique):
        raise RequestError("edge_weights needs the index of edge_from and edge_to, or an index without repetition")
    return ends.join(edge_weights)


def _numbers(table: Any, what: str) -> Any:
    try:
        return table.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise RequestError(f"{what} must be numbers: {error}") from error


def _words(names: list[bytes]) -> tuple[str, ...]:
    return tuple(name.decode() for name in names)


def _named(node: Any) -> str:
    return shown(node.item() if isinstance(node, np.generic) else node)
